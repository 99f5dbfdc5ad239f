#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that an old script probes is proposed under its new name. Each row of the table has a function of each kernel, or a function
# of a module.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

says()
{
	analyse "probe kernel.function(\"$1\") { }"
	refused no-match
	said "'$2' took its place in this kernel"
	! grep -q 'did you mean' err || fail "$1: two names are proposed"
}

check()
{
	says do_fork kernel_clone
	says generic_make_request submit_bio_noacct
	says do_IRQ __common_interrupt
	says log_store vprintk_store
	analyse 'probe kprobe.function("_do_fork") { }'
	grep -q "'kernel_clone' took its place" err || fail "kprobe.function: $(cat err)"
	# All rows, in one run: the script names each old function, and each new one that could take its place.
	sed -n 's/^RENAMED("\(.*\)", "\(.*\)")$/\1 \2/p' "$SRCDIR/translator/probe/renamed.def" >rows
	{
		tr ' ' '\n' <rows | sort -u | sed 's/.*/probe kernel.function("&") ? { }/'
		echo 'probe begin { }'
	} >all.stp
	ktap -r "$R" -p2 all.stp
	accepted
	sed -n 's/.*<- kernel.function("\([^"]*\)").*/\1/p; s/^kernel.function("\([^"@]*\)[@"].*/\1/p' out | sort -u >there
	while read -r old new; do
		grep -qxF -e "$old" -e "$(grep "^$old " rows | cut -d' ' -f2)" there || case $new in
		scsi_*) ;; # of a module
		*) fail "$R has neither '$old' nor what the table says of it" ;;
		esac
	done <rows
	test "$(wc -l <rows)" -gt 100 && test "$(wc -l <there)" -gt 100 || fail "$(wc -l <there) functions"
}
on_each check
