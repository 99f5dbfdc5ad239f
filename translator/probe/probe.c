/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of all probe families: making a probe, the text of a point, its arguments. */
#include "translator/probe/probe.h"

#include <string.h>

#include "lib/status.h"
#include "translator/debuginfo/target.h"

enum { MAXACTIVE_MAX = 65535 };

struct probe *probe_add(struct resolve *r, const struct probe_family *f, const char *pp, void *data)
{
	struct probe *pr = arena_new(&program_arena, struct probe);

	status_tick();
	pr->family = f;
	pr->def = r->def;
	pr->point = r->point;
	pr->written = r->written;
	pr->alias_chain = r->alias_chain;
	pr->pp = pp;
	pr->body = r->body;
	pr->condition = r->point->condition;
	pr->data = data;
	pr->bpf = r->program->platform.runtime == RUNTIME_BPF;
	if (r->last)
		r->last->next = pr;
	else
		r->first = pr;
	r->last = pr;
	r->found++;
	return pr;
}

const struct node *probe_arg(const struct probe_point *pp, int index)
{
	const struct component *c = pp->parts;

	for (; c && index > 0; index--)
		c = c->next;
	return c ? c->arg : NULL;
}

bool probe_option(const struct resolve *r, const char *option)
{
	const struct kernel *k;
	struct trial trial;

	trial_begin(r->program->reports, &trial, TRIAL_DROPS);
	k = kernel_find(r->program->reports, r->program->platform.release);
	trial_end(&trial);
	if (!k || !kernel_config(k, "MODULES") || kernel_config(k, option))
		return true;
	error(r->written->loc, DIAG_NO_FEATURE, "kernel %s was built without CONFIG_%s, which '%s' needs", k->release, option,
	      probe_point_text(r->written));
	note(r->written->loc, "probes of other kinds work; append ? to the point to go on without it");
	return false;
}

bool probe_maxactive(const struct node *arg, unsigned *ret)
{
	if (!arg)
		return true;
	if (arg->num < 0 || arg->num > MAXACTIVE_MAX)
		return error(arg->loc, DIAG_PROBE_ARG, "maxactive is %lld, expected 0 to %d", arg->num, MAXACTIVE_MAX);
	*ret = (unsigned)arg->num;
	return true;
}

const char *probe_point_text(const struct probe_point *pp)
{
	struct text t = { 0 };

	ast_print_components(&t, pp->parts);
	return text_keep(&t);
}

const char *probe_alias(const struct probe *pr)
{
	const char *last = pr->alias_chain, *arrow;

	while (last && (arrow = strstr(last, " <- ")))
		last = arrow + strlen(" <- ");
	return last;
}

void emit_row_text(struct text *t, const char *s)
{
	text_printf(t, "%s%zu:%s", ROW_TEXT_OPEN, strlen(s), s);
}

/* How the BPF program of PR is attached; NULL: there is none, since ktaprun runs the handler. */
static const char *bpf_mechanism(const struct probe *pr)
{
	struct probe_attach at;

	if (!pr->family->attach || !pr->family->attach(pr, &at))
		return "no BPF program";
	switch (at.kind) {
	case IMAGE_COLD: return NULL;
	case IMAGE_KPROBE: return at.how == KT_KPROBE_RETURN ? "kretprobe" : "kprobe";
	case IMAGE_FENTRY: return "fentry";
	case IMAGE_FEXIT: return "fexit";
	case IMAGE_RAW_TP: return "raw tracepoint";
	case IMAGE_UPROBE: return at.how == KT_UPROBE_RETURN ? "uretprobe" : "uprobe";
	case IMAGE_PERF: return "perf event";
	}
	bug("no such kind of a BPF program");
}

const char *probe_mechanism(const struct probe *pr)
{
	const struct probe_family *f = pr->family;
	const char *bpf = pr->bpf ? bpf_mechanism(pr) : NULL;

	if (bpf)
		return bpf;
	return f->mechanism ? f->mechanism(pr) : f->attached ? f->attached : f->name;
}

const char *probe_origin(const struct probe *pr)
{
	const struct loc *l = &pr->written->loc;
	const char *point = probe_point_text(pr->point), *written = probe_point_text(pr->written);
	struct text t = { 0 };

	text_printf(&t, "%s:%d:%d\n from: %s", l->src ? l->src->name : "", l->line, l->col, pr->pp);
	if (strcmp(point, pr->pp))
		text_printf(&t, " from: %s", point);
	for (const char *at = pr->alias_chain, *end; at; at = *end ? end + strlen(" <- ") : NULL) {
		end = strstr(at, " <- ");
		end = end ? end : at + strlen(at);
		text_printf(&t, " from: %.*s", (int)(end - at), at);
	}
	if (!pr->alias_chain && strcmp(written, point) && strcmp(written, pr->pp))
		text_printf(&t, " from: %s", written);
	return text_keep(&t);
}
