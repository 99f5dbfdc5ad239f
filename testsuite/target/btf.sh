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
	# Functions of one name: each is a place, in the kernel's own table as in the file with debugging information; BTF describes one.
	addresses s_next >expected
	for point in 'kernel.function("s_next")' 'kprobe.function("s_next")'; do
		ktap -r "$R" --debuginfo=btf -p2 -v -e "probe $point { println(pp()) }"
		accepted
		sed -n 's/^  # at 0x\([0-9a-f]*\) s_next.*/\1/p' out | sort >found
		test -s found && cmp expected found || fail "$point is not the functions that nm prints"
	done
	ktap -r "$R" --debuginfo=btf -p2 -v -e 'probe kernel.function("s_next") { println(pp()) }'
	printed "not here: $(wc -l <expected) functions have this name (at 0x$(head -n 1 expected), "
}

# addresses NAME: of the functions, by nm.
addresses()
{
	nm "/usr/lib/debug/boot/vmlinux-$R" | sed -n "s/ [tT] $1\$//p" | sort
}
on_each check
