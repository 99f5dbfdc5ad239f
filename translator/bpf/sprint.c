/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprintf and the like at a hit. Text and strings are appended; numbers are formatted by the kernel's snprintf, which does neither `#` nor a
 * precision, `*`, %o, %b or %p, and takes formats of ASCII only.
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
	text_printf(&s->piece, d->conv == 'c' ? "%c" : "ll%c", d->conv);
	bpf_load(c, 8, R0, R10, at);
	bpf_store(c, 8, FRAME_REGISTER, (int)s->numbers + 8 * s->n++, R0);
}

/* Does the kernel's snprintf do D? */
static bool can_do(const struct kt_directive *d)
{
	return !(d->flags & KT_FLAG_ALT) && d->width != KT_FROM_ARG && d->precision == KT_NOT_GIVEN &&
	       (d->conv == 's' || d->conv == 'c' ? d->width == KT_NOT_GIVEN : strchr("diuxX", d->conv) != NULL);
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
			flush(b, s);
			append(b, s, strings[i++]);
		} else {
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
