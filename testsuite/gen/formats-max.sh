#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A record has 16 bits for the number of its format: more formats are refused, once, at the first print that has none.
. "$SRCDIR/testsuite/lib/sh.sh"

prints()
{
	echo 'probe begin {'
	seq -f 'printf("%.0f %%d\n", pid())' "$1"
	echo '}'
}

prints 65535 >most.stp
ktap --runtime=user -p3 most.stp
accepted
prints 65540 >more.stp
ktap --runtime=user -p3 more.stp
refused usage
said '^more.stp:65537:1: error: the script prints in more than 65535 formats'
