/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of C++ by the names that c++filt(1) shows. */
#ifndef KTAP_PROBE_CPLUS_H
#define KTAP_PROBE_CPLUS_H

#include <stdbool.h>

#include "translator/debuginfo/target.h"

/* The functions of T that Q names and whose names only demangled symbols show; NULL: there are none. */
struct place *cplus_functions(struct target *t, const struct function_query *q);

/* The symbol of a part of the function that WANTED names, which not each call reaches; NULL: there is none. */
const char *cplus_part(struct target *t, const char *wanted);

/* Does WANTED name the function that is WHOLE when demangled? For tests. */
bool cplus_matches(const char *wanted, const char *whole);

/* Is WANTED the name WHOLE with its scopes, from which scopes may be left out on the left? */
bool cplus_in_scope(const char *wanted, const char *whole);

#endif
