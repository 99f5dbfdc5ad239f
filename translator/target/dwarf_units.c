/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units of a file, the numbers of their DIEs and the names of their source files.
 *
 * A file that was built with -gsplit-dwarf holds skeletons: the DIEs of a unit are in a .dwo file, which libdw finds by the
 * name in the skeleton and checks by its id, or in the package of all such files, FILE.dwp, which is looked into first. DIEs of
 * such a unit are counted within that file, so the number that stands for a
 * DIE here has the unit above the offset. The line table stays with the skeleton.
 *
 * What several files of a package have in common dwz(1) moves to one more file, whose units are walked last.
 */
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/base/arena.h"
#include "translator/base/status.h"
#include "translator/base/vec.h"
#include "translator/target/dwarf_reader.h"

enum { UNIT_SHIFT = 40, SHARED_UNIT = 1 << 20 };

/* ---- walking ---- */
bool dwarf_unit_next(struct dwarf_target *t, struct dwarf_walk *w, Dwarf_Die *ret)
{
	Dwarf_Die unit;
	uint8_t type;

	status_tick();
	w->shared = t->shared;
	while (!dwarf_get_units(w->in_shared ? t->shared : t->dw, w->cu, &w->cu, NULL, &type, &unit, NULL)) {
		w->split = type == DW_UT_skeleton ? ++w->skeletons : 0;
		if (w->split > t->n_split)
			return false;
		*ret = w->split ? t->split[w->split - 1].die : unit;
		if (ret->addr)
			return true;
	}
	if (w->in_shared || !t->shared)
		return false;
	*w = (struct dwarf_walk){ .in_shared = true };
	return dwarf_unit_next(t, w, ret);
}

uint64_t dwarf_die_number(const struct dwarf_walk *w, Dwarf_Die *die)
{
	size_t unit = w->shared && dwarf_cu_getdwarf(die->cu) == w->shared ? SHARED_UNIT : w->split;

	return (uint64_t)unit << UNIT_SHIFT | dwarf_dieoffset(die);
}

bool dwarf_die_at(struct dwarf_target *t, uint64_t number, Dwarf_Die *ret)
{
	size_t unit = number >> UNIT_SHIFT;
	Dwarf *dw = t->dw;

	if (unit == SHARED_UNIT && t->shared)
		return dwarf_offdie(t->shared, number & (((uint64_t)1 << UNIT_SHIFT) - 1), ret);
	if (unit > t->n_split || (unit && !t->split[unit - 1].die.addr))
		return false;
	if (unit)
		dw = dwarf_cu_getdwarf(t->split[unit - 1].die.cu);
	return dwarf_offdie(dw, number & (((uint64_t)1 << UNIT_SHIFT) - 1), ret);
}

/* ---- split units ---- */
/* The split unit that has DIE as its own or its skeleton's; NULL: DIE is of another kind. Mostly asked in order. */
static struct dwarf_split *split_of(struct dwarf_target *t, const Dwarf_Die *die)
{
	for (size_t i = 0; i < t->n_split; i++) {
		struct dwarf_split *s = &t->split[(t->last_split + i) % t->n_split];

		if (s->die.addr == die->addr || s->skeleton.addr == die->addr) {
			t->last_split = (size_t)(s - t->split);
			return s;
		}
	}
	return NULL;
}

bool dwarf_unit_at(struct dwarf_target *t, uint64_t address, Dwarf_Die *ret)
{
	const struct dwarf_split *s;

	if (!dwarf_addrdie(t->dw, address, ret))
		return false;
	s = split_of(t, ret);
	if (s)
		*ret = s->die;
	return ret->addr;
}

static const char *text_of(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, at, &attr) ? dwarf_formstring(&attr) : NULL;
}

static const char *dwo_name(Dwarf_Die *skeleton)
{
	const char *name = text_of(skeleton, DW_AT_dwo_name);

	return name ? name : text_of(skeleton, DW_AT_GNU_dwo_name);
}

static bool is_file_or_none(const char *dir, const char *name)
{
	_cleanup_free_ char *path = *name == '/' ? xstrdup(name) : xasprintf("%s/%s", dir, name);
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode);
}

/* libdw opens the name beside the file and in the directory of the compilation: a FIFO would keep it for ever. */
static bool can_open(const struct dwarf_target *t, Dwarf_Die *skeleton)
{
	const char *name = dwo_name(skeleton), *dir = text_of(skeleton, DW_AT_comp_dir);
	_cleanup_free_ char *real = realpath(t->elf->path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!name || !slash)
		return false;
	*slash = 0;
	return is_file_or_none(real, name) && (!dir || is_file_or_none(dir, name));
}

/* The package beside the file, as that is named or as it lies, or beside the program that it describes. */
static struct package *find_package(struct dwarf_target *t, const char **ret_path)
{
	_cleanup_free_ char *real = realpath(t->elf->path, NULL);
	_cleanup_free_ char *program = t->elf->of ? realpath(t->elf->of, NULL) : NULL;
	const char *const places[] = { t->elf->path, real, t->elf->of, program };
	struct stat st;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct package *g;

		if (!places[i])
			continue;
		*ret_path = arena_printf(&program_arena, "%s.dwp", places[i]);
		if (stat(*ret_path, &st) || !S_ISREG(st.st_mode))
			continue;
		g = package_open(*ret_path);
		if (!g)
			t->package_note = arena_printf(&program_arena, "%s is no DWARF package, or is damaged", *ret_path);
		return g;
	}
	return NULL;
}

static Dwarf_Die find_split(struct dwarf_target *t, struct package *g, Dwarf_Die *skeleton)
{
	Dwarf_Die split = { 0 };

	if (g && package_unit(g, t, skeleton, &split))
		return split;
	if (!can_open(t, skeleton) || dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL))
		split = (Dwarf_Die){};
	return split;
}

void dwarf_find_split(struct dwarf_target *t)
{
	struct package *g = NULL;
	const char *path = NULL;
	Dwarf_Die unit, split;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	/* A split unit has its addresses here. To ask each unit of a kernel would touch 100 MB of it. */
	if (!dwarf_section(t->elf, ".debug_addr").size)
		return;
	while (!dwarf_get_units(t->dw, cu, &cu, NULL, &type, &unit, NULL)) {
		if (type != DW_UT_skeleton)
			continue;
		if (!t->n_split)
			g = find_package(t, &path);
		split = find_split(t, g, &unit);
		if (g && !split.addr)
			t->package_note = arena_printf(&program_arena, "%s does not have them, or is damaged", path);
		*vec_add(t->split, t->n_split) = (struct dwarf_split){ unit, split };
	}
	package_close(g);
}

/* ---- what dwz shares ---- */
/* The file of that NAME beside T's with the build-id ID of SIZE bytes; NULL: it is not there, or of another build. */
static struct elf_file *open_beside(const struct dwarf_target *t, const char *name, const unsigned char *id, size_t size)
{
	_cleanup_free_ char *real = realpath(t->elf->path, NULL), *path = NULL;
	char hex[2 * 64 + 1] = "", *slash = real ? strrchr(real, '/') : NULL;
	struct elf_file *e;

	if (!slash || size > 64)
		return NULL;
	*slash = 0;
	path = xasprintf("%s/%s", real, name);
	for (size_t i = 0; i < size; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	e = elf_open(path);
	if (e && e->build_id && !strcmp(e->build_id, hex))
		return e;
	if (e)
		elf_close(e);
	return NULL;
}

void dwarf_find_shared(struct dwarf_target *t)
{
	const char *name;
	const void *id;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(t->dw, &name, &id);

	if (size <= 0)
		return;
	t->shared = dwarf_getalt(t->dw);
	/* libdw does not know where a file in memory is from. */
	if (t->shared || *name == '/' || !(t->beside = open_beside(t, name, id, (size_t)size)))
		return;
	t->shared = dwarf_begin_elf(t->beside->elf, DWARF_C_READ, NULL);
	if (t->shared)
		dwarf_setalt(t->dw, t->shared);
}

bool dwarf_split_lost(struct target *base, struct loc loc, bool is_fatal)
{
	struct dwarf_target *t = (struct dwarf_target *)base;
	const char *first = NULL, *text;
	size_t n = 0;

	for (size_t i = t->n_split; i-- > 0;) {
		const char *name = dwo_name(&t->split[i].skeleton);

		if (t->split[i].die.addr)
			continue;
		n++;
		first = name ? name : "(without a name)";
	}
	if (!n)
		return false;
	text = arena_printf(&program_arena, "%zu of %zu .dwo files of %s are not where it says, or of another build: %s", n,
			    t->n_split, base->name, first);
	if (is_fatal && n == t->n_split)
		error(loc, DIAG_NO_DEBUGINFO, "%s", text);
	else
		warning(loc, DIAG_NO_DEBUGINFO, "%s", text);
	if (t->package_note)
		note(loc, "%s", t->package_note);
	return n == t->n_split;
}

/* ---- files ---- */
/* The section NAME, libdw has unpacked compressed ones by now: the same Elf gives the plain bytes. */
static struct bytes section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return (struct bytes){};
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;
		Elf_Data *data;
		const char *have = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		if (!have || strcmp(have, name) || header.sh_type == SHT_NOBITS)
			continue;
		data = elf_getdata(scn, NULL);
		return data ? (struct bytes){ data->d_buf, data->d_size } : (struct bytes){};
	}
	return (struct bytes){};
}

/* The table that the numbers of DIEs in the split unit CU mean; false: that is the skeleton's. */
static bool split_files(Dwarf_Die *cu, struct line_files *ret)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(cu->cu));
	struct line_sections s = {
		.line = section(elf, ".debug_line.dwo"),
		.line_str = section(elf, ".debug_line_str.dwo"),
		.str = section(elf, ".debug_str.dwo"),
	};

	if (!s.line.size)
		return false;
	*ret = line_files_read(&s, 0, text_of(cu, DW_AT_comp_dir));
	return true;
}

static struct line_sections shared_lines(const struct dwarf_target *t)
{
	Elf *elf = dwarf_getelf(t->shared);

	return (struct line_sections){
		.line = section(elf, ".debug_line"), .line_str = section(elf, ".debug_line_str"), .str = section(elf, ".debug_str"),
	};
}

/* Returns the file names of the unit CU, numbered as in the rows of its line table if ROWS, else as in its DIEs. */
static const struct line_files *files_of(struct dwarf_target *t, Dwarf_Die *cu, bool rows)
{
	struct dwarf_files *f = &t->files[rows];
	struct line_sections lines;
	struct dwarf_split *split;
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	if (f->unit == cu->addr)
		return &f->names;
	line_files_deinit(&f->names);
	f->unit = cu->addr;
	split = t->n_split ? split_of(t, cu) : NULL;
	lines = t->shared && dwarf_cu_getdwarf(cu->cu) == t->shared ? shared_lines(t) : t->lines;
	if (split && !rows && split_files(cu, &f->names))
		return &f->names;
	if (split)
		cu = &split->skeleton;
	if (dwarf_attr(cu, DW_AT_stmt_list, &attr) && !dwarf_formudata(&attr, &offset))
		f->names = line_files_read(&lines, offset, text_of(cu, DW_AT_comp_dir));
	return &f->names;
}

static const char *file_of(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Word number, bool rows)
{
	const struct line_files *files;
	Dwarf_Die cu;

	if (!dwarf_diecu(die, &cu, NULL, NULL))
		return NULL;
	files = files_of(t, &cu, rows && t->n_split);
	return number < files->n ? files->names[number] : NULL;
}

const char *dwarf_file(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Word number)
{
	return file_of(t, die, number, false);
}

const char *dwarf_row_file(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Word number)
{
	return file_of(t, die, number, true);
}
