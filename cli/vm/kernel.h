/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's image as QEMU gets it. */
#ifndef KTAP_CLI_VM_KERNEL_H
#define KTAP_CLI_VM_KERNEL_H

/* A memory file with the kernel that the image PATH packs, which QEMU starts as it is. -1: QEMU is to start PATH
 * itself: the program that unpacks it is not installed, or the kernel has no PVH entry. */
int vm_kernel_unpack(const char *path);

#endif
