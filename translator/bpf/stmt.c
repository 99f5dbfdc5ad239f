/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements. The body of a loop is a function that the helper bpf_loop calls. */
#include <stddef.h>
#include <string.h>

#include "translator/bpf/state.h"

enum { TURNS_MAX = 1 << 23 }; /* of bpf_loop */

/* The statement N, or a turn of the loop N: ends the handler if that is one too many. */
static void count(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label go = bpf_label_new(c);
	int at = offsetof(struct image_frame, actions);

	bpf_load(c, 8, R0, FRAME_REGISTER, at);
	bpf_operate_number(c, BPF_SUB, R0, 1);
	bpf_store(c, 8, FRAME_REGISTER, at, R0);
	bpf_jump_number(c, BPF_JSGE, R0, 0, go);
	bpf_fail(b, n, IMAGE_ERROR_ACTIONS, false);
	bpf_here(c, go);
}

static void run_if(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label no = bpf_label_new(c), end = bpf_label_new(c);

	bpf_branch(b, n->kid[0], false, no);
	bpf_statement(b, n->kid[1]);
	if (n->kid[2])
		bpf_jump(c, end);
	bpf_here(c, no);
	if (n->kid[2])
		bpf_statement(b, n->kid[2]);
	bpf_here(c, end);
}

/* Returns from the body of a loop with WHY, which the frame keeps for who called it. */
static void leave(struct bpf *b, enum leaving why)
{
	bpf_store_number(&b->u->code, 8, FRAME_REGISTER, offsetof(struct image_frame, leaving), (int)why);
	bpf_number(&b->u->code, R0, 1);
	bpf_exit(&b->u->code);
}

/* After a loop: goes on to where it was left for. */
static void go_on(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;

	bpf_load(c, 8, R0, FRAME_REGISTER, offsetof(struct image_frame, leaving));
	bpf_jump_number(c, BPF_JEQ, R0, LEAVE_FAIL, b->u->fail);
	bpf_jump_number(c, BPF_JEQ, R0, LEAVE_NEXT, b->u->leave);
	bpf_jump_number(c, BPF_JEQ, R0, LEAVE_RETURN, b->u->done);
}

static void run_loop(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct pending *p = arena_new(&program_arena, struct pending);
	bpf_label ended = bpf_label_new(c);

	*p = (struct pending){ .label = bpf_label_new(c), .loop = n, .within = b->u->func, .next = b->u->pending };
	b->u->pending = p;
	bpf_number(c, R1, TURNS_MAX);
	bpf_function(c, R2, p->label);
	bpf_move(c, R3, R10);
	bpf_operate_number(c, BPF_ADD, R3, STACK_CONTEXT);
	bpf_number(c, R4, 0);
	bpf_call(c, BPF_LOOP);
	bpf_jump_number(c, BPF_JNE, R0, TURNS_MAX, ended); /* a loop with a condition that is met in the last turn is taken for one that goes on */
	bpf_fail(b, n, IMAGE_ERROR_TURNS, false);
	bpf_here(c, ended);
	go_on(b);
}

/* The condition, body and step of the loop N, which are one turn. */
static void turn(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	const struct node *condition = n->kind == ND_FOR ? n->kid[1] : n->kid[0], *step = n->kind == ND_FOR ? n->kid[2] : NULL;

	b->u->again = bpf_label_new(c);
	b->u->out = bpf_label_new(c);
	count(b, n);
	if (condition)
		bpf_branch(b, condition, false, b->u->out);
	str_release(b);
	bpf_statement(b, n->kind == ND_FOR ? n->kid[3] : n->kid[1]);
	bpf_here(c, b->u->again);
	if (step)
		bpf_effect(b, step);
	str_release(b);
	bpf_number(c, R0, 0);
	bpf_exit(c);
	bpf_here(c, b->u->out);
	leave(b, LEAVE_NOT); /* another loop of this turn may have been left for something else */
}

static void write_loop(struct bpf *b, const struct pending *p)
{
	struct bpf_code *c = &b->u->code;
	struct unit *u = b->u;

	u->fail = bpf_label_new(c);
	u->leave = bpf_label_new(c);
	u->done = bpf_label_new(c);
	u->n_free = u->n_used = 0; /* those of who calls it are in use */
	u->func = p->within;
	u->stack = STACK_RESERVED;
	bpf_here(c, p->label);
	/* R2: the two words that run_loop() has on the stack. */
	bpf_load(c, 8, CONTEXT_REGISTER, R2, 0);
	bpf_load(c, 8, FRAME_REGISTER, R2, 8);
	bpf_store(c, 8, R10, STACK_CONTEXT, CONTEXT_REGISTER);
	bpf_store(c, 8, R10, STACK_FRAME, FRAME_REGISTER);
	turn(b, p->loop);
	bpf_here(c, u->fail);
	leave(b, LEAVE_FAIL);
	bpf_here(c, u->leave);
	leave(b, LEAVE_NEXT);
	bpf_here(c, u->done);
	leave(b, LEAVE_RETURN);
}

static void write_function(struct bpf *b, const struct pending *p)
{
	struct bpf_code *c = &b->u->code;
	struct unit *u = b->u;

	u->fail = bpf_label_new(c);
	u->leave = bpf_label_new(c);
	u->done = bpf_label_new(c);
	u->n_free = u->n_used = 0;
	u->func = p->func;
	u->stack = STACK_RESERVED;
	u->again = u->out = -1;
	bpf_here(c, p->label);
	bpf_move(c, CONTEXT_REGISTER, R1);
	bpf_move(c, FRAME_REGISTER, R2);
	bpf_store(c, 8, R10, STACK_CONTEXT, CONTEXT_REGISTER);
	bpf_store(c, 8, R10, STACK_FRAME, FRAME_REGISTER);
	bpf_keep_arguments(b, p->func);
	bpf_begin_locals(b, p->func->locals);
	if (p->func->type == TY_STRING)
		bpf_store_number(c, 8, FRAME_REGISTER, (int)bpf_result(b, p->func).at, 0);
	else if (p->func->type == TY_LONG)
		bpf_store_number(c, 8, FRAME_REGISTER, (int)bpf_local(b, p->func, 8), 0);
	bpf_statement(b, p->func->body);
	bpf_here(c, u->done);
	bpf_number(c, R0, 0);
	bpf_exit(c);
	bpf_here(c, u->leave);
	bpf_decline(b, p->func);
	bpf_jump(c, u->done);
	bpf_here(c, u->fail);
	bpf_number(c, R0, 1);
	bpf_exit(c);
}

void bpf_write_pending(struct bpf *b)
{
	while (b->u->pending && !b->failed) {
		const struct pending *p = b->u->pending;

		b->u->pending = p->next;
		if (p->func)
			write_function(b, p);
		else
			write_loop(b, p);
	}
}

void bpf_begin_locals(struct bpf *b, const struct symbol *list)
{
	for (const struct symbol *s = list; s; s = s->next) {
		unsigned at = bpf_local(b, s, s->type == TY_STRING ? str_size(b, s) : 8);

		bpf_store_number(&b->u->code, 8, FRAME_REGISTER, (int)at, 0);
	}
}

/* A message that may have a number in it, at a hit: 6.1 formats it by itself. */
static void put_message(struct bpf *b, struct string to, const char *message)
{
	struct bpf_code *c = &b->u->code;
	struct string format = str_format(b, message, strlen(message));

	if (!strchr(message, '%')) {
		str_copy(b, to, format);
		return;
	}
	str_address(b, R1, to);
	bpf_number(c, R2, to.size);
	str_address(b, R3, format);
	bpf_move(c, R4, FRAME_REGISTER);
	bpf_operate_number(c, BPF_ADD, R4, offsetof(struct image_frame, detail));
	bpf_number(c, R5, 8);
	bpf_call(c, BPF_SNPRINTF);
}

/* The message that an array is full. */
static const char *full_message(struct bpf *b, const struct image_array *a)
{
	const char *name = text_str(&b->text) + a->name;

	return arena_printf(&program_arena, ARRAY_FULL_MESSAGE, name, (long long)b->maps[a->map].entries, name);
}

void bpf_message(struct bpf *b, const struct node *n)
{
	static const struct {
		enum image_error error;
		const char *text;
	} known[] = {
#define IMAGE_ERROR(name, kind, message) { IMAGE_ERROR_##name, message },
#include "runtime/bpf/errors.def"
#undef IMAGE_ERROR
	};
	struct bpf_code *c = &b->u->code;
	struct string to = bpf_variable(b, n->kid[2]->sym);
	bpf_label end = bpf_label_new(c);

	if (b->u->cold) {
		str_address(b, R1, to);
		bpf_number(c, R2, to.size);
		bpf_call(c, NATIVE_MESSAGE);
		return;
	}
	for (size_t i = 0; known[i].error < IMAGE_ERROR_ACTIONS; i++) {
		bpf_label other = bpf_label_new(c);

		bpf_load(c, 4, R0, FRAME_REGISTER, offsetof(struct image_frame, error));
		bpf_jump_number(c, BPF_JNE, R0, (int)known[i].error, other);
		if (known[i].error == IMAGE_ERROR_TEXT && b->raises)
			str_copy(b, to, (struct string){ STRING_FRAME, FRAME_TEXT, (unsigned)b->string_max, 0 });
		for (size_t array = 0; known[i].error == IMAGE_ERROR_FULL && array < b->n_arrays; array++) {
			bpf_label next = bpf_label_new(c);

			bpf_load(c, 8, R0, FRAME_REGISTER, offsetof(struct image_frame, detail));
			bpf_jump_number(c, BPF_JNE, R0, (int)array, next);
			put_message(b, to, full_message(b, &b->arrays[array]));
			bpf_here(c, next);
		}
		if (known[i].text)
			put_message(b, to, known[i].text);
		bpf_jump(c, end);
		bpf_here(c, other);
	}
	bpf_here(c, end);
}

static void run_return(struct bpf *b, const struct node *n)
{
	const struct function *f = b->u->func;

	if (n->kid[0] && f->type == TY_STRING) {
		struct string to = bpf_result(b, f);

		str_copy(b, to, bpf_string(b, n->kid[0]));
	} else if (n->kid[0]) {
		bpf_long(b, n->kid[0]);
		bpf_store(&b->u->code, 8, FRAME_REGISTER, (int)bpf_local(b, f, 8), R0);
	}
	bpf_jump(&b->u->code, b->u->done);
}

/* try: what fails in the first arm goes on in the second. */
static void run_try(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label outer = b->u->fail, end = bpf_label_new(c), caught = bpf_label_new(c);

	b->u->fail = bpf_label_new(c);
	bpf_statement(b, n->kid[0]);
	bpf_jump(c, end);
	bpf_here(c, b->u->fail);
	b->u->fail = outer;
	bpf_load(c, 4, R0, FRAME_REGISTER, offsetof(struct image_frame, error));
	/* Those after it cannot be caught. */
	bpf_jump_number(c, BPF_JLT, R0, IMAGE_ERROR_ACTIONS, caught);
	bpf_jump(c, outer);
	bpf_here(c, caught);
	if (n->kid[2])
		bpf_message(b, n);
	bpf_store_number(c, 4, FRAME_REGISTER, offsetof(struct image_frame, error), IMAGE_NO_ERROR);
	bpf_statement(b, n->kid[1]);
	bpf_here(c, end);
}

static void emit_statement(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;

	if (n->kind != ND_BLOCK) {
		bpf_place(c, bpf_place_of(b, n));
		if (b->u->cold || b->u->again >= 0) /* a program in the kernel is as long as it is where it has no loop */
			count(b, n);
	}
	switch (n->kind) {
	case ND_NULL_STMT:
		break;
	case ND_BLOCK:
		for (const struct node *s = n->list; s && !b->failed; s = s->next)
			bpf_statement(b, s);
		break;
	case ND_IF:
		run_if(b, n);
		break;
	case ND_FOR:
		if (n->kid[0])
			bpf_effect(b, n->kid[0]);
		run_loop(b, n);
		break;
	case ND_WHILE:
		run_loop(b, n);
		break;
	case ND_FOREACH:
		bpf_foreach(b, n);
		break;
	case ND_TRY:
		run_try(b, n);
		break;
	case ND_BREAK:
		bpf_jump(c, b->u->out);
		break;
	case ND_CONTINUE:
		bpf_jump(c, b->u->again);
		break;
	case ND_NEXT:
		bpf_jump(c, b->u->leave);
		break;
	case ND_RETURN:
		run_return(b, n);
		break;
	case ND_DELETE:
		bpf_delete(b, n);
		break;
	case ND_EXPR:
		bpf_effect(b, n->kid[0]);
		break;
	default:
		bpf_refuse(b, n, arena_printf(&program_arena, "'%s'", node_kind_name(n->kind)));
	}
	str_release(b);
}

void bpf_statements(struct bpf *b)
{
	b->statement = emit_statement;
}
