/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of marks: every form of operand on both architectures, types, damaged notes. */
#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "testsuite/unit/tap.h"
#include "translator/debuginfo/sdt.h"

static const char *symbol(const char *name, enum sdt_relation relation, uint64_t pc, int64_t *ret, void *data)
{
	static const struct {
		const char *name;
		enum sdt_relation relation;
		int64_t value;
	} known[] = {
		{ "table", SDT_ADDRESS, 0x4000 }, { "table", SDT_FINAL_ADDRESS, 0x4000 }, { "far", SDT_SLOT, 0x3f10 },
		{ "_GLOBAL_OFFSET_TABLE_", SDT_ADDRESS, 0x3f00 }, { "mine", SDT_DISTANCE, -16 }, { "cnt", SDT_ADDRESS, 0x5000 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(name, known[i].name) && relation == known[i].relation) {
			*ret = known[i].value + (strcmp(name, "cnt") ? 0 : (int64_t)pc);
			return NULL;
		}
	return "there is none";
}

static const struct sdt_file file = { .machine = &machine_x86_64, .base = 0x3000, .symbol = symbol };

/* A location as text: "r5", "addr 8 r6 + ...". */
static const char *shown(struct location l)
{
	struct text t = {};
	const char *s;

	switch (l.kind) {
	case LOC_REGISTER:
		text_printf(&t, "r%u", l.reg);
		break;
	case LOC_NONE:
		text_puts(&t, "none");
		break;
	case LOC_PIECES:
		for (const struct location *p = l.next; p; p = p->next)
			text_printf(&t, "%sr%u:%llu", p == l.next ? "" : " ", p->reg, (unsigned long long)p->piece_size);
		break;
	default:
		text_puts(&t, l.kind == LOC_ADDRESS ? "at" : "is");
		for (int i = 0; i < l.n_ops; i++)
			switch (l.ops[i].atom) {
			case DW_OP_bregx: text_printf(&t, " r%lld", (long long)l.ops[i].a); break;
			case DW_OP_const8u: text_printf(&t, " %lld", (long long)l.ops[i].a); break;
			case DW_OP_addr: text_printf(&t, " &%#llx", (long long)l.ops[i].a); break;
			case LOC_OP_THREAD: text_puts(&t, " thread"); break;
			case DW_OP_plus: text_puts(&t, " +"); break;
			case DW_OP_plus_uconst: text_printf(&t, " +%lld", (long long)l.ops[i].a); break;
			case DW_OP_mul: text_puts(&t, " *"); break;
			case DW_OP_shr: text_puts(&t, " >>"); break;
			case DW_OP_shl: text_puts(&t, " <<"); break;
			case DW_OP_convert: text_printf(&t, " to%lld%s", (long long)l.ops[i].a, l.ops[i].b ? "s" : "u"); break;
			default: text_printf(&t, " op%u", l.ops[i].atom); break;
			}
	}
	s = arena_strdup(&program_arena, text_str(&t));
	text_deinit(&t);
	return s;
}

static const struct {
	const char *text, *expected;
} x86[] = {
	{ "$5", "is 5" }, { "$-5", "is -5" }, { "$0x10", "is 16" }, { "$18446744073709551615", "is -1" },
	{ "$table", "is &0x4000" }, { "$table+8", "is &0x4008" }, { "$nosuch", "none" },
	{ "%rax", "r0" }, { "%edx", "r1" }, { "%cx", "r2" }, { "%bl", "r3" }, { "%sil", "r4" }, { "%r15b", "r15" },
	{ "%r8d", "r8" }, { "%r12w", "r12" }, { "%rip", "r16" }, { "%ah", "is r0 8 >>" }, { "%bh", "is r3 8 >>" },
	{ "%xmm0", "none" }, { "%fs:40", "at 40 thread +" }, { "%fs:mine@tpoff", "at -16 thread +" }, { "%fs:mine@TPOFF", "at -16 thread +" },
	{ "%fs:4+mine@tpoff(%rax)", "at -12 thread + r0 +" },
	{ "mine@tpoff(%rax,%rbx,2)", "at -16 r0 + r3 2 * +" }, { "mine@tpoff", "none" }, { "%fs:nosuch@tpoff", "none" }, { "%gs:8", "none" },
	{ "%fs:8+mine@tpoff(%rax,%rbx,2)", "at -8 thread + r0 + r3 2 * +" }, { "%rax%rax", "none" }, { "%", "none" },
	{ "(%rsp)", "at 0 r7 +" }, { "-8(%rbp)", "at -8 r6 +" }, { "16(%rax,%rbx,4)", "at 16 r0 + r3 4 * +" },
	{ "(,%rax,8)", "at 0 r0 8 * +" }, { "(%rax,%rdi)", "at 0 r0 + r5 1 * +" }, { "8+4(%rax)", "at 12 r0 +" },
	{ "table(%rip)", "at &0x4000" }, { "table+4(%rip)", "at &0x4004" }, { "table-4(%rip)", "at &0x3ffc" },
	{ "4+table(%rip)", "at &0x4004" }, { "-4+table+12(%rip)", "at &0x4008" }, { "$4+table", "is &0x4004" }, { "cnt(%rip)", "at &0x6000" },
	{ "table+table(%rip)", "none" }, { "4+(%rip)", "none" }, { "table@PLT(%rip)", "none" }, { "$table@GOTOFF", "none" },
	/* The table of addresses: a slot of it, or the address itself where the program has no slot. */
	{ "far@GOTPCREL(%rip)", "at &0x3f10" }, { "table@GOTPCREL(%rip)", "is &0x4000" }, { "nosuch@GOTPCREL(%rip)", "none" },
	{ "far@GOTPCREL+8(%rip)", "none" },
	{ "table(,%rax,4)", "at &0x4000 r0 4 * +" }, { "table", "at &0x4000" }, { "4(%rip)", "none" },
	{ "(%rax", "none" }, { "()", "none" }, { "(%ah)", "none" }, { "(%rax,%rip)", "none" }, { "(%rax,%rbx,", "none" },
	{ "$5(%rax)", "none" }, { "", "none" }, { "8(%rax)x", "none" },
	/* i386 in code that can lie anywhere: a distance from the table's address, which any register may hold. */
	{ "table@GOTOFF(%ebx)", "at 256 r3 +" }, { "4+table@GOTOFF(%ebx)", "at 260 r3 +" }, { "table@GOTOFF+4(%eax,%ecx,4)", "at 260 r0 + r2 4 * +" },
	{ "table@GOTOFF", "none" }, { "@GOTOFF(%ebx)", "none" }, { "far@GOT(%ebx)", "at &0x3f10" }, { "table@GOT(%ebx)", "is &0x4000" },
}, a64[] = {
	{ "x0", "r0" }, { "w30", "r30" }, { "sp", "r31" }, { "x31", "none" }, { "x-1", "none" }, { "5", "is 5" }, { "#-5", "is -5" },
	{ "-5", "is -5" }, { "[x19]", "at r19" }, { "[sp, 8]", "at r31 +8" }, { "[sp,#-16]", "at r31 +-16" },
	{ "[x1, x2]", "at r1 r2 0 << to8u +" }, { "[x1, x2, lsl 3]", "at r1 r2 3 << to8u +" },
	{ "[x1, w2, sxtw 2]", "at r1 r2 to4s 2 << to8u +" }, { "[x1, w2, uxtw]", "at r1 r2 to4u 0 << to8u +" },
	{ "[x1, w2]", "none" }, { "[w1]", "none" }, { "[x1, x2, lsl 9]", "none" }, { "[x1", "none" }, { "table", "at &0x4000" },
	{ "[x1]!", "none" }, { "", "none" }, { "[x1, x2, ror 3]", "none" },
};

/* One note in BUF, with COUNT bytes of it left out at the end; its size. */
static size_t make_note(char *buf, const char *strings, size_t len)
{
	Elf64_Nhdr h = { 8, (Elf64_Word)(24 + len), 3 };
	uint64_t words[3] = { 0x1234, 0x2000, 0x5678 };

	memset(buf, 0, 512);
	memcpy(buf, &h, sizeof(h));
	memcpy(buf + 12, "stapsdt", 8);
	memcpy(buf + 20, words, sizeof(words));
	memcpy(buf + 44, strings, len);
	return (44 + len + 3) & ~(size_t)3;
}

/* The same with addresses of 4 bytes. */
static void test_compat_notes(void)
{
	static const char strings[] = "p\0m\0-4@%ax 8@8(%ebp) 8@%eax 8@%ebp";
	const struct sdt_file compat = { .machine = &machine_i386, .is_32bit = true, .pairs = true, .base = 0x3000, .symbol = symbol };
	const struct sdt_file clang = { .machine = &machine_i386, .is_32bit = true, .base = 0x3000, .symbol = symbol };
	struct {
		Elf32_Nhdr h;
		char name[8];
		uint32_t word[3];
		char strings[64];
	} note = { { 8, 12 + sizeof(strings), 3 }, "stapsdt", { 0xfffff234, 0x2000, 0 }, "" };
	const struct sdt_mark *m;

	memcpy(note.strings, strings, sizeof(strings));
	m = sdt_read(&compat, &note, sizeof(note));
	ok(m && m->address == 0x234 && !m->semaphore, "addresses of 4 bytes, which wrap");
	ok(m && m->n_args == 4 && m->arg[1].location.is_32bit && !strcmp(shown(m->arg[1].location), "at 8 r6 +"),
	   "operands of i386");
	ok(m && !strcmp(shown(m->arg[0].location), "r0"), "a register of 2 bytes holds a type of 4");
	ok(m && !strcmp(shown(m->arg[2].location), "r0:4 r1:4"), "8 bytes are in two registers");
	ok(m && m->arg[3].location.kind == LOC_NONE, "the last register has none after it");
	m = sdt_read(&clang, &note, sizeof(note));
	ok(m && m->arg[2].location.kind == LOC_NONE, "with clang, the second register is unknown");
	for (size_t n = 0; n < sizeof(note); n++)
		sdt_read(&compat, &note, n);
	ok(true, "cut off anywhere");
}

/* Without "SIZE@" a register's name says how wide the argument is; it has no sign then. */
static void test_untyped(void)
{
	static const char whole[] = "p\0m\0%al %ah %ax %r8d %rax $-5 8(%rax) table(%rip)";
	static const struct {
		unsigned size;
		bool is_signed;
		const char *expected;
	} args[] = {
		{ 1, false, "r0" }, { 1, false, "is r0 8 >>" }, { 2, false, "r0" }, { 4, false, "r8" }, { 8, false, "r0" },
		{ 8, true, "is -5" }, { 8, true, "at 8 r0 +" }, { 8, true, "at &0x4000" },
	};
	char buf[512];
	size_t size = make_note(buf, whole, sizeof(whole));
	const struct sdt_mark *m = sdt_read(&file, buf, size);

	ok(m && m->n_args == 8, "eight arguments without a type");
	for (int i = 0; m && i < m->n_args; i++)
		ok(m->arg[i].size == args[i].size && m->arg[i].is_signed == args[i].is_signed &&
		   !strcmp(shown(m->arg[i].location), args[i].expected), "argument %d is '%s' of %u bytes", i + 1,
		   shown(m->arg[i].location), m->arg[i].size);
}

static void test_notes(void)
{
	static const char whole[] = "prov\0mark\0-4@%eax 8@$7 2@%bl 1@-3(%rax) 8f@%xmm0 16@(%rax) %rcx";
	static const char spaced[] = "p\0m\0-4@[sp, 8] 8@x0 4@[x0, w1, sxtw 2]";
	const struct sdt_file arm = { .machine = &machine_arm64, .symbol = symbol };
	const struct sdt_mark *m;
	char buf[512];
	size_t size = make_note(buf, whole, sizeof(whole));

	m = sdt_read(&file, buf, size);
	ok(m && !m->next && !strcmp(m->provider, "prov") && !strcmp(m->name, "mark"), "provider and name");
	if (!m)
		return;
	ok(m->address == 0x2234 && m->semaphore == 0x6678, "moved as far as .stapsdt.base");
	ok(m->n_args == 7, "seven arguments, not %d", m->n_args);
	ok(m->arg[0].is_signed && m->arg[0].size == 4, "-4 is signed");
	ok(!m->arg[1].is_signed && m->arg[1].size == 8, "8 is not");
	ok(m->arg[4].location.kind == LOC_NONE && strstr(m->arg[4].location.why, "floating"), "8f is floating point");
	ok(m->arg[5].location.kind == LOC_NONE, "16 bytes are too many");
	ok(m->arg[6].location.kind == LOC_REGISTER && m->arg[6].size == 8, "no type: a long");
	for (size_t n = 0; n < size; n++)
		sdt_read(&file, buf, n);
	ok(true, "cut off anywhere");
	size = make_note(buf, whole, 9);
	ok(!sdt_read(&file, buf, size), "a string without an end is no mark");
	size = make_note(buf, spaced, sizeof(spaced));
	m = sdt_read(&arm, buf, size);
	ok(m && m->n_args == 3 && !strcmp(shown(m->arg[2].location), "at r0 r1 to4s 2 << to8u +"), "operands with spaces");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(x86) / sizeof(*x86); i++) {
		unsigned width;
		const char *got = shown(machine_x86_64.operand(&file, &(struct sdt_operand){ x86[i].text, 8, 0x1000 }, &width));

		ok(!strcmp(got, x86[i].expected), "x86-64 '%s' is '%s', got '%s'", x86[i].text, x86[i].expected, got);
	}
	for (size_t i = 0; i < sizeof(a64) / sizeof(*a64); i++) {
		unsigned width;
		const char *got = shown(machine_arm64.operand(&file, &(struct sdt_operand){ a64[i].text, 8, 0x1000 }, &width));

		ok(!strcmp(got, a64[i].expected), "aarch64 '%s' is '%s', got '%s'", a64[i].text, a64[i].expected, got);
	}
	test_notes();
	test_untyped();
	test_compat_notes();
	return tap_done();
}
