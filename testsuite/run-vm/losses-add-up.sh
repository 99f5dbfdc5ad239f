#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each hit is handled or missed for one cause, and the ledger says so for each probe: hits = handled + missed.
#
# Under load on two CPUs the calls that were made are known: entries fight for a lock, returns have room for one call at a time.
# The truth at loss rates of 0, 1 and 90 % comes from a program that makes 1,000 calls: arrays get full, handlers run into probes
# of what they use. Light handlers, which run without a context, count each call, with the ledger and without. --strict makes any loss
# exit status 6.
. "$SRCDIR/testsuite/lib/process.sh"

# getpgid(2) is what nothing else calls: 61 rounds of 500 by each of two
${CC:-gcc} -O2 -static -pthread -o load "$SRCDIR/testsuite/bench/load.c" || fail "cannot compile"
program thousand <<'EOF'
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 1000; i++)
		getpgid(0);
	return 0;
}
EOF
call="kprobe.function(\"${wrapper}_getpgid\")"
read='kprobe.function("copy_from_kernel_nofault")'

# told NAME COMMAND ARGUMENT...: module NAME of the arguments; its session is on the plan, with $ledger, --ledger if it is unset.
told()
{
	name=$1 command=$2
	shift 2
	module "$name" --debuginfo=btf "$@"
	in_guest "\"\$KTAPRUN\" ${ledger---ledger} --strict -c '$command' kt_$name.ko >\$RESULTS/$name.out 2>\$RESULTS/$name.err </dev/null
		echo \$? >\$RESULTS/$name.status"
}

# ledger COLUMN PROBE: the number in that column of the probe's line; 0 when the table has no such column.
ledger()
{
	awk -v column="$1" -v probe="$2" '
		$1 == "hits" && $2 == "handled" { for (i = 1; i < NF; i++) at[$i] = i; n = NF; next }
		n && NF == n && $NF == probe { print (column in at) ? $at[column] : 0; found = 1 }
		END { if (!found) print "absent" }' err
}

# says STATUS PROBE COLUMN=NUMBER...: the session ended so, and the ledger has those numbers.
says()
{
	ended=$1 probe=$2
	shift 2
	test "$(cat "results/$result.status")" = "$ended" || fail "$release, $result: exit status $(cat "results/$result.status"), expected $ended: $(tail -n 5 err)"
	for pair in "$@"; do
		got=$(ledger "${pair%=*}" "$probe")
		test "$got" = "${pair#*=}" || fail "$release, $result: $probe has ${pair%=*} $got, expected ${pair#*=}: $(tail -n 12 err)"
	done
	sum=$(awk '$1 == "hits" && $2 == "handled" { n = NF; for (i = 3; i < n; i++) data[i] = $i ~ /^(lost-records|cut-strings|lock-wait-us)$/; next }
		n && NF == n { rest = $1 - $2; for (i = 3; i < n; i++) if (!data[i]) rest -= $i; if (rest) print; lines++ }
		END { if (!lines) print "no table" }' err)
	test -z "$sum" || fail "$release, $result: hits are not handled and missed: $sum"
}

result_of()
{
	result=$1
	cat "results/$1.err" >err 2>/dev/null && cp "results/$1.out" out || fail "session $1 did not run on $release: $(cat results/guest)"
}

for release in $(kernels); do
	for point in call return.maxactive'(1)'; do
		told "${point%%.*}" './load getpgid & ./load getpgid & wait' -DMAXTRYLOCK=0 -DMAXSKIPPED=1000000 -e "
global n, last
probe $call.$point { for (i = 0; i < 20; i++) last = tid() * n; n++ }
probe end { println(\"seen \", n) }"
	done
	# Hits that a condition without globals filters out take no lock, which others hold for long.
	told filtered './load getpgid & ./load getpgid & wait' -DMAXTRYLOCK=0 -DMAXSKIPPED=1000000 -e "
global n, last
probe $call.call { if (execname() == \"nobody\") { last = tid() * n n++ } }
probe $call.call { for (i = 0; i < 20; i++) last = tid() * n n++ }
probe end { println(last > 0) }"
	# Light handlers, of one function, of several, of a return, and of a tracepoint; hits are counted when the ledger is asked for
	for ledger in '' --ledger; do
		told "light${ledger#--}" './load getpgid & ./load getpgid & wait' -e "
global n, returns, enters, exits
probe kernel.function(\"${wrapper}_getpgid\").call, kernel.function(\"${wrapper}_getsid\").call { n -= 3 }
probe kernel.function(\"${wrapper}_getpgid\").return { returns++ }
probe kernel.trace(\"sys_enter\") { enters++ }
probe kernel.trace(\"sys_exit\") { exits += pid() > 0 }
probe end { println(n, \" \", returns, \" \", enters > 61000, \" \", enters - exits < 40, \" \", exits - enters < 40) }"
		told "one${ledger#--}" './load getpgid & ./load getpgid & wait' -e "global n probe $call.call { n++ } probe end { println(n) }"
	done
	unset ledger
	# 1,000 keys for 1,000, 990 and 100 elements
	told full ./thousand -DMAXERRORS=5000 -s 16 -e "
global a[1000], b[990], c[100], i, j, k
probe $call.call { a[i++] = 1 }
probe $call { b[j++] = 1 }
probe kernel.function(\"${wrapper}_getpgid\").call { c[k++] = 1 }
probe end { println(a[0] + b[0] + c[0]) }"
	# A handler that reads memory runs into a probe of that: never, in one call of 99, nine times in each. The kernel itself has a few.
	for rate in 0/99 1/99 9/1; do
		told "read${rate%/*}" ./thousand -e "
global n, length
probe $call {
	if (!(++n % ${rate#*/}))
		for (i = 0; i < ${rate%/*}; i++)
			length += strlen(kernel_string_n(task_current(), 1))
}
probe $read { printf(\"%s\", \"\") }
probe end { println(n, \" \", length) }"
	done
	boot
	for point in call return.maxactive'(1)'; do
		result_of "${point%%.*}"
		seen=$(sed -n 's/^seen //p' out)
		lost=$((61000 - seen))
		said=$(sed -n 's/.*skipped probes: //p' err)
		test "${said:-0}" = "$lost" || fail "$release, $point: seen $seen, lost ${said:-0}, expected 61000 in all"
		says $((lost ? 6 : 0)) "$call.$point" hits=61000 handled="$seen"
		echo "$release $point: seen $seen, lost $lost"
	done
	result_of filtered
	test "$(awk '$NF == point { print $1, $2 }' point="$call.call" err | head -n 1)" = '61000 61000' || fail "$release, filtered: $(cat err)"
	for counted in '' ledger; do
		result_of "light$counted"
		test "$(cat out)" = '-183000 61000 1 1 1' || fail "$release, light$counted: $(cat out err)"
		result_of "one$counted"
		test "$(cat out)" = 61000 || fail "$release, one$counted: $(cat out err)"
	done
	says 0 "$call.call" hits=61000 handled=61000
	result_of full
	says 6 "$call.call" hits=1000 handled=1000 array-full=0
	says 6 "$call" hits=1000 handled=990 array-full=10
	says 6 "kernel.function(\"${wrapper}_getpgid\").call" hits=1000 handled=100 array-full=900
	says 6 total hits=3001 handled=2091 array-full=910
	grep -q 'error: --strict: the session had losses: array-full 910 \[run\]$' err || fail "$release: $(tail -n 3 err)"
	result_of read0
	says 0 "$call" hits=1000 handled=1000 recursion=0
	result_of read1
	says 6 "$call" hits=1000 handled=1000 recursion=0
	says 6 "$read" recursion=10
	result_of read9
	says 6 "$call" hits=1000 handled=1000 recursion=0
	says 6 "$read" recursion=9000
done
# The status of a session in a VM of its own is the same.
ktap --vm="$release" --strict -DMAXERRORS=9 -e 'global a[1] probe begin { a[1]++ a[2]++ } probe begin(1) { println(a[1]) exit() }'
test $status = 6 && test "$(cat out)" = 1 || fail "--vm --strict: status $status: $(cat out err)"
