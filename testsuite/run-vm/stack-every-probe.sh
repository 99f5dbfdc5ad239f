#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Handlers that need more stack than the kernel's 16 KiB run, with the same result, at each kind of probe: recursion 10 deep with
# 330 local variables a call; on arm64, where handlers have at most 7 KiB, they need less. Handlers that write to all of what the
# build proved, but for 64 bytes at most, run there too.
. "$SRCDIR/testsuite/lib/process.sh"

# numbers NAME: what session NAME said on stderr, in $used, $size and $bound.
numbers()
{
	used=$(sed -n 's/^handlers used at most \([0-9]*\) of .*/\1/p' err)
	size=$(sed -n 's/^handlers used at most [0-9]* of \([0-9]*\) .*/\1/p' err)
	bound=$(sed -n 's/^handlers need at most \([0-9]*\) bytes of stack/\1/p' err)
	echo "$release, $1: proven ${bound:-nothing}, used ${used:-nothing}, has ${size:-nothing}"
	[ "$used" -le "$size" ] && [ "$bound" -lt "$size" ]
}

# probes CALL: a script with a probe of each kind, each of which prints its kind and what CALL returns, once.
probes()
{
	awk -v call="$1" 'BEGIN {
		n = split("function=kernel.function(\"vfs_write\") return=kernel.function(\"vfs_write\").return" \
			" kprobe=kprobe.function(\"vfs_read\") kretprobe=kprobe.function(\"vfs_read\").return" \
			" trace=kernel.trace(\"sched_switch\") interrupt=kernel.trace(\"hrtimer_expire_entry\") timer=timer.ms(5)" \
			" profile=timer.profile perf=perf.sw.cpu_clock.sample(100000)" \
			" syscall=nd_syscall.getpgid sysreturn=nd_syscall.getpgid.return" \
			" program=process(\"./work\").function(\"step\") procreturn=process(\"./work\").function(\"step\").return" \
			" procfs=procfs(\"deep\").read data=kernel.data(\"jiffies_64\").write begin=begin end=end", kinds, " ")
		print "global ran"
		printf "function report(kind) { if (!ran[kind]++) printf(\"%%s %%d\\n\", kind, %s) }\n", call
		printf "" >"kinds"
		for (i = 1; i <= n; i++) {
			split(kinds[i], kind, "=")
			printf "probe %s { %sreport(\"%s\") }\n", kind[2], kind[1] == "procfs" ? "$value = \"x\"; " : "", kind[1]
			print kind[1] >"kinds"
		}
	}'
}

# f(9) where each variable counts, and none is known to the compiler.
variables=330 deep_uses=16384 edge_uses=40000
test "$machine" != aarch64 || variables=40 deep_uses=2048 edge_uses=5000
deep_function $variables >deep.stp
probes 'f(9)' >>deep.stp
result=$(awk -v n=$variables 'BEGIN { for (a = 0; a < 10; a++) for (i = 0; i < n; i++) r += (a + i) * (a + i * 7 % n); print r }')
# Calls no function of the kernel, whose stack is not part of the bound. The compiler would call memset(), which takes 32 bytes with KASAN,
# for an array that CONFIG_INIT_STACK_ALL_ZERO initializes, and __asan_store1() for each store.
cat >edge.stp <<END
%{
static noinline __no_sanitize_address long fill_array(void)
{
	volatile char a[$edge_uses] __attribute__((uninitialized));

	for (int i = 0; i < sizeof(a); i++)
		a[i] = 1;
	return a[0];
}
%}
function fill:long() %{ STAP_RETVALUE = fill_array(); %}
END
probes 'fill()' >>edge.stp
program work -static <<'END'
#include <stdio.h>
#include <unistd.h>
volatile int done;
__attribute__((noinline)) int step(int n) { done += n; return done; }
int main(int argc, char **argv)
{
	char text[64];
	FILE *f;

	for (int i = 0; i < 200; i++) {
		step(i);
		getpgid(0);
		usleep(5000);
	}
	f = argc > 1 ? fopen(argv[1], "r") : NULL;
	return !f || !fgets(text, sizeof(text), f);
}
END
for release in $(kernels); do
	# Where the addresses of variables are not known there is none to watch.
	ktap -r "$release" -l 'kernel.data("jiffies_64").write'
	no_data=$status
	for name in deep edge; do
		test "$no_data" = 0 && cp $name.stp here.stp || sed '/^probe kernel.data/d' $name.stp >here.stp
		test $name = edge && guru=-g || guru=
		# shellcheck disable=SC2086
		module $name $guru -v -DMAXACTION=1000000 -DMAXSKIPPED=1000000 here.stp
		in_guest "\"\$KTAPRUN\" -v -c './work /proc/systemtap/kt_$name/deep' kt_$name.ko >\$RESULTS/$name.out 2>\$RESULTS/$name.err </dev/null
			echo \$? >\$RESULTS/$name.status"
	done
	boot
	for name in deep edge; do
		test $name = deep && value=$result || value=1
		sed "$(test "$no_data" = 0 || echo '/^data$/d;')s/\$/ $value/" kinds | sort >wanted
		result $name
		sort out | diff wanted - || { cat err; fail "$release: not all kinds, or not the same result"; }
		numbers $name || fail "$release: the figures of $name"
		case $name in
		deep) [ "$used" -gt "$deep_uses" ] ;;
		edge) [ "$used" -le "$bound" ] && [ "$used" -ge "$((bound - 64))" ] ;;
		esac || fail "$release: the figures of $name"
	done
done
