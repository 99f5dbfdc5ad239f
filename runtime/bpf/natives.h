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
/* A handler begins, whose strings that do not fit are counted in COUNT; it ends. */
void natives_begin(struct natives *n, kt_u64 *count);
void natives_end(void);

/* NULL: this process has no such function. */
const struct native *native_find(const char *name);
/* Calls it with the N words of ARGUMENTS; a string goes to RESULT, which has the bytes of natives_new(). An error is written to FRAME. Returns
 * the number. */
kt_u64 native_call(struct natives *n, const struct native *f, kt_u64 n_arguments, const kt_u64 *arguments, char *result, struct image_frame *frame);
/* SUBJECT =~ R, with the groups for matched() if R has its program. */
kt_u64 native_match(struct natives *n, const struct image_regex *r, const char *subject, struct image_frame *frame);

#endif
