/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boot images: the kernel ELF inside a bzImage. */
#ifndef KTAP_DEBUGINFO_VMLINUZ_H
#define KTAP_DEBUGINFO_VMLINUZ_H

#include <stdbool.h>

#include "lib/text.h"

/* Unpacks the payload of PATH into OUT. False: not a boot image, or packed in a way that is not known; WHY says so. */
bool vmlinuz_unpack(const char *path, struct text *out, const char **why);
/* The payload of the boot image IMAGE, SIZE bytes; NULL: it is no boot image. */
const char *vmlinuz_payload(const struct text *image, size_t *size);
/* Unpacks SIZE bytes at P, which any of the kernel's own packers made, into OUT. */
bool payload_unpack(const char *p, size_t size, struct text *out, const char **why);

#endif
