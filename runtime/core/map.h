/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays of scripts: up to 9 keys of long or string, values long, string or aggregate.
 *
 * All memory is taken in kt_map_init(), before probes are armed: handlers never allocate. Elements are inline nodes
 * in one table; strings live at their real length in chains of 32-byte blocks, text_share bytes each on average.
 * Indices, not pointers, link everything; 0 is "none", so zeroed memory is an empty map. Elements stay in
 * the order in which they were created.
 *
 * Two flavours:
 *   - struct kt_map: one table. Whoever calls holds the array's lock (plan `locked`), or is alone (begin, end), or
 *     nobody writes (plan `read-only`). A foreach with a sort needs the write lock: it uses scratch space of the map.
 *   - struct kt_pmap (plan `counter`): one table per CPU, values long that are only added to, or aggregates. A hit
 *     touches only its own CPU's table: kt_pmap_ref(), add, kt_pmap_done(). A handler that reads the array holds
 *     its lock for writing and calls kt_pmap_sync() first, then works on pm.total as on any map, for reading and for
 *     writing. The next sync sees the values that hits add meanwhile; nothing is lost and no hit waits for the reader for
 *     longer than a few elements take to move.
 *
 * Generated C:
 *	static const struct kt_map_type t_hits = {
 *		.name = "hits", .n_keys = 2, .value = KT_VALUE_LONG, .entries = 2048, .string_keys = 1 << 0,
 *		.string_max = 512, .sort_slots = 1,
 *	};
 *	static struct kt_map m_hits;
 *	init:	if ((error = kt_map_init(&m_hits, &t_hits))) return error;
 *	use:	kt_s64 *v = kt_map_ref(c, &m_hits, (const union kt_key[]){ { .string = l->a }, { .number = 1 } });
 *		KT_CHECK(place);
 *		*v += 1;
 * A value pointer is good until the next call on the same map: evaluate operands first. Arrays of one long key have
 * inline variants, named _i, and those of one string key quicker ones, named _s, and _h where the string's hash is known.
 */
#ifndef KT_CORE_MAP_H
#define KT_CORE_MAP_H

#include "stat.h"

enum { KT_KEYS_MAX = 9 };

enum kt_value { KT_VALUE_LONG, KT_VALUE_STRING, KT_VALUE_STAT };

union kt_key {
	kt_s64 number;
	const char *string;
};

struct kt_map_type {
	const char *name;     /* in the script, for messages */
	kt_u32 n_keys;        /* 1 to KT_KEYS_MAX */
	kt_u32 string_keys;   /* bit i: key i is a string */
	kt_u32 value;         /* enum kt_value */
	kt_u32 entries;       /* most elements; 1 to KT_ENTRIES_MAX */
	kt_u32 wrap;          /* a full map drops its oldest element */
	kt_u32 string_max;    /* bytes of a string variable, with the NUL */
	kt_u32 text_share;    /* bytes for each string on average; 0: string_max */
	kt_u32 sort_slots;    /* sorted foreach loops that may be open at once (lexically nested, or in functions) */
	const struct kt_stat_type *stat; /* of KT_VALUE_STAT */
};

enum { KT_ENTRIES_MAX = 1 << 24 };

/* An element. The value follows the keys: a kt_s64, a string reference, or the words of an aggregate. */
struct kt_node {
	kt_u32 next;          /* in its hash chain; in the free list */
	kt_u32 hash;
	kt_u32 older, newer;  /* in order of creation */
	kt_s64 word[];        /* keys, value; a string is a struct kt_text in one word */
};

/* A stored string: its first block and its length without the NUL. Both 0: "". Lies in a word of a node. */
struct kt_text {
	kt_u32 block;
	kt_u32 len;
} __attribute__((may_alias));

/* An element while a loop sorts. */
struct kt_sort_item {
	kt_s64 key;           /* what it is sorted by, or what a string begins with; see sort.h */
	kt_u32 node;
	kt_u32 rank;          /* by creation: decides between equals */
};

struct kt_map {
	kt_u32 *heads;        /* hash table: node numbers */
	kt_s64 *nodes;        /* node n is at nodes + n, so numbers are counts of words; 0 is not a node */
	kt_u32 shift;         /* 64 - log2 of the number of heads */
	kt_u32 busy;          /* per-CPU tables: enum kt_busy, or 0 */
	kt_u32 value_at;      /* index of the value in kt_node.word */
	kt_u32 node_words;
	kt_u32 count;         /* elements */
	kt_u32 fresh;         /* first node number that was never used; past the last: none */
	kt_u32 free;          /* list of freed nodes */
	kt_u32 oldest, newest;
	struct kt_block *blocks;
	kt_u32 fresh_block, free_block, blocks_left; /* blocks: never used yet, freed, both together */
	struct kt_sort_item *sort; /* sort_slots times `entries` of them */
	struct kt_pages pages; /* of aggregates with percentiles */
	const struct kt_map_type *type;
	kt_u64 bytes;         /* of memory, this struct apart */
};

static inline kt_u32 kt_map_value_words(const struct kt_map_type *t)
{
	return t->value == KT_VALUE_STAT ? t->stat->words : 1;
}

static inline int kt_map_has_pages(const struct kt_map_type *t)
{
	return t->value == KT_VALUE_STAT && kt_stat_is_paged(t->stat);
}

/* ---- memory: the port supplies these two. Context: process, may sleep. ---- */
/* SIZE zeroed bytes near CPU (-1: anywhere), or NULL. */
void *kt_alloc(kt_u64 size, int cpu);
void kt_free(void *p);

/* ---- life ---- */
/* 0, -12 (ENOMEM) or -22 (EINVAL: more than KT_ENTRIES_MAX elements, or too large ones). Context: process; called from
 * kt_script.init(). */
int kt_map_init(struct kt_map *m, const struct kt_map_type *t);
/* Also after a failed or no init. */
void kt_map_free(struct kt_map *m);

/* ---- elements: context any; the lock as said above ---- */
static inline struct kt_node *kt_map_node(const struct kt_map *m, kt_u32 n)
{
	return (struct kt_node *)(m->nodes + n);
}

/* The value's words, NULL when there is no such element. */
kt_s64 *kt_map_find(const struct kt_map *m, const union kt_key *keys);
/* The same, created zero if need be. NULL and an error raised when the array is full. */
kt_s64 *kt_map_ref(struct kt_ctx *c, struct kt_map *m, const union kt_key *keys);
/* Long values: absent is 0. */
kt_s64 kt_map_get(const struct kt_map *m, const union kt_key *keys);
/* The same for arrays of one string key. */
kt_s64 *kt_map_find_s(const struct kt_map *m, const char *key);
kt_s64 *kt_map_ref_s(struct kt_ctx *c, struct kt_map *m, const char *key);
kt_s64 kt_map_get_s(const struct kt_map *m, const char *key);
/* The same where the string's hash is known. */
kt_s64 *kt_map_ref_h(struct kt_ctx *c, struct kt_map *m, struct kt_hashed key);
kt_s64 kt_map_get_h(const struct kt_map *m, struct kt_hashed key);
/* String values: absent is "". RET has SIZE bytes. */
void kt_map_get_string(const struct kt_map *m, const union kt_key *keys, char *ret, kt_u32 size);
void kt_map_set_string(struct kt_ctx *c, struct kt_map *m, const union kt_key *keys, const char *s);
/* `[x, *] in a`, `delete a[x, *]`: bit i of ANY: key i is a wildcard. ANY 0 is the plain `in` and delete. */
int kt_map_has(struct kt_ctx *c, const struct kt_map *m, const union kt_key *keys, kt_u32 any);
void kt_map_delete(struct kt_ctx *c, struct kt_map *m, const union kt_key *keys, kt_u32 any);
/* delete a */
void kt_map_clear(struct kt_ctx *c, struct kt_map *m);

/* ---- work on whole arrays: bounded, or done in pieces ----
 * A handler may visit so many elements as its context has left. An operation that raises an error has changed nothing, or as much as is
 * said. A handler in a task of ours (KT_CTX_OWN) has no such bound: it lets interrupts in after each piece. */
/* The elements of the context are used up. Returns 1 when there are more, after interrupts were let in; or 0, and raises an
 * error. Context: no table of a CPU is held. */
int kt_visit_more(struct kt_ctx *c);
/* N elements are about to be visited. Returns 0 if that raises an error. */
static inline int kt_visit(struct kt_ctx *c, kt_s64 n)
{
	c->visits -= n;
	if (kt_likely(c->visits >= 0) || kt_visit_more(c))
		return 1;
	c->visits += n; /* less work is still possible */
	return 0;
}
/* N elements were visited for which kt_visit() was called before. Never fails. */
static inline void kt_pause(struct kt_ctx *c, kt_u32 n)
{
	if (kt_unlikely(c->flags & KT_CTX_OWN))
		kt_visit(c, n);
}

/* ---- arrays of one long key ---- */
static inline kt_u64 kt_hash_long(kt_s64 key)
{
	return (kt_u64)key * 0x9e3779b97f4a7c15ull;
}

/* Whoever makes keys, as a probed program does with its arguments, could choose many that hash alike: each hit would walk through them
 * with interrupts off. So all hashing begins with a number that nobody knows. Set before the first array is used. */
extern kt_u64 kt_hash_seed;

/* Keys are hashed by words, from kt_hash_seed on; of a string the last one is what is left after whole words, zeros after it. */
static inline kt_u64 kt_hash_on(kt_u64 h, kt_u64 word)
{
	return kt_hash_long((h << 29 | h >> 35) ^ word);
}

static inline __attribute__((always_inline)) kt_s64 *kt_map_find_i(const struct kt_map *m, kt_s64 key)
{
	kt_u32 n = m->heads[kt_hash_on(kt_hash_seed, (kt_u64)key) >> m->shift];

	while (n) {
		struct kt_node *node = kt_map_node(m, n);

		if (kt_likely(node->word[0] == key))
			return &node->word[1];
		n = node->next;
	}
	return (kt_s64 *)0;
}

static inline kt_s64 kt_map_get_i(const struct kt_map *m, kt_s64 key)
{
	const kt_s64 *v = kt_map_find_i(m, key);

	return v ? *v : 0;
}

static inline __attribute__((always_inline)) kt_s64 *kt_map_ref_i(struct kt_ctx *c, struct kt_map *m, kt_s64 key)
{
	kt_s64 *v = kt_map_find_i(m, key);

	return kt_likely(v) ? v : kt_map_ref(c, m, (const union kt_key[]){ { .number = key } });
}

/* ---- plan `counter`: a table per CPU ---- */
struct kt_pmap {
	struct kt_map total;  /* what was moved out of the CPUs' tables: the array as readers see it */
	kt_u32 offset;        /* of the CPU's own struct kt_map (sizeof(struct kt_map) bytes) in the per-CPU globals */
};

/* Needs the per-CPU globals: kt_cpu_area(). Values KT_VALUE_LONG or KT_VALUE_STAT, no wrap. */
int kt_pmap_init(struct kt_pmap *pm, const struct kt_map_type *t, kt_u32 offset);
void kt_pmap_free(struct kt_pmap *pm);

static inline struct kt_map *kt_pmap_mine(struct kt_ctx *c, kt_u32 offset)
{
	return (struct kt_map *)((char *)c->cpu + offset);
}
/* Who has taken a table: a hit on the table's CPU, or a sync on any CPU. */
enum kt_busy { KT_BUSY_HIT = 1, KT_BUSY_SYNC };
/* Takes the table M if nobody has it. Returns whether it did. */
static inline __attribute__((always_inline)) int kt_pmap_try(struct kt_map *m, enum kt_busy as)
{
	kt_u32 nobody = 0;

	return __atomic_compare_exchange_n(&m->busy, &nobody, (kt_u32)as, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Takes the CPU's table for a hit when a reader is moving elements out of it: waits for those few, a bounded time. False: sets
 * KT_CTX_SKIP, as for a lock: at once where another hit has the table, which this NMI interrupted, and after that time where the
 * mover's virtual CPU is off its core. */
int kt_pmap_wait(struct kt_ctx *c, struct kt_map *m);
/* Elements of this CPU's table into which a hit adds. NULL: an error is raised or the context is KT_CTX_SKIP, and
 * nothing is held; else kt_pmap_done() must follow, with nothing but arithmetic between. OFFSET is that of the
 * kt_pmap, a constant in generated C. */
kt_s64 *kt_pmap_ref(struct kt_ctx *c, kt_u32 offset, const union kt_key *keys);
/* The same with one string. */
kt_s64 *kt_pmap_ref_s(struct kt_ctx *c, kt_u32 offset, const char *key);
kt_s64 *kt_pmap_ref_h(struct kt_ctx *c, kt_u32 offset, struct kt_hashed key);
/* The same with one long: handlers need no array on their stack, and no check of it. */
kt_s64 *kt_pmap_ref_long(struct kt_ctx *c, kt_u32 offset, kt_s64 key);

static inline void kt_pmap_done(struct kt_ctx *c, kt_u32 offset)
{
	__atomic_store_n(&kt_pmap_mine(c, offset)->busy, 0, __ATOMIC_RELEASE);
}

static inline __attribute__((always_inline)) kt_s64 *kt_pmap_ref_i(struct kt_ctx *c, kt_u32 offset, kt_s64 key)
{
	struct kt_map *m = kt_pmap_mine(c, offset);
	kt_s64 *v;

	if (kt_unlikely(!kt_pmap_try(m, KT_BUSY_HIT)) && !kt_pmap_wait(c, m))
		return (kt_s64 *)0;
	v = kt_map_find_i(m, key);
	if (kt_likely(v))
		return v;
	__atomic_store_n(&m->busy, 0, __ATOMIC_RELEASE);
	return kt_pmap_ref_long(c, offset, key);
}

/* Moves every CPU's elements into pm->total. Called by handlers that read the array, its lock held for writing.
 * Raises an error when total is full; what did not fit stays where it is. */
void kt_pmap_sync(struct kt_ctx *c, struct kt_pmap *pm);

/* ---- foreach ---- */
enum {
	KT_SORT_NONE = -2,  /* in order of creation */
	KT_SORT_VALUE = -1, /* long or string value; of an aggregate: by kt_loop.op */
	/* 0 to 8: by that key */
};

/* The parameters and the position of a loop. Lives on the stack of the generated function:
 *	struct kt_loop loop = { .map = &m, .sort = KT_SORT_VALUE, .down = 1, .limit = 10, .slot = 0 };
 *	for (kt_loop_start(c, &loop); kt_loop_next(c, &loop);) {
 *		l->k = kt_loop_long(&loop, 0);
 *		kt_loop_string(&loop, 1, l->s, SIZE);
 *		l->v = *kt_loop_value(&loop, N_KEYS);
 *		...
 *	}
 *	KT_CHECK(place);
 * A loop that neither sorts nor slices is written with kt_loop_start_plain() and kt_loop_next_plain(), to which no pointer to
 * the struct escapes, so that it lives in registers.
 * It needs no end, so break, return and errors just leave it. Elements must not be created or deleted meanwhile.
 * Equal elements keep the order of creation, in both directions. */
struct kt_loop {
	struct kt_map *map;
	kt_s32 sort;          /* KT_SORT_... or a key's index */
	kt_u32 down;          /* descending */
	kt_u32 op;            /* enum kt_stat_op: sort key of aggregates */
	kt_s64 op_param;      /* N of @p */
	kt_s64 limit;         /* most iterations; KT_NO_LIMIT. Below 1: none */
	kt_u32 slot;          /* sorted: scratch space, less than sort_slots; nested loops take different ones */
	const union kt_key *slice; /* `in a[x, *]`: the keys, or NULL */
	kt_u32 any;           /* bit i: key i of the slice is a wildcard */
	/* The loop's own: */
	struct kt_node *node; /* the current element */
	kt_s64 *nodes;        /* the map's, which cannot change meanwhile */
	kt_u32 next, left, at;
	kt_u32 turns;         /* that are paid for: see kt_loop_turns() */
	const struct kt_sort_item *order;
};
#define KT_NO_LIMIT 0x7fffffffffffffffll

enum { KT_TURN_VISITS = 4 }; /* cost of one iteration, in visits */

/* Pays for the next iterations of a loop, of which LEFT are left. Returns how many: at least 1, at most LEFT. In a task of
 * ours that lets interrupts in. */
kt_u32 kt_loop_turns(struct kt_ctx *c, kt_u32 left);

/* Loops of all kinds. */
void kt_loop_start(struct kt_ctx *c, struct kt_loop *loop);
/* Goes to the first or next element. Returns 0 at the end of the loop, or after raising an error. */
int kt_loop_next(struct kt_ctx *c, struct kt_loop *loop);

/* Takes one iteration of those left. Returns 0 when none is. */
static inline __attribute__((always_inline)) int kt_loop_turn(struct kt_ctx *c, struct kt_loop *loop)
{
	if (kt_unlikely(!loop->turns)) {
		if (!loop->left)
			return 0;
		loop->turns = kt_loop_turns(c, loop->left);
		loop->left -= loop->turns;
	}
	loop->turns--;
	return 1;
}

static inline __attribute__((always_inline)) kt_u32 kt_loop_most(const struct kt_loop *loop)
{
	kt_u32 count = loop->map->count;

	return loop->limit < 1 ? 0 : loop->limit < count ? (kt_u32)loop->limit : count;
}

static inline __attribute__((always_inline)) void kt_loop_start_plain(struct kt_loop *loop)
{
	loop->nodes = loop->map->nodes;
	loop->next = loop->map->oldest;
	loop->left = kt_loop_most(loop);
	loop->turns = 0;
}

/* The number of elements bounds the walk even if the links were to change, which the translator refuses. */
static inline __attribute__((always_inline)) int kt_loop_next_plain(struct kt_ctx *c, struct kt_loop *loop)
{
	if (!kt_loop_turn(c, loop))
		return 0;
	loop->node = (struct kt_node *)(loop->nodes + loop->next);
	loop->next = loop->node->newer;
	return 1;
}

/* The same for a sorted loop, which kt_loop_start() has started. */
static inline __attribute__((always_inline)) int kt_loop_next_sorted(struct kt_ctx *c, struct kt_loop *loop)
{
	if (!kt_loop_turn(c, loop))
		return 0;
	loop->node = (struct kt_node *)(loop->nodes + loop->order[loop->at++].node);
	return 1;
}

static inline kt_s64 kt_loop_long(const struct kt_loop *loop, kt_u32 key)
{
	return loop->node->word[key];
}
/* Copies the string that is word I of NODE, an element of the map. */
void kt_map_copy_string(const struct kt_map *m, const struct kt_node *node, kt_u32 i, char *ret, kt_u32 size);
/* A key, or the value, which is after the keys. */
static inline void kt_loop_string(const struct kt_loop *loop, kt_u32 word, char *ret, kt_u32 size)
{
	kt_map_copy_string(loop->map, loop->node, word, ret, size);
}
/* The value's words: the long itself, or the aggregate. */
static inline kt_s64 *kt_loop_value(const struct kt_loop *loop, kt_u32 n_keys)
{
	return &loop->node->word[n_keys];
}

#endif
