/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a machine's procedure call standard puts integer arguments at a function's first instruction. */
#ifndef KTAP_DEBUGINFO_ABI_H
#define KTAP_DEBUGINFO_ABI_H

#include "translator/debuginfo/target.h"

/* The next free argument register and stack word, as parameters are laid out in order. Begins as abi_layout(). */
struct abi_layout {
	const struct machine *machine; /* NULL: its convention is not known */
	int reg, word;
	bool lost;             /* the location of an argument of unknown size, and of all after it, is unknown */
};

struct abi_layout abi_layout(const struct machine *m);

/* Where the next parameter is. A floating point number has no place that can be read, and takes none of an integer. */
struct location abi_next(struct abi_layout *l, const struct ctype *type);

/* The same for a structure of which the address is passed. */
struct location abi_next_address(struct abi_layout *l);

/* Is a member of TYPE, a record that registers could hold, where its size does not align it, bitfields aside? x86-64 passes such a record in
 * memory, as a larger one. */
bool abi_is_misaligned(const struct ctype *type);

/* The same as abi_next() for a structure with a member that its size does not align. */
struct location abi_next_misaligned(struct abi_layout *l, const struct ctype *type);

/* The function returns a structure in memory, whose address may take the next register. It is no parameter in the source. */
void abi_skip_result(struct abi_layout *l);

/* In memory, OFFSET bytes above the stack pointer before the call. */
struct location abi_in_memory(const struct abi_layout *l, int64_t offset);

/* Where a structure of TYPE is when the function that returns it has returned. */
struct location abi_result(const struct machine *m, const struct ctype *type, enum passing passing);

#endif
