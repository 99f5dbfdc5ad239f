/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The image: where globals and arrays lie, the programs, and the tables, in the order of enum image_section. */
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"
#include "runtime/core/map.h"
#include "translator/bpf/bpf.h"
#include "translator/bpf/program.h"
#include "translator/debuginfo/target.h"
#include "translator/probe/entry.h"
#include "translator/probe/probe.h"
#include "translator/sema/texts.h"

/* The sections while they grow. */
struct image {
	struct bpf b;
	struct text sections[IMAGE_SECTIONS];
	struct image_settings settings;
	int n_programs;
	struct probe_attach *attach; /* by probe->index */
};

static void put(struct image *im, enum image_section section, const void *p, size_t size)
{
	text_append(&im->sections[section], p, size);
}

static void put_text(struct image *im, enum image_section section, const char *s)
{
	kt_u32 at = bpf_text(&im->b, s);

	put(im, section, &at, sizeof(at));
}

/* ---- memory ---- */
static void put_zeroes(struct text *t, size_t n)
{
	static const char zeroes[64];

	for (; n > sizeof(zeroes); n -= sizeof(zeroes))
		text_append(t, zeroes, sizeof(zeroes));
	text_append(t, zeroes, n);
}

static void lay_out_scalar(struct bpf *b, const struct symbol *s)
{
	unsigned size = s->type == TY_STRING ? str_size(b, s) : 8;
	size_t len = s->type == TY_STRING && s->init ? s->init->text_len : 0;
	int64_t number = s->type == TY_LONG && s->init ? s->init->num : 0;

	b->global_at[s->index] = (unsigned)b->state.len;
	if (s->type == TY_STRING) {
		len = len < size ? len : size - 1;
		text_append(&b->state, s->init ? s->init->text : "", len);
		put_zeroes(&b->state, size - len);
	} else {
		text_append(&b->state, (const char *)&number, 8);
	}
}

/* Adds a map of KIND. Returns its number. */
static kt_u32 add_map(struct bpf *b, const char *name, enum image_map_kind kind, kt_u32 key_size, kt_u32 value_size, kt_u32 entries)
{
	struct image_map m = { kind, key_size, value_size, entries, bpf_text(b, name) };

	*vec_add(b->maps, b->n_maps) = m;
	return (kt_u32)b->n_maps - 1;
}

static void lay_out_array(struct bpf *b, const struct symbol *s)
{
	struct image_array a = { .name = bpf_text(b, s->name), .n_keys = (kt_u32)s->arity, .value_size = 8 };
	long long entries = s->size ? s->size : b->limits.map_entries;
	kt_u32 size = 0;

	for (int i = 0; i < s->arity; i++) {
		a.key_at[i] = size;
		if (s->key_type[i] == TY_STRING) {
			int most = s->longest_key[i] > 0 && s->longest_key[i] < b->string_max ? s->longest_key[i] + 1 : b->string_max;

			a.string_keys |= 1u << i;
			size += ((kt_u32)most + 7) & ~7u;
		} else {
			size += 8;
		}
	}
	a.value = s->type == TY_STRING ? KT_VALUE_STRING : s->type == TY_STAT ? KT_VALUE_STAT : KT_VALUE_LONG;
	if (s->type == TY_STRING)
		a.value_size = str_size(b, s);
	b->array[s->index] = (int)b->n_arrays;
	if (s->type == TY_STAT) {
		bpf_lay_out_stat(b, s);
		b->stats[b->stat[s->index]].array = (kt_u32)b->n_arrays;
		a.value_size = 8 * b->stats[b->stat[s->index]].type.words;
		a.counter = s->plan == PLAN_COUNTER && !s->wrap;
	}
	a.wrap = s->wrap;
	a.map = add_map(b, s->name, s->wrap ? IMAGE_NO_MAP : a.counter ? IMAGE_CPU_HASH : IMAGE_HASH, size, a.value_size, (kt_u32)entries);
	if (a.counter)
		add_map(b, s->name, IMAGE_CPU_HASH, size, a.value_size, (kt_u32)entries);
	*vec_add(b->arrays, b->n_arrays) = a;
}

static void lay_out_stat(struct bpf *b, const struct symbol *s)
{
	bpf_lay_out_stat(b, s);
	b->global_at[s->index] = b->stats[b->stat[s->index]].at = (unsigned)b->state.len;
	b->stats[b->stat[s->index]].copies = s->plan == PLAN_COUNTER; /* where: later */
	put_zeroes(&b->state, 8 * b->stats[b->stat[s->index]].type.words);
}

/* The part of each CPU: counters, then the copies of scalar aggregates, twice. */
static void lay_out_copies(struct bpf *b)
{
	put_zeroes(&b->state, 64 - b->state.len % 64);
	b->hits_at = (unsigned)b->state.len;
	for (const struct probe *pr = b->p->probes; pr; pr = pr->next)
		b->cpu_size += 8;
	for (int i = 0; i < b->plan.n_globals; i++) {
		const struct symbol *s = b->plan.globals[i];

		if (s->array || s->type != TY_LONG || s->plan != PLAN_COUNTER)
			continue;
		b->copy_at[i] = (unsigned)b->state.len + b->cpu_size;
		b->cpu_size += 8;
	}
	for (size_t i = 0; i < b->n_stats; i++) {
		struct image_stat *st = &b->stats[i];

		if (st->array != IMAGE_SCALAR || !st->copies)
			continue;
		st->copies = (kt_u32)b->state.len + b->cpu_size + b->half_size;
		b->half_size += 8 * st->type.words;
	}
	b->cpu_size = (b->cpu_size + 2 * b->half_size + 63) & ~63u;
}

/* What new elements of maps of aggregates are made from. */
static void lay_out_zeroes(struct bpf *b)
{
	kt_u32 size = 0;

	for (size_t i = 0; i < b->n_stats; i++)
		if (b->stats[i].array != IMAGE_SCALAR && 8 * b->stats[i].type.words > size)
			size = 8 * b->stats[i].type.words;
	b->zeroes = (unsigned)b->constants.len;
	put_zeroes(&b->constants, size);
}

static void lay_out(struct bpf *b)
{
	b->global_at = arena_array(&program_arena, unsigned, b->plan.n_globals + 1);
	b->lock_at = arena_array(&program_arena, unsigned, b->plan.n_globals + 1);
	b->array = arena_array(&program_arena, int, b->plan.n_globals + 1);
	b->stat = arena_array(&program_arena, int, b->plan.n_globals + 1);
	put_zeroes(&b->state, sizeof(struct image_state));
	for (int i = 0; i < b->plan.n_globals; i++) {
		const struct symbol *s = b->plan.globals[i];

		b->array[i] = b->stat[i] = -1;
		b->lock_at[i] = (unsigned)b->state.len;
		put_zeroes(&b->state, 8);
		if (s->array) {
			lay_out_array(b, s);
		} else if (s->type == TY_STAT) {
			lay_out_stat(b, s);
		} else {
			lay_out_scalar(b, s);
		}
	}
	b->losses_at = (unsigned)b->state.len;
	for (const struct probe *pr = b->p->probes; pr; pr = pr->next)
		put_zeroes(&b->state, sizeof(struct image_losses));
	lay_out_copies(b);
	lay_out_zeroes(b);
}

/* ---- tables ---- */
/* The number of one of the last programs that is the same as ROW with CODE: the handlers of a wildcard often are. -1: none is. */
static int find_program(const struct image *im, const struct image_program *row, const struct bpf_code *code)
{
	enum { LAST = 4 };
	const struct image_program *programs = (const void *)im->sections[IMAGE_PROGRAMS].buf;
	const struct bpf_instruction *all = (const void *)im->sections[IMAGE_CODE].buf;

	for (int i = im->n_programs - 1; i >= 0 && i >= im->n_programs - LAST; i--)
		if (programs[i].kind == row->kind && programs[i].sleepable == row->sleepable && programs[i].n == code->n &&
		    !memcmp(all + programs[i].code, code->v, code->n * sizeof(*code->v)))
			return i;
	return -1;
}

/* Adds the program of PR. Returns its number. */
static kt_u32 add_program(struct image *im, const struct probe *pr, const struct probe_attach *at)
{
	struct image_program row = { .kind = (kt_u32)at->kind, .name = bpf_text(&im->b, pr->pp) };
	struct bpf_code code;
	int same;

	if (at->kind == IMAGE_UPROBE && !im->settings.targets)
		im->settings.targets = im->b.targets = add_map(&im->b, "targets", IMAGE_VALUE, 4, 8, 1);
	row.sleepable = bpf_program(&im->b, pr, at, &code);
	same = find_program(im, &row, &code);
	if (same >= 0) {
		bpf_deinit(&code);
		return (kt_u32)same;
	}
	row.code = (kt_u32)(im->sections[IMAGE_CODE].len / sizeof(*code.v));
	row.n = (kt_u32)code.n;
	row.lines = (kt_u32)(im->sections[IMAGE_LINES].len / sizeof(*code.lines));
	row.n_lines = (kt_u32)code.n_lines;
	put(im, IMAGE_CODE, code.v, code.n * sizeof(*code.v));
	put(im, IMAGE_LINES, code.lines, code.n_lines * sizeof(*code.lines));
	put(im, IMAGE_PROGRAMS, &row, sizeof(row));
	bpf_deinit(&code);
	return (kt_u32)im->n_programs++;
}

static void add_row(struct image *im, const struct probe *pr, const struct probe_attach *at)
{
	struct image_row row = {
		.family = pr->family->id, .probe = (kt_u32)pr->index, .kind = (kt_u32)at->how, .symbol = bpf_text(&im->b, at->symbol ?: ""),
		.address = at->address, .offset = (kt_u32)at->offset, .linked = at->linked, .code = at->code, .code_size = at->code_size,
		.interval = at->interval, .random = at->random, .priority = at->priority, .semaphore = at->semaphore, .pid = at->pid,
		.rate = at->rate,
	};

	put(im, IMAGE_ROWS, &row, sizeof(row));
}

/* The map for what is kept of the calls that the return probe PR is for. */
static void keep_calls(struct bpf *b, const struct probe *pr, const struct entry_values *entry)
{
	enum { CALLS_MAX = 8192, BYTES_MAX = 16 << 20 };
	kt_u32 size, calls;

	b->kept = (struct kept){ .slots = (unsigned)entry->slots, .room = (unsigned)entry->room };
	size = bpf_kept_size(&b->kept);
	calls = BYTES_MAX / size;
	b->kept.map = (int)add_map(b, pr->pp, IMAGE_HASH, BPF_CALL_NAME_SIZE, size, calls < CALLS_MAX ? calls : CALLS_MAX);
}

static void add_probe(struct image *im, const struct probe *pr)
{
	struct probe_attach *at = &im->attach[pr->index];
	struct image_probe row = { .pp = bpf_text(&im->b, pr->pp), .alias = bpf_text(&im->b, probe_alias(pr) ?: ""),
				   .origin = bpf_text(&im->b, probe_origin(pr)),
				   .mechanism = bpf_text(&im->b, pr->helper || pr->def->synthetic ? "" : probe_mechanism(pr)),
				   .flags = pr->helper ? KT_PROBE_ENTRY : probe_is_alone(pr) ? KT_PROBE_DURING_BEGIN : 0 };

	row.flags |= pr->def->synthetic ? KT_PROBE_OURS : 0;
	if (!pr->family->attach || !pr->family->attach(pr, at)) {
		struct node n = { .loc = pr->written->loc };

		bpf_refuse(&im->b, &n, at->refused ? at->refused : arena_printf(&program_arena, "'%s'", probe_point_text(pr->written)));
		return;
	}
	if (at->entry)
		keep_calls(&im->b, pr, at->entry);
	row.program = add_program(im, pr, at);
	put(im, IMAGE_PROBES, &row, sizeof(row));
}

static void add_rows(struct image *im, const struct probe *pr)
{
	const struct probe_attach *first = &im->attach[pr->index];

	for (const struct probe_attach *at = first; at && !first->absent; at = at->next)
		add_row(im, pr, at);
}

static void add_globals(struct image *im)
{
	const struct bpf *b = &im->b;

	for (int i = 0; i < b->plan.n_globals; i++) {
		const struct symbol *s = b->plan.globals[i];
		struct image_global g = { .at = b->global_at[i], .is_string = s->type == TY_STRING, .size = 8, .copies = b->copy_at[i] };

		if (s->array || s->type == TY_STAT)
			continue;
		g.name = bpf_text(&im->b, s->name);
		g.size = s->type == TY_STRING ? str_size(b, s) : 8;
		put(im, IMAGE_GLOBALS, &g, sizeof(g));
	}
}

static void add_anchor(struct image *im)
{
	struct program *p = im->b.p;
	uint64_t address = p->kernel ? target_symbol(p->kernel, "_printk") : 0;
	const char *id = address ? target_build_id(p->kernel) : NULL;

	im->settings.anchor = bpf_text(&im->b, address ? "_printk" : "");
	im->settings.anchor_address = address;
	im->settings.build_id = bpf_text(&im->b, id ?: "");
}

/* -f json: what identifies the script. */
static void add_identity(struct image *im)
{
	const struct program *p = im->b.p;
	const char *file = p->session.script_file;

	if (!p->output.json)
		return;
	put_text(im, IMAGE_IDENTITY, !file ? "<input>" : strcmp(file, "-") ? file : "<stdin>");
	put_text(im, IMAGE_IDENTITY, p->sha256);
	put_text(im, IMAGE_IDENTITY, p->texts);
}

static void add_tables(struct image *im)
{
	struct bpf *b = &im->b;

	for (size_t i = 0; i < b->formats.n; i++)
		put_text(im, IMAGE_FORMATS, b->formats.row[i].name);
	for (size_t i = 0; i < b->natives.n; i++)
		put_text(im, IMAGE_NATIVES, b->natives.row[i].name);
	for (size_t i = 0; i < b->places.n; i++) {
		_cleanup_free_ char *line = diag_line(b->place_locs[i]);

		put_text(im, IMAGE_PLACES, b->places.row[i].name);
		put_text(im, IMAGE_SOURCE, line);
	}
	put(im, IMAGE_MAPS, b->maps, b->n_maps * sizeof(*b->maps));
	put(im, IMAGE_ARRAYS, b->arrays, b->n_arrays * sizeof(*b->arrays));
	put(im, IMAGE_STATS, b->stats, b->n_stats * sizeof(*b->stats));
	put(im, IMAGE_STATE, text_str(&b->state), b->state.len);
	put(im, IMAGE_CONSTANTS, text_str(&b->constants), b->constants.len);
}

static void write_image(struct image *im, struct text *out)
{
	static const size_t sizes[IMAGE_SECTIONS] = {
		[IMAGE_SETTINGS] = sizeof(struct image_settings), [IMAGE_CODE] = sizeof(struct bpf_instruction),
		[IMAGE_LINES] = sizeof(struct image_line), [IMAGE_PROGRAMS] = sizeof(struct image_program),
		[IMAGE_MAPS] = sizeof(struct image_map), [IMAGE_STATE] = 1, [IMAGE_CONSTANTS] = 1,
		[IMAGE_PROBES] = sizeof(struct image_probe), [IMAGE_ROWS] = sizeof(struct image_row),
		[IMAGE_GLOBALS] = sizeof(struct image_global), [IMAGE_ARRAYS] = sizeof(struct image_array),
		[IMAGE_STATS] = sizeof(struct image_stat),
		[IMAGE_NATIVES] = 4, [IMAGE_FORMATS] = 4, [IMAGE_PLACES] = 4, [IMAGE_SOURCE] = 4, [IMAGE_IDENTITY] = 4, [IMAGE_TEXTS] = 1,
	};
	struct image_header head = { .magic = IMAGE_MAGIC, .abi = IMAGE_ABI };
	size_t at = sizeof(head), from = offsetof(struct image_header, parts);

	for (int i = 0; i < IMAGE_SECTIONS; i++) {
		head.parts[i] = (struct image_part){ (kt_u32)at, (kt_u32)(im->sections[i].len / sizes[i]) };
		at += (im->sections[i].len + 7) & ~(size_t)7;
	}
	head.size = (kt_u32)at;
	text_append(out, (const char *)&head, sizeof(head));
	for (int i = 0; i < IMAGE_SECTIONS; i++) {
		text_append(out, text_str(&im->sections[i]), im->sections[i].len);
		put_zeroes(out, -im->sections[i].len & 7);
	}
	head.sum = image_sum(text_str(out) + from, out->len - from);
	memcpy(out->buf, &head, sizeof(head));
}

/* ---- all ---- */
/* In the order of the script, but that some families say in which order theirs come. */
static int compare_probes(const void *a, const void *b)
{
	const struct probe *const *pa = a, *const *pb = b;
	bool ordered = (*pa)->family == (*pb)->family && (*pa)->family->compare;
	int diff = ordered ? (*pa)->family->compare(*pa, *pb) : (int)(*pa)->family->id - (int)(*pb)->family->id;

	return diff ? diff : (*pa)->index - (*pb)->index;
}

/* Adds the probes: rows of a family in its order, probes and programs in that of the script. */
static void add_probes(struct image *im)
{
	const struct probe **rows = NULL;
	size_t n = 0;

	for (const struct probe *pr = im->b.p->probes; pr; pr = pr->next)
		*vec_add(rows, n) = pr;
	im->attach = arena_array(&program_arena, struct probe_attach, n + 1);
	for (size_t i = 0; i < n && !im->b.failed; i++)
		add_probe(im, rows[i]);
	if (!im->b.failed) {
		qsort(rows, n, sizeof(*rows), compare_probes);
		for (size_t i = 0; i < n; i++)
			add_rows(im, rows[i]);
	}
	free(rows);
}

static bool calls_error(const struct program *p)
{
	for (const struct function *f = p->functions; f; f = f->next)
		if (f->used && f->kit && !strcmp(f->kit_name, "error"))
			return true;
	return false;
}

static void init(struct image *im, struct program *p)
{
	struct bpf *b = &im->b;
	int index = 0;

	b->p = p;
	b->limits = limits_read(p, &b->failed);
	b->string_max = b->limits.string_max;
	b->raises = calls_error(p);
	for (struct probe *pr = p->probes; pr; pr = pr->next)
		pr->index = index++;
	texts_find_longest(p, b->string_max);
	plan_program(&b->plan, p);
	b->copy_at = arena_array(&program_arena, unsigned, b->plan.n_globals + 1);
	bpf_text(b, "");
	add_map(b, "state", IMAGE_VALUE, 4, 0, 1);
	add_map(b, "constants", IMAGE_VALUE, 4, 0, 1);
	add_map(b, "frames", IMAGE_VALUE, 4, 0, 1);
	add_map(b, "ring", IMAGE_RING, 0, 0, 0);
	str_constant(b, "", 0);
	lay_out(b);
}

/* What the command line asks for and a BPF program does not have. */
static bool check_options(struct program *p)
{
	static const char kernel[] = "--runtime=kernel, which loads a module, can";
	struct loc none = diag_nowhere(p->reports);

	if (p->output.timing) {
		error(none, DIAG_BPF, "-t and --monitor count the cycles of handlers, which a BPF program cannot");
		note(none, kernel);
	} else if (language_limit(&p->language, "STP_EXECTRACE", 0)) {
		error(none, DIAG_BPF, "-DSTP_EXECTRACE: a BPF program cannot write to the kernel's log");
		note(none, kernel);
	} else {
		return true;
	}
	return false;
}

bool bpf_generate(struct program *p, struct text *out)
{
	struct image im = { .n_programs = 0 };
	struct bpf *b = &im.b;

	if (!check_options(p))
		return false;
	bpf_expressions(b);
	bpf_statements(b);
	init(&im, p);
	add_probes(&im);
	if (!b->failed) {
		add_globals(&im);
		add_anchor(&im);
		add_identity(&im);
		add_tables(&im);
		im.settings.string_max = (kt_u32)b->string_max;
		im.settings.max_errors = (kt_u32)b->limits.max_errors + 1;
		im.settings.max_skipped = (kt_u32)b->limits.max_skipped;
		im.settings.state_size = (kt_u32)b->state.len;
		im.settings.losses = b->losses_at;
		im.settings.cpu_size = b->cpu_size;
		im.settings.half_size = b->half_size;
		im.settings.name = bpf_text(b, BPF_SESSION);
		im.settings.frame_size = (b->frame_size + 63) & ~63u;
		im.settings.cold_frame_size = b->cold_frame_size;
		put(&im, IMAGE_SETTINGS, &im.settings, sizeof(im.settings));
		put(&im, IMAGE_TEXTS, text_str(&b->text), b->text.len);
		write_image(&im, out);
	}
	for (int i = 0; i < IMAGE_SECTIONS; i++)
		text_deinit(&im.sections[i]);
	text_deinit(&b->text);
	text_deinit(&b->constants);
	text_deinit(&b->state);
	free(b->maps);
	free(b->arrays);
	free(b->stats);
	free(b->place_locs);
	return !b->failed;
}
