/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that somebody named by number. A number is free when its process has ended, and another process may get it. */
#ifndef KTAP_LIB_PROCESS_H
#define KTAP_LIB_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the process PID and returns its descriptor, to be closed. -1: it does not exist, PID is a thread, or the kernel is older than 5.3. */
int process_open(int pid);
/* Returns whether the process of descriptor FD has ended. -1: unknown, which is false. */
bool process_has_ended(int fd);

/* Returns the capabilities of this process that are in effect, bit CAP_... for each. */
uint64_t process_capabilities(void);

#endif
