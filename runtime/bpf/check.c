/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks once what the tables of an image say of each other, so that nobody who follows them needs to. Instructions are checked as far as
 * ktaprun itself goes by them; what they do is the kernel's to check, or, of a cold handler, trusted as a module is.
 */
#include "runtime/bpf/file.h"

enum { BYTES_MAX = 1 << 28, KEY_MAX = 1 << 16, VALUE_MAX = 1 << 20, STRING_MIN = 16, STRING_MAX = 32768 };
enum { FRAME_BYTES_MAX = 1 << 17, COLD_FRAME_BYTES_MAX = 1 << 26 };

/* Are the N elements from AT on in a section of COUNT? */
static bool is_in(kt_u64 at, kt_u64 n, kt_u64 count)
{
	return n <= count && at <= count - n;
}

/* Do handlers run in ktaprun? */
static bool has_cold(const struct image_file *im)
{
	const struct image_program *p = image_part(im, IMAGE_PROGRAMS);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_PROGRAMS); i++)
		if (p[i].kind == IMAGE_COLD)
			return true;
	return false;
}

static bool settings_are_good(const struct image_file *im)
{
	const struct image_settings *s = im->settings;
	kt_u64 hits = 8ull * image_count(im, IMAGE_PROBES), losses = (kt_u64)image_count(im, IMAGE_PROBES) * sizeof(struct image_losses);

	return s->string_max >= STRING_MIN && s->string_max <= STRING_MAX && s->state_size == image_count(im, IMAGE_STATE) &&
	       s->state_size >= sizeof(struct image_state) && s->state_size % 8 == 0 && s->cpu_size <= BYTES_MAX && s->cpu_size % 8 == 0 &&
	       hits <= s->cpu_size && s->half_size % 8 == 0 && hits + 2ull * s->half_size <= s->cpu_size && s->losses % 8 == 0 &&
	       is_in(s->losses, losses, s->state_size) && s->frame_size <= FRAME_BYTES_MAX && s->frame_size % 8 == 0 &&
	       s->cold_frame_size >= (has_cold(im) ? sizeof(struct image_frame) + s->string_max : 0) &&
	       s->cold_frame_size <= COLD_FRAME_BYTES_MAX && s->targets < image_count(im, IMAGE_MAPS);
}

static bool instruction_is_good(const struct image_file *im, const struct bpf_instruction *code, kt_u32 at, kt_u32 n)
{
	const struct bpf_instruction *in = &code[at];
	unsigned source = bpf_source(in);
	bool wide = in->code == (BPF_LD | BPF_IMM | BPF_DW), call = in->code == (BPF_JMP | BPF_CALL);
	kt_s64 target = (kt_s64)at + 1 + in->number;

	if (bpf_destination(in) > R10 || (!wide && source > R10) || (wide && at + 1 >= n))
		return false;
	if (wide && source == BPF_MAP)
		return (kt_u32)in->number < image_count(im, IMAGE_MAPS);
	if (wide && source == BPF_MAP_VALUE)
		return (kt_u32)in->number < image_count(im, IMAGE_MAPS);
	if ((wide && source == BPF_FUNCTION) || (call && source == BPF_CALL_FUNCTION))
		return target >= 0 && target < n;
	return true;
}

static bool programs_are_good(const struct image_file *im)
{
	const struct image_program *p = image_part(im, IMAGE_PROGRAMS);
	const struct bpf_instruction *code = image_part(im, IMAGE_CODE);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_PROGRAMS); i++) {
		if (p[i].kind > IMAGE_PERF || !p[i].n || !is_in(p[i].code, p[i].n, image_count(im, IMAGE_CODE)) ||
		    !is_in(p[i].lines, p[i].n_lines, image_count(im, IMAGE_LINES)))
			return false;
		for (kt_u32 at = 0; at < p[i].n; at++) {
			if (!instruction_is_good(im, code + p[i].code, at, p[i].n))
				return false;
			at += code[p[i].code + at].code == (BPF_LD | BPF_IMM | BPF_DW);
		}
	}
	return true;
}

static bool maps_are_good(const struct image_file *im)
{
	static const enum image_map_kind first[] = {
		[MAP_STATE] = IMAGE_VALUE, [MAP_CONSTANTS] = IMAGE_VALUE, [MAP_FRAMES] = IMAGE_VALUE, [MAP_RING] = IMAGE_RING,
	};
	const struct image_map *m = image_part(im, IMAGE_MAPS);

	if (image_count(im, IMAGE_MAPS) < MAP_ARRAYS)
		return false;
	for (kt_u32 i = 0; i < image_count(im, IMAGE_MAPS); i++)
		if (i < MAP_ARRAYS ? m[i].kind != first[i] : m[i].kind > IMAGE_NO_MAP || m[i].kind == IMAGE_RING || !m[i].key_size ||
		    m[i].key_size > KEY_MAX || !m[i].value_size || m[i].value_size > VALUE_MAX || !m[i].entries || m[i].entries > KT_ENTRIES_MAX)
			return false;
	return true;
}

static bool probes_are_good(const struct image_file *im)
{
	const struct image_probe *p = image_part(im, IMAGE_PROBES);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_PROBES); i++)
		if (p[i].program >= image_count(im, IMAGE_PROGRAMS))
			return false;
	return true;
}

/* After the probes. */
static bool rows_are_good(const struct image_file *im)
{
	const struct image_row *r = image_part(im, IMAGE_ROWS);
	const struct image_probe *probes = image_part(im, IMAGE_PROBES);
	const struct image_program *programs = image_part(im, IMAGE_PROGRAMS);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_ROWS); i++) {
		bool cold = r[i].family == KT_FAMILY_LIFE || r[i].family == KT_FAMILY_TIMER || r[i].family == KT_FAMILY_SIGNAL;
		kt_u32 probe = r[i].probe;

		if (probe >= image_count(im, IMAGE_PROBES) || r[i].code_size > sizeof(r[i].code) ||
		    (r[i].family == KT_FAMILY_SIGNAL && r[i].kind >= KT_SIGNALS_MAX) || (r[i].family == KT_FAMILY_TIMER && !r[i].interval &&
		    programs[probes[probe].program].kind == IMAGE_COLD) || (!cold && programs[probes[probe].program].kind == IMAGE_COLD) ||
		    ((r[i].family == KT_FAMILY_LIFE || r[i].family == KT_FAMILY_SIGNAL) && programs[probes[probe].program].kind != IMAGE_COLD))
			return false;
	}
	return true;
}

/* Are the SIZE bytes at AT in the part of the first CPU? */
static bool is_in_copy(const struct image_file *im, kt_u64 at, kt_u64 size)
{
	return at % 8 == 0 && at >= im->settings->state_size && is_in(at - im->settings->state_size, size, im->settings->cpu_size);
}

static bool globals_are_good(const struct image_file *im)
{
	const struct image_global *g = image_part(im, IMAGE_GLOBALS);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_GLOBALS); i++)
		if (g[i].at % 8 || g[i].size < 8 || !is_in(g[i].at, g[i].size, im->settings->state_size) ||
		    (g[i].copies && !is_in_copy(im, g[i].copies, 8)))
			return false;
	return true;
}

static bool array_is_good(const struct image_file *im, const struct image_array *a)
{
	const struct image_map *maps = image_part(im, IMAGE_MAPS), *m = &maps[a->map];

	if (a->map < MAP_ARRAYS || !is_in(a->map, a->counter ? 2 : 1, image_count(im, IMAGE_MAPS)) || !a->n_keys || a->n_keys > 9 ||
	    a->counter > 1 || a->wrap > 1 || a->value > KT_VALUE_STAT || a->value_size != m->value_size || a->value_size % 8)
		return false;
	if (a->counter ? m->kind != IMAGE_CPU_HASH || m[1].kind != m->kind || m[1].key_size != m->key_size || m[1].value_size != m->value_size :
	    m->kind != (a->wrap ? IMAGE_NO_MAP : IMAGE_HASH))
		return false;
	for (kt_u32 i = 0; i < a->n_keys; i++)
		if (a->key_at[i] % 8 || !is_in(a->key_at[i], 8, i + 1 < a->n_keys ? a->key_at[i + 1] : m->key_size))
			return false;
	return true;
}

static bool arrays_are_good(const struct image_file *im)
{
	const struct image_array *a = image_part(im, IMAGE_ARRAYS);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_ARRAYS); i++)
		if (!array_is_good(im, &a[i]))
			return false;
	return true;
}

/* After the arrays. */
static bool stats_are_good(const struct image_file *im)
{
	const struct image_stat *st = image_part(im, IMAGE_STATS);
	const struct image_array *arrays = image_part(im, IMAGE_ARRAYS);

	for (kt_u32 i = 0; i < image_count(im, IMAGE_STATS); i++) {
		const struct kt_stat_type *t = &st[i].type;
		kt_u64 size = 8ull * t->words;

		if (t->buckets > VALUE_MAX / 8 || size > VALUE_MAX || t->words < KT_STAT_WORDS(t->fields, t->buckets, t->pct_bits) ||
		    (t->pct_bits & KT_PCT_PAGED) || !(t->fields & KT_STAT_COUNT) || t->hist > KT_HIST_LINEAR ||
		    (t->fields & KT_STAT_HIST && (t->hist == KT_HIST_LOG ? t->buckets != KT_LOG_BUCKETS : t->buckets < 3 || t->step <= 0)))
			return false;
		if (st[i].array == IMAGE_SCALAR ? st[i].at % 8 || !is_in(st[i].at, size, im->settings->state_size) ||
		    (st[i].copies && !is_in_copy(im, st[i].copies, size + im->settings->half_size)) :
		    st[i].array >= image_count(im, IMAGE_ARRAYS) || arrays[st[i].array].value_size != size)
			return false;
	}
	for (kt_u32 i = 0; i < image_count(im, IMAGE_ARRAYS); i++) {
		kt_u32 n = 0;

		for (kt_u32 stat = 0; stat < image_count(im, IMAGE_STATS); stat++)
			n += st[stat].array == i;
		if (n != (arrays[i].value == KT_VALUE_STAT))
			return false;
	}
	return true;
}

const char *image_check(const struct image_file *im)
{
	static const struct {
		bool (*check)(const struct image_file *im);
		const char *wrong;
	} tables[] = {
		{ settings_are_good, "its settings are damaged" }, { maps_are_good, "its maps are damaged" },
		{ programs_are_good, "its programs are damaged" }, { probes_are_good, "its probes are damaged" },
		{ rows_are_good, "its places are damaged" }, { globals_are_good, "its globals are damaged" },
		{ arrays_are_good, "its arrays are damaged" }, { stats_are_good, "its aggregates are damaged" },
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!tables[i].check(im))
			return tables[i].wrong;
	if (image_count(im, IMAGE_SOURCE) != image_count(im, IMAGE_PLACES))
		return "its places are damaged";
	return !image_count(im, IMAGE_IDENTITY) || image_count(im, IMAGE_IDENTITY) == KT_IDENTITIES ? NULL : "its identity is damaged";
}
