/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the readers of debugging information, on a damaged program (damage.h). Everything that can be asked is asked. */
#include "translator/base/arena.h"
#include "translator/base/diag.h"
#include "translator/target/reader.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/visit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct function_query q = { .func = "*", .inlined = true, .outlined = true };
	struct callee_query callees = { .callee.func = "*", .depth = 2, .inlined = true, .outlined = true };
	struct elf_file *e;
	struct target *t;
	char *copy;

	if (!compiled.len)
		compile(NULL);
	n_visited = 0;
	copy = damaged(data, size);
	e = elf_in_memory("fuzzed", copy, compiled.len);
	t = e ? dwarf_open(e) : NULL;
	if (t) {
		for (struct place *p = target_functions(t, &q); p; p = p->next)
			visit_place(t, p);
		for (struct place *p = target_callees(t, &q, &callees); p; p = p->next)
			target_variables(t, p);
		target_type(t, "struct fixture");
		target_symbol(t, "fixture_static");
		target_close(t);
	} else {
		elf_close(e);
	}
	free(copy);
	diag_forget();
	arena_deinit(&program_arena);
	return 0;
}
