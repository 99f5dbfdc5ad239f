/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Libraries that few objects need: they unpack sections. */
#ifndef KT_LOADER_LIBRARIES_H
#define KT_LOADER_LIBRARIES_H

#include <stdbool.h>

enum library { LIBRARY_ZLIB, LIBRARY_ZSTD, N_LIBRARIES };

/* A reader without rights (apart.h) cannot load a library. It notes the wish, and is run again once its parent has the library. */
struct libraries {
	bool may_load;
	/* Bits by library. */
	unsigned int loaded;
	unsigned int absent; /* not installed */
	unsigned int wanted; /* asked for, and neither */
};

/* Returns the function NAME of library WHICH, or NULL. The library stays loaded. */
void *library_function(struct libraries *l, enum library which, const char *name);
/* Loads the WANTED libraries. Those that are not installed are asked for no more. */
void libraries_load(struct libraries *l, unsigned int wanted);

#endif
