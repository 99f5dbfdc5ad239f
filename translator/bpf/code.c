/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all of pass 3 for the second vehicle needs: errors, the frame, the stack, strings in memory. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"
#include "translator/bpf/state.h"
#include "translator/probe/probe.h"
#include "translator/sema/place-text.h"

void bpf_refuse(struct bpf *b, const struct node *n, const char *what)
{
	if (!b->failed) {
		error(n->loc, DIAG_BPF, "%s cannot be done by a BPF program", what);
		if (n->loc.src && n->loc.src->tapset && b->p->current.src)
			note(b->p->current, "this probe calls it");
		note(n->loc, "--runtime=kernel, which loads a module, can");
	}
	b->failed = true;
}

kt_u32 bpf_text(struct bpf *b, const char *s)
{
	struct map_row *row = map_add(&b->texts, intern(s), 0);

	if (!row->value) {
		row->value = (void *)(b->text.len + 1);
		text_append(&b->text, s, strlen(s) + 1);
	}
	return (kt_u32)((uintptr_t)row->value - 1);
}

unsigned bpf_place_of(struct bpf *b, const struct node *n)
{
	size_t before = b->places.n;
	struct map_row *row;

	while ((n->kind == ND_BLOCK && n->list) || n->kind == ND_EXPR)
		n = n->kind == ND_BLOCK ? n->list : n->kid[0];
	if (!n->loc.src)
		return KT_NO_PLACE;
	row = map_add(&b->places, intern(place_text(n)), 0);
	if (b->places.n > before)
		*vec_add(b->place_locs, before) = n->loc;
	return (unsigned)(row - b->places.row);
}

/* ---- errors ---- */
void bpf_fail(struct bpf *b, const struct node *n, enum image_error error, bool detail)
{
	struct bpf_code *c = &b->u->code;

	bpf_store_number(c, 4, FRAME_REGISTER, offsetof(struct image_frame, error), (int)error);
	bpf_store_number(c, 4, FRAME_REGISTER, offsetof(struct image_frame, place), n ? (int)bpf_place_of(b, n) : KT_NO_PLACE);
	if (detail)
		bpf_store(c, 8, FRAME_REGISTER, offsetof(struct image_frame, detail), R1);
	bpf_store_number(c, 8, FRAME_REGISTER, offsetof(struct image_frame, n_callers), 0);
	bpf_jump(c, b->u->fail);
}

void bpf_check_native(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label good = bpf_label_new(c);

	bpf_load(c, 4, R1, FRAME_REGISTER, offsetof(struct image_frame, error));
	bpf_jump_number(c, BPF_JEQ, R1, 0, good);
	bpf_store_number(c, 4, FRAME_REGISTER, offsetof(struct image_frame, place), (int)bpf_place_of(b, n));
	bpf_store_number(c, 8, FRAME_REGISTER, offsetof(struct image_frame, n_callers), 0);
	bpf_jump(c, b->u->fail);
	bpf_here(c, good);
}

int bpf_format(struct bpf *b, const char *text)
{
	return (int)(map_add(&b->formats, intern(text), 0) - b->formats.row);
}

unsigned bpf_losses(const struct bpf *b)
{
	const struct probe *pr = b->u->probe;
	/* That at the entry is after the return probe that it is for. */
	unsigned probe = (unsigned)(pr->helper ? pr->index - 1 : pr->index);

	return b->losses_at + probe * (unsigned)sizeof(struct image_losses);
}

void bpf_lose(struct bpf *b, size_t at)
{
	struct bpf_code *c = &b->u->code;

	bpf_value(c, R1, MAP_STATE, bpf_losses(b) + (unsigned)at);
	bpf_number(c, R2, 1);
	bpf_atomic(c, BPF_ADD, R1, 0, R2);
}

/* ---- memory ---- */
unsigned bpf_frame(struct bpf *b, unsigned size)
{
	unsigned at = b->u->frame, most = b->u->cold ? COLD_FRAME_MAX : FRAME_MAX;

	b->u->frame += (size + 7) & ~7u;
	if (b->u->frame > most) {
		if (!b->failed) {
			error(b->p->current, DIAG_BPF, "the strings of a handler take more than the %u bytes that a BPF program reaches", most);
			note(b->p->current, "-DMAXSTRINGLEN=%d makes them shorter", b->string_max / 2);
		}
		b->failed = true;
		b->u->frame = at;
	}
	return at;
}

unsigned bpf_local(struct bpf *b, const void *of, unsigned size)
{
	struct unit *u = b->u;

	for (size_t i = 0; i < u->n_locals; i++)
		if (u->locals[i].of == of)
			return u->locals[i].at;
	vec_add(u->locals, u->n_locals);
	u->locals[u->n_locals - 1] = (struct local){ of, bpf_frame(b, size), size };
	return u->locals[u->n_locals - 1].at;
}

int bpf_push(struct bpf *b, const struct node *n)
{
	b->u->stack += 8;
	if (b->u->stack > STACK_MAX) {
		bpf_refuse(b, n, "an expression of so many parts");
		b->u->stack = 8;
	}
	bpf_store(&b->u->code, 8, R10, -(int)b->u->stack, R0);
	return -(int)b->u->stack;
}

void bpf_pop(struct bpf *b, unsigned to, int at)
{
	bpf_load(&b->u->code, 8, to, R10, at);
	b->u->stack = (unsigned)-at - 8;
}

/* ---- strings ---- */
void str_address(struct bpf *b, unsigned to, struct string s)
{
	struct bpf_code *c = &b->u->code;

	switch (s.where) {
	case STRING_CONSTANT:
		bpf_value(c, to, MAP_CONSTANTS, s.at);
		break;
	case STRING_GLOBAL:
		bpf_value(c, to, MAP_STATE, s.at);
		break;
	case STRING_FRAME: case STRING_PADDED:
		bpf_move(c, to, FRAME_REGISTER);
		bpf_operate_number(c, BPF_ADD, to, (int)s.at);
		break;
	}
}

unsigned bpf_constant(struct bpf *b, const void *bytes, size_t n)
{
	static const char zeroes[8];
	unsigned at = (unsigned)b->constants.len;

	text_append(&b->constants, bytes, n);
	text_append(&b->constants, zeroes, -n & 7);
	return at;
}

struct string str_constant(struct bpf *b, const char *text, size_t len)
{
	const char *nul = memchr(text, 0, len);

	len = nul ? (size_t)(nul - text) : len;
	return str_format(b, text, len < (size_t)b->string_max ? len : (size_t)b->string_max - 1);
}

struct string str_format(struct bpf *b, const char *text, size_t len)
{
	static const char zeroes[8];
	struct map_row *row = map_add(&b->strings, intern_n(text, len), 0);

	if (!row->value) {
		row->value = (void *)(b->constants.len + 1);
		text_append(&b->constants, text, len);
		text_append(&b->constants, zeroes, 8 - len % 8);
	}
	return (struct string){ STRING_CONSTANT, (unsigned)((uintptr_t)row->value - 1), (unsigned)(len / 8 * 8 + 8), len };
}

struct string str_literal(struct bpf *b, const struct node *n)
{
	struct string s = str_constant(b, n->text, n->text_len);
	size_t len = strnlen(n->text, n->text_len);

	if (s.len < len) {
		warning(n->loc, DIAG_LIMIT, "a string of %zu bytes is cut to %zu", len, s.len);
		note(n->loc, "raise -DMAXSTRINGLEN, which is %d", b->string_max);
	}
	return s;
}

struct string str_new(struct bpf *b, unsigned size)
{
	struct unit *u = b->u;
	struct string s = { .where = STRING_FRAME, .size = (size + 7) & ~7u }, *slot = vec_add(u->used, u->n_used);

	*slot = s;
	for (size_t i = 0; i < u->n_free; i++)
		if (u->free[i].size >= s.size) {
			*slot = u->free[i];
			u->free[i] = u->free[--u->n_free];
			s.at = slot->at;
			return s;
		}
	s.at = slot->at = bpf_frame(b, s.size);
	return s;
}

void str_release(struct bpf *b)
{
	struct unit *u = b->u;

	for (size_t i = 0; i < u->n_used; i++)
		*vec_add(u->free, u->n_free) = u->used[i];
	u->n_used = 0;
}

/* Counts a string that was cut to SIZE bytes, which R0 says and the byte in FROM where the NUL went. The interpreter does so itself. */
static void count_cut(struct bpf *b, struct string from, unsigned size)
{
	struct bpf_code *c = &b->u->code;
	bpf_label whole = bpf_label_new(c);

	bpf_jump_number(c, BPF_JNE, R0, (int)size, whole);
	str_address(b, R1, from);
	bpf_load(c, 1, R1, R1, (int)size - 1);
	bpf_jump_number(c, BPF_JEQ, R1, 0, whole);
	bpf_lose(b, offsetof(struct image_losses, cut));
	bpf_here(c, whole);
}

void str_copy(struct bpf *b, struct string to, struct string from)
{
	struct bpf_code *c = &b->u->code;

	if ((from.where == STRING_CONSTANT || from.where == STRING_PADDED) && from.size <= 32 && from.size <= to.size) {
		str_address(b, R1, to);
		str_address(b, R2, from);
		for (unsigned i = 0; i < from.size; i += 8) {
			bpf_load(c, 8, R3, R2, (int)i);
			bpf_store(c, 8, R1, (int)i, R3);
		}
		return;
	}
	str_copy_counted(b, to, from);
}

void str_copy_counted(struct bpf *b, struct string to, struct string from)
{
	struct bpf_code *c = &b->u->code;
	unsigned size = to.size < (unsigned)b->string_max ? to.size : (unsigned)b->string_max;

	str_address(b, R1, to);
	bpf_number(c, R2, size);
	str_address(b, R3, from);
	bpf_call(c, BPF_READ_KERNEL_STR);
	if (from.size > size && !b->u->cold)
		count_cut(b, from, size);
}

void str_length(struct bpf *b, struct string s)
{
	struct string copy = str_new(b, s.size);
	struct bpf_code *c = &b->u->code;

	str_address(b, R1, copy);
	bpf_number(c, R2, s.size);
	str_address(b, R3, s);
	bpf_call(c, BPF_READ_KERNEL_STR);
	bpf_operate_number(c, BPF_SUB, R0, 1);
}

unsigned str_size(const struct bpf *b, const struct symbol *s)
{
	unsigned size = s->longest > 0 && s->longest < b->string_max ? (unsigned)s->longest + 1 : (unsigned)b->string_max;

	return (size + 7) & ~7u;
}
