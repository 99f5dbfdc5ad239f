/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enums with data, as Rust has them: a discriminant tells which of the variants is there. */
#ifndef KTAP_PROBE_VARIANT_H
#define KTAP_PROBE_VARIANT_H

#include "translator/probe/access.h"

/* The member of TYPE that tells its variant; false: TYPE has no variants, or just one. */
bool variant_discriminant(const struct ctype *type, struct member *ret);
/* The variant NAME of TYPE; NULL: NAME is not a variant, or the only one. */
struct access_variant *variant_of(const struct ctype *type, const char *name);

#endif
