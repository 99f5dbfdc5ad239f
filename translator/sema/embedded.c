/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the script in embedded C. */
#include <ctype.h>
#include <string.h>

#include "translator/sema/embedded.h"
#include "translator/sema/pass.h"

/* Behind NAME at S: the end of the word? */
static bool ends(const char *s, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(s, name, len) && !isalnum((unsigned char)s[len]) && s[len] != '_';
}

static bool names_word(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

static bool names_argument(const char *text, const char *name)
{
	static const char prefix[] = "STAP_ARG_";

	for (const char *s = text; (s = strstr(s, prefix));) {
		s += sizeof(prefix) - 1;
		if (ends(s, name))
			return true;
	}
	return false;
}

/* Of N's text, or of C of the top level. */
static bool anywhere(const struct program *p, const struct node *n, const char *name,
		     bool (*names)(const char *text, const char *name))
{
	if (names(n->text, name))
		return true;
	for (const struct embedded_c *e = p->embedded; e; e = e->next)
		if (names(e->text, name))
			return true;
	return false;
}

bool embedded_names(const struct program *p, const struct node *n, const char *word)
{
	return anywhere(p, n, word, names_word);
}

bool embedded_names_variable(const struct program *p, const struct node *n, const char *name)
{
	return anywhere(p, n, name, names_argument);
}

static bool is_piece(const struct node *n)
{
	return n->kind == ND_EMBED || n->kind == ND_EMBED_EXPR;
}

struct returns {
	const struct program *p;
	bool found;
};

static bool find_return(struct node *n, void *data)
{
	struct returns *r = data;

	r->found |= is_piece(n) && embedded_names(r->p, n, "STAP_RET");
	return !r->found;
}

bool embedded_returns(const struct program *p, const struct function *f)
{
	struct returns r = { .p = p };

	if (!f->body)
		return !f->kit;
	node_visit(f->body, find_return, &r);
	return r.found;
}

void embedded_mark_globals(const struct program *p, const char *text)
{
	static const char *const pragmas[] = { "pragma:read:", "pragma:write:" };

	for (int i = 0; text && i < 2; i++)
		for (const char *s = text; (s = strstr(s, pragmas[i]));) {
			s += strlen(pragmas[i]);
			for (struct symbol *g = p->globals; g; g = g->next) {
				if (!ends(s, g->name))
					continue;
				g->read |= i == 0;
				g->written |= i == 1;
				g->in_c |= i == 1;
			}
		}
}

struct marking {
	const struct program *p;
	struct symbol *vars;
};

static bool mark_piece(struct node *n, void *data)
{
	const struct marking *m = data;

	if (is_piece(n))
		for (struct symbol *s = m->vars; s; s = s->next)
			if (embedded_names_variable(m->p, n, s->name))
				s->read = s->written = s->in_c = true;
	return true;
}

void embedded_mark_variables(const struct program *p, struct node *body, struct symbol *vars)
{
	struct marking m = { p, vars };

	if (vars)
		node_visit(body, mark_piece, &m);
}
