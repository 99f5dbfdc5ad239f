/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables per CPU under load: two threads hit, each on a table of its own, while a third one keeps moving elements
 * out. No hit is lost, and none counts twice.
 */
#include <pthread.h>
#include <stdatomic.h>

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

int main(void)
{
	struct kt_ctx c = { 0 };
	pthread_t thread[2];
	kt_s64 sum = 0;
	int syncs = 0;

	kt_pmap_init(&pm, &type, OFFSET);
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
	is_int(pm.total.count, KEYS, "every key");
	is_int(sum + skipped[0] + skipped[1], 2 * HITS, "every hit");
	/* A thread may be preempted while it holds a table, a handler may not. */
	printf("# %d syncs, %ld hits skipped\n", syncs, skipped[0] + skipped[1]);
	kt_pmap_free(&pm);
	return tap_done();
}
