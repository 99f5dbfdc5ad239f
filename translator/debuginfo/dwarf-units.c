/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units of a file, the numbers of their DIEs and the names of their source files.
 *
 * A file that was built with -gsplit-dwarf holds skeletons: the DIEs of a unit are in a .dwo file, which has the name in
 * the skeleton and is checked by its id, or in the package of all such files, FILE.dwp, which is looked into first. DIEs of
 * such a unit are counted within that file, so the number that stands for a
 * DIE here has the unit above the offset. The line table stays with the skeleton.
 *
 * What several files of a package have in common dwz(1) moves to one more file, whose units are walked last.
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/regular.h"
#include "lib/rows.h"
#include "lib/status.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"

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

/* Code of one unit. Sorted by where it starts. */
struct unit_range {
	uint64_t start, end;
	Dwarf_Die unit;
};

/* Reads where the units say that their code is. */
static void read_ranges(struct dwarf_target *t)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	t->ranges_read = true;
	while (!dwarf_get_units(t->dw, cu, &cu, NULL, NULL, &unit, NULL)) {
		Dwarf_Addr base, start, end;

		for (ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &start, &end)) > 0;)
			*vec_add(t->ranges, t->n_ranges) = (struct unit_range){ start, end, unit };
	}
	sort_rows(t->ranges, t->n_ranges, by_number);
}

/* The unit with code at ADDRESS by what units say themselves: libdw asks .debug_aranges, which clang does not write. */
static bool find_range(struct dwarf_target *t, uint64_t address, Dwarf_Die *ret)
{
	size_t lo;

	if (!t->ranges_read)
		read_ranges(t);
	lo = rows_up_to(address, t->ranges, t->n_ranges, sizeof(*t->ranges));
	if (!lo || address >= t->ranges[lo - 1].end)
		return false;
	*ret = t->ranges[lo - 1].unit;
	return true;
}

bool dwarf_unit_at(struct dwarf_target *t, uint64_t address, Dwarf_Die *ret)
{
	const struct dwarf_split *s;

	if (!dwarf_addrdie(t->dw, address, ret) && !find_range(t, address, ret))
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

/* Opens the file NAME in the directory DIR, or NAME itself if it is absolute. Returns a descriptor or -errno. */
static int open_in(const char *dir, const char *name)
{
	_cleanup_free_ char *path = *name == '/' ? xstrdup(name) : xasprintf("%s/%s", dir, name);

	return open_regular(path);
}

/* Is the split unit of SKELETON in the .dwo file FD? */
static bool has_unit(int fd, Dwarf_Die *skeleton)
{
	_cleanup_free_ char *path = xasprintf("/proc/self/fd/%d", fd);
	struct elf_file *e = elf_open(path);
	Dwarf *dw = e ? dwarf_begin_elf(e->elf, DWARF_C_READ, NULL) : NULL;
	uint64_t wanted = 0, id;
	Dwarf_CU *cu = NULL;
	bool found = false;

	dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &wanted, NULL, NULL);
	while (dw && !found && !dwarf_get_units(dw, cu, &cu, NULL, NULL, NULL, NULL))
		found = !dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) && id == wanted;
	dwarf_end(dw);
	elf_close(e);
	return found;
}

/* Opens the .dwo file of SKELETON: beside T's file or in the directory of the compilation. Returns a descriptor or -errno. */
static int open_split(const struct dwarf_target *t, Dwarf_Die *skeleton)
{
	const char *name = dwo_name(skeleton), *dir = text_of(skeleton, DW_AT_comp_dir);
	_cleanup_free_ char *real = realpath(t->elf->path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;
	int beside, compiled;

	if (!name || !slash)
		return -ENOENT;
	*slash = 0;
	beside = open_in(real, name);
	if (!dir || *name == '/')
		return beside;
	if (beside >= 0 && (!strcmp(real, dir) || has_unit(beside, skeleton)))
		return beside;
	compiled = open_in(dir, name);
	cleanup_close(compiled < 0 ? &compiled : &beside);
	return compiled < 0 ? beside : compiled;
}

/* The package beside the file, as that is named or as it lies, or beside the program that it describes. */
static struct dwarf_package *find_package(struct dwarf_target *t, const char **ret_path)
{
	_cleanup_free_ char *real = realpath(t->elf->path, NULL);
	_cleanup_free_ char *program = t->elf->of ? realpath(t->elf->of, NULL) : NULL;
	const char *const places[] = { t->elf->path, real, t->elf->of, program };
	struct stat st;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct dwarf_package *g;

		if (!places[i])
			continue;
		*ret_path = arena_printf(&program_arena, "%s.dwp", places[i]);
		if (stat(*ret_path, &st) || !S_ISREG(st.st_mode))
			continue;
		g = dwarf_package_open(*ret_path);
		if (!g)
			t->package_note = arena_printf(&program_arena, "%s is no DWARF package, or is damaged", *ret_path);
		return g;
	}
	return NULL;
}

static Dwarf_Die find_split(struct dwarf_target *t, struct dwarf_package *g, Dwarf_Die *skeleton)
{
	Dwarf_Die split = { 0 };
	_cleanup_close_ int fd = -1;

	if (g && dwarf_package_unit(g, t, skeleton, &split))
		return split;
	fd = open_split(t, skeleton);
	if (fd < 0 || !dwarf_link_split(t, skeleton, fd, &split))
		split = (Dwarf_Die){};
	return split;
}

void dwarf_find_split(struct dwarf_target *t)
{
	struct dwarf_package *g = NULL;
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
	dwarf_package_close(g);
}

/* ---- what dwz shares ---- */
/* Opens the file PATH if it has the build-id ID, else the one in another of its places that has it. Returns NULL if none has. */
static struct elf_file *open_of_build(const char *path, const char *id)
{
	const char *place;

	for (unsigned i = 0; (place = debug_place(path, i)); i++) {
		struct elf_file *e = elf_open(place);

		if (e && e->build_id && !strcmp(e->build_id, id))
			return e;
		elf_close(e);
	}
	return NULL;
}

/* Opens the file with the build-id ID of SIZE bytes: the one that is stored under the build-id, else NAME, which is relative to T's file.
 * Returns NULL if neither can be opened. */
static struct elf_file *open_shared(const struct dwarf_target *t, const char *name, const unsigned char *id, size_t size)
{
	_cleanup_free_ char *real = realpath(t->elf->path, NULL);
	char hex[2 * 64 + 1] = "", *slash = real ? strrchr(real, '/') : NULL;
	struct elf_file *e;

	if (size < 2 || size > 64)
		return NULL;
	for (size_t i = 0; i < size; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	e = open_of_build(arena_printf(&program_arena, "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2), hex);
	if (e || (*name != '/' && !slash))
		return e;
	if (*name != '/')
		name = arena_printf(&program_arena, "%.*s/%s", (int)(slash - real), real, name);
	return open_of_build(name, hex);
}

/* A file without DIEs. */
struct empty_file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[32], lines[8];
};

/* Returns a file without DIEs for T. libdw opens the name in .gnu_debugaltlink, whatever that is, unless it is given a file. */
static Dwarf *empty_dwarf(const struct dwarf_target *t)
{
	struct empty_file *file = arena_new(&program_arena, struct empty_file);
	GElf_Ehdr own = { 0 };
	Dwarf *dw;

	gelf_getehdr(t->elf->elf, &own);
	file->header = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = own.e_machine, .e_version = EV_CURRENT, .e_ehsize = sizeof(file->header),
		.e_shoff = (size_t)((char *)file->sections - (char *)file), .e_shentsize = sizeof(file->sections[0]), .e_shnum = 3,
		.e_shstrndx = 2,
	};
	memcpy(file->names, "\0.debug_line\0.shstrtab", sizeof("\0.debug_line\0.shstrtab"));
	file->sections[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addralign = 1,
		.sh_offset = (size_t)(file->lines - (char *)file), .sh_size = sizeof(file->lines) };
	file->sections[2] = (Elf64_Shdr){ .sh_name = sizeof("\0.debug_line"), .sh_type = SHT_STRTAB, .sh_addralign = 1,
		.sh_offset = (size_t)(file->names - (char *)file), .sh_size = sizeof(file->names) };
	dw = dwarf_begin_elf(elf_memory((char *)file, sizeof(*file)), DWARF_C_READ, NULL);
	if (!dw)
		bug("no file without DIEs: %s", dwarf_errmsg(-1));
	return dw;
}

void dwarf_find_shared(struct dwarf_target *t)
{
	const char *name;
	const void *id;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(t->dw, &name, &id);

	if (size <= 0)
		return;
	t->beside = open_shared(t, name, id, (size_t)size);
	t->shared = t->beside ? dwarf_begin_elf(t->beside->elf, DWARF_C_READ, NULL) : NULL;
	t->empty = t->shared ? NULL : empty_dwarf(t);
	dwarf_setalt(t->dw, t->shared ? t->shared : t->empty);
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
