/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes in the kernel's text by kprobe, and at the return of functions by kretprobe. Entries and returns of functions go to
 * ftrace.c first; the ones that it cannot take come back.
 *
 * Places are registered one by one, so that one that the kernel refuses (its own list of forbidden functions, an
 * unsuitable instruction) does not take the others with it; they are let go in one batch, which waits for running
 * handlers once.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "runtime/fn.h"
#include "runtime/kit/function.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"
#include "runtime/kit/syscall.h"

struct kprobe_place {
	struct kt_place place;
	struct kretprobe rp; /* rp.kp serves plain probes too */
	const struct kt_probe *entry; /* return probes: what fills struct kt_saved, or NULL */
	unsigned long ip;    /* what addr() says */
	u32 flags;           /* of its hits: KT_CTX_ENTRY, or 0 */
	u64 missed;          /* by the kernel's count, before the module was last unloaded */
	bool by_ftrace;      /* ftrace is tried first */
};

static u32 n_kretprobes; /* rows whose return is hooked by a kretprobe of their own */
static unsigned long *ftrace_at; /* addresses for ftrace, by row; NULL: it serves none */
static void **batch; /* space for the pointers of a batch unregistration: taken early, disarming must not fail */

unsigned long kt_return_hook, kt_graph_hook, kt_graph_lookup;

/* ---- callees ---- */
/* Have the calls that the row asks for led to the hit at ADDRESS? At the entry of a function the top of the stack is the last
 * of them; the kernel's unwinder those before, and what a return probe has written its own address over. */
static __kprobes bool was_called(const struct kt_kprobe_row *row, struct pt_regs *regs, const kprobe_opcode_t *address)
{
	const struct kt_kprobe_call *c = row->calls;

	if (!c)
		return true;
	if (!row->offset) {
		unsigned long to = kt_arch_unhooked(kt_arch_return_address(regs), kernel_stack_pointer(regs));
		bool known = false;

		for (; c->address || c->symbol; c++)
			known |= kt_call_returns_to(c, to);
		if (!known && !kt_returns_are_hooked())
			return false;
		if (known && !c[1].address && !c[1].symbol)
			return true;
	}
	return kt_stack_matches(row->calls, regs, (unsigned long)address, !row->offset);
}

/* ---- hits ---- */
/* Context: int3 (interrupts off, in_nmi), or ftrace and optimised probes (interrupts as the probed code had them). */
static __kprobes int hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kprobe_place *p = container_of(kp, struct kprobe_place, rp.kp);
	unsigned long ip = instruction_pointer(regs);

	/* on x86 a breakpoint leaves the registers at the instruction after it */
	instruction_pointer_set(regs, p->ip);
	if (was_called(p->place.row, regs, kp->addr))
		kt_handle(p->place.probe, regs, KT_CTX_BREAKPOINT | p->flags, NULL);
	instruction_pointer_set(regs, ip);
	return 0;
}

/* The kernel's own handler of kretprobes. */
static kprobe_pre_handler_t hook_return;

/* Has a call led here? Not to a label in assembler that is jumped to: hooking would overwrite what lies on the stack there. */
static __kprobes bool is_called(struct pt_regs *regs)
{
	unsigned long to = kt_arch_return_address(regs);

	return to && (to == kt_return_hook || to == kt_graph_hook || kt_arch_is_behind_call(to));
}

/* Replaces the kernel's handler: hooks the return, or counts it as lost where hooking is unsafe or no instance is free. The kernel's own
 * count of the latter, rp->nmissed, loses some when CPUs increment it at once. The kernel runs one kprobe at a time on a CPU, so nothing
 * changes kt_cpu.hooking between these lines but entered(), which it calls with the instance. After the session it may have freed what hooking
 * needs, and still call this: see kt_places_stay(). Context: as of hit(). */
static __kprobes int hit_call(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kt_probe *probe = container_of(kp, struct kprobe_place, rp.kp)->place.probe;
	int ret;

	if (unlikely(kt_run_state() > KT_RUNNING))
		return 0;
	if (!kt_can_hook() || !is_called(regs)) {
		kt_lose(probe, KT_LOSS_HOOK);
		return 0;
	}
	raw_cpu_write(kt_cpus->hooking, true);
	ret = hook_return(kp, regs);
	if (unlikely(raw_cpu_read(kt_cpus->hooking)))
		kt_lose(probe, KT_LOSS_RETURN);
	return ret;
}

static struct kt_saved *saved_of(struct kt_ctx *c)
{
	if (c->flags & KT_CTX_EVENT)
		return ((const struct kt_event_hit *)c->instance)->saved;
	return c->flags & KT_CTX_SYSCALL ? ((const struct kt_hit *)c->instance)->saved : c->instance;
}

/* Returns the value that the entry handler kept; NULL, an error, when SLOT has none. */
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

/* Strings begin after the numbers, at the offset in slot 0. */
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
	struct kretprobe *rp = kt_kretprobe_of(ri);
	struct kprobe_place *p;

	kt_return_begin(regs);
	if (unlikely(!rp)) /* it was unregistered while the function ran */
		return 0;
	p = container_of(rp, struct kprobe_place, rp);
	if (!p->entry)
		kt_handle(p->place.probe, regs, KT_CTX_RETURN, NULL);
	else if (((struct kt_saved *)ri->data)->set[0])
		kt_handle(p->place.probe, regs, KT_CTX_RETURN, ri->data);
	return 0;
}

/* Counts and refuses a call by the code that hooked returns run. Context: a function's entry, preemption off. */
static __kprobes bool returns_in_return(const struct kprobe_place *p, struct pt_regs *regs)
{
	unsigned long flags;
	bool found;

	raw_local_irq_save(flags);
	found = kt_in_return(kt_this_level(KT_CTX_BREAKPOINT), regs);
	if (found)
		kt_lose(p->place.probe, KT_LOSS_RECURSION);
	raw_local_irq_restore(flags);
	return found;
}

/* A call whose entry handler was skipped (and counted) has no return handler either: it would print zeroes. */
static __kprobes int entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = kt_kretprobe_of(ri);
	struct kprobe_place *p;

	raw_cpu_write(kt_cpus->hooking, false);
	if (unlikely(!rp))
		return 1;
	p = container_of(rp, struct kprobe_place, rp);
	if (!was_called(p->place.row, regs, rp->kp.addr) || returns_in_return(p, regs))
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
	/* Thunks of every return and indirect call, including those of the breakpoint's own handler. The kernel's list lacks
	 * them. Where such code is the last before a gap, register_kprobe() takes the megabyte of the gap for its function and
	 * decodes it to see whether a jump can replace the breakpoint: on an emulated CPU minutes without rescheduling. */
	"srso_", "retbleed_", "its_return_thunk", "entry_untrain_ret", "call_depth_return_thunk", "__x86_return_thunk",
	"__x86_indirect_",
	"lockdep_hardirqs_on_prepare", /* run by the way out of every breakpoint, its own too, without end */
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

/* Functions in which the idle task ends. From Linux 6.7 on a hooked return keeps all instances of its pool, up to 32 MB. */
static const char *const endless[] = {
	"cpu_startup_entry", "arch_cpu_idle_dead", "play_dead", "play_dead_common", "native_play_dead", "hlt_play_dead", "mwait_play_dead",
	"cpuidle_play_dead", "acpi_idle_play_dead", "cpu_die", "cpu_psci_cpu_die", NULL,
};

/* Is FUNCTION one of kt_arch_fragile, or a part or copy that the compiler made of one, "cr4_set_bits.constprop.0"? */
static bool is_fragile(const char *function)
{
	size_t length = strcspn(function, ".");

	for (const char *const *name = kt_arch_fragile; *name; name++)
		if (!strncmp(function, *name, length) && !(*name)[length])
			return true;
	return false;
}

static bool is_one_of(const char *function, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(function, *names))
			return true;
	return false;
}

/* A trampoline that the kernel or a module calls in place of a pointer. The kernel rewrites it, and is stopped by BUG() when it
 * finds a breakpoint there: __static_call_validate(). register_kprobe() refuses the calls only. */
static bool is_static_call(const char *symbol)
{
	const char *colon = strchr(symbol, ':');

	return !strncmp(colon ? colon + 1 : symbol, "__SCT__", strlen("__SCT__"));
}

/* Our own text is refused too: a handler that probes itself would only ever count recursion. Returns 0 or an error. */
static int denial(const struct kt_kprobe_row *row)
{
	const char *symbol = kt_script.texts + row->symbol;

	if (is_static_call(symbol))
		return -ETXTBSY;
	if (row->kind == KT_KPROBE_RETURN && strstr(symbol, ".cold"))
		return -ENOEXEC;
	if (row->module)
		return strcmp(kt_script.texts + row->module, THIS_MODULE->name) ? 0 : -EPERM;
	if (row->kind == KT_KPROBE_RETURN && (is_one_of(symbol, denied_returns) || kt_arch_changes_task(symbol)))
		return -EPERM;
	if (row->kind == KT_KPROBE_RETURN && is_one_of(symbol, endless))
		return -ECANCELED;
	for (const char *const *name = denied; *name; name++)
		if (!strncmp(symbol, *name, strlen(*name)))
			return -EPERM;
	return is_fragile(symbol) ? -EACCES : 0;
}

static bool is_function(const struct kt_kprobe_row *row)
{
	return !row->offset && !row->module && !row->absolute && !row->calls && !denial(row);
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

/* Where the place is that kprobes have put at ADDRESS. */
static unsigned long place_ip(const struct kt_kprobe_row *row, unsigned long address)
{
	return row->offset || row->absolute ? address : kt_arch_function_start(address);
}

/* The kernel symbol NAME's address, 0: none. The lookup is not exported, but a kprobe that is refused has done it.
 * Context: the lock of the places is held. */
static unsigned long symbol_address(const char *name)
{
	static struct kprobe kp;

	kp = (struct kprobe){ .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	if (!register_kprobe(&kp))
		unregister_kprobe(&kp);
	return (unsigned long)kp.addr;
}

/* Looks up the code that hooked returns go to. Context: of symbol_address(). */
static void find_hooks(void)
{
	static const char *const names[] = { KT_RETURN_HOOK_NAMES };

	kt_graph_hook = symbol_address("return_to_handler");
	kt_graph_lookup = symbol_address("ftrace_graph_ret_addr");
	for (u32 i = 0; i < ARRAY_SIZE(names) && !kt_return_hook; i++)
		kt_return_hook = symbol_address(names[i]);
}

/* Some kernels know a function that ThinLTO renamed, "f.llvm.123", by the name f only. */
void kt_kprobe_set_symbol(struct kprobe *kp, const char *name)
{
	static char plain[KSYM_NAME_LEN];
	const char *suffix = strstr(name, ".llvm.");
	unsigned long at;

	kp->symbol_name = name;
	if (!suffix || symbol_address(name))
		return;
	strscpy(plain, name, min_t(size_t, sizeof(plain), suffix - name + 1));
	at = symbol_address(plain);
	if (!at)
		return;
	kp->symbol_name = NULL;
	kp->addr = (kprobe_opcode_t *)kt_arch_function_start(at);
}

/* Sets the address of ROW in KP. Given a name, the kernel would search its own symbols first, which takes minutes for the thousands
 * of functions of modules that are not loaded. */
static int find_in_module(struct kprobe *kp, const struct kt_kprobe_row *row)
{
	const char *symbol = kt_script.texts + row->symbol, *colon = strchr(symbol, ':');
	unsigned long at;
	int err = kt_module_find_symbol(kt_script.texts + row->module, colon ? colon + 1 : symbol, &at);

	kp->offset = row->offset;
	if (at)
		kp->addr = (kprobe_opcode_t *)at;
	else
		kp->symbol_name = symbol; /* the kernel may know more, or says what is wrong */
	return err;
}

/* Bytes that an instance takes which keeps SAVED bytes of a call. From Linux 6.7 on each CPU's ring has a place for it. */
static size_t instance_size(size_t saved)
{
	return sizeof(struct kretprobe_instance) + saved + nr_cpu_ids * sizeof(void *);
}

/* Returns the instances for each of n_kretprobes functions: CALLS_MIN at least, six a CPU if all fit into BYTES_ENOUGH, and CALLS_MAX if
 * they fit into BYTES_MAX. */
static u32 default_calls(size_t each)
{
	enum { CALLS_MIN = 15, CALLS_MAX = 1024, BYTES_MAX = 4 << 20, BYTES_ENOUGH = 64 << 20 };
	u32 n = max(n_kretprobes, 1u);
	u32 enough = min_t(u32, 6 * num_possible_cpus(), BYTES_ENOUGH / each / n);

	return max3((u32)CALLS_MIN, enough, min_t(u32, CALLS_MAX, BYTES_MAX / each / n));
}

static int place_register_return(struct kprobe_place *p)
{
	const struct kt_kprobe_row *row = p->place.row;
	struct kretprobe *rp = &p->rp;
	size_t each;
	int err;

	rp->handler = returned;
	rp->entry_handler = entered;
	if (row->entry_slots)
		p->entry = &kt_script.probes[row->entry_probe];
	rp->data_size = kt_kprobe_saved_size(row);
	each = instance_size(rp->data_size);
	rp->maxactive = (int)(row->maxactive ? row->maxactive : default_calls(each));
	if (!kt_memory_for((u64)rp->maxactive * each))
		return -ENOMEM;
	err = register_kretprobe(rp);
	if (!err) {
		hook_return = rp->kp.pre_handler;
		rp->kp.pre_handler = hit_call;
	}
	return err;
}

/* Registers P, switched off: no hit yet. */
static int place_register(struct kprobe_place *p)
{
	const struct kt_kprobe_row *row = p->place.row;
	struct kprobe *kp = &p->rp.kp;
	int err = denial(row);

	if (err)
		return err;
	if (row->absolute) {
		kp->addr = (kprobe_opcode_t *)(unsigned long)row->address;
	} else if (row->address) {
		kp->addr = (kprobe_opcode_t *)(unsigned long)kt_relocate(row->address);
	} else if (row->module) {
		err = find_in_module(kp, row);
		if (err)
			return err;
	} else {
		kt_kprobe_set_symbol(kp, kt_script.texts + row->symbol);
		kp->offset = row->offset;
	}
	kp->flags = KPROBE_FLAG_DISABLED;
	if (row->kind == KT_KPROBE_AT) {
		kp->pre_handler = hit;
		p->flags = row->offset || row->absolute ? 0 : KT_CTX_ENTRY;
		err = register_kprobe(kp);
		if (!err)
			p->ip = place_ip(row, (unsigned long)kp->addr);
		return err;
	}
	return place_register_return(p);
}

/* Is ADDRESS in the kernel's __init code, which is freed after boot? Its names stay. Context: the lock of the places is held. */
static bool is_freed(unsigned long address)
{
	static unsigned long start, end;

	if (!start) {
		start = symbol_address("_sinittext");
		end = symbol_address("_einittext");
	}
	return address >= start && address < end;
}

/* ---- places ---- */
static const char *kprobe_module(const struct kt_place *p)
{
	u32 module = ((const struct kt_kprobe_row *)p->row)->module;

	return module ? kt_script.texts + module : NULL;
}

/* Registering a place takes the kernel milliseconds: it decodes the instructions at all of its jump labels. So places are found
 * before the first one is attached. From then on the kernel's jump optimiser holds the lock that registering takes, while it waits
 * for all tasks. */
static int kprobe_find(struct kt_place *p, const struct module *mod)
{
	struct kprobe_place *k = KT_PLACE_AS(struct kprobe_place, p);
	int err;

	if (k->by_ftrace)
		return KT_PLACE_LATER;
	memset(&k->rp, 0, sizeof(k->rp)); /* registering wants it as new */
	err = place_register(k);
	if (err == -EINVAL && !kprobe_module(p) && is_freed((unsigned long)k->rp.kp.addr))
		err = -ESTALE;
	return err;
}

/* The kernel clears the address of a probe that it could not unregister, and keeps the probe in its table. */
static void check_unregistered(const struct kprobe *kp)
{
	if (unlikely(!kp->addr))
		kt_places_stay();
}

/* Keeps the misses of K, which was unregistered. */
static void keep_missed(struct kprobe_place *k)
{
	k->missed += k->rp.kp.nmissed;
	k->rp.kp.nmissed = 0;
}

static void kprobe_lose(struct kt_place *p)
{
	struct kprobe_place *k = KT_PLACE_AS(struct kprobe_place, p);

	if (((const struct kt_kprobe_row *)p->row)->kind == KT_KPROBE_AT)
		unregister_kprobe(&k->rp.kp);
	else
		unregister_kretprobe(&k->rp);
	check_unregistered(&k->rp.kp);
	keep_missed(k);
}

static int kprobe_attach(struct kt_place *p)
{
	return enable_kprobe(&KT_PLACE_AS(struct kprobe_place, p)->rp.kp);
}

static int kprobe_detach(struct kt_place *p)
{
	return disable_kprobe(&KT_PLACE_AS(struct kprobe_place, p)->rp.kp);
}

static int kprobe_prepare(struct kt_places *all)
{
	const struct kt_kprobe_row *row = kt_place_at(all, 0)->row;
	bool returns = false;

	batch = kvcalloc(all->n, sizeof(*batch), GFP_KERNEL);
	if (!batch)
		return -ENOMEM;
	ftrace_at = kt_ftrace_addresses(row, all->n);
	n_kretprobes = 0;
	for (u32 i = 0; i < all->n; i++) {
		struct kprobe_place *k = KT_PLACE_AS(struct kprobe_place, kt_place_at(all, i));

		k->by_ftrace = ftrace_at && ftrace_at[i];
		n_kretprobes += row[i].kind == KT_KPROBE_RETURN && !k->by_ftrace;
		returns |= row[i].kind == KT_KPROBE_RETURN;
	}
	if (KT_ARCH_UNHOOKS || returns)
		find_hooks();
	return returns ? kt_sleep_follow() : 0;
}

/* Once ftrace calls us, each function that registering a kprobe runs, millions of them, is a hit on the way when those are among
 * the probed. So what ftrace cannot take was found before. */
static int kprobe_attach_many(struct kt_places *all)
{
	bool *taken = kvcalloc(all->n, sizeof(*taken), GFP_KERNEL);

	if (!taken)
		return -ENOMEM;
	if (ftrace_at)
		kt_ftrace_arm(kt_place_at(all, 0)->row, ftrace_at, all->n, taken);
	for (u32 i = 0; i < all->n; i++) {
		struct kt_place *p = kt_place_at(all, i);

		if (KT_PLACE_AS(struct kprobe_place, p)->by_ftrace)
			kt_places_found(-1);
		KT_PLACE_AS(struct kprobe_place, p)->by_ftrace = false;
		if (taken[i])
			kt_place_taken(p);
	}
	kvfree(taken);
	return 0;
}

/* Puts the registered places of KIND in batch, those in MODULE or, if it is NULL, all. Returns how many. */
static u32 collect(const struct kt_places *all, enum kt_kprobe_kind kind, const char *module)
{
	u32 n = 0;

	for (u32 i = 0; i < all->n; i++) {
		struct kt_place *p = kt_place_at(all, i);
		struct kretprobe *rp = &KT_PLACE_AS(struct kprobe_place, p)->rp;

		if (kt_place_is_found(p) && ((const struct kt_kprobe_row *)p->row)->kind == kind &&
		    (!module || kt_place_is_in(all, p, module)))
			batch[n++] = kind == KT_KPROBE_AT ? (void *)&rp->kp : (void *)rp;
	}
	return n;
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
	for (u32 i = 0; i < n; i++)
		check_unregistered(&rps[i]->kp);
}

static void kprobe_count(const struct kt_place *p, u64 *lost)
{
	const struct kprobe_place *k = KT_PLACE_AS(struct kprobe_place, p);

	lost[KT_LOSS_KPROBE] += k->rp.kp.nmissed + k->missed;
}

/* One batch waits for running handlers once. */
static void kprobe_release(const struct kt_places *all, const char *module)
{
	u32 n = collect(all, KT_KPROBE_AT, module);

	unregister_kprobes((struct kprobe **)batch, (int)n);
	for (u32 i = 0; i < n; i++)
		check_unregistered(batch[i]);
	kt_kretprobes_release((struct kretprobe **)batch, collect(all, KT_KPROBE_RETURN, module));
}

/* The kernel has no more use for the probes of a module that goes. */
static void kprobe_lose_many(const struct kt_places *all, const char *module)
{
	kprobe_release(all, module);
	for (u32 i = 0; i < all->n; i++)
		if (kt_place_is_found(kt_place_at(all, i)) && kt_place_is_in(all, kt_place_at(all, i), module))
			keep_missed(KT_PLACE_AS(struct kprobe_place, kt_place_at(all, i)));
}

static void kprobe_detach_many(struct kt_places *all)
{
	kt_ftrace_disarm();
	kprobe_release(all, NULL);
}

static void kprobe_finish(struct kt_places *all)
{
	kt_sleep_unfollow();
	kvfree(ftrace_at);
	kvfree(batch);
	ftrace_at = NULL;
	batch = NULL;
}

const struct kt_family_ops kt_kprobe_family = {
	.size = sizeof(struct kprobe_place),
	.row_size = sizeof(struct kt_kprobe_row),
	.module = kprobe_module,
	.prepare = kprobe_prepare,
	.find = kprobe_find,
	.lose = kprobe_lose,
	.lose_many = kprobe_lose_many,
	.attach = kprobe_attach,
	.detach = kprobe_detach,
	.attach_many = kprobe_attach_many,
	.update_many = kt_ftrace_update,
	.detach_many = kprobe_detach_many,
	.finish = kprobe_finish,
	.count = kprobe_count,
};
