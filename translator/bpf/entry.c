/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a function's entry in return probes: the handler at the entry keeps them in a map until the call returns.
 *
 * A call is named by its process, or in the kernel by its task, and by the stack pointer at its entry. A call that is left by longjmp() leaves
 * its values behind, which the next call of the same name replaces. In the frame and in the map they lie as in struct kt_saved: the numbers,
 * of which the first says how many there are, the strings, a bit for each that could be read.
 */
#include <stddef.h>

#include "translator/bpf/state.h"
#include "translator/probe/probe.h"

enum { STACK_POINTER = 7 };

static unsigned text_words(const struct bpf *b)
{
	return ((unsigned)b->string_max + 7) / 8;
}

static unsigned set_words(const struct kept *k)
{
	return (k->slots + 63) / 64;
}

unsigned bpf_kept_size(const struct kept *k)
{
	return 8 * (k->room + set_words(k));
}

/* Puts the name of the call onto the stack, below what is there, and sets R2 to its address. */
static void name_call(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	int at = -(int)b->u->stack - BPF_CALL_NAME_SIZE;

	if (b->u->attach->kind == IMAGE_UPROBE) {
		bpf_call(c, BPF_PID_TGID);
		bpf_operate_number(c, BPF_RSH, R0, 32);
	} else {
		bpf_call(c, BPF_CURRENT_TASK);
	}
	bpf_store(c, 8, R10, at, R0);
	bpf_register_value(b, b->u->probe->body, STACK_POINTER);
	if (b->u->attach->above)
		bpf_operate_number(c, BPF_SUB, R0, (int)b->u->attach->above);
	bpf_store(c, 8, R10, at + 8, R0);
	bpf_move(c, R2, R10);
	bpf_operate_number(c, BPF_ADD, R2, at);
}

void bpf_kept_begin(struct bpf *b, bpf_label none)
{
	struct unit *u = b->u;
	struct bpf_code *c = &u->code;

	u->kept_at = bpf_frame(b, bpf_kept_size(&u->kept));
	if (u->probe->helper) {
		for (unsigned i = 0; i < set_words(&u->kept); i++)
			bpf_store_number(c, 8, FRAME_REGISTER, (int)(u->kept_at + 8 * (u->kept.room + i)), 0);
		return;
	}
	name_call(b);
	bpf_map(c, R1, u->kept.map);
	bpf_call(c, BPF_MAP_LOOKUP);
	bpf_jump_number(c, BPF_JEQ, R0, 0, none);
	bpf_move(c, R3, R0);
	bpf_move(c, R1, FRAME_REGISTER);
	bpf_operate_number(c, BPF_ADD, R1, (int)u->kept_at);
	bpf_number(c, R2, bpf_kept_size(&u->kept));
	bpf_call(c, BPF_READ_KERNEL);
	name_call(b);
	bpf_map(c, R1, u->kept.map);
	bpf_call(c, BPF_MAP_DELETE);
}

void bpf_kept_end(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	bpf_label fits = bpf_label_new(c);

	name_call(b);
	bpf_map(c, R1, b->u->kept.map);
	bpf_move(c, R3, FRAME_REGISTER);
	bpf_operate_number(c, BPF_ADD, R3, (int)b->u->kept_at);
	bpf_number(c, R4, 0);
	bpf_call(c, BPF_MAP_UPDATE);
	bpf_jump_number(c, BPF_JEQ, R0, 0, fits);
	bpf_lose(b, offsetof(struct image_losses, calls));
	bpf_here(c, fits);
}

/* ---- the functions of tapset/language/entry.stp ---- */
static unsigned slot_at(const struct bpf *b, const struct node *n)
{
	return b->u->kept_at + 8 * (unsigned)n->list->num;
}

/* Where the bit of the slot is: its word in the frame. The bit goes into R1. */
static int set_at(struct bpf *b, const struct node *n)
{
	bpf_number(&b->u->code, R1, (int64_t)(1ull << n->list->num % 64));
	return (int)(b->u->kept_at + 8 * (b->u->kept.room + (unsigned)n->list->num / 64));
}

static struct string text_at(const struct bpf *b, const struct node *n)
{
	unsigned word = b->u->kept.slots + (unsigned)n->list->next->num * text_words(b);

	return (struct string){ STRING_FRAME, b->u->kept_at + 8 * word, 8 * text_words(b), 0 };
}

static void mark_set(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	int at = set_at(b, n);

	bpf_load(c, 8, R2, FRAME_REGISTER, at);
	bpf_operate(c, BPF_OR, R2, R1);
	bpf_store(c, 8, FRAME_REGISTER, at, R2);
}

static void check_set(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label good = bpf_label_new(c);
	int at = set_at(b, n);

	bpf_load(c, 8, R2, FRAME_REGISTER, at);
	bpf_operate(c, BPF_AND, R2, R1);
	bpf_jump_number(c, BPF_JNE, R2, 0, good);
	bpf_fail(b, n, IMAGE_ERROR_ENTRY, 0);
	bpf_here(c, good);
}

void bpf_entry_save(struct bpf *b, const struct node *n)
{
	bpf_long(b, n->list->next);
	bpf_store(&b->u->code, 8, FRAME_REGISTER, (int)slot_at(b, n), R0);
	mark_set(b, n);
}

void bpf_entry_save_text(struct bpf *b, const struct node *n)
{
	struct string value = bpf_string(b, n->list->next->next);

	str_copy(b, text_at(b, n), value);
	mark_set(b, n);
}

void bpf_entry_value(struct bpf *b, const struct node *n)
{
	check_set(b, n);
	bpf_load(&b->u->code, 8, R0, FRAME_REGISTER, (int)slot_at(b, n));
}

struct string bpf_entry_text(struct bpf *b, const struct node *n)
{
	check_set(b, n);
	return text_at(b, n);
}
