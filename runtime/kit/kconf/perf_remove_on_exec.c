/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can events end when their task executes a program? 2e498d0a74e5 "perf: Add support for event removal on exec", v5.13. */
#include <linux/perf_event.h>

void kt_question(struct perf_event_attr *attr);

void kt_question(struct perf_event_attr *attr)
{
	attr->remove_on_exec = 1;
}
