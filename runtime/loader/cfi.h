/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frame information (.eh_frame, .debug_frame) -> the rows and rule words of runtime/core/unwind.h. */
#ifndef KT_LOADER_CFI_H
#define KT_LOADER_CFI_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/core/unwind.h"

/* A section as it lies in the file. */
struct cfi_section {
	const unsigned char *data;
	size_t size;
	kt_u64 address;      /* as linked */
	bool debug;          /* .debug_frame */
	bool is_32bit;       /* of i386: addresses of 4 bytes, registers with numbers of their own */
};

/* The tables collected so far; starts as zeros. */
struct cfi {
	struct kt_unwind_row *rows;
	size_t n_rows;
	kt_u32 *words;
	size_t n_words, room_words;
	kt_u32 *hash;        /* of rules: index of the first word + 1 */
	size_t n_hash, n_rules;
	size_t dropped;      /* functions whose information makes no sense, or is of a kind that is not known */
};

/* Adds all functions of SECTION, whose addresses count from BASE. Nothing in the section is trusted; the work is bounded
 * by its size. Where sections overlap, what was added first counts after cfi_finish(). */
void cfi_add(struct cfi *c, const struct cfi_section *section, kt_u64 base);
/* Puts the rows in order. */
void cfi_finish(struct cfi *c);
void cfi_deinit(struct cfi *c);

#endif
