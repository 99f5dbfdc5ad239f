/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libraries by name, when they are first needed. See libraries.h. */
#include "runtime/loader/libraries.h"

#include <dlfcn.h>
#include <stddef.h>

static const char *const names[N_LIBRARIES] = {
	[LIBRARY_ZLIB] = "libz.so.1", [LIBRARY_ZSTD] = "libzstd.so.1",
};

void *library_function(struct libraries *l, enum library which, const char *name)
{
	unsigned int bit = 1u << which;
	void *library;

	if (l->may_load)
		libraries_load(l, bit);
	else
		l->wanted |= bit & ~(l->loaded | l->absent);
	/* One that is loaded is found without a system call. */
	library = l->loaded & bit ? dlopen(names[which], RTLD_NOW | RTLD_LOCAL) : NULL;
	return library ? dlsym(library, name) : NULL;
}

void libraries_load(struct libraries *l, unsigned int wanted)
{
	for (unsigned int i = 0; i < N_LIBRARIES; i++)
		if (wanted & ~(l->loaded | l->absent) & 1u << i)
			*(dlopen(names[i], RTLD_NOW | RTLD_LOCAL) ? &l->loaded : &l->absent) |= 1u << i;
}
