#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program is one in any directory: only a file called NAME.ko, NAME.ko.xz and so on is a kernel module in @var.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

mkdir -p tmp.koala
echo '__thread int count = 5; int main(void) { return count; }' | ${CC:-gcc} -g -x c -o tmp.koala/program - || fail 'cannot compile'
ktap -r "$(a_kernel)" -p2 -e 'probe syscall.lseek { println(@var("count", @1)) }' tmp.koala/program
accepted
