/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of x86's rows in the list of machines. */
#ifndef KTAP_MACHINE_X86_H
#define KTAP_MACHINE_X86_H

#include "translator/machine/machine.h"

bool x86_64_decode(const void *p, size_t left, uint64_t address, struct instruction *ret);
bool i386_decode(const void *p, size_t left, uint64_t address, struct instruction *ret);
struct location x86_operand(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width);

#endif
