#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A header of the user's own that an @cast of the kernel names is read as it is now: the types of an earlier one are not kept.
. "$SRCDIR/testsuite/lib/sh.sh"
a_kernel
echo 'struct mine { int first; int second; };' >mine.h
ktap -p2 -r "$R" -e "probe begin { println(@cast(16, \"struct mine\", \"kernel<$PWD/mine.h>\")->second) }"
accepted
echo 'struct mine { int first; int third; };' >mine.h
ktap -p2 -r "$R" -e "probe begin { println(@cast(16, \"struct mine\", \"kernel<linux/list.h><$PWD/mine.h>\")->third) }"
accepted
ktap -p2 -r "$R" -e "probe begin { println(@cast(16, \"struct mine\", \"kernel<$PWD/mine.h>\")->third) }"
accepted
ktap -p2 -r "$R" -e "probe begin { println(@cast(16, \"struct mine\", \"kernel<$PWD/mine.h>\")->second) }"
refused target-member
