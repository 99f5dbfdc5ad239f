/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: user objects and their tables. The first byte says what the rest is, its highest bit that a program of 32 bits
 * is meant: call frame information as in a
 * section, a line table, an ELF file, or a block of tables as the kit gets it. Checked: what we make of the first two passes the kit's
 * own check, and a walk with registers and a stack taken from the input stays inside the tables and ends.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/loader/lines.h"
#include "runtime/loader/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES_MAX = 32 };

struct memory {
	const uint8_t *data;
	size_t size;
};

static int read_input(void *of, kt_u64 address, kt_u32 size, kt_u64 *ret)
{
	const struct memory *m = of;

	*ret = 0;
	if (m->size < 8 || address % 64 == 63)
		return -1;
	memcpy(ret, m->data + address % (m->size - 7), size);
	return 0;
}

static void walk(const struct kt_unwind_table *t, struct memory m, bool is_32bit)
{
	const struct kt_unwind_machine machine = { .sp = 7, .fp = 6, .ip = 16, .ra = 16, .word = is_32bit ? 4 : 8 };
	struct kt_unwind_state s = { .known = 0x1ffff, .first = 1, .exact = 1 };

	for (kt_u32 i = 0; i < 17; i++)
		read_input(&m, i * 8, machine.word, &s.reg[i]);
	for (int i = 0; i < FRAMES_MAX; i++) {
		kt_u64 sp = s.reg[7], pc = kt_unwind_pc(&machine, &s);
		kt_u32 place = t->n_rows ? t->rows[pc % t->n_rows].place + (kt_u32)(pc >> 8 & 7) : (kt_u32)pc;
		enum kt_unwind_step r = kt_unwind_step(t, place, &machine, &s, read_input, &m);
		const struct kt_unwind_symbol *symbol = kt_unwind_symbol(t, place);
		const char *file = "";

		kt_unwind_line(t, place, &file);
		if (strlen(file) > KT_UNWIND_NAMES_MAX)
			abort();
		kt_unwind_place(t, pc);
		if (symbol && strlen(t->names + symbol->name) > KT_UNWIND_NAMES_MAX)
			abort();
		if (r == KT_STEP_NONE)
			r = kt_unwind_step_fp(&machine, &s, read_input, &m);
		if (r != KT_STEP_OK)
			return;
		if (!s.exact && s.reg[7] <= sp && i)
			abort(); /* the stack did not grow */
		if (is_32bit && (s.reg[7] > UINT32_MAX || s.reg[16] > UINT32_MAX))
			abort(); /* no address of such a program */
	}
}

static void from_cfi(const uint8_t *data, size_t size, bool debug, bool is_32bit)
{
	struct cfi_section section = { .data = data, .size = size, .address = 1 << 24, .debug = debug, .is_32bit = is_32bit };
	struct kt_unwind_table t = { 0 };
	struct cfi cfi = { 0 };
	struct kt_unwind_head head = { .magic = KT_UNWIND_MAGIC, .n_names = 1 };
	size_t rows, words, n;
	char *block;

	cfi_add(&cfi, &section, 0);
	cfi_finish(&cfi);
	head.n_rows = (kt_u32)cfi.n_rows;
	head.n_words = (kt_u32)cfi.n_words;
	rows = cfi.n_rows * sizeof(*cfi.rows);
	words = cfi.n_words * sizeof(*cfi.words);
	n = sizeof(head) + rows + words + 1;
	block = malloc(n);
	memcpy(block, &head, sizeof(head));
	if (rows)
		memcpy(block + sizeof(head), cfi.rows, rows);
	if (words)
		memcpy(block + sizeof(head) + rows, cfi.words, words);
	block[n - 1] = 0;
	if (kt_unwind_open(&t, block, n))
		abort();
	walk(&t, (struct memory){ data, size }, is_32bit);
	free(block);
	cfi_deinit(&cfi);
}

static void from_lines(const uint8_t *data, size_t size)
{
	const struct span all = { data, size }, strings[2] = { all, all };
	struct lines l = { 0 };

	lines_add(&l, all, strings, 0, 1 << 20);
	lines_finish(&l);
	for (size_t i = 0; i < l.n; i++)
		if (l.rows[i].file >= l.n_files || (i && l.rows[i].place <= l.rows[i - 1].place))
			abort();
	if (l.n_names && l.names[l.n_names - 1])
		abort();
	lines_pack(&l);
	lines_deinit(&l);
}

static void from_block(const void *block, size_t size, bool is_32bit)
{
	struct kt_unwind_table t;

	if (!kt_unwind_open(&t, block, size))
		walk(&t, (struct memory){ block, size }, is_32bit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy, what = size ? *data : 0;
	struct libraries libraries = { .may_load = true };
	struct object o;
	struct span all;

	if (size < 2)
		return 0;
	copy = malloc(size - 1); /* aligned, and of the very size */
	memcpy(copy, data + 1, size - 1);
	all = (struct span){ copy, size - 1 };
	if (what % 8 == 4) {
		from_lines(copy, size - 1);
	} else if (what % 4 < 2) {
		from_cfi(copy, size - 1, what % 4, what & 0x80);
	} else if (what % 4 == 2) {
		from_block(copy, size - 1, what & 0x80);
	} else if (!object_parse(&o, all, all, "fuzz", true, &libraries)) {
		struct kt_unwind_table t;

		if (kt_unwind_open(&t, o.block, o.size))
			abort();
		walk(&t, (struct memory){ o.block, o.size }, what & 0x80);
		object_deinit(&o);
	}
	free(copy);
	return 0;
}
