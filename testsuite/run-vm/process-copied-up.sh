#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: OVERLAY_FS=m
# A program on an overlay file system that is copied up during the session, as touch does: the running process stays probed, also by a
# probe that is armed later, and after the session it runs without breakpoints. A process that starts later maps the copy, which is not
# probed.
. "$SRCDIR/testsuite/lib/process.sh"

mkdir merged
program merged/victim -static <<'END'
#define _SDT_HAS_SEMAPHORES 1
#include <stdio.h>
#include <sys/sdt.h>
#include <unistd.h>
unsigned short victim_step_semaphore __attribute__((section(".probes")));
__attribute__((noipa)) void f(void) { usleep(50000); }
__attribute__((noipa)) void g(void) { usleep(50000); }
__attribute__((noipa)) void changed(void) { usleep(1); }
/* victim COPY: prints the steps that it has done and the semaphore. */
int main(int argc, char **argv)
{
	for (int step = 0;; step++) {
		f();
		g();
		if (!access(argv[1], F_OK))
			changed();
		STAP_PROBE(victim, step);
		printf("%d %d\n", step, victim_step_semaphore);
		fflush(stdout);
	}
}
END

for release in $(kernels); do
	module copied -e "
global copied, first
probe process(\"$work/merged/victim\").function(\"f\") { if (!first) first = pid(); println(pid() == first ? \"hit\" : \"copy hit\") }
probe process(\"$work/merged/victim\").function(\"changed\") { if (pid() == first) copied = 1 }
probe process(\"$work/merged/victim\").function(\"g\") if (copied) { println(\"armed later\") }
probe process(\"$work/merged/victim\").mark(\"step\") { println(\"mark\") }"
	{ echo "merged=$work/merged"; cat <<'END'; } | in_guest_silent
stop() { echo "$*"; cat /tmp/kt-err; dmesg | tail -n 20; exit 1; }
is_said() { grep -q "^$1\$" /tmp/kt-out; }
mkdir -p /tmp/fs
mount -t tmpfs none /tmp/fs && mkdir /tmp/fs/lower /tmp/fs/upper /tmp/fs/work && cp $merged/victim /tmp/fs/lower &&
	mount -t overlay -o lowerdir=/tmp/fs/lower,upperdir=/tmp/fs/upper,workdir=/tmp/fs/work overlay $merged || stop "no overlay"
$merged/victim /tmp/fs/upper/victim >/tmp/log & victim=$!
"$KTAPRUN" kt_copied.ko >/tmp/kt-out 2>/tmp/kt-err & session=$!
until_true 'is_said hit && is_said mark'
[ ! -e /tmp/fs/upper/victim ] || stop "copied up too early"
touch $merged/victim
$merged/victim /tmp/fs/upper/victim >/tmp/log-copy & copy=$!
until_true 'is_said "armed later"'
until_true 'test $(wc -l </tmp/log-copy) -gt 2'
kill -INT $session
wait $session || stop "the session: $?"
! is_said 'copy hit' || stop "a process of the copy was probed"
[ ! -d /sys/module/kt_copied ] || stop "the module is still there"
steps=$(wc -l </tmp/log)
until_true 'test $(wc -l </tmp/log) -gt $((steps + 10))'
kill -0 $copy || stop "the copy's process is dead"
tail -n 1 /tmp/log | grep -q ' 0$' || stop "the semaphore: $(tail -n 1 /tmp/log)"
kill $victim $copy
wait $victim $copy 2>/dev/null
umount $merged || stop "something holds the overlay"
END
	boot
	silent
	echo "$release: ok"
done
