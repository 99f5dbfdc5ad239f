/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line number headers. Every read is checked against the end of the section. */
#include "lib/line-header.h"

#include <stdlib.h>

#include "lib/vec.h"

enum { FILES_MAX = 1 << 20, FORMATS_MAX = 16 };

/* The meaning of a table's column, and the forms that producers use for it. */
enum {
	CONTENT_PATH = 1, CONTENT_DIRECTORY = 2,
	FORM_DATA2 = 0x05, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_DATA1 = 0x0b, FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f, FORM_DATA16 = 0x1e, FORM_LINE_STRP = 0x1f,
};

/* One being read. */
struct unit {
	struct line_header *header;
	const struct span *strings;
};

static void add_name(struct line_names *names, const char *name, uint64_t directory)
{
	if (names->n < FILES_MAX)
		*vec_add(names->v, names->n) = (struct line_name){ name, directory };
}

/* Versions 2 to 4: two lists of strings. */
static bool read_lists(struct line_header *h, struct reader *r)
{
	const char *name;

	add_name(&h->directories, NULL, 0);
	while (!r->bad && *(name = read_string(r)))
		add_name(&h->directories, name, 0);
	add_name(&h->files, NULL, 0);
	while (!r->bad && *(name = read_string(r))) {
		uint64_t directory = read_uleb(r);

		read_uleb(r); /* time */
		read_uleb(r); /* size */
		add_name(&h->files, name, directory);
	}
	return !r->bad;
}

/* Returns a string of another section, or NULL when it does not end there. */
static const char *string_at(const struct span *s, uint64_t offset)
{
	if (!s->at || offset >= s->size || !memchr(s->at + offset, 0, s->size - offset))
		return NULL;
	return (const char *)s->at + offset;
}

/* Reads a value of FORM: *NAME or *NUMBER. */
static bool read_form(const struct unit *u, struct reader *r, uint64_t form, const char **name, uint64_t *number)
{
	switch (form) {
	case FORM_STRING:
		*name = read_string(r);
		break;
	case FORM_LINE_STRP:
		*name = string_at(&u->strings[0], read_fixed(r, u->header->wide ? 8 : 4));
		break;
	case FORM_STRP:
		*name = string_at(&u->strings[1], read_fixed(r, u->header->wide ? 8 : 4));
		break;
	case FORM_DATA1:
		*number = read_fixed(r, 1);
		break;
	case FORM_DATA2:
		*number = read_fixed(r, 2);
		break;
	case FORM_DATA4:
		*number = read_fixed(r, 4);
		break;
	case FORM_DATA8:
		*number = read_fixed(r, 8);
		break;
	case FORM_UDATA:
		*number = read_uleb(r);
		break;
	case FORM_DATA16: /* MD5 */
		read_part(r, 16);
		break;
	case FORM_BLOCK:
		read_part(r, read_uleb(r));
		break;
	default:
		return false;
	}
	return !r->bad;
}

/* Version 5: a table that describes itself. */
static bool read_table(const struct unit *u, struct reader *r, struct line_names *ret)
{
	uint64_t n_formats = read_fixed(r, 1), format[2 * FORMATS_MAX], n;

	if (n_formats > FORMATS_MAX)
		return false;
	for (uint64_t i = 0; i < 2 * n_formats; i++)
		format[i] = read_uleb(r);
	n = read_uleb(r);
	/* Each entry takes a byte at least: a larger count is damage. */
	if (r->bad || n > FILES_MAX || n > (uint64_t)(r->end - r->at))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		const char *name = NULL, *text = NULL;
		uint64_t directory = 0, number = 0;

		for (uint64_t k = 0; k < n_formats; k++) {
			if (!read_form(u, r, format[2 * k + 1], &text, &number))
				return false;
			if (format[2 * k] == CONTENT_PATH)
				name = text;
			else if (format[2 * k] == CONTENT_DIRECTORY)
				directory = number;
		}
		add_name(ret, name, directory);
	}
	return true;
}

static bool read_tables(const struct unit *u, struct reader *r)
{
	struct line_header *h = u->header;

	if (h->version < 5)
		return read_lists(h, r);
	return read_table(u, r, &h->directories) && read_table(u, r, &h->files);
}

bool line_header_read(struct reader *r, const struct span strings[2], struct line_header *ret, struct reader *ret_program)
{
	struct unit u = { ret, strings };
	uint64_t length = read_fixed(r, 4);
	struct reader part, header;

	*ret = (struct line_header){ .wide = length == 0xffffffff, .max_operations = 1 };
	part = read_part(r, ret->wide ? read_fixed(r, 8) : length);
	ret->version = (unsigned int)read_fixed(&part, 2);
	if (part.bad || ret->version < 2 || ret->version > 5)
		return false;
	if (ret->version == 5) {
		ret->address_size = (unsigned int)read_fixed(&part, 1);
		if (read_fixed(&part, 1)) /* segments */
			return false;
	}
	header = read_part(&part, read_fixed(&part, ret->wide ? 8 : 4));
	ret->min_length = (unsigned int)read_fixed(&header, 1);
	if (ret->version >= 4)
		ret->max_operations = (unsigned int)read_fixed(&header, 1);
	read_fixed(&header, 1); /* whether rows are statements at first */
	ret->line_base = (signed char)read_fixed(&header, 1);
	ret->line_range = (unsigned int)read_fixed(&header, 1);
	ret->opcode_base = (unsigned int)read_fixed(&header, 1);
	for (unsigned int i = 1; i < ret->opcode_base; i++)
		ret->lengths[i] = (unsigned char)read_fixed(&header, 1);
	*ret_program = part;
	return !header.bad && ret->opcode_base && read_tables(&u, &header);
}

void line_header_deinit(struct line_header *h)
{
	free(h->directories.v);
	free(h->files.v);
	*h = (struct line_header){ 0 };
}
