#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Handlers in the way out of interrupts that look at the program's mappings: the lock is released by an interrupt whose way out
# comes here again. The program goes on, and the handlers after those that did without its mappings see them.
. "$SRCDIR/testsuite/lib/process.sh"

vm_options='-s 1 -a preempt=full'
for release in $(kernels); do
	module exits --debuginfo=btf --on-overload=ignore -e '
global hits, stacks
probe kernel.function("raw_irqentry_exit_cond_resched") {
	if (pid() != target()) next
	hits++
	if (ubacktrace() != "") stacks++
}
probe end { println(hits > 0, stacks > 0) }'
	in_guest_silent <<'END'
timeout -s KILL 300 "$KTAPRUN" kt_exits.ko -c 'dd if=/dev/zero of=/dev/null bs=64k count=2000 status=none' >/tmp/kt-out 2>&1 ||
	echo "the session does not end: $?"
[ "$(cat /tmp/kt-out)" = 11 ] || cat /tmp/kt-out
END
	boot
	silent
done
exit 0
