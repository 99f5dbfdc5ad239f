#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A warning where a compiler merged code of inlined calls, or its marks of calls are not calls, so that hits are not calls: once, with the place,
# also where the point is optional.
# Calls that are whole get none.
. "$SRCDIR/testsuite/lib/sh.sh"

command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }

cat >merged.c <<'END'
extern volatile unsigned long count[2];
static int one(int a)
{
	count[0]++;
	return a * 3;
}
static int whole(int a)
{
	count[1]++;
	return a * 3;
}
static __attribute__((noinline)) int either(int a, int *v)
{
	if (a & 1)
		v[0] += one(a - 1);
	if (a & 1)
		v[0] += one(a - 1);
	else
		v[1] -= one(a - 2);
	return v[a & 3] + a + whole(a);
}
volatile unsigned long count[2];
int main(int argc, char **argv)
{
	int v[4] = { argc, 2, 3, 4 };

	return one(argc + v[3] % 7) + either(argc, v) + either(2 + v[1] % 7, v) + whole(v[1]);
}
END
clang -g -O3 -o prog merged.c || fail "cannot compile"
cat >script.stp <<'END'
probe process("./prog").function("one") ? { }
probe process("./prog").function("whole") { }
END
"$KTAP" -p2 script.stp >out 2>err || fail "ktap refuses it: $(cat err)"
grep -q "warning: calls of 'one@merged.c:2' in .*/prog may be missed or counted twice where they are inlined \[inlined\]" err ||
	fail "no warning: $(cat out err)"
grep -q "note: the compiler merged code of the call at merged.c:1[79]" err || fail "the place is not named: $(cat err)"
grep -q whole err && fail "whole() is whole: $(cat err)"
test "$(grep -c warning: err)" = 1 || fail "more warnings: $(cat err)"

# Two calls that became one instruction have no instance. They are known by the variable that other calls, or the function itself, write.
cat >lost.c <<'END'
extern volatile unsigned long count[3];
static int tripled(int a)
{
	count[0]++;
	return a * 3;
}
int doubled(int a)
{
	count[1]++;
	return a * 2;
}
static int whole(int a)
{
	count[2]++;
	return a * 3;
}
static __attribute__((noinline)) int either(int a, int *v)
{
	if (a & 2)
		v[0] += tripled(a - 1);
	else
		v[1] -= tripled(a - 2);
	return v[a & 3] + a;
}
static __attribute__((noinline)) int both(int a, int *v)
{
	if (a & 2)
		v[0] += doubled(a - 1);
	else
		v[1] -= doubled(a - 2);
	return v[a & 3] + a;
}
volatile unsigned long count[3];
int (*volatile called)(int) = doubled;
int main(int argc, char **argv)
{
	int v[4] = { argc, 2, 3, 4 };

	return tripled(argc) + either(argc, v) + both(2 + v[1] % 7, v) + called(v[0]) + whole(v[1]) + whole(v[2]);
}
END
for flags in -O1 -O2 -Os '-O2 -fPIC'; do
	# shellcheck disable=SC2086 # they are words
	clang -g $flags -o prog lost.c || fail "cannot compile"
	for pair in tripled:either doubled:both; do
		"$KTAP" -p2 -e "probe process(\"./prog\").function(\"${pair%:*}\") { }" >out 2>err || fail "$flags: ktap refuses it: $(cat err)"
		grep -q "warning: calls of '${pair%:*}@lost.c:[0-9]*' in .*/prog may be missed or counted twice where they are inlined \[inlined\]" err ||
			fail "$flags: no warning: $(cat out err)"
		grep -q "note: '${pair#*:}' may have calls that the compiler merged into one" err || fail "$flags: the caller is not named: $(cat err)"
	done
	"$KTAP" -p2 -e 'probe process("./prog").function("whole") { }' >out 2>err || fail "$flags: ktap refuses it: $(cat err)"
	test -s err && fail "$flags: whole() is whole: $(cat err)"
done

# A mark that gcc wrote twice disagrees with the store of the first statement.
cat >marked.c <<'END'
extern volatile unsigned long count[2];
static inline int marked(int a, int *v)
{
	count[0]++;
	if (a % 3 == 0)
		return v[1];
	return a * 3;
}
static inline int whole(int a, int *v)
{
	count[1]++;
	if (a % 3 == 0)
		return v[1];
	return a * 3;
}
volatile unsigned long count[2];
int main(int argc, char **argv)
{
	int v[2] = { argc, 2 };

	return marked(argc, v) + whole(argc, v);
}
END
gcc -g -O2 -S marked.c || fail "gcc cannot compile"
sed '/^\tmovq.*, count(%rip)/a\	.loc 1 2 19 is_stmt 1' marked.s >twice.s
cmp -s marked.s twice.s && fail "no store is followed by a mark: $(cat marked.s)"
gcc -o prog twice.s || fail "gcc cannot assemble"
"$KTAP" -p2 -e 'probe process("./prog").function("marked"), process("./prog").function("whole") { }' >out 2>err || fail "ktap refuses it: $(cat err)"
grep -q "warning: calls of 'marked@marked.c:2' in .*/prog may be missed or counted twice where they are inlined \[inlined\]" err ||
	fail "no warning of the marks: $(cat out err)"
test "$(grep -c warning: err)" = 1 || fail "more warnings of marks: $(cat err)"
exit 0
