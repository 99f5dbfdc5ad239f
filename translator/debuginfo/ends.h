/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends of functions, for ends.c and ends-switch.c; target.h has the interface. */
#ifndef KTAP_DEBUGINFO_ENDS_H
#define KTAP_DEBUGINFO_ENDS_H

#include <elfutils/libdw.h>

#include "translator/machine/instruction.h"
#include "translator/debuginfo/program.h"

/* An instruction of a region. */
struct ends_code {
	uint64_t at;
	struct instruction in;
	bool reached; /* from the region's start */
};

/* The code of a function or of a part of one, decoded. */
struct ends_region {
	uint64_t start, end;
	struct ends_code *code;
	size_t n;
	bool followed;  /* another function, to which this one jumps at its end */
	bool part;      /* of a function, not its start: its cold part */
	bool compiled;  /* by a compiler, which puts no data between instructions */
};

/* The search for the ends of one function. */
struct ends_search {
	struct target *t;
	const struct machine *machine;
	unsigned word;                /* bytes of an address */
	bool follow;                  /* functions that this one jumps to */
	struct ends_region **regions; /* the function itself first */
	size_t n_regions, n_bytes;
	struct function_end *ends;
	size_t n_ends;
	Dwarf_CFI *cfi;               /* of .eh_frame, opened on first use */
	bool cfi_read;
	const char *unknown;          /* why not all ends are known; NULL: they are */
};

/* Returns the instruction of R that begins at ADDRESS, or NULL. */
struct ends_code *ends_code_at(const struct ends_region *r, uint64_t address);

/* Returns whether the indirect jump at number I of R stays in R: it selects a case of a switch. Marks the instructions that its table
 * leads to as reached. */
bool ends_is_switch(struct ends_search *s, struct ends_region *r, size_t i);

#endif
