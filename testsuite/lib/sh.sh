# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by shell tests: running ktap and saying what was expected.
# shellcheck shell=sh

fail()
{
	echo "FAILED: $*"
	for file in out err; do
		test -s "$file" && { echo "--- $file:"; head -n 30 "$file"; }
	done
	exit 1
}

# ktap ARGUMENT...: stdout in `out`, stderr in `err`, the exit status in $status.
ktap()
{
	status=0
	timeout "${limit:-600}" "$KTAP" "$@" >out 2>err </dev/null || status=$?
	test "$status" -lt 124 || fail "ktap ended with status $status"
	! grep -q 'internal error' err || fail "internal error"
}

# terminated N REGEX ARGUMENT...: as ktap, for a run that goes on until SIGTERM, which it gets when N lines of stdout match.
terminated()
{
	lines=$1 regex=$2
	shift 2
	: >out # the shell in the background may be late to empty it
	"$KTAP" "$@" >out 2>err </dev/null &
	pid=$!
	until test "$(grep -c -e "$regex" out)" = "$lines"; do
		kill -0 $pid || fail "ended too early"
		sleep 0.1
	done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
}

# until_says PID REGEX FILE REASON: waits until the command PID, in the background, has written a line that matches. It fails with REASON when
# the command ends before.
until_says()
{
	until grep -q -e "$2" "$3"; do
		kill -0 "$1" || fail "$4"
		sleep 0.1
	done
}

# refused TAG: the run failed with this diagnostic and with no other error.
refused()
{
	test "$status" != 0 || fail "accepted, expected [$1]"
	grep -q "error: .* \[$1\]\$" err || fail "expected [$1]"
	test "$(grep -c 'error: ' err)" = 1 || fail "expected one error"
}

accepted()
{
	test "$status" = 0 || fail "exit status $status"
}

# said TEXT: a line of stderr holds the text.
said()
{
	grep -q -e "$1" err || fail "stderr does not say '$1'"
}

# printed REGEX: a line of stdout matches.
printed()
{
	grep -q -e "$1" out || fail "stdout does not print '$1'"
}

# a_kernel: $R is a kernel whose headers are installed; skips the test when there is none.
a_kernel()
{
	R=$(find /lib/modules/*/build/Makefile 2>/dev/null | sed -n '1s:/lib/modules/\([^/]*\)/.*:\1:p')
	test -n "$R" || { echo "the headers of no kernel are installed"; exit 77; }
}

# image RELEASE: the path of its boot image; nothing: it has none.
image()
{
	perl -I "$SRCDIR/testsuite/lib" -MVm -e 'print Vm::image(@ARGV) // ""' "$1"
}

# The kernels that can be booted and that this test is for: `#! also-on: rt` adds one.
kernels()
{
	perl -I "$SRCDIR/testsuite/lib" -MVm -e 'print join(" ", Vm::kernels(@ARGV)), "\n"' "$0"
}

# Skips the test when there is none.
need_kernel()
{
	test -z "$(kernels)" || return 0
	perl -I "$SRCDIR/testsuite/lib" -MVm -e 'Vm::kernels($ARGV[0], \my @why); print join("; ", @why) ||
		"no kernel to boot is installed or selected", "\n"' "$0"
	exit 77
}

# machine: the one that programs are compiled for.
machine()
{
	triplet=$(${CC:-gcc} -dumpmachine)
	echo "${triplet%%-*}"
}

# need_native: skips the test where this machine and its guests do not run the same programs, for tests that want one to run on both.
need_native()
{
	test "$(machine)" = "$(uname -m)" || { echo "programs of $(machine) do not run on this machine"; exit 77; }
}

# deep_function N: a script's function f(a) that calls itself down to 0, with N local variables of which the compiler knows none.
deep_function()
{
	awk -v n="$1" 'BEGIN {
		print "function f(a) {"
		for (i = 0; i < n; i++)
			printf " v%d = a + %d * strtol(\"1\", 10)\n", i, i
		print " r = a > 0 ? f(a - 1) : 0"
		for (i = 0; i < n; i++)
			printf " r += v%d * v%d\n", i, i * 7 % n
		print " return r\n}"
	}'
}
