/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --otlp: metrics and logs for a collector of OpenTelemetry, in the JSON encoding of OTLP over HTTP.
 *
 *     long        a gauge; a sum if its name ends in _total     aggregate   a histogram, of one bucket where the session has none
 *     string      a gauge of 1 with the attribute `value`       array       the same with the attributes key1, key2 and so on
 *
 * Each snapshot is a request to /v1/metrics; what was printed and said since the one before is one to /v1/logs. post.c sends them.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/live/live.h"
#include "cli/live/post.h"
#include "lib/arena.h"
#include "lib/text.h"

enum { LOGS_MAX = 512, CUMULATIVE = 2 }; /* records of a request; AGGREGATION_TEMPORALITY_CUMULATIVE */

struct exporter {
	struct post *post;
	struct json_object *logs; /* records that were not sent; NULL: none */
	char began[24];           /* when the session did, nanoseconds since 1970 */
};

/* ---- parts of requests ---- */

static void now(char ret[24])
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	snprintf(ret, 24, "%lld%09ld", (long long)t.tv_sec, t.tv_nsec);
}

static void add(struct json_object *o, const char *name, struct json_object *value)
{
	json_object_object_add(o, name, value);
}

static void add_text(struct json_object *o, const char *name, const char *text)
{
	add(o, name, json_object_new_string(text));
}

/* Integers of 64 bits are strings in this encoding. */
static void add_number(struct json_object *o, const char *name, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	add_text(o, name, text);
}

/* An array with VALUE alone. */
static struct json_object *only(struct json_object *value)
{
	struct json_object *array = json_object_new_array();

	json_object_array_add(array, value);
	return array;
}

static void add_attribute(struct json_object *attributes, const char *key, struct json_object *value)
{
	struct json_object *attribute = json_object_new_object(), *any = json_object_new_object();
	struct text text = { 0 };

	if (json_object_is_type(value, json_type_int)) {
		add_number(any, "intValue", json_object_get_int64(value));
	} else {
		live_key(&text, value, ";");
		add_text(any, "stringValue", text_str(&text));
	}
	add_text(attribute, "key", key);
	add(attribute, "value", any);
	json_object_array_add(attributes, attribute);
	text_deinit(&text);
}

static void add_text_attribute(struct json_object *attributes, const char *key, const char *text)
{
	struct json_object *value = json_object_new_string(text);

	add_attribute(attributes, key, value);
	json_object_put(value);
}

/* The machine and the script: members of `start` that are named as in OpenTelemetry. */
static struct json_object *resource(const struct live *l)
{
	static const char *const names[] = { "host.name", "host.arch", "os.type", "kernel.release", "process.pid", "process.command_line" };
	struct json_object *r = json_object_new_object(), *attributes = json_object_new_array();
	struct json_object *script = live_member(l->start, "script");

	add_text_attribute(attributes, "service.name", "ktap");
	add_text_attribute(attributes, "service.version", live_text(l->start, "ktap"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (live_member(l->start, names[i]))
			add_attribute(attributes, names[i], live_member(l->start, names[i]));
	add_text_attribute(attributes, "ktap.script.name", live_text(script, "name"));
	add_text_attribute(attributes, "ktap.script.sha256", live_text(script, "sha256"));
	add(r, "attributes", attributes);
	return r;
}

/* Sends ITEMS, which are NAMES such as "metrics", wrapped as OTLP wants them: resourceMetrics, scopeMetrics, metrics. */
static void send_items(struct exporter *e, const struct live *l, const char *names, const char *title, struct json_object *items)
{
	struct json_object *request = json_object_new_object(), *of_resource = json_object_new_object();
	struct json_object *of_scope = json_object_new_object(), *scope = json_object_new_object();
	char path[32], resources[32], scopes[32];

	snprintf(path, sizeof(path), "/v1/%s", names);
	snprintf(resources, sizeof(resources), "resource%s", title);
	snprintf(scopes, sizeof(scopes), "scope%s", title);
	add_text(scope, "name", "ktap");
	add(of_scope, "scope", scope);
	add(of_scope, !strcmp(names, "logs") ? "logRecords" : names, items);
	add(of_resource, "resource", resource(l));
	add(of_resource, scopes, only(of_scope));
	add(request, resources, only(of_resource));
	post_send(e->post, path, json_object_to_json_string_ext(request, JSON_C_TO_STRING_PLAIN));
	json_object_put(request);
}

/* ---- metrics ---- */

static struct json_object *new_point(const struct exporter *e, struct json_object *attributes)
{
	struct json_object *point = json_object_new_object();
	char time[24];

	now(time);
	add_text(point, "startTimeUnixNano", e->began);
	add_text(point, "timeUnixNano", time);
	add(point, "attributes", attributes);
	return point;
}

static void add_metric(struct json_object *metrics, const char *name, const char *kind, struct json_object *points)
{
	struct json_object *metric = json_object_new_object(), *data = json_object_new_object();

	add_text(metric, "name", name);
	if (strcmp(kind, "gauge"))
		add(data, "aggregationTemporality", json_object_new_int(CUMULATIVE));
	if (!strcmp(kind, "sum"))
		add(data, "isMonotonic", json_object_new_boolean(1));
	add(data, "dataPoints", points);
	add(metric, kind, data);
	json_object_array_add(metrics, metric);
}

/* A bucket has the values up to its bound; one more has those above the last. */
static void add_buckets(struct json_object *point, struct json_object *value)
{
	struct json_object *buckets = live_member(live_member(value, "histogram"), "buckets");
	struct json_object *counts = json_object_new_array(), *bounds = json_object_new_array();
	size_t n = buckets ? json_object_array_length(buckets) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *b = json_object_array_get_idx(buckets, i);

		json_object_array_add(bounds, json_object_new_double((double)live_number(b, "high")));
		json_object_array_add(counts, json_object_new_string(live_text(b, "count")));
	}
	json_object_array_add(counts, json_object_new_string(n ? "0" : live_text(value, "count")));
	add(point, "bucketCounts", counts);
	add(point, "explicitBounds", bounds);
}

static void add_aggregate(struct json_object *point, struct json_object *value)
{
	static const char *const names[] = { "sum", "min", "max" };

	add_number(point, "count", live_number(value, "count"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (live_member(value, names[i]))
			add(point, names[i], json_object_new_double((double)live_number(value, names[i])));
	add_buckets(point, value);
}

static void add_value(const struct exporter *e, struct json_object *points, const char *type, struct json_object *keys,
		      struct json_object *value)
{
	struct json_object *attributes = json_object_new_array(), *point = new_point(e, attributes);

	for (size_t i = 0; keys && i < json_object_array_length(keys); i++) {
		char name[32];

		snprintf(name, sizeof(name), "key%zu", i + 1);
		add_attribute(attributes, name, json_object_array_get_idx(keys, i));
	}
	if (!strcmp(type, "aggregate"))
		add_aggregate(point, value);
	else if (!strcmp(type, "string"))
		add_attribute(attributes, "value", value);
	if (strcmp(type, "aggregate"))
		add_number(point, "asInt", !strcmp(type, "string") ? 1 : json_object_get_int64(value));
	json_object_array_add(points, point);
}

static void add_global(const struct exporter *e, struct json_object *metrics, const char *name, struct json_object *record)
{
	struct json_object *entries = live_member(record, "entries"), *points = json_object_new_array();
	const char *type = live_text(record, "value_type");
	size_t n = entries ? json_object_array_length(entries) : 1, len = strlen(name);
	bool total = len > 6 && !strcmp(name + len - 6, "_total");
	struct text metric = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct json_object *entry = entries ? json_object_array_get_idx(entries, i) : record;

		add_value(e, points, type, entries ? live_member(entry, "key") : NULL, live_member(entry, "value"));
	}
	text_printf(&metric, "ktap.%s", name);
	add_metric(metrics, text_str(&metric), !strcmp(type, "aggregate") ? "histogram" : total && !strcmp(type, "long") ? "sum" : "gauge",
		   points);
	text_deinit(&metric);
}

static struct json_object *probe_attributes(const char *number, struct json_object *ledger, const char *cause)
{
	struct json_object *attributes = json_object_new_array();

	add_text_attribute(attributes, "ktap.probe", live_text(ledger, "point"));
	add_text_attribute(attributes, "ktap.probe.number", number);
	if (cause)
		add_text_attribute(attributes, "ktap.cause", cause);
	return attributes;
}

static void add_count(const struct exporter *e, struct json_object *points, struct json_object *attributes, struct json_object *count)
{
	struct json_object *point = new_point(e, attributes);

	add_number(point, "asInt", json_object_get_int64(count));
	json_object_array_add(points, point);
}

static void add_ledgers(const struct exporter *e, struct json_object *metrics, const struct live *l)
{
	struct json_object *hits = json_object_new_array(), *losses = json_object_new_array();

	json_object_object_foreach(l->ledgers, number, ledger) {
		struct json_object *lost = live_member(ledger, "lost");

		if (live_member(ledger, "hits"))
			add_count(e, hits, probe_attributes(number, ledger, NULL), live_member(ledger, "hits"));
		json_object_object_foreach(lost, cause, count)
			add_count(e, losses, probe_attributes(number, ledger, cause), count);
	}
	add_metric(metrics, "ktap.probe.hits", "sum", hits);
	add_metric(metrics, "ktap.probe.lost", "sum", losses);
}

static void send_metrics(struct exporter *e, const struct live *l)
{
	struct json_object *metrics = json_object_new_array();

	add_ledgers(e, metrics, l);
	json_object_object_foreach(l->values, name, record)
		add_global(e, metrics, name, record);
	send_items(e, l, "metrics", "Metrics", metrics);
}

/* ---- logs ---- */

static void send_logs(struct exporter *e, const struct live *l)
{
	if (e->logs)
		send_items(e, l, "logs", "Logs", e->logs);
	e->logs = NULL;
}

static void add_log(struct exporter *e, struct json_object *event, const char *text, int severity, const char *name)
{
	static const char *const names[] = { "tag", "point" };
	struct json_object *record = json_object_new_object(), *body = json_object_new_object(), *attributes = json_object_new_array();
	char time[24];

	now(time);
	add_text(record, "timeUnixNano", *live_text(event, "time_unix_nano") ? live_text(event, "time_unix_nano") : time);
	add_text(record, "observedTimeUnixNano", time);
	add(record, "severityNumber", json_object_new_int(severity));
	add_text(record, "severityText", name);
	add_text(body, "stringValue", text);
	add(record, "body", body);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (live_member(event, names[i]))
			add_attribute(attributes, names[i], live_member(event, names[i]));
	add(record, "attributes", attributes);
	if (!e->logs)
		e->logs = json_object_new_array();
	json_object_array_add(e->logs, record);
}

/* ---- the view ---- */

static void event(void *of, const struct live *live, struct json_object *event)
{
	struct exporter *e = of;
	const char *type = live_text(event, "type");

	if (!strcmp(type, "print"))
		add_log(e, event, live_text(event, "text"), 9, "INFO");
	else if (!strcmp(type, "warning"))
		add_log(e, event, live_text(event, "message"), 13, "WARN");
	else if (!strcmp(type, "error"))
		add_log(e, event, live_text(event, "message"), 17, "ERROR");
	if (live->start && (live->over || !strcmp(type, "snapshot")))
		send_metrics(e, live);
	if (live->start && (live->over || !strcmp(type, "snapshot") || (e->logs && json_object_array_length(e->logs) >= LOGS_MAX)))
		send_logs(e, live);
}

static void closed(void *of, const struct live *live)
{
	post_close(((struct exporter *)of)->post);
}

bool otlp_open(const char *url, struct view *ret)
{
	struct exporter *e = arena_new(&program_arena, struct exporter);

	now(e->began);
	*ret = (struct view){ .of = e, .event = event, .close = closed };
	return (e->post = post_open("--otlp", url));
}
