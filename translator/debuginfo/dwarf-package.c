/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DWARF packages: PROGRAM.dwp beside PROGRAM, all .dwo files of it in one.
 *
 * The hash table .debug_cu_index has for each unit's id the part of each section that is the unit's. libdw before 0.191 knows no
 * packages, and Debian 12 has 0.188: of each unit that the program has a skeleton of, a .dwo file is made in memory, and while libdw
 * looks for the file that the skeleton names, the skeleton names that. Strings are shared by the units of a package: each gets those
 * that its own table of offsets has.
 *
 * A package may be hostile: its numbers are compared with the sections they are about, and all that is copied is bounded.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/debuginfo/dwarf-reader.h"

/* Sections of a .dwo file that are read here; the last one is not in the index. */
enum part { INFO, ABBREV, LINE, LOC, RNGLISTS, STR_OFFSETS, STR, N_PARTS };

enum { COLUMNS_MAX = 16, COPIES_MAX = 64, NAME_MAX_SIZE = 32 };

struct package_row {
	uint64_t id;
	uint32_t row;
};

struct dwarf_package {
	struct elf_file *e;
	unsigned version;              /* of the index: 2 before DWARF 5 */
	struct bytes parts[N_PARTS];
	unsigned columns[COLUMNS_MAX]; /* which part each is, N_PARTS: none of them */
	uint32_t n_columns, n_units;
	const unsigned char *offsets, *sizes;
	struct package_row *rows;      /* by id */
	size_t n_rows;
	uint64_t left;                 /* bytes that may still be copied */
	int fd;                        /* always the same number, so its name is */
};

/* By version of the index; NULL: it has none. */
static const char *const part_names[2][N_PARTS] = {
	{ ".debug_info.dwo", ".debug_abbrev.dwo", ".debug_line.dwo", ".debug_loc.dwo", NULL, ".debug_str_offsets.dwo",
	  ".debug_str.dwo" },
	{ ".debug_info.dwo", ".debug_abbrev.dwo", ".debug_line.dwo", ".debug_loclists.dwo", ".debug_rnglists.dwo",
	  ".debug_str_offsets.dwo", ".debug_str.dwo" },
};

static const char *part_name(const struct dwarf_package *g, enum part part)
{
	return part_names[g->version == 5][part];
}

static uint32_t get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* ---- the index ---- */
/* Numbers of sections in the index. */
static enum part part_of(const struct dwarf_package *g, uint32_t number)
{
	switch (number) {
	case 1: return INFO;
	case 3: return ABBREV;
	case 4: return LINE;
	case 5: return LOC;
	case 6: return STR_OFFSETS;
	case 8: return g->version == 5 ? RNGLISTS : N_PARTS;
	default: return N_PARTS; /* type units and macros */
	}
}

static int by_id(const void *a, const void *b)
{
	const struct package_row *ra = a, *rb = b;

	return (ra->id > rb->id) - (ra->id < rb->id);
}

static bool read_index(struct dwarf_package *g, struct bytes b)
{
	enum { HEADER = 16 };
	const unsigned char *ids = b.p + HEADER, *numbers, *columns;
	uint64_t n_slots, need;

	if (b.size < HEADER)
		return false;
	/* DWARF 5 has 16 bits of version and as many that are zero. */
	g->version = get32(b.p);
	g->n_columns = get32(b.p + 4);
	g->n_units = get32(b.p + 8);
	n_slots = get32(b.p + 12);
	if ((g->version != 2 && g->version != 5) || !g->n_columns || g->n_columns > COLUMNS_MAX)
		return false;
	need = HEADER + 12 * n_slots + 4 * (uint64_t)g->n_columns + 8 * (uint64_t)g->n_columns * g->n_units;
	if (need > b.size)
		return false;
	numbers = ids + 8 * n_slots;
	columns = numbers + 4 * n_slots;
	for (uint32_t i = 0; i < g->n_columns; i++)
		g->columns[i] = part_of(g, get32(columns + (size_t)4 * i));
	g->offsets = columns + (size_t)4 * g->n_columns;
	g->sizes = g->offsets + (size_t)4 * g->n_columns * g->n_units;
	/* The table is hashed for those who look for one unit: we look for all. */
	g->rows = xmalloc((n_slots + 1) * sizeof(*g->rows));
	for (uint64_t i = 0; i < n_slots; i++) {
		struct package_row r = { .row = get32(numbers + 4 * i) };

		memcpy(&r.id, ids + 8 * i, sizeof(r.id));
		if (r.row && r.row <= g->n_units)
			g->rows[g->n_rows++] = r;
	}
	qsort(g->rows, g->n_rows, sizeof(*g->rows), by_id);
	return g->n_rows;
}

/* The parts of unit ID, empty where it has none. False: it is not there, or damaged. */
static bool find_parts(const struct dwarf_package *g, uint64_t id, struct bytes *ret)
{
	struct package_row key = { .id = id };
	const struct package_row *r = bsearch(&key, g->rows, g->n_rows, sizeof(key), by_id);

	if (!r)
		return false;
	for (uint32_t i = 0; i < g->n_columns; i++) {
		size_t cell = 4 * ((size_t)(r->row - 1) * g->n_columns + i);
		uint32_t offset = get32(g->offsets + cell), size = get32(g->sizes + cell);
		enum part part = g->columns[i];

		if (part == N_PARTS || !size)
			continue;
		if (offset > g->parts[part].size || size > g->parts[part].size - offset)
			return false;
		ret[part] = (struct bytes){ g->parts[part].p + offset, size };
	}
	return ret[INFO].size && ret[ABBREV].size;
}

/* ---- a unit's file ---- */
/* Puts into STRINGS the texts that the table of offsets at PART has, and into TABLE the table that has their new places.
 * False: the table is damaged, or of the 64-bit format. */
static bool take_strings(struct dwarf_package *g, struct bytes part, struct text *table, struct text *strings)
{
	const struct bytes *all = &g->parts[STR];
	size_t header = g->version == 5 ? 8 : 0;

	if (part.size < header || (header && get32(part.p) == UINT32_MAX))
		return false;
	text_append(table, (const char *)part.p, header);
	for (size_t at = header; part.size - at >= 4; at += 4) {
		uint32_t from = get32(part.p + at), to = (uint32_t)strings->len;
		const void *end = from < all->size ? memchr(all->p + from, 0, all->size - from) : NULL;
		size_t size = end ? (size_t)((const unsigned char *)end - (all->p + from)) : 0;

		if (size >= g->left)
			return false;
		g->left -= size + 1;
		text_append(strings, (const char *)all->p + from, size);
		text_append(strings, "", 1);
		text_append(table, (const char *)&to, sizeof(to));
	}
	return true;
}

/* An ELF file of SECTIONS in RET, and nothing else. */
static void make_file(const struct dwarf_package *g, const struct bytes *sections, struct text *ret)
{
	struct text names = { 0 };
	Elf64_Shdr headers[N_PARTS + 2] = { 0 };
	GElf_Ehdr package;
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL, .e_version = EV_CURRENT, .e_ehsize = sizeof(eh),
		.e_shentsize = sizeof(*headers),
	};
	size_t n = 1;

	if (gelf_getehdr(g->e->elf, &package))
		eh.e_machine = package.e_machine;
	text_append(ret, (const char *)&eh, sizeof(eh));
	text_append(&names, "", 1);
	for (enum part i = 0; i < N_PARTS; i++) {
		const char *name = part_name(g, i);

		if (!name || !sections[i].size)
			continue;
		headers[n++] = (Elf64_Shdr){
			.sh_name = (Elf64_Word)names.len, .sh_type = SHT_PROGBITS, .sh_offset = ret->len,
			.sh_size = sections[i].size, .sh_addralign = 1,
		};
		text_append(&names, name, strlen(name) + 1);
		text_append(ret, (const char *)sections[i].p, sections[i].size);
	}
	headers[n++] = (Elf64_Shdr){
		.sh_name = (Elf64_Word)names.len, .sh_type = SHT_STRTAB, .sh_offset = ret->len, .sh_addralign = 1,
	};
	text_append(&names, ".shstrtab", sizeof(".shstrtab"));
	headers[n - 1].sh_size = names.len;
	text_append(ret, names.buf, names.len);
	while (ret->len % sizeof(uint64_t))
		text_append(ret, "", 1);
	eh.e_shoff = ret->len;
	eh.e_shnum = (Elf64_Half)n;
	eh.e_shstrndx = (Elf64_Half)(n - 1);
	text_append(ret, (const char *)headers, n * sizeof(*headers));
	memcpy(ret->buf, &eh, sizeof(eh));
	text_deinit(&names);
}

/* Makes G's descriptor one of a file with TEXT. */
static bool put_file(struct dwarf_package *g, const struct text *text)
{
	int fd = memfd_create("ktap-dwo", MFD_CLOEXEC);
	bool ok = fd >= 0;

	for (size_t done = 0; ok && done < text->len;) {
		ssize_t n = write(fd, text->buf + done, text->len - done);

		ok = n > 0;
		done += ok ? (size_t)n : 0;
	}
	/* The one before stays in memory, mapped by libdw. */
	if (g->fd < 0) {
		g->fd = fd;
		return ok;
	}
	ok = ok && dup3(fd, g->fd, O_CLOEXEC) >= 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool unit_file(struct dwarf_package *g, uint64_t id)
{
	struct bytes parts[N_PARTS] = { 0 };
	struct text table = { 0 }, strings = { 0 }, file = { 0 };
	uint64_t size = 0;
	bool ok = find_parts(g, id, parts);

	for (size_t i = 0; i < N_PARTS; i++)
		size += parts[i].size;
	ok = ok && size < g->left;
	if (ok) {
		g->left -= size;
		ok = !parts[STR_OFFSETS].size || take_strings(g, parts[STR_OFFSETS], &table, &strings);
	}
	if (ok) {
		parts[STR_OFFSETS] = (struct bytes){ (const unsigned char *)table.buf, table.len };
		parts[STR] = (struct bytes){ (const unsigned char *)strings.buf, strings.len };
		make_file(g, parts, &file);
		ok = put_file(g, &file);
	}
	text_deinit(&table);
	text_deinit(&strings);
	text_deinit(&file);
	return ok;
}

/* ---- the skeleton's name of it ---- */
/* Bytes of the program's that are other ones for a while. */
struct patch {
	unsigned char *at;
	size_t size;
	unsigned char was[NAME_MAX_SIZE];
};

static void patch_put(struct patch *p, unsigned char *at, const void *bytes, size_t size)
{
	*p = (struct patch){ .at = at, .size = size };
	memcpy(p->was, at, size);
	memcpy(at, bytes, size);
}

static void patch_undo(const struct patch *p)
{
	if (p->at)
		memcpy(p->at, p->was, p->size);
}

/* Are the SIZE bytes of ATTR in the file? */
static bool is_within(const struct bytes *info, const Dwarf_Attribute *attr, size_t size)
{
	return attr->valp >= info->p && attr->valp <= info->p + info->size &&
	       size <= (size_t)(info->p + info->size - attr->valp);
}

/* Where the number of the string is that ATTR has by an index into .debug_str_offsets; NULL: not within the section. */
static unsigned char *string_number(struct dwarf_target *t, Dwarf_Die *skeleton, const Dwarf_Attribute *attr, size_t size)
{
	struct bytes table = dwarf_section(t->elf, ".debug_str_offsets");
	Dwarf_Word base = 8;
	Dwarf_Attribute of;
	uint64_t index = 0;

	memcpy(&index, attr->valp, size);
	if (dwarf_attr(skeleton, DW_AT_str_offsets_base, &of) && dwarf_formudata(&of, &base))
		return NULL;
	if (base > table.size || index >= (table.size - base) / 4)
		return NULL;
	return (unsigned char *)table.p + base + 4 * index;
}

/* The four bytes that say where in .debug_str, or in .debug_line_str, the text of ATTR is; NULL: it is not said so. */
static unsigned char *string_place(struct dwarf_target *t, Dwarf_Die *skeleton, Dwarf_Attribute *attr, struct bytes *ret)
{
	struct bytes info = dwarf_section(t->elf, ".debug_info");
	unsigned form = dwarf_whatform(attr);

	*ret = form == DW_FORM_line_strp ? t->lines.line_str : t->lines.str;
	switch (form) {
	case DW_FORM_strp:
	case DW_FORM_line_strp:
		return is_within(&info, attr, 4) ? attr->valp : NULL;
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		if (!is_within(&info, attr, form - DW_FORM_strx1 + 1))
			return NULL;
		return string_number(t, skeleton, attr, form - DW_FORM_strx1 + 1);
	default: /* no compiler writes the name otherwise */
		return NULL;
	}
}

/* Puts the name of FD in place of the name of the .dwo file while libdw opens it: the bytes are a private mapping. */
bool dwarf_link_split(struct dwarf_target *t, Dwarf_Die *skeleton, int fd, Dwarf_Die *ret)
{
	static const char *const folders[] = { "/proc/self/fd", "/dev/fd" };
	struct patch text = { 0 }, place = { 0 };
	const uint32_t start = 0;
	Dwarf_Attribute attr;
	char name[NAME_MAX_SIZE];
	struct bytes strings;
	unsigned char *at;
	bool ok = false;

	if (!dwarf_attr(skeleton, DW_AT_dwo_name, &attr) && !dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attr))
		return false;
	at = string_place(t, skeleton, &attr, &strings);
	for (size_t i = 0; at && !text.at && i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t size = (size_t)snprintf(name, sizeof(name), "%s/%d", folders[i], fd) + 1;

		if (size <= strings.size)
			patch_put(&text, (unsigned char *)strings.p, name, size);
	}
	if (text.at) {
		const char *seen;

		patch_put(&place, at, &start, sizeof(start));
		seen = dwarf_formstring(&attr);
		ok = seen && !strcmp(seen, name) &&
		     !dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, ret, NULL, NULL, NULL) && ret->addr;
	}
	patch_undo(&place);
	patch_undo(&text);
	return ok;
}

bool dwarf_package_unit(struct dwarf_package *g, struct dwarf_target *t, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	uint64_t id;

	return !dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) && unit_file(g, id) &&
	       dwarf_link_split(t, skeleton, g->fd, ret);
}

/* ---- opening ---- */
/* Packages may be compressed as other files are. */
static void unpack(const struct elf_file *e)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_COMPRESSED)
			elf_compress(scn, 0, 0);
}

void dwarf_package_close(struct dwarf_package *g)
{
	if (!g)
		return;
	if (g->fd >= 0)
		close(g->fd);
	elf_close(g->e);
	free(g->rows);
	free(g);
}

struct dwarf_package *dwarf_package_open(const char *path)
{
	struct dwarf_package *g = xmalloc(sizeof(*g));

	*g = (struct dwarf_package){ .fd = -1, .e = elf_open(path) };
	if (g->e)
		unpack(g->e);
	if (!g->e || !read_index(g, dwarf_section(g->e, ".debug_cu_index"))) {
		dwarf_package_close(g);
		return NULL;
	}
	for (enum part i = 0; i < N_PARTS; i++) {
		if (part_name(g, i))
			g->parts[i] = dwarf_section(g->e, part_name(g, i));
		g->left += COPIES_MAX * (uint64_t)g->parts[i].size;
	}
	return g;
}
