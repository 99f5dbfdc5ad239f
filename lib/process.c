/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/process.h"

#include <linux/capability.h>
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

uint64_t process_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capget, &head, data) ? 0 : (uint64_t)data[1].effective << 32 | data[0].effective;
}
