/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes in the kernel's text by kprobe, and at the return of functions by kretprobe. Entries and returns of functions go to
 * ftrace.c first; the ones that it cannot take come back.
 *
 * Places in a module that is not loaded wait for it, and are let go with it.
 *
 * Places are registered one by one, so that one that the kernel refuses (its own list of forbidden functions, an
 * unsuitable instruction) does not take the others with it; they are let go in one batch, which waits for running
 * handlers once.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "runtime/kit/fn.h"
#include "runtime/kit/syscall.h"
#include "runtime/kit/kit.h"

/* A row and what the kernel keeps about it. */
struct place {
	struct kretprobe rp; /* rp.kp serves plain probes too */
	const struct kt_probe *probe;
	const struct kt_probe *entry; /* return probes: what fills struct kt_saved, or NULL */
	const struct kt_kprobe_row *row;
	unsigned long ip;    /* what addr() says */
	u64 missed[2];       /* by enum kt_kprobe_kind: before the module was last unloaded */
	bool armed;
	bool waits;          /* for its module; it is in the count of refused places */
	bool on;             /* armed, and not disabled by its condition */
};

static struct place *places;
static u32 n_places;
static u32 n_kretprobes; /* rows whose return is hooked by a kretprobe of their own */
static DEFINE_MUTEX(places_lock); /* modules come and go while places are armed */
static u64 missed[2]; /* index: enum kt_kprobe_kind: within another probe, or no free return instance */
static void **batch; /* room for the pointers of a batch unregistration: taken early, disarming must not fail */

/* ---- callees ---- */
/* Have the calls that the row asks for led to the hit at ADDRESS? At the entry of a function the stack's top tells the last
 * of them; the kernel's unwinder those before, and what a return probe has written its own address over. */
static __kprobes bool was_called(const struct kt_kprobe_row *row, struct pt_regs *regs, const kprobe_opcode_t *address)
{
	const struct kt_kprobe_call *c = row->calls;

	if (!c)
		return true;
	if (!row->offset) {
		bool known = false;

		for (; c->address || c->symbol; c++)
			known |= kt_call_returns_to(c, kt_arch_return_address(regs));
		if (!known && !kt_returns_are_hooked())
			return false;
		if (known && !c[1].address && !c[1].symbol)
			return true;
	}
	return kt_stack_matches(row->calls, (unsigned long)address);
}

/* ---- hits ---- */
/* Context: int3 (interrupts off, in_nmi), or ftrace and optimised probes (interrupts as the probed code had them). */
static __kprobes int hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct place *p = container_of(kp, struct place, rp.kp);
	unsigned long ip = instruction_pointer(regs);

	/* where a breakpoint is an instruction of its own, the registers say what is behind it */
	instruction_pointer_set(regs, p->ip);
	if (was_called(p->row, regs, kp->addr))
		kt_handle(p->probe, regs, KT_CTX_BREAKPOINT, NULL);
	instruction_pointer_set(regs, ip);
	return 0;
}

static struct kt_saved *saved_of(struct kt_ctx *c)
{
	if (c->flags & KT_CTX_EVENT)
		return ((const struct kt_event_hit *)c->instance)->saved;
	return c->flags & KT_CTX_SYSCALL ? ((const struct kt_hit *)c->instance)->saved : c->instance;
}

/* What the entry handler kept; NULL: SLOT has nothing, which is an error. */
static const struct kt_saved *saved_slot(struct kt_ctx *c, kt_s64 slot)
{
	const struct kt_saved *s = saved_of(c);

	if (s->set[slot / 64] >> slot % 64 & 1)
		return s;
	kt_error(c, "the value could not be read at the function's entry");
	return NULL;
}

/* Context: a handler's, of an entry or return probe: c->instance is its struct kt_saved. */
kt_s64 kt_fn___entry_value(struct kt_ctx *c, kt_s64 slot)
{
	const struct kt_saved *s = saved_slot(c, slot);

	return s ? s->slot[slot] : 0;
}

void kt_fn___entry_save(struct kt_ctx *c, kt_s64 slot, kt_s64 value)
{
	struct kt_saved *s = saved_of(c);

	s->set[slot / 64] |= 1ull << slot % 64;
	s->slot[slot] = value;
}

/* Texts begin behind the numbers: slot 0 tells where that is. */
static char *saved_text_of(const struct kt_saved *s, kt_s64 number)
{
	return (char *)(s->slot + s->slot[0]) + number * round_up(kt_script.string_max, sizeof(s64));
}

void kt_fn___entry_text(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 slot, kt_s64 number)
{
	const struct kt_saved *s = saved_slot(c, slot);

	if (s)
		kt_strcpy(ret, saved_text_of(s, number), size);
}

void kt_fn___entry_save_text(struct kt_ctx *c, kt_s64 slot, kt_s64 number, const char *value)
{
	kt_strcpy(saved_text_of(saved_of(c), number), value, kt_script.string_max);
	kt_fn___entry_save(c, slot, 0);
}

static __kprobes int returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct place *p;

	kt_return_begin(regs);
	if (unlikely(!rp)) /* it was unregistered while the function ran */
		return 0;
	p = container_of(rp, struct place, rp);
	if (!p->entry)
		kt_handle(p->probe, regs, KT_CTX_RETURN, NULL);
	else if (((struct kt_saved *)ri->data)->set[0])
		kt_handle(p->probe, regs, KT_CTX_RETURN, ri->data);
	return 0;
}

/* Counts and refuses a call by the code that hooked returns run. Context: a function's entry, preemption off. */
static __kprobes bool returns_in_return(const struct place *p, struct pt_regs *regs)
{
	unsigned long flags;
	bool found;

	raw_local_irq_save(flags);
	found = kt_in_return(kt_this_level(KT_CTX_BREAKPOINT), kernel_stack_pointer(regs));
	if (found)
		kt_lose(p->probe, KT_LOSS_RECURSION);
	raw_local_irq_restore(flags);
	return found;
}

/* A call whose entry handler was skipped (and counted) has no return handler either: it would print zeroes. */
static __kprobes int entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct place *p;

	if (unlikely(!rp))
		return 1;
	p = container_of(rp, struct place, rp);
	if (!was_called(p->row, regs, rp->kp.addr) || returns_in_return(p, regs))
		return 1;
	if (!p->entry)
		return 0;
	memset(ri->data, 0, rp->data_size);
	kt_handle(p->entry, regs, 0, ri->data);
	return !((struct kt_saved *)ri->data)->set[0];
}

/* Beginnings of names that the kernel would let us probe and that we do not: arming and disarming run them while the text
 * is half patched. With probes on them and on two hundred functions at random, 6.12 jumped to address 0 in
 * _raw_spin_unlock() after some rounds. */
static const char *const denied[] = {
	"_raw_spin_", "_raw_read_", "_raw_write_", "__raw_spin_", "queued_spin_",     /* locks of what follows */
	"memcpy", "memset", "memmove", "__memcpy", "__memset", "__memmove",           /* copy instructions */
	"text_poke", "__text_poke", "smp_text_poke", "set_memory_", "__free_insn_slot", "__get_insn_slot",
	"ftrace_", "__ftrace_", "__fentry__", "arch_ftrace_", "kprobe_", "kprobes_", "__kprobe_",
	"register_kprobe", "register_kretprobe", "unregister_kprobe", "unregister_kretprobe",
	/* The end of optimized_callback() may call these: the jump on one of them led to the next one without end on a preemptible
	 * 6.1. The return trampoline calls preempt_schedule_notrace() likewise. */
	"preempt_schedule",
	"irq_work_", "arch_irq_work_",                                                /* how a handler wakes its reader */
	/* What every return and indirect call jumps through, those of the breakpoint's own handler too. The kernel's list lacks
	 * them. Where such code is the last before a gap, register_kprobe() takes the megabyte of the gap for its function and
	 * decodes it to see whether a jump can replace the breakpoint: on an emulated CPU minutes without rescheduling. */
	"srso_", "retbleed_", "its_return_thunk", "entry_untrain_ret", "call_depth_return_thunk", "__x86_return_thunk",
	"__x86_indirect_",
	"lockdep_hardirqs_on_prepare", /* run by the way out of every breakpoint, its own too, without end */
	/* Trampolines that the kernel rewrites, breakpoint or not; letting go would then write back what was there before. */
	"__SCT__",
	NULL,
};

/* Functions whose returns are not hooked: hooking any return calls them, or the code that runs at a hooked return calls them
 * before the handler. Calls after the handler need no names, see kt_in_return(). */
static const char *const denied_returns[] = {
	"rcu_is_watching", /* rethook_try_get() calls it, so every hook of a return would hook another */
	/* Lockdep checks rcu_dereference() in the code of hooked returns with them. */
	"rcu_read_lock_any_held", "rcu_read_lock_held_common", "rcu_lockdep_current_cpu_online", "debug_lockdep_rcu_enabled",
	"lock_is_held_type",
	NULL,
};

static bool is_denied_return(const char *function)
{
	for (const char *const *name = denied_returns; *name; name++)
		if (!strcmp(function, *name))
			return true;
	return kt_arch_changes_task(function);
}

/* Our own text is refused too: a handler that probes itself would only ever count recursion. */
static bool is_denied(const struct kt_kprobe_row *row)
{
	if (row->module)
		return !strcmp(row->module, THIS_MODULE->name);
	if (row->kind == KT_KPROBE_RETURN && row->symbol && is_denied_return(row->symbol))
		return true;
	for (const char *const *name = denied; row->symbol && *name; name++)
		if (!strncmp(row->symbol, *name, strlen(*name)))
			return true;
	return false;
}

static bool is_function(const struct kt_kprobe_row *row)
{
	return !row->offset && !row->module && !row->absolute && !row->calls && !is_denied(row);
}

bool kt_kprobe_is_entry(const struct kt_kprobe_row *row)
{
	return row->kind == KT_KPROBE_AT && is_function(row);
}

bool kt_kprobe_is_return(const struct kt_kprobe_row *row)
{
	return row->kind == KT_KPROBE_RETURN && is_function(row);
}

size_t kt_kprobe_saved_size(const struct kt_kprobe_row *row)
{
	return row->entry_slots ? sizeof(struct kt_saved) + row->entry_slots * sizeof(s64) : 0;
}

/* Where the place is that kprobes have put at ADDRESS. What is before the first function of a module may not be mapped. */
static unsigned long place_ip(const struct kt_kprobe_row *row, unsigned long address)
{
	u32 before;

	if (row->offset || row->absolute || copy_from_kernel_nofault(&before, (const void *)(address - 4), sizeof(before)))
		return address;
	return kt_arch_function_start(address);
}

/* Tells KP where ROW is in its module. By name the kernel would look through all names of its own first: for the thousands of
 * functions of modules that are not loaded, minutes. */
static int find_in_module(struct kprobe *kp, const struct kt_kprobe_row *row)
{
	const char *colon = strchr(row->symbol, ':');
	unsigned long at;
	int err = kt_module_find_symbol(row->module, colon ? colon + 1 : row->symbol, &at);

	kp->offset = row->offset;
	if (at)
		kp->addr = (kprobe_opcode_t *)at;
	else
		kp->symbol_name = row->symbol; /* the kernel may know more, or says what is wrong */
	return err;
}

/* How many calls of one function there is room for, where its return is a kretprobe of its own that keeps SAVED bytes of each. */
static u32 default_calls(size_t saved)
{
	enum { CALLS_MAX = 1024, BYTES_MAX = 4 << 20 };
	size_t each = sizeof(struct kretprobe_instance) + saved + nr_cpu_ids * sizeof(void *);

	return max3(15u, 6 * num_possible_cpus(), min_t(u32, CALLS_MAX, BYTES_MAX / each / max(n_kretprobes, 1u)));
}

static int place_arm(struct place *p)
{
	const struct kt_kprobe_row *row = p->row;
	struct kprobe *kp = &p->rp.kp;

	if (is_denied(row))
		return -EPERM;
	if (row->absolute) {
		kp->addr = (kprobe_opcode_t *)(unsigned long)row->address;
	} else if (row->address) {
		kp->addr = (kprobe_opcode_t *)(unsigned long)kt_relocate(row->address);
	} else if (row->module) {
		int err = find_in_module(kp, row);

		if (err)
			return err;
	} else {
		kp->symbol_name = row->symbol;
		kp->offset = row->offset;
	}
	kp->flags = KPROBE_FLAG_DISABLED; /* place_switch() ends that */
	p->on = false;
	if (row->kind == KT_KPROBE_AT) {
		int err;

		kp->pre_handler = hit;
		err = register_kprobe(kp); /* switched off: no hit yet */
		if (!err)
			p->ip = place_ip(row, (unsigned long)kp->addr);
		return err;
	}
	p->rp.handler = returned;
	p->rp.entry_handler = entered;
	if (row->entry_slots)
		p->entry = &kt_script.probes[row->entry_probe];
	p->rp.data_size = kt_kprobe_saved_size(row);
	p->rp.maxactive = (int)(row->maxactive ? row->maxactive : default_calls(p->rp.data_size));
	return register_kretprobe(&p->rp);
}

/* Switches P's breakpoint as its condition says; 0 or -errno. Context: places_lock is held. */
static int place_switch(struct place *p)
{
	bool on = !kt_probe_off(p->row->probe);
	int err = 0;

	if (p->armed && on != p->on)
		err = on ? enable_kprobe(&p->rp.kp) : disable_kprobe(&p->rp.kp);
	if (!err)
		p->on = on;
	return err;
}

/* The kernel symbol NAME's address, 0: none. The lookup is not exported, but a kprobe that is refused has done it.
 * Context: places_lock is held. */
static unsigned long symbol_address(const char *name)
{
	static struct kprobe kp;

	kp = (struct kprobe){ .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	if (!register_kprobe(&kp))
		unregister_kprobe(&kp);
	return (unsigned long)kp.addr;
}

/* Is ADDRESS in the kernel's __init code, which is freed after boot? Its names stay. Context: places_lock is held. */
static bool is_freed(unsigned long address)
{
	static unsigned long start, end;

	if (!start) {
		start = symbol_address("_sinittext");
		end = symbol_address("_einittext");
	}
	return address >= start && address < end;
}

/* Registers P, switched off, and keeps the session's account of it. Context: places_lock is held. */
static void place_try(struct place *p)
{
	int err = place_arm(p);

	p->armed = !err;
	if (!err)
		kt_run.armed++;
	p->waits = err == -ENOENT && p->row->module;
	if (err == -EINVAL && !p->row->module && is_freed((unsigned long)p->rp.kp.addr))
		err = -ESTALE;
	if (err)
		kt_run_refused(p->row->probe, p->waits ? -EAGAIN : err);
}

/* Context: places_lock is held. The kernel has no more use for the probes of a module that goes. */
static void place_release(struct place *p)
{
	if (p->row->kind == KT_KPROBE_AT)
		unregister_kprobe(&p->rp.kp);
	else
		unregister_kretprobe(&p->rp);
	p->missed[KT_KPROBE_AT] += p->rp.kp.nmissed;
	p->missed[KT_KPROBE_RETURN] += p->rp.nmissed;
	/* Registering wants it as new. */
	memset(&p->rp, 0, sizeof(p->rp));
	p->armed = p->on = false;
	kt_run.armed--;
}

/* Switches on what place_try() has registered. Context: places_lock is held. */
static void place_start(struct place *p)
{
	int err = place_switch(p);

	if (!err)
		return;
	place_release(p);
	kt_run_refused(p->row->probe, err);
}

/* Symbols of a module are there, and its text can be patched, from COMING on: before its init function runs. */
static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	if (event != MODULE_STATE_COMING && event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&places_lock);
	for (u32 i = 0; i < n_places; i++) {
		struct place *p = &places[i];

		if (!p->row || !p->row->module || strcmp(p->row->module, mod->name))
			continue;
		if (event == MODULE_STATE_GOING && p->armed) {
			place_release(p);
		} else if (event == MODULE_STATE_COMING && !p->armed) {
			if (p->waits) {
				kt_run.refused--;
				kt_run.probes[p->row->probe].error = 0;
			}
			memset(&p->rp, 0, sizeof(p->rp));
			place_try(p);
			place_start(p);
		}
	}
	mutex_unlock(&places_lock);
	return NOTIFY_OK;
}

static bool has_modules; /* the notifier is registered */
static struct notifier_block module_notifier = { .notifier_call = module_event };

/* Modules that come or go from now on are heard of. Those events wait while places are tried. */
static void watch_modules(const struct kt_kprobe_row *row, u32 n)
{
	has_modules = false;
	for (u32 i = 0; i < n; i++)
		has_modules |= row[i].module != NULL;
	if (has_modules && register_module_notifier(&module_notifier))
		has_modules = false;
}

static void tables_free(void)
{
	kvfree(places);
	kvfree(batch);
	places = NULL;
	batch = NULL;
}

/* Tries the places that are not TAKEN: those without an address in AT, or with FOR_FTRACE the others. Registering one takes the
 * kernel milliseconds: it decodes the instructions at all of its jump labels. Context: places_lock is held. */
static void places_try(const unsigned long *at, const bool *taken, bool for_ftrace)
{
	for (u32 i = 0; i < n_places && kt_run_starts(); i++) {
		if ((at && at[i]) != for_ftrace || taken[i])
			continue;
		place_try(&places[i]);
		cond_resched();
	}
}

static int kprobe_arm(const struct kt_family_rows *rows)
{
	const struct kt_kprobe_row *row = rows->rows;
	bool *taken = kvcalloc(rows->n, sizeof(*taken), GFP_KERNEL);
	unsigned long *at;

	places = kvcalloc(rows->n, sizeof(*places), GFP_KERNEL);
	batch = kvcalloc(rows->n, sizeof(*batch), GFP_KERNEL);
	if (!taken || !places || !batch) {
		kvfree(taken);
		tables_free();
		return -ENOMEM;
	}
	for (u32 i = 0; i < rows->n; i++) {
		places[i].row = &row[i];
		places[i].probe = &kt_script.probes[row[i].probe];
	}
	at = kt_ftrace_addresses(row, rows->n);
	watch_modules(row, rows->n);
	mutex_lock(&places_lock);
	n_places = rows->n;
	n_kretprobes = 0;
	for (u32 i = 0; i < rows->n; i++)
		n_kretprobes += row[i].kind == KT_KPROBE_RETURN && !(at && at[i]);
	/* What ftrace cannot take comes first: once ftrace calls us, each function that registering runs, millions of them, is a
	 * hit on the way when those are among the probed. */
	places_try(at, taken, false);
	if (at && kt_run_starts())
		kt_ftrace_arm(row, at, rows->n, taken);
	for (u32 i = 0; i < rows->n; i++)
		kt_run.armed += taken[i];
	places_try(at, taken, true);
	kvfree(at);
	/* Registering takes milliseconds each, and the lock that the kernel's jump optimiser holds while it waits for all
	 * tasks. It starts soon after the first place is on. So that is done last, and quickly. */
	for (u32 i = 0; i < n_places && kt_run_starts(); i++) {
		place_start(&places[i]);
		cond_resched();
	}
	mutex_unlock(&places_lock);
	kvfree(taken);
	return 0;
}

/* Puts the armed places of KIND in batch; how many. */
static u32 collect(enum kt_kprobe_kind kind)
{
	u32 n = 0;

	for (u32 i = 0; i < n_places; i++)
		if (places[i].armed && places[i].row->kind == kind)
			batch[n++] = kind == KT_KPROBE_AT ? (void *)&places[i].rp.kp : (void *)&places[i].rp;
	return n;
}

/* Sets what the kernel has counted as missed, in the session's table and the sums here, which outlive the places. */
static void recount(void)
{
	if (!places)
		return;
	missed[KT_KPROBE_AT] = missed[KT_KPROBE_RETURN] = 0;
	for (u32 i = 0; i < n_places; i++) {
		u64 *lost = kt_run.probes[places[i].row->probe].lost;

		lost[KT_LOSS_KPROBE] = lost[KT_LOSS_RETURN] = 0;
	}
	for (u32 i = 0; i < n_places; i++) {
		const struct place *p = &places[i];
		u64 *lost = kt_run.probes[p->row->probe].lost;
		u64 hits = p->rp.kp.nmissed + p->missed[KT_KPROBE_AT];
		u64 calls = p->rp.nmissed + p->missed[KT_KPROBE_RETURN];

		lost[KT_LOSS_KPROBE] += hits;
		lost[KT_LOSS_RETURN] += calls;
		missed[KT_KPROBE_AT] += hits;
		missed[KT_KPROBE_RETURN] += calls;
	}
}

static void kprobe_count(struct kt_status *s)
{
	recount();
	s->lost[KT_LOSS_KPROBE] += missed[KT_KPROBE_AT];
	s->lost[KT_LOSS_RETURN] += missed[KT_KPROBE_RETURN];
}

/* Places stay registered: what their conditions switch is the breakpoint. */
static void kprobe_update(void)
{
	kt_ftrace_update();
	mutex_lock(&places_lock);
	for (u32 i = 0; i < n_places; i++) {
		/* One that cannot be switched stays as it is, and its handler tests the condition. */
		place_switch(&places[i]);
		cond_resched();
	}
	mutex_unlock(&places_lock);
}

void kt_kretprobes_release(struct kretprobe **rps, u32 n)
{
	if (!n)
		return;
	for (u32 i = 0; i < n; i++) {
		disable_kretprobe(rps[i]);
		cond_resched();
	}
	synchronize_rcu();
	unregister_kretprobes(rps, (int)n);
}

static void kprobe_disarm(void)
{
	kt_ftrace_disarm();
	if (has_modules)
		unregister_module_notifier(&module_notifier);
	has_modules = false;
	unregister_kprobes((struct kprobe **)batch, (int)collect(KT_KPROBE_AT));
	kt_kretprobes_release((struct kretprobe **)batch, collect(KT_KPROBE_RETURN));
	recount();
	n_places = 0;
	tables_free();
}

const struct kt_family_ops kt_kprobe_family = {
	.arm = kprobe_arm,
	.disarm = kprobe_disarm,
	.update = kprobe_update,
	.count = kprobe_count,
};
