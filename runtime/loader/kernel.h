/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the running kernel and its modules, from their debugging information to the module. */
#ifndef KT_LOADER_KERNEL_H
#define KT_LOADER_KERNEL_H

#include <stdbool.h>

#include "runtime/loader/apart.h"
#include "runtime/loader/control.h"
#include "runtime/loader/sys.h"

/* Makes the tables of the kernel. Returns NULL, or the reason of a failure. */
const char *kernel_read(struct object *o, const struct loader_sys *sys, struct libraries *l, const struct apart_limits *limits);
/* The same of module NAME, as it lies in memory now. Its file may be among the session's objects. */
const char *kernel_read_module(struct object *o, struct control *control, const char *name, struct libraries *l, const struct apart_limits *limits);
/* Is PATH the file of the module NAME, or with NULL that of any module? */
bool kernel_is_module_file(const char *path, const char *name);
/* Calls FN with the name of each module that is loaded, but for those of ours. */
void kernel_each_module(const struct loader_sys *sys, void (*fn)(void *data, const char *name), void *data);

#endif
