#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Structures that functions of programs return and get by value: in registers, in memory, and in C++ by the address of a copy. Programs print their
# values, and the script prints the same, whatever compiler and optimization made them.
. "$SRCDIR/testsuite/lib/process.sh"

cat >c.c <<'END'
#include <stdio.h>
#define NI __attribute__((noinline))
struct big { long x[6]; };
struct two { int a; long b; };
struct mixed { int i; double d; };
struct swapped { double d; int i; };
struct small { char c[3]; };
struct one { long v; };
union either { int i; float f; };
struct point { short x, y; };
struct bits { unsigned a : 5, b : 9; signed c : 6; };
struct __attribute__((packed)) odd { char c; long v; };
NI struct big rbig(int s) { struct big b; for (int i = 0; i < 6; i++) b.x[i] = s + i; __asm__ volatile("" ::: "memory"); return b; }
NI struct two rtwo(int s) { __asm__ volatile(""); return (struct two){ s, s * 10000000000 }; }
NI struct mixed rmixed(int s) { __asm__ volatile(""); return (struct mixed){ s, s }; }
NI struct swapped rswapped(int s) { __asm__ volatile(""); return (struct swapped){ s, -s }; }
NI struct small rsmall(int s) { __asm__ volatile(""); return (struct small){ { s, s + 1, s + 2 } }; }
NI struct one rone(int s) { __asm__ volatile(""); return (struct one){ -s }; }
NI union either reither(int s) { __asm__ volatile(""); return (union either){ .i = s }; }
NI struct point rpoint(int s) { __asm__ volatile(""); return (struct point){ -s, s }; }
NI struct bits rbits(int s) { __asm__ volatile(""); return (struct bits){ s, s * 2, -s }; }
NI struct odd rodd(int s) { __asm__ volatile(""); return (struct odd){ s, s * 3L }; }
NI int rnumber(int s) { __asm__ volatile(""); return -s; }
NI signed char rchar(int s) { __asm__ volatile(""); return -s; }
int main(void)
{
	struct big b = rbig(7);
	printf("T big %ld %ld\n", b.x[0], b.x[5]);
	struct two t = rtwo(3);
	printf("T two %d %ld\n", t.a, t.b);
	printf("T mixed %d\n", rmixed(4).i);
	printf("T swapped %d\n", rswapped(4).i);
	struct small s = rsmall(65);
	printf("T small %d %d %d\n", s.c[0], s.c[1], s.c[2]);
	printf("T one %ld\n", rone(99).v);
	printf("T either %d\n", reither(77).i);
	struct point p = rpoint(6);
	printf("T point %d %d\n", p.x, p.y);
	struct bits q = rbits(7);
	printf("T bits %d %d %d\n", q.a, q.b, q.c);
	struct odd o = rodd(5);
#ifndef __clang__
	printf("T odd %d %ld\n", o.c, o.v);
#endif
	printf("T int %d %d\n", rnumber(2), rchar(9));
	return 0;
}
END
cat >c.stp <<'END'
probe process(@1).function("rbig").return { printf("K big %d %d\n", $return->x[0], $return->x[5]) }
probe process(@1).function("rtwo").return { printf("K two %d %d\n", $return->a, $return->b) }
probe process(@1).function("rmixed").return { printf("K mixed %d\n", $return->i) }
probe process(@1).function("rswapped").return { printf("K swapped %d\n", $return->i) }
probe process(@1).function("rsmall").return { printf("K small %d %d %d\n", $return->c[0], $return->c[1], $return->c[2]) }
probe process(@1).function("rone").return { printf("K one %d\n", $return->v) }
probe process(@1).function("reither").return { printf("K either %d\n", $return->i) }
probe process(@1).function("rpoint").return { printf("K point %d %d\n", $return->x, $return->y) }
probe process(@1).function("rbits").return { printf("K bits %d %d %d\n", $return->a, $return->b, $return->c) }
probe process(@1).function("rodd").return { if (@defined($return)) printf("K odd %d %d\n", $return->c, $return->v) }
global number, letter
probe process(@1).function("rnumber").return { number = returnval() }
probe process(@1).function("rchar").return { letter = returnval() }
probe process(@1).function("main").return { printf("K int %d %d\n", number, letter) }
END
cat >cpp.cpp <<'END'
#include <cstdio>
#include <string>
#define NI __attribute__((noinline, used))
/* Of a parameter that is an address clang says nothing at the first instruction; of std::string it says the name only. */
#if ARGUMENTS
#define tell(...) printf(__VA_ARGS__)
#else
#define tell(...) ((void)0)
#endif
struct pod { int a; long b; };
struct copied { int a, b; copied(int x) : a(x), b(x * 2) {} copied(const copied &o) : a(o.a), b(o.b) {} };
struct closed { int a; closed(int x) : a(x) {} closed(const closed &) = default; ~closed() { a = -1; __asm__ volatile("" ::"m"(a)); } };
struct plain { int a, b, c; plain(int x) : a(x), b(-x), c(x + 5) {} plain(const plain &) = default; ~plain() = default; };
struct outer { long head; copied inner; outer(int x) : head(x), inner(x + 1) {} };
struct base { int z; };
struct derived : base { int y; };
struct with_virtual { int v; with_virtual(int x) : v(x) {} virtual int f() { return v; } };
struct empty {};
NI int args(copied n, pod p, empty, derived d, std::string s, plain q, int last)
{
	tell("T args %d %d %d %ld %d %d %s %d %d\n", n.a, n.b, p.a, p.b, d.z, d.y, s.c_str(), q.c, last);
	return last;
}
NI copied rcopied(int x) { return copied(x); }
NI closed rclosed(int x) { return closed(x); }
NI plain rplain(int x) { return plain(x); }
NI pod rpod(int x) { return pod{ x, x * 3L }; }
NI outer router(int x) { return outer(x); }
NI derived rderived(int x) { derived d; d.z = x; d.y = -x; return d; }
NI with_virtual rvirtual(int x) { return with_virtual(x); }
NI std::string rstring(int x) { return std::string("text ") + std::to_string(x); }
struct object {
	int m;
	NI copied method(copied n, int q) { tell("T method %d %d %d\n", m, n.b, q); return copied(n.a + q); }
};
int main()
{
	object o{ 9 };
	derived d;
	d.z = 4;
	d.y = 5;
	args(copied(7), pod{ 1, 2 }, empty(), d, "eight", plain(3), 33);
	{ copied c = rcopied(3); printf("T copied %d %d\n", c.a, c.b); }
	{ closed c = rclosed(4); printf("T closed %d\n", c.a); }
	{ plain c = rplain(5); printf("T plain %d %d %d\n", c.a, c.b, c.c); }
	{ pod c = rpod(6); printf("T pod %d %ld\n", c.a, c.b); }
	{ outer c = router(7); printf("T outer %ld %d\n", c.head, c.inner.b); }
	{ derived c = rderived(8); printf("T derived %d %d\n", c.z, c.y); }
	{ with_virtual c = rvirtual(9); printf("T virtual %d\n", c.v); }
	{ std::string c = rstring(10); tell("T string %s\n", c.c_str()); }
	{ copied c = o.method(copied(2), 8); printf("T method-return %d %d\n", c.a, c.b); }
	return 0;
}
END
cat >returns.stp <<'END'
probe process(@1).function("rcopied").return { printf("K copied %d %d\n", $return->a, $return->b) }
probe process(@1).function("rclosed").return { printf("K closed %d\n", $return->a) }
probe process(@1).function("rplain").return { printf("K plain %d %d %d\n", $return->a, $return->b, $return->c) }
probe process(@1).function("rpod").return { printf("K pod %d %d\n", $return->a, $return->b) }
probe process(@1).function("router").return { printf("K outer %d %d\n", $return->head, $return->inner->b) }
probe process(@1).function("rderived").return { printf("K derived %d %d\n", $return->z, $return->y) }
probe process(@1).function("rvirtual").return { printf("K virtual %d\n", $return->v) }
probe process(@1).function("object::method").return { printf("K method-return %d %d\n", $return->a, $return->b) }
END
cat >strings.stp <<'END'
probe process(@1).function("rstring").return { printf("K string %s\n", user_string($return->_M_dataplus->_M_p)) }
END
cat >args.stp <<'END'
probe process(@1).function("args").call {
	printf("K args %d %d %d %d %d %d %s %d %d\n", $n->a, $n->b, $p->a, $p->b, $d->z, $d->y, user_string($s->_M_dataplus->_M_p), $q->c, $last)
}
probe process(@1).function("object::method").call { printf("K method %d %d %d\n", $this->m, $n->b, $q) }
END
cat args.stp strings.stp returns.stp >all.stp

# On arm64 the caller says where a result in memory is, and it is not known at the return.
test "$machine" = x86_64 || exit 77
for release in $(kernels); do
	names=
	while read -r name compiler options script source; do
		command -v "$compiler" >/dev/null || continue
		$compiler -g "$options" -o "$name" "$source" || fail "cannot compile $source"
		session "$name" -c "./$name" "$script" "$PWD/$name"
		names="$names $name"
	done <<-END
		c0 gcc -O0 c.stp c.c
		c2 gcc -O2 c.stp c.c
		cc clang -O0 c.stp c.c
		p0 g++ -DARGUMENTS=1 all.stp cpp.cpp
		p2 g++ -O2 returns.stp cpp.cpp
		pc clang++ -O0 returns.stp cpp.cpp
	END
	# clang describes a member and a bitfield of its size alike, and passes the structures in different ways.
	if command -v clang >/dev/null; then
		ktap -r "$release" -p2 -e 'probe process("./cc").function("rodd").return { println($return->c) }'
		refused optimized-out
		said 'how clang packed it'
	fi
	boot
	for name in $names; do
		result "$name"
		told_truth
	done
done
