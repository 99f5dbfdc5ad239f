/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader gives out records of all CPUs in time order, each once, and none before it is certain. */
#include <errno.h>
#include <stdlib.h>

#include "runtime/loader/merge.h"
#include "testsuite/unit/tap.h"

enum { N_CPUS = 3, LIMIT = 1 << 20 };

/* What one read() returns: a chunk per CPU. */
struct batch {
	char bytes[1 << 16];
	size_t len;
	size_t chunk; /* where the last chunk's header is */
};

static void begin_chunk(struct batch *b, kt_u32 cpu, kt_u64 horizon)
{
	struct kt_chunk c = { .cpu = cpu, .horizon = horizon };

	b->chunk = b->len;
	memcpy(b->bytes + b->len, &c, sizeof(c));
	b->len += sizeof(c);
}

static void add_level_record(struct batch *b, kt_u8 level, kt_u8 kind, kt_u64 time, kt_u16 number)
{
	struct kt_record r = { .size = sizeof(r) + 8, .kind = kind, .level = level, .number = number, .time = time };
	struct kt_chunk c;

	memcpy(b->bytes + b->len, &r, sizeof(r));
	memset(b->bytes + b->len + sizeof(r), 0, 8);
	b->len += r.size;
	memcpy(&c, b->bytes + b->chunk, sizeof(c));
	c.size += r.size;
	memcpy(b->bytes + b->chunk, &c, sizeof(c));
}

static void add_record(struct batch *b, kt_u8 kind, kt_u64 time, kt_u16 number)
{
	add_level_record(b, KT_LEVEL_NORMAL, kind, time, number);
}

/* The numbers of the records that come out, as text. */
static const char *drain(struct merge *m, bool all)
{
	static char text[256];
	const struct kt_record *r;
	size_t len = 0;

	text[0] = 0;
	while ((r = merge_next(m, all)))
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d", len ? " " : "", r->number);
	return text;
}

static void test_order(void)
{
	struct batch b = { .len = 0 };
	struct merge m;

	merge_init(&m, N_CPUS, LIMIT);
	begin_chunk(&b, 0, 50);
	add_record(&b, KT_REC_PRINT, 10, 1);
	add_record(&b, KT_REC_PRINT, 40, 4);
	begin_chunk(&b, 2, 50);
	add_record(&b, KT_REC_PRINT, 20, 2);
	is_int(merge_add(&m, b.bytes, b.len), 0, "a batch is taken");
	is_str(drain(&m, false), "", "nothing comes out while a CPU has not been heard of");
	b.len = 0;
	begin_chunk(&b, 1, 30);
	is_int(merge_add(&m, b.bytes, b.len), 0, "an empty chunk is taken");
	is_str(drain(&m, false), "1 2", "records below the horizon of the silent CPU come out in order");
	b.len = 0;
	begin_chunk(&b, 1, 60);
	add_record(&b, KT_REC_PRINT, 35, 3);
	merge_add(&m, b.bytes, b.len);
	is_str(drain(&m, false), "3 4", "the held record comes after the late one");
	is_int((long long)m.waiting, 0, "nothing is left");
	merge_deinit(&m);
}

static void test_end(void)
{
	struct batch b = { .len = 0 };
	struct merge m;

	merge_init(&m, N_CPUS, LIMIT);
	begin_chunk(&b, 0, 0);
	add_record(&b, KT_REC_PRINT, 10, 1);
	add_record(&b, KT_REC_PAD, 11, 9);
	begin_chunk(&b, 1, 0);
	add_record(&b, KT_REC_PRINT, 5, 2);
	merge_add(&m, b.bytes, b.len);
	is_str(drain(&m, false), "", "horizons of 0 hold everything");
	is_str(drain(&m, true), "2 1", "at the end all comes out, paddings do not");
	merge_deinit(&m);
}

/* Handlers that write several records, on two CPUs and on two levels of one. */
static void test_handlers(void)
{
	struct batch b = { .len = 0 };
	struct merge m;

	merge_init(&m, 2, LIMIT);
	begin_chunk(&b, 0, 20); /* the handler of time 20 goes on */
	add_level_record(&b, KT_LEVEL_OWN, KT_REC_PRINT, 20, 1);
	add_level_record(&b, KT_LEVEL_NMI, KT_REC_PRINT, 35, 6);
	add_level_record(&b, KT_LEVEL_OWN, KT_REC_PRINT, 20, 2);
	begin_chunk(&b, 1, 100);
	add_record(&b, KT_REC_PRINT, 25, 4);
	add_record(&b, KT_REC_PRINT, 25, 5);
	merge_add(&m, b.bytes, b.len);
	is_str(drain(&m, false), "1 2", "what came during a handler that goes on waits for its end");
	b.len = 0;
	begin_chunk(&b, 0, 100);
	add_level_record(&b, KT_LEVEL_OWN, KT_REC_PRINT, 20, 3);
	begin_chunk(&b, 1, 100);
	add_record(&b, KT_REC_PRINT, 101, 7);
	merge_add(&m, b.bytes, b.len);
	is_str(drain(&m, false), "3 4 5 6", "all that a handler writes stays together");
	is_str(drain(&m, true), "7", "and nothing stays behind");
	merge_deinit(&m);
}

static void test_limit(void)
{
	struct batch b = { .len = 0 };
	struct merge m;

	merge_init(&m, 2, 40);
	begin_chunk(&b, 0, 0);
	add_record(&b, KT_REC_PRINT, 10, 1);
	add_record(&b, KT_REC_PRINT, 20, 2);
	begin_chunk(&b, 1, 0);
	merge_add(&m, b.bytes, b.len);
	is_str(drain(&m, false), "1", "above the limit the oldest record goes");
	is_int((long long)m.disordered, 1, "and is counted");
	merge_deinit(&m);
}

static void test_malformed(void)
{
	struct batch b = { .len = 0 };
	struct kt_record r = { .size = 4 };
	struct merge m;

	merge_init(&m, 1, LIMIT);
	is_int(merge_add(&m, b.bytes, 5), -EPROTO, "half a chunk header is refused");
	begin_chunk(&b, 0, 0);
	add_record(&b, KT_REC_PRINT, 1, 1);
	is_int(merge_add(&m, b.bytes, b.len - 8), -EPROTO, "a chunk longer than the read is refused");
	memcpy(b.bytes + sizeof(struct kt_chunk), &r, sizeof(r));
	is_int(merge_add(&m, b.bytes, b.len), -EPROTO, "a record smaller than its header is refused");
	r = (struct kt_record){ .size = sizeof(r) + 8, .level = KT_LEVELS };
	memcpy(b.bytes + sizeof(struct kt_chunk), &r, sizeof(r));
	is_int(merge_add(&m, b.bytes, b.len), -EPROTO, "a level that is not there is refused");
	b.len = 0;
	begin_chunk(&b, 7, 0);
	begin_chunk(&b, 8, 0);
	is_int(merge_add(&m, b.bytes, b.len), -EPROTO, "more CPUs than announced are refused");
	merge_deinit(&m);
}

/* A long run of random reads: every record once, in order of time. */
static void test_random(void)
{
	struct merge m;
	kt_u64 clock = 0, last = 0, made = 0, seen = 0, wrong = 0;
	const struct kt_record *r;

	srand(7);
	merge_init(&m, N_CPUS, LIMIT);
	for (int round = 0; round < 2000; round++) {
		struct batch b = { .len = 0 };
		kt_u64 start = clock;

		for (kt_u32 cpu = 0; cpu < N_CPUS; cpu++) {
			kt_u64 time = start;

			begin_chunk(&b, cpu, start + 100);
			for (int n = rand() % 5; n > 0; n--) {
				time += (kt_u64)rand() % 20;
				add_record(&b, KT_REC_PRINT, time, 0);
				made++;
			}
		}
		clock += 100;
		merge_add(&m, b.bytes, b.len);
		while ((r = merge_next(&m, round == 1999))) {
			wrong += r->time < last;
			last = r->time;
			seen++;
		}
	}
	is_int((long long)(made - seen), 0, "of random reads every record comes out");
	is_int((long long)wrong, 0, "and in order of time");
	merge_deinit(&m);
}

int main(void)
{
	test_order();
	test_end();
	test_handlers();
	test_limit();
	test_malformed();
	test_random();
	return tap_done();
}
