#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler whose statements with globals are one `if` locks after the condition, in each arm what the arm uses: a hit that the condition
# filters out takes no lock. A condition that reads a global is evaluated under the lock.
. "$SRCDIR/testsuite/lib/sh.sh"
failed=0

# order EXPECTED BODY: the locks, conditions and statements of a handler with BODY, in the order of the C code.
order()
{
	ktap -r "${KTAP_RELEASE:-$(kernels | head -n 1)}" -p3 -e "global n, m, out probe timer.profile { $2 } probe timer.ms(2) { n = out m = out } probe timer.ms(3) { out = n + m }"
	got=$(sed -n '/^static void p_0(/,/^}/ {
		s/.*locks\[\] = { { &k_\([a-z]*\), \([01]\) }, { &k_\([a-z]*\), \([01]\) } }.*/lock-\1\2\3\4/p
		s/.*locks\[\] = { { &k_\([a-z]*\), \([01]\) } }.*/lock-\1\2/p
		s/.*if (.*kt_lock_all.*//
		s/.*kt_unlock_all.*/unlock/p
		s/.*= kt_fn_cpu(c);.*/cpu/p
		s/.*= kt_fn_pid(c);.*/pid/p
		s/.*g_\([a-z]*\) = .*/set-\1/p
		s/.*kt_reserve.*/print/p
	}' out | tr '\n' ' ')
	test "$got" = "$1 " || { echo "$2: '$got', expected '$1 '"; failed=1; }
}

order 'cpu lock-n1 set-n unlock' 'if (cpu() == 2) n = 4'
order 'cpu lock-n1 set-n unlock print' 'if (cpu() == 2) { n = 4 } println(1)'
order 'cpu print lock-n1 set-n unlock print' 'if (cpu() == 2) { println(1) n = 4 println(2) }'
order 'cpu lock-n1 set-n unlock pid lock-m1 set-m unlock' 'if (cpu() == 2) n = 4 else if (pid() == 1) m = 3'
order 'cpu pid lock-n1 set-n unlock' '{ if (cpu() == 2) { if (pid() == 1) n = 4 } }'
order 'cpu lock-n1m0 set-n unlock' 'if (cpu() == 2) n = m'
order 'lock-n1 cpu set-n unlock' 'if (n + cpu() == 2) n = 4'
order 'lock-n1m1 cpu set-n set-m unlock' 'if (cpu() == 2) n = 4 m = 3'
exit $failed
