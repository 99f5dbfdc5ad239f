#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Enums with data as rustc describes them: their variants are members, __variant tells which one it is. Lines of functions with scopes.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
${CC:-gcc} -o shop "$SRCDIR/testsuite/lib/corpus/shop_main.c" "$SRCDIR/testsuite/lib/corpus/shop.s" || fail "cannot compile"

# with POINT EXPRESSION: -p3 of a probe that prints it
with()
{
	ktap -p3 -e "probe process(\"./shop\").statement(\"$1\") { println($2) }"
}
for point in area@shop.rs:10 shop::area@shop.rs:10 'shop::*@shop.rs:10' 'shop::area@shop.rs+1'; do
	with "$point" '@enumname($s->__variant), $s->Circle->r, $m->Some->__0, $s$$, $o$'
	accepted
done
for point in area:10 shop:area@shop.rs:10 shop::area:10; do
	with "$point" 1
	refused probe-arg
done
with till::area@shop.rs:10 1
refused no-match
with area@shop.rs:10 '$s->Cirle'
refused target-member
said "did you mean 'Circle'"
said 'it has: __variant, Empty, Dot, Circle, Named'
with area@shop.rs:10 '$s->Circle->q'
refused target-member
said 'it has: x, r'
with area@shop.rs:10 '@enumname($s->Circle->r)'
refused target-type
