/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line tables (.debug_line) -> the lines of runtime/core/unwind.h. */
#ifndef KT_LOADER_LINES_H
#define KT_LOADER_LINES_H

#include <stddef.h>

#include "runtime/core/unwind.h"
#include "runtime/loader/elffile.h"

/* The lines collected so far; starts as zeros. */
struct lines {
	struct kt_unwind_line *rows;
	size_t n;
	kt_u32 *sequences;           /* those rows that begin one */
	size_t n_sequences;
	kt_u32 *files;               /* their names; number 0 has none */
	size_t n_files;
	kt_u32 *slots;               /* hashed: a file's number + 1, 0: free */
	size_t n_slots;
	char *names;
	size_t n_names, room_names;
	struct kt_unwind_group *groups; /* lines_pack() */
	unsigned char *bytes;
	size_t n_bytes;
};

/* Adds what SECTION says of addresses from BASE up to BASE + LIMIT. STRINGS: .debug_line_str, then .debug_str. Nothing in
 * them is trusted; the work is bounded by their size. */
void lines_add(struct lines *l, struct span section, const struct span strings[2], kt_u64 base,
	       kt_u32 limit);
/* Puts the rows in order, one for each place. */
void lines_finish(struct lines *l);
/* Makes groups and bytes of them, as runtime/core/unwind.h describes. */
void lines_pack(struct lines *l);
void lines_deinit(struct lines *l);

#endif
