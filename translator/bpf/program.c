/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs: a handler between its frame, its locks and its errors. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"
#include "translator/bpf/program.h"
#include "translator/probe/probe.h"

/* What a handler at a hit has on the stack beside what loops are given. */
enum { STACK_HEAD = -24, STACK_BIT = -32, STACK_CPU = -40, STACK_HIT = 40 };

enum { LOCK_TRIES_MAX = 1 << 23, COLD_LOCK_TRIES = 1000000 };

/* ---- counts ---- */
/* Counts a hit whose handler ran to its end. */
static void count_hit(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	bpf_label end = bpf_label_new(c);

	if (b->u->cold || b->u->plain)
		bpf_call(c, BPF_CPU);
	else
		bpf_load(c, 8, R0, R10, STACK_CPU);
	bpf_known(c, R1, IMAGE_CPUS);
	bpf_jump_if(c, BPF_JGE, R0, R1, end);
	bpf_operate_number(c, BPF_MUL, R0, (int)b->cpu_size);
	bpf_value(c, R1, MAP_STATE, b->hits_at + 8 * (unsigned)b->u->probe->index);
	bpf_operate(c, BPF_ADD, R1, R0);
	bpf_number(c, R2, 1);
	bpf_atomic(c, BPF_ADD, R1, 0, R2);
	bpf_here(c, end);
}

/* ---- the process ---- */
/* Goes to OUT in another process than those of -c, -x or the point. The map of targets has a bit for each number of a process. */
static void check_process(struct bpf *b, bpf_label out)
{
	struct bpf_code *c = &b->u->code;
	bpf_label all = bpf_label_new(c);

	if (b->u->attach->pid) {
		bpf_call(c, BPF_PID_TGID);
		bpf_operate_number(c, BPF_RSH, R0, 32);
		bpf_jump_number(c, BPF_JNE, R0, b->u->attach->pid, out);
	}
	bpf_known(c, R1, IMAGE_TARGET);
	bpf_jump_number(c, BPF_JEQ, R1, 0, all);
	bpf_call(c, BPF_PID_TGID);
	bpf_operate_number(c, BPF_RSH, R0, 32);
	bpf_jump_number(c, BPF_JGE, R0, IMAGE_PROCESSES, out);
	bpf_move(c, R1, R0);
	bpf_operate_number(c, BPF_AND, R1, 63);
	bpf_operate_number(c, BPF_RSH, R0, 6);
	bpf_operate_number(c, BPF_LSH, R0, 3);
	bpf_value(c, R2, (int)b->targets, 0);
	bpf_operate(c, BPF_ADD, R2, R0);
	bpf_load(c, 8, R0, R2, 0);
	bpf_operate(c, BPF_RSH, R0, R1);
	bpf_operate_number(c, BPF_AND, R0, 1);
	bpf_jump_number(c, BPF_JEQ, R0, 0, out);
	bpf_here(c, all);
}

/* ---- the frame ---- */
/* Goes to OUT where the session does not run. */
static void check_running(struct bpf *b, bpf_label out)
{
	struct bpf_code *c = &b->u->code;

	bpf_value(c, R1, MAP_STATE, offsetof(struct image_state, state));
	bpf_load(c, 4, R1, R1, 0);
	bpf_jump_number(c, BPF_JNE, R1, KT_RUNNING, out);
}

/* Takes one of the frames of this CPU. Nothing is touched where there is none: the hit is counted. R8 and R9 are used. */
static void take_frame(struct bpf *b, bpf_label out)
{
	struct bpf_code *c = &b->u->code;
	bpf_label found = bpf_label_new(c);

	bpf_call(c, BPF_CPU);
	bpf_known(c, R1, IMAGE_CPUS);
	bpf_jump_if(c, BPF_JGE, R0, R1, out);
	bpf_store(c, 8, R10, STACK_CPU, R0);
	bpf_known(c, R1, IMAGE_FRAMES_STRIDE);
	bpf_operate(c, BPF_MUL, R0, R1);
	bpf_value(c, R9, MAP_FRAMES, 0);
	bpf_operate(c, BPF_ADD, R9, R0);
	for (int i = 0; i < FRAMES_OF_CPU; i++) {
		bpf_number(c, R2, i);
		bpf_number(c, R3, 1 << i);
		bpf_number(c, R1, 1 << i);
		bpf_atomic(c, BPF_OR | BPF_FETCH, R9, 0, R1);
		bpf_move(c, R4, R1);
		bpf_operate_number(c, BPF_AND, R4, 1 << i);
		bpf_jump_number(c, BPF_JEQ, R4, 0, found);
	}
	bpf_lose(b, offsetof(struct image_losses, busy));
	bpf_jump(c, out);

	bpf_here(c, found);
	bpf_store(c, 8, R10, STACK_HEAD, R9);
	bpf_store(c, 8, R10, STACK_BIT, R3);
	/* The verifier would follow the handler once for each number of a frame that it knows: here it forgets which one R2 is. */
	bpf_operate(c, BPF_XOR, R2, R1);
	bpf_operate(c, BPF_XOR, R2, R1);
	bpf_jump_number(c, BPF_JGE, R2, FRAMES_OF_CPU, out);
	bpf_known(c, R1, IMAGE_FRAME_SIZE);
	bpf_operate(c, BPF_MUL, R2, R1);
	bpf_move(c, FRAME_REGISTER, R9);
	bpf_operate(c, BPF_ADD, FRAME_REGISTER, R2);
	bpf_operate_number(c, BPF_ADD, FRAME_REGISTER, FRAMES_HEAD);
}

static void give_frame(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;

	bpf_load(c, 8, R1, R10, STACK_HEAD);
	bpf_load(c, 8, R2, R10, STACK_BIT);
	bpf_operate_number(c, BPF_XOR, R2, -1);
	bpf_atomic(c, BPF_AND, R1, 0, R2);
}

static void begin_frame(struct bpf *b, bpf_label out)
{
	struct bpf_code *c = &b->u->code;

	if (!b->u->cold)
		take_frame(b, out);
	bpf_store(c, 8, R10, STACK_CONTEXT, CONTEXT_REGISTER);
	bpf_store(c, 8, R10, STACK_FRAME, FRAME_REGISTER);
	bpf_store_number(c, 8, FRAME_REGISTER, offsetof(struct image_frame, time), 0);
	bpf_number(c, R1, b->u->probe->family->id == KT_FAMILY_LIFE ? b->limits.max_life : b->limits.max_action);
	bpf_store(c, 8, FRAME_REGISTER, offsetof(struct image_frame, actions), R1);
	bpf_store_number(c, 8, FRAME_REGISTER, offsetof(struct image_frame, error), 0);
}

/* ---- locks ---- */
/* Does the handler need the lock of the global I? */
static bool is_locked(const struct bpf *b, const struct uses *uses, int i)
{
	return uses->flags[i] && b->plan.globals[i]->plan == PLAN_LOCKED && !probe_is_alone(b->u->probe);
}

static void give_locks(struct bpf *b, const struct uses *uses, int n)
{
	struct bpf_code *c = &b->u->code;

	for (int i = 0; i < n; i++) {
		if (!is_locked(b, uses, i))
			continue;
		bpf_value(c, R1, MAP_STATE, b->lock_at[i]);
		bpf_number(c, R2, 0);
		bpf_atomic(c, BPF_XCHG, R1, 0, R2);
	}
}

/* Takes the lock of the global I if it is free; R0 is 0 then. */
static void try_lock(struct bpf *b, int i)
{
	struct bpf_code *c = &b->u->code;

	bpf_number(c, R0, 0);
	bpf_value(c, R1, MAP_STATE, b->lock_at[i]);
	bpf_number(c, R2, 1);
	bpf_atomic(c, BPF_CMPXCHG, R1, 0, R2);
}

/* Turns that a handler waits for a lock, of some 20 ns each in the kernel. */
static int lock_tries(const struct bpf *b)
{
	long long tries = b->limits.lock_wait / 20 + 2;

	return b->u->cold ? COLD_LOCK_TRIES : tries < LOCK_TRIES_MAX ? (int)tries : LOCK_TRIES_MAX;
}

/* Takes the locks in the order of the globals, or none and goes to SKIP. WAITS: by global, the functions that wait for them. */
static void take_locks(struct bpf *b, const struct uses *uses, bpf_label skip, bpf_label *waits)
{
	struct bpf_code *c = &b->u->code;

	for (int i = 0; i < b->plan.n_globals; i++) {
		bpf_label got;

		if (!is_locked(b, uses, i))
			continue;
		got = bpf_label_new(c);
		waits[i] = bpf_label_new(c);
		try_lock(b, i);
		bpf_jump_number(c, BPF_JEQ, R0, 0, got);
		bpf_number(c, R1, lock_tries(b));
		bpf_function(c, R2, waits[i]);
		bpf_number(c, R3, 0);
		bpf_number(c, R4, 0);
		bpf_call(c, BPF_LOOP);
		bpf_jump_number(c, BPF_JNE, R0, lock_tries(b), got);
		give_locks(b, uses, i);
		bpf_jump(c, skip);
		bpf_here(c, got);
	}
}

/* Writes the functions that wait, of which each call tries once. The last call does not: a loop that ends with it has not got the lock. */
static void write_waits(struct bpf *b, const struct uses *uses, const bpf_label *waits)
{
	struct bpf_code *c = &b->u->code;

	for (int i = 0; i < b->plan.n_globals; i++) {
		bpf_label no;

		if (!is_locked(b, uses, i))
			continue;
		no = bpf_label_new(c);
		bpf_here(c, waits[i]);
		bpf_jump_number(c, BPF_JEQ, R1, lock_tries(b) - 1, no);
		try_lock(b, i);
		bpf_jump_number(c, BPF_JNE, R0, 0, no);
		bpf_number(c, R0, 1);
		bpf_exit(c);
		bpf_here(c, no);
		bpf_number(c, R0, 0);
		bpf_exit(c);
	}
}

/* ---- errors ---- */
/* Counts the error that ended the handler. */
static void count_error(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	bpf_label none = bpf_label_new(c);

	bpf_load(c, 4, R3, FRAME_REGISTER, offsetof(struct image_frame, error));
	bpf_jump_number(c, BPF_JGE, R3, IMAGE_ERRORS, none); /* for the verifier: there is no such error */
	bpf_operate_number(c, BPF_LSH, R3, 3);
	bpf_value(c, R1, MAP_STATE, bpf_losses(b) + (unsigned)offsetof(struct image_losses, errors));
	bpf_operate(c, BPF_ADD, R1, R3);
	bpf_number(c, R2, 1);
	bpf_atomic(c, BPF_ADD, R1, 0, R2);
	bpf_here(c, none);
}

/* Sends what ended the handler and, where the script calls error(), its message. Ends the session if that was one error too many. */
static void report(struct bpf *b)
{
	struct bpf_code *c = &b->u->code;
	unsigned size = sizeof(struct image_error_record), at = str_new(b, size + (unsigned)b->string_max + 8).at;
	bpf_label sent = bpf_label_new(c), go = bpf_label_new(c);
	int to = (int)at;

	bpf_call(c, BPF_KTIME_GET_NS);
	bpf_store(c, 8, FRAME_REGISTER, to + (int)offsetof(struct kt_record, time), R0);
	bpf_load(c, 4, R1, FRAME_REGISTER, offsetof(struct image_frame, place));
	bpf_operate_number(c, BPF_LSH, R1, 16);
	bpf_operate_number(c, BPF_OR, R1, KT_REC_ERROR);
	bpf_store(c, 4, FRAME_REGISTER, to + (int)offsetof(struct kt_record, kind), R1);
	bpf_store_number(c, 8, FRAME_REGISTER, to + (int)offsetof(struct image_error_record, probe), b->u->probe->index);
	bpf_load(c, 4, R1, FRAME_REGISTER, offsetof(struct image_frame, error));
	bpf_store(c, 8, FRAME_REGISTER, to + (int)offsetof(struct image_error_record, error), R1);
	bpf_load(c, 8, R1, FRAME_REGISTER, offsetof(struct image_frame, detail));
	bpf_store(c, 8, FRAME_REGISTER, to + (int)offsetof(struct image_error_record, detail), R1);
	/* n_callers and callers[] stand in the same order in both. */
	for (int i = 0; i < 8 + 4 * KT_ERROR_CALLS_MAX; i += 8) {
		bpf_load(c, 8, R1, FRAME_REGISTER, (int)offsetof(struct image_frame, n_callers) + i);
		bpf_store(c, 8, FRAME_REGISTER, to + (int)offsetof(struct image_error_record, n_callers) + i, R1);
	}
	if (b->u->cold || b->raises) {
		struct string message = { STRING_FRAME, at + size, (unsigned)b->string_max, 0 };

		str_copy(b, message, (struct string){ STRING_FRAME, FRAME_TEXT, (unsigned)b->string_max, 0 });
		size += ((unsigned)b->string_max + 7) & ~7u;
	}
	bpf_store_number(c, 4, FRAME_REGISTER, to, (int)size);
	bpf_map(c, R1, MAP_RING);
	str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = at });
	bpf_number(c, R3, size);
	bpf_number(c, R4, 0);
	bpf_call(c, BPF_RING_OUTPUT);
	bpf_jump_number(c, BPF_JEQ, R0, 0, sent);
	bpf_lose(b, offsetof(struct image_losses, lost_records));
	bpf_here(c, sent);
	count_error(b);
	bpf_value(c, R1, MAP_STATE, offsetof(struct image_state, errors));
	bpf_number(c, R2, 1);
	bpf_atomic(c, BPF_ADD | BPF_FETCH, R1, 0, R2);
	bpf_jump_number(c, BPF_JLT, R2, (int)b->limits.max_errors, go); /* R2: those before */
	bpf_value(c, R1, MAP_STATE, offsetof(struct image_state, state));
	bpf_store_number(c, 4, R1, 0, KT_STOPPING);
	bpf_here(c, go);
}

/* ---- handlers ---- */
/* Returns whether the handler keeps anything in its frame. */
static bool write_handler(struct bpf *b, const struct probe *pr)
{
	struct bpf_code *c = &b->u->code;
	struct unit *u = b->u;
	bpf_label out = bpf_label_new(c), skip = bpf_label_new(c), end = bpf_label_new(c);
	bpf_label *waits = arena_array(&program_arena, bpf_label, b->plan.n_globals + 1);
	struct uses uses = plan_uses_new(&b->plan);
	bool framed;
	size_t begun;

	plan_probe_uses(&b->plan, pr, &uses);
	u->fail = bpf_label_new(c);
	u->leave = bpf_label_new(c);
	u->done = u->leave;
	bpf_move(c, CONTEXT_REGISTER, R1);
	if (u->cold)
		bpf_move(c, FRAME_REGISTER, R2);
	if (u->attach->kind == IMAGE_UPROBE)
		check_process(b, out);
	if (!u->cold)
		check_running(b, out);
	if (!u->plain)
		begin_frame(b, out);
	begun = c->n;
	if (u->kept.map)
		bpf_kept_begin(b, end);
	bpf_begin_locals(b, pr->locals);
	take_locks(b, &uses, skip, waits);
	if (pr->condition)
		bpf_branch(b, pr->condition, false, u->leave);
	str_release(b);
	bpf_statement(b, pr->body);
	bpf_here(c, u->leave);
	give_locks(b, &uses, b->plan.n_globals);
	if (!pr->helper)
		count_hit(b);
	if (u->kept.map && pr->helper)
		bpf_kept_end(b);
	bpf_jump(c, end);

	bpf_here(c, u->fail);
	if (bpf_label_used(c, u->fail)) {
		give_locks(b, &uses, b->plan.n_globals);
		bpf_load(c, 4, R1, FRAME_REGISTER, offsetof(struct image_frame, error));
		bpf_jump_number(c, BPF_JEQ, R1, IMAGE_ERROR_ABORT, end);
		bpf_jump_number(c, BPF_JEQ, R1, IMAGE_ERROR_BUSY, skip);
		report(b);
		bpf_jump(c, end);
	}

	bpf_here(c, skip);
	bpf_lose(b, offsetof(struct image_losses, skipped));
	bpf_here(c, end);
	framed = bpf_names(c, begun, FRAME_REGISTER) || u->pending;
	if (!u->cold && !u->plain)
		give_frame(b);
	bpf_here(c, out);
	bpf_number(c, R0, 0);
	bpf_exit(c);
	write_waits(b, &uses, waits);
	return framed;
}

/* Fills in the jumps, and refuses what the kernel, or the interpreter of ktaprun, has no space for. */
static void finish(struct bpf *b)
{
	enum { FRAMES_MAX = 8, COLD_FRAMES_MAX = 64, STACK_BYTES = 512, LENGTH_MAX = 1000000 };
	struct loc at = b->p->current;
	unsigned frames = b->u->cold ? COLD_FRAMES_MAX : FRAMES_MAX;
	struct bpf_depth depth;

	if (b->failed)
		return;
	b->failed = true;
	if (!bpf_resolve(&b->u->code) || b->u->code.n > LENGTH_MAX) {
		error(at, DIAG_BPF, "the handler is too long for a BPF program");
	} else if ((depth = bpf_measure(&b->u->code)).frames > frames) {
		error(at, DIAG_BPF, "functions and loops of the handler are nested %u deep; a BPF program may have %u", depth.frames - 1, frames - 1);
	} else if (!b->u->cold && depth.stack > STACK_BYTES) {
		error(at, DIAG_BPF, "expressions, functions and loops of the handler take %u bytes of stack; a BPF program has %d", depth.stack, STACK_BYTES);
		note(at, "assign parts of long expressions to variables first");
	} else {
		b->failed = false;
		return;
	}
	note(at, "--runtime=kernel, which loads a module, takes it");
}

bool bpf_program(struct bpf *b, const struct probe *pr, const struct probe_attach *at, struct bpf_code *ret)
{
	bool cold = at->kind == IMAGE_COLD;
	unsigned *largest;
	unsigned text = ((unsigned)b->string_max + 7) & ~7u;
	struct unit u = {
		.probe = pr, .attach = at, .cold = cold, .kept = at->entry || pr->helper ? b->kept : (struct kept){ 0 },
		.frame = FRAME_TEXT + (cold || b->raises ? text : 0), .stack = cold ? STACK_RESERVED : STACK_HIT, .again = -1, .out = -1,
	};

	b->u = &u;
	b->p->current = pr->written ? pr->written->loc : (struct loc){ 0 };
	if (!write_handler(b, pr) && !cold) {
		/* Once more, without a frame. */
		bpf_deinit(&u.code);
		u.plain = true;
		write_handler(b, pr);
	}
	bpf_write_pending(b);
	finish(b);
	/* The verifier does not see that what joins two strings leaves the second the rest of the space: it wants all of it once more. */
	u.frame += text;
	largest = cold ? &b->cold_frame_size : &b->frame_size;
	*largest = u.frame > *largest ? u.frame : *largest;
	*ret = u.code;
	free(u.locals);
	free(u.free);
	free(u.used);
	b->u = NULL;
	return u.sleeps;
}
