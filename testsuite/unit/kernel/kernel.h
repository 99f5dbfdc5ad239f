/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the kernel that files of runtime/kit use which are unit tests here: threads are CPUs, a signal of a thread is an NMI. The
 * headers <linux/...> of this directory stand for the kernel's. Atomics that the kernel confines to a CPU are those of the compiler, which
 * ThreadSanitizer knows.
 */
#ifndef KTAP_UNIT_KERNEL_H
#define KTAP_UNIT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "runtime/script.h"

typedef kt_u64 u64;
typedef kt_s64 s64;
typedef kt_u32 u32;
typedef kt_u16 u16;
typedef kt_u8 u8;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#undef noinline
#define noinline __attribute__((noinline))
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __kprobes
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static inline void cpu_relax(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#endif
}

static inline u64 ktime_get_mono_fast_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

#endif
