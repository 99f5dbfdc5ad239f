#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Variables that a program's unit has no place of: one of another file, by its symbol; a static one that is optimized out, of which
# other files have namesakes, is refused, and so is one of a library, of which another file has a static namesake. A watchpoint of
# a name that two files have is refused; @var wants the file then, and takes a global variable before static ones.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"

cat >uses.c <<'END'
extern int plain, foreign;
static int shadowed = 3;
static volatile int twice = 1, hidden = 8;
__attribute__((noipa)) int step(int n) { plain += n; foreign += n; return shadowed + twice + hidden + n; }
int main(void) { return step(1); }
END
cat >holds.c <<'END'
static int foreign = 5;
static volatile int twice = 2;
int plain = 12, shadowed = 99;
int *get_foreign(void) { twice++; return &foreign; }
END
echo 'int hidden = 9;' >late.c
echo 'int foreign = 6;' >library.c
gcc -shared -fPIC -O2 library.c -o libforeign.so && gcc -O2 -c holds.c && gcc -g -O2 uses.c late.c holds.o -L. -lforeign -fPIC -pie -o program ||
	fail "cannot compile"
# expect_address NAME TYPE EXPRESSION: it reads the symbol NAME that nm shows with TYPE.
expect_address()
{
	address=$(nm program | sed -n "s/ $2 $1\$//p")
	ktap -p3 -e "probe process(\"./program\").function(\"step\") { println($3) }"
	accepted
	grep -qi "kt_relocate_user(c, 0x0*$(printf '%x' "0x$address")ull)" out || fail "$3 is not at $address"
}
expect_address plain D '$plain'
expect_address hidden d '$hidden'
expect_address hidden D "@var(\"hidden\", \"$PWD/program\")"
ktap -p2 -e 'probe process("./program").data("twice").write { next }'
refused probe-arg
said "2 static variables of .*/program are called 'twice'"
ktap -p2 -e 'probe process("./program").data("plain").write { next }'
accepted
ktap -p2 -e 'probe begin { println(@var("twice", "./program")) }'
refused optimized-out
said "2 files have one of their own; name the file, \"twice@FILE\""
ktap -p2 -e 'probe begin { println(@var("twice@uses.c", "./program")) }'
accepted
for name in shadowed foreign; do
	for value in "\$$name" "@var(\"$name\")"; do
		ktap -p2 -e "probe process(\"./program\").function(\"step\") { println($value) }"
		refused optimized-out
	done
done
