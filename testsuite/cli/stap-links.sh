#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Called as stap: SystemTap's lines of -v, which wrappers parse, its exit statuses, -V with the version, no commands; and libraries in
# systemtap/tapset, which packages install, come last.
. "$SRCDIR/testsuite/lib/sh.sh"
ln -sf "$KTAP" stap
KTAP=$PWD/stap
memory='using [0-9]*virt/[0-9]*res/[0-9]*shr/[0-9]*data kb, '
times='in [0-9]*usr/[0-9]*sys/[0-9]*real ms\.'
ktap -v --runtime=user -e 'global a, b; function f(x) { return x + 1 } probe begin { a = f(b); println(a); exit() } probe end { println("end ", b) }'
accepted
test "$(cat out)" = "1
end 0" || fail "printed $(cat out)"
line()
{
	grep -qx "$1" err || { cat err; fail "no line '$1'"; }
}
line "Pass 1: parsed user script and [1-9][0-9]* library scripts $memory$times"
line "Pass 2: analyzed script: 2 probes, 2 functions, 0 embeds, 2 globals $memory$times"
line "Pass 3: translated to C into \".*\" $memory$times"
line "Pass 4: compiled C into \".*\" $times"
line 'Pass 5: starting run\.'
line "Pass 5: run completed $times"
"$KTAP" --runtime=user -e 'probe begin { error("x") }' >out 2>err
test "$?" = 1 || fail "a session that failed ended otherwise"
"$KTAP" -p1 -e 'probe' >out 2>err && fail "no script at all"
line 'Pass 1: parse failed\.'
"$KTAP" -p2 -e 'probe begin { nosuch() }' >out 2>err && fail "no such function"
line 'Pass 2: analysis failed\.'
"$KTAP" -l 'nosuch.*' >out 2>err && fail "nothing was listed"
test ! -s out || fail "listed: $(cat out)"
"$KTAP" -V >out
grep -q 'version 5\.6' out || fail "-V: $(cat out)"

# A signal for stap reaches the loader.
"$KTAP" -v --runtime=user -e 'probe begin { println("runs") } probe end { println("ends") }' >signal.out 2>signal.err &
pid=$!
for _ in $(seq 600); do grep -q runs signal.out && break; sleep 0.1; done
kill -TERM $pid
wait $pid
grep -q ends signal.out && grep -q 'run completed' signal.err || { cat signal.err; fail "SIGTERM: $(cat signal.out)"; }

mkdir -p data/systemtap/tapset data/ktap/tapset
cat >data/systemtap/tapset/package.stp <<'END'
probe package.event = begin { detail = "of the package" }
function package_f() { return 7 }
END
echo 'function of_its_runtime:long () %{ STAP_RETVALUE = 1; %}' >data/systemtap/tapset/own.stp
# SystemTap's own library may be there: what needs the rest of it is not taken in.
cat >data/systemtap/tapset/argv.stp <<'END'
global argc = $#
global argv[32]
global of_its_argv = 1
END
echo 'probe timer.profile = timer.profile.tick ! { of_its_timers = 1 }' >data/systemtap/tapset/timers.stp
mkdir data/systemtap/tapset/linux
echo 'probe syscall.of_systemtap = begin { not_in_ktap() } function of_its_linux:long () { return 1 }' >data/systemtap/tapset/linux/own.stp
XDG_DATA_DIRS=$PWD/data
export XDG_DATA_DIRS
ktap --runtime=user -e 'probe package.event { println(detail, " ", package_f(), " ", argc, argv[1]) exit() }' one
accepted
test "$(cat out)" = 'of the package 7 1one' || fail "of systemtap/tapset: $(cat out)"
for function in of_its_runtime of_its_linux; do
	ktap -p2 -e "probe begin { $function() }"
	refused undef-function
done
ktap -p2 -e 'probe begin, syscall.of_systemtap ? { }'
accepted
ktap -p2 -e 'probe begin { println(of_its_argv) }'
refused unresolved-type
# Its embedded C is none of the script's, in which a setting of another name might be meant for that.
ktap -p1 -DMAXACTIONS=5 -e 'probe begin { }'
refused usage
