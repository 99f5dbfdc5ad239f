/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translator/sema/stat-type.h"

int stat_op(enum op op)
{
	return (int)op - (int)OP_COUNT; /* enum kt_stat_op has the order of ops.def */
}

const struct symbol *stat_symbol(const struct node *operand)
{
	return operand->kind == ND_INDEX ? operand->kid[0]->sym : operand->sym;
}

/* Returns enum kt_stat_field for the operators that the program applies to S. */
static kt_u32 fields_of(const struct symbol *s)
{
	static const struct {
		enum op op;
		kt_u32 fields;
	} need[] = {
		{ OP_SUM, KT_STAT_SUM }, { OP_AVG, KT_STAT_SUM }, { OP_MIN, KT_STAT_MIN }, { OP_MAX, KT_STAT_MAX },
		{ OP_VARIANCE, KT_STAT_VAR }, { OP_PCT, KT_STAT_PCT | KT_STAT_MIN | KT_STAT_MAX },
		{ OP_HIST_LOG, KT_STAT_HIST }, { OP_HIST_LINEAR, KT_STAT_HIST },
	};
	kt_u32 fields = KT_STAT_COUNT;

	for (size_t i = 0; i < sizeof(need) / sizeof(need[0]); i++)
		if (s->stat_ops & 1u << (need[i].op - OP_COUNT))
			fields |= need[i].fields;
	return fields;
}

struct kt_stat_type stat_type(const struct symbol *s, kt_u32 pct_bits)
{
	struct kt_stat_type t = { .fields = fields_of(s), .full_bars = s->hist && s->full_bars };
	const struct node *h = s->hist;

	if (t.fields & KT_STAT_PCT)
		t.pct_bits = pct_bits;
	if (h && h->op == OP_HIST_LOG) {
		t.hist = KT_HIST_LOG;
		t.buckets = KT_LOG_BUCKETS;
	} else if (h) {
		t.hist = KT_HIST_LINEAR;
		t.lo = h->list->num;
		t.hi = h->list->next->num;
		t.step = h->list->next->next->num;
		t.buckets = KT_LINEAR_BUCKETS(t.lo, t.hi, t.step);
	}
	t.words = KT_STAT_WORDS(t.fields, t.buckets, t.pct_bits);
	return t;
}
