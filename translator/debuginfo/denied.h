/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel code that kprobes refuse, known before the module is loaded. */
#ifndef KTAP_DEBUGINFO_DENIED_H
#define KTAP_DEBUGINFO_DENIED_H

#include "translator/debuginfo/elf.h"

struct denied;

enum { DENIED_SECTIONS = 4 };

/* Code between two symbols that the linker script defines. */
struct denied_section {
	const char *start, *end, *why;
};
extern const struct denied_section denied_sections[DENIED_SECTIONS];

/* Why code in that section of a module cannot be probed, NULL: it can. */
const char *denied_in_module(const char *section);

/* Reads the lists of the kernel E. */
struct denied *denied_create(struct elf_file *e);
void denied_destroy(struct denied *d);
/* Why ADDRESS cannot be probed, NULL: it can. */
const char *denied_why(const struct denied *d, uint64_t address);

#endif
