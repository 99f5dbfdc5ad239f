/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregates of cold handlers. What raises an error writes it to the frame. */
#ifndef KT_BPF_STATS_H
#define KT_BPF_STATS_H

#include "runtime/bpf/store.h"

bool stats_init(struct store *s);
void stats_free(struct store *s);
/* A handler begins. It sees one state of the aggregates, that of its first look at one. */
void stats_begin(struct store *s);
/* Handlers that were running when this was called have ended, or a second has passed. */
void stats_wait(struct store *s);
/* Must come before each use of an array. False: an error is raised. */
bool stats_array(struct store *s, kt_u32 array);

/* Key 0: STAT is a scalar. */
void stats_add(struct store *s, kt_u32 stat, const void *key, kt_s64 value);
void stats_clear(struct store *s, kt_u32 stat);
kt_s64 stats_get(struct store *s, kt_u32 stat, const void *key, enum kt_stat_op op, kt_s64 parameter);
kt_s64 stats_bucket(struct store *s, kt_u32 stat, const void *key, kt_s64 bucket);
bool stats_has_bucket(struct store *s, kt_u32 stat, const void *key, kt_s64 bucket);
/* The text of a histogram, cut to SIZE. False: an error is raised. */
bool stats_hist(struct store *s, kt_u32 stat, const void *key, char *to, kt_u32 size);

/* What an aggregate with these words is sorted by. */
kt_s64 stat_value(const struct kt_stat_type *t, const kt_s64 *words, enum kt_stat_op op);

#endif
