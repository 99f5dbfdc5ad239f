/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel and its modules, by tables that the loader makes of their debugging information.
 *
 * A module's table says where its code lies, which the kit checks; it goes when the module goes. Handlers look while
 * preemption is off, so that synchronize_rcu() waits for them.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/core/unwind.h"
#include "runtime/fn.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"

enum { TABLE_SIZE_MAX = 256 << 20 }; /* of one object or module */
#define ALL_LINES_SIZE_MAX (1ul << 30)

struct line_table {
	struct kt_unwind_table table;
	void *block;
	unsigned long size;
	unsigned long bias;  /* where the kernel is, minus where it was linked; 0 of a module */
	bool is_module;
};

static struct line_table *line_tables[KT_OBJECTS_MAX];
static u32 n_line_tables;   /* release: those before it may be looked at; NULL where a module went */
static unsigned long line_tables_size;
static DEFINE_MUTEX(line_tables_lock);

static struct kt_missing missing_modules;

static void free_lines(struct line_table *t)
{
	if (t)
		vfree(t->block);
	kfree(t);
}

/* Does all code that T speaks of lie in the loaded module that has its name? */
static bool lines_lie_there(const struct line_table *t)
{
	bool good = t->table.n_segments;

	for (u32 i = 0; i < t->table.n_segments; i++) {
		const struct kt_unwind_segment *s = &t->table.segments[i];

		good &= s->size && kt_module_holds(t->table.name, s->offset, s->size);
	}
	return good;
}

/* Needs the lock. */
static int publish_lines(struct line_table *t)
{
	u32 free = n_line_tables;

	for (u32 i = 0; i < n_line_tables; i++) {
		if (!line_tables[i])
			free = i;
		else if (line_tables[i]->is_module == t->is_module && !strcmp(line_tables[i]->table.name, t->table.name))
			return -EEXIST;
	}
	if (free == KT_OBJECTS_MAX || line_tables_size + t->size > ALL_LINES_SIZE_MAX)
		return -E2BIG;
	if (t->is_module && !lines_lie_there(t))
		return -ESTALE;
	line_tables_size += t->size;
	smp_store_release(&line_tables[free], t);
	if (free == n_line_tables)
		smp_store_release(&n_line_tables, n_line_tables + 1);
	return 0;
}

int kt_table_read(const struct kt_object *o, struct kt_unwind_table *ret, void **block)
{
	if (!o->size || o->size > TABLE_SIZE_MAX)
		return -E2BIG;
	if (!kt_memory_for(o->size))
		return -ENOMEM;
	*block = vmalloc(o->size);
	if (!*block)
		return -ENOMEM;
	if (copy_from_user(*block, (const void __user *)(unsigned long)o->block, o->size))
		return -EFAULT;
	return kt_unwind_open(ret, *block, o->size) ? -EINVAL : 0;
}

int kt_lines_add(const struct kt_object *o)
{
	struct line_table *t;
	int err;

	if (!(kt_script.stacks & KT_STACKS_KERNEL_LINES))
		return -EOPNOTSUPP;
	if (o->fd != KT_OBJECT_KERNEL && o->fd != KT_OBJECT_MODULE)
		return -EINVAL;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	t->is_module = o->fd == KT_OBJECT_MODULE;
	if (!t->is_module)
		t->bias = (unsigned long)kt_anchor - (unsigned long)o->anchor;
	t->size = o->size;
	err = kt_table_read(o, &t->table, &t->block);
	if (!err) {
		mutex_lock(&line_tables_lock);
		err = publish_lines(t);
		mutex_unlock(&line_tables_lock);
	}
	if (err)
		free_lines(t);
	return err;
}

void kt_lines_forget(const struct module *mod)
{
	struct line_table *gone = NULL;

	mutex_lock(&line_tables_lock);
	for (u32 i = 0; i < n_line_tables; i++)
		if (line_tables[i] && line_tables[i]->is_module && !strcmp(line_tables[i]->table.name, mod->name)) {
			gone = line_tables[i];
			line_tables_size -= gone->size;
			WRITE_ONCE(line_tables[i], NULL);
		}
	mutex_unlock(&line_tables_lock);
	if (gone)
		synchronize_rcu();
	free_lines(gone);
}

void kt_lines_destroy(void)
{
	for (u32 i = 0; i < n_line_tables; i++)
		free_lines(line_tables[i]);
}

/* ---- look-ups ---- */

__kprobes void kt_tell_missing(struct kt_ctx *c, struct kt_missing *m, unsigned long object, kt_s64 process, u64 address,
			       const char *name)
{
	u64 *again = &m->again[hash_long(object, ilog2(ARRAY_SIZE(m->again)))];
	u64 old = READ_ONCE(*again), now = ktime_get_mono_fast_ns();
	u32 len;
	void *at;

	if (!object || now < old || cmpxchg64(again, old, now + NSEC_PER_SEC) != old)
		return;
	len = kt_strlen(name);
	at = kt_reserve(c, KT_REC_OBJECT, KT_NO_PLACE, 16 + kt_string_room(len));
	if (!at)
		return;
	at = kt_put_long(at, process);
	at = kt_put_long(at, (s64)address);
	kt_put_string(at, name, len);
	kt_commit(c);
}

/* The line of ADDRESS, 0: it is not known; and its file. Preemption must be off while that is used. */
static __kprobes u32 line_at(struct kt_ctx *c, u64 address, const char **file)
{
	u32 n = smp_load_acquire(&n_line_tables);
	const struct module *mod;

	for (u32 i = 0; i < n; i++) {
		const struct line_table *t = smp_load_acquire(&line_tables[i]);
		u32 place = t ? kt_unwind_place(&t->table, address - t->bias) : KT_UNWIND_NONE;

		if (place != KT_UNWIND_NONE)
			return kt_unwind_line(&t->table, place, file);
	}
	mod = kt_module_at(address);
	if (mod && mod != THIS_MODULE)
		kt_tell_missing(c, &missing_modules, (unsigned long)mod, 0, address, mod->name);
	return 0;
}

__kprobes void kt_fn___symbol_file(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address)
{
	const char *file = "";

	preempt_disable_notrace();
	kt_strcpy(ret, line_at(c, address, &file) ? file : "", size);
	preempt_enable_notrace();
}

__kprobes kt_s64 kt_fn___symbol_line(struct kt_ctx *c, kt_s64 address)
{
	const char *file;
	u32 line;

	preempt_disable_notrace();
	line = line_at(c, address, &file);
	preempt_enable_notrace();
	return line;
}
