/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The finished module as a file: its name, and whether the kernel will take it. */
#include "translator/module/build.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "runtime/abi.h"

/* An open ELF file. */
struct file {
	int fd;
	Elf *elf;
	size_t names; /* section of section names */
};

static void file_close(struct file *f)
{
	if (f->elf)
		elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
}

/* 0 or -errno; -ENOEXEC: not an ELF relocatable. */
static int file_open(struct file *f, const char *path, int flags)
{
	GElf_Ehdr eh;

	*f = (struct file){ .fd = open(path, flags | O_CLOEXEC) };
	if (f->fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	f->elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	if (f->elf && gelf_getehdr(f->elf, &eh) && eh.e_type == ET_REL && !elf_getshdrstrndx(f->elf, &f->names))
		return 0;
	file_close(f);
	return -ENOEXEC;
}

/* The section NAME; NULL: none. */
static Elf_Scn *section(const struct file *f, const char *name, GElf_Shdr *ret)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(f->elf, s));) {
		const char *n;

		if (gelf_getshdr(s, ret) && (n = elf_strptr(f->elf, f->names, ret->sh_name)) && !strcmp(n, name))
			return s;
	}
	return NULL;
}

/* Replaces the name FROM in a section with TO, padded with zeros. Returns 0 or -errno. */
static int overwrite(const struct file *f, const char *section_name, const char *from, const char *to)
{
	char old[sizeof(KIT_NAME)] = { 0 }, new[sizeof(KIT_NAME)] = { 0 };
	GElf_Shdr sh;
	Elf_Scn *s = section(f, section_name, &sh);
	Elf_Data *data = s ? elf_rawdata(s, NULL) : NULL;
	const char *at;

	if (!data || !data->d_buf)
		return -ENOEXEC;
	/* The whole field is looked for: a short name without its zeros might be found elsewhere. */
	memcpy(old, from, strlen(from));
	memcpy(new, to, strlen(to));
	at = memmem(data->d_buf, data->d_size, old, sizeof(old));
	if (!at)
		return -ENOENT;
	if (pwrite(f->fd, new, sizeof(new), (off_t)sh.sh_offset + (at - (const char *)data->d_buf)) !=
	    (ssize_t)sizeof(new))
		return -EIO;
	return 0;
}

int module_set_name(const char *ko, const char *from, const char *to)
{
	struct file f;
	int rc;

	if (strlen(to) >= sizeof(KIT_NAME) || strlen(from) >= sizeof(KIT_NAME))
		return -ENAMETOOLONG;
	rc = file_open(&f, ko, O_RDWR);
	if (rc)
		return rc;
	rc = overwrite(&f, ".gnu.linkonce.this_module", from, to);
	if (!rc)
		rc = overwrite(&f, ".modinfo", from, to);
	file_close(&f);
	return rc;
}

int module_set_stack(const char *ko, uint32_t bytes)
{
	struct file f;
	GElf_Shdr sh;
	int rc = file_open(&f, ko, O_RDWR);

	if (rc)
		return rc;
	if (!section(&f, KT_STACK_SECTION, &sh) || sh.sh_size != sizeof(bytes))
		rc = -ENOEXEC;
	else if (pwrite(f.fd, &bytes, sizeof(bytes), (off_t)sh.sh_offset) != (ssize_t)sizeof(bytes))
		rc = -EIO;
	file_close(&f);
	return rc;
}

/* ---- checking ---- */
/* The value of KEY in .modinfo; NULL: none. */
static const char *modinfo(const struct file *f, const char *key)
{
	GElf_Shdr sh;
	Elf_Scn *s = section(f, ".modinfo", &sh);
	Elf_Data *data = s ? elf_rawdata(s, NULL) : NULL;
	size_t len = strlen(key);

	if (!data || !data->d_size || ((char *)data->d_buf)[data->d_size - 1])
		return NULL;
	for (const char *p = data->d_buf, *end = p + data->d_size; p < end; p += strlen(p) + 1)
		if (!strncmp(p, key, len) && p[len] == '=')
			return p + len + 1;
	return NULL;
}

/* Names of undefined symbols, sorted; the caller frees the array. They live as long as F. */
static const char **undefined_symbols(const struct file *f, size_t *ret_n)
{
	GElf_Shdr sh;
	Elf_Scn *s = section(f, ".symtab", &sh);
	Elf_Data *data = s ? elf_getdata(s, NULL) : NULL;
	const char **list = xmalloc(sizeof(*list) * (data && sh.sh_entsize ? sh.sh_size / sh.sh_entsize + 1 : 1));

	*ret_n = 0;
	for (int i = 1; data && sh.sh_entsize && i < (int)(sh.sh_size / sh.sh_entsize); i++) {
		GElf_Sym sym;
		const char *name;

		if (gelf_getsym(data, i, &sym) && sym.st_shndx == SHN_UNDEF &&
		    (name = elf_strptr(f->elf, sh.sh_link, sym.st_name)) && *name)
			list[(*ret_n)++] = name;
	}
	sort_rows(list, *ret_n, by_string);
	return list;
}

const char **module_imports(const char *ko)
{
	const char **names, **ret;
	size_t n, n_ret = 0;
	struct file f;

	if (file_open(&f, ko, O_RDONLY))
		return NULL;
	names = undefined_symbols(&f, &n);
	ret = arena_array(&program_arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], "__this_module")) /* modpost defines it */
			ret[n_ret++] = arena_strdup(&program_arena, names[i]);
	ret[n_ret] = NULL;
	free(names);
	file_close(&f);
	return ret;
}

const char **module_unknown(const char *ko, const char *kit_ko, enum module_versions *ret)
{
	const char **mine, **known, **list;
	size_t n, n_kit, n_list = 0;
	struct file f, kit;
	GElf_Shdr sh;

	if (file_open(&f, ko, O_RDONLY))
		return NULL;
	if (file_open(&kit, kit_ko, O_RDONLY)) {
		file_close(&f);
		return NULL;
	}
	*ret = section(&kit, "__version_ext_crcs", &sh) ? VERSIONS_EXTENDED :
	       section(&kit, "__versions", &sh) ? VERSIONS_BASIC : VERSIONS_NONE;
	mine = undefined_symbols(&f, &n);
	known = undefined_symbols(&kit, &n_kit);
	list = arena_array(&program_arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		if (!bsearch(&mine[i], known, n_kit, sizeof(*known), by_string))
			list[n_list++] = arena_strdup(&program_arena, mine[i]);
	list[n_list] = NULL;
	free(mine);
	free(known);
	file_close(&kit);
	file_close(&f);
	return list;
}

static const char *check_open(const struct file *ko, const struct kernel *k)
{
	const char *magic = modinfo(ko, "vermagic");
	size_t len = strlen(k->release);
	GElf_Shdr sh;

	if (!section(ko, ".gnu.linkonce.this_module", &sh))
		return "it has no module structure";
	if (!magic || strncmp(magic, k->release, len) || magic[len] != ' ')
		return arena_printf(&program_arena, "it is for kernel '%s', not %s", magic ? magic : "?", k->release);
	return NULL;
}

const char *module_check(const char *ko, const struct kernel *k)
{
	struct file f;
	int rc = file_open(&f, ko, O_RDONLY);
	const char *wrong;

	if (rc)
		return arena_printf(&program_arena, "it cannot be read: %s", strerror(-rc));
	wrong = check_open(&f, k);
	file_close(&f);
	return wrong;
}
