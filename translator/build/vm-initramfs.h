/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The initramfs of the throwaway VM, made in memory. */
#ifndef KTAP_BUILD_VM_INITRAMFS_H
#define KTAP_BUILD_VM_INITRAMFS_H

#include <stdbool.h>

/* A memory file that holds the initramfs for kernel RELEASE: our init and the modules it loads, with NETWORK that of the network
 * card too. False: reported. */
bool vm_initramfs(const char *release, bool network, int *ret_fd);

#endif
