#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Real programs of Debian, most of them without debugging information: functions of bash by symbol, marks of python3 and of
# libstdc++ where they carry them, calls of perl and of a C++ program.
. "$SRCDIR/testsuite/lib/process.sh"

cat >thrower.cc <<'END'
#include <cstdio>
namespace shop {
struct Item { int price; const char *name; };
class Cart {
	int total = 0;
public:
	__attribute__((noipa)) int add(const Item &item, int n) { total += item.price * n; return total; }
};
}
__attribute__((noipa)) int add(int a) { if (a < 0) throw a; return a; }
int main() {
	shop::Cart cart;
	shop::Item item = { 7, "pen" };
	int caught = 0;
	cart.add(item, 2);
	cart.add(item, 3);
	for (int i = -3; i < 2; i++) try { add(i); } catch (int n) { caught++; }
	return caught != 3;
}
END
${CXX:-g++} -g -O2 -o thrower thrower.cc || exit 77
objcopy --only-keep-debug thrower apart.debug && strip -o apart thrower && objcopy --add-gnu-debuglink=apart.debug apart ||
	fail "cannot strip"
has_marks() { readelf -n "${KTAP_VM_ROOT:-}$1" 2>/dev/null | grep -q stapsdt; }
# Since Debian 14 sqlite3 contains the library.
calls_libsqlite3() { command -v sqlite3 >/dev/null && ldd "$(command -v sqlite3)" | grep -q 'libsqlite3\.so\.0'; }
python=$(readlink -f "$(command -v python3 || echo none)")
cpp=/usr/lib/$(${CXX:-g++} -dumpmachine)/libstdc++.so.6
for release in $(kernels); do
	# Three calls of a function of the shell's language, and what bash looks its commands up with.
	session bash -c 'bash -c "f() { :; }; f; f; f"' -e '
	probe process("bash").function("find_function") { if (user_string(pointer_arg(1)) == "f") n++ }
	probe process("bash").function("find_function").return { if (returnval()) found++ }
	probe end { println(n >= 3, " ", found) }
	global n, found'
	session methods -c ./thrower -e '
	probe process("./thrower").function("shop::Cart::add") { printf("%d x %s = %d\n", $n, user_string($item->name), $item->price) }
	probe process("./thrower").function("add@thrower.cc:10") { calls++ }
	probe process("./apart").function("shop::Cart::add").return { println("never") }
	probe end { println(calls) } global calls'
	session apart -c ./apart -e 'probe process("./apart").function("shop::Cart::add").return { printf("%d of %d\n", $return, $this->total) }'
	if has_marks "$cpp"; then
		session throw -c ./thrower -e '
		probe process("./thrower").library("libstdc++.so.6").mark("throw") { n++ }
		probe process("libstdc++.so.6").provider("libstdcxx").mark("catch") { n += 10 }
		probe end { println(n) } global n'
	fi
	if has_marks "$python"; then
		session python -c 'python3 -c "import gc; gc.collect(); gc.collect()"' -e "
		probe process(\"$python\").mark(\"gc__start\") { n++ } probe process(\"$python\").mark(\"gc__done\") { done++ }
		probe end { println(n >= 2, n == done) } global n, done"
	fi
	if command -v perl >/dev/null; then
		session perl -c 'perl -e "%h = map { \$_ => 1 } 1 .. 50; print STDERR scalar(keys %h)"' -e '
		probe process("perl").function("Perl_hv_common") { n++ }
		probe end { println(n >= 50) } global n'
	fi
	if calls_libsqlite3; then
		session sqlite -c 'sqlite3 :memory: "select 1; select 2; select 3"' -e '
		probe process("sqlite3").library("libsqlite3.so.0").function("sqlite3_prepare_v2") { n++; said = said . user_string_n(pointer_arg(2), 10) . ";" }
		probe process("libsqlite3.so.0").function("sqlite3_step").return { if (returnval() == 100) rows++ }
		probe end { println(said); println(n >= 3, " ", rows >= 3) } global n, rows, said = ""'
	fi
	boot
	result bash
	printed '^1 3$'
	result methods
	expect <<-'END'
	2 x pen = 7
	3 x pen = 7
	5
	END
	result apart
	expect <<-'END'
	14 of 0
	35 of 14
	END
	if has_marks "$cpp"; then
		result throw
		printed '^33$'
	fi
	if has_marks "$python"; then
		result python
		printed '^11$'
	fi
	if command -v perl >/dev/null; then
		result perl
		printed '^1$'
		said '^50'
	fi
	if calls_libsqlite3; then
		result sqlite
		printed 'select 1.*select 2.*select 3'
		printed '^1 1$'
	fi
done
