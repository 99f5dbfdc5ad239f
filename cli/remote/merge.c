/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges maps and globals of several machines.
 *
 * Elements with equal keys become one: numbers are added, as are the counts, sums and buckets of aggregates; of their minima the
 * smallest stays, of their maxima the largest. Strings cannot be added: different ones stay beside each other. Keys that are
 * stacks are equal if their frames name the same functions, since addresses differ from machine to machine. A global without
 * keys is an array with one element here.
 */
#include "cli/remote/merge.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/live.h"
#include "lib/text.h"
#include "lib/vec.h"

enum {
	BAR = 50, /* characters of the longest row of a histogram */
	GLOBALS_MAX = 10000, /* of all machines; no script has as many */
	MACHINE_MAX_BYTES = 1 << 28, /* of the lines of one machine */
};

struct merged {
	struct json_object *record;  /* the first machine's; its entries are the merged ones */
	struct json_object *entries; /* an array of { key, value } */
	struct json_object *index;   /* from the text of a key to an entry, which the array owns */
	struct json_object *remotes; /* names of the machines */
	bool complete;
};

bool merge_check(const char *option)
{
	return true;
}

static struct json_object *array(struct json_object *o, const char *name)
{
	struct json_object *value = live_member(o, name);

	return json_object_is_type(value, json_type_array) ? value : NULL;
}

static size_t length(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

static bool is_aggregate(struct json_object *value)
{
	return json_object_is_type(value, json_type_object);
}

/* ---- values ---- */
static void set_number(struct json_object *o, const char *name, int64_t value)
{
	json_object_object_add(o, name, json_object_new_int64(value));
}

static int64_t sum_of(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b); /* as the language adds */
}

static struct json_object *buckets_of(struct json_object *aggregate)
{
	return array(live_member(aggregate, "histogram"), "buckets");
}

/* Buckets are ordered by their bounds. */
static int compare_buckets(struct json_object *a, struct json_object *b)
{
	int64_t x = live_number(a, "low"), y = live_number(b, "low");

	if (x == y) {
		x = live_number(a, "high");
		y = live_number(b, "high");
	}
	return x < y ? -1 : x > y;
}

/* Adds the buckets of FROM to those of INTO with their bounds. Both are in order, so one walk through them is enough. */
static void merge_histogram(struct json_object *into, struct json_object *from)
{
	struct json_object *a = buckets_of(into), *b = buckets_of(from), *both;
	size_t i = 0, j = 0;

	if (!b)
		return;
	if (!a) {
		json_object_object_add(into, "histogram", json_object_get(live_member(from, "histogram")));
		return;
	}
	both = json_object_new_array();
	while (i < length(a) || j < length(b)) {
		struct json_object *x = json_object_array_get_idx(a, i), *y = json_object_array_get_idx(b, j);
		int order = !x ? 1 : !y ? -1 : compare_buckets(x, y);

		if (!order)
			set_number(x, "count", sum_of(live_number(x, "count"), live_number(y, "count")));
		json_object_array_add(both, json_object_get(order > 0 ? y : x));
		i += order <= 0;
		j += order >= 0;
	}
	json_object_object_add(live_member(into, "histogram"), "buckets", both);
}

static void take_extremes(struct json_object *into, struct json_object *from, bool first)
{
	if (first || live_number(from, "min") < live_number(into, "min"))
		set_number(into, "min", live_number(from, "min"));
	if (first || live_number(from, "max") > live_number(into, "max"))
		set_number(into, "max", live_number(from, "max"));
}

static void merge_aggregate(struct json_object *into, struct json_object *from)
{
	int64_t before = live_number(into, "count"), count = sum_of(before, live_number(from, "count"));

	if (!live_number(from, "count"))
		return;
	take_extremes(into, from, !before);
	set_number(into, "count", count);
	set_number(into, "sum", sum_of(live_number(into, "sum"), live_number(from, "sum")));
	set_number(into, "avg", count > 0 ? live_number(into, "sum") / count : 0);
	merge_histogram(into, from);
}

/* Adds the value of FROM to that of the entry INTO. */
static void merge_value(struct json_object *into, struct json_object *from)
{
	struct json_object *a = live_member(into, "value"), *b = live_member(from, "value");

	if (is_aggregate(a) && is_aggregate(b))
		merge_aggregate(a, b);
	else if (json_object_is_type(a, json_type_int))
		set_number(into, "value", sum_of(json_object_get_int64(a), json_object_get_int64(b)));
}

/* ---- keys ---- */
static void put_frame(struct text *t, struct json_object *frame)
{
	const char *function = live_text(frame, "code.function.name");

	if (*function)
		text_printf(t, "%s %s\n", function, live_text(frame, "module"));
	else
		text_printf(t, "%s\n", live_text(frame, "text"));
}

/* The text by which entries are equal. */
static void put_identity(struct text *t, struct json_object *entry)
{
	struct json_object *key = array(entry, "key"), *value = live_member(entry, "value");

	for (size_t i = 0; i < length(key); i++) {
		struct json_object *k = json_object_array_get_idx(key, i), *stack = array(k, "stack");

		for (size_t f = 0; stack && f < length(stack); f++)
			put_frame(t, json_object_array_get_idx(stack, f));
		text_printf(t, "%s,", stack ? "" : json_object_to_json_string(k));
	}
	if (json_object_is_type(value, json_type_string))
		text_puts(t, json_object_to_json_string(value));
}

static void merge_entry(struct merged *m, struct json_object *entry)
{
	_cleanup_text_ struct text identity = { 0 };
	struct json_object *there;

	put_identity(&identity, entry);
	there = live_member(m->index, text_str(&identity));
	if (there) {
		merge_value(there, entry);
	} else {
		json_object_array_add(m->entries, json_object_get(entry));
		json_object_object_add(m->index, text_str(&identity), json_object_get(entry));
	}
}

/* ---- records ---- */
static bool has_type(struct json_object *value, const char *type)
{
	return json_object_is_type(value, !strcmp(type, "long") ? json_type_int : !strcmp(type, "string") ? json_type_string : json_type_object);
}

static bool is_in_order(struct json_object *buckets)
{
	for (size_t i = 0; i < length(buckets); i++) {
		struct json_object *b = json_object_array_get_idx(buckets, i);

		if (live_number(b, "low") > live_number(b, "high") ||
		    (i && live_number(b, "low") <= live_number(json_object_array_get_idx(buckets, i - 1), "high")))
			return false;
	}
	return true;
}

/* Is the ENTRY as RECORD says that all are? A global is an entry without a key. A key that is a stack was a string. */
static bool is_entry_of(struct json_object *entry, struct json_object *record)
{
	struct json_object *key = array(entry, "key"), *types = array(record, "key_types"), *value = live_member(entry, "value");

	if (!has_type(value, live_text(record, "value_type")) || length(key) != length(types) || !is_in_order(buckets_of(value)))
		return false;
	for (size_t i = 0; i < length(key); i++) {
		struct json_object *k = json_object_array_get_idx(key, i);
		bool number = !strcmp(json_object_get_string(json_object_array_get_idx(types, i)), "long");

		if (number != json_object_is_type(k, json_type_int))
			return false;
	}
	return true;
}

static bool is_sound(struct json_object *record)
{
	struct json_object *entries = array(record, "entries");

	for (size_t i = 0; i < length(entries); i++)
		if (!is_entry_of(json_object_array_get_idx(entries, i), record))
			return false;
	return entries || is_entry_of(record, record);
}

/* Do A and B say the same of a global's type? */
static bool is_alike(struct json_object *a, struct json_object *b)
{
	return json_object_equal(live_member(a, "type"), live_member(b, "type")) &&
	       json_object_equal(live_member(a, "value_type"), live_member(b, "value_type")) &&
	       json_object_equal(live_member(a, "key_types"), live_member(b, "key_types"));
}

static struct merged *find_merged(const struct merge *all, const char *name)
{
	struct json_object *number = live_member(all->numbers, name);

	return number ? &all->merged[json_object_get_int64(number)] : NULL;
}

static struct merged *add_merged(struct merge *all, struct json_object *record)
{
	struct merged *m;

	json_object_object_add(all->numbers, live_text(record, "name"), json_object_new_int64((int64_t)all->n));
	m = vec_add(all->merged, all->n);
	*m = (struct merged){ json_object_get(record), json_object_new_array(), json_object_new_object(), json_object_new_array(), true };
	return m;
}

/* Adds LEN to the bytes of the machine NAME. False: they are too many. */
static bool count_bytes(struct json_object *sizes, const char *name, size_t len)
{
	int64_t sum = live_number(sizes, name) + (int64_t)len;

	set_number(sizes, name, sum);
	return sum <= MACHINE_MAX_BYTES;
}

static void merge_global(struct merged *m, struct json_object *record)
{
	struct json_object *entry = json_object_new_object();

	json_object_object_add(entry, "key", json_object_new_array());
	json_object_object_add(entry, "value", json_object_get(live_member(record, "value")));
	merge_entry(m, entry);
	json_object_put(entry);
}

static void merge_map(struct merged *m, struct json_object *record)
{
	struct json_object *entries = array(record, "entries");

	for (size_t i = 0; i < length(entries); i++)
		merge_entry(m, json_object_array_get_idx(entries, i));
	m->complete &= json_object_get_boolean(live_member(record, "complete"));
}

/* Returns why RECORD of the machine NAME cannot be merged, or NULL. M is the global of its name, one of N_MERGED, or NULL. */
static const char *why_refused(const struct merged *m, size_t n_merged, const char *name, struct json_object *record)
{
	size_t n = m ? length(m->remotes) : 0;

	if (!is_sound(record))
		return "its values are not of the types that it names, or its buckets are not in order";
	if (m && !is_alike(m->record, record))
		return "another machine has this global with another type";
	/* Records of machines come in any order, so NAME may be anywhere among the machines that were merged. */
	for (size_t i = 0; i < n; i++)
		if (!strcmp(json_object_get_string(json_object_array_get_idx(m->remotes, i)), name))
			return "this global came before";
	return !m && n_merged >= GLOBALS_MAX ? "there are too many globals" : NULL;
}

enum merge_fate merge_take(struct merge *all, const char *name, struct json_object *record, size_t len, struct text *why)
{
	bool map = !strcmp(live_text(record, "type"), "map"), global = !strcmp(live_text(record, "type"), "global");
	const char *refused;
	struct merged *m;

	if (!map && !global)
		return MERGE_OTHER;
	all->numbers = all->numbers ? all->numbers : json_object_new_object();
	all->sizes = all->sizes ? all->sizes : json_object_new_object();
	m = find_merged(all, live_text(record, "name"));
	refused = why_refused(m, all->n, name, record);
	if (!refused && !count_bytes(all->sizes, name, len))
		refused = "the globals of this machine are too large";
	if (refused) {
		text_puts(why, refused);
		return MERGE_REFUSED;
	}
	m = m ? m : add_merged(all, record);
	json_object_array_add(m->remotes, json_object_new_string(name));
	if (map)
		merge_map(m, record);
	else
		merge_global(m, record);
	return MERGE_TAKEN;
}

static void put_losses(struct text *t, struct json_object *lost)
{
	bool any = false;

	if (!json_object_is_type(lost, json_type_object))
		return;
	json_object_object_foreach(lost, cause, count) {
		text_printf(t, "%s%s %" PRId64, any ? ", " : "lost: ", cause, json_object_get_int64(count));
		any = true;
	}
	if (any)
		text_puts(t, "\n");
}

void merge_show(struct json_object *record, struct text *t, struct text *warning)
{
	const char *type = live_text(record, "type");

	if (!strcmp(type, "print"))
		live_bytes(t, live_member(record, "text"));
	else if (!strcmp(type, "warning") || !strcmp(type, "error"))
		text_printf(warning, "%s: %s\n", type, live_text(record, "message"));
	else if (!strcmp(type, "exit"))
		put_losses(warning, live_member(record, "lost"));
}

/* ---- output ---- */
/* What entries are sorted by: the largest first. */
static int64_t weight(struct json_object *entry)
{
	struct json_object *value = live_member(entry, "value");

	return is_aggregate(value) ? live_number(value, "count") : json_object_get_int64(value);
}

static int compare_entries(const void *a, const void *b)
{
	int64_t x = weight(*(struct json_object *const *)a), y = weight(*(struct json_object *const *)b);

	return x > y ? -1 : x < y;
}

static void put_value(struct text *t, struct json_object *value)
{
	_cleanup_text_ struct text bytes = { 0 };

	live_bytes(&bytes, value);
	if (json_object_is_type(value, json_type_string))
		text_quote(t, text_str(&bytes), bytes.len);
	else
		text_printf(t, "%" PRId64, json_object_get_int64(value));
}

static void put_stacks(struct text *t, struct json_object *key)
{
	for (size_t i = 0; i < length(key); i++) {
		struct json_object *stack = array(json_object_array_get_idx(key, i), "stack");

		for (size_t f = 0; stack && f < length(stack); f++)
			text_printf(t, "%s\n", live_text(json_object_array_get_idx(stack, f), "text"));
	}
}

static void put_key(struct text *t, struct json_object *key)
{
	for (size_t i = 0; i < length(key); i++) {
		struct json_object *k = json_object_array_get_idx(key, i);

		text_puts(t, i ? "," : "[");
		if (live_member(k, "stack"))
			text_puts(t, "stack");
		else
			put_value(t, k);
	}
	if (length(key))
		text_puts(t, "]");
}

static void put_histogram(struct text *t, struct json_object *buckets)
{
	int64_t most = 1;

	for (size_t i = 0; i < length(buckets); i++)
		if (live_number(json_object_array_get_idx(buckets, i), "count") > most)
			most = live_number(json_object_array_get_idx(buckets, i), "count");
	text_printf(t, "%20s |", "value");
	for (int c = 0; c < BAR; c++)
		text_puts(t, "-");
	text_puts(t, " count\n");
	for (size_t i = 0; i < length(buckets); i++) {
		struct json_object *b = json_object_array_get_idx(buckets, i);
		int64_t count = live_number(b, "count");
		int length = (int)((double)count * BAR / (double)most);

		text_printf(t, "%20" PRId64 " |", live_number(b, "low"));
		for (int c = 0; c < BAR; c++)
			text_puts(t, c < length ? "@" : " ");
		text_printf(t, " %" PRId64 "\n", count);
	}
}

static void put_aggregate(struct text *t, struct json_object *value)
{
	if (!live_number(value, "count")) {
		text_puts(t, ": count 0\n");
		return;
	}
	text_printf(t, ": count %" PRId64 ", min %" PRId64 ", max %" PRId64 ", sum %" PRId64 ", avg %" PRId64 "\n",
		    live_number(value, "count"), live_number(value, "min"), live_number(value, "max"), live_number(value, "sum"), live_number(value, "avg"));
	if (buckets_of(value) && live_number(value, "min") != live_number(value, "max"))
		put_histogram(t, buckets_of(value));
}

/* As a session prints it. */
static void put_entry(struct text *t, const char *name, struct json_object *entry)
{
	struct json_object *key = array(entry, "key"), *value = live_member(entry, "value");

	put_stacks(t, key);
	text_puts(t, name);
	put_key(t, key);
	if (is_aggregate(value)) {
		put_aggregate(t, value);
		return;
	}
	text_puts(t, "=");
	put_value(t, value);
	text_puts(t, "\n");
}

static void put_text(struct text *t, struct merged *m)
{
	for (size_t i = 0; i < length(m->entries); i++)
		put_entry(t, live_text(m->record, "name"), json_object_array_get_idx(m->entries, i));
}

/* The record that a session writes, with the names of the machines. A scalar stays one unless its strings differ. */
static void put_object(struct text *t, struct merged *m)
{
	bool map = !strcmp(live_text(m->record, "type"), "map");

	json_object_object_add(m->record, "remotes", json_object_get(m->remotes));
	if (map) {
		json_object_object_add(m->record, "entries", json_object_get(m->entries));
		json_object_object_add(m->record, "complete", json_object_new_boolean(m->complete));
	}
	for (size_t i = 0; i < (map ? 1 : length(m->entries)); i++) {
		if (!map)
			json_object_object_add(m->record, "value",
					       json_object_get(live_member(json_object_array_get_idx(m->entries, i), "value")));
		text_printf(t, "%s\n", json_object_to_json_string_ext(m->record, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	}
}

void merge_print(struct merge *all, struct text *t, bool json)
{
	for (size_t i = 0; i < all->n; i++) {
		struct merged *m = &all->merged[i];

		json_object_array_sort(m->entries, compare_entries);
		if (json)
			put_object(t, m);
		else
			put_text(t, m);
		json_object_put(m->record);
		json_object_put(m->index);
		json_object_put(m->remotes);
		json_object_put(m->entries);
	}
	json_object_put(all->numbers);
	json_object_put(all->sizes);
	free(all->merged);
	*all = (struct merge){ 0 };
}
