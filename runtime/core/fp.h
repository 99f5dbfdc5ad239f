/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions on doubles, and the numbers' way from and to text (fp.c, fp-text.c). A double is the kt_s64 of its
 * bits. Context: any.
 */
#ifndef KT_CORE_FP_H
#define KT_CORE_FP_H

#include "core.h"

/* Rounding modes of fp_to_long(). */
enum kt_rounding {
	KT_ROUND_NEAR_EVEN,
	KT_ROUND_ZERO,
	KT_ROUND_DOWN,
	KT_ROUND_UP,
	KT_ROUND_NEAR_AWAY,
	KT_ROUND_ODD = 6,
};

kt_s64 kt_fn_fp_add(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_fp_sub(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_fp_mul(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_fp_div(struct kt_ctx *c, kt_s64 x, kt_s64 y);
/* As remainder(3). */
kt_s64 kt_fn_fp_rem(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_fp_sqrt(struct kt_ctx *c, kt_s64 x);
kt_s64 kt_fn_fp_eq(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_fp_lt(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_fp_le(struct kt_ctx *c, kt_s64 x, kt_s64 y);
kt_s64 kt_fn_long_to_fp(struct kt_ctx *c, kt_s64 n);
kt_s64 kt_fn_fp32_to_fp64(struct kt_ctx *c, kt_s64 x);
/* Returns the smallest long for a number that no long holds. */
kt_s64 kt_fn_fp_to_long(struct kt_ctx *c, kt_s64 x, kt_s64 rounding, kt_s64 exact);
/* As printf() of %.*f does it, PRECISION digits after the point. */
void kt_fn_fp_to_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 x, kt_s64 precision);
/* The double that is nearest to m * 2^(exp - 62); the last bit of M may stand for lost ones. */
kt_s64 kt_fp_scaled(kt_u64 m, int exp);
/* The double that is nearest to what stands at the start of S, as strtod() reads it; 0 where that is no number. */
kt_s64 kt_fn_string_to_fp(struct kt_ctx *c, const char *s);

#endif
