/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends the module where the processes of a program start: at the first instruction of their dynamic loader, or at their own. Probes
 * of perf events that name a program wait there.
 */
#include "runtime/loader/starts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/loader/elffile.h"
#include "translator/base/arena.h"
#include "translator/base/regular.h"

/* Returns the offset of the first instruction in E; 0: it has none. */
static kt_u64 entry_offset(const struct elf *e)
{
	for (size_t i = 0; i < e->n_segments; i++) {
		const Elf64_Phdr *p = &e->segments[i];

		if (p->p_type == PT_LOAD && e->entry - p->p_vaddr < p->p_filesz)
			return e->entry - p->p_vaddr + p->p_offset;
	}
	return 0;
}

/* Returns the path of the dynamic loader that E asks for, or NULL. To be freed. */
static char *interpreter_of(const struct elf *e)
{
	for (size_t i = 0; i < e->n_segments; i++) {
		const Elf64_Phdr *p = &e->segments[i];
		const char *path = p->p_type == PT_INTERP ? elf_part(e, p->p_offset, p->p_filesz, 1, 1) : NULL;

		if (path && p->p_filesz && !path[p->p_filesz - 1])
			return xstrdup(path);
	}
	return NULL;
}

/* Opens the file that a process of PATH starts in. *RET: the offset there. -1: it is unknown. */
static int find_start(const char *path, bool is_interpreter, kt_u64 *ret)
{
	_cleanup_free_ char *interpreter = NULL;
	int fd = open_regular(path);
	struct elf e = { 0 };

	*ret = 0;
	if (fd >= 0 && !elf_open_fd(&e, fd, NULL) && !e.is_32bit) {
		interpreter = is_interpreter ? NULL : interpreter_of(&e);
		*ret = interpreter ? 0 : entry_offset(&e);
	}
	elf_close(&e);
	if (*ret || fd < 0)
		return fd;
	close(fd);
	return interpreter ? find_start(interpreter, true, ret) : -1;
}

void starts_give(struct control *c)
{
	const char *last = "";

	for (kt_u32 i = 0; i < c->info.n_programs; i++) {
		const char *path = control_text(c, KT_TEXT_PROGRAM, i);
		struct kt_program_start start = { .index = i, .fd = -1 };

		if (path[0] != '/' || !strcmp(path, last))
			continue;
		last = path;
		start.fd = find_start(path, false, &start.offset);
		if (start.fd < 0)
			continue;
		c->sys->ioctl(c->fd, KT_IOC_PROGRAM, &start); /* a probe without a start is refused by START, which reports it */
		close(start.fd);
	}
}
