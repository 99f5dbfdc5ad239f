#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No string is cut in silence: literals, arguments of the script, initial values and formats that are longer than a string say so, when the
# script is compiled, or as a loss of the session.
. "$SRCDIR/testsuite/lib/sh.sh"
long=$(printf '%0600d' 7)
says() { said 'warning: a string of 600 bytes is cut to 511 \[limit\]'; }
ktap --runtime=user -e 'probe begin { x = @1 println(strlen(x)) exit() }' "$long"
accepted
says
ktap --runtime=user -e 'global x = @1 probe begin { println(strlen(x)) exit() }' "$long"
accepted
says
ktap --runtime=user -e 'probe begin { println(strlen(argv[1])) exit() }' "$long"
accepted
says
ktap --runtime=user --strict -e "probe begin { x = sprintf(\"$long%d\", pid()) println(strlen(x)) exit() }"
test "$status" = 6 || fail "--strict does not see the cut format: $status"
said 'losses: cut-strings 1'
ktap --runtime=user --strict -e "probe begin { x = sprintf(\"$long\") println(strlen(x)) exit() }"
test "$status" = 6 || fail "--strict does not see the cut literal: $status"
ktap --runtime=user --strict -DMAXSTRINGLEN=1024 -e 'global x = @1 probe begin { println(strlen(x), " ", strlen(argv[1])) exit() }' "$long"
accepted
printed '^600 600$'
test -s err && fail "said: $(cat err)"
ktap --runtime=user -e "probe begin { println(\"$long\") exit() }"
accepted
says
