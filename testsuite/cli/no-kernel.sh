#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that is not installed is one error, with the command that lists packages of its name: there may be none.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap -p4 -r 9.9.9-nosuch -e 'probe begin { exit() }'
refused no-kernel
said '9.9.9-nosuch'
said 'apt-cache search .*9\.9\.9-nosuch'
! grep -q 'apt-get install' err || fail "it names a package that does not exist"
