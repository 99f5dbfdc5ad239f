/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a module file: it must be an ELF relocatable of ours (".modinfo" holds ktap=abi=N). Nothing in it is trusted:
 * every offset is checked against the size of the file.
 */
#include "runtime/loader/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/regular.h"
#include "runtime/loader/bundle.h"
#include "runtime/loader/elffile.h"

enum { IMAGE_MAX = 1 << 28, MODULE_NAME_LEN = 64 - sizeof(unsigned long) };

struct bytes {
	const char *at;
	size_t len;
};

/* Returns the bytes of section S; none when they are not all in FILE. */
static struct bytes section_bytes(struct bytes file, const Elf64_Shdr *s)
{
	if (s->sh_offset > file.len || s->sh_size > file.len - s->sh_offset)
		return (struct bytes){ 0 };
	return (struct bytes){ file.at + s->sh_offset, s->sh_size };
}

/* Section NAME of a 64-bit ELF file, .at NULL: none. */
static struct bytes find_section(struct bytes file, const char *name)
{
	const Elf64_Ehdr *e = (const void *)file.at;
	const Elf64_Shdr *s;
	struct bytes names;

	if (file.len < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_type != ET_REL || e->e_shoff > file.len || e->e_shoff % 8 ||
	    (file.len - e->e_shoff) / sizeof(*s) < e->e_shnum || e->e_shstrndx >= e->e_shnum)
		return (struct bytes){ 0 };
	s = (const void *)(file.at + e->e_shoff);
	names = section_bytes(file, &s[e->e_shstrndx]);
	for (unsigned int i = 0; i < e->e_shnum; i++)
		if (s[i].sh_name < names.len && names.len - s[i].sh_name > strlen(name) &&
		    !memcmp(names.at + s[i].sh_name, name, strlen(name) + 1) && s[i].sh_type != SHT_NOBITS)
			return section_bytes(file, &s[i]);
	return (struct bytes){ 0 };
}

/* Value of KEY in the "key=value\0..." strings of .modinfo, .at NULL: no such key. */
static struct bytes find_value(struct bytes info, const char *key)
{
	size_t n = strlen(key);

	for (size_t at = 0; at < info.len;) {
		size_t len = strnlen(info.at + at, info.len - at);

		if (len > n && !memcmp(info.at + at, key, n) && info.at[at + n] == '=')
			return (struct bytes){ info.at + at + n + 1, len - n - 1 };
		at += len + 1;
	}
	return (struct bytes){ 0 };
}

/* The same copied to RET; false: no such key. */
static bool find_info(struct bytes info, const char *key, char *ret, size_t size)
{
	struct bytes value = find_value(info, key);

	if (value.at)
		snprintf(ret, size, "%.*s", (int)value.len, value.at);
	return value.at != NULL;
}

/* Where S has the module's name, followed by zeros for the longest one. NULL: nowhere. Where struct module has it depends on the kernel:
 * CONFIG_RANDSTRUCT changes the order of its members. */
static const char *find_name(struct bytes s, const char *name)
{
	char field[MODULE_NAME_LEN] = { 0 };

	memcpy(field, name, strlen(name));
	return s.at ? memmem(s.at, s.len, field, sizeof(field)) : NULL;
}

/* Bytes of the signature that the kernel looks for at the end of FILE, 0: none. */
static size_t signature_size(struct bytes file)
{
	static const char marker[] = "~Module signature appended~\n";
	/* As the kernel defines it; LENGTH is that of the message in front of it, big endian. */
	struct { unsigned char kinds[8], length[4]; } info;
	size_t tail = sizeof(info) + sizeof(marker) - 1, len;

	if (file.len < tail || memcmp(file.at + file.len - sizeof(marker) + 1, marker, sizeof(marker) - 1))
		return 0;
	memcpy(&info, file.at + file.len - tail, sizeof(info));
	len = (size_t)info.length[0] << 24 | (size_t)info.length[1] << 16 | (size_t)info.length[2] << 8 | info.length[3];
	return len <= file.len - tail ? len + tail : 0;
}

/* Names of files end up in messages on a terminal. */
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
static const char name_letters[] = LETTERS, release_letters[] = LETTERS ".+~:";

bool image_read(struct image *m, struct span span, const char *path)
{
	struct bytes file = { (const char *)span.at, span.size };
	struct bytes info = find_section(file, ".modinfo");
	struct bytes this = find_section(file, ".gnu.linkonce.this_module");
	struct bytes python = find_value(info, "ktap_python"), arrays = find_value(info, "ktap_arrays");
	char value[256];

	if (!info.at || !this.at)
		return error(nowhere, DIAG_RUN, "'%s' is not a kernel module", path);
	if (!find_info(info, "ktap", value, sizeof(value)) || sscanf(value, "abi=%d", &m->abi) != 1) {
		error(nowhere, DIAG_RUN, "'%s' is a kernel module, but not one that ktap built", path);
		note(nowhere, "build one with: ktap -p4 -m NAME SCRIPT");
		return false;
	}
	if (!find_info(info, "name", m->name, MODULE_NAME_LEN) || !m->name[0] || m->name[strspn(m->name, name_letters)] ||
	    !find_name(this, m->name))
		return error(nowhere, DIAG_RUN, "'%s' has no module name", path);
	if (find_info(info, "vermagic", value, sizeof(value)))
		snprintf(m->release, sizeof(m->release), "%.*s", (int)strspn(value, release_letters), value);
	if (python.at)
		m->python = strndup(python.at, python.len);
	if (arrays.at)
		m->arrays = strndup(arrays.at, arrays.len);
	m->signature = signature_size(file);
	return true;
}

bool image_open(const struct loader_sys *sys, struct image *m, const char *path, bool list)
{
	struct span file;
	struct stat st;
	bool ok = false;
	int given;

	*m = (struct image){ .fd = open_regular(path) };
	/* ktap hands the module over by this name; the commands of the session shall not inherit it. */
	if (sscanf(path, "/proc/self/fd/%d", &given) == 1)
		fcntl(given, F_SETFD, FD_CLOEXEC);
	if (m->fd < 0 || fstat(m->fd, &st) < 0) {
		error(nowhere, DIAG_RUN, "cannot open module '%s': %s", path, m->fd < 0 ? regular_failure(m->fd) : strerror(errno));
		image_close(m);
		return false;
	}
	if (!st.st_size) {
		error(nowhere, DIAG_RUN, "'%s' is not a kernel module", path);
		image_close(m);
		return false;
	}
	file = file_copy(m->fd, IMAGE_MAX);
	if (!file.at)
		error(nowhere, DIAG_RUN, "cannot read module '%s': %s", path, strerror(errno));
	else
		ok = bundle_is(file) ? bundle_choose(sys, m, file, path, list) : image_read(m, file, path);
	free((void *)(size_t)file.at);
	if (!ok)
		image_close(m);
	return ok;
}

/* Writes TO over the name FROM in S; false: it is not there. */
static bool overwrite_name(char *file, struct bytes s, const char *from, const char *to)
{
	const char *at = find_name(s, from);

	if (!at)
		return false;
	memset(file + (at - file), 0, MODULE_NAME_LEN);
	memcpy(file + (at - file), to, strlen(to));
	return true;
}

char *image_renamed(const struct image *m, const char *to, size_t *ret_len)
{
	_cleanup_free_ char *copy = NULL;
	struct bytes file = { 0 };
	struct stat st;

	if (strlen(to) >= MODULE_NAME_LEN || fstat(m->fd, &st) < 0 || (size_t)st.st_size < m->signature)
		return NULL;
	file.len = (size_t)st.st_size;
	file.at = copy = xmalloc(file.len);
	if (pread(m->fd, copy, file.len, 0) != (ssize_t)file.len ||
	    !overwrite_name(copy, find_section(file, ".gnu.linkonce.this_module"), m->name, to) ||
	    !overwrite_name(copy, find_section(file, ".modinfo"), m->name, to))
		return NULL;
	*ret_len = file.len - m->signature;
	file.at = copy;
	copy = NULL;
	return (char *)file.at;
}

void image_close(struct image *m)
{
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
	free(m->python);
	free(m->arrays);
	m->python = m->arrays = NULL;
}
