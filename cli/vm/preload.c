/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loaded into virtiofsd when it serves the files of a user who is not root. Two of its system calls need privileges that it
 * can do without:
 *
 * - QEMU's own virtiofsd gives up its supplementary groups, which a user namespace made without privileges forbids. It keeps
 *   them, and so can read what the user can.
 * - The guest's overlayfs opens files with O_NOATIME, which only their owner may. The retry leaves it out, as overlayfs does
 *   for files whose owner it is not.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int setgroups(size_t n, const gid_t *groups)
{
	if (syscall(SYS_setgroups, n, groups) < 0 && errno != EPERM)
		return -1;
	return 0;
}

static int open_file(int dir, const char *path, int flags, mode_t mode)
{
	int fd = (int)syscall(SYS_openat, dir, path, flags, mode);

	if (fd < 0 && errno == EPERM && flags & O_NOATIME)
		fd = (int)syscall(SYS_openat, dir, path, flags & ~O_NOATIME, mode);
	return fd;
}

/* The names that glibc has for it: those with _2 are called without O_CREAT. In musl's headers one is a macro. */
#undef openat64
#define OPENAT(name)                                                                      \
	int name(int dir, const char *path, int flags, ...);                              \
	int name(int dir, const char *path, int flags, ...)                               \
	{                                                                                 \
		mode_t mode = 0;                                                          \
		va_list ap;                                                               \
											  \
		va_start(ap, flags);                                                      \
		if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)))                       \
			mode = va_arg(ap, mode_t);                                        \
		va_end(ap);                                                               \
		return open_file(dir, path, flags, mode);                                 \
	}
OPENAT(openat)
OPENAT(openat64)
OPENAT(__openat_2)
OPENAT(__openat64_2)
