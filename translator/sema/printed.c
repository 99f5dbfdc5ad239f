/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/sema/printed.h"

#include <string.h>

#include "translator/sema/texts.h"

static void add_escaped(struct text *t, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '%')
			text_puts(t, "%");
		text_append(t, s + i, 1);
	}
}

/* Records the address in place of its name where ARG, a call, is such a name. */
static struct node *take_name(struct printed *pr, struct node *arg)
{
	if (!pr->record || arg->kind != ND_CALL || !arg->func->named || arg->func->overload)
		return arg;
	pr->take[pr->n] = 'N';
	pr->name[pr->n] = arg->func->named;
	return arg->list;
}

static void take(struct printed *pr, const struct node **arg, char what)
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

static void read_format(struct printed *pr, const struct node *n);

/* Makes the format and the arguments of a sprintf that is printed part of the record's. */
static bool fuse(struct printed *pr, const struct node **arg)
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
static void read_format(struct printed *pr, const struct node *n)
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

bool printed_has_newline(enum op op)
{
	return op == OP_PRINTLN || op == OP_PRINTDLN || op == OP_SPRINTLN || op == OP_SPRINTDLN;
}

static bool has_delimiter(enum op op)
{
	return op == OP_PRINTD || op == OP_PRINTDLN || op == OP_SPRINTD || op == OP_SPRINTDLN;
}

bool printed_is_string(enum op op)
{
	return op == OP_SPRINT || op == OP_SPRINTLN || op == OP_SPRINTD || op == OP_SPRINTDLN || op == OP_SPRINTF;
}

/* The others: a directive for each argument. */
static void make_format(struct printed *pr, const struct node *n)
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
	if (printed_has_newline(n->op))
		text_puts(&pr->format, "\n");
}

void printed_read(struct printed *pr, const struct node *n)
{
	if (n->op == OP_PRINTF || n->op == OP_SPRINTF)
		read_format(pr, n);
	else
		make_format(pr, n);
}
