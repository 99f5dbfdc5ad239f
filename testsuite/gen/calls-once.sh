#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of stable functions: one in the C of a handler, none moved out of a branch; -u leaves them alone.
set -e
script='probe begin { println(pid()); if (pid() > 1) println(pid(), tid()) exit() }'
count() { "$KTAP" -p3 "$@" --runtime=user -e "$script" | grep -c "= kt_fn_pid(c)"; }
test "$(count)" = 1
test "$(count -u)" = 3
"$KTAP" -p3 --runtime=user -e 'global g probe begin { if (g) { println(pid(), pid()) } exit() }' >out.c
# After the test of g.
test "$(grep -n 'kt_fn_pid(c);' out.c | cut -d: -f1)" -gt "$(grep -n 'if (.*g_g' out.c | cut -d: -f1)"
