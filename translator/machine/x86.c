/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86_64, and i386, whose programs its kernels run. Conventions: System V ABI, AMD64 supplement, 3.2.3. */
#include "translator/machine/x86.h"

#include <elf.h>
#include <string.h>

#include "lib/reader.h"

/* ---- registers ---- */
static const char *const wide_registers[] = {
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
};

/* As the runtime numbers those of a 32-bit program, which are x86_64's: runtime/arch/i386.h. */
static const char *const narrow_registers[] = {
	"eax", "edx", "ecx", "ebx", "esi", "edi", "ebp", "esp", [16] = "eip",
};

static const struct convention sysv = {
	.args = { 5, 4, 1, 2, 8, 9 }, .n_args = 6, .second = 1, .passes_result = true, .returns_address = true, .clang_packs = true,
};

/* ---- code ---- */
/* endbr64, and the call of the function tracer or the nop in its place. They change no register that holds a parameter, but clang's location
 * lists begin after them. */
static uint64_t entry_hooks(const unsigned char *code, uint64_t address, uint64_t fentry)
{
	static const unsigned char endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	enum { CALL = 0xe8 };
	uint64_t n = memcmp(code, endbr, sizeof(endbr)) ? 0 : sizeof(endbr);
	int32_t distance = (int32_t)word_at(code + n + 1);

	if (!memcmp(code + n, nop, sizeof(nop)) ||
	    (code[n] == CALL && address + n + sizeof(nop) + (uint64_t)(int64_t)distance == fentry))
		n += sizeof(nop);
	return n;
}

/* [endbr64] [bnd] jmp *REL(%rip) */
static uint64_t wide_plt_word(const unsigned char *p, uint64_t address, uint64_t table)
{
	for (unsigned at = 0; at + 6 <= PLT_STUB_SIZE; at++) {
		if (p[at] == 0xff && p[at + 1] == 0x25)
			return address + at + 6 + (uint64_t)(int64_t)(int32_t)word_at(p + at + 2);
		if (at == 0 && word_at(p) == 0xfa1e0ff3)
			at = 3;
		else if (p[at] != 0xf2)
			return 0;
	}
	return 0;
}

/* [endbr32] jmp *WORD, or jmp *OFFSET(%ebx), which holds TABLE. */
static uint64_t narrow_plt_word(const unsigned char *p, uint64_t address, uint64_t table)
{
	const unsigned char *jump = word_at(p) == 0xfb1e0ff3 ? p + 4 : p;

	if (jump[0] != 0xff || (jump[1] != 0x25 && jump[1] != 0xa3))
		return 0;
	return jump[1] == 0x25 ? word_at(jump + 2) : (uint32_t)(table + word_at(jump + 2));
}

static const struct field_relocation fields[] = {
	{ R_X86_64_64, 8, false }, { R_X86_64_32, 4, false }, { R_X86_64_32S, 4, false }, { R_X86_64_PC32, 4, true }, { R_X86_64_PC64, 8, true },
	{ 0, 0, false },
};

/* ---- machines ---- */
/* In struct pt_regs: rax rdx rcx rbx rsi rdi rbp rsp r8 to r15 rip. */
static const unsigned char context_words[] = { 10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16 };

const struct machine machine_i386 = {
	.name = "i386",
	.script = "i386",
	.elf = EM_386,
	.registers = narrow_registers,
	.n_registers = sizeof(narrow_registers) / sizeof(narrow_registers[0]),
	/* In DWARF's numbers of i386: esp, and ebp beside it. */
	.stack_pointer = 4,
	.return_size = 4,
	.context_words = context_words,
	.n_context_words = sizeof(context_words),
	.frame_registers = 1u << 4 | 1u << 5,
	.decode = i386_decode,
	.slot_relocation = R_386_GLOB_DAT,
	.plt_word = narrow_plt_word,
	.plt_align = 8,
	.operand = x86_operand,
};

const struct machine machine_x86_64 = {
	.name = "x86_64",
	.script = "x86_64",
	.srcarch = "x86",
	.triplet = "x86_64-linux-gnu",
	.config = "X86_64",
	.image = "arch/x86/boot/bzImage",
	.elf = EM_X86_64,
	.narrow = &machine_i386,
	.registers = wide_registers,
	.n_registers = sizeof(wide_registers) / sizeof(wide_registers[0]),
	.context_words = context_words,
	.n_context_words = sizeof(context_words),
	.n_kept = 16,
	.stack_pointer = 7,
	.return_size = 8,
	.frame_registers = 1u << 6 | 1u << 7,
	.convention = &sysv,
	.go_results = "\"rbx\", \"rcx\", \"rdi\", \"rsi\"",
	.decode = x86_64_decode,
	.entry_hooks = entry_hooks,
	.return_thunk = "__x86_return_thunk",
	.indirect_thunk = "__x86_indirect_",
	.branch_relocations = { R_X86_64_PC32, R_X86_64_PLT32 },
	.debug_relocations = fields,
	.slot_relocation = R_X86_64_GLOB_DAT,
	.tls = { R_X86_64_TPOFF64, R_X86_64_DTPMOD64, R_X86_64_TLSDESC, 8, false, 0 },
	.plt_word = wide_plt_word,
	.plt_align = 8,
	.operand = x86_operand,
	.has_kit = true,
	.syscalls = SYSCALLS_X86_64,
	.syscall_prefix = "__x64_sys_",
	.compat_prefix = "__ia32_",
	.stack_limit = 256 << 10,
	.board = { "q35,vmport=off", "max", "ttyS0", "tsc=unstable no_timer_check ", PACKAGE_QEMU, true },
};
