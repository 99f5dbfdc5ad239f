#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A global as the variable of a foreach or of a catch is written there: the handler takes its lock for writing. Two CPUs in such loops
# used each other's keys.
set -u
failed=0

# $1: what the list of locks must be, of the handler with the statement $2.
locks()
{
	"$KTAP" --runtime=user -p3 -e "global arr, k = 0, v = 0, msg = \"\", tot
probe timer.ms(1) { $2 }
probe timer.ms(2) { arr[1] = 2 }
probe timer.ms(3) { println(k, v, msg) }" >out.c 2>err || { cat err; failed=1; return; }
	sed -n '/^static void p_0(/,/^}/p' out.c | grep -q "locks\[\] = { $1 }" ||
		{ echo "$2: no lock $1"; failed=1; }
}

locks '{ &k_arr, 0 }, { &k_k, 1 }' 'foreach (k in arr) tot += k'
locks '{ &k_arr, 0 }, { &k_k, 1 }, { &k_v, 1 }' 'foreach (v = k in arr) tot += v'
locks '{ &k_msg, 1 }' 'try { error("x") } catch (msg) { tot++ }'
exit $failed
