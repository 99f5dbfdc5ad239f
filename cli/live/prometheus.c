/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --prometheus: the text format 0.0.4 of Prometheus, made at each scrape of the last values.
 *
 *     long        ktap_NAME, a gauge; a counter if NAME ends in _total
 *     string      ktap_NAME_info{value="..."} 1
 *     aggregate   ktap_NAME, a histogram where the session has one, else a summary; ktap_NAME_min and _max, gauges
 *     array       the same with the labels key1, key2 and so on
 *     probes      ktap_probe_hits_total, _handled_total, _lost_total, and _cycles_total with -t
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/http.h"
#include "cli/live/live.h"
#include "lib/arena.h"
#include "lib/text.h"

struct server {
	struct http http;
	const struct live *live;
};

/* ---- names and labels ---- */

static void put_escaped(struct text *t, const char *s)
{
	for (; *s; s++) {
		if (*s == '\n')
			text_puts(t, "\\n");
		else if (*s == '\\' || *s == '"')
			text_printf(t, "\\%c", *s);
		else
			text_append(t, s, 1);
	}
}

/* Adds a label to LABELS, which has those before it. */
static void put_label(struct text *labels, const char *name, const char *value)
{
	text_printf(labels, "%s%s=\"", labels->len ? "," : "", name);
	put_escaped(labels, value);
	text_puts(labels, "\"");
}

static void put_number(struct text *t, const char *name, const char *suffix, const char *labels, int64_t number)
{
	text_printf(t, "%s%s%s%s%s %" PRId64 "\n", name, suffix, *labels ? "{" : "", labels, *labels ? "}" : "", number);
}

static void put_head(struct text *t, const char *name, const char *suffix, const char *type, const char *help)
{
	text_printf(t, "# HELP %s%s ", name, suffix);
	put_escaped(t, help);
	text_printf(t, "\n# TYPE %s%s %s\n", name, suffix, type);
}

/* ---- values ---- */

/* An element of a map, or the only value of a global. */
struct sample {
	char *labels;
	struct json_object *value;
};

struct samples {
	struct sample *all;
	size_t n;
};

static char *key_labels(struct json_object *keys)
{
	struct text labels = { 0 };

	for (size_t i = 0; i < json_object_array_length(keys); i++) {
		struct text key = { 0 };
		char name[32];

		snprintf(name, sizeof(name), "key%zu", i + 1);
		live_key(&key, json_object_array_get_idx(keys, i), ";");
		put_label(&labels, name, text_str(&key));
		text_deinit(&key);
	}
	return labels.buf ? labels.buf : xstrdup("");
}

static struct samples samples_of(struct json_object *record)
{
	struct json_object *entries = live_member(record, "entries");
	size_t n = entries ? json_object_array_length(entries) : 1;
	struct samples s = { xmalloc((n + 1) * sizeof(*s.all)), n };

	for (size_t i = 0; i < n; i++) {
		struct json_object *entry = entries ? json_object_array_get_idx(entries, i) : record;

		s.all[i] = (struct sample){ entries ? key_labels(live_member(entry, "key")) : xstrdup(""), live_member(entry, "value") };
	}
	return s;
}

static void samples_deinit(struct samples *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->all[i].labels);
	free(s->all);
}

static struct json_object *buckets_of(const struct sample *s)
{
	return live_member(live_member(s->value, "histogram"), "buckets");
}

/* Buckets of Prometheus have all values up to their bound. */
static void put_buckets(struct text *t, const char *name, const struct sample *s)
{
	struct json_object *buckets = buckets_of(s);
	const char *comma = *s->labels ? "," : "";
	int64_t sum = 0;

	for (size_t i = 0; buckets && i < json_object_array_length(buckets); i++) {
		struct json_object *b = json_object_array_get_idx(buckets, i);

		sum += live_number(b, "count");
		text_printf(t, "%s_bucket{%s%sle=\"%s\"} %" PRId64 "\n", name, s->labels, comma, live_text(b, "high"), sum);
	}
	text_printf(t, "%s_bucket{%s%sle=\"+Inf\"} %" PRId64 "\n", name, s->labels, comma, live_number(s->value, "count"));
}

static bool has_histogram(const struct samples *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (buckets_of(&s->all[i]))
			return true;
	return false;
}

static void put_bound(struct text *t, const char *name, const char *bound, const struct samples *s, const char *help)
{
	const char *suffix = !strcmp(bound, "min") ? "_min" : "_max";

	put_head(t, name, suffix, "gauge", help);
	for (size_t i = 0; i < s->n; i++)
		if (live_member(s->all[i].value, bound))
			put_number(t, name, suffix, s->all[i].labels, live_number(s->all[i].value, bound));
}

static void put_aggregates(struct text *t, const char *name, const struct samples *s, const char *help)
{
	bool histogram = has_histogram(s);

	put_head(t, name, "", histogram ? "histogram" : "summary", help);
	for (size_t i = 0; i < s->n; i++) {
		if (histogram)
			put_buckets(t, name, &s->all[i]);
		put_number(t, name, "_sum", s->all[i].labels, live_number(s->all[i].value, "sum"));
		put_number(t, name, "_count", s->all[i].labels, live_number(s->all[i].value, "count"));
	}
	put_bound(t, name, "min", s, help);
	put_bound(t, name, "max", s, help);
}

static void put_strings(struct text *t, const char *name, const struct samples *s, const char *help)
{
	put_head(t, name, "_info", "gauge", help);
	for (size_t i = 0; i < s->n; i++) {
		struct text labels = { 0 };

		text_puts(&labels, s->all[i].labels);
		put_label(&labels, "value", json_object_get_string(s->all[i].value));
		put_number(t, name, "_info", text_str(&labels), 1);
		text_deinit(&labels);
	}
}

static void put_longs(struct text *t, const char *name, const struct samples *s, const char *help)
{
	size_t len = strlen(name);

	put_head(t, name, "", len > 6 && !strcmp(name + len - 6, "_total") ? "counter" : "gauge", help);
	for (size_t i = 0; i < s->n; i++)
		put_number(t, name, "", s->all[i].labels, json_object_get_int64(s->all[i].value));
}

static void put_value(struct text *t, const struct live *l, const char *global, struct json_object *record)
{
	const char *type = live_text(record, "value_type"), *script = live_text(live_member(l->start, "script"), "name");
	struct samples s = samples_of(record);
	struct text name = { 0 }, help = { 0 };

	text_printf(&name, "ktap_%s", global);
	text_printf(&help, "Global %s of %s", global, script);
	if (!strcmp(type, "long"))
		put_longs(t, text_str(&name), &s, text_str(&help));
	else if (!strcmp(type, "string"))
		put_strings(t, text_str(&name), &s, text_str(&help));
	else
		put_aggregates(t, text_str(&name), &s, text_str(&help));
	text_deinit(&name);
	text_deinit(&help);
	samples_deinit(&s);
}

/* ---- probes ---- */

/* Several probes may have one point. */
static void put_probe(struct text *labels, const char *number, struct json_object *ledger)
{
	put_label(labels, "probe", live_text(ledger, "point"));
	put_label(labels, "number", number);
}

/* The member NAME of all ledgers as a counter. */
static void put_ledger_counter(struct text *t, const struct live *l, const char *name, const char *outer, const char *help)
{
	struct text metric = { 0 };

	text_printf(&metric, "ktap_probe_%s_total", outer ? outer : name);
	put_head(t, text_str(&metric), "", "counter", help);
	json_object_object_foreach(l->ledgers, number, ledger) {
		struct json_object *in = outer ? live_member(ledger, outer) : ledger;
		struct text labels = { 0 };

		put_probe(&labels, number, ledger);
		if (live_member(in, name))
			put_number(t, text_str(&metric), "", text_str(&labels), live_number(in, name));
		text_deinit(&labels);
	}
	text_deinit(&metric);
}

static void put_losses(struct text *t, const struct live *l)
{
	put_head(t, "ktap_probe_lost_total", "", "counter", "Hits and records that were lost, by cause; ktaprun(8) explains the causes");
	json_object_object_foreach(l->ledgers, number, ledger) {
		struct json_object *lost = live_member(ledger, "lost");

		if (!lost)
			continue;
		json_object_object_foreach(lost, cause, count) {
			struct text labels = { 0 };

			put_probe(&labels, number, ledger);
			put_label(&labels, "cause", cause);
			put_number(t, "ktap_probe_lost_total", "", text_str(&labels), json_object_get_int64(count));
			text_deinit(&labels);
		}
	}
}

static void put_session(struct text *t, const struct live *l)
{
	struct json_object *script = live_member(l->start, "script");
	struct text labels = { 0 };

	put_label(&labels, "script", live_text(script, "name"));
	put_label(&labels, "sha256", live_text(script, "sha256"));
	put_label(&labels, "kernel", live_text(l->start, "kernel.release"));
	put_label(&labels, "version", live_text(l->start, "ktap"));
	put_head(t, "ktap_session_info", "", "gauge", "The session; its value is 1");
	put_number(t, "ktap_session_info", "", text_str(&labels), 1);
	put_head(t, "ktap_errors_total", "", "counter", "Handlers that an error ended");
	put_number(t, "ktap_errors_total", "", "", (int64_t)l->errors);
	put_head(t, "ktap_warnings_total", "", "counter", "Warnings of the session and of the script");
	put_number(t, "ktap_warnings_total", "", "", (int64_t)l->warnings);
	text_deinit(&labels);
}

static void put_metrics(void *of, struct text *t)
{
	const struct live *l = ((struct server *)of)->live;

	if (!l || !l->start)
		return;
	put_session(t, l);
	put_ledger_counter(t, l, "hits", NULL, "Hits of a probe");
	put_ledger_counter(t, l, "handled", NULL, "Hits whose handler ran to its end");
	put_losses(t, l);
	put_ledger_counter(t, l, "sum", "cycles", "Cycles that handlers took, with -t");
	json_object_object_foreach(l->values, name, record)
		put_value(t, l, name, record);
}

/* ---- the view ---- */

static void event(void *of, const struct live *live, struct json_object *event)
{
	((struct server *)of)->live = live;
}

static int wait_for(void *of, struct pollfd *ret, int room, int *timeout)
{
	return http_wait(&((struct server *)of)->http, ret, room, timeout);
}

static void polled(void *of, const struct live *live, const struct pollfd *p, int n)
{
	((struct server *)of)->live = live;
	http_polled(&((struct server *)of)->http, p, n);
}

static void close_server(void *of, const struct live *live)
{
	http_close(&((struct server *)of)->http);
}

bool prometheus_open(const char *address, struct view *ret)
{
	struct server *s = arena_new(&program_arena, struct server);

	s->http.body = put_metrics;
	s->http.of = s;
	s->http.type = "text/plain; version=0.0.4; charset=utf-8";
	*ret = (struct view){ .of = s, .event = event, .wait = wait_for, .polled = polled, .close = close_server };
	return http_open(&s->http, "--prometheus", address);
}
