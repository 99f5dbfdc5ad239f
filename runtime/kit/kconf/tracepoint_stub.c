/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a tracepoint know an empty function of the type of its probes? e2d0d7b2f42d "tracing/probes: Add tracepoint support on
 * fprobe_events", v6.5. */
#include <linux/tracepoint.h>

void *kt_question(const struct tracepoint *tp)
{
	return tp->probestub;
}
