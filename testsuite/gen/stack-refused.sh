#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A script that could need more stack than there can be is refused, with the place of the function whose frames take most. The
# -DMAXNESTING that the note names fits, one more does not. The figure is the same by Kbuild itself. A large frame of embedded
# C counts too. The kernel's limit of a frame, of which the compiler warns, is for its own stacks.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel

release=$(kernels | sed 's/ .*//')
{ deep_function 100; echo 'probe begin { println(f(9)) }'; } >deep.stp

ktap -p4 -m deep -r "$release" -DMAXNESTING=1000 deep.stp
refused stack
said "^deep.stp:1:10: error: handlers need [0-9]* bytes of stack, and may have 262144: function 'f' takes [0-9]* in each of up to 1001 nested calls"
test ! -e deep.ko || fail "a module is there"
fits=$(sed -n 's/.*-DMAXNESTING=\([0-9]*\) makes it fit.*/\1/p' err)
test -n "$fits" || fail "no remedy"
ktap -p4 -v -m deep -r "$release" --disable-cache "-DMAXNESTING=$fits" deep.stp
accepted
need=$(sed -n 's/^handlers need at most \([0-9]*\) bytes of stack$/\1/p' err)
test "$need" -gt 260000 && test "$need" -le 262144 || fail "$fits nested calls need ${need:-nothing}"
ktap -p4 -m deep -r "$release" "-DMAXNESTING=$((fits + 1))" deep.stp
refused stack

ktap -p4 -v -m deep -r "$release" --kbuild --disable-cache "-DMAXNESTING=$fits" deep.stp
accepted
said "^handlers need at most $need bytes of stack\$"

ktap -p4 -g -m deep -r "$release" -e 'function big:long() %{ char a[300000]; a[0] = 1; barrier_data(a); STAP_RETVALUE = a[0]; %}
probe begin { println(big()) }'
refused stack
said "<input>:1:10: error: handlers need [0-9]* bytes of stack, and may have 262144: function 'big' takes 300"

{ deep_function 400; echo 'probe begin { println(f(3)) }'; } >large.stp
ktap -p4 -v -m large -r "$release" --disable-cache large.stp
accepted
! grep 'frame' err || fail "a warning of a frame"
