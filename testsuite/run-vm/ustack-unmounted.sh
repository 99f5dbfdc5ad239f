#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A program on whose stack a session looks holds its file system while the session lasts, and a mount namespace that ends takes
# nothing away that the session still has.
. "$SRCDIR/testsuite/lib/process.sh"

program victim -static <<'END'
#include <unistd.h>
__attribute__((noipa)) void step(void) { usleep(50000); getpgid(0); }
int main(void) { for (;;) step(); }
END

for release in $(kernels); do
	module walks -e 'probe nd_syscall.getpgid { if (execname() == "victim") print_ubacktrace() }'
	{ echo "work=$PWD"; cat <<'END'; } | in_guest_silent
stop() { echo "$*"; dmesg | tail -n 20; exit 1; }
start()
{
	"$KTAPRUN" "$work/kt_walks.ko" >/tmp/kt-out 2>/tmp/kt-err & session=$!
	until_true 'in_state kt_walks running'
}
finish()
{
	kill -INT $session
	wait $session || stop "the session: $(cat /tmp/kt-err)"
}
is_walked() { grep -q ' : main+0x.*victim' /tmp/kt-out; }
mkdir -p /tmp/fs

mount -t tmpfs none /tmp/fs && cp "$work/victim" /tmp/fs || stop "no file system"
start
/tmp/fs/victim & victim=$!
until_true is_walked
kill $victim
wait $victim 2>/dev/null
umount /tmp/fs 2>/tmp/kt-umount && stop "the file system is unmounted, and the session has an inode of it"
finish
umount /tmp/fs || stop "the session is over, and something holds the file system"

start
unshare -m sh -c 'mount -t tmpfs none /tmp/fs && cp "$0/victim" /tmp/fs && exec /tmp/fs/victim' "$work" & victim=$!
until_true is_walked
kill $victim
wait $victim 2>/dev/null
mountpoint -q /tmp/fs && stop "mounted here"
finish
! dmesg | grep 'Busy inodes'
END
	boot
	silent
done
