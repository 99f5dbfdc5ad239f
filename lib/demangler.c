/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names by libiberty, the demangler of binutils and gdb. It is a static library, so programs need nothing more where they run. */
#include "lib/demangler.h"

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"

enum { LENGTH_MAX = 4096, REFERENCES_MAX = 32, OPTIONS = 3 /* DMGL_PARAMS | DMGL_ANSI */ };

/* The library's own header has a different directory in each distribution, and Fedora does not package it. */
typedef void put_fn(const char *s, size_t len, void *of);
int rust_demangle_callback(const char *mangled, int options, put_fn *put, void *of);
int cplus_demangle_v3_callback(const char *mangled, int options, put_fn *put, void *of);

struct output {
	struct text name;
	jmp_buf full;
};

/* References to earlier parts of a symbol can make its name gigabytes long. Only a jump stops the library. */
static void put(const char *s, size_t len, void *of)
{
	struct output *o = of;

	if (o->name.len + len > LENGTH_MAX)
		longjmp(o->full, 1);
	text_append(&o->name, s, len);
}

/* Returns whether the library may read the symbol MANGLED of C++. Empty lists of arguments can refer to each other, which takes time and
 * prints nothing. */
static bool is_readable(const char *mangled)
{
	int references = 0;

	for (const char *p = mangled; *p; p++)
		if ((*p == 'S' || *p == 'T') && p[1 + strspn(p + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_')
			references++;
	return references <= REFERENCES_MAX;
}

static bool print_name(const char *mangled, struct output *o)
{
	if (setjmp(o->full))
		return false;
	return rust_demangle_callback(mangled, OPTIONS, put, o) ||
	       (!o->name.len && is_readable(mangled) && cplus_demangle_v3_callback(mangled, OPTIONS, put, o));
}

char *demangle_name(const char *mangled)
{
	struct output o = { 0 };
	char *ret = print_name(mangled, &o) ? xstrdup(text_str(&o.name)) : NULL;

	text_deinit(&o.name);
	return ret;
}
