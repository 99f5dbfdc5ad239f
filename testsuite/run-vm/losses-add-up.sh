#!/bin/sh
# Under load, on two CPUs: the hits that handlers saw and those that the session reports as skipped are together the calls
# that were made, for entries that fight for a lock, and for returns with room for one call at a time. Each lost hit is in
# exactly one counter.
. "$SRCDIR/testsuite/lib/process.sh"

# getpgid(2) is what nothing else calls: 61 rounds of 500 by each of two
gcc -O2 -static -o load "$SRCDIR/testsuite/bench/getpgid.c" || fail "cannot compile"
for release in $(kernels); do
	for point in call return.maxactive'(1)'; do
		name=${point%%.*}
		module "$name" --debuginfo=btf -DMAXTRYLOCK=0 -DMAXSKIPPED=1000000 -e "
global n, last
probe kprobe.function(\"__x64_sys_getpgid\").$point { for (i = 0; i < 20; i++) last = tid() * n; n++ }
probe end { println(\"seen \", n) }"
		in_guest "\"\$KTAPRUN\" -v -c './load & ./load & wait' kt_$name.ko >\$RESULTS/$name.out 2>\$RESULTS/$name.err </dev/null
			echo \$? >\$RESULTS/$name.status"
	done
	boot
	for point in call return; do
		result $point
		seen=$(sed -n 's/^seen //p' out)
		lost=$(sed -n 's/.*skipped probes: //p' err)
		[ "$((seen + ${lost:-0}))" = 61000 ] || fail "$release, $point: seen ${seen:-nothing}, lost ${lost:-0}, expected 61000 in all"
		echo "$release $point: seen $seen, lost ${lost:-0}"
	done
done
