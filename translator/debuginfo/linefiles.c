/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a line table header, and their names as the rest of the translator knows them. */
#include "translator/debuginfo/linefiles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/line-header.h"

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

struct line_files line_files_read(const struct line_sections *s, uint64_t offset, const char *comp_dir)
{
	const struct span strings[2] = { { s->line_str.p, s->line_str.size }, { s->str.p, s->str.size } };
	struct line_files f = {};
	struct line_header h;
	struct reader r, program;

	if (offset >= s->line.size)
		return f;
	r = (struct reader){ s->line.p + offset, s->line.p + s->line.size, false };
	if (line_header_read(&r, strings, &h, &program)) {
		f.n = h.files.n;
		f.names = xmalloc((f.n + 1) * sizeof(*f.names));
		for (size_t i = 0; i < f.n; i++) {
			const struct line_name *file = &h.files.v[i];
			const char *dir = file->directory && file->directory < h.directories.n ? h.directories.v[file->directory].name : NULL;

			f.names[i] = file->name ? file_name(dir, file->name, comp_dir) : NULL;
		}
	}
	line_header_deinit(&h);
	return f;
}

void line_files_deinit(struct line_files *f)
{
	free(f->names);
	*f = (struct line_files){};
}
