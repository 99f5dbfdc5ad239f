#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A constant of generated C that does not fit its type is an error of the compiler, in a module and in a process: a size that
# wrapped would be run otherwise.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >wide.stp <<'EOF'
function wide:long() %{ STAP_RETVALUE = 2147483647 + 1; %}
probe begin { println(wide()) exit() }
EOF
ktap -g --runtime=user wide.stp
test "$status" != 0 || fail "a process was made"
said "integer overflow"
need_kernel
ktap -p4 -g -m wide -r "$(kernels | sed 's/ .*//')" wide.stp
test "$status" != 0 || fail "a module was made"
said "integer overflow"
test ! -e wide.ko || fail "a module is there"
