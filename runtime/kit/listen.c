/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds tracepoints of the kernel by name, and listens to them. */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/kit/services.h"

struct sought {
	const char *name;
	struct tracepoint *tp;
};

static void tracepoint_seen(struct tracepoint *tp, void *data)
{
	struct sought *s = data;

	if (!strcmp(tp->name, s->name))
		s->tp = tp;
}

struct tracepoint *kt_tracepoint(const char *name)
{
	struct sought s = { .name = name };

	for_each_kernel_tracepoint(tracepoint_seen, &s);
	return s.tp;
}

int kt_listen(struct kt_listener *l)
{
	int err;

	if (l->on)
		return 0;
	l->tp = kt_tracepoint(l->name);
	err = l->tp ? tracepoint_probe_register(l->tp, l->hit, l->data) : -EOPNOTSUPP;
	l->on = !err;
	return err;
}

void kt_listen_no_more(struct kt_listener *l, u32 n)
{
	bool any = false;

	for (; n > 0; n--, l++) {
		if (l->on)
			tracepoint_probe_unregister(l->tp, l->hit, l->data);
		any |= l->on;
		l->on = false;
	}
	if (any)
		tracepoint_synchronize_unregister();
}
