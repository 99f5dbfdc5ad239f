#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# Aggregates as BPF programs keep them are what a program knows that made calls from two CPUs at once: read at the end, read and emptied
# meanwhile, of arrays, with all operators. A module prints the same on the same load.
. "$SRCDIR/testsuite/lib/process.sh"

# lseek() to numbers of all magnitudes up to 2^31, on a device that takes all: 20,000 calls on each of two CPUs. Then alone, with SEEK_CUR,
# the numbers at the ends, and with SEEK_END 1,000 small ones.
program seeks -D_GNU_SOURCE <<'EOF'
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 20000, FEW = 1000 };

static long value(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	long v = (long)(*seed >> 1) >> (*seed >> 16) % 31;

	return *seed >> 30 & 1 ? -v : v;
}

static int bucket(long v)
{
	unsigned long size = v < 0 ? -(unsigned long)v : (unsigned long)v;
	int bits = 0;

	for (; size; size >>= 1)
		bits++;
	return v < 0 ? 64 - bits : 64 + bits;
}

static __int128 floor_div(__int128 a, __int128 b) { return a / b - (a % b < 0); }

static void tell(const char *name, const long *v, int n)
{
	__int128 sum = 0, squares = 0;
	long min = v[0], max = v[0], buckets[129] = { 0 };

	for (int i = 0; i < n; i++) {
		sum += v[i];
		squares += (__int128)v[i] * v[i];
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
		buckets[bucket(v[i])]++;
	}
	printf("T %s %d %ld %ld %ld %ld %ld\n", name, n, (long)sum, min, max, (long)sum / n,
	       (long)floor_div(squares * n - sum * sum, (__int128)n * (n - 1)));
	for (int i = 0; i < 129; i++)
		if (buckets[i])
			printf("T %s %d: %ld\n", name, i, buckets[i]);
}

int main(void)
{
	static long all[2 * CALLS];
	static const long ends[] = { LONG_MIN, LONG_MAX, 0, -1, 1, LONG_MIN + 1 };
	int fd = open("/dev/zero", O_RDONLY);

	for (int cpu = 0; cpu < 2; cpu++) {
		unsigned seed = 1 + cpu;
		long *v = all + cpu * CALLS;
		cpu_set_t set;

		for (int i = 0; i < CALLS; i++)
			v[i] = value(&seed);
		if (fork())
			continue;
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			return 1;
		for (int i = 0; i < CALLS; i++)
			lseek(fd, v[i], SEEK_SET);
		return 0;
	}
	while (wait(NULL) > 0)
		;
	for (int i = 0; i < 6; i++)
		lseek(fd, ends[i], SEEK_CUR);
	for (int i = 0; i < FEW; i++)
		lseek(fd, i % 10, SEEK_END);
	tell("s", all, 2 * CALLS);
	tell("a0", all, CALLS);
	tell("a1", all + CALLS, CALLS);
	printf("T emptied %d %ld %ld %ld\n", 2 * CALLS, 0l, 0l, 0l);
	return 0;
}
EOF

cat >stats.stp <<'END'
global s, a, ends, lin, part, parts, cold, ticks, n, sum, least, most, n_parts, sum_parts, whole, hits
probe kernel.function("null_lseek").call
{
	if (execname() != "seeks") next
	if ($orig == 0) {
		s <<< $offset; a[cpu()] <<< $offset; part <<< $offset; parts[cpu(), $offset & 7] <<< $offset; whole <<< $offset
		hits++
	} else if ($orig == 1) {
		ends <<< $offset
	} else {
		lin <<< $offset
	}
}
/* What it has emptied it has read: not a value is lost or twice. A value that was read in part would show as a least one above the largest. */
function take()
{
	if (@count(part)) {
		n += @count(part); sum += @sum(part)
		if (@min(part) > @max(part) || @avg(part) > @max(part) || @avg(part) < @min(part)) println("K in part")
		if (@min(part) < least) least = @min(part)
		if (@max(part) > most) most = @max(part)
		delete part
	}
	foreach ([k, v] in parts @count-) {
		n_parts += @count(parts[k, v]); sum_parts += @sum(parts[k, v])
	}
	delete parts
}
probe timer.ms(20)
{
	cold <<< ticks; ticks++; whole <<< 0
	take()
}
probe end
{
	take()
	printf("K s %d %d %d %d %d %d\n", @count(s), @sum(s), @min(s), @max(s), @avg(s), @variance(s))
	foreach (i in @hist_log(s)) if (@hist_log(s)[i]) printf("K s %d: %d\n", i, @hist_log(s)[i])
	foreach (c+ in a) {
		printf("K a%d %d %d %d %d %d %d\n", c, @count(a[c]), @sum(a[c]), @min(a[c]), @max(a[c]), @avg(a[c]), @variance(a[c]))
		foreach (i in @hist_log(a[c])) if (@hist_log(a[c])[i]) printf("K a%d %d: %d\n", c, i, @hist_log(a[c])[i])
	}
	printf("K emptied %d %d %d %d\n", n, sum - @sum(s), least - @min(s), most - @max(s))
	println("parts ", n_parts == n, sum_parts == sum, @count(cold) == ticks, @sum(cold) == ticks * (ticks - 1) / 2, @count(whole) == n + ticks, hits == n, ticks > 2)
	println("ends ", @count(ends), " ", @sum(ends), " ", @min(ends), " ", @max(ends), " ", @hist_log(ends)[0], @hist_log(ends)[64], @hist_log(ends)[127])
	println("p ", @p(s, 1), " ", @p(s, 50), " ", @p(s, 99))
	print(@hist_linear(lin, 2, 7, 2))
}
END
for release in $(kernels); do
	bpf_session b -c ./seeks stats.stp
	session m -c ./seeks stats.stp
	boot
	result m
	told_truth
	grep -v '^[TK]' out >module
	result b
	told_truth
	grep -v '^[TK]' out >bpf
	cat bpf
	diff module bpf || fail "not what a module prints on $release"
	grep -qx 'parts 1111111' bpf || fail "values lost on $release: $(cat bpf)"
	grep -qx 'ends 6 -9223372036854775808 -9223372036854775808 9223372036854775807 111' bpf || fail "the ends on $release: $(cat bpf)"
done
