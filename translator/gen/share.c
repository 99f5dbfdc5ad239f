/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that differ only in data share a C function.
 *
 * A wildcard makes a handler for each of its places, and most of these differ in a few numbers: the register that has a parameter,
 * the number of a format. Such a number stands in a handler's text as a region, between marks: the C that has it as a constant, the
 * same as a word of data, and the C that takes it from the word. Handlers that are equal apart from their words are variants of
 * one function, which finds the words of the probe that was hit in a table. Where there are few variants, each becomes a separate
 * function, because a constant is faster than a word.
 */
#include "translator/gen/share.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/vec.h"

enum { FEW = 8 }; /* variants of a skeleton: up to here each becomes a separate function */

/* A handler as it was added. */
struct handler_variant {
	const char *text, *title; /* with its regions; NULL in those after the first FEW of a skeleton */
	const char **word;
	struct handler_variant *next;     /* of the same skeleton */
	int function;             /* number of the C function */
	int data;                 /* where its words begin in the table */
};

/* What variants have in common. */
struct skeleton {
	struct handler_variant *first, *last;
	int n, n_words;
};

/* ---- regions ---- */
/* The three parts of a region. */
struct region {
	const char *constant, *word, *shared;
	size_t constant_len, word_len, shared_len;
};

/* Copies the text before the next region to OUT and reads that region. Returns what follows it; NULL: there was none. */
static const char *next_region(const char *s, struct text *out, struct region *ret)
{
	size_t plain = strcspn(s, SHARE_OPEN);

	text_append(out, s, plain);
	if (!s[plain])
		return NULL;
	ret->constant = s + plain + 1;
	ret->constant_len = strcspn(ret->constant, SHARE_NEXT);
	ret->word = ret->constant + ret->constant_len + 1;
	ret->word_len = strcspn(ret->word, SHARE_NEXT);
	ret->shared = ret->word + ret->word_len + 1;
	ret->shared_len = strcspn(ret->shared, SHARE_CLOSE);
	return ret->shared + ret->shared_len + 1;
}

/* ---- collecting ---- */
/* Writes what is no word to COMMON and returns the words, which end with NULL. */
static const char **split(const char *text, struct text *common, int *ret_n)
{
	_cleanup_free_ const char **word = NULL;
	const char **ret;
	struct region r;
	int n = 0;

	while ((text = next_region(text, common, &r))) {
		text_append(common, r.shared, r.shared_len);
		*vec_add(word, n) = intern_n(r.word, r.word_len);
	}
	ret = arena_array(&program_arena, const char *, n + 1);
	if (n)
		memcpy(ret, word, (size_t)n * sizeof(*ret));
	*ret_n = n;
	return ret;
}

static const char *join(const char **word)
{
	_cleanup_text_ struct text t = { 0 };

	for (; *word; word++)
		text_printf(&t, "%s ", *word);
	return intern(text_str(&t));
}

static struct skeleton *skeleton_of(struct share *s, const char *common, int n_words)
{
	struct map_row *row = map_add(&s->skeletons, intern(common), 0);
	struct skeleton *ret = row->value;

	if (!ret) {
		row->value = ret = arena_new(&program_arena, struct skeleton);
		ret->n_words = n_words;
	}
	return ret;
}

struct handler_variant *share_add(struct share *s, const char *text, const char *title)
{
	_cleanup_text_ struct text common = { 0 };
	struct skeleton *skeleton;
	struct map_row *row;
	struct handler_variant *v;
	const char **word;
	int n;

	word = split(text, &common, &n);
	skeleton = skeleton_of(s, text_str(&common), n);
	row = map_add(&s->variants, arena_printf(&program_arena, "%p %s", (void *)skeleton, join(word)), 0);
	if (row->value)
		return row->value;
	row->value = v = arena_new(&program_arena, struct handler_variant);
	v->word = word;
	if (skeleton->n++ < FEW) {
		v->text = arena_strdup(&program_arena, text);
		v->title = title;
	}
	*(skeleton->last ? &skeleton->last->next : &skeleton->first) = v;
	skeleton->last = v;
	return v;
}

/* ---- writing ---- */
static void write_title(const struct skeleton *k, const struct handler_variant *v, struct text *out)
{
	if (k->n > FEW)
		emit_line(out, "/* %s and %d others */", v->title, k->n - 1);
	else
		emit_line(out, "/* %s */", v->title);
	emit_line(out, "static void p_%d(struct kt_ctx *c)", v->function);
}

/* A function of one variant. */
static void write_own(const struct skeleton *k, struct handler_variant *v, struct text *out)
{
	const char *text = v->text, *rest;
	struct region r;

	write_title(k, v, out);
	for (; (rest = next_region(text, out, &r)); text = rest)
		text_append(out, r.constant, r.constant_len);
}

/* Do all variants have the same word AT? */
static bool is_constant(const struct skeleton *k, int at)
{
	for (const struct handler_variant *v = k->first; v; v = v->next)
		if (v->word[at] != k->first->word[at])
			return false;
	return true;
}

/* Writes the C that takes its number from word N of a probe. */
static void put_shared(const struct region *r, int n, struct text *out)
{
	size_t before = strcspn(r->shared, SHARE_WORD);

	text_append(out, r->shared, before);
	text_printf(out, "kt_w[%d]", n);
	text_append(out, r->shared + before + 1, r->shared_len - before - 1);
}

/* The words that differ, of all variants, behind those in S. */
static void add_words(struct share *s, struct skeleton *k, const int *column, int n)
{
	for (struct handler_variant *v = k->first; v; v = v->next) {
		v->function = k->first->function;
		v->data = s->n_words;
		for (int i = 0; i < n; i++)
			emit_line(&s->words, "%s,", v->word[column[i]]);
		s->n_words += n;
	}
}

/* A function of all variants. */
static void write_shared(struct share *s, struct skeleton *k, struct text *out)
{
	const char *text = k->first->text, *rest;
	int *column = arena_array(&program_arena, int, k->n_words + 1), n = 0;
	struct region r;

	write_title(k, k->first, out);
	emit_line(out, "{");
	emit_line(out, "\tconst kt_u64 *kt_w = words + c->probe->words;");
	text += strlen("{\n");
	for (int i = 0; (rest = next_region(text, out, &r)); text = rest, i++) {
		if (is_constant(k, i)) {
			text_append(out, r.constant, r.constant_len);
			continue;
		}
		put_shared(&r, n, out);
		column[n++] = i;
	}
	add_words(s, k, column, n);
}

/* The tables that shared functions use. */
static void write_tables(const struct share *s, size_t n_locators, struct text *out)
{
	emit_line(out, "static const kt_u64 words[] = {");
	text_append(out, text_str(&s->words), s->words.len);
	emit_line(out, "};");
	emit_open(out, "static kt_u64 (*const locators[])(struct kt_ctx *c) __attribute__((unused)) = {");
	for (size_t i = 0; i < n_locators; i++)
		emit_line(out, "l_%zu,", i);
	emit_line(out, "0");
	emit_close(out, "};");
	text_puts(out, "\n");
}

void share_write(struct share *s, size_t n_locators, struct text *out)
{
	_cleanup_text_ struct text functions = { 0 };
	int n = 0;

	s->words.indent = 1;
	for (size_t i = 0; i < s->skeletons.n; i++) {
		struct skeleton *k = s->skeletons.row[i].value;

		for (struct handler_variant *v = k->first; v && k->n <= FEW; v = v->next) {
			v->function = n++;
			write_own(k, v, &functions);
		}
		if (k->n > FEW) {
			k->first->function = n++;
			write_shared(s, k, &functions);
		}
	}
	if (s->n_words)
		write_tables(s, n_locators, out);
	text_append(out, text_str(&functions), functions.len);
	text_deinit(&s->words);
}

int share_function(const struct handler_variant *v)
{
	return v->function;
}

int share_words(const struct handler_variant *v)
{
	return v->data;
}
