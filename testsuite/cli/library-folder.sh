#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -I adds a library: its functions, macros and aliases; a file of it that does not parse disturbs only who needs it.
set -u
mkdir -p lib
cat >lib/one.stp <<'S'
global kept = 40
function from_library:long (n:long) { kept += n; return kept }
probe library.start = begin { who = "library" }
S
echo '@define tripled(x) %( (3 * (@x)) %)' >lib/two.stpm
echo 'function in_broken:long () { return 1 + }' >lib/broken.stp
cat >use.stp <<'S'
probe library.start { println(who, " ", from_library(2), " ", @tripled(1 + 1)) exit() }
S
"$KTAP" -I lib --runtime=user use.stp >out 2>err || { cat err; exit 1; }
[ "$(cat out)" = "library 42 6" ] || { cat out; exit 1; }
"$KTAP" -I lib -p2 -e 'probe begin { println(in_broken()) exit() }' >out 2>err && { echo "it was read"; exit 1; }
grep -q 'broken\.stp' err || { echo "broken.stp is not named"; cat err; exit 1; }
"$KTAP" use.stp -p2 >out 2>err && { echo "without -I it works"; exit 1; }
exit 0
