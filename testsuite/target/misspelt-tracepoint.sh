#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A misspelt tracepoint, system or argument: the nearest of its kind is proposed.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.trace("sched:sched_swich") { }'
	refused no-match
	said "did you mean 'sched:sched_switch'?"
	analyse 'probe kernel.trace("sched_swich") { }'
	said "did you mean 'sched:sched_switch'?"
	analyse 'probe kernel.tracepoint("sched_swich") { }'
	said "did you mean 'sched_switch'?"
	analyse 'probe kernel.trace("shed:sched_switch") { }'
	refused no-match
	said "did you mean 'sched:sched_switch'?"
	test "$(grep -c note: err)" = 1 || fail "one answer is enough"
	analyse 'probe kernel.trace("shed:*") { }'
	refused no-match
	said "a system of a similar name is 'sched'"
	analyse 'probe kernel.trace("sched_switch") { println($prv) }'
	refused target-var
	said "did you mean '\$prev'?"
	analyse 'probe kernel.trace("sched_switch") { println($return) }'
	refused target-var
	said "no variable '\$return' in tracepoint sched_switch"
	analyse 'probe kernel.trace(":x") { }'
	refused probe-arg
	analyse 'probe kernel.trace("sched_swich") ?, kernel.tracepoint("sched_switch") { println($arg2->pid) }'
	accepted
}
on_each check
