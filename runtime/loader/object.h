/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user object (executable, library, vdso) -> the block of tables that runtime/core/unwind.h describes. */
#ifndef KT_LOADER_OBJECT_H
#define KT_LOADER_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/loader/cfi.h"
#include "runtime/loader/elffile.h"
#include "runtime/loader/lines.h"

struct object {
	void *block;         /* malloc()ed; NULL: there is none */
	size_t size;
	size_t dropped;      /* functions without usable call frame information */
	bool partial;        /* sections that were too large to be read are missing */
	kt_u64 anchor;       /* of the kernel's lines: the linked address of "_printk" */
};

/* Makes the tables of the ELF file E, for the object NAME; with LINES also its line tables. D is the file with its stripped sections, or not
 * open. Neither file is trusted. Returns NULL, or the reason of a failure. */
const char *object_of_elf(struct object *o, const struct elf *e, const struct elf *d, const char *name, bool lines);
/* The same of the files IMAGE and DEBUG, which may be empty. */
const char *object_parse(struct object *o, struct span image, struct span debug, const char *name, bool lines, struct libraries *l);
/* Of the code that the kernel maps into every process. */
const char *object_read_vdso(struct object *o);
/* Of L, which is used up: the lines of N segments, and nothing else. */
const char *object_of_lines(struct object *o, const struct kt_unwind_segment *segments, kt_u32 n, struct lines *l,
			    const char *name);
void object_deinit(struct object *o);

#endif
