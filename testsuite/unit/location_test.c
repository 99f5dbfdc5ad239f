/* SPDX-License-Identifier: GPL-2.0-or-later */
/* location_emit(): the C that it writes is compiled with runtime/script.h against a small fake machine, run, and its
 * values compared with what the DWARF standard says the operations compute.
 */
#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "testsuite/unit/tap.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/target.h"

/* The machine: register N holds 0x1000 * N; memory holds at each address its complement; 0 faults. */
static const char machine[] =
	"#include \"runtime/script.h\"\n"
	"#include <stdio.h>\n"
	"kt_u64 kt_register(struct kt_ctx *c, kt_u32 n) { return 0x1000ull * n; }\n"
	"kt_u64 kt_relocate(kt_u64 a) { return a + 0x100000; }\n"
	"kt_u64 kt_deref(struct kt_ctx *c, kt_u64 a, kt_u32 size)\n"
	"{\n"
	"	if (!a) kt_error(c, \"read fault\");\n"
	"	return size == 8 ? ~a : ~a & (1ull << 8 * size) - 1;\n"
	"}\n";

static const struct test {
	const char *what;
	struct loc_op ops[12];
	uint64_t value;
	const char *error; /* the handler fails with this instead */
} tests[] = {
	{ "register and offset", { { DW_OP_bregx, 3, -8 } }, 0x3000 - 8, NULL },
	{ "linked address", { { DW_OP_addr, 0x40, 0 } }, 0x100040, NULL },
	{ "constant", { { DW_OP_const8u, -100, 0 } }, (uint64_t)-100, NULL },
	{ "deref", { { DW_OP_bregx, 1, 0 }, { DW_OP_deref, 0, 0 } }, ~(uint64_t)0x1000, NULL },
	{ "deref_size", { { DW_OP_bregx, 1, 0 }, { DW_OP_deref_size, 2, 0 } }, 0xefff, NULL },
	{ "deref fault", { { DW_OP_const8u, 0, 0 }, { DW_OP_deref, 0, 0 } }, 0, "read fault" },
	{ "plus_uconst", { { DW_OP_bregx, 1, 0 }, { DW_OP_plus_uconst, 40, 0 } }, 0x1028, NULL },
	{ "minus", { { DW_OP_const8u, 5, 0 }, { DW_OP_const8u, 7, 0 }, { DW_OP_minus, 0, 0 } }, (uint64_t)-2, NULL },
	{ "div is signed", { { DW_OP_const8u, -8, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_div, 0, 0 } }, (uint64_t)-4, NULL },
	{ "div by -1", { { DW_OP_const8u, INT64_MIN, 0 }, { DW_OP_const8u, -1, 0 }, { DW_OP_div, 0, 0 } },
	  (uint64_t)INT64_MIN, NULL },
	{ "div by 0", { { DW_OP_const8u, 1, 0 }, { DW_OP_const8u, 0, 0 }, { DW_OP_div, 0, 0 } }, 0,
	  "division by 0 in a location" },
	{ "mod is unsigned", { { DW_OP_const8u, -1, 0 }, { DW_OP_const8u, 10, 0 }, { DW_OP_mod, 0, 0 } }, 5, NULL },
	{ "mod by 0", { { DW_OP_const8u, 1, 0 }, { DW_OP_const8u, 0, 0 }, { DW_OP_mod, 0, 0 } }, 0,
	  "division by 0 in a location" },
	{ "shl", { { DW_OP_const8u, 3, 0 }, { DW_OP_const8u, 4, 0 }, { DW_OP_shl, 0, 0 } }, 48, NULL },
	{ "shl by 64", { { DW_OP_const8u, 3, 0 }, { DW_OP_const8u, 64, 0 }, { DW_OP_shl, 0, 0 } }, 0, NULL },
	{ "shr", { { DW_OP_const8u, -1, 0 }, { DW_OP_const8u, 60, 0 }, { DW_OP_shr, 0, 0 } }, 15, NULL },
	{ "shra", { { DW_OP_const8u, -16, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_shra, 0, 0 } }, (uint64_t)-4, NULL },
	{ "shra by 200", { { DW_OP_const8u, -16, 0 }, { DW_OP_const8u, 200, 0 }, { DW_OP_shra, 0, 0 } }, ~(uint64_t)0, NULL },
	{ "lt is signed", { { DW_OP_const8u, -1, 0 }, { DW_OP_const8u, 1, 0 }, { DW_OP_lt, 0, 0 } }, 1, NULL },
	{ "neg", { { DW_OP_const8u, 7, 0 }, { DW_OP_neg, 0, 0 } }, (uint64_t)-7, NULL },
	{ "not", { { DW_OP_const8u, 7, 0 }, { DW_OP_not, 0, 0 } }, ~(uint64_t)7, NULL },
	{ "abs", { { DW_OP_const8u, -7, 0 }, { DW_OP_abs, 0, 0 } }, 7, NULL },
	{ "dup", { { DW_OP_const8u, 7, 0 }, { DW_OP_dup, 0, 0 }, { DW_OP_mul, 0, 0 } }, 49, NULL },
	{ "over", { { DW_OP_const8u, 7, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_over, 0, 0 }, { DW_OP_minus, 0, 0 } },
	  (uint64_t)-5, NULL },
	{ "swap", { { DW_OP_const8u, 7, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_swap, 0, 0 }, { DW_OP_minus, 0, 0 } },
	  (uint64_t)-5, NULL },
	/* 1 2 3 (3 on top) becomes 3 1 2. */
	{ "rot", { { DW_OP_const8u, 1, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_const8u, 3, 0 }, { DW_OP_rot, 0, 0 },
		   { DW_OP_drop, 0, 0 } }, 1, NULL },
	{ "pick", { { DW_OP_const8u, 1, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_const8u, 3, 0 },
		    { DW_OP_pick, 2, 0 } }, 1, NULL },
	{ "convert to s32", { { DW_OP_const8u, 0xffffffff, 0 }, { DW_OP_convert, 4, 1 } }, ~(uint64_t)0, NULL },
	{ "convert to u32", { { DW_OP_const8u, -1, 0 }, { DW_OP_convert, 4, 0 } }, 0xffffffff, NULL },
	{ "u32 wraps", { { DW_OP_const8u, 0xffffffff, 0 }, { DW_OP_convert, 4, 0 }, { DW_OP_const8u, 1, 0 },
			 { DW_OP_convert, 4, 0 }, { DW_OP_plus, 0, 0 }, { DW_OP_convert, 8, 0 } }, 0, NULL },
	{ "u32 divides unsigned", { { DW_OP_const8u, -1, 0 }, { DW_OP_convert, 4, 0 }, { DW_OP_const8u, 2, 0 },
				    { DW_OP_convert, 4, 0 }, { DW_OP_div, 0, 0 } }, 0x7fffffff, NULL },
	{ "s32 shifts logically in its width", { { DW_OP_const8u, -1, 0 }, { DW_OP_convert, 4, 1 },
						 { DW_OP_const8u, 28, 0 }, { DW_OP_shr, 0, 0 } }, 15, NULL },
	{ "unsigned long compares unsigned", { { DW_OP_const8u, -1, 0 }, { DW_OP_convert, 8, 0 }, { DW_OP_const8u, 1, 0 },
					       { DW_OP_convert, 8, 0 }, { DW_OP_lt, 0, 0 } }, 0, NULL },
	/* As gcc writes the smaller of two: the limit below the value, and above it. */
	{ "min of 9, 7", { { DW_OP_const8u, 9, 0 }, { DW_OP_const8u, 7, 0 }, { DW_OP_over, 0, 0 }, { DW_OP_over, 0, 0 },
			   { DW_OP_le, 0, 0 }, { DW_OP_bra, 1, 0 }, { DW_OP_swap, 0, 0 }, { DW_OP_drop, 0, 0 } }, 7, NULL },
	{ "min of 5, 7", { { DW_OP_const8u, 5, 0 }, { DW_OP_const8u, 7, 0 }, { DW_OP_over, 0, 0 }, { DW_OP_over, 0, 0 },
			   { DW_OP_le, 0, 0 }, { DW_OP_bra, 1, 0 }, { DW_OP_swap, 0, 0 }, { DW_OP_drop, 0, 0 } }, 5, NULL },
	{ "both ways, taken", { { DW_OP_bregx, 1, 0 }, { DW_OP_bregx, 2, 0 }, { DW_OP_bra, 2, 0 }, { DW_OP_neg, 0, 0 },
				{ DW_OP_skip, 1, 0 }, { DW_OP_not, 0, 0 }, { DW_OP_plus_uconst, 1, 0 } }, (uint64_t)-0x1000, NULL },
	{ "both ways, not taken", { { DW_OP_bregx, 1, 0 }, { DW_OP_const8u, 0, 0 }, { DW_OP_bra, 2, 0 }, { DW_OP_not, 0, 0 },
				    { DW_OP_skip, 1, 0 }, { DW_OP_neg, 0, 0 }, { DW_OP_plus_uconst, 1, 0 } },
	  (uint64_t)-0x1000, NULL },
	/* Only the way that is gone reads memory. */
	{ "the other way's fault", { { DW_OP_const8u, 0, 0 }, { DW_OP_bregx, 1, 0 }, { DW_OP_bra, 1, 0 }, { DW_OP_deref, 0, 0 } },
	  0, NULL },
	{ "its own fault", { { DW_OP_const8u, 0, 0 }, { DW_OP_const8u, 0, 0 }, { DW_OP_bra, 1, 0 }, { DW_OP_deref, 0, 0 } }, 0,
	  "read fault" },
	/* ~9 + 3: the inner branch is taken, the outer one is not. */
	{ "a choice in a choice", { { DW_OP_const8u, 9, 0 }, { DW_OP_const8u, 0, 0 }, { DW_OP_bra, 4, 0 }, { DW_OP_dup, 0, 0 },
				    { DW_OP_bra, 1, 0 }, { DW_OP_neg, 0, 0 }, { DW_OP_not, 0, 0 }, { DW_OP_plus_uconst, 3, 0 } },
	  (uint64_t)-7, NULL },
	/* Of programs of 32 bits: the last N_32BIT. */
	{ "a register has 32 bits", { { DW_OP_bregx, 1, -0x2000 } }, 0xfffff000, NULL },
	{ "sums wrap at 32 bits", { { DW_OP_const8u, 0xffffffff, 0 }, { DW_OP_plus_uconst, 2, 0 } }, 1, NULL },
	{ "32 bits compare signed", { { DW_OP_const8u, -1, 0 }, { DW_OP_const8u, 1, 0 }, { DW_OP_lt, 0, 0 } }, 1, NULL },
	{ "32 bits divide signed", { { DW_OP_const8u, -6, 0 }, { DW_OP_const8u, 2, 0 }, { DW_OP_div, 0, 0 } }, 0xfffffffd, NULL },
	{ "32 bits shift their sign", { { DW_OP_const8u, -8, 0 }, { DW_OP_const8u, 40, 0 }, { DW_OP_shra, 0, 0 } }, 0xffffffff,
	  NULL },
	{ "32 bits shift logically", { { DW_OP_const8u, -8, 0 }, { DW_OP_const8u, 1, 0 }, { DW_OP_shr, 0, 0 } }, 0x7ffffffc, NULL },
	{ "abs of 32 bits", { { DW_OP_const8u, -8, 0 }, { DW_OP_abs, 0, 0 } }, 8, NULL },
	{ "a pointer of 32 bits is read", { { DW_OP_bregx, 1, 0 }, { DW_OP_deref, 0, 0 } }, 0xffffefff, NULL },
	{ "a constant of 64 bits stays one", { { DW_OP_const8u, 0x123456789, 1 }, { DW_OP_convert, 8, 0 } }, 0x123456789, NULL },
};

static const struct refusal {
	const char *what;
	struct loc_op ops[4];
	const char *why;
} refusals[] = {
	{ "underflow", { { DW_OP_plus, 0, 0 } }, "its location expression takes more from the stack than is there" },
	{ "empty", { { DW_OP_const8u, 1, 0 }, { DW_OP_drop, 0, 0 } }, "its location expression leaves nothing" },
	{ "branch out", { { DW_OP_skip, 3, 0 } }, "its location expression branches back, or out of a choice" },
	{ "branch back", { { DW_OP_const8u, 1, 0 }, { DW_OP_bra, -1, 0 } },
	  "its location expression branches back, or out of a choice" },
	{ "branch on nothing", { { DW_OP_bra, 1, 0 }, { DW_OP_lit0, 0, 0 } },
	  "its location expression takes more from the stack than is there" },
	{ "stacks that differ", { { DW_OP_bregx, 1, 0 }, { DW_OP_dup, 0, 0 }, { DW_OP_bra, 1, 0 }, { DW_OP_dup, 0, 0 } },
	  "the ways of its location expression leave different stacks" },
	{ "types that differ", { { DW_OP_bregx, 1, 0 }, { DW_OP_dup, 0, 0 }, { DW_OP_bra, 1, 0 }, { DW_OP_convert, 4, 1 } },
	  "the ways of its location expression leave different types" },
	{ "unknown", { { 0xff, 0, 0 } }, "its location uses an operation that this version does not compute" },
	{ "odd size", { { DW_OP_const8u, 1, 0 }, { DW_OP_deref_size, 3, 0 } },
	  "it is read from memory in an odd size" },
	{ "pick too deep", { { DW_OP_const8u, 1, 0 }, { DW_OP_pick, 1, 0 } },
	  "its location expression takes more from the stack than is there" },
};

static int count_ops(const struct loc_op *ops, int max)
{
	int n = 0;

	while (n < max && ops[n].atom)
		n++;
	return n;
}

/* One case of the generated program: prints the value, or the message after a failure. */
static void add_case(struct text *t, int n, const struct location *l, uint64_t size)
{
	const char *why = "?";

	text_printf(t, "static kt_u64 case%d(struct kt_ctx *c)\n{\n\treturn ", n);
	if (!location_emit(t, l, size, "0", false, &why))
		text_printf(t, "0 /* refused: %s */", why);
	text_puts(t, ";\n\tgoto kt_fail;\nkt_fail:\n\treturn 0;\n}\n");
}

/* Cases that are not one list of operations. */
enum { N_TESTS = sizeof(tests) / sizeof(*tests), N_32BIT = 9, N_EXTRA = 6 };

static struct location extras[N_EXTRA];
static const uint64_t extra_sizes[N_EXTRA] = { 8, 8, 4, 8, 4, 2 };
static const uint64_t extra_values[N_EXTRA] = {
	0x5000,             /* a register */
	0x0000200000001000, /* two registers, 4 bytes each */
	0x1000,             /* the first 4 bytes of the same */
	/* 4 bytes of memory at 0x1000, then 4 of the constant */
	0x00000007ffffefff,
	0x2000,             /* a part of the pieces: the second half */
	0x20,               /* a part of a register: byte 1 of 0x2000 */
};

static void make_extras(void)
{
	static struct loc_op seven = { DW_OP_const8u, 7, 0 }, memory = { DW_OP_bregx, 1, 0 };
	static struct location second = { .kind = LOC_REGISTER, .reg = 2, .piece_size = 4 };
	static struct location first = { .kind = LOC_REGISTER, .reg = 1, .piece_size = 4, .next = &second };
	static struct location constant = { .kind = LOC_VALUE, .ops = &seven, .n_ops = 1, .piece_size = 4 };
	static struct location in_memory = { .kind = LOC_ADDRESS, .ops = &memory, .n_ops = 1, .piece_size = 4,
					     .next = &constant };
	struct location two = { .kind = LOC_PIECES, .next = &first };
	struct location reg = { .kind = LOC_REGISTER, .reg = 2 };

	extras[0] = (struct location){ .kind = LOC_REGISTER, .reg = 5 };
	extras[1] = two;
	extras[2] = two;
	extras[3] = (struct location){ .kind = LOC_PIECES, .next = &in_memory };
	extras[4] = location_part(&two, 4, 4);
	extras[5] = location_part(&reg, 1, 1);
}

static void write_program(struct text *t)
{
	text_puts(t, machine);
	for (int i = 0; i < N_TESTS; i++) {
		struct location l = { .kind = LOC_VALUE, .ops = tests[i].ops, .n_ops = count_ops(tests[i].ops, 12),
				      .is_32bit = i >= N_TESTS - N_32BIT };

		add_case(t, i, &l, 8);
	}
	for (int i = 0; i < N_EXTRA; i++)
		add_case(t, N_TESTS + i, &extras[i], extra_sizes[i]);
	text_puts(t, "static kt_u64 (*const cases[])(struct kt_ctx *) = {\n");
	for (int i = 0; i < N_TESTS + N_EXTRA; i++)
		text_printf(t, "\tcase%d,\n", i);
	text_puts(t, "};\nint main(void)\n{\n"
		     "\tfor (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {\n"
		     "\t\tstruct kt_ctx c = { 0 };\n\t\tkt_u64 v = cases[i](&c);\n"
		     "\t\tif (c.error) printf(\"%s\\n\", c.error); else printf(\"%llx\\n\", v);\n\t}\n}\n");
}

/* Compiles and runs the program in a fresh folder; its output, or an empty text. */
static void run_program(const struct text *program, struct text *out)
{
	char dir[] = "/tmp/ktap-location-XXXXXX";
	_cleanup_free_ char *c = NULL, *exe = NULL;
	struct proc compile = {}, run = {};

	if (!mkdtemp(dir))
		return;
	c = xasprintf("%s/t.c", dir);
	exe = xasprintf("%s/t", dir);
	compile.argv = (const char *[]){ "cc", "-std=gnu11", "-O1", "-w", "-fno-strict-overflow",
					 "-I" KTAP_SRCDIR, "-I" KTAP_SRCDIR "/runtime", "-o", exe, c, NULL };
	run.argv = (const char *[]){ exe, NULL };
	run.out = out;
	if (!text_write_file(program, c) && !proc_run(&compile))
		proc_run(&run);
	unlink(exe);
	unlink(c);
	rmdir(dir);
}

static void check_refusals(void)
{
	struct text t = {};
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		const struct refusal *r = &refusals[i];
		struct location l = { .kind = LOC_VALUE, .ops = r->ops, .n_ops = count_ops(r->ops, 4) };

		why = "emitted";
		location_emit(&t, &l, 8, "0", false, &why);
		is_str(why, r->why, r->what);
	}
	is_int((long long)t.len, 0, "a refusal leaves no text behind");
	text_deinit(&t);
}

/* A stack of any depth in the input must not overflow ours. */
static void check_deep(void)
{
	static struct loc_op ops[5000];
	struct location l = { .kind = LOC_VALUE, .ops = ops, .n_ops = 5000 };
	struct text t = {};
	const char *why = "emitted";

	for (int i = 0; i < 5000; i++)
		ops[i] = (struct loc_op){ DW_OP_const8u, i, 0 };
	ok(!location_emit(&t, &l, 8, "0", false, &why), "5,000 values on the stack are refused");
	is_str(why, "its location expression needs a deeper stack", "with the reason");
	text_deinit(&t);
}

/* What a damaged file says of arguments: sizes that nobody passes, offsets that no stack has. */
static void check_damaged(void)
{
	struct abi_layout l = abi_layout(&machine_x86_64);
	const struct ctype large = { .size = UINT64_MAX - 3 }, number = { .size = 8 };

	ok(abi_in_memory(&l, INT64_MAX).ops->b == INT64_MIN + 7, "an offset at the end of all numbers");
	ok(abi_next(&l, &number).kind == LOC_REGISTER, "the first argument");
	ok(abi_next(&l, &large).kind == LOC_NONE, "an argument larger than memory");
	ok(abi_next(&l, &number).kind == LOC_NONE, "what comes behind it is not known either");
}

/* RISC-V ABIs Specification 2.1: aggregates of up to two words may be split between the last register and the stack, larger ones are passed by
 * reference; the address of a result in memory is the first argument. */
static void check_riscv(void)
{
	struct abi_layout l = abi_layout(&machine_riscv64);
	const struct ctype word = { .size = 8 }, pair = { .kind = CT_STRUCT, .size = 16 }, large = { .kind = CT_STRUCT, .size = 24 };
	struct location at;

	abi_skip_result(&l);
	is_int(abi_next(&l, &word).reg, 11, "after the address of the result, a1");
	at = abi_next(&l, &large);
	ok(at.kind == LOC_ADDRESS && at.ops[0].a == 12, "a large structure is where a2 points");
	at = abi_next(&l, &pair);
	ok(at.kind == LOC_PIECES && at.next->reg == 13 && at.next->next->reg == 14, "a pair is in a3 and a4");
	abi_next(&l, &pair);
	at = abi_next(&l, &pair);
	ok(at.kind == LOC_PIECES && at.next->reg == 17, "the first word of a third pair is in a7");
	ok(at.next->next->kind == LOC_ADDRESS && at.next->next->ops[0].a == 2 && at.next->next->ops[0].b == 0, "and the second at the stack pointer");
	at = abi_next(&l, &word);
	ok(at.kind == LOC_ADDRESS && at.ops[0].b == 8, "the next argument is above it");
}

int main(void)
{
	struct text program = {}, out = {};
	char *line, *rest;

	make_extras();
	write_program(&program);
	run_program(&program, &out);
	line = strtok_r(out.buf ? out.buf : (char[]){ "" }, "\n", &rest);
	for (int i = 0; i < N_TESTS + N_EXTRA; i++, line = line ? strtok_r(NULL, "\n", &rest) : NULL) {
		char want[64];

		snprintf(want, sizeof(want), "%llx",
			 (unsigned long long)(i < N_TESTS ? tests[i].value : extra_values[i - N_TESTS]));
		is_str(line ? line : "(nothing)", i < N_TESTS && tests[i].error ? tests[i].error : want,
		       i < N_TESTS ? tests[i].what : "a location of parts");
	}
	check_refusals();
	check_deep();
	check_damaged();
	check_riscv();
	text_deinit(&program);
	text_deinit(&out);
	arena_deinit(&program_arena);
	return tap_done();
}
