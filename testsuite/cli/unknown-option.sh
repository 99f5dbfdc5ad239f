#!/bin/sh
# An unknown option is refused with the nearest one.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap --kbuidl -p1 -e 'probe begin { }'
refused usage
said "did you mean '--kbuild'"
ktap -Z -e 'probe begin { }'
refused usage
ktap -p 9 -e 'probe begin { }'
refused usage
ktap -e
refused usage
