/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays are hash maps of the kernel. A key is the keys of the script side by side, strings filled up with zeroes. Handlers at hits work on
 * the value in the map; ktaprun copies it, and writes it back.
 */
#include <errno.h>

#include "translator/bpf/state.h"
#include "translator/sema/stat-type.h"

static const struct image_array *array_of(const struct bpf *b, const struct symbol *s)
{
	return &b->arrays[b->array[s->index]];
}

unsigned bpf_key(struct bpf *b, const struct symbol *s, const struct node *list, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct image_array *a = array_of(b, s);
	unsigned size = b->maps[a->map].key_size, at = str_new(b, size).at, i = 0;

	if (s->wrap && !b->u->cold)
		bpf_refuse(b, n, arena_printf(&program_arena, "dropping the oldest element of '%s' at a hit", s->name));
	for (const struct node *key = list; key; key = key->next, i++) {
		unsigned to = at + a->key_at[i], end = i + 1 < a->n_keys ? a->key_at[i + 1] : size;

		if (key->kind == ND_STAR) {
			if (!b->u->cold)
				bpf_refuse(b, n, "a slice of an array in a handler at a hit");
		} else if (a->string_keys & 1u << i) {
			struct string from = bpf_string(b, key), text = { STRING_FRAME, to, end - a->key_at[i], 0 };

			for (unsigned word = 0; word < text.size; word += 8)
				if (from.where != STRING_CONSTANT || word >= from.size || from.size > 32)
					bpf_store_number(c, 8, FRAME_REGISTER, (int)(to + word), 0);
			str_copy(b, text, from);
		} else {
			bpf_long(b, key);
			bpf_store(c, 8, FRAME_REGISTER, (int)to, R0);
		}
	}
	return at;
}

/* The keys of LIST that are wildcards, a bit each. */
static int wildcards(const struct node *list)
{
	int any = 0, bit = 1;

	for (const struct node *key = list; key; key = key->next, bit <<= 1)
		any |= key->kind == ND_STAR ? bit : 0;
	return any;
}

static void frame_address(struct bpf *b, unsigned to, unsigned at)
{
	str_address(b, to, (struct string){ .where = STRING_FRAME, .at = at });
}

/* R0 becomes the address of the value of the element with the key at KEY, or 0. */
static void lookup(struct bpf *b, const struct symbol *s, unsigned key)
{
	bpf_map(&b->u->code, R1, (int)array_of(b, s)->map);
	frame_address(b, R2, key);
	bpf_call(&b->u->code, BPF_MAP_LOOKUP);
}

/* Writes the value at VALUE to the element with the key at KEY. */
static void update(struct bpf *b, const struct node *n, const struct symbol *s, unsigned key, unsigned value, int flags)
{
	struct bpf_code *c = &b->u->code;
	const struct image_array *a = array_of(b, s);
	bpf_label good = bpf_label_new(c), full = bpf_label_new(c);

	if (b->u->cold)
		bpf_number(c, R1, b->array[s->index]);
	else
		bpf_map(c, R1, (int)a->map);
	frame_address(b, R2, key);
	frame_address(b, R3, value);
	bpf_number(c, R4, flags);
	bpf_call(c, b->u->cold ? (int)NATIVE_PUT : (int)BPF_MAP_UPDATE);
	bpf_jump_number(c, BPF_JEQ, R0, 0, good);
	if (flags)
		bpf_jump_number(c, BPF_JEQ, R0, -EEXIST, good);
	if (!b->u->cold) {
		bpf_jump_number(c, BPF_JNE, R0, -EBUSY, full);
		bpf_fail(b, n, IMAGE_ERROR_BUSY, false);
	}
	bpf_here(c, full);
	bpf_number(c, R1, b->array[s->index]);
	bpf_fail(b, n, IMAGE_ERROR_FULL, true);
	bpf_here(c, good);
}

/* Copies the value of the element with the key at KEY into the frame, zeroes if there is none. Returns where. */
static unsigned get(struct bpf *b, const struct symbol *s, unsigned key)
{
	struct bpf_code *c = &b->u->code;
	const struct image_array *a = array_of(b, s);
	unsigned value = str_new(b, a->value_size).at;
	bpf_label none = bpf_label_new(c);

	if (b->u->cold) {
		bpf_number(c, R1, b->array[s->index]);
		frame_address(b, R2, key);
		frame_address(b, R3, value);
		bpf_call(c, NATIVE_GET);
		return value;
	}
	bpf_store_number(c, 8, FRAME_REGISTER, (int)value, 0);
	lookup(b, s, key);
	bpf_jump_number(c, BPF_JEQ, R0, 0, none);
	if (s->type == TY_STRING) {
		frame_address(b, R1, value);
		bpf_number(c, R2, a->value_size);
		bpf_move(c, R3, R0);
		bpf_call(c, BPF_READ_KERNEL_STR);
	} else {
		bpf_load(c, 8, R0, R0, 0);
		bpf_store(c, 8, FRAME_REGISTER, (int)value, R0);
	}
	bpf_here(c, none);
	return value;
}

void bpf_element(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	unsigned key, value;
	bpf_label none;

	if (n->kid[0]->kind == ND_HIST) {
		bpf_bucket(b, n);
		return;
	}
	key = bpf_key(b, n->kid[0]->sym, n->list, n);
	if (b->u->cold) {
		value = get(b, n->kid[0]->sym, key);
		bpf_load(c, 8, R0, FRAME_REGISTER, (int)value);
		return;
	}
	none = bpf_label_new(c);
	lookup(b, n->kid[0]->sym, key);
	bpf_jump_number(c, BPF_JEQ, R0, 0, none);
	bpf_load(c, 8, R0, R0, 0);
	bpf_here(c, none);
}

struct string bpf_element_string(struct bpf *b, const struct node *n)
{
	const struct symbol *s = n->kid[0]->sym;
	unsigned value = get(b, s, bpf_key(b, s, n->list, n));

	return (struct string){ .where = STRING_FRAME, .at = value, .size = array_of(b, s)->value_size };
}

/* a[k] += R0 in a handler at a hit. */
static void add(struct bpf *b, const struct node *n, const struct symbol *s, unsigned key, bool wanted)
{
	struct bpf_code *c = &b->u->code;
	int by = bpf_push(b, n);
	unsigned value = str_new(b, 8).at;
	bpf_label found = bpf_label_new(c), done = bpf_label_new(c);

	lookup(b, s, key);
	bpf_jump_number(c, BPF_JNE, R0, 0, found);
	bpf_store_number(c, 8, FRAME_REGISTER, (int)value, 0);
	update(b, n, s, key, value, 1); /* unless another CPU did */
	lookup(b, s, key);
	bpf_jump_number(c, BPF_JEQ, R0, 0, done);
	bpf_here(c, found);
	bpf_load(c, 8, R1, R10, by);
	bpf_atomic(c, BPF_ADD | (wanted ? BPF_FETCH : 0), R0, 0, R1);
	bpf_move(c, R0, wanted ? R1 : R0); /* the value before */
	bpf_here(c, done);
	bpf_pop(b, R1, by);
}

/* a[k] = "...", a[k] .= "...". */
struct string bpf_element_assign_string(struct bpf *b, const struct node *n)
{
	const struct symbol *s = n->kid[0]->kid[0]->sym;
	unsigned key = bpf_key(b, s, n->kid[0]->list, n), size = array_of(b, s)->value_size;
	struct string from = bpf_string(b, n->kid[1]), to;

	/* The right side may change the element, which is read after it. */
	if (n->op == OP_CAT_ASSIGN)
		from = bpf_join(b, (struct string){ .where = STRING_FRAME, .at = get(b, s, key), .size = size }, from);
	to = str_new(b, size);
	for (unsigned i = 0; i < size; i += 8)
		bpf_store_number(&b->u->code, 8, FRAME_REGISTER, (int)(to.at + i), 0);
	str_copy(b, to, from);
	update(b, n, s, key, to.at, 0);
	return to;
}

void bpf_element_assign(struct bpf *b, const struct node *n, bool wanted)
{
	struct bpf_code *c = &b->u->code;
	const struct symbol *s = n->kid[0]->kid[0]->sym;
	bool is_step = n->kind == ND_INCDEC, post = n->op == OP_POSTINC || n->op == OP_POSTDEC;
	bool adds = is_step || n->op == OP_ADD_ASSIGN || n->op == OP_SUB_ASSIGN;
	bool minus = n->op == OP_PREDEC || n->op == OP_POSTDEC || n->op == OP_SUB_ASSIGN;
	unsigned key, value;
	int by;

	if (s->type == TY_STRING) {
		bpf_element_assign_string(b, n);
		return;
	}
	key = bpf_key(b, s, n->kid[0]->list, n);
	if (is_step)
		bpf_number(c, R0, 1);
	else
		bpf_long(b, n->kid[1]);
	if (minus)
		bpf_negate(c, R0);
	by = bpf_push(b, n);
	if (adds && !b->u->cold) {
		add(b, n, s, key, wanted);
		bpf_pop(b, R1, by);
		if (wanted && !post)
			bpf_operate(c, BPF_ADD, R0, R1);
		return;
	}
	value = n->op == OP_ASSIGN ? str_new(b, 8).at : get(b, s, key);
	if (n->op == OP_ASSIGN) {
		bpf_load(c, 8, R0, R10, by);
	} else {
		bpf_load(c, 8, R1, R10, by);
		bpf_load(c, 8, R0, FRAME_REGISTER, (int)value);
		if (adds)
			bpf_operate(c, BPF_ADD, R0, R1);
		else
			bpf_apply(b, n);
	}
	bpf_store(c, 8, FRAME_REGISTER, (int)value, R0);
	bpf_store(c, 8, R10, by, R0);
	update(b, n, s, key, value, 0);
	bpf_pop(b, R0, by);
	if (post && wanted)
		bpf_operate_number(c, BPF_ADD, R0, minus ? 1 : -1);
}

void bpf_in(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct symbol *s = n->kid[0]->sym;
	bpf_label none = bpf_label_new(c);
	unsigned key;

	if (n->kid[0]->kind == ND_HIST) {
		bpf_bucket(b, n);
		return;
	}
	key = bpf_key(b, s, n->list, n);
	if (b->u->cold) {
		bpf_number(c, R1, b->array[s->index]);
		frame_address(b, R2, key);
		bpf_number(c, R3, wildcards(n->list));
		bpf_call(c, NATIVE_HAS);
		bpf_check_native(b, n);
		return;
	}
	lookup(b, s, key);
	bpf_jump_number(c, BPF_JEQ, R0, 0, none);
	bpf_number(c, R0, 1);
	bpf_here(c, none);
}

void bpf_delete(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct node *of = n->kid[0];
	const struct symbol *s = of->kind == ND_INDEX ? of->kid[0]->sym : of->sym;
	unsigned key;

	if (!s->array && s->type == TY_STAT) {
		bpf_stat_clear(b, s, n);
	} else if (!s->array && s->type == TY_STRING) {
		str_copy(b, bpf_variable(b, s), str_constant(b, "", 0));
	} else if (!s->array) {
		bpf_number(c, R0, 0);
		bpf_store_long(b, s);
	} else if (of->kind == ND_INDEX) {
		key = bpf_key(b, s, of->list, n);
		if (b->u->cold) {
			bpf_number(c, R1, b->array[s->index]);
			frame_address(b, R2, key);
			bpf_number(c, R3, wildcards(of->list));
			bpf_call(c, NATIVE_DELETE);
			bpf_check_native(b, n);
			return;
		}
		bpf_map(c, R1, (int)array_of(b, s)->map);
		frame_address(b, R2, key);
		bpf_call(c, BPF_MAP_DELETE);
	} else if (b->u->cold) {
		bpf_number(c, R1, b->array[s->index]);
		bpf_number(c, R2, 0);
		bpf_number(c, R3, 0);
		bpf_call(c, NATIVE_DELETE);
		bpf_check_native(b, n);
	} else {
		bpf_refuse(b, n, "deleting a whole array");
	}
}

/* In ktaprun, which sorts a copy of the keys and values. The loop is one of the program, not of the helper bpf_loop. */
void bpf_foreach(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct foreach *fe = n->foreach;
	const struct symbol *s = n->kid[0]->sym;
	const struct image_array *a;
	bpf_label outer_again = b->u->again, outer_out = b->u->out, end;
	unsigned key, value, walk, slice = 0, i = 0;

	if (n->kid[0]->kind == ND_HIST) {
		bpf_foreach_bucket(b, n);
		return;
	}
	if (!b->u->cold) {
		bpf_refuse(b, n, "a foreach in a handler at a hit");
		return;
	}
	a = array_of(b, s);
	key = bpf_frame(b, b->maps[a->map].key_size);
	value = bpf_frame(b, s->type == TY_STAT ? 8 : a->value_size);
	walk = bpf_frame(b, 8);
	if (fe->slice)
		slice = bpf_key(b, s, fe->slice, n);
	if (n->kid[1])
		bpf_long(b, n->kid[1]);
	else
		bpf_number(c, R0, INT64_MAX);
	bpf_move(c, R3, R0);
	bpf_number(c, R1, b->array[s->index]);
	/* 0: unsorted; 1: by the value, 2 and more: by a key; below 0: downwards. */
	bpf_number(c, R2, fe->dir == SORT_NONE ? 0 : (1 + (fe->sort_by > 0 ? fe->sort_by : 0)) * (fe->dir == SORT_DOWN ? -1 : 1));
	bpf_number(c, R4, (fe->sort_op == OP_NONE ? 0 : stat_op(fe->sort_op)) | wildcards(fe->slice) << 8);
	frame_address(b, R5, slice);
	bpf_call(c, NATIVE_WALK);
	bpf_check_native(b, n);
	bpf_store(c, 8, FRAME_REGISTER, (int)walk, R0);
	b->u->again = bpf_label_new(c);
	b->u->out = bpf_label_new(c);
	end = bpf_label_new(c);
	str_release(b);
	bpf_here(c, b->u->again);
	bpf_load(c, 8, R1, FRAME_REGISTER, (int)walk);
	frame_address(b, R2, key);
	frame_address(b, R3, value);
	bpf_call(c, NATIVE_STEP);
	bpf_jump_number(c, BPF_JEQ, R0, 0, end);
	for (const struct node *k = fe->keys; k; k = k->next, i++) {
		if (k->kind != ND_NAME)
			continue;
		if (k->sym->type == TY_STRING) {
			unsigned to_end = i + 1 < a->n_keys ? a->key_at[i + 1] : b->maps[a->map].key_size;

			str_copy(b, bpf_variable(b, k->sym), (struct string){ STRING_FRAME, key + a->key_at[i], to_end - a->key_at[i], 0 });
		} else {
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)(key + a->key_at[i]));
			bpf_store_long(b, k->sym);
		}
	}
	if (fe->value && s->type == TY_STRING) {
		str_copy(b, bpf_variable(b, fe->value->sym), (struct string){ STRING_FRAME, value, a->value_size, 0 });
	} else if (fe->value) {
		bpf_load(c, 8, R0, FRAME_REGISTER, (int)value);
		bpf_store_long(b, fe->value->sym);
	}
	bpf_statement(b, n->kid[2]);
	bpf_jump(c, b->u->again);
	bpf_here(c, b->u->out);
	bpf_load(c, 8, R1, FRAME_REGISTER, (int)walk);
	bpf_call(c, NATIVE_LEAVE);
	bpf_here(c, end);
	b->u->again = outer_again;
	b->u->out = outer_out;
}
