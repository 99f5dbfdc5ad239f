#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
#! also-on: rt
# Arguments of marks as assembly writes them: with and without "SIZE@", in all parts of registers, in memory, constants and
# symbols, of all widths and signs; marks that STAP_SDT_V2 makes, without notes. The program says what each is.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
#include <stdint.h>
#include <stdio.h>

/* A mark as <sys/sdt.h> makes it, with the arguments as they stand in ARGS. */
#define MARK(name, args) \
	asm volatile("990: nop\n\t.pushsection .note.stapsdt,\"\",\"note\"\n\t.balign 4\n\t.4byte 992f-991f, 994f-993f, 3\n" \
		     "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, 0\n\t.asciz \"prov\"\n\t.asciz \"" name "\"\n" \
		     "\t.asciz \"" args "\"\n994: .balign 4\n\t.popsection" \
		     :: "a"(rax), "b"(rbx), "c"(at), "d"(2L), "r"(r8), "r"(r9) : "memory")
/* The same as STAP_SDT_V2 makes it: a row of a table, which the dynamic linker relocates. */
#define WORD(v) ".balign 8\n\t.quad " v "\n\t"
#define OLD(name, count, args) \
	asm volatile(".pushsection .probes,\"aw\"\n\t.balign 8\n\t.int 0x32425055\n\t" WORD("901f") WORD("902f") WORD(count) WORD("903f") \
		     WORD("904f") WORD("0") "903: .asciz \"" args "\"\n\t.balign 8\n902: .asciz \"prov\"\n\t.balign 8\n901: .asciz \"" name "\"\n\t" \
		     ".popsection\n904: nop" :: "a"(rax), "c"(at), "d"(2L), "r"(r8) : "memory")
#define T(name, ...) do { const int64_t v[] = { __VA_ARGS__ }; printf("T %s", name); \
	for (unsigned i = 0; i < sizeof(v) / sizeof(*v); i++) printf(" %ld", (long)v[i]); puts(""); } while (0)

int64_t table[] = { -1, 0x8182838485868788, 0x7172737475767778, -0x123456789 };
int32_t words[] = { 5, -6, 7, -8 };

__attribute__((noipa)) void work(uint64_t rax, uint64_t rbx, int64_t *at)
{
	register uint64_t r8 asm("r8") = rax + 1;
	register uint64_t r9 asm("r9") = rbx - 1;

	MARK("untyped", "%%al %%ah %%ax %%eax %%rax %%bl %%bh %%r8b %%r8w %%r8d %%r8 %%cl");
	T("untyped", (uint8_t)rax, (uint8_t)(rax >> 8), (uint16_t)rax, (uint32_t)rax, (int64_t)rax, (uint8_t)rbx, (uint8_t)(rbx >> 8),
	  (uint8_t)r8, (uint16_t)r8, (uint32_t)r8, (int64_t)r8, (uint8_t)(uintptr_t)at);
	MARK("signed", "-1@%%al -1@%%ah -2@%%ax -4@%%eax -8@%%rax -1@%%rbx -2@%%ebx -4@%%rbx -8@%%rbx -4@%%bl -8@%%eax -2@%%bh");
	T("signed", (int8_t)rax, (int8_t)(rax >> 8), (int16_t)rax, (int32_t)rax, (int64_t)rax, (int8_t)rbx, (int16_t)rbx, (int32_t)rbx,
	  (int64_t)rbx, (int32_t)rbx, (int64_t)rax, (int16_t)(rbx >> 8));
	MARK("unsigned", "1@%%al 1@%%ah 2@%%ax 4@%%eax 8@%%rax 1@%%r9 2@%%r9d 4@%%r9 8@%%r9 4@%%r9b 8@%%r9w 2@%%ah");
	T("unsigned", (uint8_t)rax, (uint8_t)(rax >> 8), (uint16_t)rax, (uint32_t)rax, (int64_t)rax, (uint8_t)r9, (uint16_t)r9, (uint32_t)r9,
	  (int64_t)r9, (uint32_t)r9, (int64_t)r9, (uint16_t)(rax >> 8));
	MARK("memory", "(%%rcx) 8(%%rcx) (%%rcx,%%rdx,8) 8(%%rcx,%%rdx,4) -1@8(%%rcx) 1@8(%%rcx) -2@8(%%rcx) 2@8(%%rcx) -4@8(%%rcx) 4@8(%%rcx) -8@8(%%rcx) "
	     "8@-8+16(%%rcx)");
	T("memory", at[0], at[1], at[2], at[2], (int8_t)at[1], (uint8_t)at[1], (int16_t)at[1], (uint16_t)at[1], (int32_t)at[1],
	  (uint32_t)at[1], at[1], at[1]);
	MARK("constants", "$5 $-5 $0x10 -4@$-7 4@$-7 -1@$200 1@$200 -2@$40000 2@$-2 8@$-9 -8@$9223372036854775807 $0");
	T("constants", 5, -5, 16, -7, (uint32_t)-7, (int8_t)200, 200, (int16_t)40000, (uint16_t)-2, -9, INT64_MAX, 0);
	MARK("symbols", "table(%%rip) table+8(%%rip) -4@words+4(%%rip) 4@words+4(%%rip) words(,%%rdx,4) -4@words+4(,%%rdx,4) 8@table -1@table+15(%%rip)");
	T("symbols", table[0], table[1], words[1], (uint32_t)words[1], (int64_t)((uint64_t)(uint32_t)words[3] << 32 | (uint32_t)words[2]),
	  words[3], table[0], (int8_t)(table[1] >> 56));
	OLD("old", "4", "%%rax 8(%%rcx) $5 %%r8d");
	T("old", (int64_t)rax, at[1], 5, (uint32_t)r8);
	OLD("bare", "0", "");
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	work(0xf1e2d3c4b5a69788, 0x0102030405068697, table);
	work(0x7f6e5d4c3b2a1908, 0xfffefdfcfbfaf9f8, table);
	return 0;
}
END
cat >script.stp <<'END'
@define six(a,b,c,d,e,f) %( printf(" %d %d %d %d %d %d", @a, @b, @c, @d, @e, @f) %)
@define all %( print("K ", $$name); @six($arg1, $arg2, $arg3, $arg4, $arg5, $arg6); @six($arg7, $arg8, $arg9, $arg10, $arg11, $arg12); println("") %)
probe process("./prog").mark("*signed"), process("./prog").mark("untyped"), process("./prog").mark("memory"), process("./prog").mark("constants") { @all }
probe process("./prog").mark("symbols") {
	printf("K %s", $$name); @six($arg1, $arg2, $arg3, $arg4, $arg5, $arg6); printf(" %d %d\n", $arg7, $arg8)
}
probe process("./prog").provider("prov").mark("old") { printf("K %s %d %d %d %d\n", $$name, $arg1, $arg2, $arg3, $arg4) }
probe process("./prog").mark("bare") { if (@defined($arg1)) println("an argument") }
END
for release in $(kernels); do
	in_vm -c ./prog script.stp
	told_truth
	test "$(wc -l <told)" = 14 || fail "not all was told on $release: $(cat told)"
done
