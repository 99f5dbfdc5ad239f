/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files through libelf: mapped, every offset checked by libelf or here. Never written: the mapping is private because libelf
 * changes section headers in memory where it unpacks sections. A file of another user is copied before it is looked at.
 */
#include "translator/debuginfo/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/mapped.h"
#include "lib/regular.h"
#include "lib/rows.h"
#include "lib/trust.h"

/* Bytes of a file that is copied. A hole costs nothing to copy, but readers walk through it. */
#define COPIED_MAX (8ul << 30)

/* Symbols of a file. The largest programs have some millions. */
enum { SYMBOLS_MAX = 1 << 25 };

const char *elf_build_id_of_notes(const void *notes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	struct elf_note n;
	char *hex;

	while (elf_next_note(&notes, &size, &n)) {
		if (n.type != NT_GNU_BUILD_ID || n.name_size != 4 || memcmp(n.name, "GNU", 4))
			continue;
		hex = arena_alloc(&program_arena, 2 * n.size + 1);
		for (size_t i = 0; i < n.size; i++) {
			hex[2 * i] = digits[n.desc[i] >> 4];
			hex[2 * i + 1] = digits[n.desc[i] & 15];
		}
		return hex;
	}
	return NULL;
}

/* Large kernels have 150,000 symbols, which are read often: their bytes are used in place, without a call of libelf for each. */
static void use_symbols(struct elf_file *e, Elf_Scn *symbols, size_t names_section)
{
	Elf_Scn *names = elf_getscn(e->elf, names_section);
	GElf_Shdr sh;
	Elf_Data *d;
	const char *last;

	e->symbols = elf_getdata(symbols, NULL);
	e->symbol_size = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
	e->n_symbols = e->symbols && e->symbols->d_buf ? e->symbols->d_size / e->symbol_size : 0;
	e->names_size = 0;
	if (!names || !gelf_getshdr(names, &sh) || sh.sh_type != SHT_STRTAB)
		return;
	d = elf_rawdata(names, NULL);
	last = d && d->d_buf ? memrchr(d->d_buf, 0, d->d_size) : NULL;
	if (!last)
		return;
	e->names = d->d_buf;
	e->names_size = (size_t)(last - e->names) + 1;
}

/* Finds what every user of the file needs: the build-id and the symbols. */
static void read_sections(struct elf_file *e)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_NOTE && !e->build_id) {
			Elf_Data *d = elf_rawdata(scn, NULL);

			if (d && d->d_buf)
				e->build_id = elf_build_id_of_notes(d->d_buf, d->d_size);
		}
		/* .symtab wins over .dynsym. */
		if (sh.sh_type != SHT_SYMTAB && (sh.sh_type != SHT_DYNSYM || e->symbols))
			continue;
		if (sh.sh_entsize == 0)
			continue;
		use_symbols(e, scn, sh.sh_link);
	}
}

/* Takes over the mapping and ELF, also when it fails. */
static struct elf_file *elf_create(const char *name, Elf *elf, void *map, size_t map_size)
{
	struct elf_file *e = xmalloc(sizeof(*e));

	*e = (struct elf_file){
		.path = arena_strdup(&program_arena, name), .elf = elf, .map = map, .map_size = map_size,
	};
	if (!e->elf || elf_kind(e->elf) != ELF_K_ELF || elf_getshdrnum(e->elf, &e->n_sections)) {
		elf_close(e);
		errno = ENOEXEC;
		return NULL;
	}
	read_sections(e);
	if (e->n_symbols > SYMBOLS_MAX) {
		elf_close(e);
		errno = EFBIG;
		return NULL;
	}
	return e;
}

/* Returns a copy of the file FD, of SIZE bytes, in a mapping of its own, where holes take no memory. MAP_FAILED: errno. */
static void *copy_file(int fd, size_t size)
{
	char *copy;
	off_t at = 0, end;

	if (size > COPIED_MAX) {
		errno = EFBIG;
		return MAP_FAILED;
	}
	copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	while (copy != MAP_FAILED && (at = lseek(fd, at, SEEK_DATA)) >= 0 && (size_t)at < size) {
		end = lseek(fd, at, SEEK_HOLE);
		while (at < end && (size_t)at < size) {
			size_t left = (size_t)end < size ? (size_t)(end - at) : size - (size_t)at;
			ssize_t n = pread(fd, copy + at, left, at);

			if (n <= 0) {
				munmap(copy, size);
				errno = n < 0 ? errno : EIO;
				return MAP_FAILED;
			}
			at += n;
		}
	}
	return copy;
}

/* Maps the file FD. One that another user can write while it is read is copied first, or libelf and libdw would check one thing and use
 * another. */
static void *map_file(int fd, size_t size, bool *ret_copied)
{
	const char *why;

	*ret_copied = !trust_fd(fd, &why);
	/* Private and writable: libelf changes headers of sections where it unpacks them. Mapped here and not by libelf, which would read
	 * where it cannot map, and reads the mapping before anybody could make that safe. */
	return *ret_copied ? copy_file(fd, size) : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
}

struct elf_file *elf_open(const char *path)
{
	int fd = open_regular(path);
	struct elf_file *e;
	GElf_Ehdr h;
	void *map = MAP_FAILED;
	bool copied = false;
	struct stat st;
	int why = ENOEXEC;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	elf_version(EV_CURRENT);
	if (!fstat(fd, &st) && st.st_size) {
		map = map_file(fd, (size_t)st.st_size, &copied);
		why = errno;
	}
	close(fd);
	if (map == MAP_FAILED) {
		errno = why;
		return NULL;
	}
	mapped_begin(path, map, (size_t)st.st_size);
	e = elf_create(path, elf_memory(map, (size_t)st.st_size), map, (size_t)st.st_size);
	if (e)
		e->kept = copied;
	if (e && gelf_getehdr(e->elf, &h) && h.e_type == ET_REL) {
		e->kept = true;
		elf_lay_out(e);
	}
	return e;
}

struct elf_file *elf_in_memory(const char *name, char *p, size_t size)
{
	elf_version(EV_CURRENT);
	return elf_create(name, elf_memory(p, size), NULL, 0);
}

void elf_release_pages(const struct elf_file *e)
{
	if (e->map && !e->kept)
		madvise(e->map, e->map_size, MADV_DONTNEED);
}

void elf_close(struct elf_file *e)
{
	if (!e)
		return;
	elf_end(e->elf);
	if (e->map) {
		mapped_end(e->map);
		munmap(e->map, e->map_size);
	}
	free(e->table);
	free(e->anchors);
	free(e->functions);
	free(e);
}

/* The first section for which FN says true. */
static Elf_Scn *find_section(const struct elf_file *e, GElf_Shdr *sh,
			     bool (*fn)(const GElf_Shdr *sh, const char *name, const void *key),
			     const void *key)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(e->elf, &names))
		return NULL;
	while ((scn = elf_nextscn(e->elf, scn))) {
		const char *name = gelf_getshdr(scn, sh) ? elf_strptr(e->elf, names, sh->sh_name) : NULL;

		if (name && fn(sh, name, key))
			return scn;
	}
	return NULL;
}

static bool section_named(const GElf_Shdr *sh, const char *name, const void *key)
{
	return !strcmp(name, key);
}

/* Only sections that are loaded have addresses. */
static bool section_holds(const GElf_Shdr *sh, const char *name, const void *key)
{
	uint64_t address = *(const uint64_t *)key;

	return (sh->sh_flags & SHF_ALLOC) && address >= sh->sh_addr &&
	       address - sh->sh_addr < sh->sh_size;
}

bool elf_section(const struct elf_file *e, const char *name, const void **ret, size_t *ret_size)
{
	GElf_Shdr sh;
	Elf_Scn *scn = find_section(e, &sh, section_named, name);
	Elf_Data *d = scn && sh.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;

	if (!d || !d->d_buf)
		return false;
	*ret = d->d_buf;
	*ret_size = d->d_size;
	return true;
}

const char *elf_section_at(const struct elf_file *e, uint64_t address)
{
	GElf_Shdr sh;
	size_t names;

	if (!find_section(e, &sh, section_holds, &address) || elf_getshdrstrndx(e->elf, &names))
		return NULL;
	return elf_strptr(e->elf, names, sh.sh_name);
}

bool elf_is_per_cpu(const struct elf_file *e, uint64_t address)
{
	const char *section = elf_section_at(e, address);

	return section && strstr(section, "percpu");
}

bool elf_segment(const struct elf_file *e, uint32_t type, uint64_t address, GElf_Phdr *ret)
{
	size_t n;

	if (elf_getphdrnum(e->elf, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(e->elf, (int)i, ret) && ret->p_type == type && address >= ret->p_vaddr &&
		    address - ret->p_vaddr < ret->p_memsz)
			return true;
	return false;
}

const void *elf_bytes_from(const struct elf_file *e, uint64_t address, size_t *ret_left)
{
	GElf_Shdr sh;
	Elf_Scn *scn = find_section(e, &sh, section_holds, &address);
	Elf_Data *d = scn && sh.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;

	if (!d || !d->d_buf || address - sh.sh_addr > d->d_size)
		return NULL;
	*ret_left = d->d_size - (address - sh.sh_addr);
	return (const char *)d->d_buf + (address - sh.sh_addr);
}

const void *elf_bytes(const struct elf_file *e, uint64_t address, size_t size)
{
	size_t left;
	const void *p = elf_bytes_from(e, address, &left);

	return p && size <= left ? p : NULL;
}

static void read_symbol(const struct elf_file *e, size_t i, GElf_Sym *ret)
{
	const char *at = (const char *)e->symbols->d_buf + i * e->symbol_size;
	Elf32_Sym s;

	if (e->symbol_size == sizeof(*ret)) {
		memcpy(ret, at, sizeof(*ret));
		return;
	}
	memcpy(&s, at, sizeof(s));
	*ret = (GElf_Sym){ .st_name = s.st_name, .st_info = s.st_info, .st_other = s.st_other, .st_shndx = s.st_shndx,
			   .st_value = s.st_value, .st_size = s.st_size };
}

const char *elf_symbol_name(const struct elf_file *e, size_t i, GElf_Sym *ret)
{
	read_symbol(e, i, ret);
	return ret->st_shndx != SHN_UNDEF && ret->st_name < e->names_size ? e->names + ret->st_name : NULL;
}

/* FNV-1a, folded. */
static size_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 0x100000001b3;
	return (size_t)(h ^ h >> 29);
}

/* Of symbols of one name the first wins, as in a scan. */
static void make_table(struct elf_file *e)
{
	GElf_Sym sym;

	e->table_size = 1024;
	while (e->table_size < 2 * e->n_symbols)
		e->table_size *= 2;
	e->table = memset(xmalloc(e->table_size * sizeof(*e->table)), 0, e->table_size * sizeof(*e->table));
	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *s = elf_symbol_name(e, i, &sym);
		size_t at = s ? hash(s) & (e->table_size - 1) : 0;

		if (!s || !*s)
			continue;
		while (e->table[at])
			at = (at + 1) & (e->table_size - 1);
		e->table[at] = (uint32_t)i + 1;
	}
}

/* Is symbol I called NAME, and GLOBAL if that is asked for? */
static bool is_symbol(const struct elf_file *e, size_t i, const char *name, bool global, GElf_Sym *ret)
{
	const char *s = elf_symbol_name(e, i, ret);

	return s && !strcmp(s, name) && (!global || GELF_ST_BIND(ret->st_info) != STB_LOCAL);
}

/* The first symbol NAME, the first GLOBAL one if that is asked for; false: none. */
static bool find_symbol(struct elf_file *e, const char *name, bool global, GElf_Sym *ret)
{
	/* A scan costs about a quarter of what the table does. */
	enum { SCANS = 4 };

	if (e->lookups++ == SCANS)
		make_table(e);
	if (!e->table) {
		for (size_t i = 0; i < e->n_symbols; i++)
			if (is_symbol(e, i, name, global, ret))
				return true;
		return false;
	}
	for (size_t at = hash(name) & (e->table_size - 1); e->table[at]; at = (at + 1) & (e->table_size - 1))
		if (is_symbol(e, e->table[at] - 1, name, global, ret))
			return true;
	return false;
}

size_t elf_function(struct elf_file *e, const char *name, GElf_Sym *ret)
{
	size_t found = 0;
	GElf_Sym sym;

	if (!e->table)
		make_table(e);
	for (size_t at = hash(name) & (e->table_size - 1); e->table[at]; at = (at + 1) & (e->table_size - 1)) {
		if (!is_symbol(e, e->table[at] - 1, name, false, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		*ret = sym;
		found++;
	}
	return found;
}

uint64_t elf_symbol(struct elf_file *e, const char *name)
{
	GElf_Sym sym;

	return find_symbol(e, name, false, &sym) ? sym.st_value : 0;
}

bool elf_declared(const struct elf_file *e, const char *name, GElf_Sym *ret)
{
	size_t found = 0;

	for (size_t i = 0; i < e->n_symbols; i++) {
		GElf_Sym sym;

		read_symbol(e, i, &sym);
		if (sym.st_name >= e->names_size || strcmp(e->names + sym.st_name, name))
			continue;
		if (sym.st_shndx == SHN_UNDEF)
			return false;
		found++;
		*ret = sym;
		if (GELF_ST_BIND(sym.st_info) != STB_LOCAL)
			return true;
	}
	return found == 1;
}

bool elf_thread_local(const struct elf_file *e, const char *name, const char *file, GElf_Sym *ret)
{
	bool in_file = false;

	/* A file's local symbols follow the symbol of its name. */
	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *s = elf_symbol_name(e, i, ret);

		if (s && GELF_ST_TYPE(ret->st_info) == STT_FILE)
			in_file = !strcmp(s, file);
		if (s && in_file && GELF_ST_TYPE(ret->st_info) == STT_TLS && !strcmp(s, name))
			return GELF_ST_BIND(ret->st_info) == STB_LOCAL;
	}
	return false;
}

void elf_linker_symbols(const struct elf_file *e, const char *const *names, size_t n, uint64_t *ret)
{
	memset(ret, 0, n * sizeof(*ret));
	for (size_t i = 0; i < e->n_symbols; i++) {
		GElf_Sym sym;
		const char *s = elf_symbol_name(e, i, &sym);

		/* Names are scattered: those of most symbols are not looked at. */
		if (GELF_ST_TYPE(sym.st_info) != STT_NOTYPE)
			continue;
		for (size_t k = 0; s && k < n; k++)
			if (*s == *names[k] && !ret[k] && !strcmp(s, names[k]))
				ret[k] = sym.st_value;
	}
}

bool elf_is_global(struct elf_file *e, const char *name)
{
	GElf_Sym sym;

	return find_symbol(e, name, true, &sym);
}

/* Returns the name of symbol I, NULL when it is not a variable. */
static const char *object_name(const struct elf_file *e, size_t i, GElf_Sym *ret)
{
	const char *name = elf_symbol_name(e, i, ret);

	return name && GELF_ST_TYPE(ret->st_info) == STT_OBJECT ? name : NULL;
}

unsigned elf_object(const struct elf_file *e, const char *name, GElf_Sym *ret)
{
	unsigned found = 0;

	for (size_t i = 0; i < e->n_symbols; i++) {
		GElf_Sym sym;
		const char *s = object_name(e, i, &sym);
		bool global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;

		if (!s || strcmp(s, name) || (found && !global && sym.st_value == ret->st_value))
			continue;
		*ret = sym;
		if (global)
			return 1;
		found++;
	}
	return found;
}

void elf_object_names(const struct elf_file *e, void (*fn)(const char *name, void *data), void *data)
{
	for (size_t i = 0; i < e->n_symbols; i++) {
		GElf_Sym sym;
		const char *s = object_name(e, i, &sym);

		if (s)
			fn(s, data);
	}
}

uint64_t elf_code_start(const struct elf_file *e)
{
	uint64_t lowest = UINT64_MAX;
	GElf_Phdr ph;
	size_t n;

	if (elf_getphdrnum(e->elf, &n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(e->elf, (int)i, &ph) && ph.p_type == PT_LOAD && ph.p_flags & PF_X && ph.p_vaddr < lowest)
			lowest = ph.p_vaddr;
	return lowest == UINT64_MAX ? 0 : lowest;
}

const struct machine *elf_machine(const struct elf_file *e)
{
	GElf_Ehdr h;

	return gelf_getehdr(e->elf, &h) ? machine_of_elf(h.e_machine) : NULL;
}

bool elf_relocation(Elf_Data *data, int i, unsigned type, GElf_Rela *ret)
{
	GElf_Rel rel;

	if (type == SHT_RELA)
		return gelf_getrela(data, i, ret);
	if (!gelf_getrel(data, i, &rel))
		return false;
	*ret = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
	return true;
}

/* Functions of assembly may have no size: they hold their first address. */
static uint64_t function_end(const GElf_Sym *sym)
{
	return sym->st_value + (sym->st_size ? sym->st_size : 1);
}

static void scan_functions(const struct elf_file *e, struct elf_lookup *l, size_t n)
{
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		uint64_t end;
		const char *s = elf_symbol_name(e, i, &sym);

		if (!s || GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		end = function_end(&sym);
		for (size_t k = rows_before(&sym.st_value, l, n, sizeof(*l), by_number);
		     k < n && l[k].address < end; k++) {
			/* Of aliases the global one is what the kernel's tables resolve first. */
			if (!l[k].symbol || GELF_ST_BIND(sym.st_info) == STB_GLOBAL) {
				l[k].symbol = s;
				l[k].symbol_address = sym.st_value;
				l[k].symbol_end = end;
			}
		}
	}
}

/* A function symbol, in a table by address. */
struct elf_function {
	uint64_t address, end;
	const char *name;
	uint64_t reach;   /* the highest end of all up to this one */
	uint32_t number;  /* of the symbol */
	bool global;
};

static int by_start(const void *va, const void *vb)
{
	const struct elf_function *a = va, *b = vb;
	int c = order_of(a->address, b->address);

	return c ? c : order_of(a->number, b->number);
}

static void make_functions(struct elf_file *e)
{
	struct elf_function *all = xmalloc((e->n_symbols + 1) * sizeof(*all));
	uint64_t reach = 0;
	size_t n = 0;
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *s = elf_symbol_name(e, i, &sym);

		if (s && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			all[n++] = (struct elf_function){ .name = s, .address = sym.st_value, .end = function_end(&sym),
							  .number = (uint32_t)i,
							  .global = GELF_ST_BIND(sym.st_info) == STB_GLOBAL };
	}
	sort_rows(all, n, by_start);
	for (size_t i = 0; i < n; i++)
		all[i].reach = reach = all[i].end > reach ? all[i].end : reach;
	e->functions = all;
	e->n_functions = n;
}

/* Is A the better name of an address that both hold? As in scan_functions(): the last global one, else the first. */
static bool preferred(const struct elf_function *a, const struct elf_function *b)
{
	if (!b || a->global != b->global)
		return !b || a->global;
	return a->global ? a->number > b->number : a->number < b->number;
}

static void look_up_function(const struct elf_file *e, struct elf_lookup *l)
{
	const struct elf_function *best = NULL;

	for (size_t i = rows_up_to(l->address, e->functions, e->n_functions, sizeof(*e->functions));
	     i && e->functions[i - 1].reach > l->address; i--) {
		const struct elf_function *f = &e->functions[i - 1];

		if (f->end > l->address && preferred(f, best))
			best = f;
	}
	if (best)
		*l = (struct elf_lookup){ l->address, best->name, best->address, best->end };
}

/* Lookups of few addresses at a time that pay for the table. A script with one probe gets by without it. */
enum { SCANS_MAX = 8, FEW_LOOKUPS = 64 };

void elf_find_functions(struct elf_file *e, struct elf_lookup *l, size_t n)
{
	if (!e->functions && (n > FEW_LOOKUPS || e->scans++ < SCANS_MAX)) {
		scan_functions(e, l, n);
		return;
	}
	if (!e->functions)
		make_functions(e);
	for (size_t i = 0; i < n; i++)
		look_up_function(e, &l[i]);
}

uint64_t elf_next_function(const struct elf_file *e, uint64_t address)
{
	uint64_t next = UINT64_MAX;
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++)
		if (elf_symbol_name(e, i, &sym) && GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value > address && sym.st_value < next)
			next = sym.st_value;
	return next;
}

/* ---- anchors ---- */
struct elf_anchor {
	uint64_t address;
	const char *name;
	unsigned section;
	unsigned index;  /* in the symbol table */
	int number;      /* among the symbols of that name that a loaded module keeps; -1: no other has the name */
};

static int by_name(const void *va, const void *vb)
{
	const struct elf_anchor *a = va, *b = vb;
	int order = strcmp(a->name, b->name);

	return order ? order : order_of(a->index, b->index);
}

/* Does the kernel free section SECTION after the module's init function? */
static bool is_init(const struct elf_file *e, unsigned section)
{
	Elf_Scn *scn = elf_getscn(e->elf, section);
	const char *name = NULL;
	size_t names;
	GElf_Shdr sh;

	if (scn && gelf_getshdr(scn, &sh) && !elf_getshdrstrndx(e->elf, &names))
		name = elf_strptr(e->elf, names, sh.sh_name);
	return name && !strncmp(name, ".init", 5);
}

/* Numbers the symbols of one name. Those of .init are not counted, since they go with it. */
static void number_anchors(const struct elf_file *e, struct elf_anchor *all, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		int number = 0;

		for (end = i + 1; end < n && !strcmp(all[i].name, all[end].name);)
			end++;
		for (size_t j = i; j < end && end - i > 1; j++) {
			all[j].number = number;
			number += !is_init(e, all[j].section);
		}
	}
}

static void make_anchors(struct elf_file *e)
{
	struct elf_anchor *all = xmalloc((e->n_symbols + 1) * sizeof(*all));
	size_t n = 0;
	GElf_Sym sym;

	for (size_t i = 0; i < e->n_symbols; i++) {
		const char *s = elf_symbol_name(e, i, &sym);

		/* Names that begin with a dot are the assembler's: no symbol table of a kernel keeps them. */
		if (s && *s && *s != '.' && GELF_ST_TYPE(sym.st_info) <= STT_FUNC && sym.st_shndx != SHN_UNDEF &&
		    sym.st_shndx < SHN_LORESERVE)
			all[n++] = (struct elf_anchor){ sym.st_value, s, sym.st_shndx, (unsigned)i, -1 };
	}
	sort_rows(all, n, by_name);
	number_anchors(e, all, n);
	sort_rows(all, n, by_number);
	e->anchors = all;
	e->n_anchors = n;
}

/* Returns the last symbol of SECTION, which begins at START, up to ADDRESS: one whose name no other has, if there is one. */
static const struct elf_anchor *find_anchor(const struct elf_file *e, uint64_t address, unsigned section, uint64_t start)
{
	size_t lo = rows_up_to(address, e->anchors, e->n_anchors, sizeof(*e->anchors));
	const struct elf_anchor *found = NULL;

	for (; lo && e->anchors[lo - 1].address >= start; lo--) {
		const struct elf_anchor *a = &e->anchors[lo - 1];

		if (a->section == section && a->number < 0)
			return a;
		if (a->section == section && !found)
			found = a;
	}
	return found && !is_init(e, section) ? found : NULL;
}

/* Is SH among the sections that a loaded module has beside its build-id's note: constants, which are not freed? */
static bool is_constant(const GElf_Shdr *sh, const char *name)
{
	static const char *const dropped[] = { ".modinfo", "__version", ".init", NULL };

	for (const char *const *d = dropped; *d; d++)
		if (!strncmp(name, *d, strlen(*d)))
			return false;
	return (sh->sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) == SHF_ALLOC;
}

/* Finds the distance of ADDRESS, in a section of constants, from the build-id's note in a loaded module. The kernel lays such sections out one
 * after the other. False: it is in another section, or there is no note. */
static bool distance_from_note(const struct elf_file *e, uint64_t address, uint64_t *ret)
{
	uint64_t at = 0, note = 0, found = 0;
	bool has_note = false, has_address = false;
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(e->elf, &names))
		return false;
	while ((scn = elf_nextscn(e->elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(e->elf, names, sh.sh_name) : NULL;
		uint64_t align = sh.sh_addralign ? sh.sh_addralign : 1;

		if (!name || !is_constant(&sh, name))
			continue;
		at = (at + align - 1) / align * align;
		if (!strcmp(name, ".note.gnu.build-id")) {
			has_note = true;
			note = at;
		}
		if (address >= sh.sh_addr && address - sh.sh_addr < sh.sh_size) {
			has_address = true;
			found = at + (address - sh.sh_addr);
		}
		at += sh.sh_size;
	}
	*ret = found - note;
	return has_note && has_address;
}

bool elf_anchor(struct elf_file *e, uint64_t address, const char **ret_symbol, uint64_t *ret_offset)
{
	const struct elf_anchor *a;
	GElf_Shdr sh;
	Elf_Scn *scn = find_section(e, &sh, section_holds, &address);

	if (!scn)
		return false;
	if (!e->anchors)
		make_anchors(e);
	a = find_anchor(e, address, (unsigned)elf_ndxscn(scn), sh.sh_addr);
	if (!a) {
		*ret_symbol = "";
		return distance_from_note(e, address, ret_offset);
	}
	*ret_symbol = a->number < 0 ? a->name : arena_printf(&program_arena, "%s#%d", a->name, a->number);
	*ret_offset = address - a->address;
	return true;
}

bool elf_has_section(const struct elf_file *e, const char *name)
{
	GElf_Shdr sh;

	return find_section(e, &sh, section_named, name) != NULL;
}

uint64_t elf_section_address(const struct elf_file *e, const char *name)
{
	GElf_Shdr sh;

	return find_section(e, &sh, section_named, name) ? sh.sh_addr : 0;
}
