/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files in the cache directory: written whole and renamed, read only when nobody else can change them. */
#include "translator/debuginfo/store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "lib/arena.h"
#include "lib/paths.h"
#include "lib/text.h"
#include "lib/trust.h"

/* The directory, created; NULL: there is no cache that this user can trust. */
static char *store_dir(void)
{
	const char *why, *cache = cache_path(&why), *dir;

	if (!cache || trust_dir(arena_printf(&program_arena, "%s/read", cache), TRUST_MAKE, &dir, &why))
		return NULL;
	return xstrdup(dir);
}

char *store_path(const char *name)
{
	_cleanup_free_ char *dir = store_dir();

	return dir ? xasprintf("%s/%s", dir, name) : NULL;
}

void *store_map(const char *name, size_t *ret_size)
{
	_cleanup_free_ char *path = store_path(name);
	_cleanup_close_ int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	const char *why;
	struct stat st;
	void *p;

	if (fd < 0 || !trust_fd(fd, &why) || fstat(fd, &st) || st.st_size <= 0)
		return NULL;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return NULL;
	*ret_size = (size_t)st.st_size;
	futimens(fd, NULL); /* used: cache_trim() lets go of the others first */
	return p;
}

void store_unmap(void *p, size_t size)
{
	munmap(p, size);
}

void store_write(const char *name, const void *p, size_t size)
{
	_cleanup_free_ char *path = store_path(name);
	struct text t = { .buf = (char *)p, .len = size, .cap = size };

	if (path)
		text_write_file(&t, path);
}
