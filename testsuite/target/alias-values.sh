#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every alias of the library resolves, with every value that its comment documents: an unused value is not looked up, so the
# aliases alone prove little. Left out: aliases of programs, and json_data, which needs metrics.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# Functions and tracepoints that a newer kernel lacks.
gone='ioblock_trace.bounce nfs.aop.writepage nfs.aop.writepage.return'

find "$SRCDIR/tapset" "$BUILDDIR/tapset/made" -name '*.stp' -exec cat {} + | perl -0777 -ne '
	while (m{^/\*\*\n \* (\S+) - (?:(?!\*/).)*?\*/\nprobe \1 }msg) {
		my ($name, $comment) = ($1, $&);
		next if $name =~ /^(stap|staprun|python|syscall|nd_syscall)\.|^json_data$/;
		my @values = $comment =~ /^ \* \@(\w+):/mg;
		print "$name {";
		print " println(", join(", ", splice(@values, 0, 30)), ")" while @values;
		print " }\n";
	}' >aliases
test "$(wc -l <aliases)" -gt 500 || fail "only $(wc -l <aliases) aliases were found"

check()
{
	test -e "/usr/lib/debug/lib/modules/$R/kernel/fs/nfsd/nfsd.ko" || return 0
	cp aliases wanted
	for name in $gone; do
		grep -vF "$name {" wanted >kept
		mv kept wanted
		ktap -r "$R" -p2 -e "probe $(grep -F "$name {" aliases)"
		test "$status" = 0 || refused no-match
	done
	sed 's/^/probe /' wanted >all.stp
	ktap -r "$R" -p2 all.stp
	test "$status" = 0 || { grep 'error:' err; fail "exit status $status on $R"; }
}
on_each check
