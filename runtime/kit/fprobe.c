/* Returns of functions by fprobe: for each shape of handler one hook on all its functions, armed in one step, and cheaper a
 * hit than a kretprobe.
 *
 * A hook costs the kernel some milliseconds to set and to release, whatever it is on, where kretprobes are released in one
 * batch. So the longest runs of rows with one handler have hooks; the rest, and what ftrace refuses, go back to kprobe.c.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/kit/kit.h"

enum {
	HOOKS_MAX = 8,
	OPEN_BYTES_MAX = 32 << 20, /* for the calls that one hook can have open: those of all its functions share it */
};

/* A run of rows and its hook. */
struct hook {
	kt_fprobe_t fp;
	struct kt_functions functions; /* only: the return's probe; entry: that of what is kept of its calls */
	const struct kt_probe *probe;  /* of the return, when there is one function alone */
	unsigned long missed;          /* when it was released: calls that come while the kernel does that count as missed there */
	bool registered;
};

static struct hook hooks[HOOKS_MAX];
static u32 n_hooks;

/* ---- hits ---- */
/* Context: a function's entry, interrupts as they were there. Not 0: its return is not waited for. A call whose handler was
 * skipped (and counted) has no return handler either: it would print zeroes. */
static int notrace hook_entered(kt_fprobe_t *fp, unsigned long ip, unsigned long ret_ip, struct pt_regs *regs, void *data)
{
	const struct hook *h = container_of(fp, struct hook, fp);
	struct kt_saved *saved = data;

	memset(saved, 0, fp->entry_data_size);
	kt_handle(kt_functions_find(&h->functions, ip)->entry, regs, KT_CTX_FTRACE, saved);
	return !saved->set[0];
}
NOKPROBE_SYMBOL(hook_entered);

/* Context: the function's end, preemption off. DATA: what hook_entered() kept, or NULL. */
static void notrace hook_returned_one(kt_fprobe_t *fp, unsigned long ip, unsigned long ret_ip, struct pt_regs *regs, void *data)
{
	kt_handle(container_of(fp, struct hook, fp)->probe, regs, KT_CTX_RETURN, data);
}
NOKPROBE_SYMBOL(hook_returned_one);

static void notrace hook_returned_many(kt_fprobe_t *fp, unsigned long ip, unsigned long ret_ip, struct pt_regs *regs, void *data)
{
	const struct hook *h = container_of(fp, struct hook, fp);

	kt_handle(kt_functions_find(&h->functions, ip)->only, regs, KT_CTX_RETURN, data);
}
NOKPROBE_SYMBOL(hook_returned_many);

/* ---- runs ---- */
/* Have the rows one shape: the same handlers, which keep as much? */
static bool are_alike(const struct kt_kprobe_row *a, const struct kt_kprobe_row *b)
{
	const struct kt_probe *probes = kt_script.probes;

	return a->kind == b->kind && a->entry_slots == b->entry_slots &&
	       probes[a->probe].handler == probes[b->probe].handler &&
	       (!a->entry_slots || probes[a->entry_probe].handler == probes[b->entry_probe].handler);
}

/* How many of the N rows from the first on are one run. */
static u32 run_length(const struct kt_kprobe_row *rows, u32 n)
{
	u32 length = 1;

	while (length < n && are_alike(rows, &rows[length]))
		length++;
	return length;
}

/* The longest run of returns that was not TRIED, and *LENGTH; 0: none is left. */
static u32 longest_run(const struct kt_kprobe_row *rows, u32 n, const bool *tried, u32 *length)
{
	u32 best = 0;

	*length = 0;
	for (u32 i = 0, l; i < n; i += l) {
		l = run_length(&rows[i], n - i);
		if (rows[i].kind == KT_KPROBE_RETURN && !tried[i] && l > *length) {
			best = i;
			*length = l;
		}
	}
	return best;
}

/* ---- arming ---- */
/* Puts the functions of the N rows of one run, at the addresses AT, into H and IPS; how many ftrace takes. TAKEN[i] becomes
 * true for their rows. */
static u32 collect_functions(struct hook *h, const struct kt_kprobe_row *rows, const unsigned long *at, u32 n,
			     unsigned long *ips, bool *taken)
{
	struct ftrace_ops trial = { .flags = 0 };
	u32 n_ips = 0, n_taken = 0;

	for (u32 i = 0; i < n; i++) {
		if (!at[i] || !kt_kprobe_is_return(&rows[i]))
			continue;
		taken[i] = kt_functions_add(&h->functions, at[i], &kt_script.probes[rows[i].probe],
					    &kt_script.probes[rows[i].entry_probe]);
		if (taken[i])
			ips[n_ips++] = at[i];
	}
	kt_ftrace_filter(&trial, &h->functions, ips, n_ips);
	ftrace_free_filter(&trial);
	for (u32 i = 0; i < n; i++) {
		taken[i] = taken[i] && kt_functions_find(&h->functions, at[i])->only;
		if (taken[i])
			ips[n_taken++] = at[i];
	}
	return n_taken;
}

/* Arms the N rows of one run; false: H is as it was. */
static bool hook_arm(struct hook *h, const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken)
{
	unsigned long *ips = kvcalloc(n, sizeof(*ips), GFP_KERNEL);
	size_t saved = kt_kprobe_saved_size(rows);
	u32 n_ips = 0;

	if (ips && kt_functions_alloc(&h->functions, n))
		n_ips = collect_functions(h, rows, at, n, ips, taken);
	h->probe = n_ips == 1 ? kt_functions_find(&h->functions, ips[0])->only : NULL;
	h->fp = (kt_fprobe_t){
		.entry_data_size = saved,
		.entry_handler = saved ? hook_entered : NULL,
		.exit_handler = h->probe ? hook_returned_one : hook_returned_many,
		.nr_maxactive = (int)min_t(u64, (u64)n_ips * kt_kprobe_maxactive(rows), OPEN_BYTES_MAX / (saved + 64)),
	};
	h->registered = n_ips && !kt_fprobe_register(&h->fp, ips, n_ips);
	if (!h->registered) {
		memset(taken, 0, n * sizeof(*taken));
		kt_functions_free(&h->functions);
	}
	kvfree(ips);
	return h->registered;
}

void kt_fprobe_arm(const struct kt_kprobe_row *rows, const unsigned long *at, u32 n, bool *taken)
{
	bool *tried = KT_HAS_FPROBE ? kvcalloc(n, sizeof(*tried), GFP_KERNEL) : NULL;

	n_hooks = 0;
	while (tried && n_hooks < HOOKS_MAX && kt_session_starts()) {
		u32 length, i = longest_run(rows, n, tried, &length);

		if (!length)
			break;
		tried[i] = true;
		n_hooks += hook_arm(&hooks[n_hooks], &rows[i], &at[i], length, &taken[i]);
	}
	kvfree(tried);
}

void kt_fprobe_disarm(void)
{
	for (u32 i = 0; i < n_hooks; i++) {
		if (!hooks[i].registered)
			continue;
		hooks[i].missed = READ_ONCE(hooks[i].fp.nmissed);
		kt_fprobe_unregister(&hooks[i].fp); /* waits for running callbacks */
		hooks[i].registered = false;
		kt_functions_free(&hooks[i].functions);
	}
}

u64 kt_fprobe_count(void)
{
	u64 missed = 0;

	for (u32 i = 0; i < n_hooks; i++) {
		const struct hook *h = &hooks[i];
		unsigned long n = h->registered ? READ_ONCE(h->fp.nmissed) : h->missed;

		missed += n;
		if (h->probe)
			kt_session.probes[h->probe->index].missed += n;
	}
	return missed;
}
