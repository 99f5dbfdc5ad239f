/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family: to the loader as records of a format's arguments, or with sprint* into a string.
 *
 * print(), println(), printd() become formats too, so the loader knows one thing only. Bytes for %m and %M are read
 * when the probe is hit.
 */
#include "translator/gen/parts.h"

#include <string.h>

#include "runtime/core/format.h"
#include "translator/probe/probe.h"

/* A format and what its directives take, in order. */
struct print {
	struct text format;
	struct node *arg[KT_ARGS_MAX];
	char take[KT_ARGS_MAX];       /* 'L', 'S', 'M'; 'N': the name of an address */
	int name[KT_ARGS_MAX];        /* 'N': enum kt_name_kind */
	int precision[KT_ARGS_MAX];   /* 'M': bytes; -1 - i: argument i holds it */
	bool user[KT_ARGS_MAX];       /* 'M': of user memory */
	struct value value[KT_ARGS_MAX];
	int n;
	bool record;                  /* for the loader, not into a string */
	size_t string_max;            /* bytes of a string of the script, with its NUL */
};

static void add_escaped(struct text *t, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '%')
			text_puts(t, "%");
		text_append(t, s + i, 1);
	}
}

/* Records the address in place of its name where ARG, a call, is such a name. */
static struct node *take_name(struct print *pr, struct node *arg)
{
	if (!pr->record || arg->kind != ND_CALL || !arg->func->named || arg->func->overload)
		return arg;
	pr->take[pr->n] = 'N';
	pr->name[pr->n] = arg->func->named;
	return arg->list;
}

static void take(struct print *pr, const struct node **arg, char what)
{
	if (!*arg || pr->n == KT_ARGS_MAX)
		return;
	pr->take[pr->n] = what;
	pr->arg[pr->n] = what == 'S' ? take_name(pr, (struct node *)*arg) : (struct node *)*arg;
	pr->n++;
	*arg = (*arg)->next;
}

/* Adds to *LEN what a directive makes of ARG at most. False: unknown. */
static bool add_longest(const struct kt_directive *d, const struct node *arg, size_t *len)
{
	bool string = kt_conv_type(d->conv) == 'S';

	return (!string || (arg && arg->kind == ND_STR)) && text_add_directive(d, string ? arg->text_len : 0, len);
}

/* Is N a sprintf whose result is a string that is never cut? */
static bool is_short_sprintf(const struct node *n, size_t string_max)
{
	const struct node *arg = n->list;
	const char *s, *end;
	size_t len = 0;

	if (n->kind != ND_PRINT || n->op != OP_SPRINTF || n->or_error || memchr(n->text, 0, n->text_len))
		return false;
	s = n->text;
	end = s + n->text_len;
	while (s < end && len < string_max) {
		struct kt_directive d;

		if (*s != '%') {
			s++;
			len++;
			continue;
		}
		s = kt_directive(s, &d);
		if ((kt_conv_type(d.conv) && !arg) || !add_longest(&d, arg, &len))
			return false;
		if (kt_conv_type(d.conv))
			arg = arg->next;
	}
	return s >= end && !arg && len < string_max;
}

static void read_format(struct print *pr, const struct node *n);

/* Makes the format and the arguments of a sprintf that is printed part of the record's. */
static bool fuse(struct print *pr, const struct node **arg)
{
	const struct node *inner = *arg;
	int n = pr->n;

	if (!inner || !pr->record || !is_short_sprintf(inner, pr->string_max))
		return false;
	for (const struct node *each = inner->list; each; each = each->next)
		n++;
	if (n > KT_ARGS_MAX)
		return false;
	read_format(pr, inner);
	*arg = inner->next;
	return true;
}

/* printf, sprintf: pairs directives and arguments. */
static void read_format(struct print *pr, const struct node *n)
{
	const char *s = n->text, *end = n->text + n->text_len;
	const struct node *arg = n->list;

	while (s < end && *s) {
		struct kt_directive d;
		int precision_at = -1;

		if (*s != '%') {
			text_append(&pr->format, s++, 1);
			continue;
		}
		{
			const char *from = s;

			s = kt_directive(s, &d);
			if (d.conv == 's' && s == from + 2 && fuse(pr, &arg))
				continue;
			text_append(&pr->format, from, (size_t)(s - from));
		}
		if (d.width == KT_FROM_ARG)
			take(pr, &arg, 'L');
		if (d.precision == KT_FROM_ARG) {
			precision_at = pr->n;
			take(pr, &arg, 'L');
		}
		if (!kt_conv_type(d.conv))
			continue;
		take(pr, &arg, kt_conv_type(d.conv));
		if (kt_conv_type(d.conv) == 'M' && pr->n > 0) {
			pr->precision[pr->n - 1] = precision_at >= 0 ? -1 - precision_at :
						   (int)kt_dump_bytes(&d, d.precision);
			pr->user[pr->n - 1] = (d.flags & KT_FLAG_ALT) != 0;
		}
	}
}

static bool has_newline(enum op op)
{
	return op == OP_PRINTLN || op == OP_PRINTDLN || op == OP_SPRINTLN || op == OP_SPRINTDLN;
}

static bool has_delimiter(enum op op)
{
	return op == OP_PRINTD || op == OP_PRINTDLN || op == OP_SPRINTD || op == OP_SPRINTDLN;
}

static bool to_string(enum op op)
{
	return op == OP_SPRINT || op == OP_SPRINTLN || op == OP_SPRINTD || op == OP_SPRINTDLN || op == OP_SPRINTF;
}

/* The others: a directive for each argument. */
static void make_format(struct print *pr, const struct node *n)
{
	for (const struct node *arg = n->list; arg;) {
		bool string = arg->type == TY_STRING;

		if (arg != n->list && has_delimiter(n->op))
			add_escaped(&pr->format, n->text, n->text_len);
		if (string && fuse(pr, &arg))
			continue;
		text_puts(&pr->format, string ? "%s" : n->op == OP_PRINT_CHAR ? "%c" : "%d");
		take(pr, &arg, string ? 'S' : 'L');
	}
	if (has_newline(n->op))
		text_puts(&pr->format, "\n");
}

/* Reads the memory of a %m into a slot: the value becomes the bytes, the count is kept as text. */
static const char *capture(struct gen *g, const struct node *n, struct print *pr, int i)
{
	const char *slot = gen_slot(g), *len = gen_temp(g);
	int precision = pr->precision[i];

	if (precision < 0)
		gen_line(g, "%s = %s;", len, pr->value[-1 - precision].text);
	else
		gen_line(g, "%s = %d;", len, precision);
	gen_line(g, "%s = kt_capture(c, %s, KT_STR, %s, %s, %d);", len, slot, pr->value[i].text, len, pr->user[i]);
	gen_check(g, n);
	pr->value[i] = (struct value){ .text = slot, .slot = true };
	return len;
}

/* One record. A format of nothing but text has no arguments. */
static void emit_record(struct gen *g, const struct node *n, struct print *pr, const char *const *lens)
{
	_cleanup_text_ struct text size = { 0 };
	int fixed = 0;

	gen_open(g, "{");
	for (int i = 0; i < pr->n; i++) {
		if (pr->take[i] == 'L') {
			fixed += 8;
		} else if (pr->take[i] == 'N') {
			const char *slot = gen_slot(g);

			gen_line(g, "kt_u32 n%d = kt_name(c, %s, KT_STR, %s, %d);", i, slot, pr->value[i].text, pr->name[i]);
			text_printf(&size, " + kt_name_room(n%d)", i);
			pr->value[i] = (struct value){ .text = slot, .slot = true };
		} else if (pr->value[i].constant) {
			fixed += (int)(4 + pr->value[i].len + 7) & ~7;
		} else {
			gen_line(g, pr->take[i] == 'S' ? "kt_u32 n%d = kt_strlen(%s);" : "kt_u32 n%d = (kt_u32)%s;",
				 i, pr->take[i] == 'S' ? pr->value[i].text : lens[i]);
			text_printf(&size, " + kt_string_room(n%d)", i);
		}
	}
	gen_line(g, "void *r = kt_reserve(c, KT_REC_PRINT, %s, %d%s);",
		 gen_datum(g, gen_format(g, n, text_str(&pr->format))), fixed, text_str(&size));
	gen_blank(g);
	gen_open(g, "if (r) {");
	for (int i = 0; i < pr->n; i++) {
		const char *set = i + 1 < pr->n ? "r = " : ""; /* the last one needs no next place */

		if (pr->take[i] == 'L')
			gen_line(g, "%skt_put_long(r, %s);", set, pr->value[i].text);
		else if (pr->take[i] == 'N')
			gen_line(g, "%skt_put_name(r, %s, n%d);", set, pr->value[i].text, i);
		else if (pr->value[i].constant)
			gen_line(g, "%skt_put_string(r, %s, %zu);", set, pr->value[i].text, pr->value[i].len);
		else
			gen_line(g, "%skt_put_string(r, %s, n%d);", set, pr->value[i].text, i);
	}
	gen_line(g, "kt_commit(c);");
	gen_close(g, "}");
	gen_close(g, "}");
}

static struct value emit_string(struct gen *g, struct print *pr, const char *const *lens)
{
	struct value ret = { .text = gen_slot(g), .slot = true };
	const char *format = c_whole_string(text_str(&pr->format), pr->format.len);

	if (!pr->n) {
		gen_line(g, "kt_sprintf(%s, KT_STR, %s, (const struct kt_arg *)0, 0);", ret.text, format);
		return ret;
	}
	gen_open(g, "{");
	gen_open(g, "const struct kt_arg a[] = {");
	for (int i = 0; i < pr->n; i++) {
		if (pr->take[i] == 'L')
			gen_line(g, "{ .number = %s },", pr->value[i].text);
		else if (pr->take[i] == 'M')
			gen_line(g, "{ .string = %s, .len = (kt_u32)%s },", pr->value[i].text, lens[i]);
		else
			gen_line(g, "{ .string = %s },", pr->value[i].text);
	}
	gen_close(g, "};");
	gen_blank(g);
	gen_line(g, "kt_sprintf(%s, KT_STR, %s, a, %d);", ret.text, format, pr->n);
	gen_close(g, "}");
	return ret;
}

/* print(@hist_log(s)) and similar calls: one histogram, maybe a newline. */
static struct value print_hist(struct gen *g, const struct node *n)
{
	const struct node *hist = n->list, *operand = hist->kid[0];
	const char *type = stat_type_text(g, stat_symbol(operand)), *words = gen_stat_words(g, operand);
	struct value v = gen_constant(0);

	if (to_string(n->op)) {
		v = (struct value){ .text = gen_slot(g), .slot = true };
		gen_line(g, "kt_hist_sprint(c, %s, KT_STR, %s, &%s);", v.text, words, type);
		gen_check(g, hist);
		if (has_newline(n->op))
			gen_line(g, "kt_strcat(%s, \"\\n\", KT_STR);", v.text);
		return v;
	}
	gen_line(g, "kt_hist_print(c, %s, &%s, %d);", words, type,
		 gen_format(g, n, has_newline(n->op) ? "%s\n" : "%s"));
	gen_check(g, hist);
	return v;
}

/* The text, or "ERROR" where computing it failed; the script goes on. */
static struct value print_or_error(struct gen *g, const struct node *n)
{
	struct value ret = { .text = gen_slot(g), .slot = true };
	const char *failed = gen_try(g);
	int mark = g->u->slots;

	gen_line(g, "kt_strcpy(%s, %s, KT_STR);", ret.text, gen_expr(g, n->list).text);
	gen_try_failed(g, failed);
	gen_line(g, "c->error = (const char *)0;");
	gen_line(g, "kt_strcpy(%s, \"ERROR\", KT_STR);", ret.text);
	gen_close(g, "}");
	g->u->slots = mark;
	return ret;
}

struct value gen_print(struct gen *g, const struct node *n)
{
	struct print pr = { .record = !to_string(n->op), .string_max = (size_t)g->string_max };
	const char *lens[KT_ARGS_MAX] = { NULL };
	struct value v = gen_constant(0);
	int mark = g->u->slots;

	if (n->list && n->list->kind == ND_HIST)
		return print_hist(g, n);
	if (n->or_error)
		return print_or_error(g, n);
	if (n->op == OP_PRINTF || n->op == OP_SPRINTF)
		read_format(&pr, n);
	else
		make_format(&pr, n);
	gen_list(g, pr.arg, pr.n, pr.value);
	for (int i = 0; i < pr.n; i++)
		if (pr.take[i] == 'M')
			lens[i] = capture(g, n, &pr, i);
	if (to_string(n->op)) {
		v = emit_string(g, &pr, lens);
	} else {
		emit_record(g, n, &pr, lens);
		g->u->slots = mark;
	}
	text_deinit(&pr.format);
	return v;
}
