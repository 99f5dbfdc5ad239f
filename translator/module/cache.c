/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cache: one directory of the user's with a kit per kernel, modules by content, and work directories of builds under way. Root has
 * a second one, whose kits are for all users (--prepare).
 *
 *     kit/KEY/       a kit's tree; complete when it holds the file "ready", whose time is that of the last use
 *     module/KEY.ko  finished modules; their time is that of the last use
 *     read/NAME      what the readers of debugging information keep (translator/debuginfo/store.c)
 *     work/XXXXXX/   one build; swept when its process is long gone
 *     lock/NAME      lock files, never removed
 *
 * What appears under a final name is complete: files are renamed into place, a kit's last file is "ready". After a crash of the machine it
 * may be empty, and is built again.
 *
 * No hash of a file's content is checked before it is loaded. Whoever could write to a file of the cache could write to the hash beside
 * it. Others cannot: the file is opened once, that descriptor is checked for owner and mode, and the kernel reads from it.
 */
#include "lib/vec.h"
#include "translator/module/build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"
#include "lib/paths.h"
#include "lib/rows.h"
#include "lib/trust.h"

enum {
	MODULES_MAX_MB = 256, /* all modules together */
	READ_MAX_MB = 256,    /* all that was read, together */
	KIT_MAX_AGE = 60 * 86400, /* seconds after which an unused kit goes: its kernel has, or ktap is a newer one */
	WORK_MAX_AGE = 86400, /* seconds after which a work directory belongs to no one */
};

/* ---- the directory ---- */
/* The subdirectories are made and checked like the cache itself. */
static bool make_subdirs(const char *dir)
{
	static const char *const names[] = { "kit", "module", "read", "work", "lock", NULL };
	const char *real, *why;

	for (const char *const *name = names; *name; name++)
		if (trust_dir(arena_printf(&program_arena, "%s/%s", dir, *name), TRUST_MAKE, &real, &why)) {
			error((struct loc){ 0 }, DIAG_CACHE, "cannot use the cache: %s", why);
			note((struct loc){ 0 }, "remove that directory, or set KTAP_CACHE_DIR to another one");
			return false;
		}
	return true;
}

static bool is_plain(const char *dir)
{
	if (!dir[strcspn(dir, " \t\n\"'\\$#:%;&|<>()`*?[]~")])
		return true;
	error((struct loc){ 0 }, DIAG_CACHE, "the cache directory '%s' has a character that make cannot handle", dir);
	note((struct loc){ 0 }, "set KTAP_CACHE_DIR to a directory with a plain name");
	return false;
}

static const char *current; /* what cache_dir() returned */

const char *cache_dir(void)
{
	const char *why, *dir;

	if (current)
		return current;
	dir = cache_path(&why);
	if (!dir) {
		error((struct loc){ 0 }, DIAG_CACHE, "no directory for the cache: %s", why);
		note((struct loc){ 0 }, "modules are built there and loaded into the kernel, so nobody else may be able to change it");
		note((struct loc){ 0 }, "set KTAP_CACHE_DIR to a directory of your own");
	} else if (is_plain(dir) && make_subdirs(dir)) {
		current = dir;
	}
	return current;
}

bool cache_share(void)
{
	const char *why = NULL, *dir = geteuid() ? NULL : shared_cache_path(true, &why);

	if (why)
		return error((struct loc){ 0 }, DIAG_CACHE, "no directory for kits of all users: %s", why);
	if (!dir)
		return cache_dir() != NULL;
	umask(022);
	if (!is_plain(dir) || !make_subdirs(dir))
		return false;
	if (chmod(dir, 0755) || chmod(arena_printf(&program_arena, "%s/kit", dir), 0755))
		return error((struct loc){ 0 }, DIAG_CACHE, "cannot let others read '%s': %s", dir, strerror(errno));
	current = dir;
	return true;
}

int cache_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	const char *why;
	struct stat st;

	/* Only the owner says that a file was used: users do not own the kits that root prepared. */
	if (fd >= 0 && trust_fd(fd, &why) && !fstat(fd, &st) && st.st_size && (!futimens(fd, NULL) || st.st_uid != geteuid()))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int cache_lock(const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/lock/%s", cache_dir(), name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

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

/* ---- work directories ---- */
const char *cache_work_dir(void)
{
	char *path = arena_printf(&program_arena, "%s/work/XXXXXX", cache_dir());

	if (mkdtemp(path))
		return path;
	error((struct loc){ 0 }, DIAG_CACHE, "cannot make a directory in '%s/work': %s", cache_dir(), strerror(errno));
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
	_cleanup_free_ struct entry *list = NULL;
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
		*vec_add(list, n) = (struct entry){ path, st.st_mtime, st.st_size };
		total += st.st_size;
	}
	if (d)
		closedir(d);
	sort_rows(list, n, by_use);
	for (size_t i = 0; i < n; i++) {
		if (total > (off_t)max_mb << 20 && !unlink(list[i].path))
			total -= list[i].size;
		free(list[i].path);
	}
}

/* Removes the kit PATH by a rename: another process finds all of it or nothing. */
static void remove_kit(const char *path)
{
	const char *work = cache_work_dir();

	if (work && !rename(path, work))
		remove_tree(work);
}

void cache_keep_kit(const char *release, const char *keep)
{
	_cleanup_free_ char *dir = xasprintf("%s/kit", cache_dir());
	size_t len = strlen(release);
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		_cleanup_free_ char *path = xasprintf("%s/%s", dir, e->d_name);

		if (!strncmp(e->d_name, release, len) && e->d_name[len] == '-' && !strchr(e->d_name + len + 1, '-') &&
		    strlen(e->d_name + len + 1) == KIT_KEY_LENGTH && strcmp(path, keep))
			remove_kit(path);
	}
	if (d)
		closedir(d);
}

static void trim_kits(void)
{
	_cleanup_free_ char *dir = xasprintf("%s/kit", cache_dir());
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		_cleanup_free_ char *ready = xasprintf("%s/%s/ready", dir, e->d_name);
		_cleanup_free_ char *path = xasprintf("%s/%s", dir, e->d_name);
		struct stat st;

		if (e->d_name[0] == '.' || lstat(ready, &st) < 0 || time(NULL) - st.st_mtime <= KIT_MAX_AGE)
			continue;
		remove_kit(path);
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

/*
 * ---- hashing ----
 *
 * As FNV-1a with 128 bits, but by words of 8 bytes first. FNV's factor, 2^88 + 0x13b, is made for bytes: two words that follow
 * each other could make up for each other's changes. This one has bits everywhere: 2^128 divided by the golden ratio, made odd.
 */
void hash_init(struct hash *h)
{
	h->state = (unsigned __int128)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d;
}

void hash_add(struct hash *h, const void *data, size_t len)
{
	const unsigned __int128 factor = (unsigned __int128)0x9e3779b97f4a7c15 << 64 | 0xf39cc0605cedc835;
	const unsigned char *p = data;
	uint64_t word;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		h->state = (h->state ^ word) * factor;
	}
	while (len--)
		h->state = (h->state ^ *p++) * factor;
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
