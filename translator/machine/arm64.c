/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64. Conventions: Procedure Call Standard for the Arm 64-bit Architecture, 6.4 and 6.8. */
#include "translator/machine/arm64.h"

#include <elf.h>
#include <string.h>

#include "lib/reader.h"

static const char *const registers[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15",
	"x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
};

static const struct convention aapcs = { .args = { 0, 1, 2, 3, 4, 5, 6, 7 }, .n_args = 8, .second = 1, .by_address = true };

/* [bti c]; adrp x16, PAGE; ldr x17, [x16, OFFSET] */
static uint64_t plt_word(const unsigned char *p, uint64_t address, uint64_t table)
{
	uint32_t adrp = word_at(p), ldr = word_at(p + 4);
	int64_t page;

	if (adrp == 0xd503245f) {
		address += 4;
		adrp = ldr;
		ldr = word_at(p + 8);
	}
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	page = (int64_t)(int32_t)(((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 11) >> 11;
	return (address & ~(uint64_t)0xfff) + (uint64_t)(page * 4096) + (ldr >> 10 & 0xfff) * 8;
}

static const struct field_relocation fields[] = {
	{ R_AARCH64_ABS64, 8, false }, { R_AARCH64_ABS32, 4, false }, { R_AARCH64_PREL64, 8, true }, { R_AARCH64_PREL32, 4, true }, { 0, 0, false },
};

/* QEMU: signing return addresses takes half of its time unless the algorithm is its own; vectors of variable length are of no use. */
const struct machine machine_arm64 = {
	.name = "aarch64",
	.script = "arm64",
	.srcarch = "arm64",
	.triplet = "aarch64-linux-gnu",
	.config = "ARM64",
	.image = "arch/arm64/boot/Image",
	.elf = EM_AARCH64,
	.registers = registers,
	.n_registers = sizeof(registers) / sizeof(registers[0]),
	.n_kept = 31,
	.stack_pointer = 31,
	/* gcc also copies the address of a structure to a register that the function keeps: x19 to x29. */
	.frame_registers = 0x7ffu << 19 | 1u << 31,
	.convention = &aapcs,
	.go_results = "\"x1\", \"x2\" and so on",
	.decode = arm64_decode,
	.debug_relocations = fields,
	.slot_relocation = R_AARCH64_GLOB_DAT,
	.tls = { R_AARCH64_TLS_TPREL, R_AARCH64_TLS_DTPMOD, R_AARCH64_TLSDESC, 0, true, 16 },
	.plt_word = plt_word,
	.plt_align = 4,
	.operand = arm64_operand,
	.operands_hold_blanks = true,
	.has_kit = true,
	.syscalls = SYSCALLS_GENERIC,
	.syscall_prefix = "__arm64_sys_",
	.stack_limit = 7 << 10, /* a stack is THREAD_SIZE and no more: arch/arm64/kernel/entry.S sees an overflow by one bit of its pointer */
	.hangs_on_watchpoints = true,
	.board = { "virt,gic-version=max", "max,pauth-impdef=on,sve=off", "ttyAMA0", "", PACKAGE_QEMU_ARM, false },
};
