/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptors 0, 1 and 2 of our programs. */
#ifndef KT_STANDARD_FILES_H
#define KT_STANDARD_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/* Opens /dev/null as each of the three that is closed. Without it the next file that the program opens would become its
 * standard input or output. Call it first in main(). False: a descriptor is still closed, and nothing can be reported. */
static inline bool open_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The lower ones are open, so open() returns FD. Without /dev any file will do: writes to it fail. */
		if (open("/dev/null", O_RDWR) != fd && open("/", O_RDONLY) != fd)
			return false;
	}
	return true;
}

#endif
