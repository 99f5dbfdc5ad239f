#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A script without text is refused, from a file, from -e and from standard input.
. "$SRCDIR/testsuite/lib/sh.sh"
: >empty.stp
ktap -p1 empty.stp
refused empty-input
ktap -p1 -e ''
refused empty-input
ktap -p1 -
refused empty-input
