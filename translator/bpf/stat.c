/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates. Cold handlers have natives for all of them; handlers at hits add to words and read them, here.
 *
 * Where handlers at hits only add (PLAN_COUNTER), an interrupt's handler may come between any two instructions of a task's on the same CPU:
 * each word is changed by one atomic instruction, the least and the largest value by compare-and-swap. ktaprun reads such words when nobody
 * adds to them any more. In all other aggregates the handler has a lock, and the words are as core/stat.h says.
 */
#include <errno.h>
#include <stddef.h>

#include "lib/vec.h"
#include "translator/bpf/state.h"
#include "translator/platform/settings.h"
#include "translator/sema/printed.h"
#include "translator/sema/stat-type.h"

/* While an aggregate is added to: its words and the value, across calls. */
enum { WORDS = R9, VALUE = R8 };
enum { TRIES = 5 }; /* to raise a word: more than there are handlers at once on a CPU */

void bpf_lay_out_stat(struct bpf *b, const struct symbol *s)
{
	long long margin = language_limit(&b->p->language, "HIST_ELISION", KT_HIST_MARGIN);
	struct image_stat st = { .type = stat_type(s, KT_PCT_BITS_SCALAR), .array = IMAGE_SCALAR };

	if (margin < -KT_HIST_MARGIN_MAX || margin > KT_HIST_MARGIN_MAX) {
		error(diag_nowhere(b->p->reports), DIAG_USAGE, "-DHIST_ELISION=%lld is out of range: %d to %d", margin, -KT_HIST_MARGIN_MAX,
		      KT_HIST_MARGIN_MAX);
		b->failed = true;
	}
	st.type.margin = (kt_s32)margin;
	b->stat[s->index] = (int)b->n_stats;
	*vec_add(b->stats, b->n_stats) = st;
}

static const struct image_stat *stat_of(const struct bpf *b, const struct symbol *s)
{
	return &b->stats[b->stat[s->index]];
}

/* Does the handler add to a copy? */
static bool has_copies(const struct bpf *b, const struct symbol *s)
{
	return s->plan == PLAN_COUNTER && !b->u->cold;
}

/* Offset of the words of FIELD. */
static int at_field(const struct kt_stat_type *t, enum kt_stat_field field)
{
	return 8 * (int)KT_STAT_HIST_AT(t->fields & ((kt_u32)field - 1));
}

/* ---- adding words ---- */
/* Adds the number in BY to the word at AT. */
static void add_word(struct bpf *b, int at, unsigned by)
{
	bpf_atomic(&b->u->code, BPF_ADD, WORDS, at, by);
}

/* Adds LOW and HIGH to the two words at AT. R0 is used. */
static void add_two_words(struct bpf *b, int at, unsigned low, unsigned high)
{
	struct bpf_code *c = &b->u->code;
	bpf_label no_carry = bpf_label_new(c);

	bpf_move(c, R0, low);
	bpf_atomic(c, BPF_ADD | BPF_FETCH, WORDS, at, R0);
	bpf_operate(c, BPF_ADD, R0, low); /* the sum: less than what was added if it is too large for a word */
	bpf_jump_if(c, BPF_JGE, R0, low, no_carry);
	bpf_operate_number(c, BPF_ADD, high, 1);
	bpf_here(c, no_carry);
	add_word(b, at + 8, high);
}

/* The word at AT of a copy becomes that of VALUE, if it is less. */
static void raise_word(struct bpf *b, int at, bool min)
{
	struct bpf_code *c = &b->u->code;
	bpf_label done = bpf_label_new(c);

	bpf_number(c, R3, image_copy_of(0, min));
	bpf_operate(c, BPF_XOR, R3, VALUE);
	bpf_load(c, 8, R0, WORDS, at);
	for (int i = 0; i < TRIES; i++) {
		bpf_jump_if(c, BPF_JLE, R3, R0, done);
		bpf_move(c, R2, R0);
		bpf_atomic(c, BPF_CMPXCHG, WORDS, at, R3);
		bpf_jump_if(c, BPF_JEQ, R0, R2, done);
	}
	bpf_lose(b, offsetof(struct image_losses, skipped));
	bpf_here(c, done);
}

/* The word at AT becomes VALUE, if that is less, or more, or the first. */
static void set_word(struct bpf *b, int at, bool min)
{
	struct bpf_code *c = &b->u->code;
	bpf_label set = bpf_label_new(c), done = bpf_label_new(c);

	bpf_load(c, 8, R0, WORDS, 0);
	bpf_jump_number(c, BPF_JEQ, R0, 0, set);
	bpf_load(c, 8, R0, WORDS, at);
	bpf_jump_if(c, min ? BPF_JSGE : BPF_JSLE, VALUE, R0, done);
	bpf_here(c, set);
	bpf_store(c, 8, WORDS, at, VALUE);
	bpf_here(c, done);
}

/* Sum and sum of squares, 128 bits each. With |value| = 2^32 a + b the square is 2^64 a^2 + 2^33 ab + b^2. */
static void add_variance(struct bpf *b, int at)
{
	struct bpf_code *c = &b->u->code;
	bpf_label positive = bpf_label_new(c), no_carry = bpf_label_new(c);

	bpf_move(c, R1, VALUE);
	bpf_operate_number(c, BPF_ARSH, R1, 63);
	add_two_words(b, at, VALUE, R1);
	bpf_move(c, R1, VALUE);
	bpf_jump_number(c, BPF_JSGE, R1, 0, positive);
	bpf_negate(c, R1);
	bpf_here(c, positive);
	bpf_move(c, R2, R1);
	bpf_operate_number(c, BPF_RSH, R2, 32);
	bpf_operate_number(c, BPF_LSH, R1, 32);
	bpf_operate_number(c, BPF_RSH, R1, 32);
	bpf_move(c, R3, R1);
	bpf_operate(c, BPF_MUL, R3, R2); /* ab */
	bpf_operate(c, BPF_MUL, R1, R1);
	bpf_operate(c, BPF_MUL, R2, R2);
	bpf_move(c, R4, R3);
	bpf_operate_number(c, BPF_RSH, R4, 31);
	bpf_operate(c, BPF_ADD, R2, R4);
	bpf_operate_number(c, BPF_LSH, R3, 33);
	bpf_operate(c, BPF_ADD, R1, R3);
	bpf_jump_if(c, BPF_JGE, R1, R3, no_carry);
	bpf_operate_number(c, BPF_ADD, R2, 1);
	bpf_here(c, no_carry);
	add_two_words(b, at + 16, R1, R2);
}

/* ---- buckets ---- */
/* R3 becomes the bits that the number in R1 takes, up to the highest that is set. R1 and R2 are used. */
static void count_bits(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;

	bpf_number(c, R3, 0);
	for (int bits = 32; bits; bits /= 2) {
		bpf_label less = bpf_label_new(c);

		bpf_move(c, R2, R1);
		bpf_operate_number(c, BPF_RSH, R2, bits);
		bpf_jump_number(c, BPF_JEQ, R2, 0, less);
		bpf_move(c, R1, R2);
		bpf_operate_number(c, BPF_ADD, R3, bits);
		bpf_here(c, less);
	}
	bpf_operate(c, BPF_ADD, R3, R1);
}

/* R3 = MIDDLE - R3 for values below 0, else MIDDLE + R3. */
static void mirror(struct bpf *b, int middle)
{
	struct bpf_code *c = &b->u->code;
	bpf_label positive = bpf_label_new(c);

	bpf_jump_number(c, BPF_JSGE, VALUE, 0, positive);
	bpf_negate(c, R3);
	bpf_here(c, positive);
	bpf_operate_number(c, BPF_ADD, R3, middle);
}

/* R3: see kt_log_bucket(). */
static void find_log_bucket(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	bpf_label positive = bpf_label_new(c);

	bpf_move(c, R1, VALUE);
	bpf_jump_number(c, BPF_JSGE, R1, 0, positive);
	bpf_negate(c, R1);
	bpf_here(c, positive);
	count_bits(b);
	mirror(b, KT_LOG_ZERO);
}

/* R3: see kt_linear_bucket(). */
static void find_linear_bucket(struct bpf *b, const struct kt_stat_type *t)
{
	struct bpf_code *c = &b->u->code;
	bpf_label inside = bpf_label_new(c), done = bpf_label_new(c);

	bpf_number(c, R3, 0);
	bpf_number(c, R2, t->lo);
	bpf_jump_if(c, BPF_JSLT, VALUE, R2, done);
	bpf_move(c, R3, VALUE);
	bpf_operate(c, BPF_SUB, R3, R2);
	bpf_number(c, R2, t->step);
	bpf_operate(c, BPF_DIV, R3, R2);
	bpf_jump_number(c, BPF_JLT, R3, (int)t->buckets - 2, inside);
	bpf_number(c, R3, (int)t->buckets - 2);
	bpf_here(c, inside);
	bpf_operate_number(c, BPF_ADD, R3, 1);
	bpf_here(c, done);
}

/* R3: see kt_pct_bucket(). */
static void find_percentile_bucket(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	bpf_label positive = bpf_label_new(c), small = bpf_label_new(c), exact = bpf_label_new(c), negative = bpf_label_new(c);
	bpf_label done = bpf_label_new(c);

	bpf_move(c, R4, VALUE);
	bpf_jump_number(c, BPF_JSGE, R4, 0, positive);
	bpf_operate_number(c, BPF_XOR, R4, -1);
	bpf_here(c, positive);
	bpf_jump_number(c, BPF_JLT, R4, 1 << KT_PCT_BITS, exact);
	bpf_move(c, R1, R4);
	count_bits(b);
	bpf_operate_number(c, BPF_SUB, R3, KT_PCT_BITS + 1); /* bits below the sub-bucket's */
	bpf_operate(c, BPF_RSH, R4, R3);
	bpf_operate_number(c, BPF_AND, R4, (1 << KT_PCT_BITS) - 1);
	bpf_operate_number(c, BPF_ADD, R3, 1);
	bpf_operate_number(c, BPF_LSH, R3, KT_PCT_BITS);
	bpf_operate(c, BPF_ADD, R3, R4);
	bpf_jump(c, small);
	bpf_here(c, exact);
	bpf_move(c, R3, R4);
	bpf_here(c, small);
	bpf_jump_number(c, BPF_JSLT, VALUE, 0, negative);
	bpf_operate_number(c, BPF_ADD, R3, KT_PCT_BUCKETS / 2);
	bpf_jump(c, done);
	bpf_here(c, negative);
	bpf_number(c, R1, KT_PCT_BUCKETS / 2 - 1);
	bpf_operate(c, BPF_SUB, R1, R3);
	bpf_move(c, R3, R1);
	bpf_here(c, done);
}

/* Counts in bucket R3 of those N at AT. */
static void count_bucket(struct bpf *b, int at, kt_u32 n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label none = bpf_label_new(c);

	bpf_jump_number(c, BPF_JGE, R3, (int)n, none); /* the verifier does not know it: there is no such bucket */
	bpf_operate_number(c, BPF_LSH, R3, 3);
	bpf_operate(c, BPF_ADD, R3, WORDS);
	bpf_number(c, R1, 1);
	bpf_atomic(c, BPF_ADD, R3, at, R1);
	bpf_here(c, none);
}

/* Adds VALUE to WORDS. */
static void add_value(struct bpf *b, const struct kt_stat_type *t, bool copy)
{
	struct bpf_code *c = &b->u->code;

	if (t->fields & KT_STAT_SUM)
		add_word(b, at_field(t, KT_STAT_SUM), VALUE);
	for (int min = 1; min >= 0; min--) {
		enum kt_stat_field field = min ? KT_STAT_MIN : KT_STAT_MAX;

		if (t->fields & (kt_u32)field && copy)
			raise_word(b, at_field(t, field), min);
		else if (t->fields & (kt_u32)field)
			set_word(b, at_field(t, field), min);
	}
	if (t->fields & KT_STAT_VAR)
		add_variance(b, at_field(t, KT_STAT_VAR));
	if (t->fields & KT_STAT_HIST) {
		if (t->hist == KT_HIST_LOG)
			find_log_bucket(b);
		else
			find_linear_bucket(b, t);
		count_bucket(b, at_field(t, KT_STAT_HIST), t->buckets);
	}
	if (t->fields & KT_STAT_PCT) {
		find_percentile_bucket(b);
		count_bucket(b, 8 * (int)KT_STAT_PCT_AT(t->fields, t->buckets), KT_PCT_BUCKETS);
	}
	/* Last, and after all that is before it on every machine: who reads takes it for empty until the first value is whole. */
	bpf_number(c, R1, 1);
	bpf_atomic(c, BPF_ADD | BPF_FETCH, WORDS, 0, R1);
}

/* ---- words of a handler at a hit ---- */
/* R8 becomes the half that is in use. */
static void load_half(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;

	bpf_value(c, R8, MAP_STATE, offsetof(struct image_state, half));
	bpf_load(c, 4, R8, R8, 0);
	bpf_operate_number(c, BPF_AND, R8, 1);
}

/* WORDS become the copy of the scalar S, or it goes to NONE. */
static void find_copy(struct bpf *b, const struct symbol *s, bpf_label none)
{
	struct bpf_code *c = &b->u->code;

	bpf_call(c, BPF_CPU);
	bpf_known(c, R1, IMAGE_CPUS);
	bpf_jump_if(c, BPF_JGE, R0, R1, none);
	load_half(b);
	bpf_operate_number(c, BPF_MUL, R0, (int)b->cpu_size);
	bpf_operate_number(c, BPF_MUL, R8, (int)b->half_size);
	bpf_value(c, WORDS, MAP_STATE, stat_of(b, s)->copies);
	bpf_operate(c, BPF_ADD, WORDS, R0);
	bpf_operate(c, BPF_ADD, WORDS, R8);
}

/* R1 becomes the map of S: of the half R8, if it has two. */
static void choose_map(struct bpf *b, const struct symbol *s)
{
	struct bpf_code *c = &b->u->code;
	int map = (int)b->arrays[b->array[s->index]].map;
	bpf_label chosen = bpf_label_new(c);

	bpf_map(c, R1, map);
	if (has_copies(b, s)) {
		bpf_jump_number(c, BPF_JEQ, R8, 0, chosen);
		bpf_map(c, R1, map + 1);
	}
	bpf_here(c, chosen);
}

/* R0 becomes the words of the element with the key at KEY, or 0. */
static void lookup(struct bpf *b, const struct symbol *s, unsigned key)
{
	choose_map(b, s);
	str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = key });
	bpf_call(&b->u->code, BPF_MAP_LOOKUP);
}

/* WORDS become those of the element with the key at KEY, which is made if need be; or it goes to NONE. */
static void make_element(struct bpf *b, const struct node *n, const struct symbol *s, unsigned key, bpf_label none)
{
	struct bpf_code *c = &b->u->code;
	bpf_label found = bpf_label_new(c), made = bpf_label_new(c), busy = bpf_label_new(c);

	if (has_copies(b, s))
		load_half(b);
	lookup(b, s, key);
	bpf_jump_number(c, BPF_JNE, R0, 0, found);
	choose_map(b, s);
	str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = key });
	bpf_value(c, R3, MAP_CONSTANTS, b->zeroes);
	bpf_number(c, R4, 1); /* unless another handler did */
	bpf_call(c, BPF_MAP_UPDATE);
	bpf_jump_number(c, BPF_JEQ, R0, 0, made);
	bpf_jump_number(c, BPF_JEQ, R0, -EEXIST, made);
	bpf_jump_number(c, BPF_JNE, R0, -E2BIG, busy);
	bpf_number(c, R1, b->array[s->index]);
	bpf_fail(b, n, IMAGE_ERROR_FULL, 1);
	bpf_here(c, made);
	lookup(b, s, key);
	bpf_jump_number(c, BPF_JNE, R0, 0, found);
	/* The map is in use by what this handler interrupted: the value is counted as lost. */
	bpf_here(c, busy);
	bpf_lose(b, offsetof(struct image_losses, skipped));
	bpf_jump(c, none);
	bpf_here(c, found);
	bpf_move(c, WORDS, R0);
}

/* ---- natives ---- */
/* The key of OPERAND, in the frame; 0: it is a scalar. */
static unsigned key_of(struct bpf *b, const struct node *operand)
{
	return operand->kind == ND_INDEX ? bpf_key(b, operand->kid[0]->sym, operand->list, operand) : 0;
}

/* R1 and R2: the aggregate S and its key at KEY. */
static void pass(struct bpf *b, const struct symbol *s, unsigned key)
{
	bpf_number(&b->u->code, R1, b->stat[s->index]);
	if (key)
		str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = key });
	else
		bpf_number(&b->u->code, R2, 0);
}

static void call(struct bpf *b, const struct node *n, enum image_native native)
{
	bpf_call(&b->u->code, (int)native);
	bpf_check_native(b, n);
}

/* ---- s <<< v ---- */
void bpf_stat_add(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct node *operand = n->kid[0];
	const struct symbol *s = stat_symbol(operand);
	bpf_label done = bpf_label_new(c);
	unsigned key = key_of(b, operand);
	int value;

	bpf_long(b, n->kid[1]);
	value = bpf_push(b, n);
	if (b->u->cold) {
		bpf_pop(b, R3, value);
		pass(b, s, key);
		call(b, n, NATIVE_STAT_ADD);
		return;
	}
	if (key)
		make_element(b, n, s, key, done);
	else if (has_copies(b, s))
		find_copy(b, s, done);
	else
		bpf_value(c, WORDS, MAP_STATE, b->global_at[s->index]);
	bpf_pop(b, VALUE, value);
	add_value(b, &stat_of(b, s)->type, has_copies(b, s));
	bpf_here(c, done);
}

/* ---- @-operators ---- */
/* At a hit, of an aggregate that the handler has a lock of, or nobody writes. */
static void read_words(struct bpf *b, const struct node *n, const struct symbol *s)
{
	struct bpf_code *c = &b->u->code;
	const struct kt_stat_type *t = &stat_of(b, s)->type;
	bool zero = n->op == OP_COUNT || n->op == OP_SUM;
	bpf_label some = bpf_label_new(c), empty = bpf_label_new(c), end = bpf_label_new(c), positive = bpf_label_new(c), stay = bpf_label_new(c);

	if (n->op == OP_VARIANCE || n->op == OP_PCT || has_copies(b, s)) {
		bpf_refuse(b, n, "this value of an aggregate in a handler at a hit");
		return;
	}
	if (n->kid[0]->kind == ND_INDEX) {
		lookup(b, s, key_of(b, n->kid[0]));
		bpf_jump_number(c, BPF_JEQ, R0, 0, empty);
		bpf_move(c, WORDS, R0);
	} else {
		bpf_value(c, WORDS, MAP_STATE, b->global_at[s->index]);
	}
	bpf_load(c, 8, R1, WORDS, 0);
	bpf_jump_number(c, BPF_JNE, R1, 0, some);
	bpf_here(c, empty);
	if (zero) {
		bpf_number(c, R0, 0);
		bpf_jump(c, end);
	} else {
		bpf_fail(b, n, IMAGE_ERROR_EMPTY, 0);
	}
	bpf_here(c, some);
	bpf_load(c, 8, R0, WORDS, n->op == OP_COUNT ? 0 : at_field(t, n->op == OP_MIN ? KT_STAT_MIN : n->op == OP_MAX ? KT_STAT_MAX : KT_STAT_SUM));
	if (n->op == OP_AVG) { /* 6.1 divides numbers without a sign only */
		bpf_move(c, R2, R0);
		bpf_jump_number(c, BPF_JSGE, R0, 0, positive);
		bpf_negate(c, R0);
		bpf_here(c, positive);
		bpf_operate(c, BPF_DIV, R0, R1);
		bpf_jump_number(c, BPF_JSGE, R2, 0, stay);
		bpf_negate(c, R0);
		bpf_here(c, stay);
	}
	bpf_here(c, end);
}

void bpf_stat(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct symbol *s = stat_symbol(n->kid[0]);
	unsigned key;

	if (!b->u->cold) {
		read_words(b, n, s);
		return;
	}
	key = key_of(b, n->kid[0]);
	bpf_number(c, R0, 0);
	if (n->op == OP_PCT && n->list)
		bpf_long(b, n->list);
	bpf_move(c, R4, R0);
	bpf_number(c, R3, stat_op(n->op));
	pass(b, s, key);
	call(b, n, NATIVE_STAT);
}

void bpf_stat_clear(struct bpf *b, const struct symbol *s, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	kt_u32 words = stat_of(b, s)->type.words;

	if (b->u->cold) {
		pass(b, s, 0);
		call(b, n, NATIVE_STAT_CLEAR);
	} else if (words > KT_STAT_WORDS(~0u, KT_LOG_BUCKETS, KT_PCT_PAGED)) {
		bpf_refuse(b, n, "deleting percentiles in a handler at a hit");
	} else {
		bpf_value(c, R1, MAP_STATE, b->global_at[s->index]);
		for (kt_u32 i = 0; i < words; i++)
			bpf_store_number(c, 8, R1, 8 * (int)i, 0);
	}
}

/* ---- histograms ---- */
/* Refuses N in a handler at a hit. */
static bool is_cold(struct bpf *b, const struct node *n)
{
	if (!b->u->cold)
		bpf_refuse(b, n, "reading a histogram in a handler at a hit");
	return b->u->cold;
}

void bpf_bucket(struct bpf *b, const struct node *n)
{
	const struct node *operand = n->kid[0]->kid[0];
	unsigned key;
	int at;

	if (!is_cold(b, n))
		return;
	bpf_long(b, n->list);
	at = bpf_push(b, n);
	key = key_of(b, operand);
	bpf_pop(b, R3, at);
	pass(b, stat_symbol(operand), key);
	call(b, n, n->kind == ND_IN ? NATIVE_HAS_BUCKET : NATIVE_BUCKET);
}

void bpf_print_hist(struct bpf *b, const struct node *n)
{
	const struct node *operand = n->list->kid[0];
	unsigned key;

	if (!is_cold(b, n))
		return;
	key = key_of(b, operand);
	bpf_number(&b->u->code, R3, bpf_format(b, printed_has_newline(n->op) ? "%s\n" : "%s"));
	pass(b, stat_symbol(operand), key);
	call(b, n->list, NATIVE_HIST_PRINT);
}

struct string bpf_sprint_hist(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct node *operand = n->list->kid[0];
	struct string to = str_new(b, (unsigned)b->string_max);
	unsigned key;

	if (!is_cold(b, n))
		return to;
	if (printed_has_newline(n->op))
		bpf_refuse(b, n, "composing a histogram with one more line");
	key = key_of(b, operand);
	str_address(b, R3, to);
	bpf_number(c, R4, b->string_max);
	pass(b, stat_symbol(operand), key);
	call(b, n->list, NATIVE_HIST);
	return to;
}

/* The loop's turn: I is in the frame at AT, from 0. */
static void set_bucket_variables(struct bpf *b, const struct node *n, unsigned at, unsigned key)
{
	struct bpf_code *c = &b->u->code;
	const struct foreach *fe = n->foreach;
	const struct symbol *s = stat_symbol(n->kid[0]->kid[0]);

	bpf_load(c, 8, R0, FRAME_REGISTER, (int)at);
	if (fe->dir == SORT_DOWN && fe->sort_by > 0) {
		bpf_negate(c, R0);
		bpf_operate_number(c, BPF_ADD, R0, (int)stat_of(b, s)->type.buckets - 1);
	}
	if (fe->keys)
		bpf_store_long(b, fe->keys->sym);
	if (!fe->value)
		return;
	bpf_move(c, R3, R0);
	pass(b, s, key);
	call(b, n, NATIVE_BUCKET);
	bpf_store_long(b, fe->value->sym);
}

void bpf_foreach_bucket(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct node *operand = n->kid[0]->kid[0];
	bpf_label outer_again = b->u->again, outer_out = b->u->out, turn = bpf_label_new(c);
	unsigned at = bpf_frame(b, 8), left = bpf_frame(b, 8), kept = 0, key;

	if (!is_cold(b, n))
		return;
	bpf_number(c, R0, INT64_MAX);
	if (n->kid[1])
		bpf_long(b, n->kid[1]);
	bpf_store(c, 8, FRAME_REGISTER, (int)left, R0);
	key = key_of(b, operand);
	if (key) { /* the body's expressions take its place */
		unsigned size = b->maps[b->arrays[b->array[stat_symbol(operand)->index]].map].key_size;

		kept = bpf_frame(b, size);
		for (unsigned i = 0; i < size; i += 8) {
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)(key + i));
			bpf_store(c, 8, FRAME_REGISTER, (int)(kept + i), R0);
		}
	}
	bpf_store_number(c, 8, FRAME_REGISTER, (int)at, 0);
	str_release(b);
	b->u->again = bpf_label_new(c);
	b->u->out = bpf_label_new(c);
	bpf_here(c, turn);
	bpf_load(c, 8, R0, FRAME_REGISTER, (int)at);
	bpf_jump_number(c, BPF_JGE, R0, (int)stat_of(b, stat_symbol(operand))->type.buckets, b->u->out);
	bpf_load(c, 8, R0, FRAME_REGISTER, (int)left);
	bpf_jump_number(c, BPF_JSLE, R0, 0, b->u->out);
	bpf_operate_number(c, BPF_SUB, R0, 1);
	bpf_store(c, 8, FRAME_REGISTER, (int)left, R0);
	set_bucket_variables(b, n, at, kept);
	bpf_statement(b, n->kid[2]);
	bpf_here(c, b->u->again);
	bpf_load(c, 8, R0, FRAME_REGISTER, (int)at);
	bpf_operate_number(c, BPF_ADD, R0, 1);
	bpf_store(c, 8, FRAME_REGISTER, (int)at, R0);
	bpf_jump(c, turn);
	bpf_here(c, b->u->out);
	b->u->again = outer_again;
	b->u->out = outer_out;
}
