#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -G of a name that is no number or string of the script is refused in pass 2, before anything is built.
. "$SRCDIR/testsuite/lib/sh.sh"
script='global bound = 1, hits, sizes probe begin { hits[1] = bound; sizes <<< bound; println(bound) exit() }'
ktap -p2 -G bound=5 -e "$script"
accepted
ktap -p2 -G boud=5 -e "$script"
refused usage
said "the script has no global of that name"
said "did you mean 'bound'"
ktap -p2 -G nothing_like_it=5 -e "$script"
refused usage
said 'global nothing_like_it = 0'
ktap -p2 -G hits=5 -e "$script"
refused usage
said 'that is an array'
ktap -p2 -G sizes=5 -e "$script"
refused usage
said 'that is an aggregate'
