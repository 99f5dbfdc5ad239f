/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides by owner and mode, on descriptors, never on a path that is looked up twice.
 *
 * A directory with the sticky bit that everybody may write to (/tmp) is passed through: its entries are checked like any other,
 * and nobody else can rename or remove them. A directory that a group may write to counts as private when the group is the
 * owner's own and has no other members, as where each user has a group of that name and umask is 002.
 */
#include "lib/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/magic.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"

enum { LINKS_MAX = 40 };

struct walk {
	unsigned int flags;
	bool file;             /* the last component is a file */
	int fd;                /* the directory or file reached, O_PATH */
	struct text real;      /* its path; "" is the root */
	char *rest;            /* what is still to be walked */
	int links;             /* symbolic links that were followed */
	const char **ret_why;
};

/* ---- owners ---- */
/* In a user namespace that does not map every user, the owners it does not know appear as this one; there the true root is
 * among them, and no module can be loaded. */
static bool is_unmapped(uid_t uid)
{
	_cleanup_fclose_ FILE *map = fopen("/proc/self/uid_map", "re");
	_cleanup_fclose_ FILE *overflow = fopen("/proc/sys/kernel/overflowuid", "re");
	unsigned int inside, outside, count, none = 65534;

	if (!map || fscanf(map, "%u %u %u", &inside, &outside, &count) != 3 || count == UINT_MAX)
		return false;
	if (overflow && fscanf(overflow, "%u", &none) != 1)
		none = 65534;
	return uid == none;
}

static bool is_trusted_owner(uid_t uid)
{
	return uid == 0 || uid == geteuid() || is_unmapped(uid);
}

/* An access list gives others the rights that the mode shows as the group's. */
static bool has_access_list(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

static bool is_private_group(int fd, const struct stat *st)
{
	const struct passwd *user = getpwuid(st->st_uid);
	const struct group *group = user && user->pw_gid == st->st_gid ? getgrgid(st->st_gid) : NULL;

	if (!group || strcmp(group->gr_name, user->pw_name) || has_access_list(fd))
		return false;
	for (char **member = group->gr_mem; *member; member++)
		if (strcmp(*member, user->pw_name))
			return false;
	return true;
}

/* The server of a FUSE mount says whatever its user wants about owners and modes: the user who mounted it, if it is not root
 * or us. UINT_MAX: no other user did. */
static uid_t foreign_mounter(int fd)
{
	_cleanup_free_ char *info = xasprintf("/proc/self/fdinfo/%d", fd), *mount = NULL;
	_cleanup_fclose_ FILE *f = fopen(info, "re"), *mounts = NULL;
	struct statfs fs;
	char line[128];
	size_t room = 0;
	int id = -1, found;

	if (!fstatfs(fd, &fs) && fs.f_type != FUSE_SUPER_MAGIC) /* the server may make it fail */
		return UINT_MAX;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "mnt_id: %d", &id) == 1)
			break;
	mounts = fopen("/proc/self/mountinfo", "re");
	while (mounts && getline(&mount, &room, mounts) > 0) {
		/* The last word, which the kernel alone writes. The user chooses the place and the name of the source before it. */
		const char *options = strrchr(mount, ' '), *option = options ? strstr(options, ",user_id=") : NULL;
		unsigned int uid;

		if (sscanf(mount, "%d ", &found) == 1 && found == id && option && sscanf(option, ",user_id=%u", &uid) == 1)
			return is_trusted_owner(uid) ? UINT_MAX : uid;
	}
	return UINT_MAX;
}

/* NULL: nobody else can change what FD is; else the reason. STICKY: a directory like /tmp will do. */
static const char *wrong_with(int fd, const struct stat *st, bool sticky)
{
	if (!is_trusted_owner(st->st_uid))
		return "belongs to another user";
	if (foreign_mounter(fd) != UINT_MAX)
		return "is on a file system that another user mounted";
	if (S_ISLNK(st->st_mode) || !(st->st_mode & 022) || (sticky && (st->st_mode & S_ISVTX)))
		return NULL;
	if (!(st->st_mode & 02) && is_private_group(fd, st))
		return NULL;
	return "can be written by others";
}

/* ---- the walk ---- */
static int refuse(struct walk *w, int err, const char *name, const char *what)
{
	*w->ret_why = arena_printf(&program_arena, "'%s%s%s' %s", text_str(&w->real), name ? "/" : w->real.len ? "" : "/",
				   name ? name : "", what);
	return err;
}

static int failed(struct walk *w, const char *name)
{
	int err = errno;

	return refuse(w, -err, name, arena_printf(&program_arena, "cannot be opened: %s", strerror(err)));
}

static int start_at_root(struct walk *w)
{
	if (w->fd >= 0)
		close(w->fd);
	text_clear(&w->real);
	w->fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return w->fd < 0 ? failed(w, NULL) : 0;
}

/* Puts the target of the link FD before the rest of the way. */
static int follow(struct walk *w, int fd, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(fd, "", target, sizeof(target) - 1);
	char *rest;

	if (n < 0)
		return failed(w, name);
	if (++w->links > LINKS_MAX)
		return refuse(w, -ELOOP, name, "is one symbolic link too many");
	target[n] = 0;
	rest = xasprintf("%s/%s", target, w->rest);
	free(w->rest);
	w->rest = rest;
	return *target == '/' ? start_at_root(w) : 0;
}

/* Goes up: the directory above is checked again, which costs nothing. */
static int go_up(struct walk *w)
{
	int fd = openat(w->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char *slash = w->real.buf ? strrchr(w->real.buf, '/') : NULL;

	if (fd < 0)
		return failed(w, "..");
	close(w->fd);
	w->fd = fd;
	if (slash) {
		*slash = 0;
		w->real.len = (size_t)(slash - w->real.buf);
	}
	return 0;
}

static bool is_last(const struct walk *w)
{
	return !w->rest[strspn(w->rest, "/")];
}

static bool is_wanted_file(const struct walk *w, const struct stat *st)
{
	return w->file && S_ISREG(st->st_mode) && is_last(w);
}

/* Goes to the entry NAME of the directory reached. */
static int step(struct walk *w, const char *name)
{
	struct stat st;
	const char *wrong;
	int fd = openat(w->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), rc;

	if (fd < 0 && errno == ENOENT && (w->flags & TRUST_MAKE)) {
		if (mkdirat(w->fd, name, 0700) < 0 && errno != EEXIST)
			return refuse(w, -errno, name, arena_printf(&program_arena, "cannot be made: %s", strerror(errno)));
		fd = openat(w->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	}
	if (fd < 0 || fstat(fd, &st) < 0) {
		rc = failed(w, name);
		if (fd >= 0)
			close(fd);
		return rc;
	}
	wrong = wrong_with(fd, &st, true);
	if (wrong || S_ISLNK(st.st_mode) || (!S_ISDIR(st.st_mode) && !is_wanted_file(w, &st))) {
		rc = wrong ? refuse(w, -EPERM, name, wrong) :
		     S_ISLNK(st.st_mode) ? follow(w, fd, name) :
		     refuse(w, -ENOTDIR, name, w->file && is_last(w) ? "is not a regular file" : "is not a directory");
		close(fd);
		return rc;
	}
	close(w->fd);
	w->fd = fd;
	text_printf(&w->real, "/%s", name);
	return 0;
}

/* Takes the next component off the rest, which it shortens. NULL: none is left. */
static char *next_name(struct walk *w)
{
	char *from = w->rest + strspn(w->rest, "/"), *name;
	size_t n = strcspn(from, "/");

	if (!n)
		return NULL;
	name = xasprintf("%.*s", (int)n, from);
	memmove(w->rest, from + n, strlen(from + n) + 1);
	return name;
}

static int walk(struct walk *w)
{
	struct stat st;
	const char *wrong;
	int rc = start_at_root(w);

	for (char *name; !rc && (name = next_name(w)); free(name))
		if (strcmp(name, "."))
			rc = !strcmp(name, "..") ? go_up(w) : step(w, name);
	if (rc)
		return rc;
	if (fstat(w->fd, &st) < 0)
		return failed(w, NULL);
	wrong = wrong_with(w->fd, &st, w->flags & TRUST_STICKY);
	return wrong ? refuse(w, -EPERM, NULL, wrong) : 0;
}

/* Walks PATH from where W says. */
static int walk_path(struct walk *w, const char *path, const char **ret_real)
{
	_cleanup_free_ char *here = *path == '/' ? NULL : getcwd(NULL, 0);
	int rc = *path == '/' || here ? 0 : -errno;

	w->fd = -1;
	if (rc) {
		*w->ret_why = arena_printf(&program_arena, "'%s' is in the current directory, which has no path: %s", path, strerror(-rc));
		return rc;
	}
	w->rest = xasprintf("%s/%s", here ? here : "", path);
	rc = walk(w);
	if (!rc)
		*ret_real = arena_strdup(&program_arena, w->real.len ? text_str(&w->real) : "/");
	text_deinit(&w->real);
	free(w->rest);
	return rc;
}

int trust_dir(const char *path, unsigned int flags, const char **ret_real, const char **ret_why)
{
	struct walk w = { .flags = flags, .ret_why = ret_why };
	int rc = walk_path(&w, path, ret_real);

	if (w.fd >= 0)
		close(w.fd);
	return rc;
}

bool trust_fd(int fd, const char **ret_why)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		*ret_why = strerror(errno);
	else
		*ret_why = S_ISREG(st.st_mode) ? wrong_with(fd, &st, false) : "is not a file";
	return !*ret_why;
}

int trust_open(const char *path, const char **ret_why)
{
	struct walk w = { .file = true, .ret_why = ret_why };
	const char *real;
	char link[64];
	int rc = walk_path(&w, path, &real), fd = rc;

	if (!rc) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", w.fd);
		fd = open(link, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			fd = -errno;
			*ret_why = arena_printf(&program_arena, "'%s' cannot be opened: %s", real, strerror(-fd));
		}
	}
	if (w.fd >= 0)
		close(w.fd);
	return fd;
}
