/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Index of the functions in a file's DWARF, kept on disk by an id of the file: which DIEs have a name, where its copies are.
 *
 * A walk over all DIEs of a kernel takes a second; a lookup in the index touches a few pages of a mapped file.
 * The file holds offsets only, all of them checked on use: a damaged file gives wrong or no answers, never a crash.
 */
#ifndef KTAP_DEBUGINFO_INDEX_H
#define KTAP_DEBUGINFO_INDEX_H

#include <stdbool.h>
#include <stdint.h>

struct index;

/* A function: the DIE that has its name. */
struct index_function {
	const char *name;
	const char *file;       /* of its declaration, NULL: unknown */
	unsigned line;
	uint64_t die;
	unsigned first, n;      /* its places */
};

/* An out-of-line copy or an inlined instance. */
struct index_place {
	uint64_t address;       /* entry; 0: only the DIE knows */
	uint64_t die;
	bool inlined;
	bool part;              /* of a function whose beginning was inlined; see find_parts() */
};

/* ---- building ---- */
struct index_builder *index_builder_create(void);
/* NAME must live until index_finish(); FILE for ever. */
void index_add_function(struct index_builder *b, const char *name, const char *file, unsigned line,
			uint64_t die);
/* A place of the function whose DIE is ORIGIN. */
void index_add_place(struct index_builder *b, uint64_t origin, struct index_place p);
/* Sorts, writes the file when ID is known and the cache can be written, destroys B. */
struct index *index_finish(struct index_builder *b, const char *id);

/* ---- reading ---- */
/* The index of this build, NULL: there is none yet. */
struct index *index_open(const char *id);
void index_close(struct index *ix);
/* Calls FN for each function whose name matches FUNC (a glob or a name), in order of name and DIE. */
void index_find(const struct index *ix, const char *func,
		void (*fn)(const struct index_function *f, void *data), void *data);
/* Calls FN for each distinct name. */
void index_names(const struct index *ix, void (*fn)(const char *name, void *data), void *data);
/* Place number I (first + k) of a function; false: damaged. */
bool index_place_get(const struct index *ix, unsigned i, struct index_place *ret);

#endif
