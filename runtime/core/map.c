/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays: storage, lookup, insertion, deletion, and the tables per CPU. map.h says how they are used and locked.
 *
 * Every link is a number, so nothing here follows a pointer that a bug could have spoiled out of the map's memory.
 * Cost: a lookup hashes its keys and walks one chain, at load 1 or less; inserting and deleting are O(1) besides; a
 * slice is linear in the elements. Context: any, except for init and free.
 */
#include "core.h"
#include "map-memory.h"
#include "text.h"

enum {
	ENOMEM_ = 12,
	EINVAL_ = 22,
	MOVE_AT_ONCE = 16, /* elements moved before a CPU's table is released for a moment */
	HEADS_PER_VISIT = 64, /* of the hash table, zeroed in the time that an element takes */
	HEADS_AT_ONCE = 1 << 14,
	SYNC_NS = 20000000, /* that a sync waits for a hit that holds a table: its virtual CPU may be off its core */
};

/* ---- life ---- */

static void *take(struct kt_map *m, kt_u64 size, int cpu)
{
	m->bytes += size;
	return kt_alloc(size, cpu);
}

static int map_init(struct kt_map *m, const struct kt_map_type *t, int cpu, kt_u32 sort_slots)
{
	struct kt_map_layout l;

	*m = (struct kt_map){ .type = t, .value_at = t->n_keys, .fresh = KT_FIRST_NODE, .fresh_block = 1 };
	if (!kt_map_layout(&l, t))
		return -EINVAL_;
	m->node_words = l.node_words;
	m->shift = 64 - l.log2;
	m->blocks_left = l.blocks;
	m->heads = take(m, kt_map_head_bytes(&l), cpu);
	m->nodes = take(m, kt_map_node_bytes(&l), cpu);
	if (l.blocks)
		m->blocks = take(m, kt_map_block_bytes(&l), cpu);
	if (l.pages)
		m->pages.words = take(m, kt_map_page_bytes(&l), cpu);
	m->pages.n = l.pages;
	m->pages.fresh = 1;
	if (sort_slots)
		m->sort = take(m, kt_map_sort_bytes(t, sort_slots), cpu);
	if (m->heads && m->nodes && !m->blocks == !l.blocks && !m->pages.words == !l.pages &&
	    !m->sort == !sort_slots)
		return 0;
	kt_map_free(m);
	return -ENOMEM_;
}

int kt_map_init(struct kt_map *m, const struct kt_map_type *t)
{
	return map_init(m, t, -1, t->sort_slots);
}

void kt_map_free(struct kt_map *m)
{
	kt_free(m->heads);
	kt_free(m->nodes);
	kt_free(m->blocks);
	kt_free(m->pages.words);
	kt_free(m->sort);
	m->heads = NULL;
	m->nodes = NULL;
	m->blocks = NULL;
	m->pages.words = NULL;
	m->sort = NULL;
}

/* ---- keys ---- */
kt_u64 kt_hash_seed;

static int is_string_key(const struct kt_map *m, kt_u32 i)
{
	return m->type->string_keys >> i & 1;
}

/* Keys as a lookup needs them. */
struct probe_keys {
	const union kt_key *keys;
	kt_u64 hash;
	kt_u32 len[KT_KEYS_MAX]; /* of strings */
};

/* Handlers have their strings there. */
KT_INLINE int begins_on_word(const char *s)
{
	return !((__UINTPTR_TYPE__)s & 7);
}

/* Returns H hashed on with the LEN bytes at S. */
KT_INLINE kt_u64 hash_bytes(kt_u64 h, const char *s, kt_u32 len)
{
	for (const char *end = s + (len & ~7u); s < end; s += 8)
		h = kt_hash_on(h, kt_load_word(s));
	return kt_hash_on(h, kt_load_part(s, len & 7));
}

/* Returns H hashed on with the string S, and its length: in one pass where S begins on a word. */
KT_INLINE kt_u64 hash_string(kt_u64 h, const char *s, kt_u32 *len)
{
	const char *at = s;
	kt_u64 w, zero;

	if (!begins_on_word(s)) {
		*len = kt_strlen(s);
		return hash_bytes(h, s, *len);
	}
	for (; !(zero = kt_zero_bytes(w = kt_load_word(at))); at += 8)
		h = kt_hash_on(h, w);
	*len = at - s + __builtin_ctzll(zero) / 8;
	return kt_hash_on(h, w & kt_before_zero(zero));
}

static KT_READS_WORDS kt_u64 hash_text(kt_u64 h, const char *s, kt_u32 *len)
{
	return hash_string(h, s, len);
}

KT_READS_WORDS struct kt_hashed kt_hashed(const char *s)
{
	kt_u32 len;
	kt_u64 hash = hash_string(kt_hash_seed, s, &len);

	return (struct kt_hashed){ s, len, hash >> 32 };
}

struct kt_hashed kt_hashed_bytes(const char *s, kt_u32 len)
{
	return (struct kt_hashed){ s, len, hash_bytes(kt_hash_seed, s, len) >> 32 };
}

/* The inline lookups hash one long key likewise. Inline, as is what a hit does next:
 * calls would be a third of its cost. */
static inline __attribute__((always_inline)) void hash_keys(struct probe_keys *p, const struct kt_map *m,
							    const union kt_key *keys)
{
	kt_u32 strings = m->type->string_keys, n = m->type->n_keys;
	kt_u64 h = kt_hash_seed;

	p->keys = keys;
	for (kt_u32 i = 0; i < n; i++, strings >>= 1)
		h = strings & 1 ? hash_text(h, keys[i].string, &p->len[i]) : kt_hash_on(h, keys[i].number);
	p->hash = h;
}

static inline __attribute__((always_inline)) int same_keys(const struct kt_map *m, const struct kt_node *node,
							   const struct probe_keys *p)
{
	kt_u32 strings = m->type->string_keys, n = m->type->n_keys;

	for (kt_u32 i = 0; i < n; i++, strings >>= 1) {
		if (strings & 1) {
			const struct kt_text *text = kt_node_text(node, i);

			if (text->len != p->len[i] || !kt_text_has(m, text->block, p->keys[i].string, text->len))
				return 0;
		} else if (node->word[i] != p->keys[i].number) {
			return 0;
		}
	}
	return 1;
}

/* Whether a slice takes the node in. */
static int node_matches(const struct kt_map *m, const struct kt_node *node, const union kt_key *keys, kt_u32 any)
{
	for (kt_u32 i = 0; i < m->type->n_keys; i++) {
		if (any >> i & 1)
			continue;
		if (is_string_key(m, i) ? !kt_text_equals(m, kt_node_text(node, i), keys[i].string)
					: node->word[i] != keys[i].number)
			return 0;
	}
	return 1;
}

static inline __attribute__((always_inline)) kt_u32 find(const struct kt_map *m, const struct probe_keys *p)
{
	kt_u32 n = m->heads[p->hash >> m->shift];

	while (n) {
		const struct kt_node *node = kt_map_node(m, n);

		if (node->hash == (kt_u32)(p->hash >> 32) && same_keys(m, node, p))
			break;
		n = node->next;
	}
	return n;
}

/* ---- elements ---- */

#define map_full(c, ...) (kt_errorf(c, __VA_ARGS__), (void)((c)->loss = KT_LOSS_FULL))

static kt_u32 *head_of(const struct kt_map *m, const struct kt_node *node)
{
	return &m->heads[node->hash >> (m->shift - 32)];
}

static void free_texts(struct kt_map *m, struct kt_node *node, kt_u32 n_keys)
{
	for (kt_u32 i = 0; i < n_keys; i++) {
		if (is_string_key(m, i))
			kt_text_free(m, kt_node_text(node, i));
	}
}

static void put_back(struct kt_map *m, kt_u32 n)
{
	kt_map_node(m, n)->next = m->free;
	m->free = n;
}

static void remove_node(struct kt_map *m, kt_u32 n)
{
	struct kt_node *node = kt_map_node(m, n);
	kt_u32 *link = head_of(m, node);

	while (*link && *link != n)
		link = &kt_map_node(m, *link)->next;
	*link = node->next;
	if (node->older)
		kt_map_node(m, node->older)->newer = node->newer;
	else
		m->oldest = node->newer;
	if (node->newer)
		kt_map_node(m, node->newer)->older = node->older;
	else
		m->newest = node->older;
	free_texts(m, node, m->type->n_keys);
	if (m->type->value == KT_VALUE_STRING)
		kt_text_free(m, kt_node_text(node, m->value_at));
	if (kt_map_has_pages(m->type))
		kt_stat_free_pages(&node->word[m->value_at], m->type->stat);
	put_back(m, n);
	m->count--;
}

/* A node that belongs to nobody. There is one: the caller has compared the counts. */
static kt_u32 take_node(struct kt_map *m)
{
	kt_u32 n = m->free;

	if (n) {
		m->free = kt_map_node(m, n)->next;
	} else {
		n = m->fresh;
		m->fresh += m->node_words;
	}
	return n;
}

/* Makes sure of BLOCKS free blocks by dropping old elements, if the array wraps. KEEP is not dropped. */
static int text_room(struct kt_ctx *c, struct kt_map *m, kt_u32 blocks, kt_u32 keep)
{
	while (m->blocks_left < blocks) {
		if (!m->type->wrap || !m->oldest || m->oldest == keep) {
			map_full(c, "Array overflow: '%s' has no room for more text at %d elements; "
				     "raise -DMAPSTRINGLEN, the average length of its strings",
				  m->type->name, (kt_s64)m->count);
			return 0;
		}
		remove_node(m, m->oldest);
	}
	return 1;
}

/* Copies the keys into a node that is not linked yet. False: an error is raised, and nothing is held. */
static int store_keys(struct kt_ctx *c, struct kt_map *m, struct kt_node *node, const struct probe_keys *p)
{
	for (kt_u32 i = 0; i < m->type->n_keys; i++) {
		if (!is_string_key(m, i)) {
			node->word[i] = p->keys[i].number;
			continue;
		}
		if (!text_room(c, m, kt_text_blocks(p->len[i]), 0)) {
			free_texts(m, node, i);
			return 0;
		}
		kt_text_store(m, kt_node_text(node, i), p->keys[i].string, p->len[i]);
	}
	return 1;
}

/* A node that is not linked yet; 0 and an error raised when the array is full. */
static kt_u32 new_node(struct kt_ctx *c, struct kt_map *m)
{
	if (m->count >= m->type->entries) {
		if (!m->type->wrap) {
			map_full(c, "Array overflow: '%s' is full with %d elements; declare it larger, "
				     "as in %s[N], or raise -DMAXMAPENTRIES",
				  m->type->name, (kt_s64)m->count, m->type->name);
			return 0;
		}
		remove_node(m, m->oldest);
	}
	return take_node(m);
}

/* Makes a node with its keys an element, with the value zero. */
static void link_node(struct kt_map *m, kt_u32 n, kt_u32 hash)
{
	struct kt_node *node = kt_map_node(m, n);
	kt_u32 *head;

	memset(&node->word[m->value_at], 0, kt_map_value_words(m->type) * sizeof(kt_s64));
	if (kt_map_has_pages(m->type))
		kt_stat_open_pages(&node->word[m->value_at], m->type->stat, &m->pages);
	node->hash = hash;
	head = head_of(m, node);
	node->next = *head;
	*head = n;
	node->older = m->newest;
	node->newer = 0;
	if (m->newest)
		kt_map_node(m, m->newest)->newer = n;
	else
		m->oldest = n;
	m->newest = n;
	m->count++;
}

static kt_u32 insert(struct kt_ctx *c, struct kt_map *m, const struct probe_keys *p)
{
	kt_u32 n = new_node(c, m);

	if (!n)
		return 0;
	if (!store_keys(c, m, kt_map_node(m, n), p)) {
		put_back(m, n);
		return 0;
	}
	link_node(m, n, p->hash >> 32);
	return n;
}

kt_s64 *kt_map_find(const struct kt_map *m, const union kt_key *keys)
{
	struct probe_keys p;
	kt_u32 n;

	hash_keys(&p, m, keys);
	n = find(m, &p);
	return n ? &kt_map_node(m, n)->word[m->value_at] : NULL;
}

kt_s64 *kt_map_ref(struct kt_ctx *c, struct kt_map *m, const union kt_key *keys)
{
	struct probe_keys p;
	kt_u32 n;

	hash_keys(&p, m, keys);
	n = find(m, &p);
	if (kt_unlikely(!n))
		n = insert(c, m, &p);
	return n ? &kt_map_node(m, n)->word[m->value_at] : NULL;
}

/* The element whose one key is KEY. */
KT_INLINE kt_s64 *find_hashed(const struct kt_map *m, struct kt_hashed key)
{
	for (kt_u32 n = m->heads[key.hash >> (m->shift - 32)]; n;) {
		struct kt_node *node = kt_map_node(m, n);
		const struct kt_text *text = kt_node_text(node, 0);

		if (node->hash == key.hash && text->len == key.len && kt_text_has(m, text->block, key.at, key.len))
			return &node->word[1];
		n = node->next;
	}
	return NULL;
}

static __attribute__((__noinline__)) kt_s64 *find_long(const struct kt_map *m, const char *key)
{
	return find_hashed(m, kt_hashed(key));
}

/* The element whose one key is KEY. A short text is compared as two words with what its block holds, zeros after the text. */
KT_INLINE kt_s64 *find_string(const struct kt_map *m, const char *key)
{
	kt_u64 first, second = 0, zero, hash;

	if (kt_unlikely(!begins_on_word(key)))
		return find_long(m, key);
	first = kt_load_word(key);
	zero = kt_zero_bytes(first);
	if (zero) {
		first &= kt_before_zero(zero);
		hash = kt_hash_on(kt_hash_seed, first);
	} else {
		second = kt_load_word(key + 8);
		zero = kt_zero_bytes(second);
		if (!zero)
			return find_long(m, key);
		second &= kt_before_zero(zero);
		hash = kt_hash_on(kt_hash_on(kt_hash_seed, first), second);
	}
	for (kt_u32 n = m->heads[hash >> m->shift]; n;) {
		struct kt_node *node = kt_map_node(m, n);
		const char *text = m->blocks[kt_node_text(node, 0)->block].text;

		if (node->hash == (kt_u32)(hash >> 32) && kt_load_word(text) == first && kt_load_word(text + 8) == second)
			return &node->word[1];
		n = node->next;
	}
	return NULL;
}

KT_READS_WORDS kt_s64 *kt_map_find_s(const struct kt_map *m, const char *key)
{
	return find_string(m, key);
}

/* Not inline: keys on the stack make a function check its stack. */
static __attribute__((__noinline__)) kt_s64 *add_string(struct kt_ctx *c, struct kt_map *m, const char *key)
{
	return kt_map_ref(c, m, (const union kt_key[]){ { .string = key } });
}

KT_READS_WORDS kt_s64 *kt_map_ref_s(struct kt_ctx *c, struct kt_map *m, const char *key)
{
	kt_s64 *v = find_string(m, key);

	return kt_likely(v) ? v : add_string(c, m, key);
}

kt_s64 kt_map_get_s(const struct kt_map *m, const char *key)
{
	const kt_s64 *v = kt_map_find_s(m, key);

	return v ? *v : 0;
}

static __attribute__((__noinline__)) kt_s64 *add_hashed(struct kt_ctx *c, struct kt_map *m, struct kt_hashed key)
{
	const union kt_key keys[] = { { .string = key.at } };
	kt_u32 n = insert(c, m, &(struct probe_keys){ .keys = keys, .hash = (kt_u64)key.hash << 32, .len = { key.len } });

	return n ? &kt_map_node(m, n)->word[1] : NULL;
}

kt_s64 *kt_map_ref_h(struct kt_ctx *c, struct kt_map *m, struct kt_hashed key)
{
	kt_s64 *v = find_hashed(m, key);

	return kt_likely(v) ? v : add_hashed(c, m, key);
}

kt_s64 kt_map_get_h(const struct kt_map *m, struct kt_hashed key)
{
	const kt_s64 *v = find_hashed(m, key);

	return v ? *v : 0;
}

kt_s64 kt_map_get(const struct kt_map *m, const union kt_key *keys)
{
	const kt_s64 *v = kt_map_find(m, keys);

	return v ? *v : 0;
}

void kt_map_get_string(const struct kt_map *m, const union kt_key *keys, char *ret, kt_u32 size)
{
	const kt_s64 *v = kt_map_find(m, keys);

	if (v)
		kt_text_copy(m, (const struct kt_text *)v, ret, size);
	else
		ret[0] = 0;
}

void kt_map_set_string(struct kt_ctx *c, struct kt_map *m, const union kt_key *keys, const char *s)
{
	struct probe_keys p;
	kt_u32 had, n, len = kt_strlen(s), has;
	struct kt_text *text;

	hash_keys(&p, m, keys);
	had = find(m, &p);
	n = had ? had : insert(c, m, &p);
	if (!n)
		return;
	text = kt_node_text(kt_map_node(m, n), m->value_at);
	/* The old value counts as space, and stays when the new one does not fit all the same. */
	has = kt_text_blocks(text->len);
	if (kt_text_blocks(len) > has && !text_room(c, m, kt_text_blocks(len) - has, n)) {
		if (!had)
			remove_node(m, n);
		return;
	}
	kt_text_free(m, text);
	kt_text_store(m, text, s, len);
}

/* ---- whole arrays ---- */

/* Where nothing bounds it. */
__attribute__((weak)) int kt_visit_more(struct kt_ctx *c)
{
	c->visits = ~0ull >> 1;
	return 1;
}

int kt_map_has(struct kt_ctx *c, const struct kt_map *m, const union kt_key *keys, kt_u32 any)
{
	if (!any)
		return kt_map_find(m, keys) != NULL;
	for (kt_u32 n = m->oldest; n && kt_visit(c, 1); n = kt_map_node(m, n)->newer) {
		if (node_matches(m, kt_map_node(m, n), keys, any))
			return 1;
	}
	return 0;
}

void kt_map_delete(struct kt_ctx *c, struct kt_map *m, const union kt_key *keys, kt_u32 any)
{
	struct probe_keys p;
	kt_u32 n, next;

	if (!any) {
		hash_keys(&p, m, keys);
		n = find(m, &p);
		if (n)
			remove_node(m, n);
		return;
	}
	if (!kt_visit(c, m->count))
		return;
	for (n = m->oldest; n; n = next) {
		next = kt_map_node(m, n)->newer;
		if (node_matches(m, kt_map_node(m, n), keys, any))
			remove_node(m, n);
		kt_pause(c, 1);
	}
}

/* Zeroes the hash table, in pieces. */
static void clear_heads(struct kt_ctx *c, struct kt_map *m, kt_u64 heads)
{
	for (kt_u64 at = 0, n; at < heads; at += n) {
		n = heads - at < HEADS_AT_ONCE ? heads - at : HEADS_AT_ONCE;
		memset(m->heads + at, 0, n * sizeof(*m->heads));
		kt_pause(c, HEADS_AT_ONCE / HEADS_PER_VISIT);
	}
}

void kt_map_clear(struct kt_ctx *c, struct kt_map *m)
{
	kt_u64 heads = (kt_u64)1 << (64 - m->shift);
	int sparse = m->count < heads / 16;
	struct kt_map_layout layout;

	if (!kt_visit(c, sparse ? m->count : heads / HEADS_PER_VISIT))
		return;
	/* A few elements in a large table: forget them one by one. */
	if (sparse) {
		while (m->oldest) {
			remove_node(m, m->oldest);
			kt_pause(c, 1);
		}
		return;
	}
	clear_heads(c, m, heads);
	kt_map_layout(&layout, m->type);
	if (m->blocks)
		m->blocks_left = layout.blocks;
	m->fresh = KT_FIRST_NODE;
	m->fresh_block = m->pages.fresh = 1;
	m->pages.free = 0;
	m->pages.lost = 0;
	m->free = m->free_block = m->oldest = m->newest = m->count = 0;
}

/* ---- tables per CPU ---- */

int kt_pmap_init(struct kt_pmap *pm, const struct kt_map_type *t, kt_u32 offset)
{
	int error = kt_map_init(&pm->total, t);

	pm->offset = offset;
	for (kt_u32 cpu = 0; !error && cpu < kt_n_cpus(); cpu++) {
		char *area = kt_cpu_area(cpu);

		if (area)
			error = map_init((struct kt_map *)(area + offset), t, cpu, 0);
	}
	if (error)
		kt_pmap_free(pm);
	return error;
}

void kt_pmap_free(struct kt_pmap *pm)
{
	kt_map_free(&pm->total);
	for (kt_u32 cpu = 0; cpu < kt_n_cpus(); cpu++) {
		char *area = kt_cpu_area(cpu);

		if (area)
			kt_map_free((struct kt_map *)(area + pm->offset));
	}
}

/* Waits for the table's owner, but not for ever: it may be what we have interrupted. A hit that meets another hit did interrupt it, for
 * hits take tables of their own CPU only, with interrupts off. */
static int take_table(struct kt_ctx *c, struct kt_map *m, enum kt_busy as)
{
	struct kt_wait w = { .most = as == KT_BUSY_SYNC ? SYNC_NS : 0 };
	kt_u32 busy;
	int taken;

	do {
		busy = __atomic_load_n(&m->busy, __ATOMIC_RELAXED);
		taken = !busy && kt_pmap_try(m, as);
	} while (!taken && !(busy == KT_BUSY_HIT && as == KT_BUSY_HIT) && kt_wait_more(c, &w));
	kt_wait_end(c, &w);
	return taken;
}

int kt_pmap_wait(struct kt_ctx *c, struct kt_map *m)
{
	if (take_table(c, m, KT_BUSY_HIT))
		return 1;
	c->flags |= KT_CTX_SKIP;
	kt_error(c, "a table was busy"); /* the way out of a handler looks at this word only; the flag makes it no error */
	return 0;
}

/* Takes this CPU's table; NULL: it is busy. */
KT_INLINE struct kt_map *pmap_take(struct kt_ctx *c, kt_u32 offset)
{
	struct kt_map *m = kt_pmap_mine(c, offset);

	return kt_pmap_try(m, KT_BUSY_HIT) || kt_pmap_wait(c, m) ? m : NULL;
}

/* Returns V, an element of the table that was taken; without one the table is given back. */
KT_INLINE kt_s64 *pmap_keep(struct kt_ctx *c, kt_u32 offset, kt_s64 *v)
{
	if (!v)
		kt_pmap_done(c, offset);
	return v;
}

kt_s64 *kt_pmap_ref(struct kt_ctx *c, kt_u32 offset, const union kt_key *keys)
{
	struct kt_map *m = pmap_take(c, offset);

	return m ? pmap_keep(c, offset, kt_map_ref(c, m, keys)) : NULL;
}

KT_READS_WORDS kt_s64 *kt_pmap_ref_s(struct kt_ctx *c, kt_u32 offset, const char *key)
{
	struct kt_map *m = pmap_take(c, offset);
	kt_s64 *v;

	if (kt_unlikely(!m))
		return NULL;
	v = find_string(m, key);
	return kt_likely(v) ? v : pmap_keep(c, offset, add_string(c, m, key));
}

kt_s64 *kt_pmap_ref_h(struct kt_ctx *c, kt_u32 offset, struct kt_hashed key)
{
	struct kt_map *m = pmap_take(c, offset);
	kt_s64 *v;

	if (kt_unlikely(!m))
		return NULL;
	v = find_hashed(m, key);
	return kt_likely(v) ? v : pmap_keep(c, offset, add_hashed(c, m, key));
}

kt_s64 *kt_pmap_ref_long(struct kt_ctx *c, kt_u32 offset, kt_s64 key)
{
	return kt_pmap_ref(c, offset, (const union kt_key[]){ { .number = key } });
}

/* The node of TOTAL with the keys of NODE, which is in the table M; 0: none. */
static kt_u32 find_same(const struct kt_map *total, const struct kt_map *m, const struct kt_node *node)
{
	kt_u32 n = *head_of(total, node);

	for (; n; n = kt_map_node(total, n)->next) {
		const struct kt_node *other = kt_map_node(total, n);
		kt_u32 i = 0;

		for (; i < m->type->n_keys && other->hash == node->hash; i++) {
			if (is_string_key(m, i) ? kt_text_compare(total, kt_node_text(other, i), m, kt_node_text(node, i))
						: other->word[i] != node->word[i])
				break;
		}
		if (i == m->type->n_keys)
			break;
	}
	return n;
}

/* A new element of TOTAL with the keys of NODE. 0: an error is raised. */
static kt_u32 insert_same(struct kt_ctx *c, struct kt_map *total, const struct kt_map *m, const struct kt_node *node)
{
	kt_u32 n = new_node(c, total);
	struct kt_node *to = kt_map_node(total, n);

	for (kt_u32 i = 0; n && i < m->type->n_keys; i++) {
		if (!is_string_key(m, i)) {
			to->word[i] = node->word[i];
		} else if (text_room(c, total, kt_text_blocks(kt_node_text(node, i)->len), 0)) {
			kt_text_clone(total, kt_node_text(to, i), m, kt_node_text(node, i));
		} else {
			free_texts(total, to, i);
			put_back(total, n);
			return 0;
		}
	}
	if (n)
		link_node(total, n, node->hash);
	return n;
}

/* Moves the oldest element of a CPU's table, which is held, into TOTAL. */
static int move_oldest(struct kt_ctx *c, struct kt_map *total, struct kt_map *m)
{
	struct kt_node *node = kt_map_node(m, m->oldest), *to;
	kt_u32 n = find_same(total, m, node);

	if (!n)
		n = insert_same(c, total, m, node);
	if (!n)
		return 0;
	to = kt_map_node(total, n);
	if (m->type->value == KT_VALUE_STAT)
		kt_stat_merge(&to->word[m->value_at], &node->word[m->value_at], m->type->stat);
	else
		to->word[m->value_at] += node->word[m->value_at];
	remove_node(m, m->oldest);
	return 1;
}

void kt_pmap_sync(struct kt_ctx *c, struct kt_pmap *pm)
{
	for (kt_u32 cpu = 0; cpu < kt_n_cpus(); cpu++) {
		char *area = kt_cpu_area(cpu);
		struct kt_map *m;
		int more = 1;

		if (!area)
			continue;
		m = (struct kt_map *)(area + pm->offset);
		while (more && !c->error && __atomic_load_n(&m->count, __ATOMIC_RELAXED) && take_table(c, m, KT_BUSY_SYNC)) {
			for (kt_u32 i = 0; more && i < MOVE_AT_ONCE && m->oldest; i++)
				more = move_oldest(c, &pm->total, m);
			__atomic_store_n(&m->busy, 0, __ATOMIC_RELEASE);
			more = more && kt_visit(c, MOVE_AT_ONCE);
		}
	}
}
