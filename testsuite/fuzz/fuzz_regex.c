/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the compiler and the matchers of regular expressions. The input is a NUL-terminated pattern and a text.
 * Checked: both matchers agree, groups lie within the text and within their match, and the C that is emitted ends.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "runtime/core/regex.h"
#include "translator/sema/regex.h"

enum { TEXT = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Thousands of messages a second help nobody. The sanitizers write to the file descriptor all the same. */
__attribute__((constructor)) static void be_quiet(void)
{
	stderr = fopen("/dev/null", "w");
}

static void check_groups(const struct kt_ctx *c, const struct kt_regex *re, const char *text)
{
	for (kt_s32 i = 0; i <= c->match_groups; i++) {
		kt_u16 from = c->match_at[2 * i], to = c->match_at[2 * i + 1];

		if (i && (from == KT_NO_PLACE || to == KT_NO_PLACE))
			continue;
		if (from > to || to > strlen(text) || from < c->match_at[0] || to > c->match_at[1])
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kt_ctx ctx;
	size_t len = strnlen((const char *)data, size), n = size > len ? size - len - 1 : 0;
	char *pattern = malloc(len + 1), text[TEXT], copy[TEXT];
	struct regex re;
	struct text c = { 0 };

	memcpy(pattern, data, len);
	pattern[len] = 0;
	if (n > TEXT - 1)
		n = TEXT - 1;
	if (n)
		memcpy(text, data + len + 1, n);
	text[n] = 0;
	if (regex_compile((struct loc){ 0 }, pattern, len, true, &re)) {
		kt_u16 *room = malloc(regex_room(&re) * sizeof(*room));

		ctx.match_text = copy;
		ctx.match_at = malloc(2 * (re.tables.n_groups + 1) * sizeof(*ctx.match_at));
		if (kt_regex_groups(&ctx, &re.tables, text, TEXT, room) != kt_regex_match(&re.tables, text))
			abort();
		check_groups(&ctx, &re.tables, text);
		regex_emit(&c, 0, &re);
		text_deinit(&c);
		free(ctx.match_at);
		free(room);
	}
	free(pattern);
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
