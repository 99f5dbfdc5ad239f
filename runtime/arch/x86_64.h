/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86_64, as the kit needs it: where struct pt_regs keeps the registers that DWARF numbers, which addresses are
 * the kernel's.
 */
#ifndef KT_ARCH_X86_64_H
#define KT_ARCH_X86_64_H

#include <asm/asm.h>
#include <asm/nospec-branch.h>
#include <asm/sigframe.h>
#include <asm/tsc.h>
#include <asm/unwind.h>
#include <asm/vdso.h>
#include <asm/vsyscall.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime/arch/i386.h"
#include "runtime/core/unwind.h"

/* Does get_cycles() count at one rate, on idle CPUs too? */
static inline bool kt_arch_cycles_are_reliable(void)
{
	return !check_tsc_unstable();
}

/* Were interrupts on in the code with REGS? */
static inline bool kt_arch_irqs_on(const struct pt_regs *regs)
{
	return regs->flags & X86_EFLAGS_IF;
}

/* The numbers of a system call in syscalls.def that count here: of the kernel's own programs, and of 32-bit ones. */
#define KT_ARCH_CALL(x86_64, i386, arm64) x86_64, i386

/* There are 32-bit programs whose system calls have numbers of their own; at a function's entry the return address is on the stack. */
enum { KT_ARCH_HAS_NARROW = 1, KT_ARCH_RETURN_WORDS = 1 };

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

/* DWARF numbers of the registers that have a function's arguments. */
static const unsigned char kt_arch_arguments[] = { 5, 4, 1, 2, 8, 9 };

/* Names of registers in scripts, their DWARF numbers, and how many bytes each name covers. */
static const struct kt_arch_name {
	const char name[6];
	unsigned char number, size;
} kt_arch_names[] = {
	{ "rax", 0, 8 }, { "eax", 0, 4 }, { "ax", 0, 2 },
	{ "rdx", 1, 8 }, { "edx", 1, 4 }, { "dx", 1, 2 },
	{ "rcx", 2, 8 }, { "ecx", 2, 4 }, { "cx", 2, 2 },
	{ "rbx", 3, 8 }, { "ebx", 3, 4 }, { "bx", 3, 2 },
	{ "rsi", 4, 8 }, { "esi", 4, 4 }, { "si", 4, 2 },
	{ "rdi", 5, 8 }, { "edi", 5, 4 }, { "di", 5, 2 },
	{ "rbp", 6, 8 }, { "ebp", 6, 4 }, { "bp", 6, 2 },
	{ "rsp", 7, 8 }, { "esp", 7, 4 }, { "sp", 7, 2 },
	{ "r8", 8, 8 }, { "r8d", 8, 4 }, { "r8w", 8, 2 },
	{ "r9", 9, 8 }, { "r9d", 9, 4 }, { "r9w", 9, 2 },
	{ "r10", 10, 8 }, { "r10d", 10, 4 }, { "r10w", 10, 2 },
	{ "r11", 11, 8 }, { "r11d", 11, 4 }, { "r11w", 11, 2 },
	{ "r12", 12, 8 }, { "r12d", 12, 4 }, { "r12w", 12, 2 },
	{ "r13", 13, 8 }, { "r13d", 13, 4 }, { "r13w", 13, 2 },
	{ "r14", 14, 8 }, { "r14d", 14, 4 }, { "r14w", 14, 2 },
	{ "r15", 15, 8 }, { "r15d", 15, 4 }, { "r15w", 15, 2 },
	{ "al", 0, 1 }, { "dl", 1, 1 }, { "cl", 2, 1 }, { "bl", 3, 1 },
	{ "rip", 16, 8 }, { "eip", 16, 4 },
};

/* What the kernel keeps of a call of a program whose return it hooked: where the return address is in memory, AT, or the stack pointer
 * SP that the call was entered with. Here that is the same at the entry, but SP is what the caller has. */
static inline unsigned long kt_arch_hooked_at(unsigned long at, unsigned long sp)
{
	return at;
}

/* Of core/unwind.h: DWARF numbers of stack and frame pointer, pc, return address; the same of programs of 32 bits. */
#define KT_ARCH_UNWIND { .sp = 7, .fp = 6, .ip = 16, .ra = 16, .word = 8 }
#define KT_ARCH_UNWIND_COMPAT { .sp = 7, .fp = 6, .ip = 16, .ra = 16, .word = 4 }

/* The vdso of a program of 32 bits, of which no file exists that the loader could read. What stacks go through there: the
 * place after the system call, where ebp, edx, ecx and a return address are on the stack (arch/x86/entry/vdso/vdso32/
 * system_call.S), and where signal handlers return to, with the signal's frame there but for its first word. A rule of
 * core/unwind.h; NULL: PC is elsewhere. */
#ifdef CONFIG_IA32_EMULATION
#define KT_AT_SP(number, offset) kt_unwind_saved(KT_SAVED_AT, number, 7), (kt_u32)(offset)
#define KT_IN_CONTEXT(number, context, member) KT_AT_SP(number, (context) - 4 + offsetof(struct sigcontext_32, member))
#define KT_SIGNAL_RULE(context)                                                                                      \
	{                                                                                                            \
		kt_unwind_cfa(KT_CFA_SUM, 7, 9, 0, KT_RULE_SIGNAL), 0, KT_IN_CONTEXT(0, context, ax),                \
			KT_IN_CONTEXT(1, context, dx), KT_IN_CONTEXT(2, context, cx), KT_IN_CONTEXT(3, context, bx), \
			KT_IN_CONTEXT(4, context, si), KT_IN_CONTEXT(5, context, di), KT_IN_CONTEXT(6, context, bp), \
			KT_IN_CONTEXT(7, context, sp), KT_IN_CONTEXT(16, context, ip)                                \
	}
enum { KT_VDSO_RULES = 3, KT_VDSO_WORDS = 20 };
static inline bool kt_arch_compat_vdso_rule(const struct mm_struct *mm, unsigned long pc, kt_u32 *ret)
{
	const kt_u32 rules[KT_VDSO_RULES][KT_VDSO_WORDS] = {
		{ kt_unwind_cfa(KT_CFA_SUM, 7, 4, 0, 0), 16, KT_AT_SP(16, 12), KT_AT_SP(2, 8), KT_AT_SP(1, 4), KT_AT_SP(6, 0) },
		KT_SIGNAL_RULE(offsetof(struct sigframe_ia32, sc)),
		KT_SIGNAL_RULE(offsetof(struct rt_sigframe_ia32, uc.uc_mcontext)),
	};
	const struct vdso_image *image = mm->context.vdso_image;
	const long at[KT_VDSO_RULES] = { image ? image->sym_int80_landing_pad : 0, image ? image->sym___kernel_sigreturn : 0,
					 image ? image->sym___kernel_rt_sigreturn : 0 };

	for (unsigned int i = 0; i < KT_VDSO_RULES; i++)
		if (at[i] && pc == (unsigned long)mm->context.vdso + (unsigned long)at[i]) {
			memcpy(ret, rules[i], sizeof(rules[i]));
			return true;
		}
	return false;
}
#undef KT_SIGNAL_RULE
#undef KT_IN_CONTEXT
#undef KT_AT_SP
#else
enum { KT_VDSO_WORDS = 1 };
static inline bool kt_arch_compat_vdso_rule(const struct mm_struct *mm, unsigned long pc, kt_u32 *ret)
{
	return false;
}
#endif

static inline bool kt_arch_is_64bit(struct pt_regs *regs)
{
	return user_64bit_mode(regs);
}

/* The kernel leaves the program's FS base alone. */
static inline unsigned long kt_arch_thread_pointer(void)
{
	return __rdmsr(MSR_FS_BASE);
}

/* ---- stacks of handlers ---- */
/* At the top of a stack: where the code that switched to it goes on. */
struct kt_arch_frame {
	unsigned long sp, fp;
};

/* Zeroed memory for a stack of SIZE bytes, its top included, to be freed by kvfree(). NULL: none. Context: process. */
static inline void *kt_arch_stack_alloc(u32 size, int node)
{
	void *p = IS_ENABLED(CONFIG_VMAP_STACK) ? vmalloc_node(size, node) : kmalloc_node(size, GFP_KERNEL, node);

	if (p)
		memset(p, 0, size);
	return p;
}

#if IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI)
/* Such a kernel checks the type of a function that is called through a pointer: the compiler must make that call. */
static noinline void kt_arch_call(struct kt_ctx *c, void (*fn)(struct kt_ctx *))
{
	fn(c);
}
#define KT_ARCH_CALL_TARGET "movq %[thunk_target], %%rsi\ncall %c[call]\n"
#define KT_ARCH_CALL_INPUT , [call] "i"(kt_arch_call)
#else
#define KT_ARCH_CALL_TARGET CALL_NOSPEC
#define KT_ARCH_CALL_INPUT
#endif

/* Calls fn(c) on the stack that ends at TOP. Objtool knows these three moves of the stack pointer: it describes them to the
 * unwinder. */
static __always_inline void kt_arch_run(struct kt_arch_frame *top, void (*fn)(struct kt_ctx *), struct kt_ctx *c)
{
	register struct kt_ctx *arg asm("rdi") = c;
	register void (*target)(struct kt_ctx *) asm("rax") = fn;

	asm_inline volatile("movq %%rbp, 8(%[top])\n"
			    "movq %%rsp, (%[top])\n"
			    "movq %[top], %%rsp\n"
			    KT_ARCH_CALL_TARGET
			    "popq %%rsp\n"
			    : [arg] "+r"(arg), [thunk_target] "+r"(target), ASM_CALL_CONSTRAINT
			    : [top] "r"(top) KT_ARCH_CALL_INPUT
			    : "cc", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory");
}

/* Where a walk found its addresses on the stack. The unwinder of frame pointers does not say: no trail is kept of its walks. */
enum { KT_ARCH_SLOTS = 24, KT_ARCH_TRAILS = IS_ENABLED(CONFIG_UNWINDER_ORC) };
struct kt_arch_slots {
	unsigned long slot[KT_ARCH_SLOTS]; /* of the first addresses; 0: the address was in registers that an interrupt saved */
	bool whole;                        /* the walk ended at the registers of the current task's program */
};

/* Return addresses of the calls that led to where REGS are, the innermost first; at most MAX. BLIND: without the frame pointers. */
static inline u32 kt_arch_walk(const struct pt_regs *regs, unsigned long *ret, u32 max, struct kt_arch_slots *slots, bool blind)
{
	struct pt_regs begin = *regs;
	struct unwind_state state;
	u32 n = 0;

	if (blind)
		begin.bp = 0;
	for (unwind_start(&state, current, &begin, NULL); n < max && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
#ifdef CONFIG_UNWINDER_ORC
		if (n < KT_ARCH_SLOTS)
			slots->slot[n] = state.regs ? 0 : state.sp - sizeof(long);
		if (blind)
			state.bp = 0;
#endif
		ret[n++] = address;
	}
	slots->whole = false;
#ifdef CONFIG_UNWINDER_ORC
	slots->whole = n < max && state.regs == task_pt_regs(current) && user_mode(state.regs);
#endif
	return n;
}

/* Is the current task in a system call? Interrupts and exceptions leave a negative number. */
static inline bool kt_arch_in_syscall(void)
{
	return (long)task_pt_regs(current)->orig_ax >= 0;
}

/* Where a walk begins that goes from the probed instruction IP, where the registers that ftrace saves are AT. False: this kernel's
 * unwinder needs more. The one of frame pointers (CONFIG_UNWINDER_FRAME_POINTER) returns the return address that lies above the frame of
 * bp, which at a function's entry is the caller's frame. Where IP is 0, it takes the word at sp for the first one (__unwind_start() in
 * arch/x86/kernel/unwind_frame.c, for calls of a null pointer). */
static inline bool kt_arch_begin_at(const struct pt_regs *at, unsigned long ip, enum kt_walk_from from, struct pt_regs *ret)
{
	bool frames = IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER);

	*ret = (struct pt_regs){ .ip = frames && from == KT_FROM_ENTRY ? 0 : ip, .sp = at->sp, .bp = at->bp, .cs = __KERNEL_CS };
	return IS_ENABLED(CONFIG_UNWINDER_ORC) || frames;
}

/* Where a walk begins that goes from the kt_arch_run() which runs on the stack that ends at TOP. */
static inline void kt_arch_begin_below(const struct kt_arch_frame *top, struct pt_regs *ret)
{
	const u8 *ip = ((u8 *const *)top)[-1];

	/* Where the stack is the old one again: after popq. Up to there are only nops, which have no such byte. */
	while (*ip++ != 0x5c)
		;
	*ret = (struct pt_regs){ .ip = (unsigned long)ip, .sp = top->sp, .bp = top->fp, .cs = __KERNEL_CS };
}

/* The return address FOUND of a program, as it is. */
static inline unsigned long kt_arch_user_code(unsigned long found)
{
	return found;
}

/* Where in the memory of a program the function that REGS are at the entry of finds what it returns to; 0: in a register. */
static inline unsigned long kt_arch_user_return_at(struct pt_regs *regs)
{
	return user_64bit_mode(regs) ? regs->sp : (unsigned int)regs->sp;
}

/* Makes REGS, those at a return instruction of a program, those after it: TO is the return address, and POPS bytes beside it are taken off
 * the stack. */
static inline void kt_arch_user_return(struct pt_regs *regs, unsigned long to, unsigned int pops)
{
	regs->ip = to;
	regs->sp += (user_64bit_mode(regs) ? 8 : 4) + pops;
}

/* Returns whether a program takes the jump that REGS are at. CONDITION: 1 more than the number of the condition (0: overflow, 2: carry,
 * 4: zero, 6: carry or zero, 8: sign, 10: parity, 12: less, 14: less or equal; an odd number negates); 0: it takes it. */
static inline bool kt_arch_user_jumps(const struct pt_regs *regs, unsigned int condition)
{
	unsigned long f = regs->flags;
	bool less = !!(f & X86_EFLAGS_SF) != !!(f & X86_EFLAGS_OF), zero = f & X86_EFLAGS_ZF;
	const bool holds[] = { f & X86_EFLAGS_OF, f & X86_EFLAGS_CF, zero, f & X86_EFLAGS_CF || zero, f & X86_EFLAGS_SF, f & X86_EFLAGS_PF,
			       less, less || zero };

	return !condition || holds[(condition - 1) >> 1 & 7] != ((condition - 1) & 1);
}

/* Sets where a program is: at the instruction IP with the stack pointer SP. */
static inline void kt_arch_set_user_place(struct pt_regs *regs, unsigned long ip, unsigned long sp)
{
	regs->ip = ip;
	regs->sp = sp;
}

/* Where a program of Go's compiler has the current goroutine. */
static inline unsigned long kt_arch_goroutine(const struct pt_regs *regs)
{
	return regs->r14;
}

/* Where a program of 32 bits has argument N, from 1, of the function that REGS are at the entry of: an address in its memory. 0:
 * in a register, which is *RET. Its registers may have anything in their upper halves. */
static inline unsigned long kt_arch_compat_argument(struct pt_regs *regs, unsigned int n, unsigned int *ret)
{
	return (unsigned int)regs->sp + 4ul * n;
}

/* Returns the 64-bit result of a function of such a program: edx and eax. */
static inline unsigned long kt_arch_compat_result(struct pt_regs *regs)
{
	return (unsigned int)regs->ax | regs->dx << 32;
}

static inline void kt_arch_set_compat_result(struct pt_regs *regs, unsigned long value)
{
	regs->ax = (unsigned int)value;
	regs->dx = value >> 32;
}

/* Registers that ftrace saves without being asked for all of them: those of parameters, the stack and the return value
 * (save_mcount_regs and ftrace_caller in arch/x86/kernel/ftrace_64.S). Bit: DWARF number. */
enum { KT_ARCH_FTRACE_REGISTERS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 };

/* Distance from a function's address to where ftrace says it was: after endbr64, or none. */
enum { KT_ARCH_FTRACE_OFFSET = 4 };

/* Is ADDRESS in the kernel's own image, where names of code never change? */
static inline bool kt_arch_in_image(unsigned long address)
{
	return address >= __START_KERNEL_map && address < MODULES_VADDR;
}

/* The start of a function whose entry kprobes gave as ADDRESS: they go after an endbr64, in whose place the kernel
 * may have put a nop (cc66bb914578 and ed53a0d97192, v5.18). gen_endbr_poison() of asm/ibt.h says which nop: 7.2 has another. */
static inline unsigned long kt_arch_function_start(unsigned long address)
{
	static const unsigned int endbr64 = 0xfa1e0ff3, nops[] = { 0x001f0f66, 0xd6401f0f };
	unsigned int before;

	if (get_kernel_nofault(before, (const unsigned int *)(address - 4))) /* the first function of a module, or _text */
		return address;
	return before == endbr64 || before == nops[0] || before == nops[1] ? address - 4 : address;
}

/* The start of a function whose call to ftrace, of five bytes, goes on at ADDRESS. */
static inline unsigned long kt_arch_ftrace_start(unsigned long address)
{
	return kt_arch_function_start(address - 5);
}

/* Writes argument N, from 0, of the system call that REGS are of, AT_ENTRY: before the kernel has taken its arguments. */
static inline void kt_arch_set_call_argument(struct pt_regs *regs, unsigned int n, unsigned long value, bool at_entry)
{
	unsigned long *const native[] = { &regs->di, &regs->si, &regs->dx, &regs->r10, &regs->r8, &regs->r9 };
	unsigned long *const compat[] = { &regs->bx, &regs->cx, &regs->dx, &regs->si, &regs->di, &regs->bp };

	if (in_ia32_syscall())
		*compat[n] = (unsigned int)value;
	else
		*native[n] = value;
}

/* Is this the number of fork(), vfork(), clone() or clone3()? */
static inline bool kt_arch_makes_task(long number, bool compat)
{
	if (number == 435)
		return true;
	return compat ? number == 2 || number == 120 || number == 190 : number >= 56 && number <= 58;
}

/* Is this the number of exit() or exit_group()? They do not return: what is kept for the return would stay. */
static inline bool kt_arch_ends_task(long number, bool compat)
{
	return compat ? number == 1 || number == 252 : number == 60 || number == 231;
}

/* May ftrace have a call in the function at ADDRESS? There is one, or the nop it becomes, at the start or after endbr64. Other
 * code may look like it; ftrace knows. */
static inline bool kt_arch_may_trace(unsigned long address)
{
	enum { NOP5 = 0x00441f0f, CALL = 0xe8 };
	unsigned int first, second;

	if (get_kernel_nofault(first, (unsigned int *)address) || get_kernel_nofault(second, (unsigned int *)(address + 4)))
		return false;
	return first == NOP5 || second == NOP5 || (first & 0xff) == CALL || (second & 0xff) == CALL;
}

/* Is ADDRESS behind a call: e8 and 4 bytes, or ff /2 and up to 5? A kprobe on the call replaces its first byte by INT3.
 * The padding before a function consists of INT3 only. */
static inline bool kt_arch_is_behind_call(unsigned long address)
{
	enum { INT3 = 0xcc };
	unsigned char b[8];

	if (copy_from_kernel_nofault(b, (const void *)(address - sizeof(b)), sizeof(b)))
		return false;
	for (unsigned int i = 1; i <= 6; i++)
		if ((b[i] == 0xff || b[i] == INT3) && (b[i + 1] & 0x38) == 0x10)
			return true;
	return b[3] == 0xe8 || (b[3] == INT3 && b[7] != INT3);
}

/* Does the function end in another task than it began in? Its return cannot be hooked: the address to go on at would be
 * looked for in the other task. The kernel refuses a kretprobe there, but where functions begin with endbr64 it compares
 * addresses that differ by that, and accepts it. */
static inline bool kt_arch_changes_task(const char *function)
{
	return !strcmp(function, "__switch_to") || !strcmp(function, "__switch_to_asm");
}

/* Functions in which a breakpoint resets the machine. A processor that starts runs them before start_secondary() has loaded the
 * table of interrupts. The last four lines: places where the base of the per-CPU data is away; the way back from suspend; the way
 * into another kernel, and code that the kernel copies, with any breakpoint in it. From arch/x86/{kernel,power,coco} of v6.1 to
 * v6.12 and from what QEMU's `-d exec` shows of a processor that starts. */
static const char *const kt_arch_fragile[] = {
	"secondary_startup_64", "secondary_startup_64_no_verify", "common_startup_64", "verify_cpu", "sev_verify_cbit",
	"early_setup_idt", "startup_64_load_idt", "set_bringup_idt_handler", "native_write_idt_entry", "native_load_idt",
	"setup_ghcb", "snp_register_per_cpu_ghcb", "snp_register_ghcb_early",
	"cc_platform_has", "amd_cc_platform_has", "intel_cc_platform_has",
	"start_secondary", "cpu_init_secondary", "cpu_init_exception_handling", "cpu_init_fred_exceptions", "cpu_init_fred_rsps",
	"cr4_init", "cr4_set_bits", "cr4_update_irqsoff", "native_write_cr4", "native_write_msr",
	"setup_getcpu", "native_write_gdt_entry", "get_cpu_entry_area", "native_load_tr_desc", "load_current_idt",
	"load_percpu_segment", "switch_to_new_gdt", "switch_gdt_and_percpu_base",
	"wakeup_long64", "do_suspend_lowlevel", "restore_registers", "restore_processor_state", "__restore_processor_state",
	"native_write_cr0", "pv_native_write_cr2", "native_write_cr3",
	"machine_kexec", "relocate_kernel", "identity_mapped", "virtual_mapped", "swap_pages", "core_restore_code",
	NULL,
};

/* The word above the registers of a hooked return, REGS: where the function's return address was. */
static inline unsigned long kt_arch_return_slot(const struct pt_regs *regs)
{
	return READ_ONCE_NOCHECK(*(&regs->sp + 1)); /* regs->ss, which has 16 bits from v6.9 on */
}

/* Returns whether the frame with the registers RETURNING may be a caller of HIT. The word above them shows when it is popped. */
static inline bool kt_arch_return_is_open(const struct pt_regs *returning, const struct pt_regs *hit)
{
	return true;
}

/* The kernel's unwinder knows the addresses that kretprobes replaced. */
enum { KT_ARCH_UNHOOKS = 0 };

static inline unsigned long kt_arch_unhooked(unsigned long address, unsigned long lowest)
{
	return address;
}

/* Where the graph tracer says that it found the return address of the call that returned with REGS: there on the stack. */
static inline unsigned long *kt_arch_graph_slot(const struct pt_regs *regs)
{
	return (unsigned long *)regs->sp - 1;
}

/* Returns the return address of a kernel function from the registers at its entry. */
static inline unsigned long kt_arch_return_address(struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

/* The stack pointer that a program's function had at its entry, from the registers at its return; the lowest and the highest
 * that it may have been. In 32 bits functions may take some of their arguments off the stack, as those that return
 * structures do. */
static inline unsigned long kt_arch_entry_stack(struct pt_regs *regs, unsigned long *ret_lowest)
{
	unsigned long sp = regs->sp - (user_64bit_mode(regs) ? 8 : 4);

	*ret_lowest = user_64bit_mode(regs) ? sp : sp - 4 * 8;
	return sp;
}

/* The lowest address of the kernel's half that is canonical: lower ones are the users', or raise #GP. */
static inline unsigned long kt_arch_kernel_start(void)
{
	return -1UL << __VIRTUAL_MASK_SHIFT;
}

/* Behind the modules are only fixed mappings: registers of interrupt controllers, and the vsyscall page, a user page whose
 * fault is with SMAP an oops, whatever the exception table says. */
static inline unsigned long kt_arch_kernel_end(void)
{
	return MODULES_END;
}

/* Where the kernel maps pages one by one, those of devices among them. */
static inline unsigned long kt_arch_mappings_start(void)
{
	return VMALLOC_START;
}

static inline unsigned long kt_arch_mappings_end(void)
{
	return VMALLOC_END;
}

/* Is ADDRESS mapped, and not cached, as the registers of a device are? Context: any. */
static inline bool kt_arch_is_device(unsigned long address)
{
	unsigned int level;
	pte_t *at = lookup_address(address, &level), entry;

	/* the bit is the same in entries of all levels */
	return at && !get_kernel_nofault(entry, at) && pte_flags(entry) & _PAGE_PCD;
}

/* Symbols that the compiler refers to on its own: indirect calls go through the thunk of the register. */
#if defined(CONFIG_MITIGATION_RETPOLINE) || defined(CONFIG_RETPOLINE) /* aefb2f2e619b renamed it in v6.9 */
#define KT_THUNK(reg) (void *)__x86_indirect_thunk_##reg
#define KT_ARCH_COMPILER_SYMBOLS                                                                   \
	KT_THUNK(rax), KT_THUNK(rbx), KT_THUNK(rcx), KT_THUNK(rdx), KT_THUNK(rsi), KT_THUNK(rdi),  \
		KT_THUNK(rbp), KT_THUNK(r8), KT_THUNK(r9), KT_THUNK(r10), KT_THUNK(r11),           \
		KT_THUNK(r12), KT_THUNK(r13), KT_THUNK(r14), KT_THUNK(r15)
#else
#define KT_ARCH_COMPILER_SYMBOLS
#endif

#endif
