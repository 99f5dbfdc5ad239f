#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --vm works for an ordinary user, with supplementary groups and without: the guest reads what the user can read, and its root
# writes to files that only the host's root may write, in memory. It finds programs that only root's PATH has.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
test "$(id -u)" = 0 || { echo "only root can run a program as another user"; exit 77; }
release=$(kernels)
release=${release%% *}
command='uname -r; id -u; basename $(command -v modprobe); cat /etc/hostname; echo more >>/etc/hostname && tail -n 1 /etc/hostname; cat secret'
echo hidden >secret
chmod 600 secret
for groups in --clear-groups --groups=1000,4,20; do
	status=0
	PATH=/usr/bin:/bin timeout 600 setpriv --reuid=1000 --regid=1000 $groups "$KTAP" --vm="$release" --vm-exec "$command" >out 2>err </dev/null || status=$?
	test "$status" = 1 || fail "exit status $status, expected 1 of the last cat"
	{ echo "$release"; echo 0; echo modprobe; cat /etc/hostname; echo more; } >expected
	diff expected out || fail "$groups: the guest printed something else"
	said 'secret: Permission denied'
done
