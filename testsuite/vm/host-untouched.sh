#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest writes is not on the host, though its root makes the host's files writable for itself; the guest sees the current
# folder; its exit status is ours.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
echo here >seen
"$BUILDDIR/ktap-vm" -n "$release" -- sh -c 'cat seen; echo changed >seen; echo new >written; exit 7' >out 2>err
status=$?
test "$status" = 7 || fail "exit status $status"
printed '^here$'
test "$(cat seen)" = here || fail "the guest changed a file of the host"
test ! -e written || fail "the guest made a file on the host"

mkdir writable
chmod 777 writable
# own_mount [COMMAND...]: the VM is run by the command.
own_mount()
{
	"$@" "$BUILDDIR/ktap-vm" -n "$release" -- sh -c "mkdir /m && mount -t virtiofs ktaproot /m && mount -o remount,rw /m && ls /m$PWD/seen &&
		{ echo changed >/m$PWD/seen; echo new >/m$PWD/writable/written; true; }" >out 2>err || { cat err; fail "the guest cannot mount the files: $*"; }
	printed "^/m$PWD/seen\$"
	test "$(cat seen)" = here || fail "the guest changed a file of the host by a mount of its own: $*"
	test ! -e writable/written || fail "the guest made a file on the host by a mount of its own: $*"
}
own_mount
# A host before Linux 5.12.
own_mount strace -f --seccomp-bpf -o trace -e trace=mount_setattr -e inject=mount_setattr:error=ENOSYS
grep -q 'ENOSYS.*INJECTED' trace || fail "strace changed nothing"
# Root of a container.
test "$(id -u)" != 0 || own_mount setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin
