/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of BPF programs (runtime/bpf/image.h), which needs no compiler: it is written as it is. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "translator/module/build.h"

bool build_image(struct program *p, const struct text *image, bool named, char **ret_path, int *ret_fd)
{
	struct hash h;
	int err;

	if (p->build.module_name) {
		*ret_path = arena_printf(&program_arena, "%s.bpf", p->build.module_name);
	} else if (named) {
		if (!cache_dir())
			return false;
		hash_init(&h);
		hash_add(&h, text_str(image), image->len);
		*ret_path = arena_printf(&program_arena, "%s/module/ktap_%.16s.bpf", cache_dir(), hash_hex(&h));
		*ret_fd = cache_open(*ret_path);
		if (*ret_fd >= 0)
			return true;
	} else {
		*ret_path = arena_printf(&program_arena, "memory");
		*ret_fd = memory_file("ktap", text_str(image), image->len);
		return *ret_fd >= 0 || error((struct loc){ 0 }, DIAG_IO, "cannot keep the programs in memory: %s", strerror(-*ret_fd));
	}
	err = text_write_file(image, *ret_path);
	if (err)
		return error((struct loc){ 0 }, DIAG_IO, "cannot write the programs '%s': %s", *ret_path, strerror(-err));
	*ret_fd = open(*ret_path, O_RDONLY | O_CLOEXEC);
	return *ret_fd >= 0 || error((struct loc){ 0 }, DIAG_IO, "cannot read '%s': %s", *ret_path, strerror(errno));
}
