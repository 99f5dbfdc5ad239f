#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --remote by ssh: eight machines, network namespaces with an sshd each, count at once. One cannot be reached any more and one dies meanwhile:
# both are said, and the merged count is the sum of the other six.
. "$SRCDIR/testsuite/lib/sh.sh"
. "$SRCDIR/testsuite/lib/sshd.sh"
need_sshd
[ "$1" = inside ] || own_namespaces inside
machines 8
cat >fleet.stp <<'EOF'
global n, sum
probe begin { println("armed") }
probe timer.ms(10) { n += randint(100) }
probe end { println(n) sum = n }
EOF
run_machines --runtime=user fleet.stp
