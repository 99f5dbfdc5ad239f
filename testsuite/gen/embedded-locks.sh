#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Embedded C in a handler that names a global holds it like the script's own statements: the handler takes its lock, for
# writing where C sets it.
. "$SRCDIR/testsuite/lib/locks.sh"

of_handler() { locks 'n' 'probe timer.ms(2) { n = 1 } probe timer.ms(3) { println(n) exit() }' "$@"; }
of_handler '{ &k_n, 0 }' '%{ /* pragma:read:n */ STAP_PRINTF("%d", (int)STAP_GLOBAL_GET_n()); %}'
of_handler '{ &k_n, 1 }' '%{ /* pragma:write:n */ STAP_GLOBAL_SET_n(4); %}'
of_handler '{ &k_n, 1 }' 'println(%{ /* pragma:write:n */ ({ STAP_GLOBAL_SET_n(4); 1; }) %})'
exit $failed
