/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of user programs, walked where the probe was hit, and symbols of their code.
 *
 * The object containing a pc is looked up in the task's mappings at that moment. That needs the mmap lock, which is only
 * tried; kt_mmap_hold() puts its release off to an interrupt, since releasing may wake a task, and the probed code may
 * hold what waking needs. So no cache of mappings can be out of date, and nothing has to follow processes. Where the lock
 * is taken for writing (the task is changing its mappings) the stack is its innermost address alone.
 *
 * Objects are known by the inode of their file, held while the session lasts; mount namespaces and names don't matter.
 * Their tables only ever grow in number: readers take no lock.
 */
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/core/unwind.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/value.h"

enum {
	USER_DEPTH = 128,             /* calls that are kept */
	FILE_NAME_MAX = 64,
	LOCK_TRIES = 100,             /* for the mappings, where a task may sleep */
	LOCK_PAUSE_US = 100,
};
#define OBJECTS_SIZE_MAX (2ul << 30)  /* of all tables */

/* ---- objects ---- */
struct user_object {
	struct kt_unwind_table table;
	void *block;
	struct inode *inode; /* NULL: the vdso */
};

static struct user_object *user_objects;
static u32 n_user_objects;      /* release: those before it are complete */
static unsigned long user_objects_size;
static DEFINE_MUTEX(user_objects_lock);

/* Objects that were met and have no tables; their inodes are numbers here, nothing else. */
static unsigned long missed_objects[KT_MISSED_MAX];

static const struct kt_unwind_machine user_machine = KT_ARCH_UNWIND, compat_machine = KT_ARCH_UNWIND_COMPAT;

static __kprobes const struct user_object *find_object(const struct inode *inode)
{
	u32 n = smp_load_acquire(&n_user_objects);

	for (u32 i = 0; i < n; i++)
		if (user_objects[i].inode == inode)
			return &user_objects[i];
	return NULL;
}

/* The inode that mappings of the file FD have; NULL: no such file. */
static struct inode *inode_of_fd(int fd)
{
	struct file *file = fget(fd);
	struct inode *inode;

	if (!file)
		return NULL;
	inode = igrab(d_real_inode(file->f_path.dentry)); /* an overlay maps the file below */
	fput(file);
	return inode;
}

/* Makes the next object of O. Needs the lock; what it took is freed by kt_unwind_destroy(). */
static int take_object(const struct kt_object *o, struct user_object *to)
{
	int err;

	if (find_object(to->inode))
		return -EEXIST;
	if (n_user_objects == KT_OBJECTS_MAX || user_objects_size + o->size > OBJECTS_SIZE_MAX)
		return -E2BIG;
	err = kt_table_read(o, &to->table, &to->block);
	if (err)
		return err;
	user_objects[n_user_objects] = *to;
	user_objects_size += o->size;
	smp_store_release(&n_user_objects, n_user_objects + 1);
	return 0;
}

int kt_unwind_add(const struct kt_object *o)
{
	struct user_object object = { .inode = o->fd < 0 ? NULL : inode_of_fd(o->fd) };
	int err;

	if (o->fd < KT_OBJECT_VDSO)
		return kt_lines_add(o);
	if (o->fd >= 0 && !object.inode)
		return -EBADF;
	if (!user_objects) {
		iput(object.inode);
		return -EOPNOTSUPP;
	}
	mutex_lock(&user_objects_lock);
	err = take_object(o, &object);
	mutex_unlock(&user_objects_lock);
	if (err) {
		vfree(object.block);
		iput(object.inode);
	}
	return err;
}

/* ---- mappings ---- */

/* The object and function that contain a pc. */
struct user_place {
	const struct user_object *object; /* NULL: one without tables */
	const struct vm_area_struct *vma;
	u32 place;                        /* in the object; KT_UNWIND_NONE: nowhere */
	u64 offset;                       /* in the file */
};

/* May the mappings of the current task be looked at? Then the lock is held until interrupts are on. */
static __kprobes bool hold_mappings(const struct kt_ctx *c)
{
	struct mm_struct *mm = current->mm;
	bool in_interrupt_code = hardirq_count() != (in_nmi() ? HARDIRQ_OFFSET : 0); /* int3 counts itself */

	if (!mm || current->flags & PF_KTHREAD)
		return false;
	if (in_interrupt_code && !(c->flags & (KT_CTX_CLOCK | KT_CTX_USER_REGS)))
		return false;
	return kt_mmap_hold(mm);
}

/* The place of PC. False: no code is mapped there. Needs the mappings held. */
static __kprobes bool find_place(u64 pc, struct user_place *ret)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;

	*ret = (struct user_place){ .place = KT_UNWIND_NONE };
	if (pc >= TASK_SIZE_MAX)
		return false;
	vma = kt_find_mapping(mm, pc);
	if (!vma)
		return false;
	ret->vma = vma;
	ret->offset = pc - vma->vm_start;
	if (vma->vm_file) {
		ret->offset += (u64)vma->vm_pgoff << PAGE_SHIFT;
		ret->object = find_object(file_inode(vma->vm_file));
	} else if (vma->vm_start == (unsigned long)mm->context.vdso && kt_arch_is_64bit(task_pt_regs(current))) {
		ret->object = find_object(NULL);
	}
	if (ret->object)
		ret->place = kt_unwind_place(&ret->object->table, ret->offset);
	return true;
}

static __kprobes const struct inode *inode_of_path(const char *path)
{
	u32 n = smp_load_acquire(&n_user_objects);

	for (u32 i = 0; i < n; i++)
		if (user_objects[i].inode && !kt_strcmp(user_objects[i].table.name, path))
			return user_objects[i].inode;
	return NULL;
}

/* Where the file INODE is mapped from OFFSET on; 0: nowhere. Needs the mappings held. */
static __kprobes unsigned long mapped_at(const struct inode *inode, u64 offset)
{
	enum { MAPPINGS_MAX = 65536 };
	struct vm_area_struct *vma = kt_next_mapping(current->mm, 0);

	for (u32 i = 0; vma && i < MAPPINGS_MAX; i++) {
		if (vma->vm_file && file_inode(vma->vm_file) == inode && (u64)vma->vm_pgoff << PAGE_SHIFT == offset)
			return vma->vm_start;
		vma = kt_next_mapping(current->mm, vma->vm_end);
	}
	return 0;
}

/* Context: a handler's. */
__kprobes kt_u64 kt_object_address(struct kt_ctx *c, const struct kt_user_object *o, kt_u64 address)
{
	const struct inode *inode = inode_of_path(o->path);
	unsigned long at = inode && hold_mappings(c) ? mapped_at(inode, o->offset & PAGE_MASK) : 0;

	if (at)
		return at + (address - (o->start & PAGE_MASK));
	kt_error(c, "the current process does not run the file of a variable");
	return 0;
}

/* The last part of the name of the file mapped at VMA. */
static __kprobes void file_name(const struct vm_area_struct *vma, char *ret, u32 size)
{
	const struct dentry *dentry = vma->vm_file ? vma->vm_file->f_path.dentry : NULL;
	u32 len = dentry ? min_t(u32, READ_ONCE(dentry->d_name.len), size - 1) : 0;

	/* a rename may put another name there meanwhile: interrupts are off, so the old one is not freed */
	if (len && copy_from_kernel_nofault(ret, READ_ONCE(dentry->d_name.name), len))
		len = 0;
	ret[len] = 0;
}

/* Reports to the loader, once for each, an object without tables on a stack. */
static __kprobes void tell_missing(struct kt_ctx *c, u64 pc, const struct vm_area_struct *vma)
{
	char name[FILE_NAME_MAX];

	file_name(vma, name, sizeof(name));
	kt_tell_missing(c, missed_objects, vma->vm_file ? (unsigned long)file_inode(vma->vm_file) : 0, current->tgid, pc, name);
}

/* ---- the walk ---- */
struct user_stack {
	u32 n;
	u32 n_exact;                /* calls found by tables; those after are by frame pointer */
	bool whole;                 /* the last one is the outermost */
	bool called[USER_DEPTH];    /* the address is after a call */
	u64 entry[USER_DEPTH];
};

/* Of a CPU: an ordinary handler's and, on top of it, one in an NMI. */
struct user_stacks {
	struct user_stack level[KT_LEVELS];
};
static struct user_stacks __percpu *user_stacks;

/* Little endian: what is not read is the upper half. */
static __kprobes int read_word(void *unused, kt_u64 address, kt_u32 size, kt_u64 *ret)
{
	*ret = 0;
	return copy_from_user_nofault(ret, (const void __user *)(unsigned long)address, size) ? -1 : 0;
}

static __kprobes void first_state(const struct kt_unwind_machine *m, struct kt_unwind_state *s, struct pt_regs *regs)
{
	*s = (struct kt_unwind_state){ .first = 1, .exact = 1 };
	for (u32 i = 0; i < ARRAY_SIZE(kt_arch_registers); i++) {
		s->reg[i] = *(const unsigned long *)((const char *)regs + kt_arch_registers[i]);
		if (m->word == 4) /* the upper half may hold anything */
			s->reg[i] = (u32)s->reg[i];
		s->known |= 1ull << i;
	}
}

/* The registers of the current task's program; NULL: it has none. */
static __kprobes struct pt_regs *user_registers(const struct kt_ctx *c)
{
	if (c->regs && user_mode((struct pt_regs *)c->regs))
		return (struct pt_regs *)c->regs;
	/* at its entry to the kernel, by a call or an interrupt, they were put at the end of the stack */
	return current->mm && !(current->flags & PF_KTHREAD) ? task_pt_regs(current) : NULL;
}

/* From the frame at STATE to its caller, by tables or else by frame pointer. */
static __kprobes enum kt_unwind_step one_step(struct kt_ctx *c, const struct kt_unwind_machine *m, struct user_stack *to,
					      struct kt_unwind_state *s)
{
	u64 pc = kt_unwind_pc(m, s);
	enum kt_unwind_step step = KT_STEP_NONE;
	u32 rule[KT_VDSO_WORDS];
	struct user_place p;

	if (m->word == 4 && kt_arch_compat_vdso_rule(current->mm, s->reg[m->ip], rule))
		return kt_unwind_step_rule(rule, m, s, read_word, NULL);

	if (!find_place(pc, &p) || !(p.vma->vm_flags & VM_EXEC))
		return KT_STEP_BAD;
	if (p.place != KT_UNWIND_NONE)
		step = kt_unwind_step(&p.object->table, p.place, m, s, read_word, NULL);
	else if (!p.object && c)
		tell_missing(c, pc, p.vma);
	if (step != KT_STEP_NONE)
		return step;
	to->n_exact = min(to->n_exact, to->n);
	return kt_unwind_step_fp(m, s, read_word, NULL);
}

/* Registers that a script gives in place of the task's. */
struct given_registers {
	u64 pc, sp, fp;
};

static __kprobes void give_registers(const struct kt_unwind_machine *m, struct kt_unwind_state *s,
				     const struct given_registers *given)
{
	const u64 mask = m->word == 4 ? U32_MAX : U64_MAX;

	s->reg[m->ip] = given->pc & mask;
	s->reg[m->sp] = given->sp & mask;
	s->reg[m->fp] = given->fp & mask;
}

/* The innermost DEPTH calls. C NULL: nobody hears about missing tables, and the mappings are held. GIVEN NULL: none. */
static __kprobes void walk_user_stack(struct kt_ctx *c, struct user_stack *to, struct pt_regs *regs, u32 depth,
				      const struct given_registers *given)
{
	const struct kt_unwind_machine *m = kt_arch_is_64bit(regs) ? &user_machine : &compat_machine;
	struct kt_unwind_state state;
	enum kt_unwind_step step = KT_STEP_OK;

	first_state(m, &state, regs);
	if (given)
		give_registers(m, &state, given);
	to->entry[0] = state.reg[m->ip];
	to->called[0] = false;
	to->n = 1;
	to->n_exact = USER_DEPTH;
	if (c && !hold_mappings(c))
		return;
	while (to->n < depth) {
		struct user_place p;
		u64 *pc = &state.reg[m->ip];

		step = one_step(c, m, to, &state);
		if (step != KT_STEP_OK)
			break;
		*pc = kt_arch_user_code(kt_uprobe_replaced(state.ra_at, *pc, USER_DEPTH));
		/* what a frame pointer led to must at least be code */
		if (to->n >= to->n_exact && (!find_place(*pc, &p) || !(p.vma->vm_flags & VM_EXEC)))
			break;
		if (state.exact) /* this one is where signal handlers return to: none called from it */
			to->called[to->n - 1] = false;
		to->called[to->n] = !state.exact;
		to->entry[to->n++] = *pc;
	}
	to->whole = step == KT_STEP_END;
}

/* Returns the stack that take_user_stack() filled in the same handler. */
static __kprobes struct user_stack *user_stack_of(const struct kt_ctx *c)
{
	return &raw_cpu_ptr(user_stacks)->level[kt_level_of(c)->id];
}

static __kprobes struct user_stack *take_user_stack(struct kt_ctx *c, const struct given_registers *given)
{
	struct user_stack *s = user_stack_of(c);
	struct pt_regs *regs = user_registers(c);

	s->n = 0;
	s->whole = false;
	if (regs)
		walk_user_stack(c, s, regs, USER_DEPTH, given);
	s->n_exact = min(s->n_exact, s->n);
	return s;
}

/* Locks the mappings of the current task for reading. A thread that changes them costs a moment, not the hit; false: the
 * lock stayed busy, perhaps in a fault that never ends. */
static bool lock_mappings(void)
{
	for (u32 i = 0; i < LOCK_TRIES; i++) {
		if (mmap_read_trylock(current->mm))
			return true;
		usleep_range(LOCK_PAUSE_US, 2 * LOCK_PAUSE_US);
	}
	return false;
}

int kt_user_stack_matches(struct pt_regs *regs, const struct kt_kprobe_call *c, u64 bias)
{
	bool matches = true;
	struct user_stack *s;
	struct kt_irqs irqs;

	if (!user_stacks)
		return 0;
	if (!lock_mappings())
		return -EBUSY;
	irqs = kt_irqs_off();
	kt_level_hold();
	s = &raw_cpu_ptr(user_stacks)->level[KT_LEVEL_NORMAL];
	walk_user_stack(NULL, s, regs, KT_CALLERS_MAX + 1, NULL);
	for (u32 i = 1; matches && c->address; i++, c++)
		for (matches = false; c->address; c++)
			matches |= i < s->n && s->entry[i] == c->address + bias;
	kt_level_let_go();
	kt_irqs_restore(irqs);
	mmap_read_unlock(current->mm);
	return matches;
}

KT_NUMBER(__ustack_depth, take_user_stack(c, NULL)->n)

__kprobes kt_s64 kt_fn___ustack_depth_from(struct kt_ctx *c, kt_s64 pc, kt_s64 sp, kt_s64 fp)
{
	const struct given_registers given = { (u64)pc, (u64)sp, (u64)fp };

	return take_user_stack(c, &given)->n;
}

__kprobes kt_s64 kt_fn___ustack_entry(struct kt_ctx *c, kt_s64 n)
{
	const struct user_stack *s = user_stack_of(c);

	return n >= 0 && n < s->n ? (kt_s64)s->entry[n] : 0;
}

/* The same, inside of the call where it is one's return address. */
__kprobes kt_s64 kt_fn___ustack_pc(struct kt_ctx *c, kt_s64 n)
{
	const struct user_stack *s = user_stack_of(c);

	return n >= 0 && n < s->n ? (kt_s64)s->entry[n] - s->called[n] : 0;
}

KT_NUMBER(__ustack_exact, user_stack_of(c)->n_exact)
KT_NUMBER(__ustack_whole, user_stack_of(c)->whole)

/* ---- symbols ---- */

/* Questions of scripts about an address; the tapset uses these numbers. */
enum user_symbol_part {
	PART_NAME,   /* the symbol; the address without one */
	PART_DATA,   /* as in "main+0x10/0x20 [/bin/a]" */
	PART_BRIEF,  /* as in "main+0x10" */
	PART_OBJECT, /* the object's name */
};

static __kprobes const char *last_part(const char *path)
{
	const char *last = path;

	for (; *path; path++)
		if (*path == '/' && path[1])
			last = path + 1;
	return last;
}

/* An address in an object where there is no symbol; P is the place of the call when it is after one (CALLED). */
static __kprobes void put_unnamed(char *ret, u32 size, u64 address, bool called, const struct user_place *p, u32 part)
{
	char name[FILE_NAME_MAX] = "";

	if (p->vma && !p->object)
		file_name(p->vma, name, sizeof(name));
	if (part == PART_OBJECT)
		kt_strcpy(ret, p->object ? last_part(p->object->table.name) : name[0] ? name : "<unknown>", size);
	else if (part == PART_DATA && p->object && p->place != KT_UNWIND_NONE)
		scnprintf(ret, size, "[%s+0x%x]", p->object->table.name, p->place + called);
	else if (part == PART_DATA && name[0])
		scnprintf(ret, size, "[%s+0x%llx]", name, p->offset + called);
	else
		scnprintf(ret, size, "0x%llx", address);
}

/* PART of what is at ADDRESS, which is after a call if CALLED: the call may have been its function's last instruction. */
static __kprobes void put_symbol(struct kt_ctx *c, char *ret, u32 size, u64 address, bool called, u32 part)
{
	const struct kt_unwind_symbol *symbol = NULL;
	struct user_place p = { .place = KT_UNWIND_NONE };
	const struct kt_unwind_table *t;
	u32 offset;

	if (hold_mappings(c) && find_place(address - called, &p) && p.vma && !p.object)
		tell_missing(c, address, p.vma);
	t = p.object ? &p.object->table : NULL;
	if (p.place != KT_UNWIND_NONE)
		symbol = kt_unwind_symbol(t, p.place);
	if (!symbol || part == PART_OBJECT) {
		put_unnamed(ret, size, address, called, &p, part);
		return;
	}
	offset = p.place - symbol->place + called;
	if (part == PART_NAME)
		kt_strcpy(ret, t->names + symbol->name, size);
	else if (part == PART_BRIEF)
		scnprintf(ret, size, "%s+0x%x", t->names + symbol->name, offset);
	else
		scnprintf(ret, size, "%s+0x%x/0x%x [%s]", t->names + symbol->name, offset, symbol->size, t->name);
}

__kprobes void kt_fn___ustack_symbol(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n, kt_s64 part)
{
	const struct user_stack *s = user_stack_of(c);

	ret[0] = 0;
	if (n >= 0 && n < s->n)
		put_symbol(c, ret, size, s->entry[n], s->called[n], part);
}

KT_ACTION(__usymbol, put_symbol(c, ret, size, address, false, part),
	  char *ret, kt_u32 size, kt_s64 address, kt_s64 part)

__kprobes void kt_fn___usymbol_build_id(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	struct user_place p = { .place = KT_UNWIND_NONE };

	if (hold_mappings(c) && find_place((u64)address, &p) && p.vma && !p.object)
		tell_missing(c, (u64)address, p.vma);
	kt_strcpy(ret, p.object ? p.object->table.build_id : "", size);
}

/* ADDRESS counted from where its file is mapped from the beginning; -1: it is in no file, or that part is not mapped. */
__kprobes kt_s64 kt_fn___usymbol_offset(struct kt_ctx *c, kt_s64 address)
{
	struct user_place p;
	unsigned long at;

	if (!hold_mappings(c) || !find_place((u64)address, &p) || !p.vma->vm_file)
		return -1;
	at = mapped_at(file_inode(p.vma->vm_file), 0);
	return at && at <= (u64)address ? address - (kt_s64)at : -1;
}

/* The source line of ADDRESS, 0: it is not known; and its file. */
static __kprobes u32 find_line(struct kt_ctx *c, u64 address, const char **file)
{
	struct user_place p;

	*file = "";
	if (!hold_mappings(c) || !find_place(address, &p) || p.place == KT_UNWIND_NONE)
		return 0;
	return kt_unwind_line(&p.object->table, p.place, file);
}

__kprobes void kt_fn___usymbol_file(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	const char *file;

	kt_strcpy(ret, find_line(c, address, &file) ? file : "", size);
}

__kprobes kt_s64 kt_fn___usymbol_line(struct kt_ctx *c, kt_s64 address)
{
	const char *file;

	return find_line(c, address, &file);
}

/* ---- the module's life ---- */
int kt_unwind_create(void)
{
	if (!(kt_script.stacks & KT_STACKS_USER))
		return 0;
	user_objects = kvcalloc(KT_OBJECTS_MAX, sizeof(*user_objects), GFP_KERNEL);
	user_stacks = alloc_percpu(struct user_stacks);
	return user_objects && user_stacks ? 0 : -ENOMEM;
}

/* After all handlers have ended. */
void kt_unwind_destroy(void)
{
	kt_lines_destroy();
	for (u32 i = 0; i < n_user_objects; i++) {
		vfree(user_objects[i].block);
		iput(user_objects[i].inode);
	}
	kvfree(user_objects);
	free_percpu(user_stacks);
}
