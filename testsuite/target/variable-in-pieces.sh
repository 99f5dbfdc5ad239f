#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A structure that the compiler took apart, as clang does with a static one, is printed: by the name of its file and by that of the program.
. "$SRCDIR/testsuite/lib/sh.sh"

command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }
cat >pieces.c <<'EOF'
static struct { int first; long second; char rest[64]; } held;
__attribute__((noinline)) void changed(int by)
{
	held.first += by;
	held.second -= by;
	__asm__ volatile("" : : "r"(held.first), "r"(held.second));
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++)
		changed(argc + i);
	return 0;
}
EOF
clang -g -O2 -o pieces pieces.c || fail "cannot compile"
for value in '@var("held@pieces.c")$' '@var("held@pieces.c")$$' "@var(\"held\", \"$PWD/pieces\")\$\$"; do
	"$KTAP" -p3 -e "probe process(\"./pieces\").function(\"changed\") { println($value) }" >out 2>err || fail "$value: $(cat err)"
	grep -q first out || fail "$value: its members are not printed"
done
exit 0
