#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# syscall.send and .recv are those of 32-bit programs, by way of socketcall: made here through the 32-bit entry, with the
# arguments where 32-bit addresses reach. The 64-bit calls are sendto and recvfrom, which both do not count.
# syscall.ni_syscall counts calls of numbers that have no call any more: afs_syscall, and break of 32-bit programs.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
static long call32(long number, long call, unsigned *args)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(number), "b"(call), "c"(args) : "memory", "r8", "r9", "r10", "r11");
	return ret;
}
static long socketcall(long call, unsigned *args) { return call32(102, call, args); }
int main(void)
{
	int pair[2];
	unsigned *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	char *data = (char *)(low + 16);

	if (low == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return 1;
	low[0] = pair[0]; low[1] = (unsigned)(unsigned long)data; low[2] = 7; low[3] = MSG_NOSIGNAL;
	if ((int)socketcall(9, low) != 7)
		return 2;
	low[0] = pair[1]; low[2] = 100; low[3] = MSG_DONTWAIT;
	if ((int)socketcall(10, low) != 7 || (int)socketcall(10, low) != -11)
		return 3;
	for (int i = 0; i < 3; i++)
		if (syscall(183) != -1 || errno != ENOSYS || (int)call32(17, 0, 0) != -ENOSYS)
			return 4;
	return send(pair[0], data, 3, 0) != 3 || recv(pair[1], data, 9, 0) != 3;
}
END
for release in $(kernels); do
	in_vm -c ./prog -e '
	probe syscall.send, syscall.recv { if (pid() == target()) printf("%s %d %d %s %d\n", name, len, flags, flags_str, buf_uaddr > 0 && s > 2) }
	probe syscall.send.return, nd_syscall.recv.return { if (pid() == target()) println(name, " ", retstr) }
	global refused, returned
	probe syscall.ni_syscall { if (pid() == target()) refused++ }
	probe nd_syscall.ni_syscall.return { if (pid() == target() && retstr == "-38 (ENOSYS)") returned++ }
	probe end { println("refused ", refused, " ", returned) }
	probe end { println(syscall_name(0), " ", syscall_name(44), " ", syscall_name(231), " ", syscall_name(4000), ".") }'
	expect <<'END'
send 7 16384 MSG_NOSIGNAL 1
send 7
recv 100 64 MSG_DONTWAIT 1
recv 7
recv 100 64 MSG_DONTWAIT 1
recv -11 (EAGAIN)
refused 6 6
read sendto exit_group .
END
done
