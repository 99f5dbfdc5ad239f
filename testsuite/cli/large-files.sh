#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 1 GB that is no program is refused without being read into memory. At the limit of ulimit -f nothing stays behind.
. "$SRCDIR/testsuite/lib/sh.sh"
mkdir tmp
(ulimit -f 2; TMPDIR=$PWD/tmp ktap --runtime=user -e 'probe begin { println("x") exit() }'; echo "$status" >status)
test "$(cat status)" = 1 || fail "exit status $(cat status)"
said 'File too large'
test -z "$(ls tmp)" || fail "something is left: $(ls tmp)"
truncate -s 1G large
ulimit -v 1800000
ktap -l 'process("./large").function("x")'
refused no-program
said "large' is not an ELF file"
