#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two files of one build-id with different DWARF, as before and after dwz(1): what is kept of one is not taken for the other.
. "$SRCDIR/testsuite/lib/sh.sh"

id=-Wl,--build-id=0x00112233445566778899aabbccddeeff00112233
cat >one.c <<'END2'
struct one { int a; };
__attribute__((noipa)) int first(struct one *o) { return o->a; }
int main(void) { struct one o = { 0 }; return first(&o); }
END2
cat >two.c <<'END2'
struct other { char pad[64]; struct two { long x, b; } in; };
static __attribute__((noipa)) long second(int n, struct other *o) { return o->in.b + n; }
int main(void) { struct other o = { "" }; return (int)second(0, &o); }
END2
${CC:-gcc} -g -O1 "$id" -o one one.c && ${CC:-gcc} -g -O1 "$id" -o two two.c || fail "cannot compile"
for name in one two one; do
	ktap -L "process(\"./$name\").function(\"*@$name.c\")"
	accepted
	mv out "$name.out"
done
grep -q '"first@one.c:2") \$o:struct one\*$' one.out || fail "of the first file: $(cat one.out)"
grep -q '"second@two.c:2") \$n:int \$o:struct other\*$' two.out || fail "of the second file: $(cat two.out)"
