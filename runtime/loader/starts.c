/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends the module where the processes of a program start: at the first instruction of their dynamic loader, or at their own. Probes
 * of perf events that name a program wait there.
 */
#include "runtime/loader/starts.h"

#include <string.h>
#include <unistd.h>

#include "runtime/loader/program.h"

/* Opens the file that a process of PATH starts in. *RET: the offset there. -1: it is unknown. */
static int find_start(const char *path, const struct apart_limits *limits, kt_u64 *ret)
{
	struct program_head program, loader = { .fd = -1 };
	struct program_head *first = &program;
	int fd = -1;

	program_head_read(&program, path, limits);
	if (program.interpreter) {
		program_head_read(&loader, program.interpreter, limits);
		first = &loader;
	}
	*ret = first->entry;
	if (first->entry) {
		fd = first->fd;
		first->fd = -1;
	}
	program_head_close(&program);
	program_head_close(&loader);
	return fd;
}

void starts_give(struct control *c, const struct apart_limits *limits)
{
	const char *last = "";

	for (kt_u32 i = 0; i < c->info.n_programs; i++) {
		const char *path = control_text(c, KT_TEXT_PROGRAM, i);
		struct kt_program_start start = { .index = i, .fd = -1 };

		if (path[0] != '/' || !strcmp(path, last))
			continue;
		last = path;
		start.fd = find_start(path, limits, &start.offset);
		if (start.fd < 0)
			continue;
		control_ask(c, KT_IOC_PROGRAM, &start); /* a probe without a start is refused by START, which reports it */
		close(start.fd);
	}
}
