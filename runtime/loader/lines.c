/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs line number programs (DWARF 2 to 5, section 6.2) and keeps, for each address where something changes, the line and
 * the name of its file as given to the compiler. A unit that makes no sense is dropped.
 */
#include "runtime/loader/lines.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/line-header.h"
#include "lib/rows.h"
#include "lib/vec.h"

enum { LINE_MAX = 1 << 28, NUMBER_MAX = 5 };

struct unit {
	struct lines *lines;
	struct line_header header;
	kt_u32 *stored;   /* of each file its number in the lines, + 1; 0: not yet */
	kt_u64 base;
	kt_u32 limit;
};

/* Whether the rows of this program can be computed: of 64 bits, one operation an instruction. */
static bool is_known(const struct line_header *h)
{
	return h->line_range && h->max_operations == 1 && (h->version < 5 || h->address_size == 8);
}

/* ---- names ---- */

static kt_u32 hash_name(const char *name)
{
	kt_u32 h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619;
	return h;
}

/* Doubles the table that finds files by name: at most half of it is full. */
static void grow_slots(struct lines *l)
{
	size_t n = l->n_slots ? 2 * l->n_slots : 1024;
	kt_u32 *slots = xmalloc(n * sizeof(*slots));

	memset(slots, 0, n * sizeof(*slots));
	for (size_t i = 0; i < l->n_files; i++) {
		size_t at = hash_name(l->names + l->files[i]) % n;

		while (slots[at])
			at = (at + 1) % n;
		slots[at] = (kt_u32)i + 1;
	}
	free(l->slots);
	l->slots = slots;
	l->n_slots = n;
}

/* Adds a file. Its name is the last LEN bytes of the names. */
static void add_name(struct lines *l, size_t len)
{
	*vec_add(l->files, l->n_files) = (kt_u32)l->n_names;
	l->n_names += len;
}

/* The number of a file, a new one's too; 0, a file without a name, where there are too many. Many units name one header. */
static kt_u32 store_name(struct lines *l, const char *folder, const char *name)
{
	const char *slash = *folder ? "/" : "";
	size_t n = strlen(folder) + strlen(slash) + strlen(name) + 1, at;
	char *text;

	if (n > KT_UNWIND_NAMES_MAX / 2 - l->n_names)
		return 0;
	if (l->n_names + n > l->room_names) {
		l->room_names = 2 * l->room_names + n + 1024;
		l->names = xrealloc(l->names, l->room_names);
	}
	if (2 * (l->n_files + 1) > l->n_slots)
		grow_slots(l);
	text = l->names + l->n_names;
	strcat(strcat(strcpy(text, folder), slash), name);
	for (at = hash_name(text) % l->n_slots; l->slots[at]; at = (at + 1) % l->n_slots)
		if (!strcmp(l->names + l->files[l->slots[at] - 1], text))
			return l->slots[at] - 1;
	l->slots[at] = (kt_u32)l->n_files + 1;
	add_name(l, n);
	return l->slots[at] - 1;
}

/* The number in the lines of file NUMBER of the unit. */
static kt_u32 file_name(struct unit *u, kt_u64 number)
{
	const struct line_names *folders = &u->header.directories;
	const struct line_name *f = number < u->header.files.n ? &u->header.files.v[number] : NULL;
	const char *name = f && f->name ? f->name : "", *folder = NULL;

	if (!f)
		return 0;
	if (name[0] != '/' && f->directory && f->directory < folders->n)
		folder = folders->v[f->directory].name;
	if (!u->stored[number])
		u->stored[number] = store_name(u->lines, folder ? folder : "", name) + 1;
	return u->stored[number] - 1;
}

/* ---- programs ---- */

/* The machine of a program. */
struct state {
	kt_u64 address, file, line;
	bool dead;   /* a sequence of code that the linker threw away */
	bool begun;  /* it has a row */
};

/* A row begins a sequence. */
static void add_sequence(struct lines *l)
{
	*vec_add(l->sequences, l->n_sequences) = (kt_u32)l->n;
}

static void add_row(struct unit *u, struct state *s, bool end)
{
	struct kt_unwind_line row = { .place = (kt_u32)(s->address - u->base) }, *last;
	struct lines *l = u->lines;

	if (s->dead || s->address < u->base || s->address - u->base > u->limit || l->n >= KT_UNWIND_LINES_MAX)
		return;
	if (!end && s->line <= LINE_MAX) {
		row.file = file_name(u, s->file);
		row.line = (kt_u32)s->line;
	}
	if (!s->begun)
		add_sequence(l);
	last = s->begun ? &l->rows[l->n - 1] : NULL;
	s->begun = true;
	if (last && last->line == row.line && last->file == row.file && last->place <= row.place)
		return;
	if (last && last->place == row.place) { /* of several rows at one place the last one counts */
		*last = row;
		return;
	}
	*vec_add(l->rows, l->n) = row;
}

static struct state first_state(void)
{
	return (struct state){ .file = 1, .line = 1 };
}

static void run_extended(struct unit *u, struct reader *r, struct state *s)
{
	struct reader e = read_part(r, read_uleb(r));

	switch (read_fixed(&e, 1)) {
	case 1: /* end of a sequence */
		add_row(u, s, true);
		*s = first_state();
		return;
	case 2:
		s->address = read_fixed(&e, e.end - e.at == 4 ? 4 : 8);
		s->dead = !s->address;
	}
}

static void run_standard(struct unit *u, struct reader *r, struct state *s, unsigned int op)
{
	switch (op) {
	case 1:
		add_row(u, s, false);
		return;
	case 2:
		s->address += read_uleb(r) * u->header.min_length;
		return;
	case 3:
		s->line += (kt_u64)read_sleb(r);
		return;
	case 4:
		s->file = read_uleb(r);
		return;
	case 8:
		s->address += (255 - u->header.opcode_base) / u->header.line_range * u->header.min_length;
		return;
	case 9:
		s->address += read_fixed(r, 2);
		return;
	}
	for (unsigned int i = 0; i < u->header.lengths[op]; i++)
		read_uleb(r);
}

static void run_unit(struct unit *u, struct reader *r)
{
	struct state s = first_state();

	while (r->at < r->end && !r->bad) {
		unsigned int op = (unsigned int)read_fixed(r, 1);

		if (op >= u->header.opcode_base) {
			op -= u->header.opcode_base;
			s.address += op / u->header.line_range * u->header.min_length;
			s.line += (kt_u64)(kt_s64)(u->header.line_base + (int)(op % u->header.line_range));
			add_row(u, &s, false);
		} else if (!op) {
			run_extended(u, r, &s);
		} else {
			run_standard(u, r, &s, op);
		}
	}
}

void lines_add(struct lines *l, struct span section, const struct span strings[2], kt_u64 base,
	       kt_u32 limit)
{
	struct reader r = { section.at, section.at + section.size, false };

	if (!l->names)
		store_name(l, "", "");
	while (r.at < r.end && !r.bad) {
		struct unit u = { .lines = l, .base = base, .limit = limit };
		struct reader program;

		if (line_header_read(&r, strings, &u.header, &program) && is_known(&u.header)) {
			u.stored = memset(xmalloc((u.header.files.n + 1) * sizeof(*u.stored)), 0, (u.header.files.n + 1) * sizeof(*u.stored));
			run_unit(&u, &program);
			free(u.stored);
		}
		line_header_deinit(&u.header);
	}
}

/* ---- order ---- */

/* Rows of one place, and before any other those that end a sequence there. */
struct ordered {
	struct kt_unwind_line row;
	kt_u32 index;
};

static int by_place(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->row.place != y->row.place)
		return x->row.place < y->row.place ? -1 : 1;
	if (!x->row.line != !y->row.line)
		return x->row.line ? 1 : -1;
	return x->index < y->index ? -1 : 1;
}

/* The first row of each sequence, in order. */
static struct ordered *order_sequences(const struct lines *l)
{
	struct ordered *o = xmalloc((l->n_sequences + 1) * sizeof(*o));

	for (size_t i = 0; i < l->n_sequences; i++)
		o[i] = (struct ordered){ l->rows[l->sequences[i]], (kt_u32)i };
	sort_rows(o, l->n_sequences, by_place);
	return o;
}

/* All rows, sequence after sequence: for most objects that is in order, and sorting millions takes seconds. */
static struct ordered *order_rows(const struct lines *l)
{
	struct ordered *o = xmalloc((l->n + 1) * sizeof(*o)), *sequences = order_sequences(l);
	bool sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < l->n_sequences; i++) {
		size_t number = sequences[i].index;
		size_t end = number + 1 < l->n_sequences ? l->sequences[number + 1] : l->n;

		for (size_t k = l->sequences[number]; k < end; k++, n++) {
			o[n] = (struct ordered){ l->rows[k], (kt_u32)k };
			sorted &= !n || by_place(&o[n - 1], &o[n]) < 0;
		}
	}
	if (!sorted)
		qsort(o, n, sizeof(*o), by_place);
	free(sequences);
	return o;
}

void lines_finish(struct lines *l)
{
	_cleanup_free_ struct ordered *o = order_rows(l);
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (i + 1 < l->n && o[i + 1].row.place == o[i].row.place)
			continue;
		if (n && l->rows[n - 1].line == o[i].row.line && l->rows[n - 1].file == o[i].row.file)
			continue;
		l->rows[n++] = o[i].row;
	}
	l->n = n;
	l->n_sequences = 0;
}

/* ---- packing ---- */

static void put_number(struct lines *l, kt_u32 value)
{
	for (; value >= 0x80; value >>= 7)
		l->bytes[l->n_bytes++] = (unsigned char)(value | 0x80);
	l->bytes[l->n_bytes++] = (unsigned char)value;
}

void lines_pack(struct lines *l)
{
	size_t room = 0;

	l->groups = xmalloc((kt_unwind_groups((kt_u32)l->n) + 1ul) * sizeof(*l->groups));
	for (size_t i = 0; i < l->n; i++) {
		const struct kt_unwind_line *row = &l->rows[i], *last = row - 1;
		kt_u32 far, zigzag;

		if (i % KT_UNWIND_GROUP == 0) {
			l->groups[i / KT_UNWIND_GROUP] = (struct kt_unwind_group){ *row, (kt_u32)l->n_bytes };
			continue;
		}
		if (l->n_bytes + 3 * NUMBER_MAX > room) {
			room = 2 * room + 4096;
			l->bytes = xrealloc(l->bytes, room);
		}
		far = row->line - last->line;
		zigzag = far << 1 ^ -(far >> 31);
		put_number(l, row->place - last->place);
		put_number(l, zigzag << 1 | (row->file != last->file));
		if (row->file != last->file)
			put_number(l, row->file);
	}
}

void lines_deinit(struct lines *l)
{
	free(l->rows);
	free(l->sequences);
	free(l->files);
	free(l->slots);
	free(l->names);
	free(l->groups);
	free(l->bytes);
	*l = (struct lines){ 0 };
}
