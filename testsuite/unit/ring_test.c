/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings: what a reader says of records to come, while reservations are made on another CPU. The reader may see the head as it was a moment
 * before, as a reservation stays in the store buffer of its CPU. Then a thread prints, interrupted by a signal that prints too, as an NMI
 * does, while another one reads: every record is read or lost, in order, and none is older than the horizon before it.
 */
#include "runtime/kit/ring.h"
#include "testsuite/unit/tap.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What ring.c uses of handler.h, memory.h and services.h. */
#define KT_KIT_HANDLER_H
#define KT_KIT_MEMORY_H
#define KT_KIT_SERVICES_H
struct kt_level {
	struct kt_ring *ring;
	u64 record_time, record_head;
	struct kt_ctx c;
	u8 id;
};
struct kt_cpu {
	struct kt_level *level[KT_LEVELS];
	struct kt_ring ring;
};
enum { SIZE = 1 << 15, ROUNDS = 1000, SIGNALS = 500, SOME = 10 };
static struct kt_cpu test_cpu;
static struct kt_level levels[KT_LEVELS];
static char chunk_buffer[sizeof(struct kt_chunk) + KT_READ_MIN];
static u64 test_now; /* 0: the clock of the machine */
static const struct { u32 buffer_size; } test_script = { 0 };
#define kt_script test_script

#define per_cpu_ptr(cpus, number) (&test_cpu)

static struct kt_level *kt_level_of(const struct kt_ctx *c)
{
	return container_of(c, struct kt_level, c);
}

static u64 test_clock(void)
{
	return test_now ? test_now : ktime_get_mono_fast_ns();
}

/* Nothing here has relay, comes from the kernel's memory, wakes or loses. */
static void *kt_relay_reserve(struct kt_ring *r, u32 size, u64 *head) { return NULL; }
static u64 kt_relay_contiguous(struct kt_ring *r, int number, u64 end) { return end; }
static bool kt_relay_attach(struct kt_ring *r, int number) { return false; }
static int kt_relay_create(u32 size) { return 0; }
static void kt_relay_destroy(void) { }
static bool kt_memory_for(u64 size) { return true; }
static void kt_lose_here(enum kt_loss cause) { }
static void kt_reader_wake(void) { }
static int kt_cpus_follow(void (*complete)(void)) { return 0; }

#define ktime_get_mono_fast_ns test_clock
#include "runtime/kit/ring.c"

/* As kt_level_enter() and kt_level_leave(). */
static void kt_level_begin(struct kt_level *l)
{
	static const struct kt_probe probe;

	l->c.probe = &probe;
	barrier();
	l->record_time = 0;
}

static void kt_level_end(struct kt_level *l)
{
	smp_store_release(&l->c.probe, NULL);
}

/* A record of the handler at LEVEL with the time AT. */
static void print_at(int level, u64 at)
{
	struct kt_level *l = &levels[level];

	test_now = at;
	kt_level_begin(l);
	if (kt_reserve(&l->c, KT_REC_PRINT, 0, 8))
		kt_commit(&l->c);
	kt_level_end(l);
}

static struct kt_chunk read_at(u64 at)
{
	struct kt_chunk chunk;

	test_now = at;
	kt_ring_read(0, chunk_buffer, sizeof(chunk_buffer));
	memcpy(&chunk, chunk_buffer, sizeof(chunk));
	return chunk;
}

/* The reader looks at the clock, and DELAY ns before that a record was made whose reservation it does not see yet. */
static int comes_late(u64 delay)
{
	u64 start = test_now + 1000000, head = test_cpu.ring.head, committed = test_cpu.ring.committed, new_head;
	struct kt_chunk chunk;

	print_at(KT_LEVEL_NORMAL, start);
	new_head = test_cpu.ring.head;
	test_cpu.ring.head = head;
	test_cpu.ring.committed = committed;
	chunk = read_at(start + delay);
	test_cpu.ring.head = test_cpu.ring.committed = new_head;
	read_at(start + delay);
	return chunk.horizon > start;
}

/* ---- threads ---- */
static u64 made[KT_LEVELS];
static atomic_bool enough; /* was read */

static void print_next(int level)
{
	struct kt_level *l = &levels[level];
	void *at;

	kt_level_begin(l);
	at = kt_reserve(&l->c, KT_REC_PRINT, 0, 8);
	if (at) {
		memcpy(at, &made[level], 8);
		kt_commit(&l->c);
	}
	made[level]++;
	kt_level_end(l);
}

static void nmi(int number)
{
	print_next(KT_LEVEL_NMI);
}

static void *print_all(void *unused)
{
	while (!enough) {
		print_next(KT_LEVEL_NORMAL);
		if (test_cpu.ring.head - READ_ONCE(test_cpu.ring.tail) > SIZE / 2)
			sched_yield(); /* some are lost all the same */
	}
	return NULL;
}

/* Reads one chunk; adds to READ what was of each level. Returns its size. */
static u32 check_chunk(u64 *read, u64 *next, u64 *horizon, int *wrong)
{
	struct kt_chunk chunk;

	kt_ring_read(0, chunk_buffer, sizeof(chunk_buffer));
	memcpy(&chunk, chunk_buffer, sizeof(chunk));
	for (u32 at = 0; at < chunk.size; at += sizeof(struct kt_record) + 8) {
		struct kt_record rec;
		u64 n;

		memcpy(&rec, chunk_buffer + sizeof(chunk) + at, sizeof(rec));
		memcpy(&n, chunk_buffer + sizeof(chunk) + at + sizeof(rec), 8);
		*wrong += rec.size != sizeof(rec) + 8 || rec.level >= KT_LEVELS || rec.time < *horizon;
		*wrong += n < next[rec.level % KT_LEVELS];
		next[rec.level % KT_LEVELS] = n + 1;
		read[rec.level % KT_LEVELS]++;
	}
	*horizon = chunk.horizon;
	return chunk.size;
}

static void threads(void)
{
	u64 read[KT_LEVELS] = { 0 }, next[KT_LEVELS] = { 0 }, horizon = 0, lost = test_cpu.ring.lost_records;
	pthread_t printer;
	int wrong = 0;

	test_now = 0;
	signal(SIGUSR1, nmi);
	pthread_create(&printer, NULL, print_all, NULL);
	for (int signals = 0; signals < SIGNALS || read[KT_LEVEL_NMI] < SOME || read[KT_LEVEL_NORMAL] < SOME; signals++) {
		pthread_kill(printer, SIGUSR1);
		check_chunk(read, next, &horizon, &wrong);
	}
	enough = true;
	pthread_join(printer, NULL);
	while (kt_ring_has_data(0))
		check_chunk(read, next, &horizon, &wrong);
	is_int(wrong, 0, "records are whole, in order, and none is older than the horizon before it");
	is_int((long long)(read[KT_LEVEL_NORMAL] + read[KT_LEVEL_NMI] + test_cpu.ring.lost_records - lost),
	       (long long)(made[KT_LEVEL_NORMAL] + made[KT_LEVEL_NMI]), "each record is read or lost");
	printf("# %llu of the thread, %llu of signals, %llu lost\n", made[KT_LEVEL_NORMAL], made[KT_LEVEL_NMI], test_cpu.ring.lost_records - lost);
}

/* SIZE bytes, mapped twice in a row. */
static char *map_twice(void)
{
	int fd = memfd_create("ring", 0);
	char *at = mmap(NULL, 2 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || at == MAP_FAILED || ftruncate(fd, SIZE) ||
	    mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(at + SIZE, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		abort();
	return at;
}

int main(void)
{
	int late = 0;
	struct kt_chunk chunk;

	kt_ring_size = SIZE;
	test_cpu.ring.data = map_twice();
	test_cpu.ring.size = kt_ring_size;
	test_cpu.ring.half = kt_ring_size / 2;
	for (int i = 0; i < KT_LEVELS; i++) {
		test_cpu.level[i] = &levels[i];
		levels[i].ring = &test_cpu.ring;
		levels[i].id = (u8)i;
	}
	test_now = 1000000;
	print_at(KT_LEVEL_NORMAL, 2000000);
	chunk = read_at(3000000);
	is_int(chunk.size, sizeof(struct kt_record) + 8, "a record is read");
	ok(chunk.horizon > 2000000 && chunk.horizon <= 3000000, "no older one will come");
	for (int i = 0; i < ROUNDS; i++)
		late += comes_late((u64)i);
	is_int(late, 0, "no record is older than the horizon that was said while its reservation was not seen");

	/* An open reservation: of an interrupted handler, with an NMI's record after it. */
	test_now += 1000000;
	kt_level_begin(&levels[KT_LEVEL_NORMAL]);
	kt_reserve(&levels[KT_LEVEL_NORMAL].c, KT_REC_PRINT, 0, 8);
	print_at(KT_LEVEL_NMI, test_now + 100);
	chunk = read_at(test_now + 1000000);
	is_int(chunk.size, 0, "what an NMI prints waits for the record that it interrupted");
	ok(chunk.horizon < test_now - 1000000, "and the horizon stays before both");
	kt_commit(&levels[KT_LEVEL_NORMAL].c);
	kt_level_end(&levels[KT_LEVEL_NORMAL]);
	chunk = read_at(test_now);
	is_int(chunk.size, 2 * (sizeof(struct kt_record) + 8), "then both are read");
	is_int((long long)test_cpu.ring.nest, 0, "nothing is open");
	threads();
	return tap_done();
}
