#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @defined of a value of the script rules out a branch with $variables, @cast and @var, also after a statement that leaves.
# A branch that is taken must be right.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# in_switch STATEMENTS
in_switch()
{
	analyse "probe kernel.trace(\"sched_switch\") { p = \$prev; $1; println(s) }"
}

# both STATEMENTS: with those for @defined of a member that exists, and of one that does not
both()
{
	in_switch "$1"
	accepted
	in_switch "$(printf '%s' "$1" | sed 's/@defined(/!@defined(/')"
	refused target-member
	said "'struct task_struct' has no member 'state'"
}

check()
{
	both 'if (@defined(p->__state)) s = $prev->__state; else s = $prev->state'
	both 'if (pid() == 1 || @defined(p->__state)) s = $prev->__state; else s = $prev->state'
	both 's = @defined(p->__state) ? p->__state : @cast(p, "task_struct")->state'
	both 's = @defined(task_current()->__state) ? $prev->__state : $prev->state'
	# Who reads x is dropped with the other branch: nothing in the one that is taken may be answered without its value.
	in_switch 'if (@defined(p->pid)) { x = $nosuch; if (@defined(p->pid)) s = 1; else s = 2 } else s = x'
	refused target-var
	both 's = 1; if (@defined(p->__state)) { println(s); next } s = $prev->state'
	both 's = 1; if (@defined(p->__state)) s = 2; else if (@defined(p->pid)) s = $prev->state'
	in_switch 's = !@defined(p->__state) && $prev->state'
	accepted
	in_switch 's = @defined(p->__state) && $prev->state'
	refused target-member
	in_switch 'if (!@defined(p->__state)) s = @var("nosuch"); else s = 1'
	accepted
	in_switch 'if (@defined(p->__state)) s = @var("nosuch"); else s = 1'
	refused target-var
	in_switch 'if (@defined(p->nosuch)) s = $nosuch; else q = $next; s = q->__state'
	accepted
	analyse 'probe begin { if (!@defined(task_current()->mm)) println($x) }'
	accepted
	analyse 'function f(p) { if (@defined(p->__state)) return 1; return $prev->state }
		probe kernel.trace("sched_switch") { println(f($prev)) }'
	accepted
}
on_each check
