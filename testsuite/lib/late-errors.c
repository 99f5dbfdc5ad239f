/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library to load before others: close() of a file whose name begins with "late" fails, as on NFS when the quota is used up. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int close(int fd)
{
	char link[64], path[256] = "";
	const char *slash;
	int result;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	slash = readlink(link, path, sizeof(path) - 1) < 0 ? NULL : strrchr(path, '/');
	result = (int)syscall(SYS_close, fd);
	if (!slash || strncmp(slash, "/late", 5))
		return result;
	errno = EDQUOT;
	return -1;
}
