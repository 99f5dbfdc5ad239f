#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Functions of the library in BPF programs at hits, each on what a program of known behaviour says of itself: tasks and ids, strings and numbers in
# memory of programs and of the kernel, arguments by number, strings looked into and matched, names of errors, raise(); composed strings are those
# that ktaprun composes of the same arguments, and strings that do not fit are counted.
. "$SRCDIR/testsuite/lib/process.sh"
need_native

program prog -fpie -pie <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
static volatile sig_atomic_t raised;
static void handler(int number) { raised = number; }
static const struct { signed char a; short b; int c; long d; } numbers = { -3, -300, -70000, -5000000000 };
__attribute__((noipa)) void strings(const char *text, const char *empty, const char *nowhere) { }
__attribute__((noipa)) void memory(const void *a, const void *b, const void *c, const void *d) { }
__attribute__((noipa)) int arguments(int a, long b, unsigned c, int d, int e, long f) { return a - 1; }
__attribute__((noipa)) void matched(const char *text) { }
__attribute__((noipa)) void signalled(void) { }
__attribute__((noipa)) void after(int signal) { }
int main(void) {
	prctl(PR_SET_NAME, "known-program");
	signal(SIGUSR1, handler);
	if (setegid(4321) || seteuid(1234)) return 1;
	printf("T known-program %d %d %d %d %d %d %d %d\n", getpid(), getpid(), getppid(), getuid(), geteuid(), getegid(), getpgrp(), getsid(0));
	printf("T known-program %d %d 0 1234 4321 0\n", getpid(), getppid());
	printf("T abc.|abc|abc. and more||none|4|13\nT bc|[e]|[]|. and more|[]\nT fault\n");
	strings("abc. and more", "", (char *)16);
	printf("T -3 -300 -70000 -5000000000 253 65236 0\nT fault\n");
	memory(&numbers.a, &numbers.b, &numbers.c, &numbers.d);
	printf("T -7 5000000000 4000000000 1 2 -6\nT -8 1 1\n");
	arguments(-7, 5000000000, 4000000000u, 1, 2, -6);
	printf("T 1 0 1 0\n");
	matched("foobar12");
	printf("T 0 1 0 1\n");
	matched("fo");
	printf("T 0 1 0 1\n");
	matched("");
	printf("T no such signal\n");
	signalled();
	printf("T raised 10\n");
	after(raised);
	static const char path[] = "/etc/passwd/a-name-of-more-than-thirty-one-bytes";
	printf("T do_mkdirat do_mkdirat 0x10\nT 20 0 1 1 1 1\n");
	printf("T do_mkdirat: %s /etc/passwd/ %d\nT  known-program\n", path, (int)sizeof(path) - 1);
	mkdir(path, 0755);
	printf("T do_mkdirat: ENOTDIR -20 [] ENOENT\n");
	return 0;
}
END
cat >prog.stp <<'END'
probe process("./prog").function("strings") {
	t = task_current()
	printf("K %s %d %d %d %d %d %d %d %d\n", execname(), pid(), tid(), ppid(), uid(), euid(), egid(), pgrp(), sid())
	printf("K %s %d %d %d %d %d %d\n", task_execname(t), task_pid(t), task_pid(task_parent(t)), task_uid(t), task_euid(t), task_egid(t), task_nice(t))
	printf("K %s|%s|%s|%s|%s|%d|%d\n", user_string_n($text, 4), user_string_n($text, 3), user_string2($text, "none"), user_string($empty),
		user_string2($nowhere, "none"), strlen(user_string_n($text, 4)), strlen(user_string($text)))
	s = user_string($text)
	printf("K %s|[%s]|[%s]|%s|[%s]\n", substr(s, 1, 2), substr(s, 12, 5), substr(s, -1, 3), substr(s, 3, 100), substr(s, 2, 0))
	try { println(user_string_n($nowhere, 3)) } catch { println("K fault") }
}
probe process("./prog").function("memory") {
	printf("K %d %d %d %d %d %d %d\n", user_char($a), user_short($b), user_int($c), user_long($d), user_uint8($a), user_ushort($b), user_int(16))
	try { println(user_long_error(16)) } catch { println("K fault") }
}
probe process("./prog").function("arguments") {
	printf("K %d %d %d %d %d %d\n", int_arg(1), long_arg(2), uint_arg(3), int_arg(4), int_arg(5), int_arg(6))
}
probe process("./prog").function("arguments").return { printf("K %d %d %d\n", returnval(), is_return(), uaddr() == 0 ? -1 : user_mode()) }
probe process("./prog").function("matched") {
	s = substr(user_string($text), 0, 20)
	printf("K %d %d %d %d\n", s =~ "o+b.r[0-9]+$", s !~ "bar", execname() =~ "^known-(program|other)$" && s =~ "[0-9]", s =~ "^(fo)?$")
}
probe process("./prog").function("signalled") {
	raise(10)
	try { raise(1000) } catch (m) { println(m == "raise(1000): there is no such signal, or the task takes none" ? "K no such signal" : m) }
}
probe process("./prog").function("after") { println("K raised ", $signal) }
probe kernel.function("do_mkdirat") {
	if (pid() != target()) next
	name = kernel_string($name->name)
	printf("K %s %s %s\n", probefunc(), symname(addr()), symname(16))
	printf("K %d %d %d %d %d %d\n", task_prio(task_current()), task_state(task_current()), task_cpu(task_current()) == cpu(),
	       randint(10) < 10, HZ() >= 100, jiffies() > 0 && cpu_clock_ns(0) > 0 && cpu_clock_ns(-1) == 0)
	printf("K %s: %s %s %d\n", ppfunc(), name, kernel_string_n($name->name, 12), strlen(name))
	printf("K %s\n", substr(thread_indent(1), 6, 14))
	printf("printed %d|%5d|%-5d|%05d|%+d|%x|%X|%#x|%p|%i|%u|%%|%c\n", -5, 42, 42, -42, 7, 255, 255, 255, 4096, 9, -1, 65)
	println("composed ", sprintf("%d|%5d|%-5d|%05d|%+d|%x|%X|%#x|%p|%i|%u|%%|%c", -5, 42, 42, -42, 7, 255, 255, 255, 4096, 9, -1, 65))
	printf("printed [%s] [%20s] [%-20s] [%-*s] [%-*s] [%3s] é\n", execname(), execname(), execname(), 7, "ab", -7, "ab", name)
	println("composed ", sprintf("[%s] [%20s] [%-20s] [%-*s] [%-*s] [%3s] é", execname(), execname(), execname(), 7, "ab", -7, "ab", name))
	println("printed ", 1, "text", 2)
	println("composed ", sprint(1, "text", 2))
}
probe kernel.function("do_mkdirat").return {
	if (pid() != target()) next
	printf("K %s: %s %d [%s] %s\n", ppfunc(), errno_str(returnval()), $return, errno_str(0), errno_str(2))
}
END
cat >cut.stp <<'END'
probe kernel.function("do_mkdirat") {
	if (pid() != target()) next
	name = kernel_string($name->name)
	joined = name . "x"
	number = sprintf("%40d", 1)
	padded = sprintf("%-40s|", "a")
	fits = substr(name, 0, 30) . "x"
	printf("cut %d %d %d %d %d\n", strlen(name), strlen(joined), strlen(number), strlen(padded), strlen(fits))
}
END
for release in $(kernels); do
	bpf_session library -g -c ./prog prog.stp
	bpf_session cut -DMAXSTRINGLEN=32 -c ./prog cut.stp
	boot
	result library
	told_truth
	sed -n 's/^printed //p' out >expected
	sed -n 's/^composed //p' out >told
	test "$(wc -l <told)" -eq 3 && cmp -s expected told || { diff expected told; fail "composed strings on $release"; }
	result cut
	grep -q '^cut 31 31 31 31 31$' out || fail "strings of 31 bytes on $release: $(cat out err)"
	grep -q '^WARNING: 4 strings were cut to fit into 32 bytes' err || fail "strings that were cut on $release: $(cat err)"
done
