/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of Rust; names of C++ by its library, where one is installed: nothing else needs that library. */
#ifndef KTAP_LIB_DEMANGLER_H
#define KTAP_LIB_DEMANGLER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns MANGLED, a symbol of either of Rust's two manglings, as rustfilt(1) shows it: "<shop::Apple>::pay::<i32>", without
 * hashes. To be freed; NULL: it is not such a symbol. Nothing in it is trusted. In lib/rust.c. */
char *rust_demangle(const char *mangled);

typedef char *demangle_fn(const char *mangled, char *room, size_t *size, int *status);

static inline demangle_fn *find_demangler(void)
{
	static demangle_fn *found;
	static bool looked;

	if (!looked) {
		void *library = dlopen("libstdc++.so.6", RTLD_NOW);
		void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;

		__builtin_memcpy(&found, &symbol, sizeof(found));
		looked = true;
	}
	return found;
}

/* May the library read MANGLED? Each two references to what was there before can double what is read: a name of 250 bytes then
 * has 100 MB. Such names of honest compilers are too long for people, too. */
static inline bool is_readable(const char *mangled)
{
	enum { REFERENCES_MAX = 32 };
	int references = 0;

	for (const char *p = mangled; *p; p++)
		if ((*p == 'S' || *p == 'T') && p[1 + strspn(p + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_')
			references++;
	return references <= REFERENCES_MAX;
}

/* Returns MANGLED, a name of C++, for people to read, to be freed. NULL: it is not such a name, or CPLUS is NULL. */
static inline char *demangle_cplus(demangle_fn *cplus, const char *mangled)
{
	int status;

	return cplus && is_readable(mangled) ? cplus(mangled, NULL, NULL, &status) : NULL;
}

/* Returns MANGLED for people to read, to be freed; NULL: it is not such a name, or there is no demangler. */
static inline char *demangle_name(const char *mangled)
{
	char *rust = rust_demangle(mangled);

	return rust ? rust : demangle_cplus(find_demangler(), mangled);
}

#endif
