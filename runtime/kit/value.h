/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library that are one expression, which may use the context C. ...: parameters */
#ifndef KT_KIT_VALUE_H
#define KT_KIT_VALUE_H

#include "runtime/fn.h"

#define KT_NUMBER(name, value, ...)                                       \
	__kprobes kt_s64 kt_fn_##name(struct kt_ctx *c, ##__VA_ARGS__)    \
	{                                                                 \
		return (kt_s64)(value);                                   \
	}

#define KT_TEXT(name, text, ...)                                                                \
	__kprobes void kt_fn_##name(struct kt_ctx *c, char *ret, kt_u32 size, ##__VA_ARGS__)    \
	{                                                                                       \
		kt_strcpy(ret, text, size);                                                     \
	}

/* Returns nothing: the expression is called for what it does. */
#define KT_ACTION(name, call, ...)                                      \
	__kprobes void kt_fn_##name(struct kt_ctx *c, ##__VA_ARGS__)    \
	{                                                               \
		call;                                                   \
	}

/* A text with its hash, which may be made in RET. */
#define KT_HASHED(name, text, ...)                                                                                              \
	__kprobes struct kt_hashed kt_hashed_##name(struct kt_ctx *c, char *ret, kt_u32 size, ##__VA_ARGS__)                    \
	{                                                                                                                       \
		return text;                                                                                                    \
	}

#endif
