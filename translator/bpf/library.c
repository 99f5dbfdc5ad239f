/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library that helpers of the kernel do, or a few instructions; in ktaprun the interpreter does what helpers do. What a
 * handler in ktaprun cannot do, as it needs the kernel's memory or registers, is refused there.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/errno.h"
#include "translator/bpf/library.h"
#include "translator/debuginfo/target.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"

/* ---- the task and the clock ---- */
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

/* The clocks of all CPUs are the machine's. */
static void call_cpu_clock(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label none = bpf_label_new(c), end = bpf_label_new(c);

	bpf_long(b, n->list);
	bpf_known(c, R1, IMAGE_CPUS);
	bpf_jump_if(c, BPF_JGE, R0, R1, none);
	bpf_call(c, BPF_KTIME_GET_NS);
	bpf_jump(c, end);
	bpf_here(c, none);
	bpf_number(c, R0, 0);
	bpf_here(c, end);
}

static void call_jiffies(struct bpf *b, const struct node *n)
{
	bpf_call(&b->u->code, BPF_JIFFIES);
}

static void call_hz(struct bpf *b, const struct node *n)
{
	const struct kernel *k = kernel_find(b->p->reports, b->p->platform.release);
	const char *hz = k ? kernel_config(k, "CONFIG_HZ") : NULL;

	if (hz)
		bpf_number(&b->u->code, R0, strtol(hz, NULL, 10));
	else
		bpf_refuse(b, n, "HZ(), which the configuration of the kernel does not tell,");
}

static void call_random(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	int at;

	bpf_call(c, BPF_RANDOM);
	bpf_operate_number(c, BPF_LSH, R0, 32);
	at = bpf_push(b, n);
	bpf_call(c, BPF_RANDOM);
	low_half(b);
	bpf_pop(b, R1, at);
	bpf_operate(c, BPF_OR, R0, R1);
	shift_right(b, 1);
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

static void call_exit2(struct bpf *b, const struct node *n)
{
	bpf_long(b, n->list);
	bpf_value(&b->u->code, R1, MAP_STATE, offsetof(struct image_state, exit_code));
	bpf_store(&b->u->code, 8, R1, 0, R0);
	call_exit(b, n);
}

/* The kernel sends the signal when the task goes on. */
static void call_raise(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label sent = bpf_label_new(c);
	int at;

	bpf_long(b, n->list);
	at = bpf_push(b, n);
	bpf_move(c, R1, R0);
	bpf_call(c, BPF_SEND_SIGNAL);
	bpf_jump_number(c, BPF_JEQ, R0, 0, sent);
	bpf_load(c, 8, R1, R10, at);
	bpf_fail(b, n, IMAGE_ERROR_SIGNAL, true);
	bpf_here(c, sent);
	bpf_pop(b, R1, at);
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

/* ---- the place ---- */
static const struct context_place *place_of(const struct bpf *b)
{
	return context_of(b->u->probe);
}

static void call_user_mode(struct bpf *b, const struct node *n)
{
	bpf_number(&b->u->code, R0, b->u->attach->kind == IMAGE_UPROBE);
}

static void call_is_return(struct bpf *b, const struct node *n)
{
	const struct context_place *cp = place_of(b);

	bpf_number(&b->u->code, R0, cp && (cp->at_return || cp->of_return));
}

static bool has_registers(const struct bpf *b)
{
	return b->u->attach->kind == IMAGE_KPROBE || b->u->attach->kind == IMAGE_UPROBE;
}

static void call_registers_valid(struct bpf *b, const struct node *n)
{
	bpf_number(&b->u->code, R0, has_registers(b));
}

static void call_string_size(struct bpf *b, const struct node *n)
{
	bpf_number(&b->u->code, R0, b->string_max);
}

/* Bytes of a long in the program, where that is known before the hit; 0: it is not. */
static int user_word(const struct bpf *b)
{
	const struct context_place *cp = place_of(b);

	if (b->u->cold)
		return 8;
	return b->u->attach->kind != IMAGE_UPROBE || !cp || !cp->target ? 0 : target_is_32bit(cp->target) ? 4 : 8;
}

static void call_user_word_size(struct bpf *b, const struct node *n)
{
	if (user_word(b))
		bpf_number(&b->u->code, R0, user_word(b));
	else
		bpf_refuse(b, n, "a long or pointer of whatever program runs: user_int32(), user_uint64() and the like say how long it is; that");
}

/* Argument NUMBER of the function at whose entry the probe is, by the calling convention. */
static void call_argument(struct bpf *b, const struct node *n)
{
	const struct context_place *cp = place_of(b);
	const struct machine *m = cp && cp->target ? target_machine(cp->target) : NULL;
	struct bpf_code *c = &b->u->code;
	bpf_label end = bpf_label_new(c), next;
	int at;

	if (!has_registers(b) || !m || !m->convention || target_is_32bit(cp->target)) {
		bpf_refuse(b, n, "reading an argument by its number");
		return;
	}
	bpf_long(b, n->list);
	at = bpf_push(b, n);
	for (int i = 0; i < m->convention->n_args; i++) {
		next = bpf_label_new(c);
		bpf_load(c, 8, R1, R10, at);
		bpf_jump_number(c, BPF_JNE, R1, i + 1, next);
		bpf_register_value(b, n, m->convention->args[i]);
		bpf_jump(c, end);
		bpf_here(c, next);
	}
	bpf_load(c, 8, R1, R10, at);
	bpf_fail(b, n, IMAGE_ERROR_ARGUMENT, true);
	bpf_here(c, end);
	bpf_pop(b, R1, at);
}

/* Where the probe is: in the kernel it is known but for how far the kernel lies. */
/* The start of the function, which BTF names without an address. */
static void function_address(struct bpf *b)
{
	bpf_move(&b->u->code, R1, CONTEXT_REGISTER);
	bpf_call(&b->u->code, BPF_FUNC_IP);
}

static void call_addr(struct bpf *b, const struct node *n)
{
	enum { IP = 16 };
	const struct context_place *cp = place_of(b);

	if (cp && cp->at_return)
		bpf_refuse(b, n, "the address that a call returns to");
	else if (b->u->attach->kind == IMAGE_KPROBE && b->u->attach->address)
		bpf_linked(&b->u->code, R0, b->u->attach->address);
	else if (b->u->attach->kind == IMAGE_KPROBE && !b->u->attach->offset)
		function_address(b);
	else if (b->u->attach->kind == IMAGE_UPROBE)
		bpf_register_value(b, n, IP);
	else if (b->u->attach->kind == IMAGE_PERF)
		bpf_refuse(b, n, "the address of a sample");
	else
		bpf_number(&b->u->code, R0, 0);
}

static void call_uaddr(struct bpf *b, const struct node *n)
{
	enum { IP = 16 };

	if (b->u->attach->kind == IMAGE_UPROBE)
		bpf_register_value(b, n, IP);
	else
		bpf_refuse(b, n, "the place in a program where no program is probed");
}

/* The result of the function, as wide as its type, if that is known. */
static void call_returnval(struct bpf *b, const struct node *n)
{
	const struct context_place *cp = place_of(b);
	const struct ctype *ct = cp && cp->at_return && cp->place && cp->place->scope ? target_return_type(cp->target, cp->place) : NULL;
	bool is_number = ct && (ct->kind == CT_INT || ct->kind == CT_BOOL || ct->kind == CT_CHAR || ct->kind == CT_ENUM);
	unsigned size = is_number && ct->size < 8 ? (unsigned)ct->size : 8;

	if (!cp || !cp->at_return || target_is_32bit(cp->target)) {
		bpf_refuse(b, n, "returnval() at such a place");
		return;
	}
	bpf_register_value(b, n, 0);
	if (size < 8) {
		bpf_operate_number(&b->u->code, BPF_LSH, R0, (int)(64 - 8 * size));
		bpf_operate_number(&b->u->code, ct->is_signed ? BPF_ARSH : BPF_RSH, R0, (int)(64 - 8 * size));
	}
}

/* ---- numbers in memory ---- */
/* The value of N, where it is known before the hit; -1: it is not. */
static int64_t constant(const struct bpf *b, const struct node *n)
{
	if (n->kind == ND_NUM)
		return n->num;
	return n->kind == ND_CALL && n->func->kit && !strcmp(n->func->kit_name, "__user_word_size") && user_word(b) ? user_word(b) : -1;
}

static void read_number(struct bpf *b, const struct node *n, bool user)
{
	struct bpf_code *c = &b->u->code;
	const struct node *size_node = n->list->next, *sign = size_node->next;
	int64_t size = constant(b, size_node);

	if (size != 1 && size != 2 && size != 4 && size != 8) {
		call_user_word_size(b, n);
		return;
	}
	bpf_long(b, n->list);
	bpf_read(b, n, (unsigned)size, user);
	if (size < 8 && constant(b, sign) == 1) {
		bpf_operate_number(c, BPF_LSH, R0, (int)(64 - 8 * size));
		bpf_operate_number(c, BPF_ARSH, R0, (int)(64 - 8 * size));
	}
}

static void call_kernel_number(struct bpf *b, const struct node *n) { read_number(b, n, false); }
static void call_user_number(struct bpf *b, const struct node *n) { read_number(b, n, true); }

/* ---- numbers of strings ---- */
static void call_strlen(struct bpf *b, const struct node *n)
{
	str_length(b, bpf_string(b, n->list));
}

enum where { ANYWHERE, AT_HITS };

static const struct {
	const char *name;
	void (*emit)(struct bpf *b, const struct node *n);
	enum where where;
} number_calls[] = {
	{ "pid", call_pid, ANYWHERE }, { "tid", call_tid, ANYWHERE }, { "uid", call_uid, ANYWHERE }, { "gid", call_gid, ANYWHERE },
	{ "cpu", call_cpu, ANYWHERE }, { "ktime_get_ns", call_ktime, ANYWHERE }, { "local_clock_ns", call_ktime, ANYWHERE },
	{ "cpu_clock_ns", call_cpu_clock, ANYWHERE }, { "target", call_target, ANYWHERE }, { "gettimeofday_ns", call_wall_ns, ANYWHERE },
	{ "gettimeofday_us", call_wall_us, ANYWHERE }, { "gettimeofday_ms", call_wall_ms, ANYWHERE },
	{ "gettimeofday_s", call_wall_s, ANYWHERE }, { "HZ", call_hz, ANYWHERE }, { "jiffies", call_jiffies, AT_HITS },
	{ "__random", call_random, AT_HITS },
	{ "exit", call_exit, ANYWHERE }, { "exit2", call_exit2, ANYWHERE }, { "error", call_error, ANYWHERE }, { "abort", call_abort, ANYWHERE },
	{ "warn", call_warn, ANYWHERE }, { "log", call_log, ANYWHERE }, { "system", call_system, ANYWHERE }, { "raise", call_raise, AT_HITS },
	{ "__entry_save", bpf_entry_save, ANYWHERE }, { "__entry_save_text", bpf_entry_save_text, ANYWHERE },
	{ "__entry_value", bpf_entry_value, ANYWHERE },
	{ "user_mode", call_user_mode, ANYWHERE }, { "is_return", call_is_return, ANYWHERE },
	{ "addr", call_addr, ANYWHERE }, { "uaddr", call_uaddr, AT_HITS }, { "returnval", call_returnval, AT_HITS },
	{ "registers_valid", call_registers_valid, ANYWHERE }, { "argument_word", call_argument, AT_HITS },
	{ "__string_size", call_string_size, ANYWHERE }, { "__user_word_size", call_user_word_size, ANYWHERE },
	{ "__kernel_number", call_kernel_number, ANYWHERE }, { "__user_number", call_user_number, ANYWHERE },
	{ "strlen", call_strlen, AT_HITS },
	{ "task_current", library_task_current, AT_HITS }, { "__task_comm", library_task_comm, AT_HITS },
	{ "task_pid", library_task_member, AT_HITS }, { "task_tid", library_task_member, AT_HITS },
	{ "task_parent", library_task_member, AT_HITS }, { "task_state", library_task_member, AT_HITS },
	{ "task_cpu", library_task_member, AT_HITS }, { "task_prio", library_task_member, AT_HITS },
	{ "task_nice", library_task_member, AT_HITS }, { "task_uid", library_task_id, AT_HITS }, { "task_euid", library_task_id, AT_HITS },
	{ "task_gid", library_task_id, AT_HITS }, { "task_egid", library_task_id, AT_HITS }, { "euid", library_own_id, AT_HITS },
	{ "egid", library_own_id, AT_HITS }, { "ppid", library_ppid, AT_HITS }, { "pgrp", library_group, AT_HITS },
	{ "sid", library_group, AT_HITS }, { "task_utime", library_task_time, AT_HITS }, { "task_stime", library_task_time, AT_HITS },
};

bool library_long(struct bpf *b, const struct node *n)
{
	for (size_t i = 0; i < sizeof(number_calls) / sizeof(number_calls[0]); i++)
		if (!strcmp(number_calls[i].name, n->func->kit_name) && (number_calls[i].where == ANYWHERE || !b->u->cold)) {
			number_calls[i].emit(b, n);
			return true;
		}
	return false;
}

/* ---- strings ---- */
static struct string call_execname(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct string s = str_new(b, 16);

	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.at, 0);
	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.at + 8, 0);
	str_address(b, R1, s);
	bpf_number(c, R2, 16);
	bpf_call(c, BPF_COMM);
	s.where = STRING_PADDED;
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

/* Counts a string that filled TO, if it goes on: R0 says how many bytes there are, and its address is on the stack at AT. */
static void count_if_longer(struct bpf *b, int at, bool user)
{
	struct bpf_code *c = &b->u->code;
	bpf_label whole = bpf_label_new(c);
	int byte = -(int)b->u->stack - 8;

	bpf_jump_number(c, BPF_JNE, R0, b->string_max, whole);
	bpf_move(c, R1, R10);
	bpf_operate_number(c, BPF_ADD, R1, byte);
	bpf_number(c, R2, 1);
	bpf_load(c, 8, R3, R10, at);
	bpf_operate_number(c, BPF_ADD, R3, b->string_max - 1);
	bpf_call(c, user ? BPF_READ_USER : BPF_READ_KERNEL);
	bpf_jump_number(c, BPF_JNE, R0, 0, whole);
	bpf_load(c, 1, R1, R10, byte);
	bpf_jump_number(c, BPF_JEQ, R1, 0, whole);
	bpf_lose(b, offsetof(struct image_losses, cut));
	bpf_here(c, whole);
}

/* Reads to S what is at the address on the stack at AT: bytes, with the NUL, as the number at SIZE_AT says, if that is not 0, or all. */
static void read_to(struct bpf *b, struct string s, int at, int size_at, bool user)
{
	struct bpf_code *c = &b->u->code;
	bpf_label fits = bpf_label_new(c);

	str_address(b, R1, s);
	if (size_at) {
		bpf_load(c, 8, R2, R10, size_at);
		bpf_jump_number(c, BPF_JLE, R2, b->string_max, fits);
	}
	bpf_number(c, R2, b->string_max);
	bpf_here(c, fits);
	bpf_load(c, 8, R3, R10, at);
	/* ktaprun copies strings of its own memory by BPF_READ_KERNEL_STR: the other one fails there. */
	bpf_call(c, user || b->u->cold ? BPF_READ_USER_STR : BPF_READ_KERNEL_STR);
}

/* NAME(address), NAME2(address, text for a fault), NAME_n(address, bytes). */
static struct string read_string(struct bpf *b, const struct node *n, bool user)
{
	struct bpf_code *c = &b->u->code;
	const char *name = n->func->kit_name;
	bool defaults = name[strlen(name) - 1] == '2', limited = name[strlen(name) - 1] == 'n';
	struct string s, other = { 0 };
	bpf_label good = bpf_label_new(c), end = bpf_label_new(c), positive = bpf_label_new(c);
	int at, size_at = 0;

	if (bpf_cannot_read(b, n, user))
		return str_constant(b, "", 0);
	s = str_new(b, (unsigned)b->string_max);
	bpf_long(b, n->list);
	at = bpf_push(b, n);
	if (defaults)
		other = bpf_string(b, n->list->next);
	if (limited) {
		bpf_long(b, n->list->next);
		bpf_jump_number(c, BPF_JSGE, R0, 0, positive);
		bpf_number(c, R0, 0);
		bpf_here(c, positive);
		bpf_operate_number(c, BPF_ADD, R0, 1);
		size_at = bpf_push(b, n);
	}
	read_to(b, s, at, size_at, user);
	bpf_jump_number(c, BPF_JSGE, R0, 0, good);
	if (user && b->u->attach->kind == IMAGE_UPROBE) {
		fault_in(b, at);
		read_to(b, s, at, size_at, user);
		bpf_jump_number(c, BPF_JSGE, R0, 0, good);
	}
	if (defaults) {
		str_copy(b, s, other);
		bpf_jump(c, end);
	} else {
		bpf_load(c, 8, R1, R10, at);
		bpf_fail(b, n, user ? IMAGE_ERROR_USER_STRING : IMAGE_ERROR_KERNEL_STRING, true);
	}
	bpf_here(c, good);
	if (!limited)
		count_if_longer(b, at, user);
	bpf_here(c, end);
	b->u->stack = (unsigned)-at - 8;
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

/* What stands between callee(", function(" or statement(" and the first @ or quote. */
static struct string call_ppfunc(struct bpf *b, const struct node *n)
{
	static const char *const heads[] = { "callee(\"", "function(\"", "statement(\"" };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		const char *from = strstr(b->u->probe->pp, heads[i]);

		if (from) {
			from += strlen(heads[i]);
			return str_constant(b, from, strcspn(from, "@\""));
		}
	}
	return str_constant(b, "", 0);
}

static struct string call_module_name(struct bpf *b, const struct node *n)
{
	return str_constant(b, BPF_SESSION, strlen(BPF_SESSION));
}

/* Names of errors are a table in the constants, each so many bytes. */
enum { ERRNO_NAME = 24, ERRNO_NAMES = sizeof(kt_errno_names) / sizeof(kt_errno_names[0]) };

static unsigned errno_table(struct bpf *b)
{
	char names[ERRNO_NAMES][ERRNO_NAME] = { 0 };

	if (!b->errnos) {
		for (size_t i = 0; i < ERRNO_NAMES; i++)
			snprintf(names[i], ERRNO_NAME, "%s", kt_errno_names[i] ?: "");
		b->errnos = bpf_constant(b, names, sizeof(names)) + 1;
	}
	return b->errnos - 1;
}

static struct string call_errno_str(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct string s = str_new(b, ERRNO_NAME);
	bpf_label positive = bpf_label_new(c), end = bpf_label_new(c);

	bpf_long(b, n->list);
	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.at, 0);
	bpf_jump_number(c, BPF_JSGE, R0, 0, positive);
	bpf_negate(c, R0);
	bpf_here(c, positive);
	bpf_jump_number(c, BPF_JGE, R0, ERRNO_NAMES, end);
	bpf_operate_number(c, BPF_MUL, R0, ERRNO_NAME);
	bpf_value(c, R3, MAP_CONSTANTS, errno_table(b));
	bpf_operate(c, BPF_ADD, R3, R0);
	str_address(b, R1, s);
	bpf_number(c, R2, ERRNO_NAME);
	bpf_call(c, BPF_READ_KERNEL_STR);
	bpf_here(c, end);
	return s;
}

bool library_probefunc(struct bpf *b, const struct node *n, struct string *ret)
{
	const struct context_place *cp = place_of(b);
	const struct probe_attach *at = b->u->attach;

	if (at->kind == IMAGE_KPROBE && !cp->at_return && at->symbol)
		*ret = str_constant(b, at->symbol, strlen(at->symbol));
	else if (at->kind == IMAGE_RAW_TP || at->kind == IMAGE_COLD)
		*ret = call_ppfunc(b, n);
	else
		return false;
	return true;
}

struct string bpf_symbol(struct bpf *b, const struct node *n)
{
	enum { NAME_MAX_BYTES = 128 };
	static const char format[] = "%ps";
	unsigned size = b->string_max < NAME_MAX_BYTES ? (unsigned)b->string_max : NAME_MAX_BYTES;
	struct bpf_code *c = &b->u->code;
	struct string s = str_new(b, size);
	bpf_label good = bpf_label_new(c), fits = bpf_label_new(c), blank = bpf_label_new(c), end = bpf_label_new(c);
	int at;

	bpf_long(b, n);
	at = bpf_push(b, n);
	str_address(b, R1, s);
	bpf_number(c, R2, size);
	str_address(b, R3, str_constant(b, format, strlen(format)));
	bpf_move(c, R4, R10);
	bpf_operate_number(c, BPF_ADD, R4, at);
	bpf_number(c, R5, 8);
	bpf_call(c, BPF_SNPRINTF);
	bpf_jump_number(c, BPF_JSGT, R0, 0, good);
	bpf_fail(b, n, IMAGE_ERROR_FORMAT, false);
	bpf_here(c, good);
	bpf_jump_number(c, BPF_JLE, R0, (int)size, fits);
	bpf_lose(b, offsetof(struct image_losses, cut));
	bpf_here(c, fits);
	/* The kernel puts the module behind a blank. */
	str_address(b, R1, s);
	for (unsigned i = 0; i < size; i++) {
		bpf_load(c, 1, R0, R1, 0);
		bpf_jump_number(c, BPF_JEQ, R0, 0, end);
		bpf_jump_number(c, BPF_JEQ, R0, ' ', blank);
		bpf_operate_number(c, BPF_ADD, R1, 1);
	}
	bpf_jump(c, end);
	bpf_here(c, blank);
	bpf_store_number(c, 1, R1, 0, 0);
	bpf_here(c, end);
	bpf_pop(b, R1, at);
	return s;
}

static struct string call_symname(struct bpf *b, const struct node *n)
{
	return bpf_symbol(b, n->list);
}

/* LENGTH bytes of a string from START on. */
static struct string call_substr(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	struct string from = bpf_string_kept(b, n->list, n->list->next), s = str_new(b, from.size);
	bpf_label end = bpf_label_new(c), fits = bpf_label_new(c);
	int start, count;

	bpf_long(b, n->list->next);
	start = bpf_push(b, n);
	bpf_long(b, n->list->next->next);
	count = bpf_push(b, n);
	bpf_store_number(c, 8, FRAME_REGISTER, (int)s.at, 0);
	str_length(b, from);
	bpf_load(c, 8, R1, R10, start);
	bpf_jump_number(c, BPF_JSLT, R1, 0, end);
	bpf_jump_if(c, BPF_JSGE, R1, R0, end);
	bpf_jump_number(c, BPF_JGE, R1, (int)from.size, end);
	bpf_load(c, 8, R2, R10, count);
	bpf_jump_number(c, BPF_JSLE, R2, 0, end);
	bpf_jump_number(c, BPF_JLT, R2, (int)from.size, fits);
	bpf_number(c, R2, from.size - 1);
	bpf_here(c, fits);
	bpf_operate_number(c, BPF_ADD, R2, 1);
	str_address(b, R3, from);
	bpf_operate(c, BPF_ADD, R3, R1);
	str_address(b, R1, s);
	bpf_call(c, BPF_READ_KERNEL_STR);
	bpf_here(c, end);
	b->u->stack = (unsigned)-start - 8;
	return s;
}

static const struct {
	const char *name;
	struct string (*emit)(struct bpf *b, const struct node *n);
	enum where where;
} string_calls[] = {
	{ "execname", call_execname, ANYWHERE }, { "pp", call_pp, ANYWHERE }, { "pn", call_pn, ANYWHERE }, { "ppfunc", call_ppfunc, ANYWHERE },
	{ "module_name", call_module_name, ANYWHERE }, { "__entry_text", bpf_entry_text, ANYWHERE },
	{ "user_string", call_user_string, ANYWHERE }, { "user_string2", call_user_string, ANYWHERE },
	{ "user_string_n", call_user_string, ANYWHERE }, { "kernel_string", call_kernel_string, ANYWHERE },
	{ "kernel_string2", call_kernel_string, ANYWHERE }, { "kernel_string_n", call_kernel_string, ANYWHERE },
	{ "errno_str", call_errno_str, AT_HITS }, { "substr", call_substr, AT_HITS }, { "symname", call_symname, AT_HITS },
};

bool library_string(struct bpf *b, const struct node *n, struct string *ret)
{
	for (size_t i = 0; i < sizeof(string_calls) / sizeof(string_calls[0]); i++)
		if (!strcmp(string_calls[i].name, n->func->kit_name) && (string_calls[i].where == ANYWHERE || !b->u->cold)) {
			*ret = string_calls[i].emit(b, n);
			return true;
		}
	return false;
}
