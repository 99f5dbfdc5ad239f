/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads an image. */
#ifndef KT_BPF_FILE_H
#define KT_BPF_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/bpf/image.h"

struct image_file {
	char *bytes;
	size_t size;
	const struct image_header *head;
	const struct image_settings *settings;
};

/* Returns what is wrong with the tables of an image whose sections are complete, or NULL. */
const char *image_check(const struct image_file *im);
/* Is the file FD an image? */
bool image_file_is(int fd);
/* Reads the file. False: it is damaged, or of another interface; *RET_WHY. */
bool image_file_read(int fd, struct image_file *ret, const char **ret_why);
void image_file_free(struct image_file *im);

static inline kt_u32 image_count(const struct image_file *im, enum image_section section) { return im->head->parts[section].n; }
/* The first element of a section. */
static inline const void *image_part(const struct image_file *im, enum image_section section)
{
	return im->bytes + im->head->parts[section].at;
}
/* The text at AT of the section of texts. */
const char *image_text(const struct image_file *im, kt_u32 at);
/* The text of element I of a section of texts. */
const char *image_text_of(const struct image_file *im, enum image_section section, kt_u32 i);

#endif
