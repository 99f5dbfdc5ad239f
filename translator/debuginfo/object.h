/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles C with the flags that Kbuild has for modules of a kernel. The object is read, and never linked. */
#ifndef KTAP_DEBUGINFO_OBJECT_H
#define KTAP_DEBUGINFO_OBJECT_H

#include "lib/text.h"
#include "translator/debuginfo/target.h"

/* Writes the new file NAME in DIR. */
bool object_write(const char *dir, const char *name, const char *text);
#define OBJECT_SOURCE "types.c"
#define OBJECT_FILE "types.o"
/* Compiles OBJECT_SOURCE in DIR to OBJECT_FILE with the flags of modules of K, and FLAGS. Returns make's status or -errno; OUT: what it prints. */
int object_compile(const struct kernel *k, const char *dir, const char *flags, struct text *out);
/* Compiles the text C so, in a new directory, and keeps the object as PATH. False: OUT has what the compiler said. */
bool object_make(const struct kernel *k, const char *c, const char *path, struct text *out);

#endif
