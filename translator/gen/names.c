/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and comments of the script's C file. */
#include "translator/gen/parts.h"

#include <string.h>


const char *gen_local_name(const char *name)
{
	static const char *const keywords[] = {
		"asm", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
		"extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
		"short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof", "union", "unsigned",
		"void", "volatile", "while", "linux", "unix", "i386",
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (!strcmp(name, keywords[i]))
			return arena_printf(&program_arena, "kt_%s", name);
	return strncmp(name, "kt_", 3) ? name : arena_printf(&program_arena, "kt_%s", name);
}

const char *gen_comment(const char *s)
{
	struct text text = { 0 };

	for (; *s; s++)
		text_printf(&text, (*s == '*' && s[1] == '/') || (*s == '/' && s[1] == '*') ? "%c " : "%c", *s);
	return text_keep(&text);
}

/* Private names of several files may be equal: the second is _2_NAME. */
static const char *unique(struct map *seen, const char *prefix, const char *name)
{
	for (int k = 1;; k++) {
		const char *c = k == 1 ? arena_printf(&program_arena, "%s_%s", prefix, name) :
					 arena_printf(&program_arena, "%s%d_%s", prefix, k, name);
		size_t before = seen->n;

		table_add(seen, c);
		if (seen->n > before)
			return c;
	}
}

void gen_names(struct gen *g)
{
	struct map globals = { 0 }, functions = { 0 };

	g->global_name = arena_array(&program_arena, const char *, g->plan.n_globals + 1);
	g->func_name = arena_array(&program_arena, const char *, g->plan.n_functions + 1);
	for (int i = 0; i < g->plan.n_globals; i++)
		g->global_name[i] = unique(&globals, "", g->plan.globals[i]->name);
	for (int i = 0; i < g->plan.n_functions; i++)
		g->func_name[i] = g->plan.functions[i]->c_name = unique(&functions, "f", g->plan.functions[i]->name);
}
