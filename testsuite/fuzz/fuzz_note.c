/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the notes of marks and their operands. The input is a section; then its text, line by line, is operands of
 * all architectures.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "translator/debuginfo/sdt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *symbol(const char *name, enum sdt_relation relation, uint64_t pc, int64_t *ret, void *data)
{
	*ret = 0x4000;
	return strlen(name) % 2 ? NULL : "there is none";
}

static void check(const struct location *l)
{
	if (l->kind == LOC_NONE ? !l->why : l->n_ops < 0 || l->n_ops > 9)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int i = 0; i < 3; i++) {
		struct sdt_file f = { .machine = i == 1 ? &machine_arm64 : i == 2 ? &machine_i386 : &machine_x86_64, .is_32bit = i == 2, .base = 0x2000, .symbol = symbol };
		const uint8_t *at = data, *end = data + size;

		for (const struct sdt_mark *m = sdt_read(&f, data, size); m; m = m->next) {
			if (m->n_args > SDT_ARGS_MAX)
				abort();
			for (int k = 0; k < m->n_args; k++)
				check(&m->arg[k].location);
		}
		while (at < end) {
			const uint8_t *nl = memchr(at, '\n', (size_t)(end - at)), *stop = nl ? nl : end;
			const char *text = arena_strndup(&program_arena, (const char *)at, (size_t)(stop - at));
			struct sdt_operand op = { text, 8, 0x1000 };
			unsigned width = 0;
			struct location l = f.machine->operand(&f, &op, &width);

			check(&l);
			at = stop + 1;
		}
	}
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
