/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes netfilter.*: hook functions of every network namespace, those made later included. A packet goes on as if we were
 * not there, unless the handler set another verdict.
 */
#include <linux/mutex.h>
#include <linux/netfilter.h>
#include <linux/netfilter_arp.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "runtime/fn.h"
#include "runtime/kit/compat.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/place.h"
#include "runtime/kit/services.h"

struct netfilter_place {
	struct kt_place place;
	struct nf_hook_ops ops;
	bool on; /* it is to be in the hooks of all namespaces */
};

static struct netfilter_place *netfilter_array;
static u32 n_netfilter;
static int netfilter_error; /* why there are no hooks at all */

/* A namespace, and which places are in its hooks: one that could not be must not be taken out. */
struct netfilter_net {
	struct list_head list;
	struct net *net;
	unsigned long places[];
};

static LIST_HEAD(netfilter_nets);
static DEFINE_MUTEX(netfilter_mutex); /* netfilter_nets, and what is in the hooks */

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

	kt_handle(p->place.probe, NULL, 0, words);
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

/* How many hooks the kernel has for a protocol: it warns of itself when another one is asked for. */
static const u32 netfilter_hooks[] = {
	[NFPROTO_IPV4] = NF_INET_NUMHOOKS,
	[NFPROTO_IPV6] = NF_INET_NUMHOOKS,
	[NFPROTO_ARP] = IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP) ? NF_ARP_NUMHOOKS : 0,
	[NFPROTO_BRIDGE] = IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE) ? NF_INET_NUMHOOKS : 0,
};

static int netfilter_add(struct netfilter_net *n, u32 i)
{
	const struct nf_hook_ops *ops = &netfilter_array[i].ops;
	bool exists = ops->pf < ARRAY_SIZE(netfilter_hooks) && ops->hooknum < netfilter_hooks[ops->pf];
	int err = exists ? nf_register_net_hook(n->net, ops) : -EOPNOTSUPP;

	if (!err)
		__set_bit(i, n->places);
	return err;
}

static void netfilter_remove(struct netfilter_net *n, u32 i)
{
	if (__test_and_clear_bit(i, n->places))
		nf_unregister_net_hook(n->net, &netfilter_array[i].ops);
}

/* Says that the hooks of PP are missing in N network namespaces. */
static void warn_missed(const char *pp, u32 n, int err)
{
	kt_warn("probe %s does not fire in %u network namespace%s (rc %d)", pp, n, n == 1 ? "" : "s", err);
}

/* Called for each namespace that is there, and for each that is made. Its maker must not fail because of us: a later
 * namespace that has no memory for our hooks does without them.
 */
static int netfilter_net_init(struct net *net)
{
	struct netfilter_net *n = kzalloc(struct_size(n, places, BITS_TO_LONGS(n_netfilter)), GFP_KERNEL);
	int err;

	if (!n && net_eq(net, &init_net))
		return -ENOMEM;
	if (!n) {
		warn_missed("netfilter.*", 1, -ENOMEM);
		return 0;
	}
	n->net = net;
	mutex_lock(&netfilter_mutex);
	list_add_tail(&n->list, &netfilter_nets);
	for (u32 i = 0; i < n_netfilter; i++) {
		err = netfilter_array[i].on ? netfilter_add(n, i) : 0;
		if (err)
			warn_missed(netfilter_array[i].place.probe->pp, 1, err);
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
		for (u32 i = 0; i < n_netfilter; i++)
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

static int netfilter_prepare(struct kt_places *all)
{
	netfilter_array = all->array;
	n_netfilter = all->n;
	for (u32 i = 0; i < n_netfilter; i++) {
		struct netfilter_place *p = &netfilter_array[i];
		const struct kt_netfilter_row *row = p->place.row;

		p->ops.hook = netfilter_hit;
		p->ops.priv = p;
		p->ops.pf = (u8)row->pf;
		p->ops.hooknum = row->hook;
		p->ops.priority = row->priority;
	}
	netfilter_error = register_pernet_subsys(&netfilter_net_ops);
	return 0;
}

static int netfilter_find(struct kt_place *p, const struct module *mod)
{
	return netfilter_error;
}

static int netfilter_detach(struct kt_place *place)
{
	struct netfilter_place *p = KT_PLACE_AS(struct netfilter_place, place);
	struct netfilter_net *n;

	mutex_lock(&netfilter_mutex);
	p->on = false;
	list_for_each_entry(n, &netfilter_nets, list)
		netfilter_remove(n, (u32)(p - netfilter_array));
	mutex_unlock(&netfilter_mutex);
	return 0;
}

/* A hook that the first namespace refuses is removed from the others. */
static int netfilter_attach(struct kt_place *place)
{
	struct netfilter_place *p = KT_PLACE_AS(struct netfilter_place, place);
	struct netfilter_net *n;
	int err = 0, missed_err = 0;
	u32 missed = 0;

	mutex_lock(&netfilter_mutex);
	p->on = true;
	list_for_each_entry(n, &netfilter_nets, list) {
		int rc = netfilter_add(n, (u32)(p - netfilter_array));

		if (net_eq(n->net, &init_net)) {
			err = rc;
		} else if (rc) {
			missed_err = rc;
			missed++;
		}
	}
	mutex_unlock(&netfilter_mutex);
	if (err)
		netfilter_detach(place);
	else if (missed)
		warn_missed(place->probe->pp, missed, missed_err);
	return err;
}

static void netfilter_finish(struct kt_places *all)
{
	if (!netfilter_error)
		unregister_pernet_subsys(&netfilter_net_ops);
	/* Packets that were under way when a hook went are in our text until the grace period ends. */
	synchronize_rcu();
	n_netfilter = 0;
}

const struct kt_family_ops kt_netfilter_family = {
	.size = sizeof(struct netfilter_place),
	.row_size = sizeof(struct kt_netfilter_row),
	.prepare = netfilter_prepare,
	.find = netfilter_find,
	.attach = netfilter_attach,
	.detach = netfilter_detach,
	.finish = netfilter_finish,
};
