#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every form that asks for types, variables or enumerators, in programs without debugging information, in marks and in probes
# without a place: an answer or one error that names the next step, never a crash.
. "$SRCDIR/testsuite/lib/sh.sh"

echo 'int f(int a) { return a; } int main(void) { return f(1); }' >a.c
${CC:-gcc} -O0 -o bare a.c || fail "cannot compile"
for form in '@enum("X")' '@enumname(1, "x")' '@cast(1, "foo")->x' '@cast(1, "foo")[0]' '@cast(1, "struct foo", "./bare")->x' '@cast($a, "int")[1]' \
	'$a' '$a->x' '$a$' '$a[0]' '&$a' '@var("x")' '@var("x@a.c")' '@var("x", "./bare")' '@enumname(1, "x", "./bare")'; do
	for point in 'function("f")' 'function("f").return' begin; do
		ktap -p2 -e "probe process(\"./bare\").$point { println($form) }"
		test "$status" = 1 || fail "$point: $form: exit status $status"
		test "$(grep -c 'error: ' err)" = 1 || fail "$point: $form: expected one error"
		grep -q 'note: ' err || fail "$point: $form: no next step"
	done
done
for form in '$$vars' '$$parms' '$$locals' '@defined($a)' '@defined($a->x)' '@defined(@cast(1, "foo")->x)' '@defined(@var("x"))' '@choose_defined($a, 1)'; do
	ktap -p2 -e "probe process(\"./bare\").function(\"f\") { println($form) }"
	accepted
done
