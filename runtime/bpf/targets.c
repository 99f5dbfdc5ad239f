/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program at the kernel's event of new tasks gives a new process the bit of its parent, set or not, so that the number of a process that
 * has ended means nothing when another process gets it.
 */
#include "runtime/bpf/targets.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/diag.h"
#include "runtime/bpf/kernel.h"
#include "runtime/bpf/refusal.h"

enum { BYTES = IMAGE_PROCESSES / 8, THREAD = 0x10000 /* CLONE_THREAD */ };

#define GROUP "task"
#define EVENT "task_newtask"

static bool is_target(const struct targets *t, int pid)
{
	return pid > 0 && pid < IMAGE_PROCESSES && t->bits[pid / 64] >> pid % 64 & 1;
}

static void add(const struct targets *t, int pid)
{
	__atomic_fetch_or(&t->bits[pid / 64], 1ull << pid % 64, __ATOMIC_SEQ_CST);
}

/* ---- new processes ---- */
#define CODE(class_, op, to, from, off, number_) { (class_) | (op), (to) | (from) << 4, off, number_ }
#define NUMBER(op, to, number_) CODE(BPF_ALU64, op, to, 0, 0, number_)
#define REGISTER(op, to, from) CODE(BPF_ALU64 | BPF_X, op, to, from, 0, 0)
#define LOAD(size, to, from, off) CODE(BPF_LDX | BPF_MEM, size, to, from, (kt_s16)(off), 0)
#define JUMP(op, reg, number_, to) CODE(BPF_JMP, op, reg, 0, to, number_)
#define VALUE(to, map) CODE(BPF_LD | BPF_IMM, BPF_DW, to, BPF_MAP_VALUE, 0, map), { 0 }
#define ATOMIC(op, to, from) CODE(BPF_STX | BPF_ATOMIC, BPF_DW, to, from, 0, op)
/* The address of the word with the bit of the process REG into TO, and which bit it is into BIT. Skips so many instructions for a number
 * that no process has. */
#define WORD(to, bit, reg, map, skips) \
	JUMP(BPF_JGE, reg, IMAGE_PROCESSES, skips), \
	REGISTER(BPF_MOV, bit, reg), NUMBER(BPF_AND, bit, 63), NUMBER(BPF_RSH, reg, 6), NUMBER(BPF_LSH, reg, 3), \
	VALUE(to, map), REGISTER(BPF_ADD, to, reg)

static int follow(int map)
{
	enum { END = 33 };
	int pid = kernel_event_field(GROUP, EVENT, "pid"), flags = kernel_event_field(GROUP, EVENT, "clone_flags");
	const struct bpf_instruction code[] = {
		REGISTER(BPF_MOV, R6, R1),
		LOAD(BPF_DW, R1, R6, flags),
		NUMBER(BPF_AND, R1, THREAD),
		JUMP(BPF_JNE, R1, 0, END - 4),
		CODE(BPF_JMP, BPF_CALL, 0, 0, 0, BPF_PID_TGID),
		NUMBER(BPF_RSH, R0, 32),
		WORD(R7, R2, R0, map, END - 7),
		LOAD(BPF_DW, R7, R7, 0),
		REGISTER(BPF_RSH, R7, R2),
		NUMBER(BPF_AND, R7, 1),
		LOAD(BPF_W, R0, R6, pid),
		WORD(R8, R2, R0, map, END - 19),
		NUMBER(BPF_MOV, R1, 1),
		REGISTER(BPF_LSH, R1, R2),
		JUMP(BPF_JEQ, R7, 0, 2),
		ATOMIC(BPF_OR, R8, R1),
		CODE(BPF_JMP, BPF_JA, 0, 0, 2, 0),
		NUMBER(BPF_XOR, R1, -1),
		ATOMIC(BPF_AND, R8, R1),
		/* END */
		NUMBER(BPF_MOV, R0, 0),
		CODE(BPF_JMP, BPF_EXIT, 0, 0, 0, 0),
	};

	if (pid < 0 || flags < 0)
		return pid < 0 ? pid : flags;
	return kernel_attach_event(GROUP, EVENT, code, sizeof(code) / sizeof(code[0]));
}

/* ---- processes that are there ---- */
/* The number after FIELD in the status of the process; 0: there is none. */
static int status_number(int pid, const char *field)
{
	char path[64], line[256];
	size_t len = strlen(field);
	int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && !n && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, len))
			n = atoi(line + len);
	if (f)
		fclose(f);
	return n;
}

/* Adds the processes whose parents are there. Returns whether there were any. */
static bool add_children(const struct targets *t)
{
	DIR *dir = opendir("/proc");
	const struct dirent *e;
	bool added = false;

	while (dir && (e = readdir(dir))) {
		int pid = atoi(e->d_name);

		if (pid <= 0 || pid >= IMAGE_PROCESSES || is_target(t, pid) || !is_target(t, status_number(pid, "PPid:")))
			continue;
		add(t, pid);
		added = true;
	}
	if (dir)
		closedir(dir);
	return added;
}

/* Programs get the numbers of processes that the first pid namespace has. */
static bool in_first_namespace(void)
{
	char link[64];
	ssize_t n = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	link[n > 0 ? n : 0] = 0;
	return n <= 0 || !strcmp(link, "pid:[4026531836]");
}

bool targets_follow(struct targets *t, int map, int pid)
{
	void *bits;
	int tgid;

	if (!in_first_namespace())
		return error(nowhere, DIAG_RUN, "BPF programs know processes by their numbers outside of this pid namespace: run ktaprun there");
	bits = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (bits == MAP_FAILED)
		return bpf_refused(-errno, "map the target's processes");
	t->bits = bits;
	t->event = follow(map);
	if (t->event < 0)
		return bpf_refused(t->event, "follow the target's children by the kernel's event " GROUP ":" EVENT);
	/* A thread's number stands for its process. */
	tgid = status_number(pid, "Tgid:");
	if (tgid > 0 && tgid < IMAGE_PROCESSES)
		add(t, tgid);
	while (add_children(t))
		;
	return true;
}

void targets_leave(struct targets *t)
{
	if (!t->bits)
		return;
	munmap(t->bits, BYTES);
	if (t->event >= 0)
		close(t->event);
	t->bits = NULL;
}
