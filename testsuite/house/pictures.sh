#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/pictures draws a function as wide as its samples, above its caller, and a terminal with its colors; the pictures of docs/
# can be read.
. "$SRCDIR/testsuite/lib/sh.sh"
printf 'main;a;b 30\nmain;a 10\nmain;c<d 60\n' | "$SRCDIR/scripts/pictures" --flame >out || fail "no flame graph"
# box NAME SAMPLES X Y WIDTH
box() { printed "<title>$1: $2 of 100 samples</title><rect x=\"$3\" y=\"$4\" width=\"$5\" "; }
box main 100 10.0 44 979.6
box a 40 10.0 27 391.6
box b 30 10.0 10 293.6
box 'c&lt;d' 60 402.0 27 587.6
cp out flame.svg
printf '1 \033[1;31merror\033[0m <y>\r\nlast\n' | "$SRCDIR/scripts/pictures" --terminal >out || fail "no terminal"
printed '>1 <tspan fill="#ff6b6b" font-weight="bold">error</tspan> &lt;y&gt;</text>$'
printed '>last</text>$'
: | "$SRCDIR/scripts/pictures" --flame >/dev/null 2>&1 && fail "a flame graph of nothing"
for picture in flame.svg out "$SRCDIR"/docs/*.svg; do
	/usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$picture" || fail "$picture is no XML"
done
