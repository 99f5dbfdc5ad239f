#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: all
#! also-on: rt
# One bundle runs on every kernel that it was built for, under its own name, and two sessions of it at once, the second with
# a global set behind the file's name, by a ktaprun that is called staprun; in a root that holds the bundle, its ktaprun and a program alone;
# on a kernel that it was not built for nothing is loaded.
. "$SRCDIR/testsuite/lib/process.sh"

cat >bundled.stp <<'END'
global calls, step = 1
probe begin { printf("session %s of %s\n", module_name(), execname() == "staprun" ? execname() : "?") }
probe nd_syscall.getpgid { if (pid() == target()) calls += step }
probe end { println(calls) }
END
cat >call.c <<'END'
#include <unistd.h>
int main(int argc, char **argv) { for (int i = 0; i < 37 || argc > 1; i++) { getpgid(0); usleep(argc > 1 ? 1000 : 0); } return 0; }
END
${CC:-gcc} -O1 -static -o call call.c || fail "cannot compile call.c"
set --
for release in $(kernels); do
	set -- "$@" -r "$release"
done
last=$release
ktap --bundle=all.ktap -m kt_bundled "$@" bundled.stp
accepted
ktap --bundle=named.ktap "$@" -e 'probe nd_syscall.getpgid { if (pid() == target()) { println(usymname(uaddr())) exit() } }'
accepted
: >run.build
: >second.build
: >bare.build
: >named.build
# The static ktaprun of the bundle, where ktap was built with one.
ar p all.ktap ktaprun >carried 2>/dev/null || : >carried
test -s carried || test ! -e "$BUILDDIR/ktaprun-static" || fail "the bundle does not carry ktaprun"
for release in $(kernels); do
	in_guest '"$KTAPRUN" -c "sleep 1000" all.ktap >$RESULTS/first.out 2>&1 </dev/null & first=$!
		until grep -q session $RESULTS/first.out; do sleep 0.1; done
		ln -s "$KTAPRUN" /tmp/staprun
		/tmp/staprun -c ./call all.ktap step=0x2 >$RESULTS/second.out 2>$RESULTS/second.err </dev/null
		echo $? >$RESULTS/second.status
		kill -INT $first; wait $first
		test ! -s carried || {
			mkdir /tmp/bare /tmp/bare/proc /tmp/bare/sys
			cp carried call all.ktap named.ktap /tmp/bare
			chmod 755 /tmp/bare/carried
			mount -t proc proc /tmp/bare/proc
			mount -t sysfs sys /tmp/bare/sys
			chroot /tmp/bare /call on & call=$!
			chroot /tmp/bare /carried -T 2 -x $call all.ktap >$RESULTS/bare.out 2>$RESULTS/bare.err </dev/null
			echo $? >$RESULTS/bare.status
			chroot /tmp/bare /carried -x $call named.ktap >$RESULTS/named.out 2>$RESULTS/named.err </dev/null
			echo $? >$RESULTS/named.status
			kill $call
		}
		"$KTAPRUN" -c ./call all.ktap >$RESULTS/run.out 2>$RESULTS/run.err </dev/null
		echo $? >$RESULTS/run.status'
	boot
	result run
	printf 'session kt_bundled of ktaprun\n37\n' | expect
	result second
	printf 'session kt_bundled_2 of ktaprun\n74\n' | expect
	test -s carried || continue
	result bare
	sed -i 's/^[1-9][0-9]*$/calls/' results/bare.out
	printf 'session kt_bundled_2 of ?\ncalls\n' | expect
	result named
	printf '__getpgid\n' | expect
done

# The first of two kernels and more, and a bundle for the last one.
first=$(kernels | cut -d' ' -f1)
test "$first" != "$release" || exit 0
ktap --bundle=last.ktap -r "$release" -e 'probe begin { exit() }'
accepted
last=$release release=$first
in_guest '"$KTAPRUN" last.ktap >$RESULTS/out 2>$RESULTS/err; echo $? >$RESULTS/status'
boot
test "$(cat results/status)" = 1 || fail "a bundle without a module for $release ran"
grep -q "has no module for the running kernel, $release" results/err && grep -q "its modules are for $last" results/err ||
	fail "not said: $(cat results/err)"
