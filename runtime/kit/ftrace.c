/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by ftrace: cheaper a hit than a kprobe, and armed in one step however many they are. What a hit at the entry
 * does for a probe of the return: returns.c.
 *
 * There are four ftrace_ops. Entries and returns have two each: one for handlers that need the registers that ftrace always saves
 * (parameters, stack), and one for handlers that need all. kprobe.c takes the functions that ftrace cannot trace. The callback gets
 * an address and looks up its handler in a table that is never written while armed.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "runtime/kit/function.h"
#include "runtime/kit/handler.h"

static __always_inline u32 n_slots(const struct kt_functions *f)
{
	return 1u << (64 - f->shift);
}

noinline struct kt_function *notrace kt_functions_find(const struct kt_functions *f, unsigned long ip)
{
	u32 i = kt_functions_slot(f, ip);

	while (f->slots[i].ip && f->slots[i].ip != ip)
		i = (i + 1) & (n_slots(f) - 1);
	return &f->slots[i];
}
NOKPROBE_SYMBOL(kt_functions_find);

/* All probes of a function, where there are several or its slot is not where it belongs. */
static noinline void notrace entry_hit_many(const struct kt_group *g, unsigned long ip, const struct pt_regs *regs)
{
	for (const struct kt_entry *e = kt_functions_find(&g->functions, ip)->entry; e; e = e->next)
		kt_handle(e->probe, regs, KT_CTX_FTRACE, NULL);
}
NOKPROBE_SYMBOL(entry_hit_many);

/* The callback of a group with one probe. Context: the function's entry, interrupts as they were there. */
static void notrace entry_hit_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	kt_handle(container_of(ops, struct kt_group, ops)->only, kt_ftrace_regs(fregs), KT_CTX_FTRACE, NULL);
}
NOKPROBE_SYMBOL(entry_hit_one);

/* Returns the one probe of the function at IP in the group of OPS; NULL: it has several, or is not where the table is first looked at. */
static __always_inline const struct kt_probe *only_at(struct ftrace_ops *ops, unsigned long ip)
{
	const struct kt_group *g = container_of(ops, struct kt_group, ops);
	const struct kt_function *s = &g->functions.slots[kt_functions_slot(&g->functions, ip)];

	return likely(s->ip == ip) ? s->only : NULL;
}

/* The callback of a group with many. Context: any function's entry, interrupts as they were there. */
static void notrace entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	const struct kt_probe *probe = only_at(ops, ip);

	if (likely(probe))
		kt_handle(probe, kt_ftrace_regs(fregs), KT_CTX_FTRACE, NULL);
	else
		entry_hit_many(container_of(ops, struct kt_group, ops), ip, kt_ftrace_regs(fregs));
}
NOKPROBE_SYMBOL(entry_hit);

/* The callbacks of a group with light probes. */
static void notrace light_hit_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	if (!kt_handle_light(container_of(ops, struct kt_group, ops)->only))
		entry_hit_one(ip, parent_ip, ops, fregs);
}
NOKPROBE_SYMBOL(light_hit_one);

static void notrace light_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	const struct kt_probe *probe = only_at(ops, ip);

	if (unlikely(!probe) || !kt_handle_light(probe))
		entry_hit(ip, parent_ip, ops, fregs);
}
NOKPROBE_SYMBOL(light_hit);

/* No RECURSION, which would ask ftrace to see to it (40 instructions a hit): kt_level's probe does, and up to there nothing
 * is called that can be traced. PERMANENT: kernel.ftrace_enabled=0 refuses us, or is refused, instead of silencing us. */
enum { OPS_FLAGS = FTRACE_OPS_FL_PERMANENT };

/* Index: handlers that need only what is saved anyway, handlers that need all registers; of returns, from 2 on. */
static struct kt_group groups[] = {
	{ .ops = { .flags = OPS_FLAGS } },
	{ .ops = { .flags = OPS_FLAGS | FTRACE_OPS_FL_SAVE_REGS } },
	{ .ops = { .flags = OPS_FLAGS }, .returns = true },
	{ .ops = { .flags = OPS_FLAGS | FTRACE_OPS_FL_SAVE_REGS }, .returns = true },
};

/* NULL: the row is nothing for ftrace. */
static struct kt_group *group_of(const struct kt_kprobe_row *row)
{
	bool returns = KT_HAS_RETHOOK && kt_kprobe_is_return(row);

	if (!returns && !kt_kprobe_is_entry(row))
		return NULL;
	return &groups[2 * returns + !!(row->registers & ~(u32)KT_ARCH_FTRACE_REGISTERS)];
}

/* ---- the table ---- */
/* Adds an entry; true: it is the first of its function. The first to hook a return is the last to see it, so those are in
 * reverse order. */
static bool table_add(struct kt_group *g, struct kt_entry *e)
{
	struct kt_entry *first = kt_functions_find(&g->functions, e->address)->entry, *last = first;

	while (last && last->next)
		last = last->next;
	g->only = g->n == 1 ? e->probe : NULL;
	if (first && g->returns)
		e->next = first;
	else if (first)
		last->next = e;
	for (u32 i = 0; i < 2; i++) {
		unsigned long ip = e->address + i * KT_ARCH_FTRACE_OFFSET;

		*kt_functions_find(&g->functions, ip) = (struct kt_function){
			.ip = ip,
			.only = first ? NULL : e->probe,
			.entry = first && !g->returns ? first : e,
		};
	}
	return !first;
}

/* Nothing is run at the function, though its slots stay. */
static void table_forget(struct kt_group *g, unsigned long address)
{
	for (u32 i = 0; i < 2; i++) {
		struct kt_function *s = kt_functions_find(&g->functions, address + i * KT_ARCH_FTRACE_OFFSET);

		s->only = NULL;
		s->entry = NULL;
	}
}

static void group_free(struct kt_group *g)
{
	if (KT_HAS_FTRACE && g->entries)
		ftrace_set_filter(&g->ops, NULL, 0, 1); /* frees it: ftrace_free_filter() is not exported before v6.2 */
	kvfree(g->entries);
	kvfree(g->ips);
	kvfree(g->functions.slots);
	g->functions.slots = NULL;
	g->entries = NULL;
	g->ips = NULL;
	g->only = NULL;
	g->n = 0;
}

static bool group_alloc(struct kt_group *g, u32 room)
{
	g->entries = kvcalloc(room, sizeof(*g->entries), GFP_KERNEL);
	g->ips = kvcalloc(room, sizeof(*g->ips), GFP_KERNEL);
	g->functions.shift = 64 - ilog2(roundup_pow_of_two(4 * room));
	g->functions.slots = kvcalloc(n_slots(&g->functions), sizeof(*g->functions.slots), GFP_KERNEL);
	return g->functions.slots && g->entries && g->ips;
}

/* ---- the filter ---- */
/* Adds N functions to the filter, in one call where ftrace takes all, else by halves. Returns how many it took, before the session was
 * told to end. The refused ones are forgotten. Each call copies the filter. */
static u32 filter_add(struct kt_group *g, unsigned long *ips, u32 n)
{
	cond_resched();
	if (!n || !kt_run_starts())
		return 0;
	if (!kt_ftrace_filter_add(&g->ops, ips, n))
		return n;
	if (n == 1) {
		table_forget(g, *ips);
		return 0;
	}
	return filter_add(g, ips, n / 2) + filter_add(g, ips + n / 2, n - n / 2);
}

/* ---- conditions ---- */
/* Notes what conditions say now; true when it is something new. */
static bool entries_update(struct kt_group *g)
{
	bool changed = false;

	for (u32 i = 0; i < g->n; i++) {
		bool on = !kt_probe_off(g->entries[i].probe->index);

		changed |= on != g->entries[i].on;
		g->entries[i].on = on;
	}
	return changed;
}

/* Puts the functions that have a probe that is on in g->ips; how many. */
static u32 collect_on(struct kt_group *g)
{
	u32 n = 0;

	for (u32 i = 0; i < n_slots(&g->functions); i++) {
		const struct kt_function *f = &g->functions.slots[i];
		const struct kt_entry *e = f->entry;

		if (!e || f->ip != e->address) /* the other key of the function */
			continue;
		while (e && !e->on)
			e = e->next;
		if (e)
			g->ips[n++] = f->ip;
	}
	return n;
}

/* The filter becomes what is on, in one step. A filter without any address would mean all functions, so then there is none
 * to call. A filter that ftrace refuses, or cannot replace in one step, stays as it was: the handlers test their condition. */
static void group_switch(struct kt_group *g)
{
	u32 n = collect_on(g);

	if (!n && g->registered)
		g->registered = unregister_ftrace_function(&g->ops);
	if (!n || kt_ftrace_filter_replace(&g->ops, g->ips, n) || g->registered)
		return;
	g->registered = !register_ftrace_function(&g->ops);
}

void kt_ftrace_update(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++)
		if (groups[i].armed && entries_update(&groups[i]))
			group_switch(&groups[i]);
}

/* ---- addresses ---- */
/* Kprobes that look symbols up. The kernel walks 1/64 of all registered kprobes for each one that it registers, and waits for a grace
 * period when some are unregistered, so they are unregistered in groups. */
struct lookups {
	u32 n;
	struct kprobe kps[256];
	struct kprobe *batch[256];
};

static void lookups_release(struct lookups *l)
{
	unregister_kprobes(l->batch, (int)l->n);
	l->n = 0;
}

/* Returns the address of SYMBOL; 0: ftrace cannot trace it, or the kernel does not let it be probed. */
static unsigned long lookup(struct lookups *l, const char *symbol)
{
	struct kprobe *kp = &l->kps[l->n];
	unsigned long at;

	*kp = (struct kprobe){ .flags = KPROBE_FLAG_DISABLED };
	kt_kprobe_set_symbol(kp, symbol);
	if (register_kprobe(kp))
		return 0;
	at = kt_arch_function_start((unsigned long)kp->addr);
	l->batch[l->n++] = kp;
	if (l->n == ARRAY_SIZE(l->kps))
		lookups_release(l);
	return kt_arch_may_trace(at) ? at : 0;
}

/* The filter takes all addresses or none. Bisection is slow when many are rejected, so untraceable functions are first filtered by
 * their code. */
unsigned long *kt_ftrace_addresses(const struct kt_kprobe_row *rows, u32 n)
{
	unsigned long *at = KT_HAS_FTRACE ? kvcalloc(n, sizeof(*at), GFP_KERNEL) : NULL;
	struct lookups *l = at ? kvzalloc(sizeof(*l), GFP_KERNEL) : NULL;

	for (u32 i = 0; l && i < n && kt_run_starts(); i++) {
		cond_resched();
		if (!group_of(&rows[i]))
			continue;
		if (!rows[i].address)
			at[i] = lookup(l, kt_script.texts + rows[i].symbol);
		else if (kt_arch_may_trace(kt_relocate(rows[i].address)))
			at[i] = kt_relocate(rows[i].address);
		kt_places_found(at[i] != 0);
	}
	if (l)
		lookups_release(l);
	kvfree(l);
	return at;
}

/* The callback that the kernel runs at the functions in the filter of G. */
static bool group_start(struct kt_group *g)
{
	if (g->returns && !kt_returns_create(g))
		return false;
	if (entries_update(g))
		group_switch(g);
	else
		g->registered = !register_ftrace_function(&g->ops);
	return g->registered || !collect_on(g);
}

/* Arms the group's entries, at the addresses AT. TAKEN[i] becomes true for those rows that ftrace serves. */
static void group_arm(struct kt_group *g, const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken)
{
	bool light = false;
	u32 n_ips = 0;

	for (u32 i = 0; i < n; i++) {
		struct kt_entry *e = &g->entries[g->n];

		if (!at[i] || group_of(&rows[i]) != g)
			continue;
		*e = (struct kt_entry){
			.address = at[i],
			.probe = &kt_script.probes[rows[i].probe],
			.on = true,
			.saved = (u32)kt_kprobe_saved_size(&rows[i]),
			.at_entry = rows[i].entry_slots ? &kt_script.probes[rows[i].entry_probe] : NULL,
			.row = &rows[i],
		};
		g->n++;
		light |= e->probe->light != NULL;
		if (table_add(g, e))
			g->ips[n_ips++] = e->address;
	}
	if (g->returns)
		g->ops.func = kt_ftrace_func(g->n == 1 ? kt_returns_hit_one : kt_returns_hit);
	else if (g->only)
		g->ops.func = kt_ftrace_func(light ? light_hit_one : entry_hit_one);
	else
		g->ops.func = kt_ftrace_func(light ? light_hit : entry_hit);
	/* A filter without any address would mean all functions. */
	if (!filter_add(g, g->ips, n_ips) || !kt_run_starts() || !group_start(g))
		return;
	g->armed = true;
	for (u32 i = 0; i < n; i++)
		if (at[i] && group_of(&rows[i]) == g)
			taken[i] = kt_functions_find(&g->functions, at[i])->entry;
}

/* Unregistering waits for running callbacks. A group that ftrace does not let go stays as it is. */
static void group_release(struct kt_group *g)
{
	if (g->registered && unregister_ftrace_function(&g->ops)) {
		kt_places_stay();
		return;
	}
	g->registered = false;
	g->armed = false;
	kt_returns_destroy(g);
	group_free(g);
}

void kt_ftrace_arm(const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++) {
		struct kt_group *g = &groups[i];
		u32 room = 0;

		for (u32 k = 0; k < n; k++)
			room += group_of(&rows[k]) == g;
		if (room && group_alloc(g, room))
			group_arm(g, rows, at, n, taken);
		if (!g->armed)
			group_release(g);
	}
}

void kt_ftrace_disarm(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++)
		if (groups[i].armed)
			group_release(&groups[i]);
}
