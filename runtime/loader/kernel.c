/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the debugging information that belongs to the running kernel and to its modules, by build-id, and makes tables of its
 * lines. A module's is relocatable: its code gets places one section after the other, and where each of them lies in memory
 * is asked of /sys. Code that is thrown away after it ran, as .init.text is, has no lines: what comes to lie there later must
 * not have them.
 */
#include "runtime/loader/kernel.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/paths.h"
#include "lib/regular.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "runtime/host.h"
#include "runtime/loader/lines.h"
#include "runtime/loader/load.h"

/* Addresses that the code of a module gets for its lines, and those that have none. */
enum { MODULE_BASE = 1 << 20, CANDIDATES_MAX = 32 };
#define NO_BASE (1ull << 40)

/* ---- files ---- */

/* Files that may have the debugging information. They are opened before the reader drops its rights, and read afterwards. */
struct candidates {
	int fds[CANDIDATES_MAX];
	size_t n;
};

static void add_candidate(struct candidates *c, const char *path)
{
	const char *place;

	for (unsigned i = 0; c->n < CANDIDATES_MAX && (place = debug_place(path, i)); i++) {
		int fd = open_regular(place);

		if (fd >= 0)
			c->fds[c->n++] = fd;
	}
}

static void add_candidate_by_id(struct candidates *c, const char *build_id)
{
	char path[BUILD_ID_PATH_SIZE];

	elf_debug_path(build_id, path);
	add_candidate(c, path);
}

/* Opens the first of C that is of build BUILD_ID, as its section NOTES says, and has lines. */
static bool choose_candidate(struct elf *e, const struct candidates *c, const char *build_id, const char *notes, struct libraries *l)
{
	char found[BUILD_ID_SIZE];

	for (size_t i = 0; i < c->n; i++) {
		if (!elf_open_fd(e, c->fds[i], l) && !e->is_32bit && elf_build_id(elf_data_of(e, notes), found) &&
		    !strcmp(found, build_id) && elf_data_of(e, ".debug_line").at)
			return true;
		elf_close(e);
	}
	return false;
}

/* ---- lines ---- */

/* Code that stays. */
static bool is_code(const struct elf *e, const Elf64_Shdr *s)
{
	const char *name = s->sh_name < e->names_size ? e->names + s->sh_name : "";

	return s->sh_flags & SHF_ALLOC && s->sh_flags & SHF_EXECINSTR && s->sh_size && !strncmp(name, ".text", 5) &&
	       memchr(name, 0, e->names_size - s->sh_name);
}

struct code {
	struct kt_unwind_segment segments[KT_UNWIND_SEGMENTS_MAX];
	kt_u32 n;
};

static const char *make_tables(struct object *o, const struct elf *e, struct span data, const struct code *code, kt_u64 base,
			       const char *name)
{
	const struct span strings[2] = { elf_data_of(e, ".debug_line_str"), elf_data_of(e, ".debug_str") };
	struct lines l = { 0 };
	kt_u32 limit = 0;

	for (kt_u32 i = 0; i < code->n; i++)
		if (code->segments[i].place + code->segments[i].size > limit)
			limit = code->segments[i].place + code->segments[i].size;
	lines_add(&l, data, strings, base, limit);
	return object_of_lines(o, code->segments, code->n, &l, name);
}

/* ---- the kernel ---- */

/* Value of the symbol NAME; 0: there is none. */
static kt_u64 symbol_value(const struct elf *e, const char *name)
{
	const Elf64_Shdr *table = elf_section(e, ".symtab");
	struct span data = elf_data_of(e, ".symtab"), names;
	size_t len = strlen(name) + 1;

	if (!data.at || table->sh_offset % 8 || table->sh_link >= e->n_sections)
		return 0;
	names = elf_data(e, &e->sections[table->sh_link]);
	for (size_t i = 1; i < data.size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym s = elf_symbol(e, data, i);

		if (s.st_name < names.size && names.size - s.st_name >= len && !memcmp(names.at + s.st_name, name, len))
			return s.st_value;
	}
	return 0;
}

static void find_vmlinux(struct candidates *c, const struct loader_sys *sys, const char *build_id)
{
	_cleanup_free_ char *release = sys_read_line(sys, "/proc/sys/kernel/osrelease");

	add_candidate_by_id(c, build_id);
	for (const char *const *p = vmlinux_paths; release && *p; p++) {
		const char *at = strstr(*p, "%s");
		_cleanup_free_ char *path = xasprintf("%.*s%s%s", (int)(at - *p), *p, release, at + 2);

		add_candidate(c, path);
	}
}

static const char *read_kernel(struct object *o, const struct elf *e)
{
	struct code code = { .n = 0 };
	kt_u64 base = ~0ull;

	for (size_t i = 1; i < e->n_sections; i++)
		if (is_code(e, &e->sections[i]) && e->sections[i].sh_addr < base)
			base = e->sections[i].sh_addr;
	for (size_t i = 1; i < e->n_sections; i++) {
		const Elf64_Shdr *s = &e->sections[i];

		if (!is_code(e, s) || code.n == KT_UNWIND_SEGMENTS_MAX)
			continue;
		if (s->sh_addr - base >= KT_UNWIND_NONE / 2 || s->sh_size >= KT_UNWIND_NONE / 2)
			return "its code is too large";
		code.segments[code.n++] =
			(struct kt_unwind_segment){ s->sh_addr, (kt_u32)(s->sh_addr - base), (kt_u32)s->sh_size };
	}
	return make_tables(o, e, elf_data_of(e, ".debug_line"), &code, base, "kernel");
}

/* In the reader. */
static const char *read_running(struct apart *a, struct object *o, const void *arg)
{
	const struct loader_sys *sys = arg;
	struct candidates c = { .n = 0 };
	char build_id[BUILD_ID_SIZE];
	const char *wrong;
	struct elf e;
	kt_u64 anchor;

	if (!load_running_build_id(sys, build_id))
		return "the kernel has no build-id";
	find_vmlinux(&c, sys, build_id);
	apart_drop_rights(a);
	if (!choose_candidate(&e, &c, build_id, ".notes", a->libraries))
		return "its debugging information is not installed";
	anchor = symbol_value(&e, "_printk"); /* the kit's kt_anchor */
	if (!anchor)
		anchor = symbol_value(&e, "printk");
	wrong = anchor ? read_kernel(o, &e) : "its debugging information has no symbol _printk";
	o->anchor = anchor;
	return wrong;
}

const char *kernel_read(struct object *o, const struct loader_sys *sys, struct libraries *l, const struct apart_limits *limits)
{
	return apart_read(o, read_running, sys, "kernel", l, limits, NULL, NULL);
}

/* ---- modules ---- */

/* The path of module NAME below /lib/modules/RELEASE, to be freed; NULL: it is not installed. */
static char *find_path(const char *release, const char *name)
{
	_cleanup_free_ char *list = xasprintf("/lib/modules/%s/modules.dep", release);
	struct text t = { 0 };
	char *found = NULL, *save = NULL;

	text_read_file(&t, list);
	for (char *line = t.buf ? strtok_r(t.buf, "\n", &save) : NULL; line && !found; line = strtok_r(NULL, "\n", &save)) {
		char *slash, *end;
		size_t i = 0;

		line[strcspn(line, ":")] = 0;
		slash = strrchr(line, '/');
		end = strstr(slash ? slash : line, ".ko");
		if (!slash || !end)
			continue;
		end[3] = 0; /* it may be packed */
		while (name[i] && (slash[i + 1] == '-' ? '_' : slash[i + 1]) == name[i])
			i++;
		if (!name[i] && slash + 1 + i == end)
			found = xasprintf("%s/%s", release, line);
	}
	text_deinit(&t);
	return found;
}

bool kernel_is_module_file(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *end = strstr(file, ".ko");
	size_t i = 0;

	if (!end || (end[3] && end[3] != '.'))
		return false;
	while (name && name[i] && (file[i] == '-' ? '_' : file[i]) == name[i])
		i++;
	return !name || (!name[i] && file + i == end);
}

static void find_module(struct candidates *c, const struct loader_sys *sys, const char *name, const char *build_id)
{
	static const char *const forms[] = {
		"/usr/lib/debug/lib/modules/", "/usr/lib/debug/usr/lib/modules/", "/lib/modules/",
	};
	_cleanup_free_ char *release = sys_read_line(sys, "/proc/sys/kernel/osrelease");
	_cleanup_free_ char *path = release ? find_path(release, name) : NULL;

	add_candidate_by_id(c, build_id);
	for (size_t i = 0; path && i < 2 * sizeof(forms) / sizeof(forms[0]); i++) {
		_cleanup_free_ char *full = xasprintf("%s%s%s", forms[i / 2], path, i % 2 ? ".debug" : "");

		add_candidate(c, full);
	}
}

/* Where the sections of a loaded module lie. */
struct section_addresses {
	struct section_address {
		char name[64];
		kt_u64 address;
	} *v;
	size_t n;
};

/* Reads those of MODULE. The kernel may not say them. */
static void read_addresses(struct section_addresses *s, const struct loader_sys *sys, const char *module)
{
	_cleanup_free_ char *folder = sys_path(sys, "/sys/module/%s/sections", module);
	DIR *dir = opendir(folder);

	for (struct dirent *d; dir && (d = readdir(dir));) {
		_cleanup_free_ char *path = xasprintf("/sys/module/%s/sections/%s", module, d->d_name);
		_cleanup_free_ char *text = d->d_type == DT_REG ? sys_read_line(sys, path) : NULL;
		struct section_address *a;

		if (!text || strlen(d->d_name) >= sizeof(a->name))
			continue;
		a = vec_add(s->v, s->n);
		strcpy(a->name, d->d_name);
		a->address = strtoull(text, NULL, 16);
	}
	if (dir)
		closedir(dir);
}

/* Returns where section NAME lies; 0: nowhere, or the kernel does not say. */
static kt_u64 section_address(const struct section_addresses *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].name, name))
			return s->v[i].address;
	return 0;
}

/* Finds where the code lies, and in BASES the address that each section gets for its lines. */
static void place_sections(const struct elf *e, const struct section_addresses *addresses, struct code *code, kt_u64 *bases)
{
	kt_u32 place = 0;

	for (size_t i = 0; i < e->n_sections; i++) {
		const Elf64_Shdr *s = &e->sections[i];
		kt_u64 at = i && is_code(e, s) ? section_address(addresses, e->names + s->sh_name) : 0;

		bases[i] = s->sh_flags & SHF_ALLOC ? NO_BASE : 0;
		if (!at || s->sh_size > KT_UNWIND_NONE / 4 - place || code->n == KT_UNWIND_SEGMENTS_MAX)
			continue;
		code->segments[code->n++] = (struct kt_unwind_segment){ at, place, (kt_u32)s->sh_size };
		bases[i] = MODULE_BASE + place;
		place += (kt_u32)s->sh_size + 1;
	}
}

/* Bytes that a relocation of TYPE writes, 0: it is not known. */
static size_t relocation_size(unsigned int machine, kt_u64 type)
{
	return machine != KT_HOST_ELF ? 0 : type == KT_HOST_ABS64 ? 8 : type == KT_HOST_ABS32 ? 4 : 0;
}

/* Does the linker's work in DATA, of section .debug_line. */
static void relocate(const struct elf *e, unsigned char *data, size_t size, const kt_u64 *bases)
{
	const Elf64_Shdr *table = elf_section(e, ".symtab"), *rela = elf_section(e, ".rela.debug_line");
	struct span symbols = elf_data_of(e, ".symtab"), all = elf_data_of(e, ".rela.debug_line");
	const Elf64_Rela *r = (const void *)all.at;

	if (!symbols.at || table->sh_offset % 8 || !all.at || rela->sh_offset % 8)
		return;
	for (size_t i = 0; i < all.size / sizeof(*r); i++) {
		size_t n = relocation_size(e->machine, ELF64_R_TYPE(r[i].r_info)), number = ELF64_R_SYM(r[i].r_info);
		kt_u64 value;
		Elf64_Sym s;

		if (!n || r[i].r_offset > size || n > size - r[i].r_offset || number >= symbols.size / sizeof(s))
			continue;
		s = elf_symbol(e, symbols, number);
		value = s.st_value + (kt_u64)r[i].r_addend + (s.st_shndx < e->n_sections ? bases[s.st_shndx] : NO_BASE);
		memcpy(data + r[i].r_offset, &value, n);
	}
}

static const char *read_module(struct object *o, const struct elf *e, const struct section_addresses *addresses, const char *name)
{
	_cleanup_free_ kt_u64 *bases = xmalloc((e->n_sections + 1) * sizeof(*bases));
	struct span section = elf_data_of(e, ".debug_line");
	_cleanup_free_ unsigned char *data = xmalloc(section.size + 1);
	struct code code = { .n = 0 };

	place_sections(e, addresses, &code, bases);
	if (!code.n)
		return "the kernel does not say where it lies (see kernel.kptr_restrict in sysctl(8))";
	memcpy(data, section.at, section.size);
	relocate(e, data, section.size, bases);
	return make_tables(o, e, (struct span){ data, section.size }, &code, MODULE_BASE, name);
}

/* A module whose lines are wanted. */
struct wanted_module {
	const struct loader_sys *sys;
	const char *name;
	const char *file; /* that the script or -d names; NULL: none */
};

static const char *named_file(struct control *control, const char *name)
{
	for (kt_u32 i = 0; i < control->info.n_objects; i++)
		if (kernel_is_module_file(control_text(control, KT_TEXT_OBJECT, i), name))
			return control_text(control, KT_TEXT_OBJECT, i);
	return NULL;
}

/* In the reader. */
static const char *read_loaded(struct apart *a, struct object *o, const void *arg)
{
	const struct wanted_module *m = arg;
	_cleanup_free_ char *path = sys_path(m->sys, "/sys/module/%s/notes/.note.gnu.build-id", m->name);
	struct section_addresses addresses = { 0 };
	struct candidates c = { .n = 0 };
	char build_id[BUILD_ID_SIZE];
	struct text t = { 0 };
	struct elf e;

	text_read_file(&t, path);
	if (!elf_build_id((struct span){ (const unsigned char *)t.buf, t.len }, build_id))
		return "it has no build-id";
	if (m->file)
		add_candidate(&c, m->file);
	find_module(&c, m->sys, m->name, build_id);
	read_addresses(&addresses, m->sys, m->name);
	apart_drop_rights(a);
	if (!choose_candidate(&e, &c, build_id, ".note.gnu.build-id", a->libraries))
		return "its debugging information is not installed";
	return e.type == ET_REL ? read_module(o, &e, &addresses, m->name) : "its debugging information is no module";
}

const char *kernel_read_module(struct object *o, struct control *control, const char *name, struct libraries *l, const struct apart_limits *limits)
{
	return apart_read(o, read_loaded, &(struct wanted_module){ control->sys, name, named_file(control, name) }, name, l, limits, NULL, NULL);
}

void kernel_each_module(const struct loader_sys *sys, void (*fn)(void *data, const char *name), void *data)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/modules");
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	char line[1024];

	while (f && fgets(line, sizeof(line), f)) {
		_cleanup_free_ char *state = NULL;

		line[strcspn(line, " ")] = 0;
		state = sys_path(sys, "/sys/module/%s/parameters/ktap_state", line);
		if (access(state, F_OK))
			fn(data, line);
	}
}
