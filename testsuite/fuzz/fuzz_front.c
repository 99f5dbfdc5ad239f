/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the whole front end, from script text to generated C, for the user runtime: nothing of a kernel is read.
 * The input is a script, with embedded C allowed. Checked: whatever it says, no pass crashes, and what pass 2 accepts
 * without an error pass 3 either translates or refuses with one.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "testsuite/fuzz/front.h"
#include "translator/debuginfo/target.h"
#include "translator/gen/gen.h"
#include "translator/sema/sema.h"
#include "translator/sema/tapset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nor is a program of the machine read. */
struct target *__wrap_target_open_program(struct opened *o, const char *path, struct loc loc);

struct target *__wrap_target_open_program(struct opened *o, const char *path, struct loc loc)
{
	error(loc, DIAG_NO_PROGRAM, "no program");
	return NULL;
}

static bool translate(const char *text, size_t len)
{
	static const char *const args[] = { "5", "x + \"y\"" };
	struct conditions c = fuzz_conditions("user");
	struct parse_options po = { .conditions = &c, .argv = args, .argc = 2, .guru = true };
	struct program p = {
		.platform.runtime = RUNTIME_USER, .session.last_pass = 3, .language = { .guru = true, .no_optimise = len & 1 },
		.parse = &po,
	};
	struct source *src = source_from_text(&p, "fuzz", "");
	struct text out = { 0 };
	bool ok;

	src->text = arena_strndup(&program_arena, text, len);
	src->len = len;
	ok = tapset_index(&p, &po);
	if (ok)
		tapset_macros_for(&p, src);
	ok = ok && parse_source(&p, src, &po) && sema_run(&p) && gen_program(&p, &out);
	if (!ok && !diag_errors(NULL))
		abort();
	text_deinit(&out);
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	translate(size ? (const char *)data : "", size);
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
