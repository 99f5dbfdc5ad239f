/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses in modules other than our own, for handlers that read their variables.
 *
 * The kernel exports no way from a module's name to its symbols, but all modules are in one list, ours among them. Handlers
 * run with interrupts off, so none is freed meanwhile.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>

#include "runtime/kit/compat.h"
#include "runtime/kit/services.h"

static void (*module_going)(const struct module *mod);

/* Grows when a module comes or goes: what was found before is looked up again. 0 is never current. */
static u32 module_generation = 1;

__kprobes u32 kt_modules_generation(void)
{
	return READ_ONCE(module_generation);
}

/* The list's head is the kernel's own: only modules are in memory that was allocated for them. On arm64 the kernel's image is among that
 * memory, but a module describes memory that it lies in itself. */
static bool is_module(const struct module *mod)
{
	unsigned long p = (unsigned long)mod;

	return (is_vmalloc_addr(mod) || (p >= MODULES_VADDR && p < MODULES_END)) && within_module(p, mod);
}

/* Each module that is loaded; ours is the last. */
static const struct module *module_after(const struct module *mod)
{
	const struct list_head *entry = &mod->list;

	do {
		entry = rcu_dereference_raw(list_next_rcu(entry));
		mod = list_entry(entry, struct module, list);
	} while (!is_module(mod) || mod->state == MODULE_STATE_UNFORMED);
	return mod;
}

static const struct module *module_find(const char *name)
{
	const struct module *mod = module_after(THIS_MODULE);

	while (mod != THIS_MODULE && strcmp(mod->name, name))
		mod = module_after(mod);
	return mod == THIS_MODULE ? NULL : mod;
}

__kprobes const struct module *kt_module_at(unsigned long address)
{
	const struct module *mod = THIS_MODULE;

	do {
		if (within_module(address, mod))
			return mod;
		mod = module_after(mod);
	} while (mod != THIS_MODULE);
	return NULL;
}

bool kt_module_holds(const char *name, unsigned long address, u32 size)
{
	const struct module *mod;
	bool holds;

	preempt_disable();
	mod = module_find(name);
	holds = mod && (mod->state == MODULE_STATE_LIVE || mod->state == MODULE_STATE_COMING) &&
		within_module(address, mod) && within_module(address + size - 1, mod);
	preempt_enable();
	return holds;
}

int kt_module_find_symbol(const char *name, const char *symbol, unsigned long *ret)
{
	const struct module *mod;

	preempt_disable();
	mod = module_find(name);
	*ret = mod ? kt_symbol_of_module(mod, symbol) : 0;
	preempt_enable();
	return mod ? 0 : -ENOENT;
}

unsigned long kt_module_symbol(struct kt_module_symbol *s)
{
	u32 generation = READ_ONCE(module_generation);
	const struct module *mod;
	unsigned long at;

	if (smp_load_acquire(&s->generation) != generation) {
		mod = module_find(s->module);
		/* One that goes stays in the list until its memory is freed, which changes no generation. */
		at = mod && mod->state != MODULE_STATE_GOING ? kt_symbol_of_module(mod, s->symbol) : 0;
		/* Two processors find the same. */
		WRITE_ONCE(s->address, at ? at + s->offset : 0);
		smp_store_release(&s->generation, generation);
	}
	return s->address;
}

/* Context: a handler's. */
kt_u64 kt_module_address(struct kt_ctx *c, struct kt_module_symbol *s)
{
	unsigned long at = kt_module_symbol(s);

	if (!at)
		kt_error(c, "the module of a variable is not loaded, or the kernel keeps no symbol of it");
	return at;
}

static int module_changed(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == MODULE_STATE_COMING || event == MODULE_STATE_GOING)
		WRITE_ONCE(module_generation, module_generation + 1 ?: 1);
	if (event == MODULE_STATE_GOING)
		module_going(data);
	return NOTIFY_DONE;
}

static struct notifier_block module_watch = { .notifier_call = module_changed };

int kt_modules_create(void (*going)(const struct module *mod))
{
	module_going = going;
	return register_module_notifier(&module_watch);
}

void kt_modules_destroy(void)
{
	unregister_module_notifier(&module_watch);
}
