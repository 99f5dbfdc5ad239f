/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files of traced programs. See reading.h. */
#include "runtime/loader/reading.h"


#include "lib/paths.h"
#include "lib/regular.h"

/* In the reader. What it allocates goes with it. */
static const char *read_file(struct apart *a, struct object *o, const void *arg)
{
	const struct reading *r = arg;
	int fd = apart_open(a, r->path), debug = -1;
	struct elf e, d = { 0 };
	char id[BUILD_ID_SIZE];
	const char *wrong;

	if (fd < 0)
		return regular_failure(fd);
	apart_drop_rights(a);
	wrong = elf_open_fd(&e, fd, a->libraries);
	if (wrong)
		return wrong;
	if (elf_build_id(elf_data_of(&e, ".note.gnu.build-id"), id))
		debug = apart_ask(a, id);
	if (debug >= 0 && elf_open_fd(&d, debug, a->libraries))
		elf_close(&d);
	return object_of_elf(o, &e, &d, r->name, r->lines);
}

/* The file in which the build-id's symbols are kept apart, where there is one. */
static int find_debug_file(const char *build_id)
{
	char path[BUILD_ID_PATH_SIZE];
	const char *place;
	int fd = -1;

	elf_debug_path(build_id, path);
	for (unsigned int i = 0; fd < 0 && (place = debug_place(path, i)); i++)
		fd = open_regular(place);
	return fd;
}

const char *reading_make(struct object *o, const struct reading *r, struct libraries *l, const struct apart_limits *limits, int *ret_fd)
{
	return apart_read(o, read_file, r, r->name, l, limits, find_debug_file, ret_fd);
}
