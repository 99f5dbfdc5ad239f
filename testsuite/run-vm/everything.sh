#!/bin/sh
# Probing most of what the kernel is made of: the entries of all functions of fs, mm, net and of the scheduler, locks, RCU
# and timers, while processes, files, pipes, sockets, signals, modules and a CPU that goes and comes keep
# them busy. A count that a program knows is exact; the kernel has nothing to complain about and would stop at a WARN. Then
# breakpoints on all lines of the unwinder that handlers call, with a lock that the handlers below them hold, on one CPU: each is
# skipped for its recursion, none waits for that lock. The code that returns go through is refused.
# Not "*": each place that ftrace cannot take, a sixth of all, costs the kernel millions of instructions.
. "$SRCDIR/testsuite/lib/process.sh"

gcc -O2 -static -o load "$SRCDIR/testsuite/bench/getpgid.c" || fail "cannot compile"
program busy -static -pthread <<'END'
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t signals;
static char text[4096];
static void on_signal(int s) { signals++; }
static void *one(void *fd) { return (void *)read((int)(long)fd, text, 1); }
int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	struct itimerspec in = { .it_value.tv_nsec = 1000000 };
	int p[2], s[2], status, fd = open("busy.file", O_CREAT | O_RDWR, 0600), t = timerfd_create(CLOCK_MONOTONIC, 0);
	socklen_t size = sizeof(to);
	unsigned long long ticks;
	pthread_t thread;
	char *m;

	signal(SIGUSR1, on_signal);
	if (write(fd, text, sizeof(text)) != sizeof(text) || fsync(fd) || ftruncate(fd, 8192)) return 1;
	m = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (m == MAP_FAILED) return 2;
	m[0] = m[4096] = 1;
	if (msync(m, 8192, MS_SYNC) || munmap(m, 8192) || unlink("busy.file") || pipe(p)) return 3;
	m = memset(malloc(1 << 20), 1, 1 << 20);
	if (!fork()) _exit(write(p[1], m, 1) != 1 || raise(SIGUSR1) || signals != 1);
	if (wait(&status) < 0 || status || read(p[0], text, 1) != 1) return 4;
	if (pthread_create(&thread, 0, one, (void *)(long)p[0]) || write(p[1], m, 1) != 1 || pthread_join(thread, 0)) return 5;
	if (timerfd_settime(t, 0, &in, 0) || read(t, &ticks, sizeof(ticks)) != sizeof(ticks)) return 6;
	s[0] = socket(AF_INET, SOCK_DGRAM, 0);
	s[1] = socket(AF_INET, SOCK_DGRAM, 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(s[0], (void *)&to, sizeof(to)) || getsockname(s[0], (void *)&to, &size)) return 7;
	return sendto(s[1], text, 100, 0, (void *)&to, size) != 100 || read(s[0], text, 100) != 100 ? 8 : 0;
}
END
cat >all.sh <<'END'
./busy || echo "busy: $?"
modprobe dummy && modprobe -r dummy || echo "modprobe: $?"
echo 0 >/sys/devices/system/cpu/cpu1/online || echo "CPU 1 does not go"
./busy || echo "busy on one CPU: $?"
echo 1 >/sys/devices/system/cpu/cpu1/online || echo "CPU 1 does not come"
cat /proc/1/maps /proc/*/stat /proc/interrupts >/dev/null 2>&1
exec ./load
END
# What the kernel lets be probed and the kit does not.
denied='probe kprobe.function("srso_alias_safe_ret")'
for release in $(kernels); do
	in_guest 'ip link set lo up; echo 1 >/proc/sys/kernel/panic_on_oops; echo 1 >/proc/sys/kernel/panic_on_warn'
	session all -v -c 'sh ./all.sh' -e '
	global n, calls
	probe kernel.function("*@fs/*.c").call, kernel.function("*@mm/*.c").call, kernel.function("*@net/*.c").call,
	      kernel.function("*@kernel/sched/*.c").call, kernel.function("*@kernel/locking/*.c").call,
	      kernel.function("*@kernel/rcu/*.c").call, kernel.function("*@kernel/time/*.c").call { n++ }
	probe kernel.function("__x64_sys_getpgid").call { if (pid() == target()) calls++ }
	probe end { println(n > 100000, " ", calls) }'
	in_guest 'echo 0 >/sys/devices/system/cpu/cpu1/online'
	session lines -c ./busy -e "
	global n, last
	probe kernel.function(\"vfs_write\").call { last = n * last; n++; print_backtrace() }
	probe kernel.statement(\"*@arch/x86/kernel/unwind_orc.c:*\") { last = n * last; n++ }
	$denied { n++ }
	probe end { println(\"hits \", n > 0) }"
	boot
	result all
	expect <<-'END'
	1 30500
	END
	result lines
	printed '^hits 1$'
	said 'srso_alias_safe_ret.*registration error'
	said 'Skipped due to reentrancy'
	! grep 'lock on a global' err || fail "a handler waited for itself on $release"
done
