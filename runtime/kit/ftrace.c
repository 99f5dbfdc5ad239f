/* Function entries by ftrace: cheaper a hit than a kprobe, and armed in one step however many they are. Returns: fprobe.c.
 *
 * Two ftrace_ops: one for handlers that get by with the registers ftrace saves anyway (parameters, stack), one for those
 * that want all. What ftrace cannot trace is left to kprobe.c. The callback gets an address and looks up what to run in
 * a table that is never written while armed.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "runtime/kit/kit.h"

/* One probe on an entry. */
struct entry {
	unsigned long address;       /* of the function */
	const struct kt_probe *probe;
	struct entry *next;          /* another probe on the same function */
	bool on;                     /* its condition allows it */
};

struct group {
	struct ftrace_ops ops;
	const struct kt_probe *only; /* of all functions, when there is one alone */
	struct kt_functions functions; /* a slot's entry is the first of a list; NULL: ftrace refused the function */
	struct entry *entries;
	u32 n;
	unsigned long *ips;          /* filter: one per function */
	bool armed;                  /* there is something to disarm */
	bool registered;             /* not while all conditions are false */
};

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

bool kt_functions_alloc(struct kt_functions *f, u32 n)
{
	f->shift = 64 - ilog2(roundup_pow_of_two(4 * n));
	f->slots = kvcalloc(n_slots(f), sizeof(*f->slots), GFP_KERNEL);
	return f->slots;
}

void kt_functions_free(struct kt_functions *f)
{
	kvfree(f->slots);
	f->slots = NULL;
}

bool kt_functions_add(struct kt_functions *f, unsigned long address, const struct kt_probe *only, const void *entry)
{
	for (u32 i = 0; i < 2; i++) {
		struct kt_function *s = kt_functions_find(f, address + i * KT_ARCH_FTRACE_OFFSET);

		if (!i && s->ip)
			return false;
		*s = (struct kt_function){ address + i * KT_ARCH_FTRACE_OFFSET, only, entry };
	}
	return true;
}

void kt_functions_forget(struct kt_functions *f, unsigned long address)
{
	for (u32 i = 0; i < 2; i++) {
		struct kt_function *s = kt_functions_find(f, address + i * KT_ARCH_FTRACE_OFFSET);

		s->only = NULL;
		s->entry = NULL;
	}
}

/* All probes of a function, where there are several or its slot is not where it belongs. */
static noinline void notrace entry_hit_many(const struct group *g, unsigned long ip, const struct pt_regs *regs)
{
	for (const struct entry *e = kt_functions_find(&g->functions, ip)->entry; e; e = e->next)
		kt_handle(e->probe, regs, KT_CTX_FTRACE, NULL);
}
NOKPROBE_SYMBOL(entry_hit_many);

/* The callback of a group with one probe. Context: the function's entry, interrupts as they were there. */
static void notrace entry_hit_one(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	kt_handle(container_of(ops, struct group, ops)->only, kt_ftrace_regs(fregs), KT_CTX_FTRACE, NULL);
}
NOKPROBE_SYMBOL(entry_hit_one);

/* The callback of a group with many. Context: any function's entry, interrupts as they were there. */
static void notrace entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			      struct ftrace_regs *fregs)
{
	const struct group *g = container_of(ops, struct group, ops);
	const struct kt_function *s = &g->functions.slots[kt_functions_slot(&g->functions, ip)];
	const struct kt_probe *probe = s->only;

	if (likely(s->ip == ip && probe))
		kt_handle(probe, kt_ftrace_regs(fregs), KT_CTX_FTRACE, NULL);
	else
		entry_hit_many(g, ip, kt_ftrace_regs(fregs));
}
NOKPROBE_SYMBOL(entry_hit);

/* No RECURSION, which would ask ftrace to see to it (40 instructions a hit): kt_level's room does, and up to there nothing
 * is called that can be traced. PERMANENT: kernel.ftrace_enabled=0 refuses us, or is refused, instead of silencing us. */
enum { OPS_FLAGS = FTRACE_OPS_FL_PERMANENT };

/* Handlers that need only what is saved anyway; handlers that need all registers. */
static struct group groups[] = {
	{ .ops = { .flags = OPS_FLAGS } },
	{ .ops = { .flags = OPS_FLAGS | FTRACE_OPS_FL_SAVE_REGS } },
};

static struct group *group_of(const struct kt_kprobe_row *row)
{
	return &groups[!!(row->registers & ~(u32)KT_ARCH_FTRACE_REGISTERS)];
}

/* ---- the table ---- */
/* Adds an entry; true: it is the first of its function. */
static bool table_add(struct group *g, struct entry *e)
{
	struct entry *last;

	g->only = g->n == 1 ? e->probe : NULL;
	if (kt_functions_add(&g->functions, e->address, e->probe, e))
		return true;
	last = (struct entry *)kt_functions_find(&g->functions, e->address)->entry;
	while (last->next)
		last = last->next;
	last->next = e;
	for (u32 i = 0; i < 2; i++)
		kt_functions_find(&g->functions, e->address + i * KT_ARCH_FTRACE_OFFSET)->only = NULL;
	return false;
}

static void group_free(struct group *g)
{
	ftrace_free_filter(&g->ops);
	kvfree(g->entries);
	kvfree(g->ips);
	kt_functions_free(&g->functions);
	g->entries = NULL;
	g->ips = NULL;
	g->only = NULL;
	g->n = 0;
}

static bool group_alloc(struct group *g, u32 room)
{
	g->entries = kvcalloc(room, sizeof(*g->entries), GFP_KERNEL);
	g->ips = kvcalloc(room, sizeof(*g->ips), GFP_KERNEL);
	return kt_functions_alloc(&g->functions, room) && g->entries && g->ips;
}

/* ---- the filter ---- */
u32 kt_ftrace_filter(struct ftrace_ops *ops, struct kt_functions *f, unsigned long *ips, u32 n)
{
	if (!n)
		return 0;
	if (!ftrace_set_filter_ips(ops, ips, n, 0, 0))
		return n;
	if (n == 1) {
		kt_functions_forget(f, *ips);
		return 0;
	}
	return kt_ftrace_filter(ops, f, ips, n / 2) + kt_ftrace_filter(ops, f, ips + n / 2, n - n / 2);
}

/* ---- conditions ---- */
/* Notes what conditions say now; true when it is something new. */
static bool entries_update(struct group *g)
{
	bool changed = false;

	for (u32 i = 0; i < g->n; i++) {
		bool on = !kt_condition_off(g->entries[i].probe->index);

		changed |= on != g->entries[i].on;
		g->entries[i].on = on;
	}
	return changed;
}

/* Puts the functions that have a probe that is on in g->ips; how many. */
static u32 collect_on(struct group *g)
{
	u32 n = 0;

	for (u32 i = 0; i < n_slots(&g->functions); i++) {
		const struct kt_function *f = &g->functions.slots[i];
		const struct entry *e = f->entry;

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
 * to call. What ftrace refuses stays as it was: the handlers test their condition. */
static void group_switch(struct group *g)
{
	u32 n = collect_on(g);

	if (!n && g->registered)
		g->registered = unregister_ftrace_function(&g->ops);
	if (!n || ftrace_set_filter_ips(&g->ops, g->ips, n, 0, 1) || g->registered)
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
/* The filter takes all of what it is given or nothing, and halves are slow where many are refused: those that cannot be
 * traced are told from their code first. */
enum { UNTRACED = 1 };

/* Is the row one of those that ftrace can serve, here or in fprobe.c? */
static bool wants_ftrace(const struct kt_kprobe_row *row)
{
	return kt_kprobe_is_entry(row) || (KT_HAS_FPROBE && kt_kprobe_is_return(row));
}

unsigned long *kt_ftrace_addresses(const struct kt_kprobe_row *rows, u32 n)
{
	unsigned long *at = KT_HAS_FTRACE ? kvcalloc(n, sizeof(*at), GFP_KERNEL) : NULL;
	struct kprobe *kps = NULL, **batch = NULL;
	u32 n_kps = 0, n_batch = 0;

	for (u32 i = 0; at && i < n; i++) {
		at[i] = rows[i].address ? kt_relocate(rows[i].address) : 0;
		if (at[i] && !kt_arch_may_trace(at[i])) {
			at[i] = UNTRACED;
			continue;
		}
		n_kps += wants_ftrace(&rows[i]) && !at[i];
	}
	if (at && n_kps) {
		kps = kvcalloc(n_kps, sizeof(*kps), GFP_KERNEL);
		batch = kvcalloc(n_kps, sizeof(*batch), GFP_KERNEL);
	}
	for (u32 i = 0; kps && batch && i < n && kt_session_starts(); i++) {
		struct kprobe *kp = &kps[n_batch];

		if (!wants_ftrace(&rows[i]) || at[i])
			continue;
		*kp = (struct kprobe){ .symbol_name = rows[i].symbol, .flags = KPROBE_FLAG_DISABLED };
		if (register_kprobe(kp))
			continue;
		at[i] = kt_arch_function_start((unsigned long)kp->addr);
		batch[n_batch++] = kp;
		if (n_batch % 256 == 0)
			cond_resched();
	}
	for (u32 i = 0; at && i < n; i++)
		if (at[i] == UNTRACED || !wants_ftrace(&rows[i]))
			at[i] = 0;
	unregister_kprobes(batch, (int)n_batch);
	kvfree(batch);
	kvfree(kps);
	return at;
}

/* Arms the group's entries, at the addresses AT. TAKEN[i] becomes true for those rows that ftrace serves. */
static void group_arm(struct group *g, const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken)
{
	u32 n_ips = 0;

	for (u32 i = 0; i < n; i++) {
		struct entry *e = &g->entries[g->n];

		if (!at[i] || !kt_kprobe_is_entry(&rows[i]) || group_of(&rows[i]) != g)
			continue;
		e->address = at[i];
		e->probe = &kt_script.probes[rows[i].probe];
		e->on = true;
		g->n++;
		if (table_add(g, e))
			g->ips[n_ips++] = e->address;
	}
	g->ops.func = g->only ? entry_hit_one : entry_hit;
	/* A filter without any address would mean all functions. */
	if (!kt_ftrace_filter(&g->ops, &g->functions, g->ips, n_ips))
		return;
	if (entries_update(g))
		group_switch(g);
	else
		g->registered = !register_ftrace_function(&g->ops);
	if (!g->registered && collect_on(g))
		return;
	g->armed = true;
	for (u32 i = 0; i < n; i++)
		if (at[i] && kt_kprobe_is_entry(&rows[i]) && group_of(&rows[i]) == g)
			taken[i] = kt_functions_find(&g->functions, at[i])->entry;
}

void kt_ftrace_arm(const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++) {
		struct group *g = &groups[i];
		u32 room = 0;

		for (u32 k = 0; k < n; k++)
			room += kt_kprobe_is_entry(&rows[k]) && group_of(&rows[k]) == g;
		if (room && group_alloc(g, room))
			group_arm(g, rows, at, n, taken);
		if (!g->armed)
			group_free(g);
	}
}

void kt_ftrace_disarm(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++) {
		if (!groups[i].armed)
			continue;
		if (groups[i].registered)
			unregister_ftrace_function(&groups[i].ops); /* waits for running callbacks */
		groups[i].registered = false;
		groups[i].armed = false;
		group_free(&groups[i]);
	}
}
