/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The initramfs of the throwaway VM, made in memory. */
#ifndef KTAP_CLI_VM_INITRAMFS_H
#define KTAP_CLI_VM_INITRAMFS_H

#include <stdbool.h>

struct vm_options;

/* A memory file that holds the initramfs for the VM of O: our init, or that of its root, and the modules that init loads, with a
 * network that of its card too. False: reported. */
bool vm_initramfs(const struct vm_options *o, int *ret_fd);

#endif
