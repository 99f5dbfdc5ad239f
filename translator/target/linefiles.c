/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line table headers, versions 2 to 5. Every read is checked against the end of the section. */
#include "translator/target/linefiles.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/vec.h"

enum { FORMATS_MAX = 16, FILES_MAX = 1 << 20 };

/* A place in a section; `bad` once something did not fit, then every read gives 0. */
struct cursor {
	const unsigned char *p, *end;
	bool bad;
	unsigned offset_size; /* 4 or 8 */
};

/* Little endian, as all targets are. */
static uint64_t read_fixed(struct cursor *c, unsigned size)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->p) < size) {
		c->bad = true;
		return 0;
	}
	memcpy(&v, c->p, size);
	c->p += size;
	return v;
}

static uint64_t read_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && c->p < c->end; shift += 7) {
		unsigned char b = *c->p++;

		v |= (uint64_t)(b & 127) << shift;
		if (!(b & 128))
			return v;
	}
	c->bad = true;
	return 0;
}

/* Moves on by N bytes. */
static void skip(struct cursor *c, uint64_t n)
{
	if (n > (size_t)(c->end - c->p))
		c->bad = true;
	else
		c->p += n;
}

/* A string in the section itself. */
static const char *read_string(struct cursor *c)
{
	const unsigned char *s = c->p, *nul = memchr(s, 0, (size_t)(c->end - s));

	if (!nul) {
		c->bad = true;
		return "";
	}
	c->p = nul + 1;
	return (const char *)s;
}

/* A string of another section, NULL: the offset is wrong or it does not end. */
static const char *string_at(const struct bytes *b, uint64_t offset)
{
	if (offset >= b->size || !memchr(b->p + offset, 0, b->size - offset))
		return NULL;
	return (const char *)b->p + offset;
}

/* Appends PATH to OUT without "." and "..": file names of one file must be one name. */
static void append_clean(char *out, size_t *len, const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && !memcmp(path, "..", 2)) {
			while (*len && out[*len - 1] != '/')
				--*len;
			*len -= *len > 1;
		} else if (n && !(n == 1 && *path == '.')) {
			if (*len && out[*len - 1] != '/')
				out[(*len)++] = '/';
			memcpy(out + *len, path, n);
			*len += n;
		}
		path += n;
		path += *path == '/';
	}
}

/* DIR/NAME cleaned, without the directories it shares with COMP_DIR when it is absolute. */
static const char *file_name(const char *dir, const char *name, const char *comp_dir)
{
	_cleanup_free_ char *out = NULL;
	size_t len = 0, from = 0;

	if (*name == '/' || !dir)
		dir = "";
	out = xmalloc(strlen(dir) + strlen(name) + 4);
	if (*dir == '/' || (!*dir && *name == '/'))
		out[len++] = '/';
	append_clean(out, &len, dir);
	/* A relative directory that leaves the tree (../fs with O=) loses its "..": the rest names the file. */
	append_clean(out, &len, name);
	out[len] = 0;
	if (*out == '/' && comp_dir) {
		for (size_t i = 0; out[i] && out[i] == comp_dir[i]; i++)
			if (out[i] == '/')
				from = i + 1;
		if (strlen(comp_dir) < len && !strncmp(out, comp_dir, strlen(comp_dir)) &&
		    out[strlen(comp_dir)] == '/')
			from = strlen(comp_dir) + 1;
		/* Sharing the root alone means nothing. */
		if (from == 1)
			from = 0;
	}
	return intern(out + from);
}

/* One entry of a version 5 table: its name and directory. */
struct entry {
	const char *name;
	uint64_t dir;
};

/* What one column of a table means, and how it is stored. */
struct format {
	uint64_t content, form;
};

/* Forms that producers use for names; any other ends the reading. */
static const char *read_form_string(struct cursor *c, const struct line_sections *s, uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
		return read_string(c);
	case DW_FORM_line_strp:
		return string_at(&s->line_str, read_fixed(c, c->offset_size));
	case DW_FORM_strp:
		return string_at(&s->str, read_fixed(c, c->offset_size));
	}
	c->bad = true;
	return NULL;
}

/* Forms of numbers, and those of entries that are skipped. */
static uint64_t read_form_number(struct cursor *c, uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
		return read_fixed(c, 1);
	case DW_FORM_data2:
		return read_fixed(c, 2);
	case DW_FORM_data4:
		return read_fixed(c, 4);
	case DW_FORM_data8:
		return read_fixed(c, 8);
	case DW_FORM_udata:
		return read_uleb(c);
	case DW_FORM_data16: /* MD5: not a number that anyone needs */
		skip(c, 16);
		return 0;
	case DW_FORM_block:
		skip(c, read_uleb(c));
		return 0;
	}
	c->bad = true;
	return 0;
}

/* A version 5 table of directories or files; the caller frees the entries. */
static struct entry *read_table(struct cursor *c, const struct line_sections *s, size_t *ret_n)
{
	struct format formats[FORMATS_MAX];
	unsigned n_formats = (unsigned)read_fixed(c, 1);
	struct entry *entries;
	uint64_t n;

	*ret_n = 0;
	if (n_formats > FORMATS_MAX)
		c->bad = true;
	for (unsigned i = 0; i < n_formats && !c->bad; i++)
		formats[i] = (struct format){ .content = read_uleb(c), .form = read_uleb(c) };
	n = read_uleb(c);
	/* Each entry takes a byte at least: a larger count is a lie. */
	if (c->bad || !n_formats || n > FILES_MAX || n > (size_t)(c->end - c->p))
		return NULL;
	entries = xmalloc((n + 1) * sizeof(*entries));
	for (; *ret_n < n && !c->bad; ++*ret_n) {
		struct entry *e = &entries[*ret_n];

		*e = (struct entry){};
		for (unsigned i = 0; i < n_formats; i++) {
			if (formats[i].content == DW_LNCT_path)
				e->name = read_form_string(c, s, formats[i].form);
			else if (formats[i].content == DW_LNCT_directory_index)
				e->dir = read_form_number(c, formats[i].form);
			else
				read_form_number(c, formats[i].form);
		}
	}
	return entries;
}

/* Version 5: both tables describe themselves, numbers start at 0. */
static void read_v5(struct line_files *f, struct cursor *c, const struct line_sections *s,
		    const char *comp_dir)
{
	size_t n_dirs, n_files;
	_cleanup_free_ struct entry *dirs = read_table(c, s, &n_dirs);
	_cleanup_free_ struct entry *files = c->bad ? NULL : read_table(c, s, &n_files);

	if (c->bad || !files)
		return;
	f->names = xmalloc((n_files + 1) * sizeof(*f->names));
	for (size_t i = 0; i < n_files; i++) {
		const char *dir = files[i].dir < n_dirs ? dirs[files[i].dir].name : NULL;

		f->names[i] = files[i].name ? file_name(files[i].dir ? dir : NULL, files[i].name, comp_dir) : NULL;
	}
	f->n = n_files;
}

/* Versions 2 to 4: two lists of strings, numbers start at 1, directory 0 is the compilation's own. */
static void read_v4(struct line_files *f, struct cursor *c, const char *comp_dir)
{
	const char *dirs[4096];
	size_t n_dirs = 1;

	dirs[0] = NULL;
	while (!c->bad && c->p < c->end && *c->p) {
		const char *s = read_string(c);

		if (n_dirs < sizeof(dirs) / sizeof(*dirs))
			dirs[n_dirs++] = s;
	}
	skip(c, 1);
	*vec_add(f->names, f->n) = NULL;
	while (!c->bad && c->p < c->end && *c->p && f->n < FILES_MAX) {
		const char *name = read_string(c);
		uint64_t dir = read_uleb(c);

		read_uleb(c);
		read_uleb(c);
		*vec_add(f->names, f->n) = file_name(dir < n_dirs ? dirs[dir] : NULL, name, comp_dir);
	}
}

struct line_files line_files_read(const struct line_sections *s, uint64_t offset, const char *comp_dir)
{
	struct line_files f = {};
	struct cursor c = { .offset_size = 4 };
	uint64_t length;
	unsigned version;

	if (offset >= s->line.size)
		return f;
	c.p = s->line.p + offset;
	c.end = s->line.p + s->line.size;
	length = read_fixed(&c, 4);
	if (length == 0xffffffff) {
		c.offset_size = 8;
		length = read_fixed(&c, 8);
	}
	if (c.bad || length > (size_t)(c.end - c.p))
		return f;
	c.end = c.p + length;
	version = (unsigned)read_fixed(&c, 2);
	if (version < 2 || version > 5)
		return f;
	if (version == 5)
		skip(&c, 2); /* address size, segment selector size */
	skip(&c, c.offset_size);              /* header length */
	skip(&c, version >= 4 ? 5 : 4);       /* instruction lengths, default_is_stmt, line base and range */
	skip(&c, read_fixed(&c, 1) - 1);      /* operand counts of the standard opcodes */
	if (c.bad)
		return f;
	if (version == 5)
		read_v5(&f, &c, s, comp_dir);
	else
		read_v4(&f, &c, comp_dir);
	return f;
}

void line_files_deinit(struct line_files *f)
{
	free(f->names);
	*f = (struct line_files){};
}
