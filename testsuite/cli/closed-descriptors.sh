#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With closed standard descriptors no file that ktap or its program opens becomes standard input or output: a script
# prints to those that are open, its commands too, and nothing else is written to them.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >script.stp <<'END'
probe begin {
	println("printed")
	system("cat; echo command; echo message >&2; for i in 0 1 2; do echo $i `readlink /proc/$$/fd/$i` >>descriptors; done; true")
	exit()
}
END

# closed REDIRECTIONS: a run with them. Its output is in out and err, if they are open.
closed()
{
	rm -f descriptors out err
	touch out err
	eval "timeout 300 \"\$KTAP\" --runtime=user script.stp $1" || fail "status $? with $1"
	test "$(wc -l <descriptors)" = 3 || fail "no command ran with $1"
	# Each is the file that was given, or /dev/null.
	! grep -v -e ' /dev/null$' -e " $PWD/out\$" -e " $PWD/err\$" -e " $PWD/in\$" descriptors || fail "descriptors with $1"
}

: >in
closed '<&- >out 2>err'
printf 'command\nprinted\n' >expected
sort out | cmp - expected || fail "stdout without stdin"
grep -qx message err || fail "stderr without stdin"
closed '<in >&- 2>err'
grep -qx message err || fail "stderr without stdout"
closed '<in >out 2>&-'
sort out | cmp - expected || fail "stdout without stderr"
closed '<&- >&- 2>&-'

# The first pass alone reads the script from a file, not from descriptor 0, and prints it.
timeout 300 "$KTAP" -p1 script.stp <&- >out 2>&- || fail "status $? of -p1"
grep -q '^probe begin' out || fail "-p1 prints no script"
echo 'probe begin { nosuch( }' >wrong.stp
status=0
timeout 300 "$KTAP" -p1 wrong.stp <&- >&- 2>err || status=$?
test "$status" = 1 && grep -q 'error:' err || fail "no error without stdin and stdout"
for fd in 0 1 2; do
	eval "timeout 300 \"\$BUILDDIR/ktaprun\" no-such-module.ko $fd>&-" 2>/dev/null && fail "ktaprun accepts a missing module"
done
exit 0
