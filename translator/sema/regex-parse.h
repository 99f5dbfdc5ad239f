/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of regular expressions: pattern -> program. Between regex-parse.c and regex.c only. */
#ifndef KTAP_SEMA_REGEX_PARSE_H
#define KTAP_SEMA_REGEX_PARSE_H

#include "translator/sema/regex.h"

/* A program that grows. */
struct program_text {
	struct kt_regex_inst *inst;
	kt_u32 n;
	kt_u8 *sets;      /* n_sets bitmaps of 32 bytes, each different */
	kt_u32 n_sets;
	kt_u32 n_groups;
};

/* False: reported. The program starts with SAVE 0 and ends with SAVE 1, MATCH. RET is freed by program_text_deinit(),
 * also after a failure. */
bool regex_parse(struct loc loc, const char *pattern, size_t n, struct program_text *ret);
void program_text_deinit(struct program_text *p);

#endif
