/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module file before it is loaded: whose it is, and for which kernel it was built. */
#ifndef KT_LOADER_IMAGE_H
#define KT_LOADER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reader.h"
#include "runtime/loader/sys.h"

struct image {
	int fd;            /* the one file that is checked and then loaded */
	char name[64];     /* of the module */
	char release[80];  /* kernel it was built for */
	int abi;           /* runtime/abi.h it follows */
	size_t signature;  /* bytes of the signature at the end of the file; 0: none */
	char *arrays;      /* how many, their memory, and the largest, see refusal.c; NULL: none */
	char *python;      /* functions of Python that it probes, as the extension wants them; NULL: none */
};

/* Opens PATH and reads what it says of itself; of a bundle, the module for the running kernel. With LIST the kernels of a bundle are
 * printed. False: reported; nothing stays open. */
bool image_open(const struct loader_sys *sys, struct image *m, const char *path, bool list);
/* Reads what the module FILE, of name PATH, says of itself. False: reported. */
bool image_read(struct image *m, struct span file, const char *path);
/* A copy of the file whose module has the name TO, to be freed; NULL: the file has no space for it. It has no signature: none
 * would match. */
char *image_renamed(const struct image *m, const char *to, size_t *ret_len);
void image_close(struct image *m);

#endif
