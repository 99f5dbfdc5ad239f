/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens files in two steps: O_PATH finds the file without opening it, and once it is known to be regular, its descriptor's entry in
 * /proc opens that very file, whatever the path leads to by then.
 */
#include "lib/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"

enum { READ_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

/* Returns 0 if FD is a regular file, else -errno. */
static int check_regular(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EINVAL;
}

int find_regular(const char *path)
{
	int found = open(path, O_PATH | O_CLOEXEC), rc;

	if (found < 0)
		return -errno;
	rc = check_regular(found);
	if (rc)
		close(found);
	return rc ? rc : found;
}

int open_found(int found)
{
	char link[64];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	fd = open(link, READ_FLAGS);
	return fd < 0 ? -errno : fd;
}

int open_regular(const char *path)
{
	int found = find_regular(path), fd, rc;

	if (found < 0)
		return found;
	fd = open_found(found);
	close(found);
	if (fd != -ENOENT)
		return fd;
	/* /proc is not mounted. */
	fd = open(path, READ_FLAGS);
	if (fd < 0)
		return -errno;
	rc = check_regular(fd);
	if (rc)
		cleanup_close(&fd);
	return rc ? rc : fd;
}

const char *regular_failure(int err)
{
	return err == -EINVAL ? "it is not a regular file" : strerror(-err);
}
