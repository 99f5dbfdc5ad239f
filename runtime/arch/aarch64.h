/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aarch64, as the kit needs it: where struct pt_regs keeps the registers that DWARF numbers, which addresses
 * are the kernel's.
 */
#ifndef KT_ARCH_AARCH64_H
#define KT_ARCH_AARCH64_H

#include <asm/pgtable.h>
#include <asm/sysreg.h>
#include <linux/irqflags.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>

struct kt_ctx;


/* Does get_cycles() count at one rate, on idle CPUs too? */
static inline bool kt_arch_cycles_are_reliable(void)
{
	return true;
}

/* Were interrupts on in the code with REGS? */
static inline bool kt_arch_irqs_on(const struct pt_regs *regs)
{
	return interrupts_enabled(regs);
}

#define KT_X(n) [n] = offsetof(struct pt_regs, regs[n])
/* The numbers of a system call in syscalls.def that count here; 32-bit programs have others than those of i386. */
#define KT_ARCH_CALL(x86_64, i386, arm64) arm64, -1

/* 32-bit programs are not read; at a function's entry the return address is in a register. */
enum { KT_ARCH_HAS_NARROW = 0, KT_ARCH_RETURN_WORDS = 0 };

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

/* DWARF numbers of the registers that have a function's arguments. */
static const unsigned char kt_arch_arguments[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

/* Names of registers in scripts, their DWARF numbers, and how many bytes each name covers. */
static const struct kt_arch_name {
	const char name[4];
	unsigned char number, size;
} kt_arch_names[] = {
	{ "x0", 0, 8 }, { "w0", 0, 4 },
	{ "x1", 1, 8 }, { "w1", 1, 4 },
	{ "x2", 2, 8 }, { "w2", 2, 4 },
	{ "x3", 3, 8 }, { "w3", 3, 4 },
	{ "x4", 4, 8 }, { "w4", 4, 4 },
	{ "x5", 5, 8 }, { "w5", 5, 4 },
	{ "x6", 6, 8 }, { "w6", 6, 4 },
	{ "x7", 7, 8 }, { "w7", 7, 4 },
	{ "x8", 8, 8 }, { "w8", 8, 4 },
	{ "x9", 9, 8 }, { "w9", 9, 4 },
	{ "x10", 10, 8 }, { "w10", 10, 4 },
	{ "x11", 11, 8 }, { "w11", 11, 4 },
	{ "x12", 12, 8 }, { "w12", 12, 4 },
	{ "x13", 13, 8 }, { "w13", 13, 4 },
	{ "x14", 14, 8 }, { "w14", 14, 4 },
	{ "x15", 15, 8 }, { "w15", 15, 4 },
	{ "x16", 16, 8 }, { "w16", 16, 4 },
	{ "x17", 17, 8 }, { "w17", 17, 4 },
	{ "x18", 18, 8 }, { "w18", 18, 4 },
	{ "x19", 19, 8 }, { "w19", 19, 4 },
	{ "x20", 20, 8 }, { "w20", 20, 4 },
	{ "x21", 21, 8 }, { "w21", 21, 4 },
	{ "x22", 22, 8 }, { "w22", 22, 4 },
	{ "x23", 23, 8 }, { "w23", 23, 4 },
	{ "x24", 24, 8 }, { "w24", 24, 4 },
	{ "x25", 25, 8 }, { "w25", 25, 4 },
	{ "x26", 26, 8 }, { "w26", 26, 4 },
	{ "x27", 27, 8 }, { "w27", 27, 4 },
	{ "x28", 28, 8 }, { "w28", 28, 4 },
	{ "x29", 29, 8 }, { "w29", 29, 4 },
	{ "x30", 30, 8 }, { "w30", 30, 4 },
	{ "sp", 31, 8 }, { "pc", 32, 8 },
};

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

/* Where the kernel maps pages one by one, those of devices among them. */
static inline unsigned long kt_arch_mappings_start(void)
{
	return VMALLOC_START;
}

static inline unsigned long kt_arch_mappings_end(void)
{
	return kt_arch_kernel_end();
}

/* Is ADDRESS mapped with an attribute of device memory? The processor says (Arm Architecture Reference Manual, AT S1E1R and
 * PAR_EL1: bits 56 to 63 are as in MAIR_EL1, where those of a device begin with four zeroes). Context: any. */
static inline bool kt_arch_is_device(unsigned long address)
{
	unsigned long flags;
	u64 before, par;

	local_irq_save(flags);
	before = read_sysreg_par();
	asm volatile("at s1e1r, %0" : : "r"(address));
	isb();
	par = read_sysreg_par();
	write_sysreg(before, par_el1); /* an NMI's handler may be here while another's is */
	local_irq_restore(flags);
	return !(par & SYS_PAR_EL1_F) && !(par >> 60);
}

/* Is ADDRESS behind a call: bl, blr or one that authenticates, or the brk that a kprobe put in its place? */
static inline bool kt_arch_is_behind_call(unsigned long address)
{
	u32 call;

	if (get_kernel_nofault(call, (const u32 *)(address - sizeof(call))))
		return false;
	return call >> 26 == 0x25 || (call & 0xfefff000) == 0xd63f0000 || (call & 0xffe0001f) == 0xd4200000;
}

/* Does the function end in another task than it began in? */
static inline bool kt_arch_changes_task(const char *function)
{
	return false;
}

/* Functions that a starting processor, or one that resumes, runs before its vectors and the base of its per-CPU data are set.
 * Read from arch/arm64/kernel/{head,sleep}.S of v6.1 to v6.12. */
static const char *const kt_arch_fragile[] = {
	"secondary_startup", "__secondary_switched", "__secondary_too_slow", "set_cpu_boot_mode_flag", "_cpu_resume", NULL,
};

/* The word above the registers of a hooked return, REGS; 0: nothing is known of it. */
static inline unsigned long kt_arch_return_slot(const struct pt_regs *regs)
{
	return 0;
}

/* Returns whether the frame with the registers RETURNING is a caller of HIT, which is deeper on the same stack. The frame record
 * of the kernel's return hook is in its registers (arch/arm64/kernel/probes/kprobes_trampoline.S); popped, it is in no chain. */
static inline bool kt_arch_return_is_open(const struct pt_regs *returning, const struct pt_regs *hit)
{
	unsigned long hook = (unsigned long)&returning->regs[29], below = hit->sp;

	for (unsigned long at = hit->regs[29]; at >= below && at <= hook; at = *(const unsigned long *)at) {
		if (at == hook)
			return true;
		below = at + 1;
	}
	return false;
}

/* As on x86_64. It lay in a register, and the tracer keeps the caller's frame pointer. */
static inline unsigned long *kt_arch_graph_slot(const struct pt_regs *regs)
{
	return (unsigned long *)regs->regs[29];
}

/* Returns the return address of a kernel function from the registers at its entry. */
static inline unsigned long kt_arch_return_address(struct pt_regs *regs)
{
	return regs->regs[30];
}

/* The stack pointer that a program's function had at its entry, from the registers at its return. */
static inline unsigned long kt_arch_entry_stack(struct pt_regs *regs, unsigned long *ret_lowest)
{
	*ret_lowest = regs->sp;
	return regs->sp;
}

/* Where in the memory of a program the function that REGS are at the entry of finds what it returns to; 0: in a register. */
static inline unsigned long kt_arch_user_return_at(struct pt_regs *regs)
{
	return 0;
}

/* Makes REGS, those at a return instruction of a program, those after it: TO is the return address. */
static inline void kt_arch_user_return(struct pt_regs *regs, unsigned long to, unsigned int pops)
{
	regs->pc = kt_arch_user_code(to);
}

/* Returns whether a program takes the jump that REGS are at. Compilers write no conditional one to another function. */
static inline bool kt_arch_user_jumps(const struct pt_regs *regs, unsigned int condition)
{
	return true;
}

/* Sets where a program is: at the instruction IP with the stack pointer SP. */
static inline void kt_arch_set_user_place(struct pt_regs *regs, unsigned long ip, unsigned long sp)
{
	regs->pc = ip;
	regs->sp = sp;
}

/* Where a program of Go's compiler has the current goroutine. */
static inline unsigned long kt_arch_goroutine(const struct pt_regs *regs)
{
	return regs->regs[28];
}

/* Where a program of 32 bits has argument N, from 1, of the function that REGS are at the entry of: an address in its memory. 0:
 * in a register, which is *RET. */
static inline unsigned long kt_arch_compat_argument(struct pt_regs *regs, unsigned int n, unsigned int *ret)
{
	if (n > 4)
		return regs->regs[13] + 4ul * (n - 5);
	*ret = (unsigned int)regs->regs[n - 1];
	return 0;
}

/* Returns the 64-bit result of a function of such a program. */
static inline unsigned long kt_arch_compat_result(struct pt_regs *regs)
{
	return (unsigned int)regs->regs[0] | regs->regs[1] << 32;
}

static inline void kt_arch_set_compat_result(struct pt_regs *regs, unsigned long value)
{
	regs->regs[0] = (unsigned int)value;
	regs->regs[1] = value >> 32;
}

/* Registers that ftrace saves without being asked for all of them: x0 to x8, frame pointer, return address, stack pointer
 * (26299b3f6ba2, v6.3: struct ftrace_regs). Bit: DWARF number. */
enum { KT_ARCH_FTRACE_REGISTERS = (int)(0x1ffu | 1u << 29 | 1u << 30 | 1u << 31) };

/* Distance from a function's address to where ftrace says it was: the second of the two instructions that the compiler
 * left for it, after the landing pad if there is one (arch/arm64/kernel/ftrace.c, ftrace_call_adjust). */
enum { KT_ARCH_FTRACE_OFFSET = IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ? 8 : 4 };

/* Symbols that the compiler refers to on its own: none beyond the common ones. */
#define KT_ARCH_COMPILER_SYMBOLS

/* Is ADDRESS in the kernel's own image, where names of code never change? Not known: modules may lie beside it. */
static inline bool kt_arch_in_image(unsigned long address)
{
	return false;
}

/* The start of a function whose entry kprobes gave as ADDRESS. */
static inline unsigned long kt_arch_function_start(unsigned long address)
{
	return address;
}

/* The start of a function whose call to ftrace goes on at ADDRESS. */
static inline unsigned long kt_arch_ftrace_start(unsigned long address)
{
	return address - 4 - KT_ARCH_FTRACE_OFFSET;
}

/* Writes argument N, from 0, of the system call that REGS are of, AT_ENTRY: before the kernel has taken its arguments. At
 * the return the first one's register has the result; the copy is what a call that is made again begins with. */
static inline void kt_arch_set_call_argument(struct pt_regs *regs, unsigned int n, unsigned long value, bool at_entry)
{
	if (!n)
		regs->orig_x0 = value;
	if (n || at_entry)
		regs->regs[n] = value;
}

/* Is this the number of fork(), vfork(), clone() or clone3()? */
static inline bool kt_arch_makes_task(long number, bool compat)
{
	if (number == 435)
		return true;
	return compat ? number == 2 || number == 120 || number == 190 : number == 220;
}

/* Is this the number of exit() or exit_group()? They do not return: what is kept for the return would stay. */
static inline bool kt_arch_ends_task(long number, bool compat)
{
	return compat ? number == 1 || number == 248 : number == 93 || number == 94;
}

/* May ftrace have a call in the function at ADDRESS? It knows best. */
static inline bool kt_arch_may_trace(unsigned long address)
{
	return true;
}

/* As on x86_64. Here the caller's stack pointer is that of the entry, and the return address lies anywhere in the frame. */
static inline unsigned long kt_arch_hooked_at(unsigned long at, unsigned long sp)
{
	return sp;
}

/* Of core/unwind.h: DWARF numbers of stack and frame pointer, pc, return address. */
#define KT_ARCH_UNWIND { .sp = 31, .fp = 29, .ip = 32, .ra = 30, .word = 8 }
/* Of programs of 32 bits: no tables are made of them, and a frame pointer leads nowhere. */
#define KT_ARCH_UNWIND_COMPAT { .sp = 13, .fp = 0, .ip = 32, .ra = 14, .word = 4 }

struct mm_struct;
enum { KT_VDSO_WORDS = 1 };
static inline bool kt_arch_compat_vdso_rule(const struct mm_struct *mm, unsigned long pc, unsigned int *ret)
{
	return false;
}

static inline bool kt_arch_is_64bit(struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

static inline unsigned long kt_arch_thread_pointer(void)
{
	return read_sysreg(tpidr_el0);
}

/* ---- stacks of handlers ---- */
/* At the top of a stack: where the code that switched to it goes on. */
struct kt_arch_frame {
	unsigned long sp, fp;
};

/* Zeroed memory for a stack of SIZE bytes, its top included, to be freed by kvfree(). NULL: none. Exceptions take a stack
 * pointer with the bit THREAD_SIZE for an overflow (arch/arm64/kernel/entry.S): the memory is aligned to twice that, and only
 * its lower half is used. Context: process. */
static inline void *kt_arch_stack_alloc(u32 size, int node)
{
	return size <= THREAD_SIZE ? kzalloc_node(2 * THREAD_SIZE, GFP_KERNEL, node) : NULL;
}

/* Calls fn(c) on the stack that ends at TOP. */
static __always_inline void kt_arch_run(struct kt_arch_frame *top, void (*fn)(struct kt_ctx *), struct kt_ctx *c)
{
	register struct kt_ctx *arg asm("x0") = c;
	register void (*target)(struct kt_ctx *) asm("x9") = fn;
	register struct kt_arch_frame *to asm("x10") = top;

	asm volatile("mov x11, sp\n"
		     "stp x11, x29, [%[to]]\n"
		     "mov sp, %[to]\n"
		     "blr %[target]\n"
		     "ldr x11, [sp]\n"
		     "mov sp, x11\n"
		     : [arg] "+r"(arg), [target] "+r"(target), [to] "+r"(to)
		     :
		     : "cc", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
		       "x18", "x30", "memory");
}

/* A signature is in the upper bits of return addresses. Code is below this bit even where addresses have 52, in the kernel and in
 * programs. */
enum { KT_ARCH_CODE_BITS = 48 };

/* The return address FOUND of a program without its signature. */
static inline unsigned long kt_arch_user_code(unsigned long found)
{
	return found & ((1UL << KT_ARCH_CODE_BITS) - 1);
}

/* As on x86_64; no trail is kept of frame records, which take a few instructions each. */
enum { KT_ARCH_SLOTS = 1, KT_ARCH_TRAILS = 0 };
struct kt_arch_slots {
	unsigned long slot[KT_ARCH_SLOTS];
	bool whole;
};

/* A hooked return replaces the caller's address in the frame record; the walk looks the caller up. */
enum { KT_ARCH_UNHOOKS = 1 };

/* Returns where the call goes on that returns to ADDRESS, which a kretprobe may have replaced. The stack pointer at the call's entry
 * was at least LOWEST. */
static inline unsigned long kt_arch_unhooked(unsigned long address, unsigned long lowest)
{
	return kt_return_hook && address == kt_return_hook ? kt_kretprobe_caller(lowest, address) : address;
}

/* As on x86_64. By frame records, as the kernel's own unwinder, which knows no stack of ours. At a function's entry the return address
 * is in x30 only; where a walk begins elsewhere that is 0. */
static inline u32 kt_arch_walk(const struct pt_regs *regs, unsigned long *ret, u32 max, struct kt_arch_slots *slots, bool blind)
{
	unsigned long record[2], at = regs->regs[29];
	u32 n = 0;

	if (regs->regs[30] && n < max)
		ret[n++] = kt_arch_unhooked(regs->regs[30] | -1UL << KT_ARCH_CODE_BITS, regs->sp);
	while (n < max && !(at & 7) && !copy_from_kernel_nofault(record, (const void *)at, sizeof(record)) && record[1]) {
		ret[n++] = kt_arch_unhooked(record[1] | -1UL << KT_ARCH_CODE_BITS, at + 1);
		at = record[0];
	}
	slots->whole = false;
	return n;
}

static inline bool kt_arch_in_syscall(void)
{
	return false;
}

/* As on x86_64. After a return, IP is in the caller, which has made its frame record. Elsewhere nothing says whether the function has. */
static inline bool kt_arch_begin_at(const struct pt_regs *at, unsigned long ip, enum kt_walk_from from, struct pt_regs *ret)
{
	*ret = (struct pt_regs){ .sp = at->sp, .pc = ip };
	ret->regs[29] = at->regs[29];
	ret->regs[30] = from == KT_FROM_ENTRY ? at->regs[30] : 0;
	return from != KT_FROM_INSIDE;
}

/* As on x86_64. */
static inline void kt_arch_begin_below(const struct kt_arch_frame *top, struct pt_regs *ret)
{
	*ret = (struct pt_regs){ .sp = top->sp, .pc = 0 };
	ret->regs[29] = top->fp;
}

#endif
