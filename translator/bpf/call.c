/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls: of functions of the script, which are functions of the program; of functions of the library that helpers of the kernel are, and,
 * in ktaprun, of all that a process has.
 */
#include <stddef.h>
#include <string.h>

#include "translator/bpf/state.h"
#include "translator/probe/probe.h"

struct string bpf_result(struct bpf *b, const struct function *f)
{
	return (struct string){ .where = STRING_FRAME, .at = bpf_local(b, f, (unsigned)b->string_max), .size = ((unsigned)b->string_max + 7) & ~7u };
}

/* ---- functions of the script ---- */
static bpf_label function_label(struct bpf *b, struct function *f)
{
	struct map_row *row = map_add(&b->u->functions, f->name, (unsigned)f->index + 1);
	struct pending *p;

	if (!row->value) {
		p = arena_new(&program_arena, struct pending);
		*p = (struct pending){ .label = bpf_label_new(&b->u->code), .func = f, .next = b->u->pending };
		b->u->pending = p;
		row->value = (void *)(intptr_t)(p->label + 1);
	}
	return (int)(intptr_t)row->value - 1;
}

/* Computes the arguments, and then, since one of them may call the function, sets the parameters. */
static void pass(struct bpf *b, const struct node *n, const struct function *f)
{
	struct bpf_code *c = &b->u->code;
	struct string *strings = arena_array(&program_arena, struct string, f->n_params + 1);
	int *longs = arena_array(&program_arena, int, f->n_params + 1), i = 0;
	unsigned stack = b->u->stack;

	for (const struct node *arg = n->list; arg && i < f->n_params; arg = arg->next, i++) {
		if (arg->type == TY_STRING) {
			strings[i] = bpf_string_kept(b, arg, arg->next);
		} else {
			bpf_long(b, arg);
			longs[i] = bpf_push(b, n);
		}
	}
	i = 0;
	for (const struct symbol *s = f->params; s; s = s->next, i++) {
		if (s->type == TY_STRING) {
			str_copy(b, bpf_variable(b, s), strings[i]);
		} else {
			bpf_load(c, 8, R0, R10, longs[i]);
			bpf_store_long(b, s);
		}
	}
	b->u->stack = stack;
}

/* Calls F, whose parameters are set. */
static void enter(struct bpf *b, struct function *f)
{
	bpf_move(&b->u->code, R1, CONTEXT_REGISTER);
	bpf_move(&b->u->code, R2, FRAME_REGISTER);
	bpf_call_function(&b->u->code, function_label(b, f));
}

static bool is_callable(struct bpf *b, const struct node *n)
{
	for (const struct function *f = n->func; f; f = f->overload)
		if (f->recursive || f->kit || f->c_body) {
			bpf_refuse(b, n, f->recursive ? "recursion" : "embedded C");
			return false;
		}
	return true;
}

/* An error of the function that N calls ends its caller, too. N is its place where it has none, else one of the calls that led there. */
static void pass_error_on(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label good = bpf_label_new(c), has_place = bpf_label_new(c);

	bpf_jump_number(c, BPF_JEQ, R0, 0, good);
	bpf_load(c, 4, R1, FRAME_REGISTER, offsetof(struct image_frame, place));
	bpf_jump_number(c, BPF_JNE, R1, KT_NO_PLACE, has_place);
	bpf_store_number(c, 4, FRAME_REGISTER, offsetof(struct image_frame, place), (int)bpf_place_of(b, n));
	bpf_jump(c, b->u->fail);
	bpf_here(c, has_place);
	bpf_load(c, 8, R1, FRAME_REGISTER, offsetof(struct image_frame, n_callers));
	bpf_jump_number(c, BPF_JGE, R1, KT_ERROR_CALLS_MAX, b->u->fail);
	bpf_move(c, R2, R1);
	bpf_operate_number(c, BPF_LSH, R2, 2);
	bpf_operate(c, BPF_ADD, R2, FRAME_REGISTER);
	bpf_store_number(c, 4, R2, offsetof(struct image_frame, callers), (int)bpf_place_of(b, n));
	bpf_operate_number(c, BPF_ADD, R1, 1);
	bpf_store(c, 8, FRAME_REGISTER, offsetof(struct image_frame, n_callers), R1);
	bpf_jump(c, b->u->fail);
	bpf_here(c, good);
}

static void call_function(struct bpf *b, const struct node *n)
{
	if (!is_callable(b, n))
		return;
	pass(b, n, n->func);
	enter(b, n->func);
	pass_error_on(b, n);
}

/* Where the argument for the parameter S is kept: the parameter may be written to. */
static struct string kept(struct bpf *b, const struct symbol *s)
{
	unsigned size = s->type == TY_STRING ? str_size(b, s) : 8;

	return (struct string){ .where = STRING_FRAME, .at = bpf_local(b, (const char *)s + 1, size), .size = size };
}

void bpf_keep_arguments(struct bpf *b, const struct function *f)
{
	struct bpf_code *c = &b->u->code;

	for (const struct symbol *s = f->params; s && f->overload; s = s->next) {
		if (s->type == TY_STRING) {
			str_copy(b, kept(b, s), bpf_variable(b, s));
		} else {
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)bpf_local(b, s, 8));
			bpf_store(c, 8, FRAME_REGISTER, (int)kept(b, s).at, R0);
		}
	}
}

void bpf_decline(struct bpf *b, const struct function *f)
{
	struct bpf_code *c = &b->u->code;
	const struct symbol *to = f->overload ? f->overload->params : NULL;

	if (!f->overload) {
		bpf_fail(b, NULL, IMAGE_ERROR_EXHAUSTED, false);
		return;
	}
	for (const struct symbol *s = f->params; s && to; s = s->next, to = to->next) {
		if (s->type == TY_STRING) {
			str_copy(b, bpf_variable(b, to), kept(b, s));
		} else {
			bpf_load(c, 8, R0, FRAME_REGISTER, (int)kept(b, s).at);
			bpf_store_long(b, to);
		}
	}
	enter(b, f->overload);
	bpf_jump_number(c, BPF_JNE, R0, 0, b->u->fail);
	if (f->type == TY_STRING && f->overload->type == TY_STRING) {
		str_copy(b, bpf_result(b, f), bpf_result(b, f->overload));
	} else if (f->type == TY_LONG && f->overload->type == TY_LONG) {
		bpf_load(c, 8, R0, FRAME_REGISTER, (int)bpf_local(b, f->overload, 8));
		bpf_store(c, 8, FRAME_REGISTER, (int)bpf_local(b, f, 8), R0);
	}
}

/* ---- the library, at a hit ---- */
static void shift_right(struct bpf *b, int bits)
{
	bpf_operate_number(&b->u->code, BPF_RSH, R0, bits);
}

static void low_half(struct bpf *b)
{
	bpf_operate_number(&b->u->code, BPF_LSH, R0, 32);
	shift_right(b, 32);
}

static void call_pid(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_PID_TGID);
	shift_right(b, 32);
}

static void call_tid(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_PID_TGID);
	low_half(b);
}

static void call_uid(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_UID_GID);
	low_half(b);
}

static void call_gid(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_UID_GID);
	shift_right(b, 32);
}

static void call_cpu(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_CPU);
}

static void call_ktime(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_KTIME_GET_NS);
}

static void call_target(struct bpf *b, const struct node *n)
{
	bpf_known(&b->u->code, R0, IMAGE_TARGET);
}

/* The clock of the wall is so far from that of the machine, as it was at the start. */
static void wall(struct bpf *b, int32_t unit)
{
	struct bpf_code *c = &b->u->code;

	bpf_call(c, BPF_KTIME_GET_NS);
	bpf_known(c, R1, IMAGE_WALL);
	bpf_operate(c, BPF_ADD, R0, R1);
	if (unit > 1)
		bpf_operate_number(c, BPF_DIV, R0, unit);
}

static void call_wall_ns(struct bpf *b, const struct node *n) { wall(b, 1); }
static void call_wall_us(struct bpf *b, const struct node *n) { wall(b, 1000); }
static void call_wall_ms(struct bpf *b, const struct node *n) { wall(b, 1000000); }
static void call_wall_s(struct bpf *b, const struct node *n) { wall(b, 1000000000); }

static void call_exit(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;

	bpf_value(c, R1, MAP_STATE, offsetof(struct image_state, state));
	bpf_store_number(c, 4, R1, 0, KT_STOPPING);
	/* A record that is skipped wakes the reader. */
	bpf_store_number(c, 8, R10, -(int)b->u->stack - 16, sizeof(struct kt_record));
	bpf_store_number(c, 8, R10, -(int)b->u->stack - 8, 0);
	bpf_map(c, R1, MAP_RING);
	bpf_move(c, R2, R10);
	bpf_operate_number(c, BPF_ADD, R2, -(int)b->u->stack - 16);
	bpf_number(c, R3, sizeof(struct kt_record));
	bpf_number(c, R4, 0);
	bpf_call(c, BPF_RING_OUTPUT);
}

static void call_exit_status(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;

	bpf_long(b, n->list);
	bpf_value(c, R1, MAP_STATE, offsetof(struct image_state, exit_code));
	bpf_store(c, 8, R1, 0, R0);
	call_exit(b, n);
}

static void call_error(struct bpf *b, const struct node *n)
{
	unsigned size = (unsigned)b->string_max;

	str_copy(b, (struct string){ STRING_FRAME, FRAME_TEXT, size, 0 }, bpf_string(b, n->list));
	bpf_fail(b, n, IMAGE_ERROR_TEXT, false);
}

static void call_abort(struct bpf *b, const struct node *n)
{
	call_exit(b, n);
	bpf_fail(b, n, IMAGE_ERROR_ABORT, false);
}

/* Sends a record of KIND with the string N. */
static void send_text(struct bpf *b, const struct node *n, enum kt_record_kind kind)
{
	bpf_send_string(b, bpf_string(b, n->list), kind);
}

static void call_warn(struct bpf *b, const struct node *n) { send_text(b, n, KT_REC_WARN); }
static void call_log(struct bpf *b, const struct node *n) { send_text(b, n, KT_REC_LOG); }
static void call_system(struct bpf *b, const struct node *n) { send_text(b, n, KT_REC_SYSTEM); }

static const struct {
	const char *name;
	void (*emit)(struct bpf *b, const struct node *n);
} longs[] = {
	{ "pid", call_pid }, { "tid", call_tid }, { "uid", call_uid }, { "gid", call_gid }, { "cpu", call_cpu },
	{ "ktime_get_ns", call_ktime }, { "local_clock_ns", call_ktime }, { "target", call_target },
	{ "gettimeofday_ns", call_wall_ns }, { "gettimeofday_us", call_wall_us }, { "gettimeofday_ms", call_wall_ms },
	{ "gettimeofday_s", call_wall_s }, { "exit", call_exit }, { "exit2", call_exit_status }, { "error", call_error }, { "abort", call_abort }, { "warn", call_warn },
	{ "log", call_log }, { "system", call_system },
	{ "__entry_save", bpf_entry_save }, { "__entry_save_text", bpf_entry_save_text }, { "__entry_value", bpf_entry_value },
};

static struct string call_execname(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct string s = str_new(b, 16);

	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.at, 0);
	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.at + 8, 0);
	str_address(b, R1, s);
	bpf_number(c, R2, 16);
	bpf_call(c, BPF_COMM);
	return s;
}

/* Waits for the pages that a string at the address on the stack at AT may lie in: the program may not have touched them yet. */
static void fault_in(struct bpf *b, int at)
{
	enum { PAGE = 4096 };
	struct bpf_code *c = &b->u->code;
	int pages = (b->string_max + PAGE - 2) / PAGE + 1, byte = -(int)b->u->stack - 8;

	b->u->sleeps = true;
	for (int i = 0; i < pages; i++) {
		bpf_move(c, R1, R10);
		bpf_operate_number(c, BPF_ADD, R1, byte);
		bpf_number(c, R2, 1);
		bpf_load(c, 8, R3, R10, at);
		if (i) {
			bpf_operate_number(c, BPF_ADD, R3, i * PAGE);
			bpf_operate_number(c, BPF_AND, R3, -PAGE);
		}
		bpf_call(c, BPF_COPY_FROM_USER);
	}
}

static struct string read_string(struct bpf *b, const struct node *n, bool user)
{
	struct bpf_code *c = &b->u->code;
	struct string s = str_new(b, (unsigned)b->string_max);
	bpf_label good = bpf_label_new(c);
	int at;

	bpf_long(b, n->list);
	at = bpf_push(b, n);
	str_address(b, R1, s);
	bpf_number(c, R2, b->string_max);
	bpf_move(c, R3, R0);
	/* ktaprun copies strings of its own memory by BPF_READ_KERNEL_STR: the other one fails there. */
	bpf_call(c, user || b->u->cold ? BPF_READ_USER_STR : BPF_READ_KERNEL_STR);
	bpf_jump_number(c, BPF_JSGE, R0, 0, good); /* 6.1 says 0 of an empty string of a program */
	if (user && b->u->attach->kind == IMAGE_UPROBE) {
		fault_in(b, at);
		str_address(b, R1, s);
		bpf_number(c, R2, b->string_max);
		bpf_load(c, 8, R3, R10, at);
		bpf_call(c, BPF_READ_USER_STR);
		bpf_jump_number(c, BPF_JSGE, R0, 0, good);
	}
	bpf_load(c, 8, R1, R10, at);
	bpf_fail(b, n, user ? IMAGE_ERROR_USER_STRING : IMAGE_ERROR_KERNEL_STRING, true);
	bpf_here(c, good);
	bpf_pop(b, R1, at);
	return s;
}

static struct string call_user_string(struct bpf *b, const struct node *n) { return read_string(b, n, true); }
static struct string call_kernel_string(struct bpf *b, const struct node *n) { return read_string(b, n, false); }

static struct string call_pp(struct bpf *b, const struct node *n)
{
	return str_constant(b, b->u->probe->pp, strlen(b->u->probe->pp));
}

static struct string call_pn(struct bpf *b, const struct node *n)
{
	const char *name = probe_alias(b->u->probe) ?: b->u->probe->pp;

	return str_constant(b, name, strlen(name));
}

static const struct {
	const char *name;
	struct string (*emit)(struct bpf *b, const struct node *n);
} string_calls[] = {
	{ "execname", call_execname }, { "user_string", call_user_string }, { "kernel_string", call_kernel_string },
	{ "pp", call_pp }, { "pn", call_pn }, { "__entry_text", bpf_entry_text },
};

/* ---- the library, in ktaprun ---- */
static bool is_native(const char *name)
{
	static const char *const names[] = {
#define NATIVE(name, result) #name,
#include "runtime/bpf/natives.def"
#undef NATIVE
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* The arguments are eight bytes each, in the frame. */
static void call_native(struct bpf *b, const struct node *n, const struct string *result)
{
	struct bpf_code *c = &b->u->code;
	const struct function *f = n->func;
	unsigned args = str_new(b, 8 * (unsigned)f->n_params + 8).at, stack = b->u->stack;
	int i = 0;

	for (const struct node *arg = n->list; arg && i < f->n_params; arg = arg->next, i++) {
		if (arg->type == TY_STRING)
			str_address(b, R0, bpf_string(b, arg));
		else
			bpf_long(b, arg);
		bpf_store(c, 8, FRAME_REGISTER, (int)args + 8 * i, R0);
	}
	bpf_number(c, R1, f->n_params);
	str_address(b, R2, (struct string){ .where = STRING_FRAME, .at = args });
	if (result)
		str_address(b, R3, *result);
	else
		bpf_number(c, R3, 0);
	bpf_call(c, NATIVE_BASE + (int)(map_add(&b->natives, intern(f->kit_name), 0) - b->natives.row));
	bpf_check_native(b, n);
	b->u->stack = stack;
}

/* ---- all ---- */
void bpf_call_long(struct bpf *b, const struct node *n)
{
	struct function *f = n->func;

	if (!f->kit) {
		call_function(b, n);
		if (f->type == TY_LONG)
			bpf_load(&b->u->code, 8, R0, FRAME_REGISTER, (int)bpf_local(b, f, 8));
		return;
	}
	for (size_t i = 0; i < sizeof(longs) / sizeof(longs[0]); i++)
		if (!strcmp(longs[i].name, f->kit_name)) {
			longs[i].emit(b, n);
			return;
		}
	if (b->u->cold && is_native(f->kit_name))
		call_native(b, n, NULL);
	else
		bpf_refuse(b, n, arena_printf(&program_arena, "the function '%s'", f->name));
}

struct string bpf_call_string(struct bpf *b, const struct node *n)
{
	struct function *f = n->func;
	struct string s;

	if (!f->kit) {
		call_function(b, n);
		if (f->type != TY_STRING)
			return str_constant(b, "", 0);
		/* Another call overwrites it. */
		s = str_new(b, (unsigned)b->string_max);
		str_copy(b, s, bpf_result(b, f));
		return s;
	}
	for (size_t i = 0; i < sizeof(string_calls) / sizeof(string_calls[0]); i++)
		if (!strcmp(string_calls[i].name, f->kit_name))
			return string_calls[i].emit(b, n);
	s = str_new(b, (unsigned)b->string_max);
	if (b->u->cold && is_native(f->kit_name))
		call_native(b, n, &s);
	else
		bpf_refuse(b, n, arena_printf(&program_arena, "the function '%s'", f->name));
	return s;
}
