/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/loader/eventlog.h"

#include "runtime/ledger.h"
#include "runtime/loader/report.h"

/* NULL where the session has no such text. */
static const char *text_or_null(struct control *c, enum kt_text_kind kind, kt_u32 index)
{
	return index < c->n_texts[kind] ? control_text(c, kind, index) : NULL;
}

/* Without mechanisms, describes every probe except helpers that run at the entry for another probe. */
static void describe_probe(void *control, kt_u32 index, struct event_probe *ret)
{
	const char *mechanism = text_or_null(control, KT_TEXT_MECHANISM, index);
	struct kt_probe_status s;

	if (mechanism ? !*mechanism : !control_probe(control, index, &s) && s.flags & KT_PROBE_ENTRY)
		return;
	*ret = (struct event_probe){
		.point = control_text(control, KT_TEXT_PROBE, index),
		.mechanism = mechanism,
		.origin = text_or_null(control, KT_TEXT_ORIGIN, index),
	};
}

/* Only the losses matter of the probes that ktap adds to print globals. */
static bool is_told(struct control *c, kt_u32 index, const struct kt_probe_status *s)
{
	const char *mechanism = text_or_null(c, KT_TEXT_MECHANISM, index);

	if (mechanism && !*mechanism && ledger_hits(s) == s->handled)
		return false;
	return !(s->flags & KT_PROBE_ENTRY);
}

static void write_ledgers(void *printer)
{
	struct printer *p = printer;
	struct kt_probe_status ps;

	for (kt_u32 i = 0; i < p->control->info.n_probes; i++)
		if (!control_probe(p->control, i, &ps) && is_told(p->control, i, &ps))
			events_ledger(&p->events, control_text(p->control, KT_TEXT_PROBE, i), &ps, p->counted);
}

void eventlog_start(struct printer *p, int target, const char *command)
{
	struct control *c = p->control;
	const struct event_session session = {
		.runtime = c->vehicle->name,
		.name = text_or_null(c, KT_TEXT_IDENTITY, KT_IDENTITY_NAME),
		.sha256 = text_or_null(c, KT_TEXT_IDENTITY, KT_IDENTITY_SHA256),
		.text = text_or_null(c, KT_TEXT_IDENTITY, KT_IDENTITY_TEXT),
		.target = target,
		.command = command,
		.n_probes = c->info.n_probes,
		.probe = describe_probe,
		.of = c,
	};

	p->events.on = true;
	p->events.ledgers = write_ledgers;
	p->events.ledgers_of = p;
	events_start(&p->events, &session);
}

void eventlog_end(struct printer *p, const struct kt_status *s, const struct merge *m, int status)
{
	kt_u64 lost[KT_LOSS_COUNT], bytes;

	write_ledgers(p);
	memcpy(lost, s->lost, sizeof(lost));
	lost[KT_LOSS_RECORD] = report_lost_records(m, &bytes) + p->malformed;
	events_exit(&p->events, status, s->errors, lost);
}
