/* The cache: one folder of ours with a kit per kernel, modules by content, and work folders of builds under way.
 *
 *     kit/KEY/       a kit's tree; complete when it holds the file "ready", whose time is that of the last use
 *     module/KEY.ko  finished modules; their time is that of the last use
 *     read/NAME      what the readers of debugging information keep (translator/target/store.c)
 *     work/XXXXXX/   one build; swept when its process is long gone
 *     lock/NAME      lock files, never removed
 *
 * What appears under a final name is complete: files are renamed into place, a kit's last file is "ready".
 */
#include "translator/build/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/interrupt.h"
#include "translator/base/paths.h"

enum {
	MODULES_MAX_MB = 256, /* all modules together */
	READ_MAX_MB = 256,    /* all that was read, together */
	KIT_MAX_AGE = 60 * 86400, /* seconds after which an unused kit goes: its kernel has, or ktap is a newer one */
	WORK_MAX_AGE = 86400, /* seconds after which a work folder belongs to no one */
};

/* ---- the folder ---- */
/* mkdir -p, mode 0700 for what is new. */
static int make_folders(const char *path)
{
	_cleanup_free_ char *copy = xstrdup(path);

	for (char *p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = 0;
		if (mkdir(copy, 0700) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(copy, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

/* An absolute path to DIR, made, ours, and writable by nobody else. */
static const char *checked_dir(const char *dir)
{
	static const char *const subfolders[] = { "kit", "module", "read", "work", "lock", NULL };
	struct stat st;
	char *real;
	int rc = make_folders(dir);

	if (rc) {
		error((struct loc){ 0 }, DIAG_CACHE, "cannot make the cache folder '%s': %s", dir, strerror(-rc));
		note((struct loc){ 0 }, "set KTAP_CACHE_DIR to a folder you may write");
		return NULL;
	}
	real = realpath(dir, NULL);
	if (!real || stat(real, &st) < 0) {
		error((struct loc){ 0 }, DIAG_CACHE, "cannot use the cache folder '%s': %s", dir, strerror(errno));
		free(real);
		return NULL;
	}
	dir = arena_strdup(&program_arena, real);
	free(real);
	if (st.st_uid != geteuid() || (st.st_mode & 022)) {
		error((struct loc){ 0 }, DIAG_CACHE, "the cache folder '%s' %s", dir,
		      st.st_uid != geteuid() ? "belongs to another user" : "can be written by others");
		note((struct loc){ 0 }, "modules are built there and loaded into the kernel; chown and chmod 0700 it, or set "
					"KTAP_CACHE_DIR to a folder of your own");
		return NULL;
	}
	if (dir[strcspn(dir, " \t\n\"'\\$#:%;&|<>()`*?[]~")]) {
		error((struct loc){ 0 }, DIAG_CACHE, "the cache folder '%s' has a character that make cannot handle", dir);
		note((struct loc){ 0 }, "set KTAP_CACHE_DIR to a folder with a plain name");
		return NULL;
	}
	for (const char *const *s = subfolders; *s; s++) {
		_cleanup_free_ char *sub = xasprintf("%s/%s", dir, *s);

		if (mkdir(sub, 0700) < 0 && errno != EEXIST) {
			error((struct loc){ 0 }, DIAG_CACHE, "cannot make '%s': %s", sub, strerror(errno));
			return NULL;
		}
	}
	return dir;
}

const char *cache_dir(void)
{
	static const char *dir;
	const char *chosen;

	if (dir)
		return dir;
	chosen = cache_path();
	if (chosen) {
		dir = checked_dir(chosen);
	} else {
		error((struct loc){ 0 }, DIAG_CACHE, "no place for the cache: HOME is not set and the user has no home");
		note((struct loc){ 0 }, "set KTAP_CACHE_DIR to a folder you may write");
	}
	return dir;
}

int cache_lock(const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/lock/%s", cache_dir(), name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	while (flock(fd, LOCK_EX) < 0)
		if (errno != EINTR) {
			int err = errno;

			close(fd);
			return -err;
		}
	return fd;
}

/* ---- work folders ---- */
const char *cache_work_dir(void)
{
	char *path = arena_printf(&program_arena, "%s/work/XXXXXX", cache_dir());

	if (mkdtemp(path))
		return path;
	error((struct loc){ 0 }, DIAG_CACHE, "cannot make a folder in '%s/work': %s", cache_dir(), strerror(errno));
	return NULL;
}

static void sweep_work(void)
{
	_cleanup_free_ char *dir = xasprintf("%s/work", cache_dir());
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		_cleanup_free_ char *path = xasprintf("%s/%s", dir, e->d_name);
		struct stat st;

		if (e->d_name[0] != '.' && !lstat(path, &st) && time(NULL) - st.st_mtime > WORK_MAX_AGE)
			remove_tree(path);
	}
	if (d)
		closedir(d);
}

/* ---- trimming ---- */
struct entry {
	char *path;
	time_t used;
	off_t size;
};

static int by_use(const void *a, const void *b)
{
	time_t x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;

	return x < y ? -1 : x > y;
}

/* Removes the files of FOLDER that were not used for longest until MAX_MB of them are left. */
static void trim_files(const char *folder, int max_mb)
{
	_cleanup_free_ char *dir = xasprintf("%s/%s", cache_dir(), folder);
	DIR *d = opendir(dir);
	struct entry *list = NULL;
	struct dirent *e;
	size_t n = 0;
	off_t total = 0;

	while (d && (e = readdir(d))) {
		char *path = xasprintf("%s/%s", dir, e->d_name);
		struct stat st;

		if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode)) {
			free(path);
			continue;
		}
		if (!(n & (n - 1)))
			list = xrealloc(list, (n ? 2 * n : 1) * sizeof(*list));
		list[n++] = (struct entry){ path, st.st_mtime, st.st_size };
		total += st.st_size;
	}
	if (d)
		closedir(d);
	if (n)
		qsort(list, n, sizeof(*list), by_use);
	for (size_t i = 0; i < n; i++) {
		if (total > (off_t)max_mb << 20 && !unlink(list[i].path))
			total -= list[i].size;
		free(list[i].path);
	}
	free(list);
}

/* A kit goes by a rename: another process finds all of it or nothing. */
static void trim_kits(void)
{
	_cleanup_free_ char *dir = xasprintf("%s/kit", cache_dir());
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		_cleanup_free_ char *ready = xasprintf("%s/%s/ready", dir, e->d_name);
		_cleanup_free_ char *path = xasprintf("%s/%s", dir, e->d_name);
		const char *work;
		struct stat st;

		if (e->d_name[0] == '.' || lstat(ready, &st) < 0 || time(NULL) - st.st_mtime <= KIT_MAX_AGE)
			continue;
		work = cache_work_dir();
		if (work && !rename(path, work))
			remove_tree(work);
	}
	if (d)
		closedir(d);
}

void cache_trim(void)
{
	trim_files("module", MODULES_MAX_MB);
	trim_files("read", READ_MAX_MB);
	trim_kits();
	sweep_work();
}

/* ---- hashing: FNV-1a with 128 bits ---- */
void hash_init(struct hash *h)
{
	h->state = (unsigned __int128)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
}

void hash_add(struct hash *h, const void *data, size_t len)
{
	const unsigned __int128 prime = (unsigned __int128)0x0000000001000000 << 64 | 0x13b;
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		h->state = (h->state ^ p[i]) * prime;
}

void hash_add_str(struct hash *h, const char *s)
{
	if (s)
		hash_add(h, s, strlen(s) + 1);
	else
		hash_add(h, "\377", 1);
}

void hash_add_stat(struct hash *h, const char *path)
{
	struct stat st;
	long long facts[4] = { -1 };

	if (!stat(path, &st)) {
		facts[0] = st.st_size;
		facts[1] = st.st_mtim.tv_sec;
		facts[2] = st.st_mtim.tv_nsec;
		facts[3] = (long long)st.st_ino;
	}
	hash_add(h, facts, sizeof(facts));
}

const char *hash_hex(const struct hash *h)
{
	return arena_printf(&program_arena, "%016llx%016llx", (unsigned long long)(h->state >> 64),
			    (unsigned long long)h->state);
}
