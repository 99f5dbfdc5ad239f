#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: one
# The handlers of a wildcard that differ only in data share a function, which has the values that handlers of their own have at the
# same hits.
. "$SRCDIR/testsuite/lib/process.sh"
names='vfs_open vfs_read do_dentry_open path_openat vfs_getattr_nosec rw_verify_area'

echo 'probe kernel.function("*@fs/*.c").call { if (pid() == target()) println("shared ", ppfunc(), " ", $$parms) }' >script.stp
for name in $names; do
	echo "probe kernel.function(\"$name\").call { if (pid() == target()) println(\"own $name \", \$\$parms) }"
done >>script.stp
for release in $(kernels); do
	ktap -r "$release" -p3 script.stp
	accepted
	function=$(sed -n 's/^.*{ \(p_[0-9]*\), "kernel.function(\\"vfs_read@.*/\1/p' out | head -n 1)
	test "$(grep -c "{ $function, " out)" -gt 8 || fail "vfs_read shares no function: '$function'"
	in_vm -DMAXSKIPPED=1000000 -c 'cat /etc/hostname /etc/passwd' script.stp
	for name in $names; do
		sed -n "s/^own $name //p" out >own
		sed -n "s/^shared $name //p" out >shared
		test -s own && cmp own shared || { diff own shared | head -n 20; fail "the values of $name differ on $release"; }
	done
done
