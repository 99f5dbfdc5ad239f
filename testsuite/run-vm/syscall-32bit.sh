#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# Calls of 32-bit programs that pass 64 bits in two registers, a block of arguments, arguments in another order, or many calls by one
# number: the aliases of the 64-bit names fire, with the values that the program passed. probefunc() and the first line of a backtrace
# are the kernel's function. A return from a signal and execveat() have their returns. Long data does not push out other arguments.
. "$SRCDIR/testsuite/lib/process.sh"
need_32bit

# shellcheck disable=SC2086
program prog $m32 -D_FILE_OFFSET_BITS=64 <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void nothing(int sig) { }
int main(int argc, char **argv)
{
	unsigned block[6] = { 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1u, 0 }, sel[5] = { 0, 0, 0, 0, 16 }, sock[3] = { AF_UNIX, 75, -3u };
	unsigned send[4] = { 98, 0x1234, 7, MSG_OOB };
	char zeros[200] = "";

	if (argc > 1)
		return 0;
	syscall(SYS_pread64, 98, 0, 3, 0x89abcdef, 0x12345);
	syscall(SYS_truncate64, "/nosuch", 1, -1);
	syscall(SYS_ftruncate, 98, -5);
	syscall(SYS_fallocate, 98, 0, 1, 2, 3, 4);
	syscall(SYS_sync_file_range, 98, 1, 2, 3, 4, 2);
	syscall(SYS_fadvise64_64, 98, 1, 2, 3, 4, 5);
	syscall(SYS_fanotify_mark, 98, 1, 2, 4, -7, "/nosuch");
	syscall(SYS_preadv2, 98, 0, 0, 1, 2, 8);
	syscall(90, block);
	syscall(90, 16);
	syscall(82, sel);
	syscall(102, 1, sock);
	syscall(102, 9, send);
	syscall(102, 77, 32);
	syscall(117, 1, 98, 5, 0, 0);
	syscall(SYS_chown32, "/nosuch", -1, 70000);
	syscall(SYS_chown, "/nosuch", 0xffff, 0xfffe);
	syscall(SYS_clone, CLONE_SIGHAND | CLONE_PARENT_SETTID, 0, 16, 32, 48);
	write(98, zeros, sizeof(zeros));
	signal(SIGUSR1, nothing);
	raise(SIGUSR1);
	syscall(SYS_execveat, AT_FDCWD, argv[0], (char *[]){ argv[0], "again", 0 }, 0, 0);
	return 1;
}
END
cat >watch.stp <<'END'
probe syscall.{pread,truncate,ftruncate,fallocate,sync_file_range,fadvise64,fanotify_mark,preadv2,mmap,select,socket,send,semop,chown,chown16,clone,socketcall}
{
	if (execname() == "prog" && (argstr =~ "98|nosuch|4096, PROT_READ, MAP_PRIVATE|CLONE_SIGHAND|^0x10$|, 75|11|^0, 0x0|^77"))
		printf("%s(%s) %s\n", name, argstr, probefunc())
}
probe syscall.pread { if (fd == 98) printf("%d %d, $offset %#x, int_arg(5) %#x\n", count, fd, $offset, int_arg(5)) }
probe syscall.write { if (fd == 98) { printf("%s\n%s", substr(argstr, strlen(argstr) - 8, 8), substr(sprint_backtrace(), 0, 19)); println() } }
probe syscall.{rt_sigreturn,sigreturn,execveat}.return { if (execname() == "prog") println(name, " returned", name == "execveat" ? " " . retstr : "") }
END
for release in $(kernels); do
	in_vm -c ./prog watch.stp
	expect <<'END'
pread(98, 0x0, 3, 320256546164207) __ia32_sys_ia32_pread64
3 98, $offset 0x1234589abcdef, int_arg(5) 0x12345
truncate("/nosuch", -4294967295) __ia32_sys_ia32_truncate64
ftruncate(98, -5) __ia32_compat_sys_ftruncate
fallocate(98, 0, 8589934593, 17179869187) __ia32_sys_ia32_fallocate
sync_file_range(98, 8589934593, 17179869187, SYNC_FILE_RANGE_WRITE) __ia32_sys_ia32_sync_file_range
fadvise64(98, 8589934593, 17179869187, POSIX_FADV_NOREUSE) __ia32_sys_ia32_fadvise64_64
fanotify_mark(98, FAN_MARK_ADD, FAN_MODIFY|0x400000000, -7, "/nosuch") __ia32_compat_sys_fanotify_mark
preadv2(98, NULL, 0, 8589934593, RWF_NOWAIT) __ia32_compat_sys_preadv2
mmap(0x0, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0x0) __ia32_compat_sys_ia32_mmap
mmap(0x10) __ia32_compat_sys_ia32_mmap
select(0, 0x0, 0x0, 0x0, 0x10) __ia32_compat_sys_old_select
socket(AF_UNIX, 11|0x40, -3) __ia32_compat_sys_socketcall
send(98, 0x1234, 7, MSG_OOB) __ia32_compat_sys_socketcall
socketcall(77, 0x20) __ia32_compat_sys_socketcall
semop(98, NULL, 5) __ia32_compat_sys_ipc
chown("/nosuch", -1, 70000) __ia32_sys_chown
chown16("/nosuch", -1, 65534) __ia32_sys_chown16
clone(CLONE_SIGHAND|CLONE_PARENT_SETTID, 0x0, 0x10, 0x30, 0x20) __ia32_compat_sys_ia32_clone
..., 200
__ia32_sys_write+0x
sigreturn returned
execveat returned 0
END
done
