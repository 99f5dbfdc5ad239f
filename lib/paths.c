/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the program's own files, installed or in the source tree beside a build directory, and makes the user's. */
#include "lib/paths.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/trust.h"

const char *const vmlinux_paths[] = {
	"/usr/lib/debug/boot/vmlinux-%s",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
	"/usr/lib/debug/usr/lib/modules/%s/vmlinux",
	"/usr/lib/debug/usr/lib/modules/%s/vmlinux.debug", /* SUSE: SLES 16, Tumbleweed */
	"/usr/lib/debug/boot/vmlinux-%s.debug",            /* SUSE: SLES 15 and before */
	"/lib/modules/%s/vmlinux",
	"/lib/modules/%s/build/vmlinux",
	"/boot/vmlinux-%s",
	NULL,
};

const char *system_root(void)
{
	const char *root = getenv("KTAP_DOCTOR_ROOT");

	return root ? root : "";
}

const char *system_path(const char *fmt, ...)
{
	const char *path, *root = system_root();
	va_list ap;

	va_start(ap, fmt);
	path = arena_vprintf(&program_arena, fmt, ap);
	va_end(ap);
	return *root ? arena_printf(&program_arena, "%s%s", root, path) : path;
}

const char *guest_file(const char *root, const char *path)
{
	const char *file = root && *path == '/' ? arena_printf(&program_arena, "%s%s", root, path) : path;

	return file != path && !access(file, F_OK) ? file : path;
}

const char *guest_name(const char *root, const char *file)
{
	size_t len = root ? strlen(root) : 0;

	return len && !strncmp(file, root, len) && file[len] == '/' ? file + len : file;
}

/* Returns what the symbolic link PATH points to, NULL on an error. */
static const char *read_link(const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target));

	return n > 0 && n < (ssize_t)sizeof(target) ? arena_printf(&program_arena, "%.*s", (int)n, target) : NULL;
}

/* Returns the directory of the running program, NULL when /proc does not say it. */
static const char *own_dir(void)
{
	const char *self = read_link("/proc/self/exe");
	const char *slash = self ? strrchr(self, '/') : NULL;

	return slash ? arena_printf(&program_arena, "%.*s", (int)(slash - self), self) : NULL;
}

const char *own_file(const char *name, const char *dir)
{
	const char *own = own_dir();
	const char *path = own ? arena_printf(&program_arena, "%s/%s", own, name) : NULL;

	return path && !access(path, R_OK) ? path : arena_printf(&program_arena, "%s/%s", dir, name);
}

const char *program_path(const char *name)
{
	const char *path = getenv("PATH");

	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t len = strcspn(p, ":");
		const char *file = arena_printf(&program_arena, "%.*s/%s", (int)len, p, name);
		struct stat st;

		if (!access(file, X_OK) && !stat(file, &st) && !S_ISDIR(st.st_mode))
			return file;
		p += len + (p[len] == ':');
	}
	return NULL;
}

/* Where the running program was built. */
struct build {
	const char *dir, *source_dir; /* NULL: the program is installed */
};

/* A build directory has the link ktap-source to the source directory, so that the program need not contain either path. Programs
 * of the tests are in directories of testsuite/ below the build directory. */
static struct build own_build(void)
{
	const char *dir = own_dir(), *tests = NULL, *source_dir;

	for (const char *s = dir; s && (s = strstr(s, "/testsuite/")); s++)
		tests = s;
	if (tests)
		dir = arena_printf(&program_arena, "%.*s", (int)(tests - dir), dir);
	source_dir = dir ? read_link(arena_printf(&program_arena, "%s/ktap-source", dir)) : NULL;
	return source_dir ? (struct build){ dir, source_dir } : (struct build){ 0 };
}

/* $KTAP_NAME, NULL when it is not set. */
static const char *override_of(const char *name)
{
	char *variable = arena_printf(&program_arena, "KTAP_%s", name);
	const char *value;

	for (char *p = variable; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	value = getenv(variable);
	return value && *value ? arena_strdup(&program_arena, value) : NULL;
}

const char *data_path(const char *name)
{
	const char *value = override_of(name), *source_dir = own_build().source_dir;

	if (value)
		return value;
	return arena_printf(&program_arena, "%s/%s", source_dir ? source_dir : KTAP_DATADIR, name);
}

const char *built_path(const char *name)
{
	struct build b = own_build();

	if (override_of(name) || !b.dir || !strcmp(b.dir, b.source_dir))
		return NULL;
	return arena_printf(&program_arena, "%s/%s", b.dir, name);
}

const char *debug_place(const char *path, unsigned i)
{
	static const char root[] = "/usr/lib/debug/";
	const char *dirs = getenv("KTAP_DEBUGINFO_PATH");
	const char *below = strncmp(path, root, sizeof(root) - 1) ? NULL : path + sizeof(root) - 2;

	if (!dirs || !*dirs)
		dirs = getenv("SYSTEMTAP_DEBUGINFO_PATH");
	for (size_t n; below && dirs && *dirs; dirs += n + (dirs[n] == ':')) {
		/* A sign says whether checksums are compared; build-ids are, here. Relative directories, and an empty one, which is
		 * the file's own, are looked in anyway. */
		dirs += *dirs == '+' || *dirs == '-';
		n = strcspn(dirs, ":");
		if (n && *dirs == '/' && !i--)
			return arena_printf(&program_arena, "%.*s%s", (int)n, dirs, below);
	}
	return i ? NULL : path;
}

/* A directory of the user's, where the environment does not name it: below $VARIABLE, or BELOW the home. */
struct user_dir {
	const char *variable, *below;
};

/* Candidate I for D; NULL: it is not there, *ret_last: nor are any more. */
static const char *user_dir_candidate(const struct user_dir *d, int i, bool *ret_last)
{
	const char *dir = NULL;
	const struct passwd *user;

	*ret_last = i == 2;
	if (i == 0) {
		dir = getenv(d->variable);
		return dir && *dir == '/' ? arena_printf(&program_arena, "%s/ktap", dir) : NULL;
	}
	if (i == 1)
		dir = getenv("HOME");
	else if ((user = getpwuid(geteuid())))
		dir = user->pw_dir;
	return dir && *dir == '/' ? arena_printf(&program_arena, "%s/%s/ktap", dir, d->below) : NULL;
}

/* Creates the directory and returns it. OWN: the directory to use, or NULL to search for one. On failure returns NULL and sets *RET_WHY. */
static const char *user_dir_find(const struct user_dir *d, const char *own, const char **ret_why)
{
	const char *found = NULL;
	bool last = false;

	*ret_why = NULL;
	if (own)
		trust_dir(own, TRUST_MAKE, &found, ret_why);
	for (int i = 0; !own && !found && !last; i++) {
		const char *dir = user_dir_candidate(d, i, &last), *wrong;

		/* The first reason is about the place that the user expects. */
		if (dir && trust_dir(dir, TRUST_MAKE, &found, &wrong) && !*ret_why)
			*ret_why = wrong;
	}
	if (!found && !*ret_why)
		*ret_why = "HOME is not set and the user has no home";
	return found;
}

const char *cache_path(const char **ret_why)
{
	static const struct user_dir cache = { .variable = "XDG_CACHE_HOME", .below = ".cache" };

	return user_dir_find(&cache, override_of("cache_dir"), ret_why);
}

const char *shared_cache_path(bool make, const char **ret_why)
{
	const char *own = override_of("shared_cache_dir"), *found = NULL;

	*ret_why = NULL;
	if (own || !override_of("cache_dir"))
		trust_dir(own ? own : "/var/cache/ktap", make ? TRUST_MAKE : 0, &found, ret_why);
	return found;
}

const char *state_path(void)
{
	static const struct user_dir state = { .variable = "XDG_STATE_HOME", .below = ".local/state" };
	const char *why;

	return user_dir_find(&state, NULL, &why);
}

static void check_temporary(void)
{
	const char *given = getenv("TMPDIR"), *real, *why, *own;
	bool set = given && *given;

	unsetenv("TMP");
	unsetenv("TEMP");
	if (!trust_dir(set ? given : "/tmp", TRUST_STICKY, &real, &why))
		return;
	warning((struct loc){ 0 }, DIAG_UNTRUSTED, "%s is not used for temporary files: %s", set ? "TMPDIR" : "/tmp", why);
	own = cache_path(&why);
	if (own)
		setenv("TMPDIR", own, 1);
	else
		unsetenv("TMPDIR");
}

static void check_ccache(void)
{
	const char *dir = getenv("CCACHE_DIR"), *real, *why;

	dir = dir ? dir : getenv("XDG_CACHE_HOME");
	dir = dir ? dir : getenv("HOME");
	if (dir && trust_dir(dir, 0, &real, &why))
		setenv("CCACHE_DISABLE", "1", 1);
}

void check_compiler_files(void)
{
	check_temporary();
	check_ccache();
}

bool set_temporary(const char *dir)
{
	const char *real, *why;

	if (trust_dir(dir, TRUST_STICKY, &real, &why))
		return error((struct loc){ 0 }, DIAG_UNTRUSTED, "no directory for temporary files: %s", why);
	return !setenv("TMPDIR", real, 1);
}

const char *libexec_path(const char *name)
{
	const char *dir = own_build().dir;

	return arena_printf(&program_arena, "%s/%s", dir ? dir : KTAP_LIBEXECDIR "/ktap", name);
}

char *expand_output(const char *pattern)
{
	char path[PATH_MAX];
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(path, sizeof(path), pattern, &tm))
		return xstrdup(path);
	error(nowhere, DIAG_USAGE, "-o: '%s' gives no file name", pattern);
	return NULL;
}

int open_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : fd;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns the name of the directory of PATH, to be freed. */
static char *directory_name(const char *path)
{
	int len = (int)(base_name(path) - path);

	return len ? xasprintf("%.*s", len, path) : xstrdup(".");
}

int output_dir_open(struct output_dir *d, const char *path)
{
	_cleanup_free_ char *name = directory_name(path);
	int fd;

	if (d->name && !strcmp(d->name, name))
		return 0;
	fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	output_dir_close(d);
	*d = (struct output_dir){ .name = xstrdup(name), .fd = fd };
	return 0;
}

void output_dir_close(struct output_dir *d)
{
	if (!d->name)
		return;
	free(d->name);
	close(d->fd);
	*d = (struct output_dir){ 0 };
}

/* Empties the file FD if nobody but this user can have put it there. Returns 0 or -errno. */
static int take_numbered(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (st.st_uid != geteuid() || st.st_nlink != 1)
		return -EPERM;
	return ftruncate(fd, 0) < 0 ? -errno : 0;
}

int open_numbered(struct output_dir *d, const char *path)
{
	const int flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	const char *name = base_name(path);
	int rc = output_dir_open(d, path), fd;

	if (rc)
		return rc;
	fd = openat(d->fd, name, flags | O_CREAT | O_EXCL, 0644);
	if (fd >= 0 || errno != EEXIST)
		return fd < 0 ? -errno : fd;
	fd = openat(d->fd, name, flags);
	if (fd < 0)
		return errno == ENXIO ? -EINVAL : -errno; /* ENXIO: a FIFO without a reader */
	rc = take_numbered(fd);
	if (rc)
		close(fd);
	return rc ? rc : fd;
}

void remove_numbered(const struct output_dir *d, const char *path)
{
	_cleanup_free_ char *name = directory_name(path);

	if (d->name && !strcmp(d->name, name))
		unlinkat(d->fd, base_name(path), 0);
	else
		unlink(path); /* a strftime format named another directory then */
}

const char *output_failure(int err)
{
	switch (err) {
	case -ELOOP:
		return "it is a symbolic link, which a numbered file of ours never is";
	case -EINVAL:
		return "it is not a regular file, which a numbered file of ours always is";
	case -EPERM:
		return "it belongs to another user or has a second hard link; remove it";
	default:
		return strerror(-err);
	}
}

int create_output(const char *pattern, struct output_dir *numbered, char **ret_path)
{
	char *path = expand_output(pattern);
	int fd;

	if (!path)
		return -1;
	fd = numbered ? open_numbered(numbered, path) : open_output(path);
	if (fd < 0)
		error(nowhere, DIAG_IO, "cannot write '%s': %s", path, numbered ? output_failure(fd) : strerror(-fd));
	if (fd >= 0 && ret_path)
		*ret_path = path;
	else
		free(path);
	return fd < 0 ? -1 : fd;
}
