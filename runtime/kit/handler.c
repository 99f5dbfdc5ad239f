/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that run for long, and handlers that failed. The way into a handler is inline: kt_handle(). */
#include <linux/nmi.h>
#include <linux/timekeeping.h>

#include "runtime/kit/handler.h"

enum {
	VISITS_AT_ONCE = 4000, /* elements of arrays between two looks for interrupts: less than 1 ms */
	OFF_NS = 10000000,     /* so long do statements keep interrupts off in a task of ours */
	OWN_TIMES = 4,         /* of the time that other handlers have: less than the kernel waits for a grace period of RCU */
};

/* In a task of ours interrupts come in here. Their handlers run at their own level. */
static __kprobes void interrupts_come(void)
{
	local_irq_enable();
	touch_softlockup_watchdog();
	local_irq_disable();
}

/* The first look begins the handler's time. */
static __kprobes u64 look_at_clock(struct kt_level *l)
{
	u64 now = ktime_get_mono_fast_ns();

	if (!l->c.busy_since)
		l->c.busy_since = l->irqs_off_since = now;
	return now;
}

__kprobes int kt_time_is_up(struct kt_ctx *c)
{
	struct kt_level *l = kt_level_of(c);
	u64 now = look_at_clock(l), most = kt_script.max_time;

	if (c->flags & KT_CTX_OWN) {
		most *= OWN_TIMES;
		if (now - l->irqs_off_since >= OFF_NS) {
			l->irqs_off_since = now;
			interrupts_come();
		}
	}
	return most && now - c->busy_since > most;
}

/* In a task of ours the time that counts is that without interrupts. */
__kprobes int kt_is_late(struct kt_ctx *c)
{
	struct kt_level *l = kt_level_of(c);
	u64 now = look_at_clock(l);

	return kt_script.max_time && now - (c->flags & KT_CTX_OWN ? l->irqs_off_since : c->busy_since) > kt_script.max_time;
}

__kprobes int kt_visit_more(struct kt_ctx *c)
{
	if (!(c->flags & KT_CTX_OWN)) {
		kt_errorf(c, "MAXVISITS exceeded; work on so many elements belongs into a probe of end, timer or procfs, "
			     "or raise -DMAXVISITS");
		return 0;
	}
	c->visits = VISITS_AT_ONCE;
	kt_actions_pause(c);
	interrupts_come();
	return 1;
}

/* The record of an error at PLACE, with the N_CALLERS calls that led there. */
static __kprobes void report(struct kt_ctx *c, enum kt_error_kind kind, u32 place, const char *message, u32 n_callers)
{
	const char *pp = c->probe->pp;
	u32 len = kt_strlen(message), pp_len = kt_strlen(pp), callers = n_callers * sizeof(*c->callers);
	void *at = kt_reserve(c, KT_REC_ERROR, place,
			      sizeof(kt_s64) + kt_string_room(len) + kt_string_room(pp_len) + kt_string_room(callers));

	if (!at)
		return;
	at = kt_put_long(at, kind);
	at = kt_put_string(at, message, len);
	at = kt_put_string(at, pp, pp_len);
	kt_put_string(at, (const char *)c->callers, callers);
	kt_commit(c);
}

static __kprobes void handler_failed(struct kt_ctx *c)
{
	if (c->flags & KT_CTX_ABORT) {
		/* Its handler asked for it. */
	} else if (!(c->flags & KT_CTX_SKIP)) {
		u64 n = atomic64_inc_return(&kt_run.errors);

		kt_lose(c->probe, c->loss);
		report(c, kt_error_kind(c), c->error_place, c->error, c->error_place == KT_NO_PLACE ? 0 : c->n_callers);
		if (n > kt_script.max_errors)
			kt_run_ask_stop(true);
	} else if (kt_lose(c->probe, KT_LOSS_LOCK) == kt_script.max_skipped + 1ull) {
		report(c, KT_ERROR_LOCK, KT_NO_PLACE,
		       "too many hits were skipped because a lock on a global was busy; raise -DMAXSKIPPED=N or "
		       "-DMAXTRYLOCK=N",
		       0);
		kt_run_ask_stop(true);
	}
	c->error = NULL; /* the next handler finds it so */
	c->loss = KT_LOSS_ERROR;
}

__kprobes noinline void kt_handler_failed(struct kt_level *l)
{
	kt_arch_run(&l->below, handler_failed, &l->c);
}
