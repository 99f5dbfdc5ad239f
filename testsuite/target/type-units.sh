#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With -fdebug-types-section structures are in units of their own, which stubs name: members are found as without.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >prog.c <<'END2'
struct leaf { int pad, val; };
struct tree { long pad; struct leaf leaf[3], *p; };
__attribute__((noipa)) int visit(struct tree *t, struct leaf by_value) { return t->leaf[2].val + by_value.val; }
int main(int n, char **v) { struct tree t = { n }; struct leaf l = { 1, n }; return visit(&t, l); }
END2
for version in 4 5; do
	for kind in no- ''; do
		${CC:-gcc} -g -gdwarf-$version -O1 -f${kind}debug-types-section -o prog prog.c || fail "cannot compile"
		ktap -p3 -e 'probe process("./prog").function("visit") {
			println($t->leaf[2]->val, $by_value->val, $t->p->val, @cast($t, "tree")->leaf[1]->val, $t$$) }'
		accepted
		grep -E '^.(kt_s64 t|kt_set|kt_deref|printf|[a-z_]* = ).*kt_u64' out >"${kind}types"
	done
	test -s types && diff no-types types || fail "DWARF $version: with type units other places"
done
