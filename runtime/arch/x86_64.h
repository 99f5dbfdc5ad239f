/* What the kit must know about x86_64: where struct pt_regs keeps the registers that DWARF numbers, which addresses are
 * the kernel's.
 */
#ifndef KT_ARCH_X86_64_H
#define KT_ARCH_X86_64_H

#include <linux/ptrace.h>
#include <linux/stddef.h>

/* Index: DWARF register number (System V ABI, figure 3.36). */
static const unsigned short kt_arch_registers[] = {
	[0] = offsetof(struct pt_regs, ax),   [1] = offsetof(struct pt_regs, dx),
	[2] = offsetof(struct pt_regs, cx),   [3] = offsetof(struct pt_regs, bx),
	[4] = offsetof(struct pt_regs, si),   [5] = offsetof(struct pt_regs, di),
	[6] = offsetof(struct pt_regs, bp),   [7] = offsetof(struct pt_regs, sp),
	[8] = offsetof(struct pt_regs, r8),   [9] = offsetof(struct pt_regs, r9),
	[10] = offsetof(struct pt_regs, r10), [11] = offsetof(struct pt_regs, r11),
	[12] = offsetof(struct pt_regs, r12), [13] = offsetof(struct pt_regs, r13),
	[14] = offsetof(struct pt_regs, r14), [15] = offsetof(struct pt_regs, r15),
	[16] = offsetof(struct pt_regs, ip),
};

/* In the kernel's half of the address space, and canonical: other addresses raise #GP, which the kernel reports. */
static inline bool kt_arch_kernel_address(unsigned long address)
{
	return (long)address >> (__VIRTUAL_MASK_SHIFT) == -1;
}

#endif
