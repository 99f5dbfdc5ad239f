/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/loader/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/regular.h"
#include "lib/text.h"
#include "runtime/loader/elffile.h"

/* Returns the offset of the first instruction in E; 0: it has none. */
static kt_u64 entry_offset(const struct elf *e)
{
	for (size_t i = 0; i < e->n_segments && !e->is_32bit; i++) {
		const Elf64_Phdr *p = &e->segments[i];

		if (p->p_type == PT_LOAD && e->entry - p->p_vaddr < p->p_filesz)
			return e->entry - p->p_vaddr + p->p_offset;
	}
	return 0;
}

/* Returns the path of the dynamic loader that E asks for, or "". */
static const char *interpreter_of(const struct elf *e)
{
	for (size_t i = 0; i < e->n_segments; i++) {
		const Elf64_Phdr *p = &e->segments[i];
		const char *path = p->p_type == PT_INTERP ? elf_part(e, p->p_offset, p->p_filesz, 1, 1) : NULL;

		if (path && p->p_filesz && !path[p->p_filesz - 1])
			return path;
	}
	return "";
}

/* In the reader: the block is the entry, then the interpreter with its NUL. */
static const char *read_head(struct apart *a, struct object *o, const void *path)
{
	int fd = apart_open(a, path);
	struct text t = { 0 };
	const char *wrong;
	kt_u64 entry;
	struct elf e;

	if (fd < 0)
		return regular_failure(fd);
	apart_drop_rights(a);
	wrong = elf_open_fd(&e, fd, NULL);
	if (wrong)
		return wrong;
	entry = entry_offset(&e);
	text_append(&t, (const char *)&entry, sizeof(entry));
	text_append(&t, interpreter_of(&e), strlen(interpreter_of(&e)) + 1);
	*o = (struct object){ .block = t.buf, .size = t.len };
	return NULL;
}

const char *program_head_read(struct program_head *p, const char *path, const struct apart_limits *limits)
{
	struct libraries none = { 0 };
	struct object o;
	const char *wrong;

	*p = (struct program_head){ 0 };
	wrong = apart_read(&o, read_head, path, NULL, &none, limits, NULL, &p->fd);
	if (!wrong && o.size > sizeof(p->entry)) {
		const char *interpreter = (const char *)o.block + sizeof(p->entry);
		size_t len = strnlen(interpreter, o.size - sizeof(p->entry));

		memcpy(&p->entry, o.block, sizeof(p->entry));
		p->interpreter = len ? xasprintf("%.*s", (int)len, interpreter) : NULL;
	}
	object_deinit(&o);
	return wrong;
}

void program_head_close(struct program_head *p)
{
	if (p->fd >= 0)
		close(p->fd);
	free(p->interpreter);
	*p = (struct program_head){ .fd = -1 };
}
