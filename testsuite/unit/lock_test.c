/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of globals between threads: a handler waits for a time, not for a number of tries; readers that overlap let a writer in; what a
 * lock protects is whole; a handler that interrupts another one does not wait for it.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "testsuite/unit/kernel/kernel.h"
#include "testsuite/unit/tap.h"

/* What lock.c uses of handler.h. */
#define KT_KIT_HANDLER_H
struct kt_level {
	struct kt_ctx c;
};
enum { WAIT_NS = 1000000, US = 1000, MS = 1000000, THREADS = 4 };
static struct { u64 lock_wait; } test_script = { WAIT_NS };
#define kt_script test_script
static _Thread_local struct kt_level levels[KT_LEVELS];
static atomic_llong waited;
static const struct kt_probe probe;

static struct kt_level *kt_level_here(int which)
{
	return &levels[which];
}

static struct kt_level *kt_level_of(const struct kt_ctx *c)
{
	return container_of(c, struct kt_level, c);
}

static void kt_lose_time(const struct kt_probe *p, u64 ns)
{
	waited += (long long)ns;
}

static struct kt_lock lock;
static atomic_bool stop;

/* The clock: while test_step is 0 that of the machine, else one that goes on by that at each look, and a time of it when the lock gets
 * free. */
static u64 test_now, test_step, test_free_at = ~0ull;

static u64 test_clock(void)
{
	if (!test_step)
		return ktime_get_mono_fast_ns();
	test_now += test_step;
	if (test_now >= test_free_at) {
		test_free_at = ~0ull;
		lock.word = 0;
	}
	return test_now;
}

#define ktime_get_mono_fast_ns test_clock
#include "runtime/kit/lock.c"
#undef ktime_get_mono_fast_ns

static struct kt_ctx *enter(int level)
{
	struct kt_ctx *c = &levels[level].c;

	c->probe = &probe;
	c->error = NULL;
	c->flags = 0;
	return c;
}

static void leave(struct kt_ctx *c)
{
	c->probe = NULL;
}

/* ---- a holder that takes its time ---- */
/* Returns whether a handler gets the lock that a writer releases after NS of the clock below, of which each look takes STEP. */
static int gets(u64 ns, u64 step, int (*want)(struct kt_ctx *c, struct kt_lock *l))
{
	struct kt_ctx *c = enter(KT_LEVEL_NORMAL);
	int got;

	lock.word = WRITER;
	test_now = 1;
	test_step = step;
	test_free_at = 1 + ns;
	got = want(c, &lock);
	test_step = 0;
	test_free_at = ~0ull;
	lock.word = 0;
	leave(c);
	return got;
}

static void long_holders(void)
{
	/* a processor whose pause takes 1 ns, and one where it takes 140 */
	for (u64 step = 1; step <= 140; step += 139) {
		waited = 0;
		is_int(gets(300 * US, step, kt_lock_write), 1, "a writer waits for a holder of 300 us");
		ok(waited >= 300 * US && waited < 301 * US, "the time is counted: %lld ns", (long long)waited);
		is_int(gets(300 * US, step, kt_lock_read), 1, "so does a reader");
		is_int(gets(999 * US, step, kt_lock_write), 1, "and for one of 999 us");
		is_int(gets(1002 * US, step, kt_lock_write), 0, "it gives up on one of 1002 us");
		is_int(gets(1002 * US, step, kt_lock_read), 0, "so does a reader");
	}
}

/* ---- readers that overlap ---- */
static void *read_for_ever(void *unused)
{
	while (!stop) {
		struct kt_ctx *c = enter(KT_LEVEL_NORMAL);

		if (kt_lock_read(c, &lock)) {
			u64 end = ktime_get_mono_fast_ns() + 20 * US;

			while (ktime_get_mono_fast_ns() < end)
				cpu_relax();
			kt_unlock_read(&lock);
		}
		leave(c);
	}
	return NULL;
}

static void steps(void)
{
	struct kt_ctx *c = enter(KT_LEVEL_NORMAL);

	kt_lock_read(c, &lock);
	__atomic_fetch_or(&lock.word, WAITING, __ATOMIC_RELAXED);
	test_script.lock_wait = 0;
	is_int(kt_lock_read(c, &lock), 0, "no reader comes in before a writer that waits");
	is_int(kt_lock_write(c, &lock), 0, "nor does a writer while there are readers");
	is_int(lock.word, READER, "a writer that gives up waits no more");
	__atomic_fetch_or(&lock.word, WAITING, __ATOMIC_RELAXED);
	is_int(kt_lock_read(&levels[KT_LEVEL_NMI].c, &lock), 1, "a reader that interrupts a handler does: that may be the writer");
	kt_unlock_read(&lock);
	kt_unlock_read(&lock);
	is_int(kt_lock_write(c, &lock), 1, "the writer comes in after the last reader");
	kt_unlock_write(&lock);
	is_int(lock.word, 0, "and leaves the lock free");
	test_script.lock_wait = WAIT_NS;
	leave(c);
}

static void crowd_of_readers(void)
{
	enum { WRITES = 200 };
	pthread_t t[THREADS];
	int lost = 0;

	test_script.lock_wait = 50 * MS; /* threads wait for a core as well */
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, read_for_ever, NULL);
	for (int i = 0; i < WRITES; i++) {
		struct kt_ctx *c = enter(KT_LEVEL_NORMAL);

		if (kt_lock_write(c, &lock))
			kt_unlock_write(&lock);
		else
			lost++;
		leave(c);
	}
	stop = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	ok(lost < WRITES / 10, "%d of %d writers give up among readers without end", lost, WRITES);
	test_script.lock_wait = WAIT_NS;
}

/* ---- a handler on top of another one ---- */
static void on_top(void)
{
	struct kt_ctx *c = enter(KT_LEVEL_NORMAL), *nmi = enter(KT_LEVEL_NMI);
	u64 begin;

	test_script.lock_wait = 5000ull * MS;
	kt_lock_write(c, &lock);
	begin = ktime_get_mono_fast_ns();
	is_int(kt_lock_read(nmi, &lock) + kt_lock_write(nmi, &lock), 0, "a handler does not get what the one that it interrupted holds");
	ok(ktime_get_mono_fast_ns() - begin < 1000ull * MS, "nor does it wait for that");
	kt_unlock_write(&lock);
	is_int(kt_lock_write(nmi, &lock), 1, "it gets what is free");
	kt_unlock_write(&lock);
	leave(nmi);
	leave(c);
	test_script.lock_wait = WAIT_NS;
}

/* ---- sums ---- */
enum { HITS = 100000 };
static long sum, twice; /* plain: the lock orders them, which ThreadSanitizer checks */
static atomic_long added, torn;

static void *hit(void *unused)
{
	for (int i = 0; i < HITS; i++) {
		struct kt_ctx *c = enter(KT_LEVEL_NORMAL);

		if (i % 4) {
			if (kt_lock_read(c, &lock)) {
				torn += twice != 2 * sum;
				kt_unlock_read(&lock);
			}
		} else if (kt_lock_write(c, &lock)) {
			sum++;
			twice += 2;
			kt_unlock_write(&lock);
			added++;
		}
		leave(c);
	}
	return NULL;
}

static void sums(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, hit, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	is_int(sum, added, "each handler that got the lock has added");
	is_int(torn, 0, "no reader saw half of that");
	ok(added > THREADS * HITS / 8, "most got it");
	is_int(lock.word, 0, "the lock is free in the end");
}

int main(void)
{
	long_holders();
	steps();
	crowd_of_readers();
	on_top();
	sums();
	return tap_done();
}
