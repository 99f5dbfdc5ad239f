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
#include <string.h>
#include <sys/types.h>
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
#define clamp_t(type, a, low, high) ((type)(a) < (type)(low) ? (type)(low) : (type)(a) > (type)(high) ? (type)(high) : (type)(a))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

#define barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define xchg(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define cmpxchg_local(p, old, new) \
	({ __typeof__(*(p)) old_ = (old); __atomic_compare_exchange_n(p, &old_, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); old_; })

/* One CPU, and no memory that is the kernel's. */
#define ____cacheline_aligned __attribute__((aligned(64)))
#define __user
#define GFP_KERNEL 0
#define __GFP_NOWARN 0
#define __GFP_RETRY_MAYFAIL 0
#define VM_MAP 0
#define PAGE_KERNEL 0
#define PAGE_SIZE 4096
#define ERESTARTSYS 512
#define U64_MAX (~0ull)
#define nr_cpu_ids 1
#define cpu_possible_mask NULL
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define for_each_present_cpu for_each_possible_cpu
#define for_each_online_cpu for_each_possible_cpu
#define cpumask_next(cpu, mask) ((cpu) + 1)
#define cpumask_first(mask) 0
#define num_possible_cpus() 1u
#define num_present_cpus() 1u
#define cpu_online(cpu) true
#define cpu_to_node(cpu) ((void)(cpu), 0)
#define smp_call_function_single(cpu, fn, arg, wait) (fn)(arg)
#define totalram_pages() 1000ul
#define rounddown_pow_of_two(n) (n)
#define div_u64(a, b) ((a) / (b))
#define kvcalloc(n, size, flags) calloc(n, size)
#define kvfree free
#define alloc_pages_node(node, flags, order) ((void)(node), (struct page *)NULL)
#define __free_page(page) ((void)(page))
#define vmap(pages, n, flags, how) ((void *)(pages))
#define vunmap(address) ((void)(address))
#define copy_to_user(to, from, n) (memcpy(to, from, n), 0)

struct page;
struct mutex {
	int unused;
};
#define mutex_init(m) ((void)(m))
#define mutex_lock(m) ((void)(m))
#define mutex_lock_interruptible(m) ((void)(m), 0)
#define mutex_unlock(m) ((void)(m))

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
