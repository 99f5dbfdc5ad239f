/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system a tracepoint belongs to: "sched" of sched:sched_switch. */
#ifndef KTAP_PROBE_SYSTEMS_H
#define KTAP_PROBE_SYSTEMS_H

#include "translator/debuginfo/target.h"

/* The system of tracepoint NAME (interned) in the headers of K; NULL: they do not tell. */
const char *trace_system(const struct kernel *k, const char *name);
/* Calls FN for each system that the headers name. */
void trace_system_names(const struct kernel *k, void (*fn)(const char *system, void *data), void *data);

#endif
