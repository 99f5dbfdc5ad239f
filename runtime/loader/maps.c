/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a page of a mapping comes from a FUSE or network server, one thread waits for it with the lock of all mappings, and another waits to
 * change them: from then on nobody reads /proc/PID/maps. SIGKILL ends that wait, no other signal does.
 */
#include "runtime/loader/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/text.h"

/* In the reader. A process that has ended has no mappings. */
static const char *read_maps(struct apart *a, struct object *o, const void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct text t = { 0 };
	char chunk[4096];
	ssize_t n;

	if (fd < 0 && errno != ENOENT && errno != ESRCH)
		return strerror(errno);
	apart_drop_rights(a);
	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		text_append(&t, chunk, (size_t)n);
	text_append(&t, "", 1);
	*o = (struct object){ .block = t.buf, .size = t.len };
	return NULL;
}

const char *maps_open(struct maps *m, const char *path, struct libraries *l, const struct apart_limits *limits)
{
	const char *wrong = apart_read(&m->text, read_maps, path, NULL, l, limits, NULL, NULL);

	m->at = 0;
	if (!wrong)
		((char *)m->text.block)[m->text.size - 1] = 0;
	return wrong;
}

bool maps_next(struct maps *m, struct mapping *ret)
{
	while (m->text.block && m->at < m->text.size) {
		char *line = (char *)m->text.block + m->at, flags[8];
		size_t len = strcspn(line, "\n");
		int path = 0;

		line[len] = 0;
		m->at += len + 1;
		if (sscanf(line, "%lx-%lx %7s %*s %x:%x %lu %n", &ret->start, &ret->end, flags, &ret->major, &ret->minor, &ret->inode, &path) < 6 ||
		    !path || flags[2] != 'x' || line[path] != '/')
			continue;
		ret->path = line + path;
		return true;
	}
	return false;
}

void maps_close(struct maps *m)
{
	object_deinit(&m->text);
}
