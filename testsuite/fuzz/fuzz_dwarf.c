/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the readers of debugging information, on a damaged program (damage.h). The bits of the input's first byte
 * say what is asked: one question takes a fraction of the time of all.
 */
#include "lib/arena.h"
#include "lib/diag.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/visit.h"
#include "translator/debuginfo/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ASK_FUNCTIONS = 1, ASK_CALLEES = 2, ASK_NAMES = 4 };

static void ask(struct target *t, unsigned what)
{
	struct function_query q = { .func = "*", .inlined = true, .outlined = true };
	struct callee_query callees = { .callee.func = "*", .depth = 2, .inlined = true, .outlined = true };

	if (what & ASK_FUNCTIONS)
		for (struct place *p = target_functions(t, &q); p; p = p->next)
			visit_place(t, p);
	if (what & ASK_CALLEES)
		for (struct place *p = target_callees(t, &q, &callees); p; p = p->next)
			target_variables(t, p);
	if (what & ASK_NAMES) {
		visit_type(target_type(t, "struct fixture"), 0);
		target_symbol(t, "fixture_static");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *e;
	struct target *t;
	char *copy;

	if (!size)
		return 0;
	if (!compiled.len)
		compile(NULL);
	n_visited = 0;
	copy = damaged(data + 1, size - 1);
	e = elf_in_memory("fuzzed", copy, compiled.len);
	t = e ? dwarf_open(e) : NULL;
	if (t) {
		ask(t, data[0]);
		target_close(t);
	} else {
		elf_close(e);
	}
	free(copy);
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
