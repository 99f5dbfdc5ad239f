/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the running kernel and its modules, from their debugging information to the module. */
#ifndef KT_LOADER_KERNEL_H
#define KT_LOADER_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/loader/object.h"
#include "runtime/loader/sys.h"

/* Tables of the kernel: *ANCHOR is for struct kt_object. NULL, or why there are none. */
const char *kernel_read(struct object *o, const struct loader_sys *sys, kt_u64 *anchor);
/* Of module NAME, as it lies in memory now. */
const char *kernel_read_module(struct object *o, const struct loader_sys *sys, const char *name);
/* Calls FN with the name of each module that is loaded, but for those of ours. */
void kernel_each_module(const struct loader_sys *sys, void (*fn)(void *data, const char *name), void *data);

#endif
