#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No script at all, and a script file that does not exist, are one clear error.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap -p1
refused usage
ktap -p1 nosuch.stp
refused io
said nosuch.stp
ktap -p1 /
refused io
