#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# Eight kinds of scripts as a module and as BPF programs, on a load that knows its own numbers: both print the same, and the counts are what the
# program did.
. "$SRCDIR/testsuite/lib/process.sh"
need_native

program work -D_GNU_SOURCE -O1 -static <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct node { int value; const char *name; struct node *next; };

static int zero;

__attribute__((noipa)) int step(int n, const char *text)
{
	DTRACE_PROBE2(work, done, n * 3, text);
	return n + (int)strlen(text);
}

__attribute__((noipa, optimize("O0"))) int walk(struct node *list)
{
	int sum = 0;

	for (const struct node *at = list; at; at = at->next)
		sum += at->value;
	return sum; /* LINE */
}

/* COUNT calls by a child of that name, with numbers from 0. Children run one after the other: no handler waits for a lock. */
static void child(const char *name, int count, void (*call)(int i))
{
	if (fork()) {
		wait(NULL);
		return;
	}
	prctl(PR_SET_NAME, name);
	for (int i = 0; i < count; i++)
		call(i);
	_exit(0);
}

static void seek(int i) { lseek(zero, i, SEEK_SET); }

static void sleep_little(int i)
{
	struct timespec t = { 0, 2000000 };

	nanosleep(&t, NULL);
}

static void children(void)
{
	child("alpha", 700, seek);
	child("beta", 1100, seek);
	child("gamma", 300, seek);
	child("delta", 1, seek);
}

static void counts(void)
{
	children();
	printf("T calls 2101 sum %d\nT 700 1100 300 1\n", 700 * 699 / 2 + 1100 * 1099 / 2 + 300 * 299 / 2);
}

static void sorted(void)
{
	children();
	printf("T least delta 1\nT most beta 1100\nT most alpha 700\nT alpha 700\nT beta 1100\nT delta 1\nT gamma 300\n");
}

static void paths(void)
{
	static const char *path[] = { "/dev/zero", "/etc/passwd", "/no/such/directory/or/file", "/dev/null", "." };

	printf("T open /dev/zero %d\n", O_RDONLY); /* main() */
	for (int i = 0; i < 20; i++) {
		int fd;

		printf("T open %s %d\n", path[i % 5], O_RDONLY | (i % 3 ? O_CLOEXEC : 0));
		fd = open(path[i % 5], O_RDONLY | (i % 3 ? O_CLOEXEC : 0));
		if (fd >= 0)
			close(fd);
	}
}

static void histogram(void)
{
	long sum = 0, buckets[16] = { 0 };

	for (long i = 1; i <= 1000; i++) {
		lseek(zero, i * i % 777, SEEK_SET);
		sum += i * i % 777;
		buckets[i * i % 777 ? 64 - __builtin_clzl(i * i % 777) : 0]++;
	}
	printf("T 1000 %ld\n", sum);
	for (int i = 0; i < 16; i++)
		if (buckets[i])
			printf("T bucket %d %ld\n", i, buckets[i]);
}

static void user(void)
{
	static const char *text[] = { "", "one", "two words", "\303\251" };

	for (int i = -3; i < 13; i++) {
		const char *t = text[(i + 3) % 4];

		printf("T step %d '%s'\nT done %d '%s'\nT returns %d\n", i, t, i * 3, t, i + (int)strlen(t));
		step(i, t);
	}
}

static void errors(void)
{
	for (int i = 3; i >= -3; i--) {
		if (i)
			printf("T 60/%d=%d\n", i, 60 / i);
		else
			printf("T caught: division by 0\n");
		lseek(zero, i, SEEK_CUR);
		lseek(zero, i, SEEK_CUR);
		printf("T again %d\n", i);
	}
}

static void latency(void)
{
	child("sleeps", 15, sleep_little);
	child("dozes", 10, sleep_little);
	printf("T dozes 10 1 1\nT sleeps 15 1 1\nT left 0\n");
}

static void structures(void)
{
	struct node node[5] = { { 1, "first" }, { 20, "second" }, { -300, "third" }, { 4000, "fourth" }, { 50000, "fifth" } };

	for (int i = 1; i < 5; i++)
		node[i].next = &node[i - 1];
	for (int i = 0; i < 5; i++) {
		struct node *second = i ? &node[i - 1] : NULL;

		printf("T walk %d %s %d\n", walk(&node[i]), node[i].name, second ? second->value : 0);
	}
	printf("T file zero in the directory /\n");
	lseek(zero, 5, SEEK_SET);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } mode[] = {
		{ "counts", counts }, { "sorted", sorted }, { "paths", paths }, { "histogram", histogram }, { "user", user }, { "errors", errors },
		{ "latency", latency }, { "structures", structures },
	};

	zero = open("/dev/zero", O_RDONLY);
	for (unsigned i = 0; i < sizeof(mode) / sizeof(mode[0]); i++)
		if (!strcmp(mode[i].name, argv[1]))
			mode[i].run();
	return 0;
}
END
scripts='counts sorted paths histogram user errors latency structures'
line=$(grep -n '/\* LINE' work.c | sed 's/:.*//')

cat >counts.stp <<'END'
global calls, sum, alpha, beta, gamma, delta
probe kernel.function("null_lseek").call {
	calls++; sum += $offset
	if (execname() == "alpha") alpha++; else if (execname() == "beta") beta++; else if (execname() == "gamma") gamma++
	if (pid() != target() && $offset == 0) delta++
}
probe end { printf("K calls %d sum %d\nK %d %d %d %d\n", calls, sum, alpha, beta, gamma, delta - 3) }
END
cat >sorted.stp <<'END'
global c, per
probe kernel.function("null_lseek").call { c[execname()]++; per[sprintf("%s %d", execname(), $offset % 4)]++ }
probe end {
	foreach (e in c+ limit 1) println("K least ", e, " ", c[e])
	foreach (e in c- limit 2) println("K most ", e, " ", c[e])
	foreach (e+ in c) println("K ", e, " ", c[e])
	foreach (e+ in per) println(e, " ", per[e])
}
END
cat >paths.stp <<'END'
probe kernel.function("do_sys_openat2").call { if (pid() == target() && execname() == "work") opens(user_string($filename), $how->flags) }
function opens(path, flags) { printf("K open %s %d\n", path, flags & 0x80003) }
END
cat >histogram.stp <<'END'
global s, b, lin
probe kernel.function("null_lseek").call { s <<< $offset; lin <<< $offset; b[$offset % 2] <<< $offset }
probe end {
	println("K ", @count(s), " ", @sum(s))
	for (i = 0; i < 16; i++) if (@hist_log(s)[64 + i]) println("K bucket ", i, " ", @hist_log(s)[64 + i])
	print(@hist_log(s)); print(@hist_linear(lin, 0, 777, 100))
	foreach (k+ in b) { println(k, " ", @count(b[k]), " ", @sum(b[k]), " ", @avg(b[k])); print(@hist_log(b[k])) }
}
END
cat >user.stp <<'END'
probe process("./work").function("step") { printf("K step %d '%s'\n", $n, user_string($text)) }
probe process("./work").mark("done") { printf("K done %d '%s'\n", $arg1, user_string($arg2)) }
probe process("./work").function("step").return { printf("K returns %d\n", $return) }
END
cat >errors.stp <<'END'
global seen
function quotient(v) { return sprintf("60/%d=%d", v, 60 / v) }
function again(v) {
	key = sprintf("%s:%d", execname(), v)
	if (seen[key]++) error("again " . sprint(v))
	return quotient(v)
}
probe kernel.function("null_lseek").call {
	if ($orig != 1) next
	try {
		try { println("K ", again($offset)) } catch (m) { if (m == "division by 0") println("K caught: ", m); else error(m) }
	} catch (m) { println("K ", m) }
}
probe end { foreach (k+ in seen) println(k, " ", seen[k]) }
END
cat >latency.stp <<'END'
global began, took
probe kernel.function("hrtimer_nanosleep").call { if (execname() == "sleeps" || execname() == "dozes") began[tid()] = gettimeofday_us() }
probe kernel.function("hrtimer_nanosleep").return {
	if (!(tid() in began)) next
	took[execname()] <<< gettimeofday_us() - began[tid()]
	delete began[tid()]
}
probe end {
	foreach (e+ in took) println("K ", e, " ", @count(took[e]), " ", @min(took[e]) >= 2000, " ", @max(took[e]) < 5000000)
	n = 0
	foreach (t in began) n++
	println("K left ", n)
}
END
cat >structures.stp <<END
probe process("./work").statement("walk@work.c:$line") {
	s = 0
	for (at = \$list; at; at = @cast(at, "struct node", "./work")->next) s += @cast(at, "struct node", "./work")->value
	printf("K walk %d %s %d\n", s, user_string(\$list->name), \$list->next ? \$list->next->value : 0)
}
probe kernel.function("null_lseek").call {
	if (pid() == target()) printf("K file %s in the directory %s\n", kernel_string(\$file->f_path->dentry->d_name->name), kernel_string(\$file->f_path->dentry->d_parent->d_name->name))
}
END

for release in $(kernels); do
	for script in $scripts; do
		session "m_$script" --runtime=kernel -c "./work $script" "$script.stp"
		bpf_session "b_$script" -c "./work $script" "$script.stp"
	done
	boot
	for script in $scripts; do
		for vehicle in m b; do
			result "${vehicle}_$script"
			told_truth
			grep -v "^T " out >"$vehicle.out"
			test ! -s err || { cat err; fail "warnings of $script on $release"; }
		done
		cmp -s m.out b.out || { diff m.out b.out; fail "not what a module prints: $script on $release"; }
	done
done
