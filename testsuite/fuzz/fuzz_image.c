/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: images of BPF programs. Each four bytes of input change a byte of a small image that is good: which section, where in it, and the
 * new byte. The sum is right again after that, but for inputs of odd length. What is accepted is used as a session uses it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/text.h"
#include "runtime/bpf/stats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES_MAX = 8, CPUS = 3, STATE = 1024, STRING = 64, KEY = 72 };

static const char texts[] = "\0name\0value";

static const struct image_settings settings = {
	.string_max = STRING, .max_errors = 1, .state_size = STATE, .cpu_size = 256, .half_size = 64, .losses = 512,
	.frame_size = 1024, .cold_frame_size = 1024, .name = 1,
};
static const struct bpf_instruction code[] = {
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .registers = R1 | BPF_MAP_VALUE << 4, .number = MAP_STATE }, { .code = 0 },
	{ .code = BPF_JMP | BPF_CALL, .registers = BPF_CALL_FUNCTION << 4, .number = 1 }, { .code = BPF_JMP | BPF_EXIT },
	{ .code = BPF_ALU64 | BPF_MOV }, { .code = BPF_JMP | BPF_EXIT },
};
static const struct image_line lines[] = { { .at = 0 } };
static const struct image_program programs[] = { { .kind = IMAGE_COLD, .name = 1, .n = 6, .n_lines = 1 } };
static const struct image_map maps[] = {
	{ IMAGE_VALUE, 4, 0, 1, 1 }, { IMAGE_VALUE, 4, 0, 1, 1 }, { IMAGE_VALUE, 4, 0, 1, 1 }, { IMAGE_RING, 0, 0, 0, 1 },
	{ IMAGE_HASH, KEY, 8, 100, 1 }, { IMAGE_NO_MAP, 8, 64, 3, 6 }, { IMAGE_CPU_HASH, 8, 32, 10, 1 }, { IMAGE_CPU_HASH, 8, 32, 10, 1 },
};
static const struct image_probe probes[] = { { .pp = 1 } };
static const struct image_row rows[] = {
	{ .family = KT_FAMILY_LIFE, .kind = KT_LIFE_BEGIN }, { .family = KT_FAMILY_TIMER, .interval = 1000 },
};
static const struct image_global globals[] = {
	{ .name = 1, .at = 24, .size = 8, .copies = STATE + 8 }, { .name = 6, .at = 32, .is_string = 1, .size = STRING },
};
static const struct image_array arrays[] = {
	{ .map = 4, .name = 1, .n_keys = 2, .string_keys = 2, .key_at = { 0, 8 }, .value = KT_VALUE_LONG, .value_size = 8 },
	{ .map = 5, .name = 6, .n_keys = 1, .value = KT_VALUE_STRING, .value_size = 64, .wrap = 1 },
	{ .map = 6, .name = 1, .n_keys = 1, .value = KT_VALUE_STAT, .value_size = 32, .counter = 1 },
};
static const struct image_stat stats[] = {
	{ .type = { .fields = KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_MIN | KT_STAT_MAX, .words = 4 }, .array = 2 },
	{ .type = { .fields = KT_STAT_COUNT | KT_STAT_HIST, .words = 6, .hist = KT_HIST_LINEAR, .buckets = 5, .hi = 30, .step = 10 },
	  .array = IMAGE_SCALAR, .at = 128, .copies = STATE + 64 },
};
static const kt_u32 numbers[] = { 1, 6 };
static const char state[STATE], constants[64];

static const struct {
	const void *at;
	kt_u32 size, n;
} sections[IMAGE_SECTIONS] = {
#define SECTION(of) { of, sizeof((of)[0]), sizeof(of) / sizeof((of)[0]) }
	[IMAGE_SETTINGS] = { &settings, sizeof(settings), 1 }, [IMAGE_CODE] = SECTION(code), [IMAGE_LINES] = SECTION(lines),
	[IMAGE_PROGRAMS] = SECTION(programs), [IMAGE_MAPS] = SECTION(maps), [IMAGE_STATE] = SECTION(state), [IMAGE_CONSTANTS] = SECTION(constants),
	[IMAGE_PROBES] = SECTION(probes), [IMAGE_ROWS] = SECTION(rows), [IMAGE_GLOBALS] = SECTION(globals), [IMAGE_ARRAYS] = SECTION(arrays),
	[IMAGE_STATS] = SECTION(stats), [IMAGE_FORMATS] = SECTION(numbers), [IMAGE_PLACES] = SECTION(numbers), [IMAGE_SOURCE] = SECTION(numbers),
	[IMAGE_TEXTS] = SECTION(texts),
#undef SECTION
};

static void write_sum(struct text *t)
{
	struct image_header *h = (struct image_header *)t->buf;

	h->sum = image_sum((const char *)h->parts, t->len - offsetof(struct image_header, parts));
}

static void make_image(struct text *t)
{
	static const char zeroes[8];
	struct image_header h = { .magic = IMAGE_MAGIC, .abi = IMAGE_ABI };
	size_t at = sizeof(h);

	for (int i = 0; i < IMAGE_SECTIONS; i++) {
		h.parts[i] = (struct image_part){ (kt_u32)at, sections[i].n };
		at += (sections[i].size * sections[i].n + 7u) & ~7u;
	}
	h.size = (kt_u32)at;
	text_append(t, (const char *)&h, sizeof(h));
	for (int i = 0; i < IMAGE_SECTIONS; i++) {
		size_t n = sections[i].size * sections[i].n;

		text_append(t, sections[i].at ? sections[i].at : "", n);
		text_append(t, zeroes, -n & 7);
	}
	write_sum(t);
}

static void use_array(struct store *s, kt_u32 i)
{
	const struct image_map *m = s->arrays[i].map;
	char *key = calloc(1, m->key_size), *value = calloc(1, m->value_size);

	for (int n = 0; n < 200; n++) {
		memcpy(key, &n, sizeof(n));
		store_put(s, i, key, value);
	}
	store_get(s, i, key, value);
	for (kt_s64 sort = -1; sort <= (kt_s64)s->arrays[i].of->n_keys + 1; sort++) {
		struct store_loop loop = { i, sort, 5, KT_OP_COUNT, sort > 1, key };
		int walk = store_walk(s, &loop);

		while (walk >= 0 && store_step(s, (kt_u64)walk, key, value))
			;
	}
	store_delete(s, i, key, 1);
	store_delete(s, i, NULL, 0);
	free(key);
	free(value);
}

static void use(struct image_file *im)
{
	int *fds = malloc((image_count(im, IMAGE_MAPS) + 1ul) * sizeof(*fds));
	const struct image_stat *st = image_part(im, IMAGE_STATS);
	char key[1 << 16] = "", hist[4096];
	struct store s;

	memset(fds, -1, (image_count(im, IMAGE_MAPS) + 1ul) * sizeof(*fds));
	for (int section = IMAGE_NATIVES; section <= IMAGE_IDENTITY; section++)
		for (kt_u32 i = 0; i < image_count(im, section); i++)
			if (strlen(image_text_of(im, section, i)) >= im->size)
				abort();
	if (store_init(&s, im, fds, CPUS)) {
		for (kt_u32 i = 0; i < image_count(im, IMAGE_ARRAYS); i++)
			use_array(&s, i);
		for (kt_u32 i = 0; i < image_count(im, IMAGE_STATS); i++) {
			for (kt_s64 value = -100; value < 100; value += 7)
				stats_add(&s, i, key, value);
			stats_get(&s, i, key, KT_OP_COUNT, 0);
			if (st[i].type.fields & KT_STAT_HIST)
				stats_hist(&s, i, key, hist, sizeof(hist));
		}
	}
	store_free(&s);
	free(fds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_text_ struct text t = { 0 };
	struct image_file im;
	const char *why;
	size_t n = size / 4 < CHANGES_MAX ? size / 4 : CHANGES_MAX;
	int fd = memfd_create("image", MFD_CLOEXEC);

	make_image(&t);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *c = data + 4 * i;
		const struct image_part *p = &((const struct image_header *)t.buf)->parts[c[0] % IMAGE_SECTIONS];
		size_t at = c[0] == 255 ? 16u + c[1] : p->at + (c[1] | (size_t)c[2] << 8) % (p->n * sections[c[0] % IMAGE_SECTIONS].size + 1);

		if (at < t.len && (c[0] == 255 || p->at < t.len))
			t.buf[at] = (char)c[3];
	}
	if (size % 2 == 0)
		write_sum(&t);
	if (write(fd, t.buf, t.len) != (ssize_t)t.len)
		abort();
	if (image_file_read(fd, &im, &why))
		use(&im);
	else if (!n)
		abort();
	image_file_free(&im);
	close(fd);
	return 0;
}
