/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library on tasks: members of the kernel's structures, at the offsets that its debugging information has. */
#include <string.h>

#include "translator/bpf/library.h"
#include "translator/debuginfo/target.h"
#include "translator/probe/context.h"

/* Finds NAMES, "a.b.c", in the structure TYPE. False: it has no such member. */
static bool find_member(struct bpf *b, const char *type, const char *names, uint64_t *ret_offset, const struct ctype **ret_type)
{
	const struct ctype *ct = target_type(b->p->kernel, type);
	struct member m;

	*ret_offset = 0;
	while (ct && *names) {
		size_t len = strcspn(names, ".");

		if (!ctype_member(ct, intern_n(names, len), &m) || m.unplaced || m.bit_size)
			return false;
		*ret_offset += m.offset;
		ct = m.type;
		names += len + (names[len] == '.');
	}
	*ret_type = ct;
	return ct != NULL;
}

/* Is the kernel's debugging information there? */
static bool has_kernel(struct bpf *b)
{
	if (!b->failed && !context_kernel(b->p))
		b->failed = true;
	return !b->failed;
}

/* Adds the offset of NAMES in TYPE to R0. */
static void member_address(struct bpf *b, const struct node *n, const char *type, const char *names)
{
	const struct ctype *ct;
	uint64_t offset;

	if (!has_kernel(b))
		return;
	if (find_member(b, type, names, &offset, &ct))
		bpf_operate_number(&b->u->code, BPF_ADD, R0, (int32_t)offset);
	else
		bpf_refuse(b, n, arena_printf(&program_arena, "reading '%s' of '%s', which this kernel has not,", names, type));
}

/* Replaces the address of a TYPE in R0 by the value of its member NAMES, or of OTHER where the kernel has no NAMES. */
static void member_value(struct bpf *b, const struct node *n, const char *type, const char *names, const char *other)
{
	struct bpf_code *c = &b->u->code;
	const struct ctype *ct = NULL;
	uint64_t offset;

	if (!has_kernel(b))
		return;
	if (!find_member(b, type, names, &offset, &ct) && other)
		names = other;
	member_address(b, n, type, names);
	if (b->failed || !find_member(b, type, names, &offset, &ct))
		return;
	bpf_read(b, n, (unsigned)ct->size, false);
	if (ct->is_signed && ct->size < 8) {
		bpf_operate_number(c, BPF_LSH, R0, (int)(64 - 8 * ct->size));
		bpf_operate_number(c, BPF_ARSH, R0, (int)(64 - 8 * ct->size));
	}
}

static void current_value(struct bpf *b, const struct node *n, const char *names)
{
	bpf_call(&b->u->code, BPF_CURRENT_TASK);
	member_value(b, n, "struct task_struct", names, NULL);
}

void library_task_current(struct bpf *b, const struct node *n)
{
	(void)n;
	bpf_call(&b->u->code, BPF_CURRENT_TASK);
}

/* ---- a task by its address ---- */
void library_task_member(struct bpf *b, const struct node *n)
{
	static const struct {
		const char *function, *member, *other;
		int below; /* what the kernel counts from */
	} members[] = {
		{ "task_pid", "tgid", NULL, 0 }, { "task_tid", "pid", NULL, 0 }, { "task_parent", "real_parent", NULL, 0 },
		{ "task_state", "__state", "state", 0 }, { "task_cpu", "thread_info.cpu", "cpu", 0 },
		{ "task_prio", "prio", NULL, 100 }, { "task_nice", "static_prio", NULL, 120 },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(n->func->kit_name, members[i].function) != 0)
			continue;
		bpf_long(b, n->list);
		member_value(b, n, "struct task_struct", members[i].member, members[i].other);
		if (members[i].below)
			bpf_operate_number(&b->u->code, BPF_SUB, R0, members[i].below);
	}
}

void library_task_comm(struct bpf *b, const struct node *n)
{
	bpf_long(b, n->list);
	member_address(b, n, "struct task_struct", "comm");
}

/* ---- ids of users and groups ---- */
/* The kernel's ids are those of the first user namespace, and are the same in the scripts if the current task is in it. */
static void check_namespace(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label good = bpf_label_new(c);

	current_value(b, n, "cred");
	member_value(b, n, "struct cred", "user_ns", NULL);
	member_value(b, n, "struct user_namespace", "level", NULL);
	bpf_jump_number(c, BPF_JEQ, R0, 0, good);
	bpf_fail(b, n, IMAGE_ERROR_NAMESPACE, false);
	bpf_here(c, good);
}

/* Replaces the address of a task in R0 by its id NAME, "task_euid" or "euid". */
static void credential(struct bpf *b, const struct node *n, const char *name)
{
	const char *id = strrchr(name, '_');

	member_value(b, n, "struct task_struct", "cred", NULL);
	member_value(b, n, "struct cred", arena_printf(&program_arena, "%s.val", id ? id + 1 : name), NULL);
}

void library_task_id(struct bpf *b, const struct node *n)
{
	int at;

	bpf_long(b, n->list);
	at = bpf_push(b, n);
	check_namespace(b, n);
	bpf_pop(b, R0, at);
	credential(b, n, n->func->kit_name);
}

void library_own_id(struct bpf *b, const struct node *n)
{
	check_namespace(b, n);
	bpf_call(&b->u->code, BPF_CURRENT_TASK);
	credential(b, n, n->func->kit_name);
}

/* ---- other numbers of the current task ---- */
void library_ppid(struct bpf *b, const struct node *n)
{
	struct bpf_code *c = &b->u->code;
	bpf_label dead = bpf_label_new(c);

	current_value(b, n, "thread_pid");
	bpf_jump_number(c, BPF_JEQ, R0, 0, dead);
	current_value(b, n, "real_parent");
	member_value(b, n, "struct task_struct", "tgid", NULL);
	bpf_here(c, dead);
}

void library_group(struct bpf *b, const struct node *n)
{
	enum { PIDTYPE_PGID = 2, PIDTYPE_SID = 3, POINTER = 8 };
	struct bpf_code *c = &b->u->code;
	bpf_label none = bpf_label_new(c);

	current_value(b, n, "signal");
	member_address(b, n, "struct signal_struct", "pids");
	bpf_operate_number(c, BPF_ADD, R0, POINTER * (strcmp(n->func->kit_name, "sid") ? PIDTYPE_PGID : PIDTYPE_SID));
	bpf_read(b, n, POINTER, false);
	bpf_jump_number(c, BPF_JEQ, R0, 0, none);
	member_address(b, n, "struct pid", "numbers");
	member_value(b, n, "struct upid", "nr", NULL);
	bpf_here(c, none);
}

void library_task_time(struct bpf *b, const struct node *n)
{
	current_value(b, n, strcmp(n->func->kit_name, "task_stime") ? "utime" : "stime");
}
