/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on strings (str.c). Generated C declares those it calls by itself. RET has SIZE bytes and does not
 * overlap an argument. Context: any.
 */
#ifndef KT_CORE_STR_H
#define KT_CORE_STR_H

#include "core.h"

/* S escaped as in a C string, in quotes if QUOTED, into SIZE bytes; see str.c on what does not fit. */
int kt_quote(char *ret, kt_u32 size, const char *s, int quoted);

/* Returns where PART first occurs in S, or the end of S if it does not. An empty PART occurs at the start. In find.c. */
const char *kt_find(const char *s, const char *part);

kt_s64 kt_fn_strlen(struct kt_ctx *c, const char *s);
kt_s64 kt_fn_isinstr(struct kt_ctx *c, const char *s, const char *part);
kt_s64 kt_fn_strpos(struct kt_ctx *c, const char *s, const char *part);
kt_s64 kt_fn_isdigit(struct kt_ctx *c, const char *s);
kt_s64 kt_fn_stringat(struct kt_ctx *c, const char *s, kt_s64 pos);
kt_s64 kt_fn_strtol(struct kt_ctx *c, const char *s, kt_s64 base);
void kt_fn_substr(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, kt_s64 start, kt_s64 length);
void kt_fn_str_replace(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, const char *part, const char *by);
void kt_fn_text_str(struct kt_ctx *c, char *ret, kt_u32 size, const char *s);
void kt_fn_text_strn(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, kt_s64 len, kt_s64 quoted);
void kt_fn_string_quoted(struct kt_ctx *c, char *ret, kt_u32 size, const char *s);
void kt_fn_tokenize_start(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, const char *delimiters);
void kt_fn_tokenize_next(struct kt_ctx *c, char *ret, kt_u32 size, const char *delimiters);
void kt_fn___token(struct kt_ctx *c, char *ret, kt_u32 size, const char *s, const char *delimiters, kt_s64 at);

/* words.c: the name at a place, the place of a name or -1, and the names of the bits of FLAGS from bit AT on. */
void kt_fn___word(struct kt_ctx *c, char *ret, kt_u32 size, const char *names, kt_s64 at);
kt_s64 kt_fn___word_number(struct kt_ctx *c, const char *names, const char *name);
void kt_fn___flag_names(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 flags, kt_s64 at, const char *names);

#endif
