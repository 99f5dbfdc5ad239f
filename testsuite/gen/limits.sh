#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A limit of -D, or an array, that is out of range is refused with the range, once.
set -u
refused() {
	"$KTAP" -p3 "$@" -e 'global a; probe begin { a[1] = 1; println(a[1]); exit() }' >out 2>err && exit 1
	[ "$(grep -c 'out of range: [0-9]* to [0-9]* \[usage\]' err)" = 1 ] || { cat err; exit 1; }
}
refused -DMAXACTION=0
refused -DMAXACTION=9999999999
refused -DMAXACTION_INTERRUPTIBLE=0
refused -DMAXTIME=0
refused -DMAXSTRINGLEN=5
refused -DMAXMAPENTRIES=0
refused -DMAXMAPENTRIES=99999999
refused -DMAXNESTING=-5
refused -DMAXERRORS=-1
refused -DSTP_OVERLOAD_INTERVAL=1
refused -DSTP_OVERLOAD_THRESHOLD=0
refused -DSTP_OVERLOAD_THRESHOLD=1000000000001
"$KTAP" -p3 -e 'global a[99999999]; probe begin { a[1] = 1; println(a[1]); exit() }' 2>err && exit 1
grep -q "'a' has 99999999 elements, at most 16777216 are possible" err
# A name that nothing knows; in a script with embedded C it may be meant for that.
"$KTAP" -p1 -DMAXACTIONS=5 -e 'probe begin { }' >out 2>err && exit 1
grep -q "error: -D MAXACTIONS: there is no limit of that name \[usage\]" err && grep -q "did you mean 'MAXACTION'" err || { cat err; exit 1; }
"$KTAP" -p1 -DHIST_ELISION=3 -DSTP_NO_BUILDID_CHECK -DDEBUG_TRANS=1 -e 'probe begin { }' >out 2>err || { cat err; exit 1; }
"$KTAP" -p1 -g -DMY_OWN=3 -e 'function f() %{ %} probe begin { f() }' >out 2>err || { cat err; exit 1; }
