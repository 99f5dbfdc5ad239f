/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether QEMU may run each emulated CPU in a thread of its own. */
#ifndef KTAP_CLI_VM_THREADS_H
#define KTAP_CLI_VM_THREADS_H

#include <stdbool.h>

/* Returns whether QEMU, the program of the target's architecture, keeps breakpoints right with a thread for each CPU. False: it does not, or
 * there is no answer. It is started once; the cache keeps its answer until the program changes. */
bool vm_threads_work(const char *qemu);

#endif
