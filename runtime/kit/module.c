/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses in modules other than our own, for handlers that read their variables, and whether such a module is the build that the script
 * was compiled for.
 *
 * The kernel exports no way from a module's name to its symbols, but all modules are in one list, ours among them. Handlers
 * run with interrupts off, so none is freed meanwhile.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>

#include "runtime/kit/compat.h"
#include "runtime/kit/services.h"

enum { BUILD_ID_NOTE = 3, BUILD_ID_MAX = 64, BUILD_ID_TEXT = 2 * BUILD_ID_MAX + 1 };

static void (*module_going)(const struct module *mod);

/* By row of kt_script.modules: a module of that name is loaded, and it is another build. */
static bool *foreign;

/* A symbol that was never looked up has generation 0; one that is being written has this. Neither is ever current. */
enum { BEING_WRITTEN = -1 };

/* Grows when a module comes or goes, on several CPUs at once: what was found before is looked up again. */
static atomic_t module_generation = ATOMIC_INIT(1);

static void next_generation(void)
{
	int generation;

	do
		generation = atomic_inc_return(&module_generation);
	while (generation == 0 || generation == BEING_WRITTEN);
}

__kprobes u32 kt_modules_generation(void)
{
	return (u32)atomic_read(&module_generation);
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

bool kt_module_is_live(const char *name)
{
	const struct module *mod;
	bool live;

	preempt_disable();
	mod = module_find(name);
	live = mod && mod->state == MODULE_STATE_LIVE;
	preempt_enable();
	return live;
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

/* ---- builds ---- */
/* The head of a note with a build-id, which follows. */
struct build_note {
	u32 name_size, size, type;
	char name[4];
	u8 id[];
};

/* Returns the note of MOD with a build-id of SIZE bytes; NULL: it has none. The note lies in the module's constants, where no symbol names it. The
 * one that says WANTED is preferred, in case other data looks like a note. */
static const struct build_note *find_build_note(const struct module *mod, const u8 *wanted, u32 size)
{
	const struct build_note head = { .name_size = 4, .size = size, .type = BUILD_ID_NOTE, .name = "GNU" }, *found = NULL;
	unsigned long at, all, note = sizeof(head) + size;

	kt_module_constants(mod, &at, &all);
	for (unsigned long last = at + all - note; all >= note && at <= last; at += sizeof(u32)) {
		const struct build_note *n = (const struct build_note *)at;

		if (memcmp(n, &head, sizeof(head)))
			continue;
		if (!memcmp(n->id, wanted, size))
			return n;
		found = found ?: n;
	}
	return found;
}

/* The note of MOD, of which B is the row. */
static const struct build_note *build_note_of(const struct module *mod, const struct kt_module_build *b)
{
	u32 size = min_t(u32, kt_strlen(b->build_id) / 2, BUILD_ID_MAX);
	u8 wanted[BUILD_ID_MAX];

	return hex2bin(wanted, b->build_id, size) ? NULL : find_build_note(mod, wanted, size);
}

/* Compares MOD with the row B. */
static bool is_foreign(const struct module *mod, const struct kt_module_build *b, char loaded[BUILD_ID_TEXT])
{
	const struct build_note *n = build_note_of(mod, b);

	strscpy(loaded, "none", BUILD_ID_TEXT);
	if (n)
		*bin2hex(loaded, n->id, n->size) = 0;
	return strcmp(loaded, b->build_id);
}

bool kt_module_is_foreign(const char *name)
{
	for (u32 i = 0; i < kt_script.n_modules; i++)
		if (!strcmp(kt_script.modules[i].name, name))
			return READ_ONCE(foreign[i]);
	return false;
}

/* MOD comes while the session may run. What its probes and variables reach can be refused one by one. Any memory may be read with its types, and
 * then the session ends. */
static void compare_build(const struct module *mod)
{
	char loaded[BUILD_ID_TEXT];

	for (u32 i = 0; i < kt_script.n_modules; i++) {
		const struct kt_module_build *b = &kt_script.modules[i];

		if (strcmp(b->name, mod->name))
			continue;
		WRITE_ONCE(foreign[i], is_foreign(mod, b, loaded));
		if (!foreign[i] || kt_run_state() > KT_RUNNING)
			continue;
		kt_warn("the module '%s' that was loaded now is another build than the script was compiled for: build-id of the loaded "
			"module %s, of the file that the script was compiled with %s; %s; compile the script again",
			b->name, loaded, b->build_id, b->cast ? "the session ends, because it reads memory with types of the module"
			: "probes in it do not fire, and its variables cannot be read");
		if (b->cast)
			kt_run_ask_stop(true);
	}
}

/* ---- symbols ---- */
/* Returns where SYMBOL of MOD is: "NAME", "NAME#N", the one with N of that name before it, or "", the note with the build-id; 0: it has none, or the kernel
 * keeps no symbols. Context: interrupts or preemption off. */
static unsigned long symbol_of(const struct module *mod, const char *symbol)
{
	const char *hash = strchr(symbol, '#');

	if (!symbol[0]) {
		for (u32 i = 0; i < kt_script.n_modules; i++)
			if (!strcmp(kt_script.modules[i].name, mod->name))
				return (unsigned long)build_note_of(mod, &kt_script.modules[i]);
		return 0;
	}
	return kt_symbol_of_module(mod, symbol, hash ? hash - symbol : strlen(symbol), hash ? simple_strtol(hash + 1, NULL, 10) : -1);
}

int kt_module_find_symbol(const char *name, const char *symbol, unsigned long *ret)
{
	const struct module *mod;

	preempt_disable();
	mod = module_find(name);
	*ret = mod ? symbol_of(mod, symbol) : 0;
	preempt_enable();
	return mod ? 0 : -ENOENT;
}

static unsigned long look_up(const struct kt_module_symbol *s)
{
	const struct module *mod = module_find(s->module);
	unsigned long at = 0;

	/* One that goes stays in the list until its memory is freed, which changes no generation. */
	if (mod && mod->state != MODULE_STATE_GOING && !kt_module_is_foreign(s->module))
		at = symbol_of(mod, s->symbol);
	return at ? at + s->offset : 0;
}

/* One at a time writes, so the address that is read after a generation is of that one or of a later one. */
unsigned long kt_module_symbol(struct kt_module_symbol *s)
{
	u32 now = kt_modules_generation(), seen = smp_load_acquire(&s->generation);
	unsigned long at;

	if (likely(seen == now))
		return READ_ONCE(s->address);
	if (seen == (u32)BEING_WRITTEN || cmpxchg(&s->generation, seen, (u32)BEING_WRITTEN) != seen)
		return look_up(s);
	at = look_up(s);
	WRITE_ONCE(s->address, at);
	smp_store_release(&s->generation, now);
	return at;
}

/* Context: a handler's. */
kt_u64 kt_module_address(struct kt_ctx *c, struct kt_module_symbol *s)
{
	unsigned long at = kt_module_symbol(s);

	if (!at)
		kt_error(c, kt_module_is_foreign(s->module) ?
				    "the loaded module of a variable is another build than the script was compiled for" :
				    "the module of a variable is not loaded, or the kernel keeps no symbol of it");
	return at;
}

static int module_changed(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event == MODULE_STATE_COMING)
		compare_build(data);
	if (event == MODULE_STATE_COMING || event == MODULE_STATE_GOING)
		next_generation();
	if (event == MODULE_STATE_GOING)
		module_going(data);
	return NOTIFY_DONE;
}

/* Modules that were loaded before. The loader has reported those of another build, unless one came since. */
static void compare_loaded(void)
{
	for (u32 i = 0; i < kt_script.n_modules; i++) {
		char loaded[BUILD_ID_TEXT];
		const struct module *mod;

		preempt_disable();
		mod = module_find(kt_script.modules[i].name);
		if (mod)
			WRITE_ONCE(foreign[i], is_foreign(mod, &kt_script.modules[i], loaded));
		preempt_enable();
	}
}

static struct notifier_block module_watch = { .notifier_call = module_changed };

int kt_modules_create(void (*going)(const struct module *mod))
{
	int err;

	module_going = going;
	foreign = kcalloc(kt_script.n_modules + 1, sizeof(*foreign), GFP_KERNEL);
	if (!foreign)
		return -ENOMEM;
	err = register_module_notifier(&module_watch);
	if (!err)
		compare_loaded();
	return err;
}

void kt_modules_destroy(void)
{
	unregister_module_notifier(&module_watch);
	kfree(foreign);
}
