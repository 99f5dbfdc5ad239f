#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A stack that was met before costs less, and is never mistaken for another: other callers further up, frames of other sizes, another
# library at the same address, another program with the same addresses, and callers whose returns are probed.
. "$SRCDIR/testsuite/lib/process.sh"

for name in one two; do
	${CC:-gcc} -g -O2 -shared -fPIC -nostdlib -o "lib$name.so" -x c - <<-END || fail "cannot compile lib$name.so"
	static volatile int sink;
	void through_$name(void (*call)(int)) { call(0); sink++; }
	END
done
# Programs that differ in a name alone. Without randomization their stacks lie at the same addresses too.
for name in alpha gamma; do
	program $name -no-pie -fomit-frame-pointer -DWAY="way_$name" <<'END'
#include <alloca.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int sink;
static volatile char *volatile bytes;
__attribute__((noipa)) void leaf(int n) { sink += n; }
__attribute__((noipa)) void middle(int n) { leaf(n); sink++; }
__attribute__((noipa)) void WAY(int n) { middle(n); sink++; }
__attribute__((noipa)) void other(int n) { middle(n); sink++; }
__attribute__((noipa)) void varying(int n)
{
	bytes = alloca(16 * n + 16);
	bytes[0] = 1;
	middle(n);
	sink += bytes[0];
}
__attribute__((noipa)) static void *library(const char *path, const char *name)
{
	static void *at;
	void *handle = dlopen(path, RTLD_NOW), *through = handle ? dlsym(handle, name) : NULL;
	if (!through)
		exit(2);
	if (at && at != through)
		exit(3);
	at = through;
	((void (*)(void (*)(int)))through)(leaf);
	dlclose(handle);
	return at;
}
static const char *volatile paths[] = { "./libone.so", "./libtwo.so" }, *volatile names[] = { "through_one", "through_two" };
int main(void)
{
	for (int i = 0; i < 6; i++) {
		WAY(i);
		other(i);
		varying(i % 3);
	}
	/* from one place, so that nothing but the library differs */
	for (int i = 0; i < 18; i++)
		library(paths[i / 3 % 2], names[i / 3 % 2]);
	for (int i = 0; i < 6; i++)
		(i < 3 ? other : WAY)(i);
	return 0;
}
END
done
cat >script.stp <<'END'
global stacks, lists, texts
probe process("./alpha").function("leaf"), process("./gamma").function("leaf") {
	s = ubacktrace_folded()
	stacks[execname(), substr(s, strpos(s, ";main;") + 1, strlen(s))]++
	if (isinstr(s, "through"))
		texts[execname(), substr(sprint_ubacktrace(), 0, 4), isinstr(sprint_ubacktrace(), substr(s, strpos(s, "through"), 11))]++
	if (sprint_usyms(ubacktrace()) == "")
		println("no stack")
	lists[execname(), ubacktrace()]++
	print_ubacktrace_brief()
	println("-")
}
probe end {
	foreach ([p+, s] in stacks) printf("%s %s %d\n", p, s, stacks[p, s])
	foreach ([p+, s, right] in texts) printf("%s %s %d %d\n", p, s, right, texts[p, s, right])
	foreach ([p, s] in lists) n[p]++
	foreach (p+ in n) printf("%s %d lists\n", p, n[p])
	delete stacks
	delete lists
	delete texts
}
global n
END
expected="alpha main;other;middle;leaf 9
alpha main;library;through_one;leaf 9
alpha main;library;through_two;leaf 9
alpha main;varying;middle;leaf 6
alpha main;way_alpha;middle;leaf 9
alpha leaf 1 18
gamma main;other;middle;leaf 9
gamma main;library;through_one;leaf 9
gamma main;library;through_two;leaf 9
gamma main;varying;middle;leaf 6
gamma main;way_gamma;middle;leaf 9
gamma leaf 1 18"

for release in $(kernels); do
	for kind in plain returns; do
		set -- -c 'sh -c "setarch -R ./alpha && setarch -R ./gamma"' -d ./libone.so -d ./libtwo.so -d ./alpha --ldd -DMAXSTRINGLEN=2048 script.stp
		test $kind = plain || set -- "$@" -E 'probe process("./alpha").function("other").return, process("./gamma").function("other").return { returned++ } global returned'
		session "$kind" "$@"
	done
	boot
	for kind in plain returns; do
		result $kind
		grep -E '^(alpha|gamma) .*(;|leaf 1)' out | LC_ALL=C sort >shown
		printf '%s\n' "$expected" | LC_ALL=C sort | cmp -s - shown || { cat err shown; fail "$kind on $release: other stacks"; }
		test "$(grep -c '^leaf+0x0$' out)" = 84 || fail "$kind on $release: not the printed stacks"
		for name in one two alpha gamma; do
			at=$(case $name in one | two) echo through_$name ;; *) echo way_$name ;; esac)
			test "$(grep -c "^$at+0x" out)" = "$(case $name in one | two) echo 18 ;; *) echo 9 ;; esac)" ||
				fail "$kind on $release: $at is printed $(grep -c "^$at+0x" out) times"
		done
	done
done
