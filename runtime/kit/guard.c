/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overload guard: stops the costliest probes when handlers take too large a share of a CPU.
 *
 * A hit pays nothing for it. Handlers are measured in windows only: while one is open kt_run.state is not KT_RUNNING
 * but KT_RUNNING | KT_MEASURED, so every hit takes the road that is out of line, kt_handle_measured(). An hrtimer opens and
 * closes windows. It needs no process context, so it works when hits leave no time for any.
 *
 *   sampling    windows of WINDOW_NS at random moments, one in 20 of the time, for an interval of kt_script.overload_interval
 *   measuring   one window as long as an interval, when the samples of a CPU have exceeded half of the limit
 *
 * Only the cost of a whole interval stops a probe. The cost of a hit is counted where it began, however long it lasts,
 * so the samples are not biased by the length of handlers. Load that is above the limit all the time is therefore found
 * within three intervals. Load that comes in bursts shorter than an interval may go on.
 *
 * A probe is stopped at once by exchanging the handler in its table, then, in process context, by disarming its places.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/workqueue.h>

#include "runtime/core/errno.h"
#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"

enum {
	WINDOW_NS = 2 * NSEC_PER_MSEC,
	PAUSE_MIN_NS = 18 * NSEC_PER_MSEC,
	PAUSE_SPREAD_NS = 40 * NSEC_PER_MSEC,
	TICK_NS = 10 * NSEC_PER_MSEC,  /* while measuring: how often the end of the interval is looked for */
	RETRY_MS = 20,
	SAID_MAX = 10,                 /* probes that are named in messages, of those stopped at once */
	CALIBRATIONS = 32,
};

/* The cost of one probe's hits on one CPU in interval EPOCH. */
struct tally {
	u64 cycles;
	u32 hits;
	u32 epoch;
};

struct guard_cpu {
	u64 cycles; /* of all handlers */
	u32 epoch;
	u32 published; /* their share of the last interval, in thousandths, for other sessions */
	struct tally *tallies; /* by probe; NULL: the CPU was not present when the module was loaded */
};

static struct guard_cpu __percpu *guard_cpus;

/* Written by the timer's callback alone, while it runs. */
static struct {
	enum guard_phase { SAMPLING, WINDOW, MEASURING } phase;
	struct hrtimer timer;
	bool runs;
	u64 since;           /* nanoseconds since boot, when the session began to run */
	bool in_cycles;      /* the clock of windows and hits: else, where the cycle counter is not reliable, nanoseconds */
	u32 epoch;           /* number of the interval */
	u64 interval_begin, window_begin;
	u64 length;          /* of the windows in this interval */
	u64 random;          /* state of the generator of pauses */
	u64 overhead;        /* of reading the clock in nanoseconds */
} guard;

static void guard_say(struct work_struct *work);
static DECLARE_DELAYED_WORK(guard_work, guard_say);

/* ---- hits ---- */
static __always_inline u64 guard_clock(bool cycles)
{
	return cycles ? get_cycles() : ktime_get_mono_fast_ns();
}

static __always_inline bool guard_measures(void)
{
	return READ_ONCE(kt_run.state) == (KT_RUNNING | KT_MEASURED);
}

/* Reads the clock of a hit of PROBE. The functions that read a clock may be probed themselves (read_hpet() without a reliable cycle
 * counter): their hits find the level L taken, as by a handler, and read no clock. */
static __always_inline u64 hit_clock(struct kt_level *l, const struct kt_probe *probe, bool cycles)
{
	u64 now;

	WRITE_ONCE(l->c.probe, probe);
	barrier();
	now = guard_clock(cycles);
	smp_store_release(&l->c.probe, NULL);
	return now;
}

/* Returns 0 when the hit is not measured. RET_CYCLES: by which clock it is, which may be another when the hit ends. */
static __always_inline u64 hit_begin(struct kt_level *l, const struct kt_probe *probe, bool *ret_cycles)
{
	*ret_cycles = READ_ONCE(guard.in_cycles);
	return guard_measures() && !l->c.probe ? hit_clock(l, probe, *ret_cycles) : 0;
}

/* An NMI between two instructions here may lose a hit of the tally, or count one twice. */
static __always_inline void hit_end(struct kt_level *l, const struct kt_probe *probe, u64 begin, bool cycles)
{
	struct guard_cpu *g = raw_cpu_ptr(guard_cpus);
	u32 now = READ_ONCE(guard.epoch);
	struct tally *t;
	s64 took;

	if (!begin || !g->tallies)
		return;
	t = &g->tallies[probe->index];
	took = (s64)(hit_clock(l, probe, cycles) - begin - (cycles ? 0 : READ_ONCE(guard.overhead)));
	if (g->epoch != now) {
		g->cycles = 0;
		g->epoch = now;
	}
	if (t->epoch != now)
		*t = (struct tally){ .epoch = now };
	t->hits++;
	if (took > 0) {
		t->cycles += (u64)took;
		g->cycles += (u64)took;
	}
}

noinline void notrace kt_handle_measured(void *instance, u32 ctx_flags, const struct task_struct *task,
					 const struct kt_probe *probe, const struct pt_regs *regs,
					 const u64 *user_bias)
{
	struct kt_level *l;
	struct kt_irqs irqs;
	u64 begin;
	bool cycles;

	/* The window may have been closed since the hit looked: then it is not measured, but it is a hit. */
	if (kt_run_state() != KT_RUNNING)
		return;
	irqs = kt_irqs_off();
	l = kt_this_level(ctx_flags);
	begin = hit_begin(l, probe, &cycles);
	kt_handle_at(l, probe, regs, ctx_flags, irqs.flags, instance, task, user_bias);
	hit_end(l, probe, begin, cycles);
	kt_irqs_restore(irqs);
}
NOKPROBE_SYMBOL(kt_handle_measured);

/* Without preemption: the level is this CPU's. */
void kt_handle_own(const struct kt_probe *probe, void *instance)
{
	struct kt_level *l;
	struct kt_irqs irqs;
	u64 begin;
	bool cycles;

	preempt_disable_notrace();
	irqs = kt_irqs_off();
	l = kt_level_here(KT_LEVEL_OWN);
	begin = hit_begin(l, probe, &cycles);
	kt_handle_at(l, probe, NULL, KT_CTX_OWN, irqs.flags, instance, NULL, NULL);
	hit_end(l, probe, begin, cycles);
	kt_irqs_restore(irqs);
	preempt_enable_notrace();
}

/* The handler of a stopped probe. */
static void handle_stopped(struct kt_ctx *c)
{
	kt_lose(c->probe, KT_LOSS_OVERLOAD);
}
NOKPROBE_SYMBOL(handle_stopped);

/* ---- intervals ---- */
static void interval_start(void)
{
	WRITE_ONCE(guard.in_cycles, kt_arch_cycles_are_reliable());
	if (!guard.in_cycles) {
		u64 least = NSEC_PER_MSEC;

		for (u32 i = 0; i < CALIBRATIONS; i++) {
			u64 begin = guard_clock(false);

			least = min(least, guard_clock(false) - begin);
		}
		WRITE_ONCE(guard.overhead, least);
	}
	WRITE_ONCE(guard.epoch, guard.epoch + 1);
	guard.length = 0;
	guard.interval_begin = guard_clock(guard.in_cycles);
}

static bool window_open(void)
{
	guard.window_begin = guard_clock(guard.in_cycles);
	return cmpxchg(&kt_run.state, KT_RUNNING, KT_RUNNING | KT_MEASURED) == KT_RUNNING;
}

/* A counter that ran backwards makes the window one of length 0. */
static void window_close(void)
{
	s64 took = (s64)(guard_clock(guard.in_cycles) - guard.window_begin);

	cmpxchg(&kt_run.state, KT_RUNNING | KT_MEASURED, KT_RUNNING);
	guard.length += took > 0 ? (u64)took : 0;
}

static bool interval_over(void)
{
	return guard_clock(guard.in_cycles) - guard.interval_begin >= kt_script.overload_interval;
}

/* Thousandths of the windows that CYCLES are. A hit is counted whole, the part outside of the windows too, so the sum may be
 * more than the windows: that is all of them. */
static u32 share(u64 cycles)
{
	return guard.length ? (u32)div64_u64(min(cycles, guard.length) * 1000, guard.length) : 0;
}

/* What the handlers of CPU took. */
static u32 share_of(int cpu)
{
	const struct guard_cpu *g = per_cpu_ptr(guard_cpus, cpu);

	return READ_ONCE(g->epoch) == guard.epoch ? share(READ_ONCE(g->cycles)) : 0;
}

static void publish(void)
{
	int cpu;

	for_each_possible_cpu (cpu)
		WRITE_ONCE(per_cpu_ptr(guard_cpus, cpu)->published, share_of(cpu));
}

/* The limit, in thousandths. */
static u32 share_limit(void)
{
	return (u32)div64_u64(kt_script.overload_threshold * 1000, kt_script.overload_interval);
}

/* *RET_SHARE: of its time, in thousandths. */
static int busiest_cpu(u32 *ret_share)
{
	int cpu, ret = -1;

	*ret_share = 0;
	for_each_possible_cpu (cpu) {
		u32 busy = share_of(cpu);

		if (ret < 0 || busy > *ret_share) {
			ret = cpu;
			*ret_share = busy;
		}
	}
	return ret;
}

/* ---- stopping ---- */
static u64 cycles_of(const struct tally *t)
{
	return READ_ONCE(t->epoch) == guard.epoch ? READ_ONCE(t->cycles) : 0;
}

/* Stops PROBE, whose handlers took CYCLES of CPU. */
static void probe_stop(u32 probe, const struct tally *t, u64 cycles, int cpu)
{
	struct kt_probe_status *s = &kt_run.probes[probe];

	s->overload_cpu = (u32)cpu;
	s->overload_hits = READ_ONCE(t->hits);
	s->overload_cycles = cycles;
	s->overload_share = share(cycles);
	WRITE_ONCE(kt_script.probes[probe].handler, handle_stopped);
	kt_probe_set_off(probe, KT_OFF_OVERLOAD, true);
	kt_run.overloads++;
}

/* Stops the costliest probes of CPU, as many as must go for the others to be within the limit. Context: a hard interrupt. Linear
 * in the number of probes: they are sorted by the logarithm of their cost, and those of one power of two are taken as they
 * come. */
static void stop_costliest(int cpu)
{
	const struct tally *t = per_cpu_ptr(guard_cpus, cpu)->tallies;
	u64 sums[64] = { 0 }, stay = 0, allowed = div_u64(guard.length * share_limit(), 1000);
	u32 edge = 0;

	/* The CPU goes on: each tally is read once, or it could have become 0 on the way to ilog2(). */
	for (u32 i = 0; i < kt_script.n_probes; i++) {
		u64 cycles = cycles_of(&t[i]);

		if (cycles)
			sums[ilog2(cycles)] += cycles;
	}
	while (edge < ARRAY_SIZE(sums) - 1 && stay + sums[edge] <= allowed)
		stay += sums[edge++];
	for (u32 i = 0; i < kt_script.n_probes; i++) {
		u64 cycles = cycles_of(&t[i]);

		if (!cycles || kt_probe_off(i) & KT_OFF_OVERLOAD || (u32)ilog2(cycles) < edge)
			continue;
		if ((u32)ilog2(cycles) == edge && stay + cycles <= allowed)
			stay += cycles;
		else
			probe_stop(i, &t[i], cycles, cpu);
	}
}

/* The end of an interval in which every hit was measured. */
static void judge(void)
{
	u32 busy;
	int cpu = busiest_cpu(&busy);

	if (busy <= share_limit())
		return;
	stop_costliest(cpu);
	if (kt_script.on_overload == KT_OVERLOAD_STOP)
		kt_run_ask_stop(true);
	schedule_delayed_work(&guard_work, 0);
}

/* ---- the timer ---- */
/* The kernel's own random numbers take a lock that sleeps on PREEMPT_RT. Context: any, one caller at a time. */
static u64 pause_ns(void)
{
	return PAUSE_MIN_NS + mul_u64_u64_shr((u32)kt_random_next(&guard.random), PAUSE_SPREAD_NS, 32);
}

/* Goes on to the next phase; the nanoseconds that it lasts. */
static u64 guard_step(void)
{
	u32 busy;

	switch (guard.phase) {
	case SAMPLING:
		guard.phase = WINDOW;
		window_open();
		return WINDOW_NS;
	case WINDOW:
		window_close();
		guard.phase = SAMPLING;
		if (!interval_over())
			return pause_ns();
		publish();
		busiest_cpu(&busy);
		if (busy > share_limit() / 2)
			guard.phase = MEASURING;
		interval_start();
		if (guard.phase == SAMPLING)
			return pause_ns();
		window_open();
		return TICK_NS;
	case MEASURING:
		if (!interval_over())
			return TICK_NS;
		window_close();
		publish();
		judge();
		guard.phase = SAMPLING;
		interval_start();
		return pause_ns();
	}
	return TICK_NS;
}

static __kprobes enum hrtimer_restart guard_tick(struct hrtimer *hr)
{
	if (kt_run_state() != KT_RUNNING)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(hr, ns_to_ktime(guard_step()));
	return HRTIMER_RESTART;
}

/* ---- messages ---- */
static const char *overload_verb(void)
{
	return kt_script.on_overload == KT_OVERLOAD_STOP ? "ends the session" : "is disarmed";
}

static void say_probe(u32 probe)
{
	const struct kt_probe_status *s = &kt_run.probes[probe];

	kt_warn("probe %s %s: overload: it took %u.%u %% of CPU %u, %llu cycles a hit, %llu hits; make the handler cheaper or "
		"the probe more specific, raise -DSTP_OVERLOAD_THRESHOLD, or use --on-overload=ignore",
		kt_script.probes[probe].pp, overload_verb(), s->overload_share / 10, s->overload_share % 10, s->overload_cpu,
		div64_u64(s->overload_cycles, max(s->overload_hits, 1ull)), s->overload_hits);
}

/* Says which probes were stopped since the last call. Context: process. */
static void say_stopped(void)
{
	u32 n = 0;

	for (u32 i = 0; i < kt_script.n_probes; i++) {
		if ((kt_probe_off(i) & (KT_OFF_OVERLOAD | KT_OFF_SAID)) != KT_OFF_OVERLOAD)
			continue;
		kt_probe_set_off(i, KT_OFF_SAID, true);
		if (n++ < SAID_MAX)
			say_probe(i);
	}
	if (n > SAID_MAX)
		kt_warn("overload: %u more probes are disarmed", n - SAID_MAX);
}

static void guard_say(struct work_struct *work)
{
	if (!mutex_trylock(&kt_run.lock)) {
		schedule_delayed_work(&guard_work, msecs_to_jiffies(RETRY_MS));
		return;
	}
	if (kt_run_state() == KT_RUNNING) {
		say_stopped();
		kt_families_update();
	}
	mutex_unlock(&kt_run.lock);
}

/* ---- life ---- */
static u64 tallies_bytes(void)
{
	return max_t(u64, kt_script.n_probes, 1) * sizeof(struct tally);
}

u64 kt_guard_bytes(void)
{
	return kt_script.on_overload == KT_OVERLOAD_IGNORE ? 0 : tallies_bytes() * num_present_cpus();
}

int kt_guard_create(void)
{
	int cpu;

	if (kt_script.on_overload == KT_OVERLOAD_IGNORE)
		return 0;
	guard_cpus = alloc_percpu(struct guard_cpu);
	if (!guard_cpus)
		return -ENOMEM;
	for_each_present_cpu (cpu) {
		struct guard_cpu *g = per_cpu_ptr(guard_cpus, cpu);

		g->tallies = kt_alloc(tallies_bytes(), cpu);
		if (!g->tallies)
			return -ENOMEM;
	}
	return 0;
}

void kt_guard_destroy(void)
{
	int cpu;

	if (guard_cpus)
		for_each_possible_cpu (cpu)
			kt_free(per_cpu_ptr(guard_cpus, cpu)->tallies);
	free_percpu(guard_cpus);
}

/* The form is fixed: ktaprun of other versions reads it, see runtime/loader/machine.c. The time at which the session began, in nanoseconds
 * since boot, then CPU=SHARE in thousandths for each CPU of which handlers take KT_LOAD_PART or more. Empty when the session does not run. */
int kt_guard_show(char *buf)
{
	int cpu, len = 0;

	if (!guard.runs || kt_run_state() != KT_RUNNING)
		return sysfs_emit(buf, "\n");
	len = sysfs_emit(buf, "%llu", guard.since);
	for_each_possible_cpu (cpu) {
		u32 load = READ_ONCE(per_cpu_ptr(guard_cpus, cpu)->published);

		if (load >= KT_LOAD_PART)
			len += sysfs_emit_at(buf, len, " %d=%u", cpu, load);
	}
	return len + sysfs_emit_at(buf, len, "\n");
}

u32 kt_guard_load(void)
{
	u32 most = 0;
	int cpu;

	if (guard.runs)
		for_each_possible_cpu (cpu)
			most = max(most, READ_ONCE(per_cpu_ptr(guard_cpus, cpu)->published));
	return most;
}

void kt_guard_start(void)
{
	if (!guard_cpus)
		return;
	guard.phase = SAMPLING;
	guard.since = ktime_get_boottime_ns();
	interval_start();
	kt_hrtimer_setup(&guard.timer, guard_tick);
	guard.runs = true;
	guard.random = get_random_u64();
	hrtimer_start(&guard.timer, ns_to_ktime(pause_ns()), HRTIMER_MODE_REL_HARD);
}

void kt_guard_finish(void)
{
	if (!guard.runs)
		return;
	guard.runs = false;
	kernel_param_lock(THIS_MODULE); /* nobody is in kt_guard_show() any more */
	kernel_param_unlock(THIS_MODULE);
	hrtimer_cancel(&guard.timer);
	cancel_delayed_work_sync(&guard_work);
	say_stopped();
}
