#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Embedded C in a handler that names a global holds it like the script's own statements: the handler takes its lock, for
# writing where C sets it.
set -u
failed=0

# $1: what the list of locks must be, of the handler with the statement $2.
locks()
{
	"$KTAP" -g --runtime=user -p3 -e "global n
probe timer.ms(1) { $2 }
probe timer.ms(2) { n = 1 }
probe timer.ms(3) { println(n) exit() }" >out.c 2>err || { cat err; failed=1; return; }
	sed -n '/^static void p_0(/,/^}/p' out.c | grep -q "locks\[\] = { $1 }" ||
		{ echo "$2: no lock $1"; failed=1; }
}

locks '{ &k_n, 0 }' '%{ /* pragma:read:n */ STAP_PRINTF("%d", (int)STAP_GLOBAL_GET_n()); %}'
locks '{ &k_n, 1 }' '%{ /* pragma:write:n */ STAP_GLOBAL_SET_n(4); %}'
locks '{ &k_n, 1 }' 'println(%{ /* pragma:write:n */ ({ STAP_GLOBAL_SET_n(4); 1; }) %})'
exit $failed
