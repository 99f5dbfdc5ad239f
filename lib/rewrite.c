/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every step after the first is relative to the descriptor of the directory and follows no symbolic link. */
#include "lib/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"

/* Opens the file NAME of the directory. 0 or -errno. */
static int open_in_dir(struct rewrite *r)
{
	int fd = openat(r->dir, r->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &r->st))
		err = errno;
	else if (!S_ISREG(r->st.st_mode))
		err = S_ISDIR(r->st.st_mode) ? EISDIR : EINVAL;
	else if (!(r->file = fdopen(fd, "r")))
		err = errno;
	if (err)
		close(fd);
	return -err;
}

int rewrite_open(struct rewrite *r, const char *path)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;
	int rc;

	*r = (struct rewrite){ .dir = -1 };
	if (!slash)
		return -errno;
	r->name = arena_strdup(&program_arena, slash + 1);
	*slash = 0;
	r->dir = open(*real ? real : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	rc = r->dir < 0 ? -errno : open_in_dir(r);
	if (rc)
		rewrite_close(r);
	return rc;
}

void rewrite_close(struct rewrite *r)
{
	if (r->file)
		fclose(r->file);
	if (r->dir >= 0)
		close(r->dir);
	*r = (struct rewrite){ .dir = -1 };
}

/* Is the open file still the one of its name? */
static bool is_in_place(const struct rewrite *r)
{
	struct stat now;

	return !fstatat(r->dir, r->name, &now, AT_SYMLINK_NOFOLLOW) && now.st_dev == r->st.st_dev && now.st_ino == r->st.st_ino;
}

/* Makes the new file FD as the old one. */
static int fill(const struct rewrite *r, int fd, const struct text *t)
{
	int rc = write_all(fd, text_str(t), t->len);

	/* In this order: a change of owner clears bits of the mode. */
	if (!rc && (fchown(fd, r->st.st_uid, r->st.st_gid) || true) && fchmod(fd, r->st.st_mode & 0777))
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

int rewrite_text(const struct rewrite *r, const struct text *t)
{
	_cleanup_free_ char *tmp = xasprintf("%s.tmp-%d", r->name, (int)getpid());
	int fd, rc;

	if (!is_in_place(r))
		return -ESTALE;
	if (faccessat(r->dir, r->name, W_OK, 0))
		return -errno;
	fd = openat(r->dir, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	interrupt_guard(NULL); /* a signal waits: the path of the new file may lead elsewhere by then */
	rc = fill(r, fd, t);
	if (!rc && !is_in_place(r))
		rc = -ESTALE;
	if (!rc && renameat(r->dir, tmp, r->dir, r->name))
		rc = -errno;
	if (rc)
		unlinkat(r->dir, tmp, 0);
	interrupt_unguard();
	return rc;
}

static int write_device(const struct text *t, const char *path)
{
	FILE *f = fopen(path, "we");
	int rc;

	if (!f)
		return -errno;
	rc = fwrite(text_str(t), 1, t->len, f) == t->len ? 0 : -errno;
	return fclose(f) && !rc ? -errno : rc;
}

int rewrite_path(const struct text *t, const char *path)
{
	struct rewrite r;
	struct stat st;
	int rc;

	if (stat(path, &st))
		return text_write_file(t, path);
	if (!S_ISREG(st.st_mode))
		return write_device(t, path);
	rc = rewrite_open(&r, path);
	if (rc)
		return rc;
	rc = rewrite_text(&r, t);
	rewrite_close(&r);
	return rc;
}
