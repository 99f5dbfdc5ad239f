/* SPDX-License-Identifier: GPL-2.0-or-later */
/* riscv64: the front end and ktaprun are built for it. Its kernels cannot be probed yet: its instructions, stubs and operands of marks are not
 * read, and the kit has no runtime/arch/riscv64.h. Conventions: RISC-V ABIs Specification, 2.1 and 18. */
#include "translator/machine/machine.h"

#include <elf.h>

static const char *const registers[] = {
	"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
	"a6",   "a7", "s2", "s3", "s4",  "s5",  "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const struct convention lp64 = {
	.args = { 10, 11, 12, 13, 14, 15, 16, 17 }, .n_args = 8, .second = 11, .passes_result = true, .by_address = true, .splits = true,
};

static const struct field_relocation fields[] = { { R_RISCV_64, 8, false }, { R_RISCV_32, 4, false }, { 0, 0, false } };

const struct machine machine_riscv64 = {
	.name = "riscv64",
	.script = "riscv",
	.srcarch = "riscv",
	.triplet = "riscv64-linux-gnu",
	.config = "RISCV",
	.image = "arch/riscv/boot/Image",
	.elf = EM_RISCV,
	.registers = registers,
	.n_registers = sizeof(registers) / sizeof(registers[0]),
	.stack_pointer = 2,
	.frame_registers = 1u << 2 | 1u << 8,
	.convention = &lp64,
	.debug_relocations = fields,
	.slot_relocation = R_RISCV_64,
	.tls = { R_RISCV_TLS_TPREL64, R_RISCV_TLS_DTPMOD64, 12, -16, true, 0 },
	.syscalls = SYSCALLS_GENERIC,
	.syscall_prefix = "__riscv_sys_",
};
