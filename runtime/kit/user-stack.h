/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of user programs: unwind.c walks them, user-trail.c recognizes one that was walked before. */
#ifndef KT_KIT_USER_STACK_H
#define KT_KIT_USER_STACK_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/path.h>

#include "runtime/core/unwind.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"

/* Returns the address that a return probe replaced at AT (kt_arch_hooked_at()) of the current task's user stack, FOUND if none did. MAX
 * probes are looked at. The kernel frees them before it takes them off the list (until v6.11 while the handlers of a return run), and this
 * may come in between: they are read as memory that may not be there. Context: any. */
static inline u64 kt_uprobe_replaced(u64 at, u64 found, u32 max)
{
	unsigned long first = kt_return_instances();
	kt_return_instance ri;

	if (!first || kt_read_kernel(&ri.next, first, sizeof(ri.next)))
		return found;
	for (u32 i = 0; ri.next && i < max && !kt_read_kernel(&ri, (unsigned long)ri.next, sizeof(ri)); i++)
		if (ri.stack == at)
			return ri.orig_ret_vaddr;
	return found;
}

/* Whether return addresses on the current task's stack are replaced, by return probes. Context: any. */
static inline bool kt_uprobe_returns_replaced(void)
{
	unsigned long first = kt_return_instances();
	const void *ri;

	return first && !kt_read_kernel(&ri, first, sizeof(ri)) && ri;
}

/* Tables of a program or library. The session holds inode and path as long as it lasts, and never removes one. */
struct kt_object_tables {
	struct kt_unwind_table table;
	void *block;
	struct inode *inode; /* of the mappings; NULL: the vdso */
	struct path path;    /* of the file */
};

/* The object and function that contain a pc. */
struct kt_user_place {
	const struct kt_object_tables *object; /* NULL: one without tables */
	const struct vm_area_struct *vma; /* NULL: no code is mapped there */
	u32 place;                        /* in the object; KT_UNWIND_NONE: nowhere */
	u64 offset;                       /* in the file */
};

/* Finds the place of PC. P holds the place of another pc, which the same mapping may contain, or NULL as its mapping. False: nothing is
 * mapped there. Context: the mappings are held since P was set. */
bool kt_user_place_find(u64 pc, struct kt_user_place *p);

enum { KT_USER_DEPTH = 128 }; /* calls that are kept */
struct kt_user_stack {
	u32 n;
	u32 n_exact;                  /* calls found by tables; those after are by frame pointer */
	u32 n_printed;                /* lines of its text */
	bool whole;                   /* the last one is the outermost */
	struct kt_user_trail *trail;  /* that led to it; NULL: none */
	bool called[KT_USER_DEPTH];   /* the address is after a call */
	u64 entry[KT_USER_DEPTH];
};

enum {
	KT_TRAIL_CALLS = 40,
	KT_TRAIL_FRAMES = 40,    /* frames found by a register that was saved */
	KT_TRAIL_REGISTERS = 4,
	KT_TRAIL_MAPPINGS = 8,
	KT_USER_TRAILS_LOG2 = 4, /* how many a CPU keeps */
	KT_USER_TEXT = 1020,     /* bytes of a text that is kept with a trail */
	KT_USER_LINES = 2048,    /* bytes of lines that are printed at once */
};
struct kt_trail_text {
	u16 len;
	u16 kind;                     /* 0: none is kept */
	u16 hashed;                   /* bytes of it that HASH is of; 0: it is not known */
	u32 hash;
	char bytes[KT_USER_TEXT];
};
struct kt_trail_mapping {
	const struct kt_object_tables *object;
	u64 low, high;                /* addresses that are in the mapping */
	u64 bias;                     /* where the file would begin */
};
/* A walk that was made before (user-trail.c). SP is the stack pointer that it begins with. */
struct kt_user_trail {
	u64 key;                      /* of the path that came here last; 0: none */
	u64 pc;                       /* where the walk begins; 0: it is not known yet */
	u32 span;                     /* bytes of the stack that it reads */
	u16 n;                        /* calls */
	u16 n_returns, n_frames, n_registers, n_mappings;
	u32 return_at[KT_TRAIL_CALLS]; /* bytes from SP to a return address */
	u32 frame_at[KT_TRAIL_FRAMES]; /* bytes from SP to a word on the stack */
	u64 frame[KT_TRAIL_FRAMES];   /* that word, less SP */
	struct {
		u8 number;            /* of DWARF */
		u64 value;            /* less SP */
	} registers[KT_TRAIL_REGISTERS];
	struct kt_trail_mapping mapping[KT_TRAIL_MAPPINGS];
	u64 entry[KT_TRAIL_CALLS + 1]; /* the calls, and the word that ended the walk */
	struct kt_trail_text text[2];
};

/* Of a CPU: an ordinary handler's stack and, on top of it, one in an NMI; trails are those of ordinary handlers. */
struct kt_user_stacks {
	struct kt_user_stack level[KT_LEVELS];
	struct kt_user_trail trails[1 << KT_USER_TRAILS_LOG2];
	char scratch[KT_LEVELS][KT_USER_LINES];
};
extern void *__percpu *kt_user_stacks;

/* Context: the handler's. */
static __always_inline struct kt_user_stacks *kt_user_stacks_here(void)
{
	return raw_cpu_read(*kt_user_stacks);
}

/* Sets *RET to lines of the stack that the handler took last, of those that are not printed yet, and returns their length. They are
 * valid until the handler asks again. */
u32 kt_user_stack_lines(struct kt_ctx *c, bool brief, const char **ret);

/* Sets S to the stack that begins at REGS and returns its trail; NULL: it was not walked before. Context: a handler's, the mappings
 * held. */
struct kt_user_trail *kt_user_trail_find(const struct kt_ctx *c, struct kt_user_stack *s, const struct pt_regs *regs);
/* Notes the stack S that a walk from REGS found. Returns the trail, NULL: none is kept. */
struct kt_user_trail *kt_user_trail_keep(const struct kt_ctx *c, const struct kt_user_stack *s, const struct pt_regs *regs);

#endif
