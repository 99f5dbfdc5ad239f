/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of -t, read outside of the kernel. */
#ifndef KT_CYCLES_H
#define KT_CYCLES_H

#include "runtime/abi.h"

/* Returns the counter that get_cycles() of the kernel reads: -t takes cycles from it. */
static inline kt_u64 cycle_clock(void)
{
	kt_u64 count;

#ifdef __x86_64__
	count = __builtin_ia32_rdtsc();
#else
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
#endif
	return count;
}

#endif
