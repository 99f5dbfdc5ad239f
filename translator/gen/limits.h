/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of -D. */
#ifndef KTAP_GEN_LIMITS_H
#define KTAP_GEN_LIMITS_H

#include "translator/gen/state.h"

/* A limit of -D, refused when it is out of range. */
long long gen_limit(struct gen *g, const char *name, long long otherwise, long long low, long long high);

#endif
