/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of C++ by the names that c++filt(1) shows. */
#ifndef KTAP_PROBE_CPLUS_H
#define KTAP_PROBE_CPLUS_H

#include <stdbool.h>

#include "translator/target/target.h"

/* The functions of T that WANTED names; NULL: there are none, or nothing here can demangle names. */
struct place *cplus_functions(struct target *t, const char *wanted);

/* Does WANTED name the function that is WHOLE when demangled? For tests. */
bool cplus_matches(const char *wanted, const char *whole);

#endif
