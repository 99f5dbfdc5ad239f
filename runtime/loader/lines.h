/* Line tables (.debug_line) -> the lines of runtime/core/unwind.h. */
#ifndef KT_LOADER_LINES_H
#define KT_LOADER_LINES_H

#include <stddef.h>

#include "runtime/core/unwind.h"

struct lines_section {
	const unsigned char *data;
	size_t size;
};

/* What was collected so far; starts as zeros. */
struct lines {
	struct kt_unwind_line *rows; /* file: offset in names */
	size_t n, room;
	char *names;
	size_t n_names, room_names;
};

/* Adds what SECTION says of addresses from BASE up to BASE + LIMIT. STRINGS: .debug_line_str, then .debug_str. Nothing in
 * them is trusted; the work is bounded by their size. */
void lines_add(struct lines *l, struct lines_section section, const struct lines_section strings[2], kt_u64 base,
	       kt_u32 limit);
/* Puts the rows in order, one for each place. */
void lines_finish(struct lines *l);
void lines_deinit(struct lines *l);

#endif
