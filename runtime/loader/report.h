/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports losses of the session: places that did not register, handlers that did not run, lost records. */
#ifndef KT_LOADER_REPORT_H
#define KT_LOADER_REPORT_H

#include <stdbool.h>

#include "runtime/loader/merge.h"
#include "runtime/loader/print.h"

/* Before the start: switches of the kernel that are off, so that it arms places and brings no hit. */
void report_switched_off(struct printer *p);
/* After the start, which took SECONDS: places where the kernel took no probe, and with -v how many it took. */
void report_start(struct printer *p, const struct kt_status *s, bool verbose, double seconds);

/* Returns how many records found no space in the buffers. */
kt_u64 report_lost_records(const struct merge *m, kt_u64 *ret_bytes);
/* At the end: every loss by its cause. */
void report_losses(struct printer *p, const struct kt_status *s, const struct merge *m);
/* Says on a terminal that no probe was hit, if so; begin, end and error probes do not count. Hits were counted. */
void report_no_hits(struct printer *p);
/* The ledger of each probe, as a table on stderr. Handled hits were counted. */
void report_ledger(struct printer *p);
/* Says which losses there were. False: there were none. */
bool report_strict(struct printer *p, const struct kt_status *s, const struct merge *m);
/* How much of their stack the handlers of a session that has stopped used. */
void report_stack(const struct kt_status *s);

/* -t: hits and cycles of each probe, as text that the session prints. */
void report_timing(struct printer *p);

/* Says WHY lines of the kernel, which the script asks for, are not known; NULL: they are. */
void report_no_lines(struct printer *p, const char *why);

/* Says once, which objects' tables should have been asked for. */
void report_met(struct printer *p, const struct stacks *s);

#endif
