/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the front end. The input is a script; embedded C is allowed, so that nothing is refused too early.
 * Checked: what parses is printed, parses again, and is then printed the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "translator/syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Thousands of messages a second help nobody. The sanitizers write to the file descriptor all the same. */
__attribute__((constructor)) static void be_quiet(void)
{
	stderr = fopen("/dev/null", "w");
}

static const char *config(void *data, const char *name)
{
	return name[strlen(name) - 1] == 'Y' ? "y" : name[strlen(name) - 1] == 'N' ? NULL : "250";
}

static bool parse(struct program *p, const char *text, size_t len)
{
	static const char *const args[] = { "5", "x + \"y\"", "@count(s)" };
	struct conditions c = {
		.kernel_v = "6.1.0", .kernel_vr = "6.1.0-56-amd64", .arch = "x86_64", .runtime = "kernel",
		.systemtap_v = "5.2", .privilege = "stapdev", .guru = true, .config = config,
	};
	struct parse_options opt = { .conditions = &c, .argv = args, .argc = 3, .guru = true };
	struct source *src = source_from_text(p, "fuzz", "");

	src->text = arena_strndup(&program_arena, text, len);
	src->len = len;
	return parse_source(p, src, &opt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program first = { 0 }, second = { 0 };
	struct text once = { 0 }, twice = { 0 };

	if (parse(&first, size ? (const char *)data : "", size)) {
		ast_print(&once, &first);
		if (once.len) {
			if (!parse(&second, text_str(&once), once.len))
				abort();
			ast_print(&twice, &second);
			if (strcmp(text_str(&once), text_str(&twice)))
				abort();
		}
	}
	text_deinit(&once);
	text_deinit(&twice);
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
