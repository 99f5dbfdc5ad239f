/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a program of ours runs on, outside of the kernel. */
#ifndef KT_HOST_H
#define KT_HOST_H

#include <elf.h>
#include <linux/audit.h>

#include "runtime/abi.h"

/* KT_HOST_ELF, and KT_HOST_NARROW of the 32-bit programs that run here (EM_NONE: none), are what ELF files call the machine; ABS64 and
 * ABS32 what they call relocations. */
#if defined(__x86_64__)
enum {
	KT_HOST_AUDIT = (int)AUDIT_ARCH_X86_64, KT_HOST_ELF = EM_X86_64, KT_HOST_NARROW = EM_386,
	KT_HOST_ABS64 = R_X86_64_64, KT_HOST_ABS32 = R_X86_64_32,
};
#elif defined(__aarch64__)
enum {
	KT_HOST_AUDIT = (int)AUDIT_ARCH_AARCH64, KT_HOST_ELF = EM_AARCH64, KT_HOST_NARROW = EM_NONE,
	KT_HOST_ABS64 = R_AARCH64_ABS64, KT_HOST_ABS32 = R_AARCH64_ABS32,
};
#elif defined(__riscv) && __riscv_xlen == 64
enum {
	KT_HOST_AUDIT = (int)AUDIT_ARCH_RISCV64, KT_HOST_ELF = EM_RISCV, KT_HOST_NARROW = EM_NONE,
	KT_HOST_ABS64 = R_RISCV_64, KT_HOST_ABS32 = R_RISCV_32,
};
#else
#error "ktap is not made for this machine: HACKING.md says how to add one"
#endif

/* Returns the counter that get_cycles() of the kernel reads: -t takes cycles from it. */
static inline kt_u64 kt_host_cycles(void)
{
	kt_u64 count;

#if defined(__x86_64__)
	count = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
#else
	__asm__ volatile("rdtime %0" : "=r"(count));
#endif
	return count;
}

#endif
