/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that each script has, and nothing else calls. */
#ifndef KT_LOCATE_H
#define KT_LOCATE_H

#include "runtime/script.h"

/* For shared handlers: the value that WORD (enum kt_word) describes; FUNCTIONS are those of KT_WORD_FUNCTION. */
static __attribute__((__noinline__, unused)) kt_u64 kt_locate(struct kt_ctx *c, kt_u64 word, kt_u64 (*const *functions)(struct kt_ctx *c))
{
	kt_u32 reg = word & KT_WORD_NO_REGISTER, size = (kt_u32)(word >> KT_WORD_SIZE_SHIFT) & 0xff;
	kt_u64 v = (kt_u64)((kt_s64)word >> KT_WORD_NUMBER_SHIFT);
	kt_u32 right = (kt_u32)(word >> KT_WORD_RIGHT_SHIFT) & KT_WORD_MAX_SHIFT;

	if (word & KT_WORD_FUNCTION)
		return functions[v](c);
	if (word & KT_WORD_RELOCATED)
		v = kt_relocate(v);
	if (reg != KT_WORD_NO_REGISTER)
		v += kt_register(c, reg);
	if (size && kt_likely(!c->error))
		v = word & KT_WORD_USER ? kt_deref_user(c, v, size) : kt_deref(c, v, size);
	v <<= (word >> KT_WORD_LEFT_SHIFT) & KT_WORD_MAX_SHIFT;
	return word & KT_WORD_SIGNED ? (kt_u64)((kt_s64)v >> right) : v >> right;
}

/* For handlers that have many lookups by a number: each that is inline takes the compiler 4 ms. */
#define KT_FAR static __attribute__((__noinline__, __unused__))
KT_FAR kt_s64 kt_map_get_far(const struct kt_map *m, kt_s64 key) { return kt_map_get_i(m, key); }
KT_FAR kt_s64 *kt_map_ref_far(struct kt_ctx *c, struct kt_map *m, kt_s64 key) { return kt_map_ref_i(c, m, key); }
KT_FAR kt_s64 *kt_pmap_ref_far(struct kt_ctx *c, kt_u32 offset, kt_s64 key) { return kt_pmap_ref_i(c, offset, key); }

#endif
