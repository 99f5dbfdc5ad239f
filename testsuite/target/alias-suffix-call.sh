#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A suffix after an alias whose point ends in `.call` replaces it: .call, .return and .inline, also after a wildcard.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# expands POINT REGEX...: a probe of POINT stands for points like these.
expands()
{
	point=$1
	shift
	ktap -r "$R" -p2 -e "probe $point { println(1) }"
	accepted
	for regex; do
		printed "$regex"
	done
}

check()
{
	expands vm.brk.call '^kernel.function("do_brk_flags@.*").call /\* <- vm.brk.call'
	expands vm.brk.return '^kernel.function("do_brk_flags@.*").return /\* <- vm.brk.return'
	expands 'vm.*.call' '^kernel.function("do_brk_flags@.*").call' '^kernel.function("__vm_munmap@.*").call' \
		'^kernel.function("handle_mm_fault@.*").call'
	expands tcp.sendmsg.call '^kernel.function("tcp_sendmsg@.*").call'
	# An alias of its own goes before an alias with a suffix.
	ktap -r "$R" -p2 -e 'probe tcp.*.return { println(name) }'
	accepted
	test "$(grep -c '"tcp_sendmsg@' out)" = 1 || fail "not one return of tcp_sendmsg"
}
on_each check
