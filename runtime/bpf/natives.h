/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library that cold handlers call in this process. */
#ifndef KT_BPF_NATIVES_H
#define KT_BPF_NATIVES_H

#include "runtime/bpf/image.h"

struct native;

/* NULL: this process has no such function. */
const struct native *native_find(const char *name);
/* Calls it with the N words of ARGUMENTS; a string goes to RESULT, which has SIZE bytes. An error is written to FRAME. Returns the number. */
kt_u64 native_call(const struct native *f, kt_u64 n, const kt_u64 *arguments, char *result, kt_u32 size, struct image_frame *frame);

#endif
