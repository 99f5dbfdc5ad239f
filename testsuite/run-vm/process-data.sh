#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# Watchpoints on variables of a program: by name wherever the program lies, by address; in its threads and children, in a process
# that begins later, and not in other programs that have a variable of that name. No two of them watch the same bytes: QEMU
# 7.2 reports one debug register for an access, even if several match.
. "$SRCDIR/testsuite/lib/process.sh"

cat >source <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int counter;
static struct { long before, here, after; } place;
volatile long seen;
static void *body(void *arg) { counter = 20; return arg; }
int main(int argc, char **argv)
{
	pthread_t thread;
	for (int i = 1; i <= 3; i++)
		counter = i;
	place.before = 1; place.here = 2; place.after = 3;
	seen = place.here;
	pthread_create(&thread, 0, body, 0);
	pthread_join(thread, 0);
	if (!fork()) { counter = 30; _exit(0); }
	wait(0);
	if (argc > 1)
		execl("./other", "other", (char *)0);
	return 0;
}
END
program prog -O0 -pthread -pie -fPIE <source
program other -O0 -pthread <source
program fixed -O0 -pthread -no-pie <source
# It takes one of the four registers for itself.
program many -O0 <<'END'
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
long a, b, c, d, own;
static void note(int number) { (void)number; }
int main(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .exclude_kernel = 1,
		.bp_type = HW_BREAKPOINT_W, .bp_addr = (unsigned long)&own, .bp_len = 8 };
	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0)
		return 1;
	signal(SIGUSR1, note);
	pause();
	a = 1; b = 1; c = 1; d = 1;
	return 0;
}
END
address=$(nm fixed | sed -n 's/^0*\([0-9a-f]*\) . counter$/\1/p')
for release in $(kernels); do
	session pie -c './prog again' -e '
	global writes, mine, n, rw
	probe process("./prog").data("counter").write {
		n++
		if (execname() == "prog") writes[@var("counter@prog.c", "./prog")]++
		else println("in ", execname())
	}
	probe process("./prog").data("place").length(8).rw { rw++ }
	probe process("./prog").data("seen").write { if (user_mode()) mine++ }
	probe end { foreach (v+ in writes) printf("%d:%d ", v, writes[v]); println(n, " ", rw, " ", mine) }'
	session fixed -c ./fixed -e "
	global n
	probe process(\"./fixed\").data(0x$address).length(4).write { n++ }
	probe process(\"./other\").data(\"counter\").write { println(\"of another program\") }
	probe end { println(n, \" \", pp()) }"
	# Until it sleeps in pause().
	in_guest './many & export many=$!; until grep -q "^34 " /proc/$many/syscall; do sleep 0.1; done'
	session many -e '
	probe timer.ms(10) { if (!told++) system("kill -USR1 $many") } global told
	probe process("./many").end { exit() }
	probe process("./many").data("a").write, process("./many").data("b").write, process("./many").data("c").write,
		process("./many").data("d").write { println(pp()) }'
	boot
	result pie
	printf '1:1 2:1 3:1 20:1 30:1 5 1 1\n' | expect
	result fixed
	printf '5 end\n' | expect
	test "$(grep -c write results/many.out)" = 3 || fail "$release: four watchpoints: $(cat results/many.*)"
	grep -q '^WARNING: probe process(".*/many").data("[a-d]").write does not fire in thread [0-9]*, and perhaps in others (rc -28)' \
		results/many.err || fail "$release: nothing said of the watchpoint that found no register: $(cat results/many.err)"
done
ktap -p2 -e 'probe process("./prog").data("countr").write { }'
refused no-match
said "did you mean 'counter'?"
ktap -p2 -e 'probe process("./prog").data("counter").length(3).write { }'
refused probe-arg
ktap -p2 -e 'probe process("./prog").data(0xffffffff81000000).write { }'
refused probe-arg
ktap -p2 -e 'probe process("./prog").data("nosuch").write ?, begin { }'
accepted
