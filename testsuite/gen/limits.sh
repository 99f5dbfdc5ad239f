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
# The strings of a handler have a bound too, which is far below where the product of these limits no longer fits 32 bits.
{
	echo 'function f:long(n) { e = execname()'
	seq -f 'if (strlen(substr(e, n, %.0f)) >= 0)' 130
	echo '{ if (n > 0) return f(n - 1) } return n } probe begin { println(f(3)) exit() }'
} >strings.stp
"$KTAP" -p3 -DMAXNESTING=1000 -DMAXSTRINGLEN=32768 strings.stp >out 2>err && exit 1
grep -q "^strings.stp:1:10: error: handlers need 4296900608 bytes for strings, and may have 67108864: function 'f' takes 4292608 in each of up to 1001 nested calls" err &&
	grep -q 'lower -DMAXNESTING (1000) or -DMAXSTRINGLEN (32768)' err || { cat err; exit 1; }
"$KTAP" -p3 -DMAXNESTING=15 -DMAXSTRINGLEN=32768 strings.stp >out 2>err && exit 1
"$KTAP" -p3 -DMAXNESTING=14 -DMAXSTRINGLEN=32768 strings.stp >out 2>err || { cat err; exit 1; }
grep -q '\.frame_size = 64389120,' out || { grep frame_size out; exit 1; }
