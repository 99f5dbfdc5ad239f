/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger, as ktaprun and the programs of --runtime=user print it: names of the causes, and a table of the probes. */
#ifndef KT_LEDGER_H
#define KT_LEDGER_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime/abi.h"

enum { LEDGER_STATUS = 6 }; /* exit status of a session with losses under --strict */

/* Arguments: how many, kt_script.string_max. */
#define LEDGER_CUT_WARNING "%llu strings were cut to fit into %u bytes. Try ktap -DMAXSTRINGLEN=N to increase the limit."
/* Argument: the list of losses. */
#define LEDGER_STRICT_ERROR "--strict: the session had losses: %s"

static const char *const ledger_names[KT_LOSS_COUNT] = {
	[KT_LOSS_ERROR] = "error",
	[KT_LOSS_FAULT] = "fault",
	[KT_LOSS_FULL] = "array-full",
	[KT_LOSS_LOCK] = "lock",
	[KT_LOSS_RECURSION] = "recursion",
	[KT_LOSS_OVERLOAD] = "overload",
	[KT_LOSS_KPROBE] = "nested-kprobe",
	[KT_LOSS_RETURN] = "return-slots",
	[KT_LOSS_HOOK] = "unhooked-return",
	[KT_LOSS_TICK] = "timer-overrun",
	[KT_LOSS_CALL] = "user-call",
	[KT_LOSS_RECORD] = "lost-records",
	[KT_LOSS_STRING] = "cut-strings",
	[KT_LOSS_THROTTLE] = "throttled",
	[KT_LOSS_WAIT] = "lock-wait-us",
};

static inline kt_u64 ledger_hits(const struct kt_probe_status *s)
{
	kt_u64 hits = s->handled;

	for (int i = 0; i < KT_LOSS_MISSED; i++)
		hits += s->lost[i];
	return hits;
}

static inline bool ledger_is_empty(const struct kt_probe_status *s)
{
	bool any = ledger_hits(s);

	for (int i = KT_LOSS_MISSED; i < KT_LOSS_COUNT; i++)
		any |= s->lost[i] != 0;
	return !any;
}

static inline void ledger_add(struct kt_probe_status *total, const struct kt_probe_status *s)
{
	total->handled += s->handled;
	for (int i = 0; i < KT_LOSS_COUNT; i++)
		total->lost[i] += s->lost[i];
}

/* A field of the column HEAD; S: a number of it, or NULL for the head itself. TOTAL decides the width. */
static inline void ledger_field(FILE *to, const char *head, kt_u64 total, const kt_u64 *n)
{
	int width = snprintf(NULL, 0, "%llu", total);

	width = width > (int)strlen(head) ? width : (int)strlen(head);
	if (n)
		fprintf(to, "%*llu  ", width, *n);
	else
		fprintf(to, "%*s  ", width, head);
}

/* Prints the line of S with NAME, or the table's head when S is NULL. Causes that TOTAL does not have get no column. */
static inline void ledger_line(FILE *to, const struct kt_probe_status *total, const struct kt_probe_status *s, const char *name)
{
	kt_u64 hits = s ? ledger_hits(s) : 0;

	ledger_field(to, "hits", ledger_hits(total), s ? &hits : NULL);
	ledger_field(to, "handled", total->handled, s ? &s->handled : NULL);
	for (int i = 0; i < KT_LOSS_COUNT; i++)
		if (total->lost[i])
			ledger_field(to, ledger_names[i], total->lost[i], s ? &s->lost[i] : NULL);
	fprintf(to, "%s\n", name);
}

#endif
