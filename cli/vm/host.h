/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parts of a VM on this machine: QEMU, virtiofsd, KVM, a kernel to boot. */
#ifndef KTAP_CLI_VM_HOST_H
#define KTAP_CLI_VM_HOST_H

#include <stdbool.h>

struct vm_host {
	const char *qemu;
	const char *virtiofsd;
	bool rust;  /* virtiofsd is the program of 2021 and later, not QEMU's own of before version 8 */
};

/* Returns the name of QEMU for the target's architecture. */
const char *vm_host_qemu(void);

/* Finds the programs; NULL: not installed. */
void vm_host_look(struct vm_host *ret);

/* Finds the programs. False: one is missing; reported, with the command that installs it. */
bool vm_host_find(struct vm_host *ret);

enum vm_kvm {
	VM_KVM_USABLE,
	VM_KVM_NO_CPU,    /* the CPU has no virtualization, or the host of this machine shows none */
	VM_KVM_NO_DEVICE, /* there is no /dev/kvm */
	VM_KVM_REFUSED,   /* /dev/kvm does not open */
};

/* Returns whether virtual machines can use KVM, or why not. *ret_module, if not NULL: the kernel module of this CPU. */
enum vm_kvm vm_host_kvm(const char **ret_module);

/* Returns whether virtual machines of the target's architecture can use KVM. */
bool vm_host_has_kvm(void);

/* Reports that no installed kernel is WANTED (NULL: that none is installed). Returns false. */
bool vm_host_no_kernel(const char *wanted);

#endif
