/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes on tracepoints of the kernel and of modules. Handlers get the arguments of the tracepoint.
 *
 * A tracepoint calls its probes with (data, ARGUMENTS). Our probe takes words instead of typed arguments. Both are the same where
 * integers and pointers are passed in registers and 8-byte stack slots, as on x86_64 and aarch64. The translator knows the word
 * and the width of each argument.
 *
 * A kernel with CONFIG_CFI checks the type of a probe when the tracepoint has more than one. There the tracepoint calls an empty
 * function of the right type, which the kernel has for each tracepoint. A kprobe on that function reads the arguments from the
 * registers and the stack.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/tracepoint.h>

#include "runtime/kit/compat.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"
#include "runtime/kit/services.h"

struct trace_place {
	struct kt_place place;
	struct tracepoint *tp; /* NULL: the kernel has none */
	void *hit;
	struct kprobe stub; /* on the empty function */
	u64 missed;         /* while it was attached before */
};

/* After `data`, five arguments are in registers on x86_64 and more on aarch64. */
enum { TRACE_WORDS_SHORT = 5 };

/* Context: any; the kernel keeps preemption off or holds an SRCU lock around it. */
static __kprobes void trace_hit_short(void *data, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
				      unsigned long a4)
{
	u64 words[] = { a0, a1, a2, a3, a4 };

	kt_handle(((const struct trace_place *)data)->place.probe, NULL, 0, words);
}

/* The caller's stack is read as far as the longest list of arguments goes, which is harmless where there are fewer. */
static __kprobes void trace_hit_long(void *data, unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3,
				     unsigned long a4, unsigned long a5, unsigned long a6, unsigned long a7,
				     unsigned long a8, unsigned long a9, unsigned long a10, unsigned long a11)
{
	u64 words[KT_TRACE_WORDS_MAX] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };

	kt_handle(((const struct trace_place *)data)->place.probe, NULL, 0, words);
}

/* Of a light probe: its handler reads no argument. */
static __kprobes void trace_hit_light(void *data)
{
	const struct kt_probe *probe = ((const struct trace_place *)data)->place.probe;

	if (!kt_handle_light(probe))
		kt_handle(probe, NULL, 0, NULL);
}

static const char *trace_module(const struct kt_place *p)
{
	return ((const struct kt_trace_row *)p->row)->module;
}

static int trace_find(struct kt_place *p, const struct module *mod)
{
	struct trace_place *t = KT_PLACE_AS(struct trace_place, p);
	const struct kt_trace_row *row = p->row;

	t->hit = row->words > TRACE_WORDS_SHORT ? (void *)trace_hit_long : (void *)trace_hit_short;
	if (p->probe->light)
		t->hit = (void *)trace_hit_light;
	if (!row->module)
		t->tp = kt_tracepoint(row->name);
	else if (mod && !KT_KNOWS_MODULE_TRACEPOINTS)
		return -ENOSYS;
	else if (mod && !t->tp)
		t->tp = kt_tracepoint_of_module(mod, row->name);
	return t->tp ? 0 : -ENOENT;
}

/* A module's tracepoints go with it. */
static void trace_lose(struct kt_place *p)
{
	KT_PLACE_AS(struct trace_place, p)->tp = NULL;
}

/* Returns argument N, from 0, of the function that REGS are at the entry of. */
static __kprobes u64 stub_argument(struct pt_regs *regs, u32 n)
{
	if (n < ARRAY_SIZE(kt_arch_arguments))
		return regs_get_register(regs, kt_arch_registers[kt_arch_arguments[n]]);
	return regs_get_kernel_stack_nth(regs, n - ARRAY_SIZE(kt_arch_arguments) + KT_ARCH_RETURN_WORDS);
}

/* The empty function is called once for each place that has the tracepoint, and for users of the tracepoint that are not ours.
 * The first argument says whom it is called for. Context: that of a kprobe. */
static __kprobes int stub_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct trace_place *t = container_of(kp, struct trace_place, stub);
	u64 words[KT_TRACE_WORDS_MAX];

	if (stub_argument(regs, 0) != (unsigned long)&t->place)
		return 0;
	for (u32 i = 0; i < KT_TRACE_WORDS_MAX; i++)
		words[i] = stub_argument(regs, i + 1);
	kt_handle(t->place.probe, NULL, KT_CTX_BREAKPOINT, words);
	return 0;
}

static int stub_attach(struct trace_place *t)
{
	if (!KT_CHECKS_TYPES)
		return 0;
	t->hit = kt_tracepoint_stub(t->tp);
	if (!t->hit)
		return -EOPNOTSUPP;
	if (kt_run.stays)
		return -EBUSY; /* the stub may still be in the kernel's table */
	t->stub = (struct kprobe){ .addr = (kprobe_opcode_t *)t->hit, .pre_handler = stub_hit };
	return register_kprobe(&t->stub);
}

static void stub_detach(struct trace_place *t)
{
	if (!KT_CHECKS_TYPES)
		return;
	unregister_kprobe(&t->stub);
	if (!t->stub.addr)
		kt_places_stay(); /* as in kprobe.c */
	t->missed += t->stub.nmissed;
	t->stub.nmissed = 0;
}

static void trace_count(const struct kt_place *p, u64 *lost)
{
	const struct trace_place *t = KT_PLACE_AS(struct trace_place, p);

	lost[KT_LOSS_KPROBE] += t->stub.nmissed + t->missed;
}

static int trace_attach(struct kt_place *p)
{
	struct trace_place *t = KT_PLACE_AS(struct trace_place, p);
	int err = stub_attach(t);

	if (err)
		return err;
	err = tracepoint_probe_register(t->tp, t->hit, p);
	if (err)
		stub_detach(t);
	return err;
}

static int trace_detach(struct kt_place *p)
{
	struct trace_place *t = KT_PLACE_AS(struct trace_place, p);

	tracepoint_probe_unregister(t->tp, t->hit, p);
	stub_detach(t);
	return 0;
}

/* A call that was under way when its probe went may still be in our text. */
static void trace_finish(struct kt_places *all)
{
	tracepoint_synchronize_unregister();
}

const struct kt_family_ops kt_trace_family = {
	.size = sizeof(struct trace_place),
	.row_size = sizeof(struct kt_trace_row),
	.module = trace_module,
	.tracepoints = true,
	.find = trace_find,
	.lose = trace_lose,
	.attach = trace_attach,
	.detach = trace_detach,
	.count = trace_count,
	.finish = trace_finish,
};
