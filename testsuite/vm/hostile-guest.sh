#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Root of a VM takes over the connection to the host: it asks for input again and again and reads none of it. Signals end the VM anyway.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
cat >takes-over.c <<'END'
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/vm/proto.h"

/* The descriptor of the port in init, of which this is a copy. */
static int take_port(void)
{
	char path[64], name[64];
	int init = (int)syscall(SYS_pidfd_open, 1, 0);

	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/1/fd/%d", fd);
		memset(name, 0, sizeof(name));
		if (readlink(path, name, sizeof(name) - 1) > 0 && strstr(name, "/vport"))
			return (int)syscall(SYS_pidfd_getfd, init, fd, 0);
	}
	return -1;
}

int main(void)
{
	const struct vm_frame more = { VM_INPUT_DONE, 0 }, up = { VM_OUTPUT, 3 };
	int port = take_port();

	if (port < 0 || ptrace(PTRACE_ATTACH, 1, 0, 0) || waitpid(1, NULL, __WALL) != 1)
		return 1;
	if (write(port, &up, sizeof(up)) < 0 || write(port, "up\n", 3) < 0)
		return 1;
	for (;;)
		if (write(port, &more, sizeof(more)) < 0)
			return 1;
}
END
cc -I "$SRCDIR" -o takes-over takes-over.c || fail "the program does not compile"
: >out
"$BUILDDIR/ktap-vm" "$(kernels)" -- "$PWD/takes-over" </dev/zero >out 2>err &
vm=$!
trap 'kill -KILL $vm 2>/dev/null' EXIT
until_says $vm up out "the VM did not come up"
sleep 3 # until all buffers on the way are full
# The first signal waits for the guest's answer, the later ones do not.
seconds=0
while kill -TERM $vm 2>/dev/null; do
	test $((seconds += 1)) -lt 20 || fail "signals do not end the VM"
	sleep 1
done
wait $vm
status=$?
test "$status" = 143 || fail "exit status $status"
