/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of user programs, walked where the probe was hit, and symbols of their code.
 *
 * The object containing a pc is looked up in the task's mappings at that moment. That needs the mmap lock, which is only
 * tried; kt_mmap_hold() may put its release off to an interrupt, since releasing may wake a task, and the probed code may
 * hold what waking needs. So no cache of mappings can be out of date, and nothing has to follow processes. Where the lock
 * is taken for writing (the task is changing its mappings) the stack is its innermost address alone.
 *
 * Objects are known by the inode of their file; mount namespaces and names don't matter. The file's path is held while the session lasts:
 * an inode does not keep its file system.
 * Their tables only ever grow in number: readers take no lock.
 */
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/path.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/core/bytes.h"
#include "runtime/core/unwind.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"
#include "runtime/kit/user-stack.h"
#include "runtime/kit/value.h"

enum {
	FILE_NAME_MAX = 64,
	LOCK_TRIES = 100,             /* for the mappings, where a task may sleep */
	LOCK_PAUSE_US = 100,
};
#define OBJECTS_SIZE_MAX (2ul << 30)  /* of all tables */

/* ---- objects ---- */
static struct kt_object_tables *user_objects;
static u32 n_user_objects;      /* release: those before it are complete */
static unsigned long user_objects_size;
static DEFINE_MUTEX(user_objects_lock);

static struct kt_missing missing_objects;

static const struct kt_unwind_machine user_machine = KT_ARCH_UNWIND, compat_machine = KT_ARCH_UNWIND_COMPAT;

static __kprobes const struct kt_object_tables *find_object(const struct inode *inode)
{
	u32 n = smp_load_acquire(&n_user_objects);

	for (u32 i = 0; i < n; i++)
		if (user_objects[i].inode == inode)
			return &user_objects[i];
	return NULL;
}

/* Takes inode and path of the file FD for TO. Returns false if there is no such file. */
static bool hold_file(int fd, struct kt_object_tables *to)
{
	struct file *file = fget_raw(fd); /* it may be found and not open (O_PATH) */

	if (!file)
		return false;
	to->inode = igrab(d_real_inode(file->f_path.dentry)); /* an overlay maps the file below */
	if (to->inode) {
		to->path = file->f_path;
		path_get(&to->path);
	}
	fput(file);
	return to->inode;
}

static void object_free(struct kt_object_tables *o)
{
	vfree(o->block);
	if (!o->inode)
		return;
	iput(o->inode);
	path_put(&o->path);
}

/* Makes the next object of O. Needs the lock; what it took is freed by kt_unwind_destroy(). */
static int take_object(const struct kt_object *o, struct kt_object_tables *to)
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
	struct kt_object_tables object = { .inode = NULL };
	int err;

	if (o->fd < KT_OBJECT_VDSO)
		return kt_lines_add(o);
	if (!user_objects)
		return -EOPNOTSUPP;
	if (o->fd >= 0 && !hold_file(o->fd, &object))
		return -EBADF;
	mutex_lock(&user_objects_lock);
	err = take_object(o, &object);
	mutex_unlock(&user_objects_lock);
	if (err)
		object_free(&object);
	return err;
}

/* ---- mappings ---- */

/* May the mappings of the current task be looked at? Then the lock is held until interrupts are on. */
static __kprobes bool hold_mappings(const struct kt_ctx *c)
{
	struct mm_struct *mm = current->mm;
	bool in_interrupt_code = hardirq_count() != (in_nmi() ? HARDIRQ_OFFSET : 0); /* int3 counts itself */

	if (!mm || current->flags & PF_KTHREAD)
		return false;
	if (in_interrupt_code && !(c->flags & (KT_CTX_CLOCK | KT_CTX_USER_REGS)))
		return false;
	return kt_mmap_hold(c, mm);
}

/* The object that VMA maps, NULL: one without tables. */
static __kprobes const struct kt_object_tables *object_at(const struct vm_area_struct *vma)
{
	if (vma->vm_file)
		return find_object(file_inode(vma->vm_file));
	if (vma->vm_start == (unsigned long)current->mm->context.vdso && kt_arch_is_64bit(task_pt_regs(current)))
		return find_object(NULL);
	return NULL;
}

__kprobes bool kt_user_place_find(u64 pc, struct kt_user_place *p)
{
	const struct vm_area_struct *vma = p->vma;

	p->place = KT_UNWIND_NONE;
	if (!vma || pc - vma->vm_start >= vma->vm_end - vma->vm_start) {
		vma = p->vma = pc < TASK_SIZE_MAX ? kt_find_mapping(current->mm, pc) : NULL;
		p->object = vma ? object_at(vma) : NULL;
	}
	if (!vma)
		return false;
	p->offset = pc - vma->vm_start + (vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0);
	if (p->object)
		p->place = kt_unwind_place(&p->object->table, p->offset);
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

/* Where the file INODE is mapped from OFFSET on; 0: nowhere, or an error was raised, as looking took too long. Needs the mappings held. */
static __kprobes unsigned long mapped_at(struct kt_ctx *c, const struct inode *inode, u64 offset)
{
	enum { CLOCK_EVERY = 64 };
	struct vm_area_struct *vma = kt_next_mapping(current->mm, 0);

	for (u32 i = 1; vma; i++) {
		if (i % CLOCK_EVERY == 0 && !kt_took_long(c))
			return 0;
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
	unsigned long at = inode && hold_mappings(c) ? mapped_at(c, inode, o->offset & PAGE_MASK) : 0;

	if (at)
		return at + (address - (o->start & PAGE_MASK));
	if (!c->error)
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

/* Reports to the loader an object without tables on a stack. */
static __kprobes void tell_missing(struct kt_ctx *c, u64 pc, const struct vm_area_struct *vma)
{
	char name[FILE_NAME_MAX];

	file_name(vma, name, sizeof(name));
	kt_tell_missing(c, &missing_objects, vma->vm_file ? (unsigned long)file_inode(vma->vm_file) : 0, current->tgid, pc, name);
}

/* ---- the walk ---- */
void *__percpu *kt_user_stacks;

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

/* From the frame at STATE to its caller, by tables or else by frame pointer. P is the place found before. */
static __kprobes enum kt_unwind_step one_step(struct kt_ctx *c, const struct kt_unwind_machine *m, struct kt_user_stack *to,
					      struct kt_unwind_state *s, struct kt_user_place *p)
{
	u64 pc = kt_unwind_pc(m, s);
	enum kt_unwind_step step = KT_STEP_NONE;
	u32 rule[KT_VDSO_WORDS];

	if (m->word == 4 && kt_arch_compat_vdso_rule(current->mm, s->reg[m->ip], rule))
		return kt_unwind_step_rule(rule, m, s, read_word, NULL);

	if (!kt_user_place_find(pc, p) || !(p->vma->vm_flags & VM_EXEC))
		return KT_STEP_BAD;
	if (p->place != KT_UNWIND_NONE)
		step = kt_unwind_step(&p->object->table, p->place, m, s, read_word, NULL);
	else if (!p->object && c)
		tell_missing(c, pc, p->vma);
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
static __kprobes void walk_user_stack(struct kt_ctx *c, struct kt_user_stack *to, struct pt_regs *regs, u32 depth,
				      const struct given_registers *given)
{
	const struct kt_unwind_machine *m = kt_arch_is_64bit(regs) ? &user_machine : &compat_machine;
	struct kt_user_place p = { .vma = NULL };
	struct kt_unwind_state state;
	enum kt_unwind_step step = KT_STEP_OK;

	first_state(m, &state, regs);
	if (given)
		give_registers(m, &state, given);
	to->entry[0] = state.reg[m->ip];
	to->called[0] = false;
	to->n = 1;
	to->n_exact = KT_USER_DEPTH;
	if (c && !hold_mappings(c))
		return;
	while (to->n < depth) {
		u64 *pc = &state.reg[m->ip];

		step = one_step(c, m, to, &state, &p);
		if (step != KT_STEP_OK)
			break;
		*pc = kt_arch_user_code(kt_uprobe_replaced(kt_arch_hooked_at(state.ra_at, state.reg[m->sp]), *pc, KT_USER_DEPTH));
		/* what a frame pointer led to must at least be code */
		if (to->n >= to->n_exact && (!kt_user_place_find(*pc, &p) || !(p.vma->vm_flags & VM_EXEC)))
			break;
		if (state.exact) /* this one is where signal handlers return to: none called from it */
			to->called[to->n - 1] = false;
		to->called[to->n] = !state.exact;
		to->entry[to->n++] = *pc;
	}
	to->whole = step == KT_STEP_END;
}

/* Returns the stack that take_user_stack() filled in the same handler. */
static __kprobes struct kt_user_stack *user_stack_of(const struct kt_ctx *c)
{
	return &kt_user_stacks_here()->level[kt_level_of(c)->id];
}

static __kprobes struct kt_user_stack *take_user_stack(struct kt_ctx *c, const struct given_registers *given)
{
	struct kt_user_stack *s = user_stack_of(c);
	struct pt_regs *regs = user_registers(c);

	s->n = 0;
	s->whole = false;
	s->trail = NULL;
	s->n_printed = 0;
	if (regs && !given && hold_mappings(c)) {
		s->trail = kt_user_trail_find(c, s, regs);
		if (s->trail)
			return s;
	}
	if (regs)
		walk_user_stack(c, s, regs, KT_USER_DEPTH, given);
	if (s->whole && !given)
		s->trail = kt_user_trail_keep(c, s, regs);
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
	struct kt_user_stack *s;
	struct kt_irqs irqs;

	if (!kt_user_stacks)
		return 0;
	if (!lock_mappings())
		return -EBUSY;
	irqs = kt_irqs_off();
	kt_level_hold();
	s = &kt_user_stacks_here()->level[KT_LEVEL_NORMAL];
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
	const struct kt_user_stack *s = user_stack_of(c);

	return n >= 0 && n < s->n ? (kt_s64)s->entry[n] : 0;
}

/* The same, inside of the call where it is one's return address. */
__kprobes kt_s64 kt_fn___ustack_pc(struct kt_ctx *c, kt_s64 n)
{
	const struct kt_user_stack *s = user_stack_of(c);

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

/* Text that is written to memory up to END. */
struct put {
	char *at, *end;
	bool cut;
};

static __kprobes void put_bytes(struct put *to, const char *s, u32 len)
{
	u32 n = min_t(u32, len, to->end - to->at);

	kt_copy_long(to->at, s, n);
	to->at += n;
	to->cut |= n < len;
}

static __kprobes void put_string(struct put *to, const char *s)
{
	put_bytes(to, s, kt_strlen(s));
}

static __kprobes void put_hex(struct put *to, u64 value)
{
	char digits[KT_ADDRESS_TEXT];

	put_bytes(to, digits, kt_put_address(digits, value) - 1);
}

/* Puts "[OBJECT+0xOFFSET]". */
static __kprobes void put_offset(struct put *to, const char *object, u64 offset)
{
	put_bytes(to, "[", 1);
	put_string(to, object);
	put_bytes(to, "+", 1);
	put_hex(to, offset);
	put_bytes(to, "]", 1);
}

/* An address in an object where there is no symbol; P is the place of the call when it is after one (CALLED). Returns whether it is
 * the bare address. */
static __kprobes bool put_unnamed(struct put *to, u64 address, bool called, const struct kt_user_place *p, u32 part)
{
	char name[FILE_NAME_MAX] = "";

	if (p->vma && !p->object)
		file_name(p->vma, name, sizeof(name));
	if (part == PART_OBJECT)
		put_string(to, p->object ? last_part(p->object->table.name) : name[0] ? name : "<unknown>");
	else if (part == PART_DATA && p->object && p->place != KT_UNWIND_NONE)
		put_offset(to, p->object->table.name, p->place + called);
	else if (part == PART_DATA && name[0])
		put_offset(to, name, p->offset + called);
	else
		return true;
	return false;
}

/* PART of what is at ADDRESS, which is after a call if CALLED: the call may have been its function's last instruction. P is the place
 * found before. Returns false, having put nothing, where the bare address is all that is known. */
static __kprobes bool put_name(struct kt_ctx *c, struct put *to, u64 address, bool called, u32 part, struct kt_user_place *p)
{
	const struct kt_unwind_symbol *symbol = NULL;
	const struct kt_unwind_table *t;

	if (kt_user_place_find(address - called, p) && !p->object)
		tell_missing(c, address, p->vma);
	t = p->object ? &p->object->table : NULL;
	if (p->place != KT_UNWIND_NONE)
		symbol = kt_unwind_symbol(t, p->place);
	if (!symbol || part == PART_OBJECT)
		return !put_unnamed(to, address, called, p, part);
	put_string(to, t->names + symbol->name);
	if (part == PART_NAME)
		return true;
	put_bytes(to, "+", 1);
	put_hex(to, p->place - symbol->place + called);
	if (part == PART_BRIEF)
		return true;
	put_bytes(to, "/", 1);
	put_hex(to, symbol->size);
	put_bytes(to, " [", 2);
	put_string(to, t->name);
	put_bytes(to, "]", 1);
	return true;
}

static __kprobes void put_symbol(struct kt_ctx *c, char *ret, u32 size, u64 address, bool called, u32 part)
{
	struct put to = { ret, ret + size - 1 };
	struct kt_user_place p = { .vma = NULL, .place = KT_UNWIND_NONE };

	if (!hold_mappings(c)) {
		if (part == PART_OBJECT)
			put_string(&to, "<unknown>");
		else
			put_hex(&to, address);
	} else if (!put_name(c, &to, address, called, part, &p)) {
		put_hex(&to, address);
	}
	*to.at = 0;
	if (to.cut)
		kt_string_cut();
}

__kprobes void kt_fn___ustack_symbol(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n, kt_s64 part)
{
	const struct kt_user_stack *s = user_stack_of(c);

	ret[0] = 0;
	if (n >= 0 && n < s->n)
		put_symbol(c, ret, size, s->entry[n], s->called[n], part);
}

KT_ACTION(__usymbol, put_symbol(c, ret, size, address, false, part),
	  char *ret, kt_u32 size, kt_s64 address, kt_s64 part)

/* ---- stacks as text ---- */

/* Kinds of text. */
enum stack_text {
	TEXT_NONE,
	TEXT_ADDRESSES, /* addresses alone, on one line */
	TEXT_NAMES,     /* a line per call, as in "main+0x10/0x20 [/bin/a]" */
	TEXT_FULL,      /* the same after the address */
	TEXT_BRIEF,     /* as in "main+0x10" */
};

/* Lines of S as text: its calls, and one about the calls that are missing. */
static __kprobes u32 lines_of(const struct kt_user_stack *s)
{
	return s->n ? s->n + !s->whole : 0;
}

/* P NULL: the mappings are not held. */
static __kprobes void put_call(struct kt_ctx *c, struct put *to, const struct kt_user_stack *s, u32 i, enum stack_text kind,
			       struct kt_user_place *p)
{
	bool full = kind == TEXT_FULL;
	char *begin = to->at;

	put_bytes(to, " ", full);
	if (full) {
		put_hex(to, s->entry[i]);
		put_bytes(to, " : ", 3);
	}
	if (!p || !put_name(c, to, s->entry[i], s->called[i], kind == TEXT_BRIEF ? PART_BRIEF : PART_DATA, p)) {
		to->at = begin + full;
		put_hex(to, s->entry[i]);
	}
	if (i >= s->n_exact)
		put_string(to, " (inexact)");
	put_bytes(to, "\n", 1);
}

/* Puts lines of S, of those that are not printed yet as many as fit, at least a part of one. */
static __kprobes void put_lines(struct kt_ctx *c, struct put *to, struct kt_user_stack *s, enum stack_text kind)
{
	struct kt_user_place p = { .vma = NULL, .place = KT_UNWIND_NONE };
	struct kt_user_place *place = hold_mappings(c) ? &p : NULL;
	const char *begin = to->at;

	for (u32 n = lines_of(s); s->n_printed < n && !to->cut; s->n_printed++) {
		const struct put before = *to;

		if (s->n_printed < s->n)
			put_call(c, to, s, s->n_printed, kind, place);
		else
			put_string(to, kind == TEXT_FULL ? " (truncated)\n" : "(truncated)\n");
		if (to->cut && before.at != begin && kind != TEXT_NAMES) {
			*to = before;
			return;
		}
	}
}

static __kprobes void put_addresses(struct put *to, const struct kt_user_stack *s)
{
	for (u32 i = 0; i < s->n && !to->cut; i++) {
		if (to->end - to->at < KT_ADDRESS_TEXT)
			to->cut = true;
		else
			to->at += kt_put_address(to->at, s->entry[i]);
	}
}

/* Puts S as text of KIND. */
static __kprobes void put_stack(struct kt_ctx *c, struct put *to, struct kt_user_stack *s, enum stack_text kind)
{
	if (kind == TEXT_ADDRESSES)
		put_addresses(to, s);
	else
		put_lines(c, to, s, kind);
}

/* Makes the text of S of KIND that is kept with its trail. NULL: the stack has no trail, or the text is too long. */
static __kprobes struct kt_trail_text *keep_text(struct kt_ctx *c, struct kt_user_stack *s, enum stack_text kind)
{
	struct kt_trail_text *t = s->trail ? &s->trail->text[kind >= TEXT_FULL] : NULL;

	if (!t || s->n_printed)
		return NULL;
	if (t->kind != kind) {
		struct put to = { t->bytes, t->bytes + sizeof(t->bytes) };

		t->kind = TEXT_NONE;
		put_stack(c, &to, s, kind);
		s->n_printed = 0;
		if (to.cut)
			return NULL;
		t->len = to.at - t->bytes;
		t->kind = kind;
		t->hashed = 0;
	}
	return t;
}

/* Writes S to RET as text of KIND. T is that text where it is kept with the trail, else NULL. */
static __kprobes void put_text(struct kt_ctx *c, char *ret, u32 size, struct kt_user_stack *s, enum stack_text kind,
			       const struct kt_trail_text *t)
{
	struct put to = { ret, ret + size - 1 };

	if (t && (kind != TEXT_ADDRESSES || t->len < size))
		put_bytes(&to, t->bytes, t->len);
	else
		put_stack(c, &to, s, kind);
	*to.at = 0;
	if (to.cut)
		kt_string_cut();
}

static __kprobes void stack_text(struct kt_ctx *c, char *ret, u32 size, struct kt_user_stack *s, enum stack_text kind)
{
	put_text(c, ret, size, s, kind, keep_text(c, s, kind));
}

/* Returns the same text with its hash: the one that is kept, or one that it makes in RET. */
static __kprobes struct kt_hashed hashed_text(struct kt_ctx *c, char *ret, u32 size, struct kt_user_stack *s, enum stack_text kind)
{
	struct kt_trail_text *t = keep_text(c, s, kind);
	u32 len = t ? min_t(u32, t->len, size - 1) : 0;

	if (!t || (len < t->len && kind == TEXT_ADDRESSES)) {
		put_text(c, ret, size, s, kind, t);
		return kt_hashed(ret);
	}
	if (len < t->len)
		kt_string_cut();
	if (t->hashed != len) {
		t->hash = kt_hashed_bytes(t->bytes, len).hash;
		t->hashed = len;
	}
	return (struct kt_hashed){ t->bytes, len, t->hash };
}

KT_HASHED(ubacktrace, hashed_text(c, ret, size, take_user_stack(c, NULL), TEXT_ADDRESSES))
KT_HASHED(sprint_ubacktrace, hashed_text(c, ret, size, take_user_stack(c, NULL), TEXT_NAMES))
KT_ACTION(ubacktrace, stack_text(c, ret, size, take_user_stack(c, NULL), TEXT_ADDRESSES),
	  char *ret, kt_u32 size)
KT_ACTION(sprint_ubacktrace, stack_text(c, ret, size, take_user_stack(c, NULL), TEXT_NAMES),
	  char *ret, kt_u32 size)
KT_ACTION(__ustack_lines, stack_text(c, ret, size, user_stack_of(c), brief ? TEXT_BRIEF : TEXT_FULL),
	  char *ret, kt_u32 size, kt_s64 brief)
KT_NUMBER(__ustack_left, lines_of(user_stack_of(c)) - user_stack_of(c)->n_printed)

/* As kt_fn___ustack_lines(), but sets *RET to the text and returns its length. */
__kprobes u32 kt_user_stack_lines(struct kt_ctx *c, bool brief, const char **ret)
{
	enum stack_text kind = brief ? TEXT_BRIEF : TEXT_FULL;
	struct kt_user_stack *s = user_stack_of(c);
	const struct kt_trail_text *t = keep_text(c, s, kind);
	char *scratch = kt_user_stacks_here()->scratch[kt_level_of(c)->id];
	struct put to = { scratch, scratch + KT_USER_LINES };

	if (t) {
		s->n_printed = lines_of(s);
		*ret = t->bytes;
		return t->len;
	}
	put_stack(c, &to, s, kind);
	*ret = scratch;
	return to.at - scratch;
}

__kprobes void kt_fn___usymbol_build_id(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	struct kt_user_place p = { .vma = NULL, .place = KT_UNWIND_NONE };

	if (hold_mappings(c) && kt_user_place_find((u64)address, &p) && p.vma && !p.object)
		tell_missing(c, (u64)address, p.vma);
	kt_strcpy(ret, p.object ? p.object->table.build_id : "", size);
}

/* ADDRESS counted from where its file is mapped from the beginning; -1: it is in no file, or that part is not mapped. */
__kprobes kt_s64 kt_fn___usymbol_offset(struct kt_ctx *c, kt_s64 address)
{
	struct kt_user_place p = { .vma = NULL };
	unsigned long at;

	if (!hold_mappings(c) || !kt_user_place_find((u64)address, &p) || !p.vma->vm_file)
		return -1;
	at = mapped_at(c, file_inode(p.vma->vm_file), 0);
	return at && at <= (u64)address ? address - (kt_s64)at : -1;
}

/* The source line of ADDRESS, 0: it is not known; and its file. */
static __kprobes u32 find_line(struct kt_ctx *c, u64 address, const char **file)
{
	struct kt_user_place p = { .vma = NULL };

	*file = "";
	if (!hold_mappings(c) || !kt_user_place_find(address, &p) || p.place == KT_UNWIND_NONE)
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
	kt_user_stacks = kt_percpu_alloc(sizeof(struct kt_user_stacks));
	return user_objects && kt_user_stacks ? 0 : -ENOMEM;
}

/* Says what stacks lack on this kernel. Context: as of kt_session_start(), which has messages. */
void kt_unwind_start(void)
{
	if (kt_user_stacks && !KT_KNOWS_RETURN_INSTANCES)
		kt_warn("stacks of programs end at a function whose return is probed: this kernel keeps such calls in a form that "
			"this ktap does not know; use a newer ktap");
}

/* After all handlers have ended. */
void kt_unwind_destroy(void)
{
	kt_lines_destroy();
	for (u32 i = 0; i < n_user_objects; i++)
		object_free(&user_objects[i]);
	kvfree(user_objects);
	kt_percpu_free(kt_user_stacks);
}
