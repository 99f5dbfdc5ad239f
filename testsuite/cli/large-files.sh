#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 1 GB that is no program is refused without being read into memory.
. "$SRCDIR/testsuite/lib/sh.sh"
truncate -s 1G large
ulimit -v 1800000
ktap -l 'process("./large").function("x")'
refused no-program
said "large' is not an ELF file"
