/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktaprun's session with a fake kernel that prints, to measure how many records one processor reads, merges, formats and writes.
 *
 *	drain MODULE TEXT COUNT [RATE MEGABYTES]
 *
 * TEXT is number, values or string: the arguments of a record. MODULE only has to be a module that ktap built. With RATE, a thread on
 * the second processor puts COUNT records into a ring of MEGABYTES, so many a second, and drops a record that finds no space;
 * without it, each read finds a full buffer. Prints "@load NUMBER" on stderr, the session's CPU time for a record in hundredths of a
 * nanosecond; with RATE then the records that were put a second, and those that were lost. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/text.h"
#include "runtime/abi.h"
#include "runtime/loader/image.h"
#include "runtime/loader/session.h"

enum { RECORD_MAX = 256, STEP_NS = 20000, RING_DEFAULT = 4 << 20 };

static struct {
	char root[64];
	const char *format;
	char record[RECORD_MAX]; /* what is put */
	kt_u32 record_size;
	kt_u64 count, rate, size; /* size: bytes of the ring */
	char *ring;               /* twice, so that a record which wraps is in one piece */
	kt_u64 put, taken;        /* bytes since the start, written by one side each */
	kt_u64 produced, lost;
	kt_u64 producer_ns, spent_ns; /* CPU time of the producer; time that it took */
	kt_u32 state;
	pthread_t producer;
} k = { .state = KT_LOADED, .size = RING_DEFAULT };

static kt_u64 read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (kt_u64)t.tv_sec * 1000000000 + (kt_u64)t.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t own;

	CPU_ZERO(&own);
	CPU_SET(cpu % (int)sysconf(_SC_NPROCESSORS_ONLN), &own);
	sched_setaffinity(0, sizeof(own), &own);
}

/* ---- records ---- */

static char *put_number(char *at, kt_s64 number)
{
	memcpy(at, &number, sizeof(number));
	return at + sizeof(number);
}

static char *put_string(char *at, const char *string)
{
	kt_u32 len = (kt_u32)strlen(string);

	memcpy(at, &len, sizeof(len));
	memcpy(at + sizeof(len), string, len);
	return at + ((sizeof(len) + len + 7) & ~7ul);
}

/* The record whose arguments TEXT names. False: there is none. */
static bool make_record(const char *text)
{
	struct kt_record *r = (struct kt_record *)k.record;
	char *at = (char *)(r + 1);

	*r = (struct kt_record){ .kind = KT_REC_PRINT, .time = 1 };
	if (!strcmp(text, "number")) {
		k.format = "%d\n";
		at = put_number(at, 123456);
	} else if (!strcmp(text, "values")) {
		k.format = "%d %s %d %d 0x%x\n";
		at = put_number(at, 4711);
		at = put_string(at, "postgres");
		at = put_number(at, 0);
		at = put_number(at, 1000);
		at = put_number(at, 0xdeadbeef);
	} else if (!strcmp(text, "string")) {
		k.format = "%s\n";
		at = put_string(at, "a name of a length that is seen often");
	} else {
		return false;
	}
	r->size = k.record_size = (kt_u32)(at - k.record);
	return true;
}

/* ---- the ring ---- */

static void put_record(kt_u64 now)
{
	kt_u64 at = k.put % k.size;

	k.produced++;
	if (k.put + k.record_size - __atomic_load_n(&k.taken, __ATOMIC_ACQUIRE) > k.size) {
		__atomic_fetch_add(&k.lost, 1, __ATOMIC_RELAXED);
		return;
	}
	((struct kt_record *)k.record)->time = now;
	memcpy(k.ring + at, k.record, k.record_size);
	if (at + k.record_size > k.size)
		memcpy(k.ring, k.ring + k.size, at + k.record_size - k.size);
	__atomic_store_n(&k.put, k.put + k.record_size, __ATOMIC_RELEASE);
}

static void *produce(void *unused)
{
	kt_u64 start = read_clock(CLOCK_MONOTONIC), now = start;

	(void)unused;
	pin(1);
	while (k.produced < k.count) {
		kt_u64 due = (now - start) * k.rate / 1000000000;

		while (k.produced < due && k.produced < k.count)
			put_record(now);
		nanosleep(&(struct timespec){ .tv_nsec = STEP_NS }, NULL);
		now = read_clock(CLOCK_MONOTONIC);
	}
	k.spent_ns = now - start;
	k.producer_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
	__atomic_store_n(&k.state, KT_STOPPING, __ATOMIC_RELEASE);
	return NULL;
}

/* Whole records of the ring into ROOM bytes at TO. */
static size_t take_ring(char *to, size_t room)
{
	kt_u64 there = __atomic_load_n(&k.put, __ATOMIC_ACQUIRE) - k.taken, at = k.taken % k.size, first;
	size_t n = there < room ? there : room / k.record_size * k.record_size;

	first = n < k.size - at ? n : k.size - at;
	memcpy(to, k.ring + at, first);
	memcpy(to + first, k.ring, n - first);
	__atomic_store_n(&k.taken, k.taken + n, __ATOMIC_RELEASE);
	return n;
}

/* As many records as fit into ROOM bytes at TO. The buffer keeps those of the read before. */
static size_t take_any(char *to, size_t room)
{
	static size_t filled;
	size_t n = k.state == KT_RUNNING || k.state == KT_STOPPING ? room / k.record_size : 0;

	if (n > k.count - k.produced)
		n = k.count - k.produced;
	for (; filled < n * k.record_size; filled += k.record_size)
		memcpy(to + filled, k.record, k.record_size);
	k.produced += n;
	if (k.produced == k.count && k.state == KT_RUNNING)
		k.state = KT_STOPPING;
	return n * k.record_size;
}

/* ---- the fake kernel ---- */

static int fake_finit_module(int fd, const char *params, int flags)
{
	(void)fd, (void)params, (void)flags;
	return 0;
}

static int fake_init_module(const void *image, size_t len, const char *params)
{
	(void)image, (void)len, (void)params;
	return 0;
}

static int fake_delete_module(const char *name, int flags)
{
	(void)name, (void)flags;
	return 0;
}

static int fake_ioctl(int fd, unsigned int request, void *arg)
{
	struct kt_text_request *text = arg;

	(void)fd;
	switch (request) {
	case KT_IOC_INFO:
		*(struct kt_info *)arg = (struct kt_info){ .abi = KT_ABI, .n_formats = 1, .n_cpus = 1,
			.buffer_size = (kt_u32)k.size };
		return 0;
	case KT_IOC_TEXT:
		strcpy((char *)(unsigned long)text->buffer, text->kind == KT_TEXT_FORMAT ? k.format : "");
		return 0;
	case KT_IOC_START:
		k.state = KT_RUNNING;
		return k.rate ? pthread_create(&k.producer, NULL, produce, NULL) : 0;
	case KT_IOC_STOP:
		if (k.rate)
			pthread_join(k.producer, NULL);
		k.state = KT_STOPPED;
		return 0;
	case KT_IOC_STATUS:
		*(struct kt_status *)arg = (struct kt_status){ .state = __atomic_load_n(&k.state, __ATOMIC_ACQUIRE) };
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

static ssize_t fake_read(int fd, void *buf, size_t len)
{
	struct kt_chunk *c = buf;
	size_t room = len - sizeof(*c);
	kt_u64 horizon = k.rate ? read_clock(CLOCK_MONOTONIC) : 1;

	(void)fd;
	*c = (struct kt_chunk){ .horizon = horizon };
	c->size = (kt_u32)(k.rate ? take_ring((char *)(c + 1), room) : take_any((char *)(c + 1), room));
	c->lost_records = __atomic_load_n(&k.lost, __ATOMIC_RELAXED);
	c->lost_bytes = c->lost_records * k.record_size;
	return (ssize_t)(sizeof(*c) + c->size);
}

static bool fake_may_load(void)
{
	return true;
}

static const struct loader_sys fakes = {
	.root = k.root,
	.finit_module = fake_finit_module,
	.init_module = fake_init_module,
	.delete_module = fake_delete_module,
	.ioctl = fake_ioctl,
	.read = fake_read,
	.may_load = fake_may_load,
};

/* Whether the file PATH below the root has TEXT. */
static bool put_file(const char *path, const char *text)
{
	struct text t = { 0 };
	char full[256], *p;
	bool ok;

	snprintf(full, sizeof(full), "%s%s", k.root, path);
	for (p = full + strlen(k.root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		mkdir(full, 0755);
	}
	text_puts(&t, text);
	ok = text_write_file(&t, full) >= 0;
	text_deinit(&t);
	return ok;
}

/* The files that the loader looks at: MODULE's kernel runs, and its session has a control file. */
static bool make_root(const char *module)
{
	char control[128];
	struct image m;
	bool ok;

	snprintf(k.root, sizeof(k.root), "/tmp/ktap-drain-XXXXXX");
	if (!mkdtemp(k.root) || !image_open(&fakes, &m, module, false))
		return false;
	snprintf(control, sizeof(control), "/proc/ktap_%s", m.name);
	ok = put_file("/proc/sys/kernel/osrelease", m.release) && put_file("/proc/modules", "") && put_file("/proc/vmallocinfo", "") &&
	     put_file(control, "");
	image_close(&m);
	return ok;
}

static void remove_root(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", k.root);
	if (system(command))
		fprintf(stderr, "drain: cannot remove %s\n", k.root);
}

int main(int argc, char **argv)
{
	struct session_options o = { .module = argv[1] };
	kt_u64 before, cpu;
	int status;

	if ((argc != 4 && argc != 6) || !make_record(argv[2])) {
		fprintf(stderr, "usage: drain MODULE number|values|string COUNT [RATE MEGABYTES]\n");
		return 2;
	}
	k.count = strtoull(argv[3], NULL, 10);
	if (argc == 6) {
		k.rate = strtoull(argv[4], NULL, 10);
		k.size = strtoull(argv[5], NULL, 10) << 20;
	}
	k.ring = calloc(2, k.size);
	if (!k.ring || !make_root(argv[1]))
		return 1;
	pin(0);
	before = read_clock(CLOCK_PROCESS_CPUTIME_ID);
	status = session_run(&fakes, &o);
	cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before - k.producer_ns;
	fprintf(stderr, "@load %llu\n", cpu * 100 / (k.count - k.lost));
	if (k.rate)
		fprintf(stderr, "@rate %llu\n@lost %llu\n", k.count * 1000000000 / k.spent_ns, k.lost);
	free(k.ring);
	remove_root();
	return status;
}
