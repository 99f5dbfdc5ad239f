#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Memory of programs, read by BPF programs: strings and numbers in pages that the program has not touched, strings across two such pages, an
# address that nothing has; globals of the program and of a library at addresses that are known at the hit alone; locals without optimization;
# @var and @cast; structures in registers; a program of 32 bits.
. "$SRCDIR/testsuite/lib/process.sh"
need_native

program libthing.so -fpic -shared <<'END'
int in_library = 1000;
static int hidden = -17;
__attribute__((noipa)) int library_call(int n) { in_library += n; hidden--; return in_library + hidden; }
END
program prog -fpie -pie -O0 -Wl,--no-as-needed,-rpath,. ./libthing.so <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
struct pair { long a, b; };
struct bits { unsigned low : 3; int mid : 7; unsigned long high : 40; };
struct row { int id; char *name; struct row *next; };
int library_call(int n);
static struct row table[4] = { { 1, "one" }, { 2, "two", table }, { 3, "three", table + 1 }, { 4, "four", table + 2 } };
struct bits odd = { 5, -33, 0x123456789a };
__attribute__((noipa)) void cold(const char *text, const char *across, const long *number, const char *nowhere) { }
__attribute__((noipa)) long pairs(struct pair p, int i) {
	long sum = p.a + p.b;
	for (int k = 0; k < i; k++) sum += k;
	return sum; /* LINE */
}
__attribute__((noipa)) void walk(struct row *r, int i) { }
int main(void) {
	enum { SIZE = 4096 };
	char text[3 * SIZE], *map;
	int fd = open("/tmp/cold", O_RDWR | O_CREAT | O_TRUNC, 0600);
	memset(text, 'x', sizeof(text));
	strcpy(text + 10, "in a cold page");
	strcpy(text + 2 * SIZE - 5, "across two pages");
	*(long *)(text + 2 * SIZE + 64) = -123456789012;
	if (write(fd, text, sizeof(text)) != sizeof(text)) return 1;
	for (int i = 0; i < 2; i++) {
		map = mmap(NULL, sizeof(text), PROT_READ, MAP_PRIVATE, fd, 0);
		madvise(map, sizeof(text), MADV_RANDOM);
		if (i)
			printf("T %s %s %ld\n", map + 10, map + 2 * SIZE - 5, *(long *)(map + 2 * SIZE + 64));
		else
			printf("T in a cold page across two pages -123456789012\n");
		cold(map + 10, map + 2 * SIZE - 5, (long *)(map + 2 * SIZE + 64), (char *)16);
		printf("T fault\n");
		munmap(map, sizeof(text));
	}
	printf("T library 5 1000 -17\n");
	library_call(5);
	printf("T library 6 1005 -18\n");
	library_call(6);
	pairs((struct pair){ 30, -40 }, 5);
	printf("T pair 30 -40 5\nT sum 0 30 -40\n");
	walk(&table[3], 1);
	printf("T row 4 four 3 two 2 one\nT odd 5 -33 %ld\n", (long)odd.high);
	return 0;
}
END
line=$(grep -n '/\* LINE' prog.c | sed 's/:.*//')
cat >prog.stp <<END
probe process("./prog").function("cold") {
	printf("K %s %s %d\n", user_string(\$text), user_string(\$across), \$number[0])
	try { println(user_string(\$nowhere)) } catch { println("K fault") }
}
probe process("./libthing.so").function("library_call") { printf("K library %d %d %d\n", \$n, \$in_library, @var("hidden")) }
probe process("./prog").function("pairs") { printf("K pair %d %d %d\n", \$p->a, \$p->b, \$i) }
probe process("./prog").statement("pairs@prog.c:$line") { printf("K sum %d %d %d\n", \$sum, \$p->a, \$p->b) }
probe process("./prog").function("walk") {
	printf("K row %d %s %d %s %d %s\n", \$r->id, user_string(\$r->name), \$r->next->id, user_string(\$r->next->next->name),
	       @cast(\$r, "struct row", "./prog")->next->next->id, user_string(\$table[\$i - 1]->name))
	printf("K odd %d %d %d\n", \$odd->low, \$odd->mid, \$odd->high)
}
END
have_32bit=
if printf 'int main(void) { return 0; }\n' | ${CC:-gcc} -m32 -x c -o /dev/null - 2>/dev/null; then
	have_32bit=1
	program narrow -m32 -O1 -fno-pie -no-pie <<'END'
int global = -70000;
struct two { short a; long long b; };
static struct two two = { -3, -5000000000LL };
__attribute__((noipa)) int add(int a, unsigned char b, long long c, struct two *t, const char *s) { return a + b + (int)c + t->a + *s; }
int main(void) { return add(-7, 200, -1LL << 40, &two, "narrow") & 1; }
END
fi
for release in $(kernels); do
	bpf_session cold -c ./prog prog.stp
	test -z "$have_32bit" || bpf_session narrow -c ./narrow -e '
	probe process("./narrow").function("add") { printf("%d %d %d %d %d %s %d\n", $a, $b, $c, $t->a, $t->b, user_string($s), $global) }
	probe process("./narrow").function("add").return { println($return) }'
	boot
	result cold
	told_truth
	test -z "$have_32bit" && continue
	result narrow
	printf '%s\n' '-7 200 -1099511627776 -3 -5000000000 narrow -70000' 300 >expected
	cmp -s expected out || { diff expected out; fail "a program of 32 bits on $release"; }
done
