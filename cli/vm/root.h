/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --vm-root: a directory whose files stand before the host's in the VM. A kernel of another architecture needs one with a system of
 * that architecture, in which ktap was built or installed at the path that it has here. */
#ifndef KTAP_CLI_VM_ROOT_H
#define KTAP_CLI_VM_ROOT_H

#include <stdbool.h>

/* The root that an option gave, GIVEN, or else $KTAP_VM_ROOT. NULL: none, which is also what "" means. */
const char *vm_root_named(const char *given);
/* Has ROOT (NULL: none) what a VM of kernel RELEASE needs of it? False: reported. */
bool vm_root_check(const char *root, const char *release);
/* The file PATH of ROOT, as the host sees it. */
const char *vm_root_file(const char *root, const char *path);
/* Where the init of VMs is. */
const char *vm_root_init(void);

#endif
