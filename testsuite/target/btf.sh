#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Without DWARF, BTF gives functions, parameters, structures and return values, and says what it cannot.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	ktap -r "$R" --debuginfo=btf -p2 -v -e 'probe kernel.function("vfs_read") {
		println($file->f_path->dentry->d_name->name, $count) }
		probe kernel.function("vfs_read").return { println($return) }'
	accepted
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read@fs/read_write.c") { }'
	refused no-debuginfo
	said "apt-get install linux-image-$R-dbg"
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read").inline { }'
	refused no-debuginfo
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("vfs_read") { println($ret) }'
	refused target-var
	said "apt-get install linux-image-$R-dbg"
	# Functions that are freed after boot, as System.map tells.
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("start_kernel") { }'
	refused no-match
	said 'it is freed after boot'
	ktap -r "$R" --debuginfo=btf -p2 -e 'probe kernel.function("*_init") { }'
	accepted
	! grep -q '"console_init"' out || fail "console_init is probed, which is freed after boot"
	# Statics of one name: nothing is said of what their prototypes do not share, and each symbol is one place.
	for name in $(ambiguous_names); do
		ktap -r "$R" --debuginfo=btf -p2 -v -e "probe kernel.function(\"$name\") { println(\$\$parms) }"
		accepted
		test "$(grep -c "# at $name+0" out)" = 1 || fail "one place is expected"
	done
}

# Names that have several functions in BTF, by bpftool; none where pahole left such functions out.
ambiguous_names()
{
	PATH=$PATH:/usr/sbin bpftool btf dump file "/usr/lib/debug/boot/vmlinux-$R" 2>/dev/null |
		sed -n "s/^\[[0-9]*\] FUNC '\([^']*\)'.*/\1/p" | sort | uniq -d | head -n 3
}
on_each check
