/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enums with data, as Rust has them: a discriminant selects the variant. */
#ifndef KTAP_PROBE_VARIANT_H
#define KTAP_PROBE_VARIANT_H

#include "translator/probe/access.h"

/* Finds the discriminant of TYPE; false: TYPE has no variants, or just one. */
bool variant_discriminant(const struct ctype *type, struct member *ret);
/* The variant NAME of TYPE; NULL: NAME is not a variant, or the only one. */
struct access_variant *variant_of(const struct ctype *type, const char *name);

#endif
