/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headers of line number programs in .debug_line, DWARF 2 to 5, section 6.2.4. */
#ifndef KTAP_LIB_LINE_HEADER_H
#define KTAP_LIB_LINE_HEADER_H

#include "lib/reader.h"

/* A file or a directory of a unit. */
struct line_name {
	const char *name;    /* NULL: none, or damaged */
	uint64_t directory;  /* position in the directories; 0: where the compiler ran */
};

struct line_names {
	struct line_name *v;
	size_t n;
};

struct line_header {
	unsigned int version;
	bool wide;                 /* 64-bit DWARF */
	unsigned int address_size; /* 0: before version 5 no header has it */
	unsigned int min_length, max_operations, line_range, opcode_base;
	int line_base;
	unsigned char lengths[256];
	struct line_names directories, files; /* by number; those of versions 2 to 4 begin at 1, and 0 has no name */
};

/* Reads the unit at R, which goes on after it. STRINGS: .debug_line_str and .debug_str. RET_PROGRAM: the instructions. Names point into
 * the sections. False: damaged, or of another version; RET can be deinitialized all the same. */
bool line_header_read(struct reader *r, const struct span strings[2], struct line_header *ret, struct reader *ret_program);
void line_header_deinit(struct line_header *h);

#endif
