/* Files in the cache directory: written whole and renamed, read only when owned by the user. */
#include "translator/target/store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/text.h"

/* $KTAP_CACHE_DIR, $XDG_CACHE_HOME/ktap or ~/.cache/ktap: created; NULL: none that is ours alone. */
static char *store_dir(void)
{
	const char *own = getenv("KTAP_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	_cleanup_free_ char *parent = NULL;
	char *dir = NULL;
	struct stat st;

	if (own && *own)
		dir = xstrdup(own);
	else if (xdg && *xdg == '/')
		parent = xstrdup(xdg);
	else if (home && *home == '/')
		parent = xasprintf("%s/.cache", home);
	else
		return NULL;
	if (parent) {
		mkdir(parent, 0700);
		dir = xasprintf("%s/ktap", parent);
	}
	mkdir(dir, 0700);
	if (!stat(dir, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022))
		return dir;
	free(dir);
	return NULL;
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
