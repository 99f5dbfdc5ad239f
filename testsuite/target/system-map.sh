#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The System.map of a build tree. Since 7.2 .data is executable: what is of type T there are variables.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

tree=$PWD/tree
mkdir -p "$tree/include/generated"
: >"$tree/Makefile"
echo '#define UTS_RELEASE "7.99.0-map"' >"$tree/include/generated/utsrelease.h"
echo CONFIG_X86_64=y >"$tree/.config"
cat >"$tree/System.map" <<'END'
ffffffff81000000 T _stext
ffffffff81000010 T stops_work
ffffffff81000100 T does_work
ffffffff82000100 T _etext
ffffffff83200000 T _sdata
ffffffff83200040 T counts_work
ffffffff83200044 t it_works
ffffffff83210000 T _edata
END
ktap -r "$tree" -l 'kprobe.function("*work*")'
accepted
test "$(cat out)" = 'kprobe.function("does_work")
kprobe.function("stops_work")' || fail "functions"
ktap -r "$tree" -p2 -e 'probe kernel.data("count_work").write { }'
refused no-match
said "did you mean 'counts_work'?"
