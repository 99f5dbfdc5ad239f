/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions that read clocks. Context: any: only the clocks that may be read in an NMI are used. */
#include <linux/ktime.h>
#include <linux/timex.h>

#include "runtime/fn.h"
#include "runtime/kit/compat.h"

#define CLOCK_FUNCTION(unit, nanoseconds)                              \
	__kprobes kt_s64 kt_fn_gettimeofday_##unit(struct kt_ctx *c)   \
	{                                                              \
		return (kt_s64)ktime_get_real_fast_ns() / nanoseconds; \
	}
CLOCK_FUNCTION(ns, 1)
CLOCK_FUNCTION(us, NSEC_PER_USEC)
CLOCK_FUNCTION(ms, NSEC_PER_MSEC)
CLOCK_FUNCTION(s, NSEC_PER_SEC)

__kprobes kt_s64 kt_fn_ktime_get_ns(struct kt_ctx *c)
{
	return (kt_s64)ktime_get_mono_fast_ns();
}

__kprobes kt_s64 kt_fn_get_cycles(struct kt_ctx *c)
{
	return (kt_s64)get_cycles();
}
