/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of a script, -DNAME=VALUE, with their defaults and bounds. */
#ifndef KTAP_SEMA_LIMITS_H
#define KTAP_SEMA_LIMITS_H

#include "translator/syntax/ast.h"

struct limits {
	int string_max;         /* MAXSTRINGLEN: bytes of a string, with its NUL */
	long long max_action;   /* statements of a handler */
	long long max_life;     /* of begin and end */
	long long max_visits;   /* elements that a handler works on */
	long long map_entries;  /* of an array without a size */
	long long max_errors, max_skipped;
	long long lock_wait;    /* MAXTRYLOCK * TRYLOCKDELAY, ns: for the lock of a global */
};

/* The limit NAME, OTHERWISE where the script sets none. A value that is not LOW to HIGH is an error, which sets *FAILED. */
long long limit_read(const struct program *p, const char *name, long long otherwise, long long low, long long high, bool *failed);
/* Those of P. An error sets *FAILED. */
struct limits limits_read(const struct program *p, bool *failed);

#endif
