/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/live/figures.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/vec.h"

enum { ENTRIES_MAX = 1000, BAR_COLUMNS = 40 };

/* ---- lines ---- */

static void drop_oldest(struct lines *l)
{
	size_t n = LINES_MAX / 10;

	for (size_t i = 0; i < n; i++)
		free(l->line[i]);
	memmove(l->line, l->line + n, (l->n - n) * sizeof(*l->line));
	l->n -= n;
	l->dropped += n;
}

void lines_add(struct lines *l, const char *text, size_t len)
{
	char *line;

	if (l->n >= LINES_MAX)
		drop_oldest(l);
	len = len < LINE_BYTES_MAX ? len : LINE_BYTES_MAX;
	line = xmalloc(len + 1);
	memcpy(line, text, len);
	line[len] = 0;
	*vec_add(l->line, l->n) = line;
}

/* NUL bytes would end the line: they are shown as any other control character. */
static void append(struct lines *l, const char *text, size_t len)
{
	char **last = &l->line[l->n - 1];
	size_t before = strlen(*last);

	len = before + len < LINE_BYTES_MAX ? len : LINE_BYTES_MAX - before;
	*last = xrealloc(*last, before + len + 1);
	for (size_t i = 0; i < len; i++)
		(*last)[before + i] = text[i] ? text[i] : '\001';
	(*last)[before + len] = 0;
}

void lines_add_text(struct lines *l, const char *text, size_t len)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		if (!l->open)
			lines_add(l, "", 0);
		append(l, text, n);
		l->open = !end;
		n += end != NULL;
		text += n;
		len -= n;
	}
}

void lines_clear(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->line[i]);
	free(l->line);
	*l = (struct lines){ 0 };
}

/* ---- probes ---- */

static struct probe_row *find(const struct figures *f, int64_t number)
{
	for (size_t i = 0; i < f->n_probes; i++)
		if (f->probes[i].number == number)
			return &f->probes[i];
	return NULL;
}

static struct probe_row *add(struct figures *f, struct json_object *o)
{
	struct probe_row *row = vec_add(f->probes, f->n_probes);

	*row = (struct probe_row){
		.number = (int)live_number(o, "number"), .point = xstrdup(live_text(o, "point")), .state = ' ', .average = -1,
	};
	return row;
}

void figures_start(struct figures *f, struct json_object *start)
{
	struct json_object *probes = live_member(start, "probes");

	for (size_t i = 0; json_object_is_type(probes, json_type_array) && i < json_object_array_length(probes); i++)
		add(f, json_object_array_get_idx(probes, i));
}

void figures_ledger(struct figures *f, struct json_object *ledger)
{
	struct probe_row *row = find(f, live_number(ledger, "number"));
	struct json_object *cycles = live_member(ledger, "cycles"), *lost = live_member(ledger, "lost");
	const char *off = live_text(ledger, "off");

	row = row ? row : add(f, ledger);
	row->state = *off == 'o' ? '!' : *off ? '-' : ' ';
	row->now = (struct probe_counts){ .hits = (uint64_t)live_number(ledger, "hits") };
	if (json_object_is_type(lost, json_type_object)) {
		json_object_object_foreach (lost, name, n) {
			(void)name;
			row->now.lost += (uint64_t)json_object_get_int64(n);
		}
	}
	if (cycles) {
		row->now.runs = (uint64_t)live_number(cycles, "count");
		row->now.cycles = (uint64_t)live_number(cycles, "sum");
		row->now.clock = (uint64_t)live_number(cycles, "clock");
	}
}

void figures_switched(struct figures *f, int number, bool off)
{
	struct probe_row *row = find(f, number);

	if (row && row->state != '!')
		row->state = off ? '-' : ' ';
}

static double growth(uint64_t now, uint64_t before)
{
	return now > before ? (double)(now - before) : 0;
}

/* How fast the cycle counter runs, from a probe that has ledgers of two snapshots SECONDS apart. */
static void find_hertz(struct figures *f, double seconds)
{
	for (size_t i = 0; i < f->n_probes && seconds > 0; i++) {
		const struct probe_row *row = &f->probes[i];

		if (row->before.clock && row->now.clock > row->before.clock) {
			f->hertz = growth(row->now.clock, row->before.clock) / seconds;
			return;
		}
	}
}

static void show_probe(const struct figures *f, struct probe_row *row, double seconds)
{
	double runs = growth(row->now.runs, row->before.runs), cycles = growth(row->now.cycles, row->before.cycles);

	row->hits = row->now.hits;
	row->lost = row->now.lost;
	row->rate = seconds > 0 ? growth(row->now.hits, row->before.hits) / seconds : 0;
	row->average = runs > 0 && f->hertz > 0 ? cycles / runs / f->hertz * 1e9 : -1;
	row->share = seconds > 0 && f->hertz > 0 ? cycles / (f->hertz * seconds) * 100 : 0;
}

/* Seconds of the session's own clock: objects may be late. */
static double time_of(struct json_object *o)
{
	int64_t mono = live_number(o, "time_mono_nano"), unix_time = live_number(o, "time_unix_nano");

	return mono ? (double)mono / 1e9 : unix_time ? (double)unix_time / 1e9 : clock_seconds();
}

void figures_snapshot(struct figures *f, const struct live *live, struct json_object *snapshot, bool paused)
{
	double now = time_of(snapshot), seconds = f->time ? now - f->time : 0;

	find_hertz(f, seconds);
	for (size_t i = 0; i < f->n_probes; i++) {
		if (!paused)
			show_probe(f, &f->probes[i], seconds);
		f->probes[i].before = f->probes[i].now;
	}
	f->time = now;
	if (paused)
		return;
	json_object_put(f->values);
	f->values = json_object_new_object();
	json_object_object_foreach (live->values, name, value)
		json_object_object_add(f->values, name, json_object_get(value));
	figures_list_globals(f);
}

/* ---- globals ---- */

static void put_aggregate(struct text *t, struct json_object *value)
{
	text_printf(t, "count %" PRId64, live_number(value, "count"));
	if (live_number(value, "count"))
		text_printf(t, "  min %" PRId64 "  avg %" PRId64 "  max %" PRId64 "  sum %" PRId64, live_number(value, "min"),
			    live_number(value, "avg"), live_number(value, "max"), live_number(value, "sum"));
}

static void put_value(struct text *t, struct json_object *value)
{
	if (json_object_is_type(value, json_type_object))
		put_aggregate(t, value);
	else if (json_object_is_type(value, json_type_string))
		text_printf(t, "\"%s\"", json_object_get_string(value));
	else
		text_puts(t, json_object_get_string(value));
}

static void add_line(struct lines *l, struct text *t)
{
	lines_add(l, text_str(t), t->len);
	text_deinit(t);
	*t = (struct text){ 0 };
}

/* The buckets of VALUE's histogram, a line each: lower bound, count, bar. */
static void add_histogram(struct lines *l, struct json_object *value)
{
	struct json_object *buckets = live_member(live_member(value, "histogram"), "buckets");
	size_t n = json_object_is_type(buckets, json_type_array) ? json_object_array_length(buckets) : 0;
	int64_t most = 1;

	for (size_t i = 0; i < n; i++) {
		int64_t count = live_number(json_object_array_get_idx(buckets, i), "count");

		most = count > most ? count : most;
	}
	for (size_t i = 0; i < n; i++) {
		struct json_object *b = json_object_array_get_idx(buckets, i);
		int64_t count = live_number(b, "count");
		int bar = (int)((double)count / (double)most * BAR_COLUMNS + 0.5);
		struct text t = { 0 };

		text_printf(&t, "%20" PRId64 " %10" PRId64 " |", live_number(b, "low"), count);
		for (int j = 0; j < bar || (!j && count > 0); j++)
			text_puts(&t, "@");
		add_line(l, &t);
	}
}

static int64_t weight(struct json_object *entry)
{
	struct json_object *value = live_member(entry, "value");

	return json_object_is_type(value, json_type_object) ? live_number(value, "count") : json_object_get_int64(value);
}

static int by_weight(const void *a, const void *b)
{
	int64_t x = weight(*(struct json_object *const *)a), y = weight(*(struct json_object *const *)b);

	return x < y ? 1 : x > y ? -1 : 0;
}

static int by_key(const void *a, const void *b)
{
	struct json_object *x = live_member(*(struct json_object *const *)a, "key"), *y = live_member(*(struct json_object *const *)b, "key");
	int order = 0;

	for (size_t i = 0; !order && i < json_object_array_length(x) && i < json_object_array_length(y); i++) {
		struct json_object *p = json_object_array_get_idx(x, i), *q = json_object_array_get_idx(y, i);

		if (json_object_is_type(p, json_type_int))
			order = json_object_get_int64(p) < json_object_get_int64(q) ? -1 : json_object_get_int64(p) > json_object_get_int64(q);
		else
			order = strcmp(json_object_get_string(p), json_object_get_string(q));
	}
	return order;
}

/* The value, then the keys. A stack as a key goes on below, a frame a line. */
static void add_entry(struct lines *l, struct json_object *entry)
{
	struct json_object *keys = live_member(entry, "key"), *value = live_member(entry, "value");
	struct text all = { 0 }, t = { 0 };
	char *save = NULL;

	for (size_t i = 0; i < json_object_array_length(keys); i++) {
		text_puts(&all, i ? ", " : "");
		live_key(&all, json_object_array_get_idx(keys, i), "\n");
	}
	if (json_object_is_type(value, json_type_int))
		text_printf(&t, "%20s  ", json_object_get_string(value));
	else
		text_puts(&t, "  ");
	for (char *part = strtok_r(all.buf ? all.buf : (char[]){ "" }, "\n", &save); part; part = strtok_r(NULL, "\n", &save)) {
		text_puts(&t, part);
		if (save && *save) {
			add_line(l, &t);
			text_printf(&t, "%22s", "");
		}
	}
	if (!json_object_is_type(value, json_type_int)) {
		text_puts(&t, "  ");
		put_value(&t, value);
	}
	add_line(l, &t);
	add_histogram(l, value);
	text_deinit(&all);
}

static void add_map(struct lines *l, const char *name, struct json_object *map, bool sorted_by_key)
{
	struct json_object *entries = live_member(map, "entries");
	size_t n = json_object_is_type(entries, json_type_array) ? json_object_array_length(entries) : 0;
	struct json_object **order = xmalloc((n + 1) * sizeof(*order));
	struct text t = { 0 };

	for (size_t i = 0; i < n; i++)
		order[i] = json_object_array_get_idx(entries, i);
	qsort(order, n, sizeof(*order), sorted_by_key ? by_key : by_weight);
	text_printf(&t, "%s: %zu element%s", name, n, n == 1 ? "" : "s");
	if (!json_object_get_boolean(live_member(map, "complete")))
		text_puts(&t, ", others were lost");
	add_line(l, &t);
	for (size_t i = 0; i < n && i < ENTRIES_MAX; i++)
		if (json_object_is_type(live_member(order[i], "key"), json_type_array))
			add_entry(l, order[i]);
	if (n > ENTRIES_MAX) {
		text_printf(&t, "%20s  and %zu more", "", n - ENTRIES_MAX);
		add_line(l, &t);
	}
	free(order);
}

void figures_list_globals(struct figures *f)
{
	struct lines *l = &f->globals;

	lines_clear(l);
	if (!f->values)
		return;
	json_object_object_foreach (f->values, name, value) {
		struct text t = { 0 };

		if (!strcmp(live_text(value, "type"), "map")) {
			add_map(l, name, value, f->by_key);
			continue;
		}
		text_printf(&t, "%s: ", name);
		put_value(&t, live_member(value, "value"));
		add_line(l, &t);
		add_histogram(l, live_member(value, "value"));
	}
}

void figures_deinit(struct figures *f)
{
	for (size_t i = 0; i < f->n_probes; i++)
		free(f->probes[i].point);
	free(f->probes);
	json_object_put(f->values);
	lines_clear(&f->globals);
}
