/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks a record against the JSON Schema of the output, which is linked in: the keywords that it uses are functions here. */
#include "cli/remote/record.h"

#include <json-c/json.h>
#include <regex.h>
#include <string.h>

#include "cli/live/live.h"
#include "cli/remote/output-schema.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "runtime/output/json.h"

enum { PLAIN = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE };

/* NAME is the innermost member that is looked at. */
struct check {
	struct json_object *root;
	const char *name;
	struct text *why;
};

static bool conforms(struct check *c, struct json_object *schema, struct json_object *value);

static bool refuse(struct check *c, const char *why)
{
	text_clear(c->why);
	text_printf(c->why, "its member '%s' %s", c->name, why);
	return false;
}

/* ---- keywords: each checks VALUE against SCHEMA, and reports to C->why ---- */
static bool check_type(struct check *c, struct json_object *schema, struct json_object *value)
{
	const char *is = json_type_to_name(json_object_get_type(value));
	size_t n = json_object_is_type(schema, json_type_array) ? json_object_array_length(schema) : 1;

	for (size_t i = 0; i < n; i++) {
		struct json_object *one = json_object_is_type(schema, json_type_array) ? json_object_array_get_idx(schema, i) : schema;
		const char *wanted = json_object_get_string(one);

		/* json-c calls integers int; the schema calls them integer. */
		if (!strcmp(wanted, "integer") ? json_object_is_type(value, json_type_int) : !strcmp(wanted, is))
			return true;
	}
	return refuse(c, "has another type");
}

static bool check_const(struct check *c, struct json_object *schema, struct json_object *value)
{
	return json_object_equal(schema, value) || refuse(c, "has another value");
}

static bool check_enum(struct check *c, struct json_object *schema, struct json_object *value)
{
	for (size_t i = 0; i < json_object_array_length(schema); i++)
		if (json_object_equal(json_object_array_get_idx(schema, i), value))
			return true;
	return refuse(c, "has another value");
}

static bool check_minimum(struct check *c, struct json_object *schema, struct json_object *value)
{
	return json_object_get_int64(value) >= json_object_get_int64(schema) || refuse(c, "is too small");
}

static bool check_maximum(struct check *c, struct json_object *schema, struct json_object *value)
{
	return json_object_get_int64(value) <= json_object_get_int64(schema) || refuse(c, "is too large");
}

static bool check_pattern(struct check *c, struct json_object *schema, struct json_object *value)
{
	regex_t regex;
	bool ok;

	if (regcomp(&regex, json_object_get_string(schema), REG_EXTENDED | REG_NOSUB))
		bug("the schema has the pattern %s", json_object_get_string(schema));
	ok = !regexec(&regex, json_object_get_string(value), 0, NULL, 0);
	regfree(&regex);
	return ok || refuse(c, "has another form");
}

static bool check_items(struct check *c, struct json_object *schema, struct json_object *value)
{
	size_t n = json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;

	for (size_t i = 0; i < n; i++)
		if (!conforms(c, schema, json_object_array_get_idx(value, i)))
			return false;
	return true;
}

static bool check_required(struct check *c, struct json_object *schema, struct json_object *value)
{
	for (size_t i = 0; i < json_object_array_length(schema); i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(schema, i));

		if (json_object_object_get_ex(value, name, NULL))
			continue;
		c->name = name;
		return refuse(c, "is missing");
	}
	return true;
}

/* Removes the members that have no schema, so that they say nothing unchecked. */
static bool check_properties(struct check *c, struct json_object *schema, struct json_object *value)
{
	const char *outer = c->name;

	json_object_object_foreach(value, name, member) {
		struct json_object *of_member = live_member(schema, name);

		c->name = name;
		if (!of_member)
			json_object_object_del(value, name);
		else if (!conforms(c, of_member, member))
			return false;
	}
	c->name = outer;
	return true;
}

static struct json_object *resolve(const struct check *c, struct json_object *schema)
{
	static const char prefix[] = "#/$defs/";
	struct json_object *ref = live_member(schema, "$ref");

	return ref ? live_member(live_member(c->root, "$defs"), json_object_get_string(ref) + sizeof(prefix) - 1) : schema;
}

static bool check_ref(struct check *c, struct json_object *schema, struct json_object *value)
{
	static const char prefix[] = "#/$defs/";

	return conforms(c, live_member(live_member(c->root, "$defs"), json_object_get_string(schema) + sizeof(prefix) - 1), value);
}

/* Records are told apart by their type, other values by that of JSON. */
static bool check_one_of(struct check *c, struct json_object *schema, struct json_object *value)
{
	struct json_object *type = json_object_is_type(value, json_type_object) ? live_member(value, "type") : NULL;

	for (size_t i = 0; i < json_object_array_length(schema); i++) {
		struct json_object *one = resolve(c, json_object_array_get_idx(schema, i));
		struct json_object *its_type = live_member(live_member(live_member(one, "properties"), "type"), "const");

		if (its_type ? json_object_equal(type, its_type) : check_type(c, live_member(one, "type"), value))
			return conforms(c, one, value);
	}
	if (schema == live_member(c->root, "oneOf"))
		c->name = "type";
	return refuse(c, "is none that ktap has");
}

static const struct keyword {
	const char *name;
	bool (*check)(struct check *c, struct json_object *schema, struct json_object *value); /* NULL: it says nothing of values */
} keywords[] = {
	{ "type", check_type },
	{ "const", check_const },
	{ "enum", check_enum },
	{ "pattern", check_pattern },
	{ "minimum", check_minimum },
	{ "maximum", check_maximum },
	{ "items", check_items },
	{ "required", check_required },
	{ "properties", check_properties },
	{ "oneOf", check_one_of },
	{ "$ref", check_ref },
	{ "$schema", NULL },
	{ "$id", NULL },
	{ "$defs", NULL },
	{ "title", NULL },
	{ "description", NULL },
};

/* The keyword type comes first, in the schema too: the others rely on it. */
static bool conforms(struct check *c, struct json_object *schema, struct json_object *value)
{
	json_object_object_foreach(schema, name, of_keyword) {
		const struct keyword *k = keywords, *end = keywords + sizeof(keywords) / sizeof(keywords[0]);

		while (k < end && strcmp(k->name, name))
			k++;
		if (k == end)
			bug("the schema has the keyword '%s'", name);
		if (k->check && !k->check(c, of_keyword, value))
			return false;
	}
	return true;
}

/* ---- records ---- */
static struct json_object *parse(const char *line, size_t len, struct text *why)
{
	struct json_tokener *t = json_tokener_new();
	struct json_object *o;

	json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(t, line, (int)len);
	if (!o || json_tokener_get_parse_end(t) != len) {
		text_printf(why, "it is no JSON: %s", o ? "something follows the object" : json_tokener_error_desc(json_tokener_get_error(t)));
		json_object_put(o);
		o = NULL;
	}
	json_tokener_free(t);
	return o;
}

struct json_object *record_schema(void)
{
	struct json_object *schema = json_tokener_parse(output_schema);

	if (!schema)
		bug("the schema of the output is no JSON");
	return schema;
}

struct json_object *record_parse(struct json_object *schema, const char *line, size_t len, struct text *why)
{
	struct check c = { .root = schema, .name = "type", .why = why };
	struct json_object *o = parse(line, len, why);

	if (!o || (json_object_is_type(o, json_type_object) ? conforms(&c, schema, o) : refuse(&c, "is missing")))
		return o;
	json_object_put(o);
	return NULL;
}

void record_put(struct text *t, struct json_object *record, const char *name)
{
	struct json j = { 0 };

	json_puts(&j, "{");
	json_member_string(&j, "remote", name);
	text_append(t, j.buf, j.len);
	text_printf(t, ",%s", json_object_to_json_string_ext(record, PLAIN) + 1);
	json_deinit(&j);
}

void record_deinit(struct json_object *record)
{
	json_object_put(record);
}
