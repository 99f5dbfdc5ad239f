#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Headers in @cast: what cannot be compiled is told with the compiler's reason at its place, the kernel's is compiled once.
set -u
release=$(ls /lib/modules | grep '^6\.1\..*cloud' | tail -n 1)
[ -n "$release" ] && [ -d "/lib/modules/$release/build" ] || exit 77
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
failed=0

# The script $1 fails with a line like $2 on stderr.
refused()
{
	"$KTAP" -r "$release" -p2 -e "$1" >out 2>err && { echo "not refused: $1"; failed=1; }
	grep -q "$2" err || { echo "$1: no '$2' in"; cat err; failed=1; }
}

refused 'probe begin { println(@cast(0, "a", "<no/such.h>")->b) }' 'error: the header <no/such.h> cannot be compiled for programs'
grep -q 'note: .*no/such.h: No such file' err || { cat err; failed=1; }
refused 'probe begin { println(@cast(0, "no_a", "<time.h>")->b) }' "error: no type 'no_a'"
refused 'probe begin { println(@cast(0, "tm", "<time.h>")->tm_minn) }' "did you mean 'tm_min'"
refused 'probe begin { println(@cast(0, "a", "<a b>")->b) }' "'a b' is no name of a header"
refused 'probe begin { println(@cast(0, "no_a", "kernel<no/such.h>")->b) }' "<no/such.h> cannot be compiled for $release"
ls cache/read | grep 'header-......$' && { echo "a folder is left"; failed=1; }

use='probe begin { println(&@cast(0, "mISDNhead", "kernel<linux/mISDNif.h>")->id) exit() }'
"$KTAP" -r "$release" -p2 -e "$use" >out 2>err || { cat err; failed=1; }
kept=$(ls cache/read/header-*mISDNif.h.o)
touch -d '2001-01-01' "$kept"
"$KTAP" -r "$release" -p2 -e "$use" >out 2>err || { cat err; failed=1; }
[ "$(stat -c %Y "$kept")" -lt 1000000000 ] || { echo "compiled again"; failed=1; }
exit $failed
