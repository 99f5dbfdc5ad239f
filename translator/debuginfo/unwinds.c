/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that read, or move, return addresses while they run: what throws exceptions or panics unwinds the stack by them, coroutines have
 * stacks of their own, and a thread that is cancelled unwinds its stack. They break where the kernel has replaced a return address.
 */
#include <string.h>

#include "lib/arena.h"
#include "translator/debuginfo/program.h"

/* Functions of libraries that do so. */
static const char *const unwinders[] = {
	"_Unwind_Backtrace", "_Unwind_ForcedUnwind", "_Unwind_RaiseException", "_Unwind_Resume", "makecontext", "pthread_cancel",
	"pthread_exit", "setcontext", "swapcontext", "thrd_exit",
};

/* Returns the one of them that the symbol NAME is, perhaps with a version after "@". NULL: it is another function. */
static const char *unwinder(const char *name)
{
	size_t len = strcspn(name, "@");

	for (size_t i = 0; i < sizeof(unwinders) / sizeof(unwinders[0]); i++)
		if (strlen(unwinders[i]) == len && !strncmp(name, unwinders[i], len))
			return unwinders[i];
	return NULL;
}

const char *target_unwinds(const struct target *t)
{
	const struct elf_file *e = target_elf(t);

	if (elf_has_section(e, ".gcc_except_table"))
		return "it has handlers of exceptions";
	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *found;
		GElf_Sym sym;

		/* Those of other files count too. */
		elf_symbol_name(e, i, &sym);
		found = sym.st_name < e->names_size ? unwinder(e->names + sym.st_name) : NULL;
		if (found)
			return arena_printf(&program_arena, "it has calls of %s()", found);
	}
	return NULL;
}
