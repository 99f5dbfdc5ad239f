/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library that cold handlers call in this process. */
#ifndef KT_BPF_NATIVES_H
#define KT_BPF_NATIVES_H

#include <stdbool.h>

#include "runtime/bpf/image.h"

struct native;
struct natives;

/* What the functions keep while a handler runs. NULL: no memory. */
struct natives *natives_new(kt_u32 string_max);
void natives_free(struct natives *n);
/* A handler begins. */
void natives_begin(struct natives *n);

/* NULL: this process has no such function. */
const struct native *native_find(const char *name);
/* Calls it with the N words of ARGUMENTS; a string goes to RESULT, which has the bytes of natives_new(). An error is written to FRAME. Returns
 * the number. */
kt_u64 native_call(struct natives *n, const struct native *f, kt_u64 n_arguments, const kt_u64 *arguments, char *result, struct image_frame *frame);

#endif
