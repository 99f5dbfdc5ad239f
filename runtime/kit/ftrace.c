/* Function entries by ftrace: cheaper a hit than a kprobe, and armed in one step however many they are.
 *
 * Two ftrace_ops: one for handlers that get by with the registers ftrace saves anyway (parameters, stack), one for those
 * that want all. What ftrace cannot trace is left to kprobe.c. The callback gets an address and looks up what to run in
 * a table that is never written while armed.
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
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

/* Where the callback looks: open addressing, keys are both addresses that ftrace may report for a function. */
struct slot {
	unsigned long ip;            /* 0: empty */
	const struct kt_probe *only; /* the function's probe, when it has one probe alone */
	const struct entry *entry;   /* NULL: ftrace refused the function */
};

struct group {
	struct ftrace_ops ops;
	const struct kt_probe *only; /* of all functions, when there is one alone */
	struct slot *slots;
	u32 shift;                   /* 64 - log2 of the number of slots */
	struct entry *entries;
	u32 n;
	unsigned long *ips;          /* filter: one per function */
	bool armed;                  /* there is something to disarm */
	bool registered;             /* not while all conditions are false */
};

static __always_inline u32 slot_of(const struct group *g, unsigned long ip)
{
	return (u32)(ip * GOLDEN_RATIO_64 >> g->shift);
}

static __always_inline u32 n_slots(const struct group *g)
{
	return 1u << (64 - g->shift);
}

/* The slot of IP, or the empty one where it belongs. */
static noinline struct slot *notrace find_slot(const struct group *g, unsigned long ip)
{
	u32 i = slot_of(g, ip);

	while (g->slots[i].ip && g->slots[i].ip != ip)
		i = (i + 1) & (n_slots(g) - 1);
	return &g->slots[i];
}
NOKPROBE_SYMBOL(find_slot);

/* All probes of a function, where there are several or its slot is not where it belongs. */
static noinline void notrace entry_hit_many(const struct group *g, unsigned long ip, const struct pt_regs *regs)
{
	for (const struct entry *e = find_slot(g, ip)->entry; e; e = e->next)
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
	const struct slot *s = &g->slots[slot_of(g, ip)];
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
	struct slot *s = find_slot(g, e->address), *behind = find_slot(g, e->address + KT_ARCH_FTRACE_OFFSET);

	g->only = g->n == 1 ? e->probe : NULL;
	if (s->ip) {
		struct entry *last = (struct entry *)s->entry;

		while (last->next)
			last = last->next;
		last->next = e;
		s->only = behind->only = NULL;
		return false;
	}
	*s = (struct slot){ e->address, e->probe, e };
	behind = find_slot(g, e->address + KT_ARCH_FTRACE_OFFSET);
	*behind = (struct slot){ e->address + KT_ARCH_FTRACE_OFFSET, e->probe, e };
	return true;
}

static void group_free(struct group *g)
{
	ftrace_free_filter(&g->ops);
	kvfree(g->entries);
	kvfree(g->ips);
	kvfree(g->slots);
	g->entries = NULL;
	g->ips = NULL;
	g->slots = NULL;
	g->only = NULL;
	g->n = 0;
}

static bool group_alloc(struct group *g, u32 room)
{
	g->shift = 64 - ilog2(roundup_pow_of_two(4 * room));
	g->entries = kvcalloc(room, sizeof(*g->entries), GFP_KERNEL);
	g->ips = kvcalloc(room, sizeof(*g->ips), GFP_KERNEL);
	g->slots = kvcalloc(n_slots(g), sizeof(*g->slots), GFP_KERNEL);
	return g->entries && g->ips && g->slots;
}

/* ---- the filter ---- */
/* Adds N addresses to the filter; how many it took. The refused ones are forgotten in the table. One call where ftrace takes
 * all, else by halves. */
static u32 filter_add(struct group *g, unsigned long *ips, u32 n)
{
	if (!n)
		return 0;
	if (!ftrace_set_filter_ips(&g->ops, ips, n, 0, 0))
		return n;
	if (n == 1) {
		for (u32 i = 0; i < 2; i++) {
			struct slot *s = find_slot(g, *ips + i * KT_ARCH_FTRACE_OFFSET);

			s->entry = NULL;
			s->only = NULL;
		}
		return 0;
	}
	return filter_add(g, ips, n / 2) + filter_add(g, ips + n / 2, n - n / 2);
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

	for (u32 i = 0; i < n_slots(g); i++) {
		const struct entry *e = g->slots[i].entry;

		if (!e || g->slots[i].ip != e->address) /* the other key of the function */
			continue;
		while (e && !e->on)
			e = e->next;
		if (e)
			g->ips[n++] = g->slots[i].ip;
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

/* Run-time addresses of the rows' functions; 0: the kernel does not let us have it. Symbols are looked up by registering
 * kprobes that are never armed, which is what modules have for that. NULL: no memory. */
static unsigned long *find_addresses(const struct kt_kprobe_row *rows, u32 n)
{
	unsigned long *at = kvcalloc(n, sizeof(*at), GFP_KERNEL);
	struct kprobe *kps = NULL, **batch = NULL;
	u32 n_kps = 0, n_batch = 0;

	for (u32 i = 0; at && i < n; i++) {
		at[i] = rows[i].address ? kt_relocate(rows[i].address) : 0;
		if (at[i] && !kt_arch_may_trace(at[i])) {
			at[i] = UNTRACED;
			continue;
		}
		n_kps += kt_kprobe_is_entry(&rows[i]) && !at[i];
	}
	if (at && n_kps) {
		kps = kvcalloc(n_kps, sizeof(*kps), GFP_KERNEL);
		batch = kvcalloc(n_kps, sizeof(*batch), GFP_KERNEL);
	}
	for (u32 i = 0; kps && batch && i < n && kt_session_starts(); i++) {
		struct kprobe *kp = &kps[n_batch];

		if (!kt_kprobe_is_entry(&rows[i]) || at[i])
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
		if (at[i] == UNTRACED)
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
	if (!filter_add(g, g->ips, n_ips))
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
			taken[i] = find_slot(g, at[i])->entry;
}

void kt_ftrace_arm(const struct kt_kprobe_row *rows, u32 n, bool *taken)
{
	unsigned long *at = KT_HAS_FTRACE ? find_addresses(rows, n) : NULL;

	for (u32 i = 0; at && i < ARRAY_SIZE(groups); i++) {
		struct group *g = &groups[i];
		u32 room = 0;

		for (u32 k = 0; k < n; k++)
			room += kt_kprobe_is_entry(&rows[k]) && group_of(&rows[k]) == g;
		if (room && group_alloc(g, room))
			group_arm(g, rows, at, n, taken);
		if (!g->armed)
			group_free(g);
	}
	kvfree(at);
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
