/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects that Kbuild compiles as it compiles modules of a kernel: with the kernel's flags and gcc plugins. Each has a directory of its own
 * in the cache directory, which is removed after that.
 */
#include "translator/debuginfo/object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"
#include "lib/proc.h"
#include "translator/debuginfo/store.h"

bool object_write(const char *dir, const char *name, const char *text)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", dir, name);
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

int object_compile(const struct kernel *k, const char *dir, const char *flags, struct text *out)
{
	const char *argv[] = { "make", "-s", "-C", k->build_dir, arena_printf(&program_arena, "M=%s", dir), "LC_ALL=C",
			       OBJECT_FILE, NULL };

	if (!object_write(dir, "Kbuild", arena_printf(&program_arena, "obj-m := " OBJECT_FILE "\nCFLAGS_" OBJECT_FILE " := %s -Wno-error\n", flags)))
		return -EIO;
	return proc_run(&(struct proc){ .argv = argv, .out = out, .env = proc_make_env, .limits = &proc_limits_header });
}

bool object_make(const struct kernel *k, const char *c, const char *path, struct text *out)
{
	_cleanup_free_ char *dir = store_path("header-XXXXXX");
	_cleanup_free_ char *object = NULL;
	bool ok;

	if (!k->build_dir || !dir || !mkdtemp(dir))
		return false;
	object = xasprintf("%s/" OBJECT_FILE, dir);
	interrupt_guard(dir);
	ok = object_write(dir, OBJECT_SOURCE, c) && !object_compile(k, dir, "", out) && !rename(object, path);
	remove_tree(dir);
	interrupt_unguard();
	return ok;
}
