/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File names of a compilation unit, from the header of its line table alone.
 *
 * libdw decodes the whole line program to name a file; over all units of a kernel that is seconds and hundreds of
 * megabytes. The header is enough, and small.
 */
#ifndef KTAP_DEBUGINFO_LINEFILES_H
#define KTAP_DEBUGINFO_LINEFILES_H

#include <stddef.h>
#include <stdint.h>

/* A section's bytes. */
struct bytes {
	const unsigned char *p;
	size_t size;
};

struct line_sections {
	struct bytes line, line_str, str;
};

/* Names by DW_AT_decl_file number; names are interned, NULL where a number has none. */
struct line_files {
	const char **names;
	size_t n;
};

/* Reads the header at OFFSET of .debug_line. COMP_DIR is taken off the names. A damaged header gives no names. */
struct line_files line_files_read(const struct line_sections *s, uint64_t offset, const char *comp_dir);
void line_files_deinit(struct line_files *f);

#endif
