/* SPDX-License-Identifier: GPL-2.0-or-later */
/* =~ and !~: the tables of translator/sema/regex.c are constants. ktaprun matches with the core, groups included; a program in the kernel walks
 * through the automaton, unrolled, so that the string is a short one.
 */
#include <stddef.h>
#include <string.h>

#include "translator/bpf/state.h"
#include "translator/sema/regex.h"

enum {
	MATCHED_MAX = 128, /* bytes of a string that a program in the kernel matches */
	ROW_OF_REGEX = 1,  /* of struct bpf.strings */
};

static bool wants_groups(const struct bpf *b)
{
	for (int i = 0; i < b->plan.n_functions; i++)
		if (plan_is_match_function(b->plan.functions[i]))
			return true;
	return false;
}

static kt_u32 put_table(struct bpf *b, unsigned from, const void *table, size_t size)
{
	return size ? (kt_u32)(bpf_constant(b, table, size) - from) : 0;
}

/* Writes the tables of RE into the constants. Returns where. */
static unsigned put_regex(struct bpf *b, const struct regex *re)
{
	const struct kt_regex *t = &re->tables;
	struct image_regex head = { .n_classes = t->n_classes, .start = t->start, .n_groups = t->n_groups, .n_insts = t->n_insts };
	unsigned at = bpf_constant(b, &head, sizeof(head));

	memcpy(head.class_of, t->class_of, sizeof(head.class_of));
	head.next = put_table(b, at, t->next, (size_t)re->n_states * t->n_classes * sizeof(*t->next));
	head.accept = put_table(b, at, t->accept, re->n_states);
	head.program = put_table(b, at, t->program, t->n_insts * sizeof(*t->program));
	head.sets = put_table(b, at, t->sets, 32 * (size_t)re->n_sets);
	memcpy(b->constants.buf + at, &head, sizeof(head));
	return at;
}

/* Where the tables of the expression of N are in the constants. */
static unsigned regex_of(struct bpf *b, const struct node *n, struct regex *re)
{
	const struct node *pattern = n->kid[1];
	struct map_row *row = memchr(pattern->text, 0, pattern->text_len) ? NULL :
			      map_add(&b->strings, intern_n(pattern->text, pattern->text_len), ROW_OF_REGEX);
	unsigned at;

	if (!regex_compile(n->loc, pattern->text, pattern->text_len, wants_groups(b), re)) {
		b->failed = true;
		return 0;
	}
	if (row && row->value)
		return (unsigned)((uintptr_t)row->value - 1);
	at = put_regex(b, re);
	if (row)
		row->value = (void *)(uintptr_t)(at + 1);
	return at;
}

/* Sets R3 to element INDEX, a register, of the table at AT with N elements of SIZE bytes; goes to NO where the verifier cannot know that
 * there is one. */
static void load_element(struct bpf *b, unsigned at, unsigned index, uint64_t n, unsigned size, bpf_label no)
{
	struct bpf_code *c = &b->u->code;

	bpf_jump_number(c, BPF_JGE, index, (int32_t)n, no);
	bpf_move(c, R4, index);
	if (size > 1)
		bpf_operate_number(c, BPF_MUL, R4, (int)size);
	bpf_value(c, R3, MAP_CONSTANTS, at);
	bpf_operate(c, BPF_ADD, R3, R4);
	bpf_load(c, size, R3, R3, 0);
}

/* One state after the other, in R0. */
static void walk(struct bpf *b, struct string s, const struct regex *re, unsigned at)
{
	struct bpf_code *c = &b->u->code;
	struct image_regex head;
	bpf_label yes = bpf_label_new(c), no = bpf_label_new(c), last = bpf_label_new(c), end = bpf_label_new(c);
	const struct kt_regex *t = &re->tables;

	memcpy(&head, b->constants.buf + at, sizeof(head));
	str_address(b, R1, s);
	bpf_number(c, R0, t->start);
	for (unsigned i = 0; i < s.size; i++) {
		load_element(b, at + head.accept, R0, re->n_states, 1, no);
		bpf_jump_number(c, BPF_JSET, R3, KT_RE_ACCEPT, yes);
		bpf_load(c, 1, R2, R1, (int)i);
		bpf_jump_number(c, BPF_JEQ, R2, 0, last);
		load_element(b, at + (unsigned)offsetof(struct image_regex, class_of), R2, sizeof(head.class_of), 1, no);
		bpf_operate_number(c, BPF_MUL, R0, (int)t->n_classes);
		bpf_operate(c, BPF_ADD, R0, R3);
		load_element(b, at + head.next, R0, (uint64_t)re->n_states * t->n_classes, 2, no);
		bpf_move(c, R0, R3);
		bpf_jump_number(c, BPF_JEQ, R0, 0, no);
	}
	bpf_jump(c, no); /* a string ends before */
	bpf_here(c, last);
	bpf_jump_number(c, BPF_JSET, R3, KT_RE_ACCEPT_AT_END, yes);
	bpf_here(c, no);
	bpf_number(c, R0, 0);
	bpf_jump(c, end);
	bpf_here(c, yes);
	bpf_number(c, R0, 1);
	bpf_here(c, end);
}

void bpf_match(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct string s = bpf_string(b, n->kid[0]);
	struct regex re;
	unsigned at = regex_of(b, n, &re);

	if (b->failed)
		return;
	if (b->u->cold) {
		str_address(b, R2, s);
		bpf_value(c, R1, MAP_CONSTANTS, at);
		bpf_call(c, NATIVE_MATCH);
		bpf_check_native(b, n);
	} else if (re.tables.n_insts) {
		bpf_refuse(b, n, "matched(), of what a handler at a hit matches,");
	} else if (s.size > MATCHED_MAX) {
		bpf_refuse(b, n, arena_printf(&program_arena, "'%s' on a string of more than %d bytes", op_info[n->op].lexeme, MATCHED_MAX));
	} else {
		walk(b, s, &re, at);
	}
	if (n->op == OP_NMATCH)
		bpf_operate_number(c, BPF_XOR, R0, 1);
}
