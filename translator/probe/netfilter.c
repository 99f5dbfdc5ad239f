/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family netfilter: packets at the hooks of the kernel's firewall.
 *
 *	netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")[.priority("NF_IP_PRI_FIRST")]    hook and pf in either order
 *
 * The variables are what a hook function is called with; $verdict is what it returns, which -g may change.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "translator/probe/context.h"
#include "translator/probe/probe.h"

enum variant { HOOK_FIRST, PF_FIRST };

static const struct probe_pattern patterns[] = {
	{ "netfilter.hook(string).pf(string)", HOOK_FIRST },
	{ "netfilter.hook(string).pf(string).priority(string)", HOOK_FIRST },
	{ "netfilter.pf(string).hook(string)", PF_FIRST },
	{ "netfilter.pf(string).hook(string).priority(string)", PF_FIRST },
	{ NULL, 0 },
};

struct netfilter {
	struct context_place cp;
	int hook, pf, priority;
};

/* ---- names of <linux/netfilter*.h>, which are part of the kernel's ABI ---- */
struct constant {
	const char *name;
	int value;
};

enum { PF_IPV4 = 2, PF_ARP = 3, PF_BRIDGE_ = 7, PF_IPV6 = 10 };

static const struct constant protocols[] = {
	{ "NFPROTO_IPV4", PF_IPV4 }, { "NFPROTO_IPV6", PF_IPV6 }, { "NFPROTO_ARP", PF_ARP },
	{ "NFPROTO_BRIDGE", PF_BRIDGE_ }, { "PF_INET", PF_IPV4 }, { "PF_INET6", PF_IPV6 },
	{ "PF_BRIDGE", PF_BRIDGE_ }, { NULL, 0 },
};

#define FIVE_HOOKS(prefix)                                                              \
	{ prefix "PRE_ROUTING", 0 }, { prefix "LOCAL_IN", 1 }, { prefix "FORWARD", 2 }, \
	{ prefix "LOCAL_OUT", 3 }, { prefix "POST_ROUTING", 4 }

static const struct constant hooks_ipv4[] = { FIVE_HOOKS("NF_INET_"), FIVE_HOOKS("NF_IP_"), { NULL, 0 } };
static const struct constant hooks_ipv6[] = { FIVE_HOOKS("NF_INET_"), FIVE_HOOKS("NF_IP6_"), { NULL, 0 } };
static const struct constant hooks_bridge[] = { FIVE_HOOKS("NF_BR_"), { "NF_BR_BROUTING", 5 }, { NULL, 0 } };
static const struct constant hooks_arp[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, { NULL, 0 },
};

#define PRIORITIES(prefix)                                                                              \
	{ prefix "FIRST", INT_MIN }, { prefix "RAW_BEFORE_DEFRAG", -450 }, { prefix "CONNTRACK_DEFRAG", -400 }, \
	{ prefix "RAW", -300 }, { prefix "SELINUX_FIRST", -225 }, { prefix "CONNTRACK", -200 },         \
	{ prefix "MANGLE", -150 }, { prefix "NAT_DST", -100 }, { prefix "FILTER", 0 },                  \
	{ prefix "SECURITY", 50 }, { prefix "NAT_SRC", 100 }, { prefix "SELINUX_LAST", 225 },           \
	{ prefix "CONNTRACK_HELPER", 300 }, { prefix "LAST", INT_MAX }

static const struct constant priorities[] = { PRIORITIES("NF_IP_PRI_"), PRIORITIES("NF_IP6_PRI_"), { NULL, 0 } };

static const struct constant *hooks_of(int pf)
{
	switch (pf) {
	case PF_IPV4: return hooks_ipv4;
	case PF_IPV6: return hooks_ipv6;
	case PF_ARP: return hooks_arp;
	}
	return hooks_bridge;
}

/* The value of a name, or of a number where NUMBERS may stand. False: reported. */
static bool look_up(const struct node *arg, const struct constant *table, const char *what, bool numbers, int *ret)
{
	struct nearest near = { .word = arg->text };
	char *end;
	long n;

	for (const struct constant *c = table; c->name; c++) {
		nearest_add(&near, c->name);
		if (!strcmp(c->name, arg->text)) {
			*ret = c->value;
			return true;
		}
	}
	n = strtol(arg->text, &end, 0);
	if (numbers && end != arg->text && !*end && n >= INT_MIN && n <= INT_MAX) {
		*ret = (int)n;
		return true;
	}
	error(arg->loc, DIAG_PROBE_ARG, "'%s' is no %s", arg->text, what);
	if (nearest_get(&near))
		note(arg->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(arg->loc, "for example \"%s\"", table->name);
	return false;
}

/* ---- variables ---- */
static const struct ctype number_type = { .kind = CT_INT, .name = "long", .size = 8, .is_signed = true };

static struct variable *new_variable(struct variable *next, enum kt_netfilter_word word, const char *name,
				     const struct ctype *type)
{
	struct variable *v = arena_new(&program_arena, struct variable);

	v->name = name;
	v->type = type;
	v->parameter = true;
	v->location = (struct location){ .kind = LOC_ARGUMENT, .reg = word };
	v->next = next;
	return v;
}

/* The variables; where the kernel's types are not known, as numbers. */
static const struct variable *variables(struct target *t)
{
	const struct ctype *skb = t ? target_type(t, "struct sk_buff") : NULL;
	struct member packet = { .type = &number_type }, device = { .type = &number_type };
	struct variable *v = NULL;

	if (skb && (!ctype_member(skb, "next", &packet) || !ctype_member(skb, "dev", &device)))
		packet.type = device.type = &number_type;
	v = new_variable(v, KT_NETFILTER_VERDICT, "verdict", &number_type);
	v = new_variable(v, KT_NETFILTER_OKFN, "okfn", &number_type);
	v = new_variable(v, KT_NETFILTER_OUT, "out", device.type);
	v = new_variable(v, KT_NETFILTER_IN, "in", device.type);
	v = new_variable(v, KT_NETFILTER_SKB, "skb", packet.type);
	return new_variable(v, KT_NETFILTER_HOOKNUM, "hooknum", &number_type);
}

/* The types are looked up when the first variable is used: a probe without needs none. */
static bool know_variables(struct program *p, struct netfilter *nf)
{
	if (!nf->cp.target)
		nf->cp.target = context_kernel(p);
	if (nf->cp.target && !nf->cp.arguments)
		nf->cp.arguments = variables(nf->cp.target);
	return nf->cp.target;
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	struct netfilter *nf = pr->data;

	if ((*np)->kind == ND_ENTRY)
		return error((*np)->loc, DIAG_TARGET_VAR, "@entry exists in return probes only");
	return know_variables(p, nf) && context_variable(p, &nf->cp, np, asked);
}

static bool assign(struct program *p, struct probe *pr, struct node **np)
{
	struct node *n = *np, *set;

	if (n->kid[0]->kind != ND_TARGET || strcmp(n->kid[0]->name, "$verdict"))
		return error(n->loc, DIAG_TARGET_VAR, "of a netfilter probe's variables only $verdict can be assigned to");
	if (n->op != OP_ASSIGN)
		return error(n->loc, DIAG_TARGET_VAR, "$verdict is assigned to with '=' alone");
	if (!p->language.guru) {
		error(n->loc, DIAG_GURU, "writing to $verdict needs -g");
		note(n->loc, "it decides what becomes of the packet");
		return false;
	}
	set = node_own_call("__netfilter_set_verdict", n->loc);
	set->list = n->kid[1];
	*np = set;
	return true;
}

static void list_variables(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	static const struct {
		const char *name, *type;
	} all[] = {
		{ "hooknum", "long" }, { "skb", "struct sk_buff*" }, { "in", "struct net_device*" },
		{ "out", "struct net_device*" }, { "okfn", "long" }, { "verdict", "long" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		fn(all[i].name, all[i].type, data);
}

/* ---- resolving ---- */
static bool resolve(struct resolve *r)
{
	bool hook_first = r->pattern->id == HOOK_FIRST;
	const struct node *hook = probe_arg(r->point, hook_first ? 1 : 2), *pf = probe_arg(r->point, hook_first ? 2 : 1);
	const struct node *priority = probe_arg(r->point, 3);
	struct netfilter *nf = arena_new(&program_arena, struct netfilter);
	struct place *place = arena_new(&program_arena, struct place);

	if (!look_up(pf, protocols, "protocol family", false, &nf->pf) ||
	    !look_up(hook, hooks_of(nf->pf), "hook of this protocol family", false, &nf->hook) ||
	    (priority && !look_up(priority, priorities, "priority", true, &nf->priority)))
		return false;
	place->func = "a netfilter hook";
	nf->cp = (struct context_place){ .place = place, .is_tracepoint = true };
	probe_add(r, &probe_family_netfilter, probe_point_text(r->point), nf);
	return true;
}

/* ---- output ---- */
static void emit_row(struct text *t, const struct probe *pr)
{
	const struct netfilter *nf = pr->data;

	/* INT_MIN cannot be written in decimal. */
	text_printf(t, "{ .probe = %d, .pf = %d, .hook = %d, .priority = (int)%#xU },", pr->index, nf->pf, nf->hook,
		    (unsigned)nf->priority);
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct netfilter *nf = pr->data;

	text_printf(t, "hook %d of protocol family %d, priority %d", nf->hook, nf->pf, nf->priority);
}

const struct probe_family probe_family_netfilter = {
	.name = "netfilter",
	.id = KT_FAMILY_NETFILTER,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.assign = assign,
	.emit_row = emit_row,
	.describe = describe,
	.list_variables = list_variables,
};
