/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/map.c and loop.c: elements, limits, order, sorting, slices, tables per CPU; and random operations against a
 * model that is a plain list. */
#include "runtime/core/core.h"
#include "runtime/core/map.h"
#include "testsuite/unit/port.h"
#include "testsuite/unit/tap.h"

static struct kt_ctx ctx;
static struct kt_ctx *const c = &ctx;

#define I(v) { .number = (v) }
#define S(v) { .string = (v) }
#define K(...) ((const union kt_key[]){ __VA_ARGS__ })

static const char *error(void)
{
	const char *e = c->error ? c->error : "";

	c->error = NULL;
	return e;
}

static void longs(void)
{
	static const struct kt_map_type t = { .name = "a", .n_keys = 1, .entries = 3, .string_max = 64 };
	struct kt_map m;

	is_int(kt_map_init(&m, &t), 0, "init");
	is_int(kt_map_get_i(&m, 7), 0, "an absent element is 0");
	is_int(m.count, 0, "reading creates nothing");
	*kt_map_ref_i(c, &m, 7) += 5;
	*kt_map_ref_i(c, &m, 0) = -1;
	*kt_map_ref(c, &m, K(I(-9))) = 3;
	is_int(kt_map_get_i(&m, 7), 5, "element 7");
	is_int(kt_map_get_i(&m, 0), -1, "key 0");
	is_int(kt_map_get_i(&m, -9), 3, "inline and general lookups agree");
	is_int(kt_map_get(&m, K(I(7))), 5, "the other way round");
	ok(!kt_map_ref_i(c, &m, 8), "a fourth element");
	is_str(error(), "Array overflow: 'a' is full with 3 elements; declare it larger, as in a[N], or raise "
			"-DMAXMAPENTRIES", "its error");
	kt_map_delete(c, &m, K(I(0)), 0);
	ok(!kt_map_has(c, &m, K(I(0)), 0) && kt_map_has(c, &m, K(I(7)), 0), "deleted");
	kt_map_delete(c, &m, K(I(0)), 0);
	is_int(m.count, 2, "deleting what is absent");
	*kt_map_ref_i(c, &m, 8) = 8;
	is_int(kt_map_get_i(&m, 8), 8, "its room is used again, zeroed");
	kt_map_clear(c, &m);
	is_int(m.count, 0, "cleared");
	is_int(*kt_map_ref_i(c, &m, 7), 0, "created anew as 0");
	kt_map_free(&m);
	is_int(port_allocs, 0, "all memory is returned");
}

static void strings(void)
{
	static const struct kt_map_type t = {
		.name = "s", .n_keys = 2, .string_keys = 1, .value = KT_VALUE_STRING, .entries = 200, .string_max = 512,
		.text_share = 28,
	};
	struct kt_map m;
	char b[512], text[512];

	is_int(kt_map_init(&m, &t), 0, "init");
	kt_map_get_string(&m, K(S("x"), I(1)), b, sizeof(b));
	is_str(b, "", "an absent element is \"\"");
	for (int len = 0; len < 90; len++) {
		memset(text, 'a' + len % 26, sizeof(text));
		text[len] = 0;
		kt_map_set_string(c, &m, K(S(text), I(len)), text);
	}
	for (int len = 0; len < 90; len++) {
		memset(text, 'a' + len % 26, sizeof(text));
		text[len] = 0;
		kt_map_get_string(&m, K(S(text), I(len)), b, sizeof(b));
		ok(!strcmp(b, text), "value of length %d", len);
	}
	kt_map_get_string(&m, K(S("b"), I(1)), b, 1);
	is_str(b, "", "into one byte");
	ok(!kt_map_has(c, &m, K(S("b"), I(2)), 0), "the second key matters");
	memset(text, 'z', 511);
	text[511] = 0;
	for (int i = 0; i < 110 && !c->error; i++)
		kt_map_set_string(c, &m, K(S("b"), I(1000 + i)), text);
	is_str(error(), "Array overflow: 's' has no room for more text at 102 elements; raise -DMAPSTRINGLEN, the average "
			"length of its strings", "no room for text");
	kt_map_set_string(c, &m, K(S("b"), I(1000)), "short");
	kt_map_get_string(&m, K(S("b"), I(1000)), b, sizeof(b));
	is_str(b, "short", "a shorter value fits");
	kt_map_set_string(c, &m, K(S("b"), I(1)), text);
	is_str(error(), "", "and leaves room");
	is_int(m.count, 101, "the element that did not fit is not there");
	kt_map_clear(c, &m);
	for (int i = 0; i < 16; i++)
		kt_map_set_string(c, &m, K(S(text), I(i)), text);
	is_str(error(), "", "16 elements of full length always fit");
	kt_map_free(&m);
}

/* Arrays of one string key: a key is the same wherever it lies. */
static void one_string(void)
{
	static const struct kt_map_type t = {
		.name = "o", .n_keys = 1, .string_keys = 1, .value = KT_VALUE_LONG, .entries = 200, .string_max = 512,
	};
	_Alignas(8) char text[128];
	struct kt_map m;
	int wrong = 0;

	is_int(kt_map_init(&m, &t), 0, "init");
	for (int len = 0; len < 90; len++) {
		for (int at = 0; at < 8; at++) {
			memset(text, 'x', sizeof(text));
			memset(text + at, 'a' + len % 3, len);
			text[at + len] = 0;
			*kt_map_ref_s(c, &m, text + at) += 1;
			wrong += kt_map_find_s(&m, text + at) != kt_map_find(&m, K(S(text + at)));
			wrong += kt_map_get_s(&m, text + at) != at + 1;
			wrong += kt_map_get_h(&m, kt_hashed(text + at)) != at + 1;
			text[at + len] = 'y';
			text[at + len + 1] = 0;
			wrong += kt_map_get_s(&m, text + at) != 0;
			wrong += kt_map_get_h(&m, kt_hashed(text + at)) != 0;
			wrong += kt_map_get_h(&m, kt_hashed_bytes(text + at, len)) != at + 1;
		}
	}
	is_int(wrong, 0, "one string as key");
	is_int(m.count, 90, "its elements");
	memset(text, 'z', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (int len = 1; len < 90; len++) {
		*kt_map_ref_h(c, &m, kt_hashed_bytes(text, len)) = len;
		wrong += kt_map_ref_h(c, &m, kt_hashed_bytes(text + 1, len)) != kt_map_find(&m, K(S(text + sizeof(text) - 1 - len)));
	}
	is_int(wrong, 0, "elements made of bytes that go on");
	is_int(m.count, 179, "as many");
	is_str(error(), "", "no error");
	for (int i = 0; i < 30; i++) {
		snprintf(text, sizeof(text), "%d", i);
		kt_map_ref_h(c, &m, kt_hashed(text));
	}
	ok(strstr(error(), "is full"), "an array that is full");
	kt_map_free(&m);
}

static void memory(void)
{
	static const struct kt_map_type two = {
		.name = "m", .n_keys = 2, .string_keys = 3, .entries = 2048, .string_max = 512, .sort_slots = 1,
	}, three = {
		.name = "m", .n_keys = 2, .string_keys = 3, .value = KT_VALUE_STRING, .entries = 2048, .string_max = 512,
		.sort_slots = 1, .text_share = 112,
	}, huge = { .name = "m", .n_keys = 1, .entries = KT_ENTRIES_MAX + 1 }, none = { .name = "m", .n_keys = 1 };
	struct kt_map m;

	kt_map_init(&m, &three);
	ok(m.bytes <= 3 * 512 * 2048 / 3, "[string,string] of strings takes %llu bytes", m.bytes);
	kt_map_free(&m);
	for (int fail = 0; fail < 4; fail++) {
		port_fail_at = fail;
		is_int(kt_map_init(&m, &two), -12, "no memory");
	}
	port_fail_at = -1;
	is_int(kt_map_init(&m, &two), 0, "memory again");
	printf("# [string,string] of longs: %llu bytes\n", m.bytes);
	kt_map_free(&m);
	is_int(kt_map_init(&m, &huge), -22, "too many elements");
	is_int(kt_map_init(&m, &none), -22, "no elements");
	is_int(port_allocs, 0, "all memory is returned");
}

static void wrapping(void)
{
	static const struct kt_map_type t = {
		.name = "w", .n_keys = 1, .string_keys = 1, .value = KT_VALUE_STRING, .entries = 40, .string_max = 256,
		.wrap = 1, .text_share = 28,
	};
	struct kt_map m;
	char key[16], b[256], text[256];

	memset(text, 't', 255);
	text[255] = 0;
	kt_map_init(&m, &t);
	for (int i = 0; i < 1000; i++) {
		sprintf(key, "key %d", i);
		kt_map_set_string(c, &m, K(S(key)), i % 3 ? "v" : text);
		kt_map_get_string(&m, K(S(key)), b, sizeof(b));
		if (c->error || strcmp(b, i % 3 ? "v" : text))
			break;
	}
	is_str(error(), "", "a wrapping array takes everything");
	is_str(b, text, "the last one is there");
	ok(!kt_map_has(c, &m, K(S("key 900")), 0), "an old one is not");
	ok(kt_map_has(c, &m, K(S("key 998")), 0), "a new one is");
	kt_map_free(&m);
}

/* The keys of a loop as "1 2 3". */
static const char *walk(struct kt_loop *loop)
{
	static char b[256];
	int at = 0;

	b[0] = 0;
	for (kt_loop_start(c, loop); kt_loop_next(c, loop);)
		at += sprintf(b + at, "%s%lld", at ? " " : "", kt_loop_long(loop, 0));
	return b;
}
#define WALK(...) walk(&(struct kt_loop){ __VA_ARGS__ })

static void loops(void)
{
	static const struct kt_map_type t = {
		.name = "l", .n_keys = 2, .string_keys = 2, .entries = 10, .string_max = 64, .sort_slots = 2,
	};
	static const struct { kt_s64 key; const char *name; kt_s64 value; } rows[] = {
		{ 3, "c", 10 }, { 1, "b", 30 }, { 2, "a", 20 }, { -5, "b", 20 }, { 4, "bb", 10 },
	};
	struct kt_map m;

	kt_map_init(&m, &t);
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .limit = KT_NO_LIMIT), "", "an empty array");
	for (int i = 0; i < 5; i++)
		*kt_map_ref(c, &m, K(I(rows[i].key), S(rows[i].name))) = rows[i].value;
	is_str(WALK(.map = &m, .sort = KT_SORT_NONE, .limit = KT_NO_LIMIT), "3 1 2 -5 4", "order of creation");
	is_str(WALK(.map = &m, .sort = KT_SORT_NONE, .limit = 2), "3 1", "limit");
	is_str(WALK(.map = &m, .sort = KT_SORT_NONE, .limit = 0), "", "limit 0");
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .limit = -1), "", "limit below 0");
	is_str(WALK(.map = &m, .sort = 0, .limit = KT_NO_LIMIT), "-5 1 2 3 4", "by key, ascending");
	is_str(WALK(.map = &m, .sort = 0, .down = 1, .limit = KT_NO_LIMIT), "4 3 2 1 -5", "by key, descending");
	is_str(WALK(.map = &m, .sort = 1, .limit = KT_NO_LIMIT), "2 1 -5 4 3", "by a string key, stable");
	is_str(WALK(.map = &m, .sort = 1, .down = 1, .limit = KT_NO_LIMIT), "3 4 1 -5 2", "descending, stable");
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .limit = KT_NO_LIMIT), "3 4 2 -5 1", "by value, stable");
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .down = 1, .limit = 3), "1 2 -5", "the top three");
	is_str(WALK(.map = &m, .sort = 0, .limit = KT_NO_LIMIT, .slice = K(I(0), S("b")), .any = 1), "-5 1", "a slice");
	is_str(WALK(.map = &m, .sort = KT_SORT_NONE, .limit = 1, .slice = K(I(0), S("b")), .any = 1), "1",
	       "a slice with a limit");
	ok(kt_map_has(c, &m, K(I(0), S("bb")), 1) && !kt_map_has(c, &m, K(I(9), S("")), 2), "in a slice");
	struct kt_loop outer = { .map = &m, .sort = 0, .limit = 2 }, inner = { .map = &m, .sort = 1, .limit = 2, .slot = 1 };
	kt_loop_start(c, &outer);
	kt_loop_next(c, &outer);
	is_str(walk(&inner), "2 1", "nested: inner");
	kt_loop_next(c, &outer);
	is_int(kt_loop_long(&outer, 0), 1, "nested: outer is unharmed");
	kt_map_delete(c, &m, K(I(0), S("b")), 1);
	is_str(WALK(.map = &m, .sort = KT_SORT_NONE, .limit = KT_NO_LIMIT), "3 2 4", "a slice is deleted");
	kt_map_free(&m);
}

static void stats(void)
{
	enum { FIELDS = KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_VAR };
	static const struct kt_stat_type st = { .fields = FIELDS, .words = KT_STAT_WORDS(FIELDS, 0, 0) };
	static const struct kt_map_type t = {
		.name = "x", .n_keys = 1, .value = KT_VALUE_STAT, .entries = 8, .stat = &st, .sort_slots = 1,
	};
	struct kt_map m;

	kt_map_init(&m, &t);
	for (int k = 1; k <= 3; k++) {
		for (int i = 0; i < 4 - k; i++)
			kt_stat_add(kt_map_ref_i(c, &m, k), &st, k == 2 ? i * 100 : 10 * k);
	}
	is_int(kt_stat_get(c, kt_map_find_i(&m, 1), &st, KT_OP_SUM, 0), 30, "@sum of an element");
	is_int(kt_stat_get(c, kt_map_find_i(&m, 9), &st, KT_OP_COUNT, 0), 0, "@count of an absent one");
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .op = KT_OP_COUNT, .limit = KT_NO_LIMIT), "3 2 1", "by @count");
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .op = KT_OP_SUM, .down = 1, .limit = KT_NO_LIMIT), "2 1 3", "by @sum");
	is_str(WALK(.map = &m, .sort = KT_SORT_VALUE, .op = KT_OP_VARIANCE, .down = 1, .limit = 1), "2", "by @variance");
	kt_map_free(&m);
}

static void per_cpu(void)
{
	static const struct kt_map_type t = {
		.name = "p", .n_keys = 1, .entries = 100, .sort_slots = 1, .string_max = 64,
	}, ts = { .name = "ps", .n_keys = 1, .string_keys = 1, .entries = 100, .string_max = 64 };
	struct kt_pmap pm, ps;
	char key[16];

	memset(port_area, 0, sizeof(port_area));
	is_int(kt_pmap_init(&pm, &t, 128), 0, "init of tables per CPU");
	is_int(kt_pmap_init(&ps, &ts, 512), 0, "with string keys");
	for (int cpu = 0; cpu < PORT_CPUS; cpu++) {
		c->cpu = port_area[cpu];
		for (int i = 0; i < 90; i++) {
			kt_s64 *v = kt_pmap_ref_i(c, 128, i % 70 + cpu * 10);

			*v += 1;
			kt_pmap_done(c, 128);
			sprintf(key, "%d", i % 50);
			v = kt_pmap_ref(c, 512, K(S(key)));
			*v += 1;
			kt_pmap_done(c, 512);
		}
	}
	is_int(pm.total.count, 0, "nothing moved yet");
	kt_pmap_sync(c, &pm);
	kt_pmap_sync(c, &ps);
	is_int(pm.total.count, 90, "moved");
	is_int(kt_map_get_i(&pm.total, 25), 5, "added up");
	is_int(kt_map_get_i(&pm.total, 10), 4, "where each CPU hit more than once");
	is_int(kt_map_get(&ps.total, K(S("9"))), 6, "string keys");
	*kt_map_ref_i(c, &pm.total, 25) = 100;
	*kt_pmap_ref_i(c, 128, 25) += 1;
	kt_pmap_done(c, 128);
	kt_pmap_sync(c, &pm);
	is_int(kt_map_get_i(&pm.total, 25), 101, "moved again");
	kt_map_clear(c, &pm.total);
	kt_pmap_sync(c, &pm);
	is_int(pm.total.count, 0, "cleared is cleared");
	for (int cpu = 0; cpu < 2; cpu++) {
		c->cpu = port_area[cpu];
		for (int i = 0; i < 100; i++) {
			*kt_pmap_ref_i(c, 128, cpu * 1000 + i) += 1;
			kt_pmap_done(c, 128);
		}
	}
	ok(!kt_pmap_ref_i(c, 128, 5555), "a full table");
	ok(!strncmp(error(), "Array overflow: 'p'", 19), "its error");
	is_int(kt_pmap_mine(c, 128)->busy, 0, "nothing is held");
	kt_pmap_sync(c, &pm);
	ok(!strncmp(error(), "Array overflow: 'p'", 19), "more than fits in total");
	kt_pmap_mine(c, 128)->busy = 1;
	ok(!kt_pmap_ref_i(c, 128, 1) && c->flags & KT_CTX_SKIP, "a table that stays taken");
	is_str(error(), "a table was busy", "what the way out of a handler looks at");
	c->flags = 0;
	kt_pmap_free(&pm);
	kt_pmap_free(&ps);
	port_fail_at = 4;
	is_int(kt_pmap_init(&pm, &t, 128), -12, "no memory for one CPU");
	port_fail_at = -1;
	is_int(port_allocs, 0, "all memory is returned");
}

static void percentiles(void)
{
	enum { FIELDS = KT_STAT_COUNT | KT_STAT_MIN | KT_STAT_MAX | KT_STAT_PCT };
	static const struct kt_stat_type st = {
		.fields = FIELDS, .words = KT_STAT_WORDS(FIELDS, 0, KT_PCT_BITS_ARRAY), .pct_bits = KT_PCT_BITS_ARRAY,
	};
	static const struct kt_map_type t = {
		.name = "q", .n_keys = 1, .value = KT_VALUE_STAT, .entries = 20, .stat = &st, .string_max = 64,
	};
	struct kt_pmap pm;

	memset(port_area, 0, sizeof(port_area));
	is_int(kt_pmap_init(&pm, &t, 1024), 0, "init with percentiles");
	for (int round = 0; round < 50; round++) {
		for (int cpu = 0; cpu < PORT_CPUS; cpu++) {
			c->cpu = port_area[cpu];
			for (int i = 0; i < 300; i++) {
				kt_s64 *s = kt_pmap_ref_i(c, 1024, i % 10);

				kt_stat_add(s, &st, (i / 10 * 3 + cpu + 1) * (i % 2 ? 100 : -100));
				kt_pmap_done(c, 1024);
			}
		}
		kt_pmap_sync(c, &pm);
		if (round % 5 == 4 && round < 49)
			kt_map_clear(c, &pm.total);
		else if (round == 2)
			kt_map_delete(c, &pm.total, K(I(3)), 0);
	}
	const kt_s64 *s = kt_map_find_i(&pm.total, 3), *e = kt_map_find_i(&pm.total, 4);
	kt_s64 p50 = kt_stat_get(c, s, &st, KT_OP_PCT, 50), p90 = kt_stat_get(c, e, &st, KT_OP_PCT, 90);

	is_int(kt_stat_get(c, s, &st, KT_OP_COUNT, 0), 90 * 5, "@count of an element");
	ok(p50 >= 4500 * 31 / 32 && p50 <= 4500 * 33 / 32, "@p50 of an element: %lld", p50);
	ok(p90 >= -1000 * 33 / 32 && p90 <= -1000 * 31 / 32, "@p90 of another: %lld", p90);
	is_str(error(), "", "nothing lost");
	for (int k = 0; k < 20; k++) {
		for (int bit = 0; bit < 62; bit++)
			kt_stat_add(kt_map_ref_i(c, &pm.total, k), &st, 1ll << bit);
	}
	kt_stat_get(c, s, &st, KT_OP_PCT, 50);
	ok(!strncmp(error(), "percentiles are incomplete: ", 28), "too wide a spread in every element");
	kt_pmap_free(&pm);
}

/* ---- the model: a list in order of creation ---- */

enum { MODEL_MAX = 64 };
static struct { kt_s64 k; char s[40]; kt_s64 v; } model[MODEL_MAX];
static int n_model;

static int model_find(kt_s64 k, const char *s)
{
	for (int i = 0; i < n_model; i++) {
		if (model[i].k == k && !strcmp(model[i].s, s))
			return i;
	}
	return -1;
}

static void model_remove(int at)
{
	memmove(&model[at], &model[at + 1], (--n_model - at) * sizeof(model[0]));
}

static int same_as_model(struct kt_map *m)
{
	struct kt_loop loop = { .map = m, .sort = KT_SORT_NONE, .limit = KT_NO_LIMIT };
	char b[40];
	int i = 0;

	for (kt_loop_start(c, &loop); kt_loop_next(c, &loop); i++) {
		kt_loop_string(&loop, 1, b, sizeof(b));
		if (i >= n_model || kt_loop_long(&loop, 0) != model[i].k || strcmp(b, model[i].s) ||
		    *kt_loop_value(&loop, 2) != model[i].v)
			return 0;
	}
	return i == n_model;
}

static void random_operations(int wrap)
{
	struct kt_map_type t = {
		.name = "r", .n_keys = 2, .string_keys = 2, .entries = MODEL_MAX, .string_max = 40, .wrap = wrap,
		.text_share = 56,
	};
	struct kt_map m;
	kt_u64 x = 42;
	int good = 1;

	kt_map_init(&m, &t);
	n_model = 0;
	for (int i = 0; i < 200000 && good; i++) {
		char s[40];

		x = x * 6364136223846793005ull + 1442695040888963407ull;
		kt_u32 r = x >> 33;
		kt_s64 k = r % 7;
		int len = r / 7 % 3 * 13 + r / 100 % 4, at;

		memset(s, 'a' + r / 1000 % 3, sizeof(s));
		s[len] = 0;
		at = model_find(k, s);
		switch (r / 5000 % 16) {
		default: {
			kt_s64 *v = kt_map_ref(c, &m, K(I(k), S(s)));

			if (at < 0 && n_model == MODEL_MAX && wrap)
				model_remove(0);
			if (at < 0 && n_model < MODEL_MAX) {
				at = n_model++;
				model[at].k = k;
				strcpy(model[at].s, s);
				model[at].v = 0;
			}
			good = (at < 0) == !v;
			if (v)
				*v = model[at].v = i;
			c->error = NULL;
			break;
		}
		case 10: case 11: case 12: case 13:
			kt_map_delete(c, &m, K(I(k), S(s)), 0);
			if (at >= 0)
				model_remove(at);
			break;
		case 14:
			if (r % 11)
				break;
			kt_map_delete(c, &m, K(I(k), S(s)), 2);
			for (int j = n_model; j-- > 0;) {
				if (model[j].k == k)
					model_remove(j);
			}
			break;
		case 15:
			if (r % 50 == 0) {
				kt_map_clear(c, &m);
				n_model = 0;
			}
		}
		at = model_find(k, s);
		good = good && kt_map_get(&m, K(I(k), S(s))) == (at < 0 ? 0 : model[at].v);
		if (i % 64 == 0)
			good = good && same_as_model(&m);
	}
	ok(good && same_as_model(&m), "200,000 random operations%s", wrap ? ", wrapping" : "");
	kt_map_clear(c, &m);
	kt_map_free(&m);
}

static void sorting(void)
{
	static const struct kt_map_type t = { .name = "o", .n_keys = 1, .entries = 5000, .sort_slots = 1 };
	struct kt_map m;
	kt_u64 x = 7;
	int good = 1;

	kt_map_init(&m, &t);
	for (int i = 0; i < 5000; i++) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		*kt_map_ref_i(c, &m, i) = (kt_s64)(x >> 33) % 1000 - 500;
	}
	for (int limit = 1; limit <= 5000; limit = limit * 3 + 1) {
		struct kt_loop loop = { .map = &m, .sort = KT_SORT_VALUE, .down = limit & 1, .limit = limit };
		kt_s64 key = -1, value = limit & 1 ? 1000 : -1000;
		int n = 0;

		for (kt_loop_start(c, &loop); kt_loop_next(c, &loop); n++) {
			kt_s64 v = *kt_loop_value(&loop, 1), k = kt_loop_long(&loop, 0);

			good = good && (v == value ? k > key : loop.down ? v < value : v > value);
			value = v;
			key = k;
		}
		good = good && n == limit;
	}
	ok(good, "sorted, stable, limited");
	kt_map_free(&m);
}

/* Element I of N in the order PATTERN, which is hard for a quicksort. */
static kt_s64 pattern_value(int pattern, int i, int n)
{
	switch (pattern) {
	case 0:
		return i;
	case 1:
		return -i;
	case 2:
		return 7;
	case 3:
		return i < n / 2 ? i : n - i; /* a pipe organ */
	default: /* the middle of three is the second lowest, again and again */
		return i & 1 ? i : i + n / 2;
	}
}

static void sort_patterns(void)
{
	static const struct kt_map_type t = { .name = "p", .n_keys = 1, .entries = 3000, .sort_slots = 1 };
	struct kt_map m;

	kt_map_init(&m, &t);
	for (int pattern = 0; pattern < 5; pattern++) {
		struct kt_loop loop = { .map = &m, .sort = KT_SORT_VALUE, .limit = KT_NO_LIMIT, .down = pattern & 1 };
		kt_s64 key = -1, value = 0;
		int good = 1, n = 0;

		for (int i = 0; i < 3000; i++)
			*kt_map_ref_i(c, &m, i) = pattern_value(pattern, i, 3000);
		for (kt_loop_start(c, &loop); kt_loop_next_sorted(c, &loop); n++) {
			kt_s64 v = *kt_loop_value(&loop, 1), k = kt_loop_long(&loop, 0);

			good = good && (!n || (v == value ? k > key : loop.down ? v < value : v > value));
			value = v;
			key = k;
		}
		ok(good && n == 3000, "pattern %d is sorted", pattern);
		kt_map_clear(c, &m);
	}
	kt_map_free(&m);
}

/* Strings of 0 to 40 bytes, of which many begin with the same ones, and some are above 0x7f. */
static void sort_texts(int down)
{
	static const struct kt_map_type t = {
		.name = "q", .n_keys = 1, .entries = 2000, .sort_slots = 1, .string_keys = 1, .string_max = 64, .text_share = 64,
	};
	char text[64] = "", last[64] = "";
	struct kt_map m;
	int good = 1, n = 0;

	kt_map_init(&m, &t);
	kt_map_ref_s(c, &m, "");
	for (kt_u32 i = 1; i < 2000; i++) {
		kt_u32 len = i * 7 % 40;

		memset(text, i % 3 ? 'a' : 0xc3, len);
		snprintf(text + len, sizeof(text) - len, "%x", i * 2654435761u);
		kt_map_ref_s(c, &m, text);
	}
	struct kt_loop loop = { .map = &m, .sort = 0, .limit = KT_NO_LIMIT, .down = down };

	for (kt_loop_start(c, &loop); kt_loop_next_sorted(c, &loop); n++) {
		kt_loop_string(&loop, 0, text, sizeof(text));
		good = good && (!n || (down ? strcmp(last, text) > 0 : strcmp(last, text) < 0));
		strcpy(last, text);
	}
	ok(good && n == 2000, "strings are sorted %s", down ? "down" : "up");
	kt_map_free(&m);
}

/* The elements of the fullest chain. */
static kt_u32 longest_chain(const struct kt_map *m)
{
	kt_u32 ret = 0;

	for (kt_u64 i = 0; i >> (64 - m->shift) == 0; i++) {
		kt_u32 n = 0;

		for (kt_u32 at = m->heads[i]; at; at = kt_map_node(m, at)->next)
			n++;
		ret = n > ret ? n : ret;
	}
	return ret;
}

/* Keys that a probed program could choose: without a seed all of them hash to numbers below 2000, which are in one chain. */
static void chosen_keys(void)
{
	static const struct kt_map_type t = { .name = "a", .n_keys = 1, .entries = 2048, .string_max = 64 };
	kt_u64 factor = kt_hash_long(1), inverse = factor;
	struct kt_map m;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - factor * inverse;
	is_int(factor * inverse, 1, "the inverse of the factor");
	kt_hash_seed = 0x5bd1e9955bd1e995;
	kt_map_init(&m, &t);
	for (kt_u64 i = 0; i < 2000; i++)
		*kt_map_ref_i(c, &m, (kt_s64)(i * inverse)) = (kt_s64)i;
	is_int(m.count, 2000, "elements");
	ok(longest_chain(&m) < 16, "chosen keys are spread: %u in a chain", longest_chain(&m));
	is_int(kt_map_get(&m, K(I((kt_s64)(1999 * inverse)))), 1999, "lookups with a seed agree");
	kt_map_free(&m);
	kt_hash_seed = 0;
}

int main(void)
{
	longs();
	chosen_keys();
	strings();
	one_string();
	memory();
	wrapping();
	loops();
	stats();
	per_cpu();
	percentiles();
	random_operations(0);
	random_operations(1);
	sorting();
	sort_patterns();
	sort_texts(0);
	sort_texts(1);
	return tap_done();
}
