#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Options that scripts and wrappers for SystemTap give.
. "$SRCDIR/testsuite/lib/sh.sh"
echo 'probe begin { println("ok") exit() }' >ok.stp
ktap --runtime=user --vp 00001 -b --suppress-handler-errors --skip-badvars ok.stp
accepted
grep -q '^ok$' out || fail "no output"
ktap -p2 --vp x ok.stp
refused usage
ktap -p2 --vp 123456 ok.stp
refused usage
ktap -p2 --suppress-time-limits ok.stp
refused usage
said "needs -g"
ktap -p2 -g --suppress-time-limits ok.stp
accepted
ktap -p3 -g --suppress-time-limits ok.stp
accepted
grep -q 2147483647 out || fail "no limit in the program"
# Without effect, but taken; and those that take a value look at it.
ktap --runtime=user -P --prologue-searching --prologue-searching=auto -q -R /usr/share/systemtap/runtime -a "$(uname -m)" \
	--check-version --save-uprobes --privilege=stapdev --use-server-on-error=no --remote=direct:// --poison-cache \
	--download-debuginfo=no --download-debuginfo=20 --tmpdir=. --rlimit-stack=8388608 --rlimit-cpu=1000 --colour=never ok.stp
accepted
grep -q '^ok$' out || fail "no output"
for bad in --prologue-searching=x --privilege=stapusr --remote=ftp://host --use-server-on-error=x --download-debuginfo=x \
	--rlimit-cpu=x --modinfo=x -Bx '-S 0' '-S 1,' '-S 1,0' '-S x' '-S 1' -F --unprivileged --use-server --use-server=host \
	--dyninst --bpf --monitor --monitor=1 --sysroot=/x --sign-module --sign-module=key --example '--sysenv=a=b' \
	'-F -o x --runtime=user' '-S 1 -o x --runtime=user' '-F -o x --vm' '-S 1 -o x --vm'; do
	# shellcheck disable=SC2086
	ktap $bad ok.stp
	refused usage
done
ktap -a nosuch ok.stp
refused usage
said "unknown architecture .nosuch."
# -o takes the formats of strftime(3).
ktap --runtime=user -o 'made-%%-%Y' ok.stp
accepted
grep -q '^ok$' made-%-2[0-9][0-9][0-9] || fail "no file"
# A limit that cannot be kept ends the run.
"$KTAP" -p4 --runtime=user --rlimit-fsize=10 ok.stp >out 2>err && fail "--rlimit-fsize is not kept"
# Every run's options, before those of the command line.
mkdir rc
cat >rc/rc <<'END'
# comment "
--runtime=user  -E 'probe end { println("rc") }'

-D "MAXSTRINGLEN=64"
END
SYSTEMTAP_DIR=rc ktap ok.stp
accepted
test "$(cat out)" = "$(printf 'ok\nrc')" || fail "expected ok, rc"
echo '"' >>rc/rc
SYSTEMTAP_DIR=rc ktap ok.stp
refused usage
said 'rc/rc:5: a quote'
echo '-v $NO_SUCH_VARIABLE' >rc/rc
SYSTEMTAP_DIR=rc ktap ok.stp
refused usage
said 'rc/rc:1: a variable is not set'
echo '$(touch commanded)' >rc/rc
SYSTEMTAP_DIR=rc ktap ok.stp
refused usage
test ! -e commanded || fail "a command was run"
echo '--nosuch' >rc/rc
SYSTEMTAP_DIR=rc ktap ok.stp
refused usage
said "stands in the file 'rc'"
