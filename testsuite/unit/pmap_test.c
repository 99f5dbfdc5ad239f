/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables per CPU under load: two threads hit, each on a table of its own, while a third one keeps moving elements
 * out. No hit is lost, and none counts twice.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "runtime/core/core.h"
#include "runtime/core/map.h"
#include "testsuite/unit/port.h"
#include "testsuite/unit/tap.h"

enum { HITS = 300000, KEYS = 500, OFFSET = 64 };

static const struct kt_map_type type = { .name = "hits", .n_keys = 1, .entries = 1000, .string_max = 64 };
static struct kt_pmap pm;
static atomic_int running = 2;
static long skipped[2];

static void *hit(void *arg)
{
	int cpu = arg != NULL;
	struct kt_ctx c = { .cpu = port_area[cpu] };

	for (int i = 0; i < HITS; i++) {
		kt_s64 *v = kt_pmap_ref_i(&c, OFFSET, (i * 7 + cpu) % KEYS);

		if (!v) {
			skipped[cpu]++;
			continue;
		}
		*v += 1;
		kt_pmap_done(&c, OFFSET);
	}
	running--;
	return NULL;
}

/* A hit, as in an NMI, while the hit that it interrupted has the table: it would wait for ever. */
static void hit_in_hit(void)
{
	struct kt_ctx outer = { .cpu = port_area[0] }, inner = { .cpu = port_area[0] };
	clock_t begin = clock();
	kt_s64 *v = kt_pmap_ref_i(&outer, OFFSET, KEYS);
	int refused = 0;

	*v += 1;
	for (int i = 0; i < 100; i++)
		refused += !kt_pmap_ref_i(&inner, OFFSET, KEYS);
	is_int(refused, 100, "a hit within a hit gets no element");
	ok(inner.flags & KT_CTX_SKIP, "it is skipped");
	ok(clock() - begin < CLOCKS_PER_SEC, "at once");
	kt_pmap_done(&outer, OFFSET);
	*kt_pmap_ref_i(&outer, OFFSET, KEYS) -= 1;
	kt_pmap_done(&outer, OFFSET);
	ok(!outer.error, "and the table is free again");
}

int main(void)
{
	struct kt_ctx c = { 0 };
	pthread_t thread[2];
	kt_s64 sum = 0;
	int syncs = 0;

	kt_pmap_init(&pm, &type, OFFSET);
	hit_in_hit();
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, hit, i ? &thread : NULL);
	while (running) {
		kt_pmap_sync(&c, &pm);
		syncs++;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	kt_pmap_sync(&c, &pm);
	for (int k = 0; k < KEYS; k++)
		sum += kt_map_get_i(&pm.total, k);
	ok(!c.error, "no error");
	is_int(pm.total.count, KEYS + 1, "every key");
	is_int(sum + skipped[0] + skipped[1], 2 * HITS, "every hit");
	/* A thread may be preempted while it holds a table, a handler may not. */
	printf("# %d syncs, %ld hits skipped\n", syncs, skipped[0] + skipped[1]);
	kt_pmap_free(&pm);
	return tap_done();
}
