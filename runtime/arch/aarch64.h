/* What the kit must know about aarch64: where struct pt_regs keeps the registers that DWARF numbers, which addresses
 * are the kernel's.
 */
#ifndef KT_ARCH_AARCH64_H
#define KT_ARCH_AARCH64_H

#include <linux/ptrace.h>
#include <linux/stddef.h>

#define KT_X(n) [n] = offsetof(struct pt_regs, regs[n])
/* Index: DWARF register number (DWARF for the Arm 64-bit Architecture, section 4.1). */
static const unsigned short kt_arch_registers[] = {
	KT_X(0),  KT_X(1),  KT_X(2),  KT_X(3),  KT_X(4),  KT_X(5),  KT_X(6),  KT_X(7),
	KT_X(8),  KT_X(9),  KT_X(10), KT_X(11), KT_X(12), KT_X(13), KT_X(14), KT_X(15),
	KT_X(16), KT_X(17), KT_X(18), KT_X(19), KT_X(20), KT_X(21), KT_X(22), KT_X(23),
	KT_X(24), KT_X(25), KT_X(26), KT_X(27), KT_X(28), KT_X(29), KT_X(30),
	[31] = offsetof(struct pt_regs, sp),
	[32] = offsetof(struct pt_regs, pc),
};
#undef KT_X

/* The upper half belongs to the kernel; tagged and unmapped addresses there fault in the ordinary way. */
static inline unsigned long kt_arch_kernel_start(void)
{
	return -1UL << 63;
}

/* The last page is never mapped: it holds error codes. */
static inline unsigned long kt_arch_kernel_end(void)
{
	return -4096UL;
}

/* Symbols that the compiler refers to on its own: none beyond the common ones. */
#define KT_ARCH_COMPILER_SYMBOLS

#endif
