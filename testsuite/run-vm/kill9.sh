#!/bin/sh
# ktaprun killed by SIGKILL ten times in a row: each next run finds the module gone or removes it, lsmod is clean after the
# last one, and the kernel has nothing to complain of.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module kill9 -e '
global n
probe begin { println("started") }
probe kernel.function("vfs_read"), kernel.function("vfs_read").return { n++ }
probe timer.ms(5) { printf("%d %s\n", n, execname()) }
probe end { println("not reached by SIGKILL") }'
	in_guest_silent <<'END'
run=$KTAPRUN module=kt_kill9.ko name=kt_kill9
# The session prints something.
started() {
	: >/tmp/out
	"$run" "$module" >/tmp/out 2>/tmp/err &
	pid=$!
	tries=0
	while [ ! -s /tmp/out ] && [ $tries -lt 6000 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	[ -s /tmp/out ] || { echo "$1 printed nothing: $(cat /tmp/err)"; exit 1; }
}
killed() {
	kill -9 $pid
	wait $pid 2>/dev/null
}
for i in 1 2 3 4 5 6 7 8 9 10; do
	started "round $i"
	killed
	[ "$(cat /sys/module/$name/parameters/ktap_state)" = stopped ] ||
		{ echo "round $i: the module did not notice that its reader is gone"; exit 1; }
done
"$run" -T 0.3 "$module" >/tmp/out 2>/tmp/err || { echo "the run after ten kills failed"; exit 1; }
[ "$(cat /tmp/err)" = "ktaprun: removed module '$name', which a killed session had left" ] ||
	{ echo "it does not say that it removed the module: $(cat /tmp/err)"; exit 1; }
grep -q "^$name " /proc/modules && { echo "the module is still loaded"; exit 1; }
started "the last"
"$run" -d "$name" 2>/dev/null && { echo "-d removed a module that is in use"; exit 1; }
killed
"$run" -d "$name" || { echo "-d did not remove the module"; exit 1; }
END
	boot
	silent
done
