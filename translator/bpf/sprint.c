/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprintf and the like at a hit. Text, strings and the spaces beside them are appended; numbers are formatted by the kernel's snprintf, which does
 * neither a precision nor `*`, %o and %b, and takes formats of ASCII only.
 */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "translator/bpf/state.h"
#include "translator/sema/printed.h"

enum { NUMBERS_MAX = 12 }; /* of one call of it */

/* A string that is composed. R8: its bytes so far. */
struct composed {
	struct string to;
	unsigned numbers;  /* in the frame: the numbers of a piece */
	struct text piece; /* a part of the format that is not composed yet */
	int n;             /* numbers in it */
	bool literal;      /* it has bytes that no format may have */
	bpf_label cut;
};

/* Sets R1 and R2 to what is left of the string, with EXTRA bytes after its end. */
static void rest(struct bpf *b, const struct composed *s, int extra)
{
	struct bpf_code *c = &b->u->code;

	str_address(b, R1, s->to);
	bpf_operate(c, BPF_ADD, R1, R8);
	bpf_number(c, R2, b->string_max + extra);
	bpf_operate(c, BPF_SUB, R2, R8);
}

/* R0: bytes that a helper appended or wanted to append, with the NUL. */
static void advance(struct bpf *b, const struct composed *s)
{
	struct bpf_code *c = &b->u->code;

	bpf_jump_number(c, BPF_JSLE, R0, 0, s->cut);
	bpf_operate_number(c, BPF_SUB, R0, 1);
	bpf_operate(c, BPF_ADD, R8, R0);
	bpf_jump_number(c, BPF_JGE, R8, b->string_max, s->cut);
}

static void append(struct bpf *b, const struct composed *s, struct string from)
{
	rest(b, s, 1); /* a string that takes the extra byte does not fit */
	str_address(b, R3, from);
	bpf_call(&b->u->code, BPF_READ_KERNEL_STR);
	advance(b, s);
}

/* Composes the piece. */
static void flush(struct bpf *b, struct composed *s)
{
	struct bpf_code *c = &b->u->code;

	if (s->n) {
		rest(b, s, 0);
		str_address(b, R3, str_format(b, text_str(&s->piece), s->piece.len));
		str_address(b, R4, (struct string){ .where = STRING_FRAME, .at = s->numbers });
		bpf_number(c, R5, 8 * s->n);
		bpf_call(c, BPF_SNPRINTF);
		advance(b, s);
	} else if (s->piece.len) {
		append(b, s, str_constant(b, text_str(&s->piece), s->piece.len));
	}
	text_clear(&s->piece);
	s->n = 0;
	s->literal = false;
}

/* Appends CHAR of the format, which means itself. */
static void put_char(struct bpf *b, struct composed *s, char byte)
{
	bool literal = byte == '%' || !isascii((unsigned char)byte) || !(isprint((unsigned char)byte) || isspace((unsigned char)byte));

	if (literal && s->n)
		flush(b, s);
	s->literal |= literal;
	text_append(&s->piece, &byte, 1);
}

/* Appends the directive D of the number that is on the stack at AT. */
static void put_number(struct bpf *b, struct composed *s, const struct kt_directive *d, int at)
{
	struct bpf_code *c = &b->u->code;

	if (s->literal || s->n == NUMBERS_MAX)
		flush(b, s);
	text_printf(&s->piece, "%%%s%s%s%s", d->flags & KT_FLAG_ZERO ? "0" : "", d->flags & KT_FLAG_PLUS ? "+" : "",
		    d->flags & KT_FLAG_LEFT ? "-" : "", d->flags & KT_FLAG_SPACE ? " " : "");
	if (d->width >= 0)
		text_printf(&s->piece, "%d", d->width);
	text_printf(&s->piece, d->conv == 'c' ? "%c" : "ll%c", d->conv == 'p' ? 'x' : d->conv);
	bpf_load(c, 8, R0, R10, at);
	bpf_store(c, 8, FRAME_REGISTER, (int)s->numbers + 8 * s->n++, R0);
}

/* Is D a hexadecimal number that begins with 0x? */
static bool has_prefix(const struct kt_directive *d)
{
	return d->conv == 'p' || (d->flags & KT_FLAG_ALT && strchr("xX", d->conv));
}

/* Can D be done? A width of `*` is one of a string on the left. */
static bool can_do(const struct kt_directive *d)
{
	if (d->precision != KT_NOT_GIVEN || (d->flags & KT_FLAG_ALT && !has_prefix(d)))
		return false;
	if (d->conv == 's')
		return d->width != KT_FROM_ARG || d->flags & KT_FLAG_LEFT;
	return d->width == KT_NOT_GIVEN || (d->width != KT_FROM_ARG && d->conv != 'c' && !has_prefix(d)) ? strchr("cdiuxXp", d->conv) != NULL : false;
}

/* Appends as many spaces as the width on the stack at WIDTH is above the length on the stack at LEN. */
static void append_spaces(struct bpf *b, const struct composed *s, int width, int len)
{
	struct bpf_code *c = &b->u->code;
	bpf_label none = bpf_label_new(c), some = bpf_label_new(c), fits = bpf_label_new(c);
	char *spaces = arena_array(&program_arena, char, b->string_max);

	memset(spaces, ' ', (size_t)b->string_max);
	bpf_load(c, 8, R3, R10, width);
	bpf_load(c, 8, R1, R10, len);
	bpf_operate(c, BPF_SUB, R3, R1);
	bpf_jump_number(c, BPF_JSLE, R3, 0, none);
	bpf_jump_number(c, BPF_JLE, R3, b->string_max, some);
	bpf_number(c, R3, b->string_max);
	bpf_here(c, some);
	bpf_operate_number(c, BPF_ADD, R3, 1);
	rest(b, s, 1);
	bpf_jump_if(c, BPF_JLE, R2, R3, fits);
	bpf_move(c, R2, R3);
	bpf_here(c, fits);
	str_address(b, R3, str_format(b, spaces, (size_t)b->string_max));
	bpf_call(c, BPF_READ_KERNEL_STR);
	advance(b, s);
	bpf_here(c, none);
}

/* Appends the string FROM as D says; a width of `*` is on the stack at STAR, and its sign stands for the flag -. */
static void append_string(struct bpf *b, const struct node *n, const struct composed *s, const struct kt_directive *d, int star, struct string from)
{
	struct bpf_code *c = &b->u->code;
	bpf_label positive = bpf_label_new(c);
	unsigned stack = b->u->stack;
	int width, len;

	if (d->width == KT_NOT_GIVEN) {
		append(b, s, from);
		return;
	}
	str_length(b, from);
	len = bpf_push(b, n);
	if (d->width == KT_FROM_ARG)
		bpf_load(c, 8, R0, R10, star);
	else
		bpf_number(c, R0, d->width);
	bpf_jump_number(c, BPF_JSGE, R0, 0, positive);
	bpf_negate(c, R0);
	bpf_here(c, positive);
	width = bpf_push(b, n);
	if (!(d->flags & KT_FLAG_LEFT))
		append_spaces(b, s, width, len);
	append(b, s, from);
	if (d->flags & KT_FLAG_LEFT)
		append_spaces(b, s, width, len);
	b->u->stack = stack;
}

static void compose(struct bpf *b, const struct node *n, struct composed *s, const struct printed *pr, const int *longs, const struct string *strings)
{
	int i = 0;

	for (const char *f = text_str(&pr->format); *f && !b->failed;) {
		struct kt_directive d;
		const char *end;

		if (*f != '%') {
			put_char(b, s, *f++);
			continue;
		}
		end = kt_directive(f, &d);
		if (d.conv == '%') {
			put_char(b, s, '%');
		} else if (!can_do(&d)) {
			bpf_refuse(b, n, arena_printf(&program_arena, "composing a string by '%.*s'", (int)(end - f), f));
		} else if (d.conv == 's') {
			int star = d.width == KT_FROM_ARG ? longs[i++] : 0;

			flush(b, s);
			append_string(b, n, s, &d, star, strings[i++]);
		} else {
			if (has_prefix(&d)) {
				put_char(b, s, '0');
				put_char(b, s, d.conv == 'X' ? 'X' : 'x');
			}
			put_number(b, s, &d, longs[i++]);
		}
		f = end;
	}
	flush(b, s);
}

struct string bpf_sprint_at_hit(struct bpf *b, const struct node *n, const struct printed *pr)
{
	struct bpf_code *c = &b->u->code;
	struct string strings[KT_ARGS_MAX];
	bpf_label end = bpf_label_new(c);
	struct composed s = { .cut = bpf_label_new(c) };
	unsigned stack = b->u->stack;
	int longs[KT_ARGS_MAX];

	for (int i = 0; i < pr->n; i++) {
		if (pr->take[i] == 'M') {
			bpf_refuse(b, n, "composing a string of memory");
		} else if (pr->take[i] == 'L') {
			bpf_long(b, pr->arg[i]);
			longs[i] = bpf_push(b, n);
		} else {
			strings[i] = bpf_string_kept(b, pr->arg[i], pr->arg[i]->next);
		}
	}
	s.to = str_new(b, (unsigned)b->string_max + 8);
	s.to.size = ((unsigned)b->string_max + 7) & ~7u;
	s.numbers = str_new(b, 8 * NUMBERS_MAX).at;
	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.to.at, 0);
	bpf_number(c, R8, 0);
	compose(b, n, &s, pr, longs, strings);
	bpf_jump(c, end);
	bpf_here(c, s.cut);
	bpf_store_number(c, 1, FRAME_REGISTER, (int)s.to.at + b->string_max - 1, 0);
	bpf_lose(b, offsetof(struct image_losses, cut));
	bpf_here(c, end);
	b->u->stack = stack;
	text_deinit(&s.piece);
	return s.to;
}
