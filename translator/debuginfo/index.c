/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The function index: built in memory as one block of bytes, which is the file; read through the mapped block.
 *
 * Layout: header, n_names + 1 names (sorted; the last closes the ranges), functions (in order of name), places (in
 * order of function and address), strings. Numbers are the machine's own: the file never travels.
 */
#include "translator/debuginfo/index.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/debuginfo/reader.h"
#include "translator/debuginfo/store.h"

enum { INDEX_VERSION = 8, ID_MAX = 72 };

struct header {
	char magic[8];
	uint32_t version;
	uint32_t n_names, n_functions, n_places, strings_size, pad;
	char id[ID_MAX];
};

/* Rows of the file. 32 bits are enough for offsets into its strings and for counts. */
struct name_row {
	uint32_t name;  /* in strings */
	uint32_t first; /* function */
};

struct function_row {
	uint64_t die;
	uint32_t file;  /* in strings */
	uint32_t line;
	uint32_t first, n;
};

struct place_row {
	uint64_t address;
	uint64_t die_flags; /* die * 4 + part * 2 + inlined */
};

struct index {
	const struct header *h;
	const struct name_row *names;
	const struct function_row *functions;
	const struct place_row *places;
	const char *strings;
	void *block;
	size_t size;
	bool mapped;
};

static const char magic[8] = "ktap-ix";

/* Finds the parts of BLOCK; false: it is not an index of this version and size. */
static bool index_parts(struct index *ix)
{
	const struct header *h = ix->block;
	size_t want = sizeof(*h);
	const char *p = ix->block;

	if (ix->size < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) || h->version != INDEX_VERSION)
		return false;
	want += ((size_t)h->n_names + 1) * sizeof(struct name_row) +
		(size_t)h->n_functions * sizeof(struct function_row) +
		(size_t)h->n_places * sizeof(struct place_row) + h->strings_size;
	if (want != ix->size || !h->strings_size || p[ix->size - 1])
		return false;
	ix->h = h;
	ix->places = (const void *)(p + sizeof(*h));
	ix->functions = (const void *)(ix->places + h->n_places);
	ix->names = (const void *)(ix->functions + h->n_functions);
	ix->strings = (const void *)(ix->names + h->n_names + 1);
	return true;
}

static char *index_name(const char *id)
{
	return xasprintf("functions-%s.index", id);
}

struct index *index_open(const char *id)
{
	_cleanup_free_ char *name = id ? index_name(id) : NULL;
	struct index ix = { .mapped = true }, *ret;

	if (name)
		ix.block = store_map(name, &ix.size);
	if (!ix.block)
		return NULL;
	if (!index_parts(&ix) || strncmp(ix.h->id, id, ID_MAX)) {
		store_unmap(ix.block, ix.size);
		return NULL;
	}
	ret = xmalloc(sizeof(*ret));
	*ret = ix;
	return ret;
}

void index_close(struct index *ix)
{
	if (!ix)
		return;
	if (ix->mapped)
		store_unmap(ix->block, ix->size);
	else
		free(ix->block);
	free(ix);
}

/* ---- building ---- */
struct new_function {
	const char *name, *file; /* both interned */
	uint64_t die;
	unsigned line;
};

struct new_place {
	uint64_t origin; /* first: sorted by it */
	struct index_place p;
};

struct index_builder {
	struct new_function *functions;
	struct new_place *places;
	size_t n_functions, n_places;
};

struct index_builder *index_builder_create(void)
{
	struct index_builder *b = xmalloc(sizeof(*b));

	*b = (struct index_builder){};
	return b;
}

void index_add_function(struct index_builder *b, const char *name, const char *file, unsigned line,
			uint64_t die)
{
	/* Interned: short names are among the DIEs, where to sort them would touch all of these again. */
	*vec_add(b->functions, b->n_functions) = (struct new_function){ intern(name), file, die, line };
}

void index_add_place(struct index_builder *b, uint64_t origin, struct index_place p)
{
	*vec_add(b->places, b->n_places) = (struct new_place){ origin, p };
}

static int compare_functions(const void *va, const void *vb)
{
	const struct new_function *a = va, *b = vb;
	int c = a->name == b->name ? 0 : strcmp(a->name, b->name);

	return c ? c : order_of(a->die, b->die);
}

static int compare_places(const void *va, const void *vb)
{
	const struct new_place *a = va, *b = vb;
	int c = order_of(a->origin, b->origin);

	if (!c)
		c = order_of(a->p.address, b->p.address);
	return c ? c : order_of(a->p.die, b->p.die);
}

/* Offset of S among the strings. Consecutive functions often share a file, all copies of a name share it. */
static uint32_t add_string(struct text *t, const char *s)
{
	uint32_t at = (uint32_t)t->len;

	text_append(t, s, strlen(s) + 1);
	return at;
}

/* Files are interned: equal names are equal pointers, so one pointer table finds the offset. */
struct file_table {
	struct {
		const char *file;
		uint32_t at;
	} *slots;
	size_t size; /* power of two, at most half full: files are fewer than functions */
};

/* Offset of FILE among the strings, added at its first use; 0 for none. */
static uint32_t file_string(struct file_table *ft, struct text *t, const char *file)
{
	size_t i = ((uintptr_t)file >> 3) * 0x9e3779b97f4a7c15u >> 20 & (ft->size - 1);

	if (!file)
		return 0;
	while (ft->slots[i].file && ft->slots[i].file != file)
		i = (i + 1) & (ft->size - 1);
	if (!ft->slots[i].file) {
		ft->slots[i].file = file;
		ft->slots[i].at = add_string(t, file);
	}
	return ft->slots[i].at;
}

/* A cache that cannot be written costs a second in the next run, no more. */
static void save(const struct index *ix, const char *id)
{
	_cleanup_free_ char *name = id ? index_name(id) : NULL;

	if (name)
		store_write(name, ix->block, ix->size);
}

/* Writes all rows and their strings; the arrays of IX have space for them. */
static void put_functions(struct index_builder *b, struct index *ix, struct header *h, struct text *strings)
{
	struct name_row *names = (struct name_row *)ix->names;
	struct function_row *functions = (struct function_row *)ix->functions;
	struct place_row *places = (struct place_row *)ix->places;
	struct file_table ft = { .size = 4096 };

	while (ft.size < 2 * b->n_functions)
		ft.size *= 2;
	ft.slots = memset(xmalloc(ft.size * sizeof(*ft.slots)), 0, ft.size * sizeof(*ft.slots));
	for (size_t i = 0; i < b->n_functions; i++) {
		const struct new_function *f = &b->functions[i];
		struct function_row *row = &functions[i];

		if (!i || f->name != f[-1].name)
			names[h->n_names++] = (struct name_row){ add_string(strings, f->name), (uint32_t)i };
		*row = (struct function_row){ f->die, file_string(&ft, strings, f->file), f->line, h->n_places, 0 };
		for (size_t k = rows_before(&f->die, b->places, b->n_places, sizeof(*b->places), by_number);
		     k < b->n_places && b->places[k].origin == f->die; k++) {
			const struct index_place *p = &b->places[k].p;

			places[h->n_places++] = (struct place_row){ p->address, p->die * 4 + p->part * 2 + p->inlined };
		}
		row->n = h->n_places - row->first;
	}
	free(ft.slots);
}

static int compare_dies(const void *a, const void *b)
{
	const struct new_function *x = a, *y = b;

	return x->die < y->die ? -1 : x->die > y->die;
}

/* Functions are added in order of their DIEs, each once, unless damaged unit headers made the reader visit a DIE
 * again: its places would then be counted twice. */
static void drop_repeated(struct index_builder *b)
{
	size_t i = 1, kept = 1;

	while (i < b->n_functions && b->functions[i - 1].die < b->functions[i].die)
		i++;
	if (i >= b->n_functions)
		return;
	qsort(b->functions, b->n_functions, sizeof(*b->functions), compare_dies);
	for (i = 1; i < b->n_functions; i++)
		if (b->functions[i].die != b->functions[kept - 1].die)
			b->functions[kept++] = b->functions[i];
	b->n_functions = kept;
}

/* Places whose function was not found (its name is missing) drop out here. */
static size_t drop_orphans(struct index_builder *b)
{
	size_t kept = 0;
	_cleanup_free_ uint64_t *dies = xmalloc((b->n_functions + 1) * sizeof(*dies));

	for (size_t i = 0; i < b->n_functions; i++)
		dies[i] = b->functions[i].die;
	for (size_t i = 0, d = 0; i < b->n_places; i++) {
		while (d < b->n_functions && dies[d] < b->places[i].origin)
			d++;
		if (d < b->n_functions && dies[d] == b->places[i].origin)
			b->places[kept++] = b->places[i];
	}
	return kept;
}

struct index *index_finish(struct index_builder *b, const char *id)
{
	struct index *ix = xmalloc(sizeof(*ix));
	_cleanup_text_ struct text strings = {};
	struct header *h;
	size_t fixed, n_names = 0;

	*ix = (struct index){};
	sort_rows(b->places, b->n_places, compare_places);
	drop_repeated(b);
	b->n_places = drop_orphans(b);
	sort_rows(b->functions, b->n_functions, compare_functions);
	for (size_t i = 0; i < b->n_functions; i++)
		n_names += !i || b->functions[i].name != b->functions[i - 1].name;
	fixed = sizeof(*h) + (n_names + 1) * sizeof(struct name_row) +
		b->n_functions * sizeof(struct function_row) + b->n_places * sizeof(struct place_row);
	h = memset(xmalloc(fixed), 0, fixed);
	ix->places = (void *)((char *)h + sizeof(*h));
	ix->functions = (void *)(ix->places + b->n_places);
	ix->names = (void *)(ix->functions + b->n_functions);
	text_append(&strings, "", 1);
	put_functions(b, ix, h, &strings);
	((struct name_row *)ix->names)[n_names] = (struct name_row){ 0, (uint32_t)b->n_functions };
	memcpy(h->magic, magic, sizeof(magic));
	h->version = INDEX_VERSION;
	h->n_functions = (uint32_t)b->n_functions;
	h->strings_size = (uint32_t)strings.len;
	snprintf(h->id, sizeof(h->id), "%s", id ? id : "");
	ix->size = fixed + strings.len;
	ix->block = xrealloc(h, ix->size);
	memcpy((char *)ix->block + fixed, strings.buf, strings.len);
	free(b->functions);
	free(b->places);
	free(b);
	if (!index_parts(ix))
		bug("the index just built is malformed");
	save(ix, id);
	return ix;
}

/* ---- reading ---- */
static const char *index_string(const struct index *ix, uint32_t at)
{
	return at < ix->h->strings_size ? ix->strings + at : "";
}

static const char *name_of(const struct index *ix, size_t i)
{
	return index_string(ix, ix->names[i].name);
}

/* Number of the first name that is not before NAME. */
static size_t lower_name(const struct index *ix, const char *name)
{
	size_t lo = 0, n = ix->h->n_names;

	while (n) {
		size_t half = n / 2;

		if (strcmp(name_of(ix, lo + half), name) < 0) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

/* All functions of name I. */
static void emit_name(const struct index *ix, size_t i,
		      void (*fn)(const struct index_function *f, void *data), void *data)
{
	for (uint32_t k = ix->names[i].first; k < ix->names[i + 1].first && k < ix->h->n_functions; k++) {
		const struct function_row *row = &ix->functions[k];
		struct index_function f = {
			.name = name_of(ix, i), .line = row->line, .die = row->die,
			.file = row->file ? index_string(ix, row->file) : NULL,
			.first = row->first, .n = row->n,
		};

		fn(&f, data);
	}
}

void index_find(const struct index *ix, const char *func,
		void (*fn)(const struct index_function *f, void *data), void *data)
{
	/* The part before the first glob character bounds the range of names. */
	size_t prefix = strcspn(func, "*?[\\");
	_cleanup_free_ char *start = xasprintf("%.*s", (int)prefix, func);

	for (size_t i = lower_name(ix, start); i < ix->h->n_names; i++) {
		const char *name = name_of(ix, i);

		if (strncmp(name, start, prefix))
			break;
		if (!func[prefix]) {
			if (!name[prefix])
				emit_name(ix, i, fn, data);
			break;
		}
		if (!fnmatch(func, name, 0))
			emit_name(ix, i, fn, data);
	}
}

void index_names(const struct index *ix, void (*fn)(const char *name, void *data), void *data)
{
	for (size_t i = 0; i < ix->h->n_names; i++)
		fn(name_of(ix, i), data);
}

bool index_place_get(const struct index *ix, unsigned i, struct index_place *ret)
{
	const struct place_row *row = &ix->places[i];

	if (i >= ix->h->n_places)
		return false;
	*ret = (struct index_place){ row->address, row->die_flags / 4, row->die_flags & 1, row->die_flags & 2 };
	return true;
}
