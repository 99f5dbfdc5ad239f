#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that is not installed is one error that says what to install.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap -p4 -r 9.9.9-nosuch -e 'probe begin { exit() }'
refused no-kernel
said '9.9.9-nosuch'
said 'apt install\|apt-get install'
