/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap explain [TAG]`: the section of ktap-errors(7) about a message. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/complete.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/text.h"

/* Sections of ktap-errors(7). */
static const struct explanation {
	const char *tag, *summary, *text;
} explanations[] = {
#include "cli/explain-texts.h"
};

enum { N_EXPLANATIONS = sizeof(explanations) / sizeof(explanations[0]) };

/* The tag in WORD, which may be written as messages print it: "[no-match]". */
static const char *tag_of(const char *word)
{
	size_t len = strlen(word);

	return len > 2 && word[0] == '[' && word[len - 1] == ']' ? arena_strndup(&program_arena, word + 1, len - 2) : word;
}

void explain_words(word_fn *fn, void *data)
{
	for (int i = 0; i < N_EXPLANATIONS; i++)
		fn(explanations[i].tag, explanations[i].summary, data);
}

static int list_tags(void)
{
	for (int i = 0; i < N_EXPLANATIONS; i++)
		printf("%-16s %s\n", explanations[i].tag, explanations[i].summary);
	return command_written();
}

static int explain(const char *tag)
{
	struct nearest near = { .word = tag };

	for (int i = 0; i < N_EXPLANATIONS; i++) {
		const struct explanation *e = &explanations[i];

		if (!strcmp(e->tag, tag)) {
			printf("[%s] %s\n\n%s", e->tag, e->summary, e->text);
			return command_written();
		}
		nearest_add(&near, e->tag);
	}
	command_misused("no message has the tag '%s'", tag);
	if (nearest_get(&near))
		note(nowhere, "did you mean '%s'?", nearest_get(&near));
	note(nowhere, "'ktap explain' lists the tags");
	return 1;
}

int explain_run(int argc, char **argv)
{
	if (argc > 1)
		return command_misused("explain takes one tag, as messages have it in brackets at their end");
	return argc ? explain(tag_of(argv[0])) : list_tags();
}
