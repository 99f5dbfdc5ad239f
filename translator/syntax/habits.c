/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes habits of other languages in the text of a script, for the notes of errors. Runs on failure only, so that expressions
 * are compiled at their first use.
 */
#include "translator/syntax/habits.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/syntax/ast.h"

static const struct {
	const char *word, *instead;
} words[] = {
#define WORD(word, instead) { word, instead },
#define HABIT(where, regex, instead)
#include "translator/syntax/habits.def"
};

static const struct habit {
	enum habit_where where;
	const char *regex, *instead;
} habits[] = {
#define WORD(word, instead)
#define HABIT(where, regex, instead) { HABIT_##where, "^(" regex ")", instead },
#include "translator/syntax/habits.def"
};

enum { N_WORDS = sizeof(words) / sizeof(words[0]), N_HABITS = sizeof(habits) / sizeof(habits[0]), GROUPS = 12, NEAR = 4096 };

const char *habit_word(const char *word)
{
	for (int i = 0; i < N_WORDS; i++)
		if (!strcmp(words[i].word, word))
			return words[i].instead;
	return NULL;
}

/* Returns the text that begins at LOC, or NULL if LOC is not in a source. */
static const char *text_at(struct loc loc)
{
	const char *s = loc.src ? loc.src->text : NULL, *end;

	for (int line = 1; s && line < loc.line; line++) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	if (!s)
		return NULL;
	end = s + strcspn(s, "\n");
	return loc.col >= 1 && loc.col - 1 <= end - s ? s + loc.col - 1 : NULL;
}

/* Appends S, with a call for each word that means one. */
static void append_words(struct text *t, const char *s, const char *end)
{
	while (s < end) {
		size_t len = 0;
		const char *call;

		while (s + len < end && (isalnum((unsigned char)s[len]) || s[len] == '_'))
			len++;
		call = len && s[len] != '(' ? habit_word(arena_strndup(&program_arena, s, len)) : NULL;
		if (call && strlen(call) > 2 && !strpbrk(call, " $@") && !strcmp(call + strlen(call) - 2, "()"))
			text_append(t, call, strlen(call));
		else
			text_append(t, s, len ? len : 1);
		s += len ? len : 1;
	}
}

/* Appends S, with -> for each dot. */
static void append_arrows(struct text *t, const char *s, const char *end)
{
	for (; s < end; s++)
		text_append(t, *s == '.' ? "->" : s, *s == '.' ? 2 : 1);
}

/* Replaces $1 to $9, $w1 and $>1 of INSTEAD by the groups of a match in S. Group 0 and 1 of M are the whole. */
static const char *fill_in(const char *instead, const char *s, const regmatch_t *m)
{
	struct text t = { 0 };

	for (; *instead; instead++) {
		const char how = *instead == '$' && (instead[1] == 'w' || instead[1] == '>') ? instead[1] : 0;
		const char digit = *instead == '$' ? instead[how ? 2 : 1] : 0;
		const regmatch_t *g = isdigit((unsigned char)digit) ? &m[digit - '0' + 1] : NULL;

		if (g && g->rm_so >= 0 && how)
			(how == 'w' ? append_words : append_arrows)(&t, s + g->rm_so, s + g->rm_eo);
		else if (g && g->rm_so >= 0)
			text_append(&t, s + g->rm_so, (size_t)(g->rm_eo - g->rm_so));
		else if (!g)
			text_append(&t, instead, 1);
		instead += g ? 1 + !!how : !strncmp(instead, "$$", 2);
	}
	return text_keep(&t);
}

/* Returns the compiled expression of row I. A text may have thousands of errors, so it is kept. */
static const regex_t *expression(int i)
{
	static regex_t *compiled[N_HABITS];

	if (!compiled[i]) {
		compiled[i] = xmalloc(sizeof(regex_t));
		if (regcomp(compiled[i], habits[i].regex, REG_EXTENDED))
			bug("the expression of a habit is malformed: %s", habits[i].regex);
	}
	return compiled[i];
}

/* Returns what row I says of the text S. A match of less than LEAST bytes does not count. */
static const char *match_habit(int i, const char *s, long least)
{
	regmatch_t m[GROUPS];

	return !regexec(expression(i), s, GROUPS, m, 0) && m[0].rm_eo >= least ? fill_in(habits[i].instead, s, m) : NULL;
}

const char *habit_at(enum habit_where where, struct loc loc, struct loc until)
{
	const char *s = text_at(loc), *end = until.src == loc.src ? text_at(until) : NULL, *found = NULL;
	char near[NEAR] = ""; /* regexec() reads all that it is given, which would be the rest of the script at each of its errors */

	if (s)
		memccpy(near, s, 0, sizeof(near) - 1);
	for (int i = 0; s && !found && i < N_HABITS; i++)
		if (habits[i].where == where)
			found = match_habit(i, near, end ? end - s + 1 : 1);
	return found;
}

void habit_say(struct loc loc, const char *instead)
{
	bool sentence = *instead == '=';

	note(loc, "%s%s", sentence ? "" : "write ", instead + sentence);
}

bool habit_note(enum habit_where where, struct loc loc)
{
	const char *instead = habit_at(where, loc, (struct loc){ 0 });

	if (instead)
		habit_say(loc, instead);
	return instead;
}

void habit_note_shell(const char *script, struct loc loc)
{
	if (!strchr(script, '$'))
		note(loc, "if a $NAME stood here, the shell removed it: put the script in single quotes");
}
