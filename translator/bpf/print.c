/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family: a record in the frame, which goes into the ring whole. ktaprun formats it, as it does a module's. */
#include <stddef.h>

#include "translator/bpf/state.h"
#include "translator/sema/printed.h"

enum { RECORD_HEAD = sizeof(struct kt_record), STRING_HEAD = 4 };

/* Sets the time of the handler's records, which the first one takes, into R0. */
static void record_time(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	bpf_label known = bpf_label_new(c);

	bpf_load(c, 8, R0, FRAME_REGISTER, offsetof(struct image_frame, time));
	bpf_jump_number(c, BPF_JNE, R0, 0, known);
	bpf_call(c, BPF_KTIME_GET_NS);
	bpf_store(c, 8, FRAME_REGISTER, offsetof(struct image_frame, time), R0);
	bpf_here(c, known);
}

/* Sends the record at AT in the frame, whose size is in R8. */
static void send(struct bpf *b, unsigned at)
{
	struct bpf_code *c = &b->u->code;
	bpf_label sent = bpf_label_new(c);

	bpf_map(c, R1, MAP_RING);
	str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = at });
	bpf_move(c, R3, R8);
	bpf_number(c, R4, 0);
	bpf_call(c, BPF_RING_OUTPUT);
	bpf_jump_number(c, BPF_JEQ, R0, 0, sent);
	bpf_lose(b, offsetof(struct image_losses, lost_records));
	bpf_here(c, sent);
}

/* Bytes that the argument I takes at most. */
static unsigned room(const struct printed *pr, int i, const struct string *s)
{
	return pr->take[i] == 'L' ? 8 : STRING_HEAD + s[i].size + 8;
}

/* Appends the string S to the record at AT, of which R8 bytes are written, fewer than BEFORE + 1. */
static void put_string(struct bpf *b, unsigned at, struct string s, unsigned before)
{
	struct bpf_code *c = &b->u->code;
	bpf_label good = bpf_label_new(c);

	str_address(b, R1, (struct string){ .where = STRING_FRAME, .at = at });
	bpf_operate(c, BPF_ADD, R1, R8);
	bpf_move(c, R9, R1);
	bpf_operate_number(c, BPF_ADD, R1, STRING_HEAD);
	bpf_number(c, R2, s.size);
	str_address(b, R3, s);
	bpf_call(c, BPF_READ_KERNEL_STR);
	bpf_jump_number(c, BPF_JSGT, R0, 0, good);
	bpf_number(c, R0, 1);
	bpf_here(c, good);
	bpf_operate_number(c, BPF_SUB, R0, 1); /* without the NUL */
	bpf_store(c, 4, R9, 0, R0);
	bpf_operate_number(c, BPF_ADD, R0, STRING_HEAD + 7);
	bpf_operate_number(c, BPF_AND, R0, -8);
	bpf_operate(c, BPF_ADD, R8, R0);
	/* What the verifier forgets of the sum. */
	bpf_jump_number(c, BPF_JGT, R8, (int)(before + STRING_HEAD + s.size + 8), b->u->fail);
}

/* Writes the record of P, whose longs are on the stack from LONGS down and whose strings are STRINGS. */
static void write_record(struct bpf *b, const struct printed *pr, const int *longs, const struct string *strings)
{
	struct bpf_code *c = &b->u->code;
	unsigned size = RECORD_HEAD, at;

	for (int i = 0; i < pr->n; i++)
		size += room(pr, i, strings);
	at = str_new(b, size).at;
	record_time(b);
	bpf_store(c, 8, FRAME_REGISTER, (int)at + (int)offsetof(struct kt_record, time), R0);
	bpf_store_number(c, 4, FRAME_REGISTER, (int)at + 4, bpf_format(b, text_str(&pr->format)) << 16 | KT_REC_PRINT);
	bpf_number(c, R8, RECORD_HEAD);
	size = RECORD_HEAD;
	for (int i = 0; i < pr->n; i++) {
		if (pr->take[i] == 'L') {
			str_address(b, R1, (struct string){ .where = STRING_FRAME, .at = at });
			bpf_operate(c, BPF_ADD, R1, R8);
			bpf_load(c, 8, R0, R10, longs[i]);
			bpf_store(c, 8, R1, 0, R0);
			bpf_operate_number(c, BPF_ADD, R8, 8);
		} else {
			put_string(b, at, strings[i], size);
		}
		size += room(pr, i, strings);
	}
	bpf_store(c, 4, FRAME_REGISTER, (int)at, R8);
	send(b, at);
}

void bpf_send_string(struct bpf *b, struct string s, int kind)
{
	struct bpf_code *c = &b->u->code;
	unsigned at = str_new(b, RECORD_HEAD + STRING_HEAD + s.size + 8).at;

	record_time(b);
	bpf_store(c, 8, FRAME_REGISTER, (int)at + (int)offsetof(struct kt_record, time), R0);
	bpf_store_number(c, 4, FRAME_REGISTER, (int)at + 4, (int)((unsigned)KT_NO_PLACE << 16 | (unsigned)kind));
	bpf_number(c, R8, RECORD_HEAD);
	put_string(b, at, s, RECORD_HEAD);
	bpf_store(c, 4, FRAME_REGISTER, (int)at, R8);
	send(b, at);
}

void bpf_print(struct bpf *b, const struct node *n)
{
	struct printed pr = { .record = true, .string_max = (size_t)b->string_max };
	struct string strings[KT_ARGS_MAX];
	unsigned stack = b->u->stack;
	int longs[KT_ARGS_MAX];

	if (n->list && n->list->kind == ND_HIST) {
		bpf_print_hist(b, n);
		return;
	}
	printed_read(&pr, n);
	for (int i = 0; i < pr.n && !b->failed; i++) {
		if (pr.take[i] == 'N' && pr.name[i] == KT_NAME_SYMBOL && !b->u->cold) {
			strings[i] = bpf_symbol(b, pr.arg[i]);
		} else if (pr.take[i] == 'M' || pr.take[i] == 'N' || n->or_error) {
			bpf_refuse(b, n, "printing memory or the name of an address");
		} else if (pr.take[i] == 'L') {
			bpf_long(b, pr.arg[i]);
			longs[i] = bpf_push(b, n);
		} else {
			strings[i] = bpf_string_kept(b, pr.arg[i], pr.arg[i]->next);
		}
	}
	if (!b->failed)
		write_record(b, &pr, longs, strings);
	b->u->stack = stack;
	text_deinit(&pr.format);
}

/* sprintf and the like. In ktaprun the arguments are an array of struct kt_arg in the frame. */
struct string bpf_sprint(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct printed pr = { .string_max = (size_t)b->string_max };
	struct string to, args;
	enum { ARG_SIZE = 24 };

	if (n->list && n->list->kind == ND_HIST)
		return bpf_sprint_hist(b, n);
	printed_read(&pr, n);
	if (n->or_error)
		bpf_refuse(b, n, "a string that may be an error");
	if (!b->u->cold) {
		to = bpf_sprint_at_hit(b, n, &pr);
		text_deinit(&pr.format);
		return to;
	}
	to = str_new(b, (unsigned)b->string_max);
	args = str_new(b, (unsigned)pr.n * ARG_SIZE + 8);
	for (int i = 0; i < pr.n; i++) {
		int at = (int)args.at + i * ARG_SIZE;

		if (pr.take[i] == 'M') {
			bpf_refuse(b, n, "composing a string of memory");
		} else if (pr.take[i] == 'L') {
			bpf_long(b, pr.arg[i]);
			bpf_store(c, 8, FRAME_REGISTER, at, R0);
			bpf_store_number(c, 8, FRAME_REGISTER, at + 8, 0);
		} else {
			str_address(b, R0, bpf_string_kept(b, pr.arg[i], pr.arg[i]->next));
			bpf_store_number(c, 8, FRAME_REGISTER, at, 0);
			bpf_store(c, 8, FRAME_REGISTER, at + 8, R0);
		}
		bpf_store_number(c, 8, FRAME_REGISTER, at + 16, 0);
	}
	str_address(b, R1, to);
	bpf_number(c, R2, b->string_max);
	str_address(b, R3, str_format(b, text_str(&pr.format), pr.format.len));
	str_address(b, R4, args);
	bpf_number(c, R5, pr.n);
	bpf_call(c, NATIVE_FORMAT);
	text_deinit(&pr.format);
	return to;
}
