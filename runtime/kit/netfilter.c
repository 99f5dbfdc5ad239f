/* Probes netfilter.*: hook functions of the first network namespace. A packet goes on as if we were not there, unless the
 * handler set another verdict.
 */
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
};

static struct netfilter_place *netfilter_places;
static u32 n_netfilter_places;

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

static int netfilter_register(struct netfilter_place *p)
{
	int err = kt_netfilter_register(&init_net, &p->ops);

	p->on = !err;
	return err;
}

static void netfilter_unregister(struct netfilter_place *p)
{
	if (p->on)
		kt_netfilter_unregister(&init_net, &p->ops);
	p->on = false;
}

static void netfilter_update(void)
{
	for (u32 i = 0; i < n_netfilter_places; i++) {
		struct netfilter_place *p = &netfilter_places[i];
		bool on = p->probe && !kt_condition_off(p->row_probe);

		if (on && !p->on)
			netfilter_register(p);
		else if (!on)
			netfilter_unregister(p);
	}
}

static int netfilter_arm(const struct kt_family_rows *rows)
{
	const struct kt_netfilter_row *row = rows->rows;

	netfilter_places = kvcalloc(rows->n, sizeof(*netfilter_places), GFP_KERNEL);
	if (!netfilter_places)
		return -ENOMEM;
	n_netfilter_places = rows->n;
	for (u32 i = 0; i < n_netfilter_places; i++) {
		struct netfilter_place *p = &netfilter_places[i];
		int err = 0;

		p->row_probe = row[i].probe;
		p->probe = &kt_script.probes[row[i].probe];
		p->ops.hook = netfilter_hit;
		p->ops.priv = p;
		p->ops.pf = (u8)row[i].pf;
		p->ops.hooknum = row[i].hook;
		p->ops.priority = row[i].priority;
		if (!kt_condition_off(p->row_probe))
			err = netfilter_register(p);
		if (err) {
			kt_session_refused(p->row_probe, err);
			p->probe = NULL;
		} else {
			kt_session.armed++;
		}
	}
	return 0;
}

static void netfilter_disarm(void)
{
	for (u32 i = 0; i < n_netfilter_places; i++)
		netfilter_unregister(&netfilter_places[i]);
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
