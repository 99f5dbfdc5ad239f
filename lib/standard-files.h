/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What our programs inherit: descriptors 0, 1 and 2, and an ignored SIGCHLD. */
#ifndef KTAP_LIB_STANDARD_FILES_H
#define KTAP_LIB_STANDARD_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

/* Some daemons ignore SIGCHLD, and so do programs that they start: then waitpid() fails, and nothing tells of a child's end. */
static inline void heed_children(void)
{
	signal(SIGCHLD, SIG_DFL);
}

#endif
