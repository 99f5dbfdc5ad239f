#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A global as the variable of a foreach or of a catch is written there: the handler takes its lock for writing. Two CPUs in such loops
# used each other's keys.
. "$SRCDIR/testsuite/lib/locks.sh"

of_handler() { locks 'arr, k = 0, v = 0, msg = "", tot' 'probe timer.ms(2) { arr[1] = 2 } probe timer.ms(3) { println(k, v, msg) }' "$@"; }
of_handler '{ &k_arr, 0 }, { &k_k, 1 }' 'foreach (k in arr) tot += k'
of_handler '{ &k_arr, 0 }, { &k_k, 1 }, { &k_v, 1 }' 'foreach (v = k in arr) tot += v'
of_handler '{ &k_msg, 1 }' 'try { error("x") } catch (msg) { tot++ }'
exit $failed
