/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs line number programs (DWARF 2 to 5, section 6.2) and keeps, for each address where something changes, the line and
 * the name of its file as the compiler was told it. A unit that makes no sense is dropped.
 */
#include "runtime/loader/lines.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/loader/reader.h"
#include "translator/base/arena.h"
#include "translator/base/vec.h"

enum { FILES_MAX = 65536, FORMATS_MAX = 16, OPCODES_MAX = 255, LINE_MAX = 1 << 28, NUMBER_MAX = 5 };

/* A file or a folder of a unit. */
struct file {
	const char *name;
	kt_u64 folder;
	kt_u32 stored;    /* its number in the lines, + 1; 0: not yet */
};

struct files {
	struct file *file;
	kt_u32 n;
};

/* One unit's header. */
struct unit {
	struct lines *lines;
	const struct span *strings;
	kt_u64 base;
	kt_u32 limit;
	bool wide;        /* 64-bit DWARF */
	unsigned int version;
	unsigned int min_length, line_range, opcode_base;
	int line_base;
	unsigned char lengths[OPCODES_MAX + 1];
	struct files folders, files;
};

static void add_file(struct files *f, const char *name, kt_u64 folder)
{
	if (f->n == FILES_MAX)
		return;
	*vec_add(f->file, f->n) = (struct file){ .name = name, .folder = folder };
}

/* ---- headers ---- */

static bool read_old_tables(struct unit *u, struct reader *r)
{
	const char *name;

	add_file(&u->folders, "", 0); /* where the compiler ran: the table does not say */
	while (!r->bad && *(name = read_string(r)))
		add_file(&u->folders, name, 0);
	add_file(&u->files, "", 0);   /* files count from 1 */
	while (!r->bad && *(name = read_string(r))) {
		kt_u64 folder = read_uleb(r);

		read_uleb(r);
		read_uleb(r);
		add_file(&u->files, name, folder);
	}
	return !r->bad;
}

enum {
	CONTENT_PATH = 1, CONTENT_FOLDER = 2,
	FORM_DATA2 = 0x05, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_DATA1 = 0x0b, FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f,
};

static const char *string_at(const struct span *s, kt_u64 offset)
{
	struct reader r;

	if (!s->at || offset >= s->size)
		return "";
	r = (struct reader){ s->at + offset, s->at + s->size, false };
	return read_string(&r);
}

/* A value of FORM: *NAME or *NUMBER. */
static bool read_form(const struct unit *u, struct reader *r, kt_u64 form, const char **name, kt_u64 *number)
{
	switch (form) {
	case FORM_STRING:
		*name = read_string(r);
		break;
	case FORM_LINE_STRP:
		*name = string_at(&u->strings[0], read_fixed(r, u->wide ? 8 : 4));
		break;
	case FORM_STRP:
		*name = string_at(&u->strings[1], read_fixed(r, u->wide ? 8 : 4));
		break;
	case FORM_DATA1:
		*number = read_fixed(r, 1);
		break;
	case FORM_DATA2:
		*number = read_fixed(r, 2);
		break;
	case FORM_DATA4:
		*number = read_fixed(r, 4);
		break;
	case FORM_DATA8:
		*number = read_fixed(r, 8);
		break;
	case FORM_UDATA:
		*number = read_uleb(r);
		break;
	case FORM_DATA16:
		read_part(r, 16);
		break;
	case FORM_BLOCK:
		read_part(r, read_uleb(r));
		break;
	default:
		return false;
	}
	return !r->bad;
}

static bool read_new_table(struct unit *u, struct reader *r, struct files *ret)
{
	kt_u64 n_formats = read_fixed(r, 1), format[2 * FORMATS_MAX], n;

	if (n_formats > FORMATS_MAX)
		return false;
	for (kt_u64 i = 0; i < 2 * n_formats; i++)
		format[i] = read_uleb(r);
	n = read_uleb(r);
	if (n > (kt_u64)(r->end - r->at) || n > FILES_MAX)
		return false;
	for (kt_u64 i = 0; i < n; i++) {
		const char *name = "", *text = "";
		kt_u64 folder = 0, number = 0;

		for (kt_u64 k = 0; k < n_formats; k++) {
			if (!read_form(u, r, format[2 * k + 1], &text, &number))
				return false;
			if (format[2 * k] == CONTENT_PATH)
				name = text;
			else if (format[2 * k] == CONTENT_FOLDER)
				folder = number;
		}
		add_file(ret, name, folder);
	}
	return true;
}

/* Reads the header of the unit that R is, and leaves R at its program. */
static bool read_header(struct unit *u, struct reader *r)
{
	struct reader header;

	u->version = (unsigned int)read_fixed(r, 2);
	if (u->version < 2 || u->version > 5)
		return false;
	if (u->version == 5 && (read_fixed(r, 1) != 8 || read_fixed(r, 1)))
		return false;
	header = read_part(r, read_fixed(r, u->wide ? 8 : 4));
	u->min_length = (unsigned int)read_fixed(&header, 1);
	if (u->version >= 4 && read_fixed(&header, 1) != 1) /* several operations in an instruction */
		return false;
	read_fixed(&header, 1);
	u->line_base = (signed char)read_fixed(&header, 1);
	u->line_range = (unsigned int)read_fixed(&header, 1);
	u->opcode_base = (unsigned int)read_fixed(&header, 1);
	for (unsigned int i = 1; i < u->opcode_base; i++)
		u->lengths[i] = (unsigned char)read_fixed(&header, 1);
	if (header.bad || !u->line_range || !u->opcode_base)
		return false;
	if (u->version < 5)
		return read_old_tables(u, &header);
	return read_new_table(u, &header, &u->folders) && read_new_table(u, &header, &u->files);
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

/* Adds the file whose name is LEN bytes at the end of the names. */
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
	struct file *f = number < u->files.n ? &u->files.file[number] : NULL;
	const char *folder = "";

	if (!f)
		return 0;
	if (f->name[0] != '/' && f->folder && f->folder < u->folders.n)
		folder = u->folders.file[f->folder].name;
	if (!f->stored)
		f->stored = store_name(u->lines, folder, f->name) + 1;
	return f->stored - 1;
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
		s->address += read_uleb(r) * u->min_length;
		return;
	case 3:
		s->line += (kt_u64)read_sleb(r);
		return;
	case 4:
		s->file = read_uleb(r);
		return;
	case 8:
		s->address += (255 - u->opcode_base) / u->line_range * u->min_length;
		return;
	case 9:
		s->address += read_fixed(r, 2);
		return;
	}
	for (unsigned int i = 0; i < u->lengths[op]; i++)
		read_uleb(r);
}

static void run_unit(struct unit *u, struct reader *r)
{
	struct state s = first_state();

	while (r->at < r->end && !r->bad) {
		unsigned int op = (unsigned int)read_fixed(r, 1);

		if (op >= u->opcode_base) {
			op -= u->opcode_base;
			s.address += op / u->line_range * u->min_length;
			s.line += (kt_u64)(kt_s64)(u->line_base + (int)(op % u->line_range));
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
		struct unit u = { .lines = l, .strings = strings, .base = base, .limit = limit };
		kt_u64 length = read_fixed(&r, 4);
		struct reader part;

		u.wide = length == 0xffffffff;
		part = read_part(&r, u.wide ? read_fixed(&r, 8) : length);
		if (!part.bad && read_header(&u, &part))
			run_unit(&u, &part);
		free(u.folders.file);
		free(u.files.file);
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
	if (l->n_sequences)
		qsort(o, l->n_sequences, sizeof(*o), by_place);
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
	struct ordered *o = order_rows(l);
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
	free(o);
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
