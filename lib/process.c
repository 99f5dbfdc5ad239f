/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

int process_open(int pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

bool process_has_ended(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&p, 1, 0) > 0;
}
