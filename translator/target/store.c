/* Files in the cache directory: written whole and renamed, read only when owned by the user. */
#include "translator/target/store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/paths.h"
#include "translator/base/text.h"

/* The folder, made. NULL: the cache is not ours alone. */
static char *store_dir(void)
{
	const char *cache = cache_path();
	_cleanup_free_ char *parent = xstrdup(cache ? cache : "");
	char *dir, *slash = strrchr(parent, '/');
	struct stat st;

	if (!cache)
		return NULL;
	if (slash) {
		*slash = 0;
		mkdir(parent, 0700);
	}
	mkdir(cache, 0700);
	if (stat(cache, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022))
		return NULL;
	dir = xasprintf("%s/read", cache);
	mkdir(dir, 0700);
	return dir;
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
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) || st.st_uid != geteuid() || !S_ISREG(st.st_mode) || st.st_size <= 0)
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
