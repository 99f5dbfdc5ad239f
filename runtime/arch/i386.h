/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How debugging information numbers the registers of 32-bit programs that run on x86_64. All that is read of such a program
 * (DWARF locations, call frame information) is renumbered when it is read: whatever comes after it knows one numbering
 * only. Includes nothing: the translator and the loader use it too. x86_64.h has the rest, for the kit.
 */
#ifndef KT_ARCH_I386_H
#define KT_ARCH_I386_H

enum { KT_I386_NO_REGISTER = 255 };

/* The x86_64 number of the register that i386 gives NUMBER (System V ABI of the Intel386, DWARF register number mapping):
 * eax, ecx, edx, ebx, esp, ebp, esi, edi, eip. Others are not saved where a probe is hit. */
static inline unsigned int kt_i386_register(unsigned long long number)
{
	static const unsigned char numbers[] = { 0, 2, 1, 3, 7, 6, 4, 5, 16 };

	return number < sizeof(numbers) ? numbers[number] : KT_I386_NO_REGISTER;
}

#endif
