#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The handlers of a wildcard that differ only in data share a function, which has the values that handlers of their own have at the
# same hits. Some of these values are sums of a register and a number; others are computed by a function that the table names.
. "$SRCDIR/testsuite/lib/process.sh"

# compare POINT SUFFIX NAME...: the values of each function by POINT and by a probe for it alone, which has SUFFIX
compare()
{
	echo "probe $1 { if (pid() == target()) println(\"shared \", ppfunc(), \" \", \$\$parms) }" >script.stp
	suffix=$2
	shift 2
	for name; do
		echo "probe kernel.function(\"$name\")$suffix { if (pid() == target()) println(\"own $name \", \$\$parms) }" >>script.stp
	done
	ktap -r "$release" -p3 script.stp
	accepted
	cp out made.c
	in_vm -DMAXSKIPPED=1000000 -c 'cat /etc/hostname /etc/passwd' script.stp
	for name; do
		most=0
		for function in $(sed -n "s/^\t{ \\([0-9]*\\), .*kernel.function(\"$name@.*/\\1/p" made.c); do
			n=$(grep -c "^	{ $function, .*kernel.function" made.c)
			test "$n" -le "$most" || most=$n
		done
		test "$most" -gt 8 || fail "$name shares no function"
		sed -n "s/^own $name //p" out >own
		sed -n "s/^shared $name //p" out >shared
		test -s own && cmp own shared || { diff own shared | head -n 20; fail "the values of $name differ on $release"; }
	done
}

for release in $(kernels); do
	compare 'kernel.function("*@fs/*.c").call' .call vfs_open vfs_read do_dentry_open path_openat vfs_getattr_nosec
	case $release in
	6.1.*) # where these have values that are not sums
		compare 'kernel.function("*@fs/namei.c"), kernel.function("*@fs/file.c")' .inline fold_hash file_needs_f_pos_lock
		grep -q '80000ull,$' made.c || fail "no value is computed by a function"
	esac
	ktap -r "$release" -p3 -e 'probe kernel.function("*@fs/*.c") { println(ppfunc(), " ", $$parms) }'
	accepted
	functions=$(grep -c '^static void p_' out)
	test "$functions" -le 400 || fail "$functions functions for a wildcard"
done
