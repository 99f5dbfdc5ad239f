#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! addresses: fixed
# A signal while thousands of probes are being armed, in each family where that takes long: SIGINT and SIGTERM end the session,
# end probe and all, before the rest is armed, and the module goes; after SIGKILL it stops too, and can be removed. The kernel
# has nothing to complain about, and the next session works. While the kernel looks up functions by name, which takes long where there is
# no debugging information, progress is shown. Functions that ftrace cannot trace, which are found later, are fewer than a quarter.
. "$SRCDIR/testsuite/lib/process.sh"
limit=900

awk 'BEGIN {
	for (i = 0; i < 3000; i++)
		printf "__attribute__((noinline)) int f%d(int x) { __asm__ volatile(\"\"); return x + %d; }\n", i, i
	print "#include <unistd.h>\nint main(int argc, char **argv) { return argc > 1 ? pause() : f7(0) != 7; }"
}' | program many

# places POINT: how many there are.
places()
{
	"$KTAP" -r "$release" -l "$1" 2>/dev/null | wc -l
}

# cancel NAME POINT: commands that cancel sessions which count hits of it.
cancel()
{
	module "$1" -e "global n probe $2 { n++ } probe begin { println(\"begun\") } probe end { println(\"end \", n >= 0) }"
	total=$(places "$2")
	test "$total" -ge 300 || fail "$2 is $total places on $release"
	echo "name=kt_$1 total=$total"
	cat cancel.sh
}

cat >cancel.sh <<'END'
# send SIGNAL: a session gets it as soon as it has said that it begins. Its status is in $status.
send() {
	: >/tmp/kt-out
	"$KTAPRUN" -v $name.ko >/tmp/kt-out 2>/tmp/kt-err </dev/null &
	pid=$!
	until grep -q begun /tmp/kt-out; do
		kill -0 $pid || { echo "$name did not begin"; cat /tmp/kt-err; exit 1; }
	done
	kill -"$1" $pid
	status=0
	wait $pid 2>/dev/null || status=$?
}
for signal in INT TERM; do
	armed=$total
	# On a machine that arms them all before the signal comes it has to be tried again; functions some kernels take all at once.
	for try in 1 2 3 4 5 6 7 8 9 10; do
		send $signal
		[ $status = 0 ] && tr '\n' ' ' </tmp/kt-out | grep -q '^begun end 1 $' || { echo "$name $signal: $status"; cat /tmp/kt-out /tmp/kt-err; exit 1; }
		! grep "^$name " /proc/modules || exit 1
		armed=$(awk '$3 == "places" && $4 == "armed," { print $2 + $5 }' /tmp/kt-err)
		[ -n "$armed" ] || { echo "$name $signal: no count"; cat /tmp/kt-err; exit 1; }
		[ "$armed" -ge $total ] && [ $name != kt_functions ] || break
	done
	[ "$armed" -lt $total ] || [ $name = kt_functions ] || { echo "$name $signal: all $total places were armed"; exit 1; }
done
send KILL
[ $status = 137 ] || { echo "$name KILL: $status"; exit 1; }
[ "$(cat /sys/module/$name/parameters/ktap_state)" = stopped ] || { echo "$name KILL: it goes on"; exit 1; }
"$KTAPRUN" -d $name
! grep "^$name " /proc/modules || exit 1
END

cat >progress.sh <<'END'
"$KTAPRUN" -v --status kt_names.ko >/tmp/kt-out 2>/tmp/kt-err </dev/null &
pid=$!
until tr '\r' '\n' </tmp/kt-err | awk '/ places found, 0 armed/ { for (i = 3; i <= NF; i++) if ($(i - 1) == "of" && 4 * $(i - 2) > $i) seen = 1 }
	END { exit !seen }'; do
	grep ' places armed, ' /tmp/kt-err && { echo "names: armed without progress"; cat /tmp/kt-err; exit 1; }
	kill -0 $pid || { echo "names did not begin"; cat /tmp/kt-err; exit 1; }
	sleep 0.1
done
kill -INT $pid
wait $pid || { echo "names: $?"; cat /tmp/kt-err; exit 1; }
grep -q ' 0 places armed, ' /tmp/kt-err || { echo "names went on after SIGINT"; cat /tmp/kt-err; exit 1; }
! grep '^kt_names ' /proc/modules || exit 1
END

for release in $(kernels); do
	module names -e 'global n probe kprobe.function("[a-d]*") { n++ } probe end { println(n >= 0) }'
	cancel functions 'kernel.function("*@fs/*.c").return' >commands
	cancel tracepoints 'kernel.trace("*")' >>commands
	cancel user "process(\"$work/many\").function(\"f*\")" >>commands
	# every breakpoint is to be written into each of these
	{
		echo "for i in 1 2 3 4 5 6; do $work/many wait & waiting=\"\$waiting \$!\"; done"
		cat commands progress.sh
		echo 'kill $waiting'
	} >all
	in_guest_silent <all
	session next -c ./many -e 'probe process("./many").function("f7") { println("hit ", pid() == target()) } probe end { println("end") }'
	boot
	silent
	result next
	expect <<-END
	hit 1
	end
	END
	echo "$release: ok"
done
