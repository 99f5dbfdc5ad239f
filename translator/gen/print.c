/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family: to the loader as records of a format's arguments, or with sprint* into a string.
 *
 * print(), println(), printd() become formats too, so the loader knows one thing only. Bytes for %m and %M are read
 * when the probe is hit.
 */
#include "translator/gen/parts.h"

#include <string.h>

#include "translator/sema/printed.h"

/* A call, and the values of what it prints. */
struct print {
	struct printed call;
	struct value value[KT_ARGS_MAX];
};

/* Reads the memory of a %m into a slot: the value becomes the bytes, the count is kept as text. */
static const char *capture(struct gen *g, const struct node *n, struct print *pr, int i)
{
	const char *slot = gen_slot(g), *len = gen_temp(g);
	int precision = pr->call.precision[i];

	if (precision < 0)
		gen_line(g, "%s = %s;", len, pr->value[-1 - precision].text);
	else
		gen_line(g, "%s = %d;", len, precision);
	gen_line(g, "%s = kt_capture(c, %s, KT_STR, %s, %s, %d);", len, slot, pr->value[i].text, len, pr->call.user[i]);
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
	for (int i = 0; i < pr->call.n; i++) {
		if (pr->call.take[i] == 'L') {
			fixed += 8;
		} else if (pr->call.take[i] == 'N') {
			const char *slot = gen_slot(g);

			gen_line(g, "kt_u32 n%d = kt_name(c, %s, KT_STR, %s, %d);", i, slot, pr->value[i].text, pr->call.name[i]);
			text_printf(&size, " + kt_name_room(n%d)", i);
			pr->value[i] = (struct value){ .text = slot, .slot = true };
		} else if (pr->value[i].constant) {
			fixed += (int)(4 + pr->value[i].len + 7) & ~7;
		} else {
			gen_line(g, pr->call.take[i] == 'S' ? "kt_u32 n%d = kt_strlen(%s);" : "kt_u32 n%d = (kt_u32)%s;",
				 i, pr->call.take[i] == 'S' ? pr->value[i].text : lens[i]);
			text_printf(&size, " + kt_string_room(n%d)", i);
		}
	}
	gen_line(g, "void *r = kt_reserve(c, KT_REC_PRINT, %s, %d%s);",
		 gen_datum(g, gen_format(g, n, text_str(&pr->call.format))), fixed, text_str(&size));
	gen_blank(g);
	gen_open(g, "if (r) {");
	for (int i = 0; i < pr->call.n; i++) {
		const char *set = i + 1 < pr->call.n ? "r = " : ""; /* the last one needs no next place */

		if (pr->call.take[i] == 'L')
			gen_line(g, "%skt_put_long(r, %s);", set, pr->value[i].text);
		else if (pr->call.take[i] == 'N')
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
	const char *format = c_whole_string(text_str(&pr->call.format), pr->call.format.len);

	if (!pr->call.n) {
		gen_line(g, "kt_sprintf(%s, KT_STR, %s, (const struct kt_arg *)0, 0);", ret.text, format);
		return ret;
	}
	gen_open(g, "{");
	gen_open(g, "const struct kt_arg a[] = {");
	for (int i = 0; i < pr->call.n; i++) {
		if (pr->call.take[i] == 'L')
			gen_line(g, "{ .number = %s },", pr->value[i].text);
		else if (pr->call.take[i] == 'M')
			gen_line(g, "{ .string = %s, .len = (kt_u32)%s },", pr->value[i].text, lens[i]);
		else
			gen_line(g, "{ .string = %s },", pr->value[i].text);
	}
	gen_close(g, "};");
	gen_blank(g);
	gen_line(g, "kt_sprintf(%s, KT_STR, %s, a, %d);", ret.text, format, pr->call.n);
	gen_close(g, "}");
	return ret;
}

/* print(@hist_log(s)) and similar calls: one histogram, maybe a newline. */
static struct value print_hist(struct gen *g, const struct node *n)
{
	const struct node *hist = n->list, *operand = hist->kid[0];
	const char *type = stat_type_text(g, stat_symbol(operand)), *words = gen_stat_words(g, operand);
	struct value v = gen_constant(0);

	if (printed_is_string(n->op)) {
		v = (struct value){ .text = gen_slot(g), .slot = true };
		gen_line(g, "kt_hist_sprint(c, %s, KT_STR, %s, &%s);", v.text, words, type);
		gen_check(g, hist);
		if (printed_has_newline(n->op))
			gen_line(g, "kt_strcat(%s, \"\\n\", KT_STR);", v.text);
		return v;
	}
	gen_line(g, "kt_hist_print(c, %s, &%s, %d);", words, type,
		 gen_format(g, n, printed_has_newline(n->op) ? "%s\n" : "%s"));
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
	struct print pr = { .call = { .record = !printed_is_string(n->op), .string_max = (size_t)g->limits.string_max } };
	const char *lens[KT_ARGS_MAX] = { NULL };
	struct value v = gen_constant(0);
	int mark = g->u->slots;

	if (n->list && n->list->kind == ND_HIST)
		return print_hist(g, n);
	if (n->or_error)
		return print_or_error(g, n);
	printed_read(&pr.call, n);
	gen_list(g, pr.call.arg, pr.call.n, pr.value);
	for (int i = 0; i < pr.call.n; i++)
		if (pr.call.take[i] == 'M')
			lens[i] = capture(g, n, &pr, i);
	if (printed_is_string(n->op)) {
		v = emit_string(g, &pr, lens);
	} else {
		emit_record(g, n, &pr, lens);
		g->u->slots = mark;
	}
	text_deinit(&pr.call.format);
	return v;
}
