/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes netfilter.*: hook functions of every network namespace, those made later included. A packet goes on as if we were
 * not there, unless the handler set another verdict.
 */
#include <linux/bitmap.h>
#include <linux/mutex.h>
#include <linux/netfilter.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "runtime/kit/fn.h"
#include "runtime/kit/kit.h"

struct netfilter_place {
	struct nf_hook_ops ops;
	const struct kt_probe *probe;
	u32 row_probe;
	bool on;
	int err; /* why it is in no hooks: what the first namespace said */
};

static struct netfilter_place *netfilter_places;
static u32 n_netfilter_places;

/* A namespace, and which places are in its hooks: one that could not be must not be taken out. */
struct netfilter_net {
	struct list_head list;
	struct net *net;
	unsigned long places[];
};

static LIST_HEAD(netfilter_nets);
static DEFINE_MUTEX(netfilter_mutex); /* netfilter_nets, and what is in the hooks */
static bool netfilter_watches;

/* Context: a softirq or a task that sends, under rcu_read_lock(). */
static __kprobes unsigned int netfilter_hit(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	const struct netfilter_place *p = priv;
	u64 words[KT_NETFILTER_WORDS] = {
		[KT_NETFILTER_HOOKNUM] = state->hook,
		[KT_NETFILTER_SKB] = (unsigned long)skb,
		[KT_NETFILTER_IN] = (unsigned long)state->in,
		[KT_NETFILTER_OUT] = (unsigned long)state->out,
		[KT_NETFILTER_OKFN] = (unsigned long)state->okfn,
		[KT_NETFILTER_VERDICT] = NF_ACCEPT,
	};

	kt_handle(p->probe, NULL, 0, words);
	return (unsigned int)words[KT_NETFILTER_VERDICT];
}

/* NF_STOLEN would leak the packet, NF_REPEAT never end. */
__kprobes void kt_fn___netfilter_set_verdict(struct kt_ctx *c, kt_s64 verdict)
{
	if (verdict == NF_DROP || verdict == NF_ACCEPT || (verdict & NF_VERDICT_MASK) == NF_QUEUE)
		((u64 *)c->instance)[KT_NETFILTER_VERDICT] = (u32)verdict;
	else
		kt_errorf(c, "verdict %d: expected 0 to drop, 1 to accept, or 3 to queue the packet", verdict);
}

static int netfilter_add(struct netfilter_net *n, u32 i)
{
	int err = kt_netfilter_register(n->net, &netfilter_places[i].ops);

	if (!err)
		__set_bit(i, n->places);
	return err;
}

static void netfilter_remove(struct netfilter_net *n, u32 i)
{
	if (__test_and_clear_bit(i, n->places))
		kt_netfilter_unregister(n->net, &netfilter_places[i].ops);
}

/* Called for each namespace that is there, and for each that is made. Its maker must not fail because of us: a later
 * namespace that has no memory for our hooks does without them.
 */
static int netfilter_net_init(struct net *net)
{
	struct netfilter_net *n = kzalloc(struct_size(n, places, BITS_TO_LONGS(n_netfilter_places)), GFP_KERNEL);

	if (!n)
		return net_eq(net, &init_net) ? -ENOMEM : 0;
	n->net = net;
	mutex_lock(&netfilter_mutex);
	list_add_tail(&n->list, &netfilter_nets);
	for (u32 i = 0; i < n_netfilter_places; i++) {
		struct netfilter_place *p = &netfilter_places[i];
		int err = p->on ? netfilter_add(n, i) : 0;

		if (net_eq(net, &init_net))
			p->err = err;
	}
	mutex_unlock(&netfilter_mutex);
	return 0;
}

static void netfilter_net_exit(struct net *net)
{
	struct netfilter_net *n;

	mutex_lock(&netfilter_mutex);
	list_for_each_entry(n, &netfilter_nets, list) {
		if (!net_eq(n->net, net))
			continue;
		for (u32 i = 0; i < n_netfilter_places; i++)
			netfilter_remove(n, i);
		list_del(&n->list);
		kfree(n);
		break;
	}
	mutex_unlock(&netfilter_mutex);
}

static struct pernet_operations netfilter_net_ops = {
	.init = netfilter_net_init,
	.exit = netfilter_net_exit,
};

static void netfilter_update(void)
{
	mutex_lock(&netfilter_mutex);
	for (u32 i = 0; i < n_netfilter_places; i++) {
		struct netfilter_place *p = &netfilter_places[i];
		bool on = !p->err && !kt_probe_off(p->row_probe);
		struct netfilter_net *n;

		if (on == p->on)
			continue;
		p->on = on;
		list_for_each_entry(n, &netfilter_nets, list) {
			if (on)
				netfilter_add(n, i);
			else
				netfilter_remove(n, i);
		}
	}
	mutex_unlock(&netfilter_mutex);
}

static int netfilter_arm(const struct kt_family_rows *rows)
{
	const struct kt_netfilter_row *row = rows->rows;
	int err;

	netfilter_places = kvcalloc(rows->n, sizeof(*netfilter_places), GFP_KERNEL);
	if (!netfilter_places)
		return -ENOMEM;
	n_netfilter_places = rows->n;
	for (u32 i = 0; i < n_netfilter_places; i++) {
		struct netfilter_place *p = &netfilter_places[i];

		p->row_probe = row[i].probe;
		p->probe = &kt_script.probes[row[i].probe];
		p->ops.hook = netfilter_hit;
		p->ops.priv = p;
		p->ops.pf = (u8)row[i].pf;
		p->ops.hooknum = row[i].hook;
		p->ops.priority = row[i].priority;
		p->on = !kt_probe_off(p->row_probe);
	}
	err = kt_netfilter_nets(&netfilter_net_ops);
	netfilter_watches = !err;
	for (u32 i = 0; i < n_netfilter_places; i++) {
		struct netfilter_place *p = &netfilter_places[i];

		if (err)
			p->err = err;
		if (p->err)
			kt_run_refused(p->row_probe, p->err);
		else
			kt_run_armed(1);
	}
	/* What the first namespace refused goes from the others. */
	netfilter_update();
	return 0;
}

static void netfilter_disarm(void)
{
	if (netfilter_watches)
		kt_netfilter_no_nets(&netfilter_net_ops);
	netfilter_watches = false;
	/* Packets that were under way when a hook went are in our text until the grace period ends. */
	synchronize_net();
	n_netfilter_places = 0;
	kvfree(netfilter_places);
	netfilter_places = NULL;
}

const struct kt_family_ops kt_netfilter_family = {
	.arm = netfilter_arm,
	.disarm = netfilter_disarm,
	.update = netfilter_update,
};
