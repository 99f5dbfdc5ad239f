/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of arm64's row in the list of machines. */
#ifndef KTAP_MACHINE_ARM64_H
#define KTAP_MACHINE_ARM64_H

#include "translator/machine/machine.h"

bool arm64_decode(const void *p, size_t left, uint64_t address, struct instruction *ret);
struct location arm64_operand(const struct sdt_file *f, const struct sdt_operand *op, unsigned *ret_width);

#endif
