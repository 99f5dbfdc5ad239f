/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const kt_u32 sizes[IMAGE_SECTIONS] = {
	[IMAGE_SETTINGS] = sizeof(struct image_settings), [IMAGE_CODE] = sizeof(struct bpf_instruction),
	[IMAGE_LINES] = sizeof(struct image_line), [IMAGE_PROGRAMS] = sizeof(struct image_program),
	[IMAGE_MAPS] = sizeof(struct image_map), [IMAGE_STATE] = 1, [IMAGE_CONSTANTS] = 1,
	[IMAGE_PROBES] = sizeof(struct image_probe), [IMAGE_ROWS] = sizeof(struct image_row),
	[IMAGE_GLOBALS] = sizeof(struct image_global), [IMAGE_ARRAYS] = sizeof(struct image_array),
	[IMAGE_STATS] = sizeof(struct image_stat),
	[IMAGE_NATIVES] = 4, [IMAGE_FORMATS] = 4, [IMAGE_PLACES] = 4, [IMAGE_SOURCE] = 4, [IMAGE_IDENTITY] = 4, [IMAGE_TEXTS] = 1,
};

bool image_file_is(int fd)
{
	char magic[8] = "";

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, IMAGE_MAGIC, sizeof(magic));
}

static const char *wrong(const struct image_file *im)
{
	const struct image_header *h = im->head;
	const char *texts;

	if (im->size < sizeof(*h) || memcmp(h->magic, IMAGE_MAGIC, sizeof(h->magic)))
		return "it is no image";
	if (h->abi != IMAGE_ABI)
		return "it is of another version of ktap";
	if (h->size != im->size)
		return "it is cut off";
	if (h->sum != image_sum((const char *)h->parts, im->size - offsetof(struct image_header, parts)))
		return "it is damaged";
	for (int i = 0; i < IMAGE_SECTIONS; i++)
		if (h->parts[i].at % 8 || h->parts[i].at > im->size || (im->size - h->parts[i].at) / sizes[i] < h->parts[i].n)
			return "a section is cut off";
	texts = image_part(im, IMAGE_TEXTS);
	if (h->parts[IMAGE_SETTINGS].n != 1 || !h->parts[IMAGE_TEXTS].n || texts[h->parts[IMAGE_TEXTS].n - 1])
		return "a section is missing";
	return NULL;
}

bool image_file_read(int fd, struct image_file *ret, const char **ret_why)
{
	struct stat st;

	*ret = (struct image_file){ .bytes = NULL };
	*ret_why = "it cannot be read";
	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size > 256 << 20)
		return false;
	ret->size = (size_t)st.st_size;
	ret->bytes = malloc(ret->size);
	if (!ret->bytes || pread(fd, ret->bytes, ret->size, 0) != (ssize_t)ret->size)
		return false;
	ret->head = (const struct image_header *)ret->bytes;
	*ret_why = wrong(ret);
	if (*ret_why)
		return false;
	ret->settings = image_part(ret, IMAGE_SETTINGS);
	*ret_why = image_check(ret);
	return !*ret_why;
}

void image_file_free(struct image_file *im)
{
	free(im->bytes);
}

const char *image_text(const struct image_file *im, kt_u32 at)
{
	return at < image_count(im, IMAGE_TEXTS) ? (const char *)image_part(im, IMAGE_TEXTS) + at : "";
}

const char *image_text_of(const struct image_file *im, enum image_section section, kt_u32 i)
{
	return i < image_count(im, section) ? image_text(im, ((const kt_u32 *)image_part(im, section))[i]) : "";
}
