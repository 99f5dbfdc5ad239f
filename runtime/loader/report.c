/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports losses in the words SystemTap's users know where it has such words. Nothing lost, nothing printed. */
#include "runtime/loader/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/packages.h"
#include "lib/status.h"
#include "lib/text.h"
#include "runtime/core/timing.h"
#include "runtime/ledger.h"

enum { REFUSED_SHOWN = 10 };

/* The meaning of a refusal, by the kernel or by the kit, for a place. */
static const struct {
	int error;
	const char *family; /* beginning of the point, NULL: any */
	const char *why;
} refusals[] = {
	{ ENOSPC, "kernel.data", "other programs have taken the debug registers" },
	{ ESTALE, "process", "the file is another than the script was compiled for: compile it again" },
	{ ESTALE, NULL, "the loaded module is another build than the script was compiled for" },
	{ ENOENT, "process", "the file is not there" },
	{ EINVAL, "process", "uprobes cannot be set in that file, or not with the semaphore that the mark has" },
	{ EOPNOTSUPP, "process", "uprobes do not take the instruction there" },
	{ 524 /* ENOTSUPP */, "process", "uprobes do not take the instruction there" },
	{ EOPNOTSUPP, "kernel.trace", "the kernel checks types of calls (CFI), and probes on its tracepoints need Linux 6.5 and kprobes" },
	{ ENOSYS, "kernel.trace", "this kernel keeps tracepoints of modules in a form that this ktap does not know; use a newer ktap" },
	{ EOPNOTSUPP, "netfilter", "the kernel is built without that hook" },
	{ ENOSYS, "perf", "counters of processes need Linux 5.13: in this kernel they would go on after exec" },
	{ EDEADLK, "perf", "that counter is outside of the processors (uncore), and reading it may wait for a lock" },
	{ ENXIO, "perf", "the program or its dynamic loader is not there, or is no ELF file of 64 bits" },
	{ EPERM, NULL, "arming probes and running handlers need this function" },
	{ EACCES, NULL, "a processor that starts or resumes runs this function before it can take a breakpoint" },
	{ ECANCELED, NULL, "it does not return" },
	{ ETXTBSY, NULL, "the kernel rewrites this code (static call)" },
	{ ENOEXEC, NULL, "it is a part that its function jumps to, and does not return by itself" },
	{ EINVAL, NULL, "the kernel does not let probes be set there" },
	{ EILSEQ, NULL, "no instruction begins there" },
	{ ENOENT, NULL, "the running kernel has none of that name" },
};

/* BPF: of a BPF program, which the kernel itself attaches. */
static const char *refusal_why(int error, const char *pp, bool bpf)
{
	if (bpf && (error == -EPERM || error == -EACCES))
		return "the kernel does not let this process attach a program there (lockdown, or a security module)";
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (refusals[i].error == -error &&
		    (!refusals[i].family || !strncmp(pp, refusals[i].family, strlen(refusals[i].family))))
			return refusals[i].why;
	return NULL;
}

/* A place that was refused for good. */
static void report_refused(struct printer *p, const char *pp, int error)
{
	const char *why = refusal_why(error, pp, !strcmp(p->control->vehicle->name, "bpf"));

	print_warning(p, "probe %s registration error (rc %d: %s)%s%s", pp, error, strerror(error < 0 ? -error : error),
		      why ? ": " : "", why ? why : "");
}

/* A function of the kernel's __init code, which a wildcard finds in BTF. */
static bool is_freed(const struct kt_probe_status *s, const char *pp)
{
	return s->error == -ESTALE && (!strncmp(pp, "kernel.", 7) || !strncmp(pp, "kprobe.f", 8));
}

/* Are there probes that kprobes or ftrace bring? */
static bool has_functions(const struct printer *p)
{
	static const char *const points[] = { "kernel.function", "kernel.statement", "module", "kprobe" };

	for (kt_u32 i = 0; i < p->control->info.n_probes; i++)
		for (size_t j = 0; j < sizeof(points) / sizeof(points[0]); j++)
			if (!strncmp(control_text(p->control, KT_TEXT_PROBE, i), points[j], strlen(points[j])))
				return true;
	return false;
}

void report_switched_off(struct printer *p)
{
	static const char *const switches[] = { "/proc/sys/kernel/ftrace_enabled", "/sys/kernel/debug/kprobes/enabled" };

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		_cleanup_free_ char *value = sys_read_line(p->control->sys, switches[i]);

		if (value && !strcmp(value, "0") && has_functions(p))
			print_warning(p, "%s is 0: some probes of kernel functions are not hit", switches[i]);
	}
}

/* Places that are reported together: how many, and the first. */
struct group {
	kt_u32 n, first;
};

static void group_add(struct group *g, kt_u32 index)
{
	if (!g->n++)
		g->first = index;
}

static void report_place(struct printer *p, const char *pp, int error)
{
	if (error == -EAGAIN)
		print_warning(p, "probe %s waits: its module is not loaded, or has no such symbol", pp);
	else if (!strncmp(pp, "perf.", 5) && (error == -ENOENT || error == -EOPNOTSUPP))
		print_warning(p, "probe %s: this machine does not count that event; virtual machines often have no hardware counters", pp);
	else
		report_refused(p, pp, error);
}

/* Functions of __init code: those of the kernel, and those of modules, which come again when the module is loaded again. */
static void report_freed(struct printer *p, const struct group *freed, const struct group *gone)
{
	if (freed->n)
		print_warning(p, "not probed: %u function%s that the kernel freed after boot (__init), first %s", freed->n,
			      freed->n == 1 ? "" : "s", control_text(p->control, KT_TEXT_PROBE, freed->first));
	if (gone->n)
		print_warning(p, "not probed until the module is loaded again: %u place%s that the loaded module does not have, or freed "
			      "after its init function (__init), first %s", gone->n, gone->n == 1 ? "" : "s",
			      control_text(p->control, KT_TEXT_PROBE, gone->first));
}

void report_start(struct printer *p, const struct kt_status *s, bool verbose, double seconds)
{
	struct group freed = { 0 }, gone = { 0 };
	kt_u32 shown = 0, most = verbose ? s->probes_failed : REFUSED_SHOWN;

	if (verbose)
		fprintf(stderr, "ktaprun: %u places armed, %u refused, in %.1f s\n", s->probes_armed, s->probes_failed, seconds);
	for (kt_u32 i = 0; shown + freed.n + gone.n < s->probes_failed && shown < most && i < p->control->info.n_probes; i++) {
		const char *pp = control_text(p->control, KT_TEXT_PROBE, i);
		struct kt_probe_status ps;

		if (control_probe(p->control, i, &ps) < 0 || !ps.error)
			continue;
		if (is_freed(&ps, pp))
			group_add(&freed, i);
		else if (ps.error == -ENODATA)
			group_add(&gone, i);
		else if (++shown)
			report_place(p, pp, ps.error);
	}
	report_freed(p, &freed, &gone);
	if (s->probes_failed > shown + freed.n + gone.n)
		print_warning(p, "%u more places could not be registered (-v lists them)", s->probes_failed - shown - freed.n - gone.n);
}

/* ---- losses ---- */
/* The texts of causes, in SystemTap's words where it has them. Errors were reported one by one. */
static const char *const skipped_why[KT_LOSS_MISSED] = {
	[KT_LOSS_LOCK] = "lock contention on a global",
	[KT_LOSS_RECURSION] = "reentrancy: the handler would have interrupted another one",
	[KT_LOSS_OVERLOAD] = "overload: the probe was stopped",
	[KT_LOSS_KPROBE] = "missed kprobe: hit while the kernel handled another kprobe",
	[KT_LOSS_RETURN] = "missed kretprobe: too many calls at once, raise .maxactive(N)",
	[KT_LOSS_HOOK] = "unhooked return: no call led there, or the machine was being suspended",
	[KT_LOSS_TICK] = "timer overrun: the handler of the tick before had yet to begin",
	[KT_LOSS_CALL] = "missed uprobe: no memory was free, or the program's stack could not be read",
};

static void report_skipped(struct printer *p, const struct kt_status *s)
{
	kt_u64 skipped = 0;

	for (int i = 0; i < KT_LOSS_MISSED; i++)
		skipped += skipped_why[i] ? s->lost[i] : 0;
	if (s->errors || skipped)
		print_warning(p, "Number of errors: %llu, skipped probes: %llu", s->errors, skipped);
	for (int i = 0; i < KT_LOSS_MISSED; i++)
		if (skipped_why[i] && s->lost[i])
			print_warning(p, "Skipped due to %s: %llu", skipped_why[i], s->lost[i]);
}

kt_u64 report_lost_records(const struct merge *m, kt_u64 *ret_bytes)
{
	kt_u64 lost = 0;

	*ret_bytes = 0;
	for (kt_u32 i = 0; i < m->n; i++) {
		lost += m->cpus[i].lost_records;
		*ret_bytes += m->cpus[i].lost_bytes;
	}
	return lost;
}

void report_no_hits(struct printer *p)
{
	struct kt_probe_status s;
	kt_u32 n = 0;

	for (kt_u32 i = 0; i < p->control->info.n_probes; i++) {
		if (control_probe(p->control, i, &s) < 0 || s.flags & (KT_PROBE_ENTRY | KT_PROBE_DURING_BEGIN))
			continue;
		n++;
		if (ledger_hits(&s))
			return;
	}
	if (n)
		status_say("no probe was hit; see WHEN NOTHING IS PRINTED in man ktap");
}

void report_losses(struct printer *p, const struct kt_status *s, const struct merge *m)
{
	kt_u64 bytes, lost = report_lost_records(m, &bytes);

	report_skipped(p, s);
	if (lost)
		print_warning(p,
			      "There were %llu lost messages, %llu lost bytes. Try ktap -s to increase the buffer size "
			      "from %u KB per CPU.",
			      lost, bytes, p->control->info.buffer_size / 1024);
	if (s->lost[KT_LOSS_STRING])
		print_warning(p, LEDGER_CUT_WARNING, s->lost[KT_LOSS_STRING], p->control->info.string_max);
	if (s->lost[KT_LOSS_THROTTLE])
		print_warning(p,
			      "The kernel stopped events of perf %llu times, each until its next tick, and their hits are missing. Ask for "
			      "fewer samples, or raise sysctl kernel.perf_event_max_sample_rate.",
			      s->lost[KT_LOSS_THROTTLE]);
	if (m->disordered)
		print_warning(p, "%llu messages may be out of order: they came too fast to wait for the other CPUs",
			      m->disordered);
	if (p->malformed)
		print_warning(p, "malformed records, not printed: %llu", p->malformed);
}

void report_ledger(struct printer *p)
{
	struct kt_probe_status s, total = { 0 };

	for (kt_u32 i = 0; i < p->control->info.n_probes; i++)
		if (!control_probe(p->control, i, &s) && !(s.flags & KT_PROBE_ENTRY))
			ledger_add(&total, &s);
	if (ledger_is_empty(&total))
		return;
	ledger_line(stderr, &total, NULL, "probe");
	for (kt_u32 i = 0; i < p->control->info.n_probes; i++)
		if (!control_probe(p->control, i, &s) && !(s.flags & KT_PROBE_ENTRY) && !ledger_is_empty(&s))
			ledger_line(stderr, &total, &s, control_text(p->control, KT_TEXT_PROBE, i));
	ledger_line(stderr, &total, &total, "total");
}

/* Probes that the kernel took at no place, or not at all of theirs. One whose module is not loaded has lost nothing. */
static kt_u64 refused_probes(const struct printer *p, const struct kt_status *s)
{
	struct kt_probe_status ps;
	kt_u64 n = 0;

	for (kt_u32 i = 0; s->probes_failed && i < p->control->info.n_probes; i++)
		n += !control_probe(p->control, i, &ps) && ps.error && ps.error != -EAGAIN && ps.error != -ENODATA;
	return n;
}

static void add_loss(struct text *t, const char *name, kt_u64 n)
{
	if (n)
		text_printf(t, "%s%s %llu", t->len ? ", " : "", name, n);
}

bool report_strict(struct printer *p, const struct kt_status *s, const struct merge *m)
{
	_cleanup_text_ struct text t = { 0 };
	kt_u64 bytes;

	for (int i = 0; i < KT_LOSS_MISSED; i++)
		add_loss(&t, ledger_names[i], s->lost[i]);
	add_loss(&t, ledger_names[KT_LOSS_RECORD], report_lost_records(m, &bytes) + p->malformed);
	add_loss(&t, ledger_names[KT_LOSS_STRING], s->lost[KT_LOSS_STRING]);
	add_loss(&t, ledger_names[KT_LOSS_THROTTLE], s->lost[KT_LOSS_THROTTLE]);
	add_loss(&t, "refused-probes", refused_probes(p, s));
	add_loss(&t, "stopped-probes", s->probes_overload);
	if (t.len)
		error((struct loc){ 0 }, DIAG_RUN, LEDGER_STRICT_ERROR, text_str(&t));
	return t.len;
}

void report_stack(const struct kt_status *s)
{
	if (s->stack_used)
		fprintf(stderr, "handlers used at most %u of %u bytes of stack\n", s->stack_used, s->stack_size);
}

void report_timing(struct printer *p)
{
	_cleanup_text_ struct text t = { 0 };

	if (!(p->control->info.flags & KT_INFO_TIMED) || p->events.on)
		return;
	text_puts(&t, KT_TIMING_HEAD);
	for (kt_u32 i = 0; i < p->control->info.n_probes; i++) {
		struct kt_probe_status s;
		const char *origin = control_text(p->control, KT_TEXT_ORIGIN, i);

		if (control_probe(p->control, i, &s) < 0 || !s.hits)
			continue;
		text_printf(&t, KT_TIMING_LINE,
			    KT_TIMING_ARGS(control_text(p->control, KT_TEXT_PROBE, i), origin, &s));
	}
	output_append(p->output, text_str(&t), t.len);
}

void report_no_lines(struct printer *p, const char *why)
{
	_cleanup_free_ char *release = sys_read_line(p->control->sys, "/proc/sys/kernel/osrelease");
	const char *command = why && release ? package_command(PACKAGE_DEBUGINFO, release) : NULL;

	if (why)
		print_warning(p, "Source lines of the kernel are not known, its addresses stand for them: %s%s%s", why,
			      command ? ". To install it: " : "", command ? command : "");
}

/* Warns of the objects that met END, if there are any: TEXT, with the names in place of %s, PREFIX before each. */
__attribute__((format(printf, 5, 0))) static void warn_of(struct printer *p, const struct stacks *s, enum met_end end, const char *prefix,
							  const char *text)
{
	_cleanup_text_ struct text list = { 0 };

	for (int i = 0; i < s->n_met; i++) {
		const struct met *m = &s->met[i];

		if (m->end == end)
			text_printf(&list, m->why ? "%s%s (%s)" : "%s%s", prefix, m->name, m->why);
	}
	if (list.len)
		print_warning(p, text, text_str(&list));
}

void report_met(struct printer *p, const struct stacks *s)
{
	if (!s->no_kernel)
		warn_of(p, s, MET_NO_LINES, " ",
			"Source lines of these modules are not known, their debugging information is not installed:%s");
	warn_of(p, s, MET_GIVEN, " -d ",
		"Stacks went through objects that had no tables at first; earlier ones may be cut or (inexact). "
		"To have them from the start:%s (--ldd adds the libraries of each object)");
	warn_of(p, s, MET_GONE, " ",
		"Stacks of processes that have ended went through objects that never got tables; they may be cut or (inexact). "
		"To have them, give the path of each by -d:%s");
	warn_of(p, s, MET_NONE, " ", "Stacks went through objects of which no tables are made; they may be cut or (inexact):%s");
	warn_of(p, s, MET_PARTLY, " ", "These objects have sections that are too large to be read; names, lines or frames are missing:%s");
	if (s->passed_over)
		print_warning(p, "%lu reports of objects without tables were not looked at, there were too many or they took too long: "
			      "more stacks may be cut or (inexact)", s->passed_over);
}
