/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/session.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "runtime/bpf/interpret.h"
#include "runtime/bpf/kernel.h"
#include "runtime/bpf/natives.h"
#include "runtime/bpf/stats.h"
#include "runtime/bpf/targets.h"
#include "runtime/core/format.h"

enum { RING_BYTES = 4 << 20, STEPS_MAX = 100000000, LOG_BYTES = 1 << 20, HIST_BYTES = 64 << 10 };

struct ring {
	unsigned long *consumer, *producer;
	char *data;
	size_t size;
};

struct timer {
	const struct image_row *row;
	kt_u64 next;
};

struct bpf_session {
	struct image_file image;
	struct store store;
	struct image_state *state;
	const struct native **functions; /* of the library, by number in the image */
	struct natives *natives;
	int *fds;          /* by map */
	int *programs;     /* by program, -1 */
	int *places;       /* by row, -1 */
	int *errors;       /* by probe: why the last place that was refused was, 0 */
	struct ring ring;
	struct timer *timers;
	kt_u32 n_timers;
	kt_u64 slide;
	struct targets targets;
	bool in_kernel, failed;
	kt_u32 armed, refused;
	struct kt_start start;
	int event, clock;  /* epoll, and its timer */
	pthread_mutex_t lock; /* a cold handler runs, or records are moved: held by one of the threads */
	struct text records; /* for the reader, in order */
	size_t taken;      /* bytes of them that it has */
};

static kt_u64 clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (kt_u64)t.tv_sec * 1000000000 + (kt_u64)t.tv_nsec;
}

/* ---- records ---- */
static const struct {
	enum kt_error_kind kind;
	const char *message;
} errors[IMAGE_ERRORS] = {
#define IMAGE_ERROR(name, kind, message) [IMAGE_ERROR_##name] = { kind, message },
#include "runtime/bpf/errors.def"
#undef IMAGE_ERROR
};

/* Composes the message of ERROR with DETAIL; TEXT is that of error(). */
static void compose(const struct bpf_session *s, char *to, size_t size, enum image_error error, kt_s64 detail, const char *text)
{
	const struct image_array *a = image_part(&s->image, IMAGE_ARRAYS);
	const struct image_map *maps = image_part(&s->image, IMAGE_MAPS);
	const char *name, *message = error < IMAGE_ERRORS ? errors[error].message : NULL;

	if (message) {
		snprintf(to, size, message, detail);
	} else if (error == IMAGE_ERROR_FULL && (kt_u64)detail < image_count(&s->image, IMAGE_ARRAYS)) {
		name = image_text(&s->image, a[detail].name);
		snprintf(to, size, ARRAY_FULL_MESSAGE, name, (long long)maps[a[detail].map].entries, name);
	} else {
		snprintf(to, size, "%s", error == IMAGE_ERROR_TEXT ? text : "?");
	}
}

static void put_string(struct text *t, const char *s, size_t len)
{
	static const char zeroes[8];
	kt_u32 bytes = (kt_u32)len;

	text_append(t, (const char *)&bytes, sizeof(bytes));
	text_append(t, s, len);
	text_append(t, zeroes, -(sizeof(bytes) + len) & 7);
}

/* An error as a module reports it. */
static void put_error(struct bpf_session *s, const struct image_error_record *rec)
{
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	struct kt_record out = rec->head;
	kt_s64 kind = rec->error < IMAGE_ERRORS ? errors[rec->error].kind : KT_ERROR_OTHER;
	size_t at = s->records.len;
	const char *pp = rec->probe < image_count(&s->image, IMAGE_PROBES) ? image_text(&s->image, probes[rec->probe].pp) : "?";
	char message[KT_MESSAGE_MAX];

	compose(s, message, sizeof(message), (enum image_error)rec->error, rec->detail, out.size > sizeof(*rec) ? (const char *)(rec + 1) : "");
	text_append(&s->records, (const char *)&out, sizeof(out));
	text_append(&s->records, (const char *)&kind, sizeof(kind));
	put_string(&s->records, message, strlen(message));
	put_string(&s->records, pp, strlen(pp));
	put_string(&s->records, (const char *)rec->callers, (rec->n_callers < KT_ERROR_CALLS_MAX ? rec->n_callers : KT_ERROR_CALLS_MAX) * sizeof(kt_u32));
	out.size = (kt_u32)(s->records.len - at);
	memcpy(s->records.buf + at, &out, sizeof(out));
}

static void put_record(struct bpf_session *s, const struct kt_record *rec)
{
	if (rec->kind == KT_REC_ERROR)
		put_error(s, (const struct image_error_record *)rec);
	else
		text_append(&s->records, (const char *)rec, rec->size);
}

/* Moves what the kernel's ring has: positions that grow, a header of 8 bytes before each record. */
static void drain(struct bpf_session *s)
{
	struct ring *r = &s->ring;
	unsigned long at, end;

	if (!r->data)
		return;
	at = *r->consumer;
	while (at < (end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE))) {
		while (at < end) {
			kt_u32 *head = (kt_u32 *)(r->data + (at & (r->size - 1))), len = __atomic_load_n(head, __ATOMIC_ACQUIRE);

			if (len & 1u << 31) /* is being written */
				return;
			if (!(len & 1u << 30)) /* was not discarded */
				put_record(s, (const struct kt_record *)(head + 2));
			at += ((len & ~(3u << 30)) + 8 + 7) & ~7u;
			__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
		}
	}
}

/* ---- what instructions refer to ---- */
static kt_u64 known(const struct bpf_session *s, kt_u32 what)
{
	const struct image_settings *set = s->image.settings;

	switch ((enum image_value)what) {
	case IMAGE_CPUS: return s->store.n_cpus;
	case IMAGE_TARGET: return (kt_u64)(kt_u32)s->start.target;
	case IMAGE_FRAME_SIZE: return set->frame_size;
	case IMAGE_FRAMES_STRIDE: return FRAMES_HEAD + FRAMES_OF_CPU * (kt_u64)set->frame_size;
	case IMAGE_WALL: return clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	}
	return 0;
}

static kt_u64 load(struct interpreter *in, unsigned pseudo, kt_u32 low, kt_u32 high)
{
	struct bpf_session *s = in->of;

	switch (pseudo) {
	case BPF_MAP: return low;
	case BPF_MAP_VALUE: return (kt_u64)(low == MAP_STATE ? s->store.state : s->store.constants) + high;
	case BPF_KNOWN: return known(s, low);
	case BPF_LINKED: return ((kt_u64)high << 32 | low) + s->slide;
	default: return (kt_u64)high << 32 | low;
	}
}

static kt_u64 copy_string(struct bpf_session *s, kt_u64 to, kt_u64 size, kt_u64 from)
{
	char *t = (char *)to;
	const char *f = (const char *)from;
	kt_u64 i = 0;

	if (from < 4096)
		return (kt_u64)-EFAULT;
	for (; i + 1 < size && f[i]; i++)
		t[i] = f[i];
	if (size) {
		s->state->cut += f[i] != 0;
		t[i] = 0;
	}
	return i + 1;
}

static kt_u64 message(struct bpf_session *s, const kt_u64 *r)
{
	const struct image_frame *f = (const struct image_frame *)s->store.frame;

	compose(s, (char *)r[R1], r[R2], (enum image_error)f->error, f->detail, (const char *)(f + 1));
	return 0;
}

/* A histogram is a record with one string, which may be longer than strings of the script. */
static void print_hist(struct bpf_session *s, kt_u32 stat, const void *key, kt_u32 format)
{
	struct image_frame *frame = (struct image_frame *)s->store.frame;
	struct kt_record *rec = xmalloc(sizeof(*rec) + HIST_BYTES);
	char *text = (char *)(rec + 1) + KT_STRING_HEADER;

	if (stats_hist(&s->store, stat, key, text, HIST_BYTES - KT_STRING_HEADER - 8)) {
		kt_u32 len = (kt_u32)strlen(text);

		if (!frame->time)
			frame->time = clock_ns(CLOCK_MONOTONIC);
		*rec = (struct kt_record){ .size = (kt_u32)sizeof(*rec) + kt_string_room(len), .kind = KT_REC_PRINT, .number = (kt_u16)format,
					   .time = frame->time };
		memcpy(rec + 1, &len, sizeof(len));
		memset(text + len, 0, 8);
		drain(s);
		put_record(s, rec);
	}
	free(rec);
}

static kt_u64 call(struct interpreter *in, kt_s32 number, kt_u64 *r)
{
	struct bpf_session *s = in->of;

	if (number >= NATIVE_BASE && (kt_u32)(number - NATIVE_BASE) < image_count(&s->image, IMAGE_NATIVES))
		return native_call(s->natives, s->functions[number - NATIVE_BASE], r[R1], (const kt_u64 *)r[R2], (char *)r[R3],
				   (struct image_frame *)s->store.frame);
	switch (number) {
	case BPF_KTIME_GET_NS: return clock_ns(CLOCK_MONOTONIC);
	case BPF_CPU: return 0;
	case BPF_PID_TGID: return (kt_u64)getpid() << 32 | (kt_u32)gettid();
	case BPF_UID_GID: return (kt_u64)getgid() << 32 | getuid();
	case BPF_COMM: memset((void *)r[R1], 0, r[R2]); strncpy((char *)r[R1], KT_READER_NAME, r[R2] - 1); return 0;
	case BPF_READ_KERNEL: case BPF_READ_USER: return (kt_u64)-EFAULT;
	case BPF_READ_KERNEL_STR: return copy_string(s, r[R1], r[R2], r[R3]);
	case BPF_READ_USER_STR: return (kt_u64)-EFAULT;
	case BPF_RING_OUTPUT:
		drain(s);
		put_record(s, (const struct kt_record *)r[R2]);
		return 0;
	case NATIVE_GET: return stats_array(&s->store, (kt_u32)r[R1]) && store_get(&s->store, (kt_u32)r[R1], (void *)r[R2], (void *)r[R3]);
	case NATIVE_PUT: return (kt_u64)store_put(&s->store, (kt_u32)r[R1], (void *)r[R2], (void *)r[R3]);
	case NATIVE_HAS:
		return stats_array(&s->store, (kt_u32)r[R1]) && store_has(&s->store, (kt_u32)r[R1], (void *)r[R2], (kt_u32)r[R3]);
	case NATIVE_DELETE:
		if (stats_array(&s->store, (kt_u32)r[R1]))
			store_delete(&s->store, (kt_u32)r[R1], (void *)r[R2], (kt_u32)r[R3]);
		return 0;
	case NATIVE_WALK:
		if (!stats_array(&s->store, (kt_u32)r[R1]))
			return (kt_u64)-E2BIG;
		return (kt_u64)store_walk(&s->store, &(struct store_loop){ .array = (kt_u32)r[R1], .sort = (kt_s64)r[R2], .limit = (kt_s64)r[R3],
			.op = (enum kt_stat_op)(r[R4] & 255), .any = (kt_u32)(r[R4] >> 8), .key = (const char *)r[R5] });
	case NATIVE_STEP: return store_step(&s->store, r[R1], (void *)r[R2], (void *)r[R3]);
	case NATIVE_LEAVE: store_leave(&s->store, r[R1]); return 0;
	case NATIVE_FORMAT: return kt_format((char *)r[R1], (kt_u32)r[R2], (const char *)r[R3], (const struct kt_arg *)r[R4], (kt_u32)r[R5]);
	case NATIVE_MESSAGE: return message(s, r);
	case NATIVE_COMPARE: return (kt_u64)(kt_s64)strcmp((const char *)r[R1], (const char *)r[R2]);
	case NATIVE_STAT_ADD: stats_add(&s->store, (kt_u32)r[R1], (void *)r[R2], (kt_s64)r[R3]); return 0;
	case NATIVE_STAT_CLEAR: stats_clear(&s->store, (kt_u32)r[R1]); return 0;
	case NATIVE_STAT: return (kt_u64)stats_get(&s->store, (kt_u32)r[R1], (void *)r[R2], (enum kt_stat_op)r[R3], (kt_s64)r[R4]);
	case NATIVE_BUCKET: return (kt_u64)stats_bucket(&s->store, (kt_u32)r[R1], (void *)r[R2], (kt_s64)r[R3]);
	case NATIVE_HAS_BUCKET: return stats_has_bucket(&s->store, (kt_u32)r[R1], (void *)r[R2], (kt_s64)r[R3]);
	case NATIVE_HIST: return stats_hist(&s->store, (kt_u32)r[R1], (void *)r[R2], (char *)r[R3], (kt_u32)r[R4]);
	case NATIVE_HIST_PRINT: print_hist(s, (kt_u32)r[R1], (void *)r[R2], (kt_u32)r[R3]); return 0;
	default: return (kt_u64)-ENOSYS;
	}
}

/* Adds what CPUs counted to the counters, which the handler then finds whole. */
static void collect(struct bpf_session *s)
{
	const struct image_global *g = image_part(&s->image, IMAGE_GLOBALS);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_GLOBALS); i++)
		for (kt_u32 cpu = 0; g[i].copies && cpu < s->store.n_cpus; cpu++) {
			kt_s64 *copy = (kt_s64 *)(s->store.state + g[i].copies + (size_t)cpu * s->image.settings->cpu_size);

			*(kt_s64 *)(s->store.state + g[i].at) += __atomic_exchange_n(copy, 0, __ATOMIC_SEQ_CST);
		}
}

static void run_cold(struct bpf_session *s, kt_u32 probe)
{
	const struct image_probe *p = (const struct image_probe *)image_part(&s->image, IMAGE_PROBES) + probe;
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	const struct bpf_instruction *code = image_part(&s->image, IMAGE_CODE);
	struct interpreter in = { .code = code + programs[p->program].code, .n = programs[p->program].n, .call = call, .load = load, .of = s,
				  .steps = STEPS_MAX };

	collect(s);
	natives_begin(s->natives);
	stats_begin(&s->store);
	interpret(&in, NULL, s->store.frame);
	store_leave_all(&s->store);
}

/* ---- the kernel ---- */
static char *failed(const char *what, const char *name, int err)
{
	return xasprintf("cannot %s %s: %s", what, name, strerror(-err));
}

/* Arrays may take half of the memory: the kernel would kill programs for what it lacks. NULL: they fit. */
static char *check_memory(const struct bpf_session *s)
{
	const struct image_map *maps = image_part(&s->image, IMAGE_MAPS), *largest = NULL;
	kt_u64 all = 0, most = 0, available = kernel_memory();

	for (kt_u32 i = MAP_ARRAYS; i < image_count(&s->image, IMAGE_MAPS); i++) {
		kt_u64 bytes = kernel_map_bytes((enum image_map_kind)maps[i].kind, maps[i].key_size, maps[i].value_size, maps[i].entries);

		all += bytes;
		if (bytes > most) {
			most = bytes;
			largest = &maps[i];
		}
	}
	if (!largest || all <= available / 2)
		return NULL;
	return xasprintf("the arrays take %llu MB of memory, of which %llu MB are available; the largest is '%s': -DMAXMAPENTRIES=%u, or "
			 "'global %s[%u]' in the script, makes it smaller", (unsigned long long)all >> 20, (unsigned long long)available >> 20,
			 image_text(&s->image, largest->name), largest->entries / 10, image_text(&s->image, largest->name), largest->entries / 10);
}

static char *make_maps(struct bpf_session *s)
{
	const struct image_map *maps = image_part(&s->image, IMAGE_MAPS);
	const struct image_settings *set = s->image.settings;
	kt_u32 cpus = s->store.n_cpus, zero = 0;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_MAPS); i++) {
		kt_u32 size = maps[i].value_size, entries = maps[i].entries;

		if (i == MAP_STATE)
			size = image_count(&s->image, IMAGE_STATE) + cpus * set->cpu_size;
		else if (i == MAP_CONSTANTS)
			size = image_count(&s->image, IMAGE_CONSTANTS);
		else if (i == MAP_FRAMES)
			size = cpus * (FRAMES_HEAD + FRAMES_OF_CPU * set->frame_size);
		else if (i == MAP_RING)
			entries = RING_BYTES;
		else if (set->targets && i == set->targets && s->start.target)
			size = IMAGE_PROCESSES / 8;
		s->fds[i] = kernel_map_create((enum image_map_kind)maps[i].kind, image_text(&s->image, maps[i].name), maps[i].key_size, size, entries,
					      i == MAP_STATE || i == MAP_FRAMES || (set->targets && i == set->targets), i == MAP_CONSTANTS);
		if (s->fds[i] < 0)
			return failed("create the map", image_text(&s->image, maps[i].name), s->fds[i]);
	}
	kernel_map_update(s->fds[MAP_CONSTANTS], &zero, image_part(&s->image, IMAGE_CONSTANTS));
	kernel_map_freeze(s->fds[MAP_CONSTANTS]);
	return NULL;
}

static char *map_ring(struct bpf_session *s)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = s->fds[MAP_RING];
	char *p;

	s->ring.size = RING_BYTES;
	p = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	s->ring.consumer = (unsigned long *)p;
	if (p == MAP_FAILED)
		return failed("map", "the ring", -errno);
	p = mmap(NULL, (size_t)page + 2 * RING_BYTES, PROT_READ, MAP_SHARED, fd, page);
	if (p == MAP_FAILED)
		return failed("map", "the ring", -errno);
	s->ring.producer = (unsigned long *)p;
	s->ring.data = p + page;
	return NULL;
}

static void patch(struct bpf_session *s, struct bpf_instruction *code, kt_u32 n)
{
	for (kt_u32 i = 0; i < n; i++) {
		struct bpf_instruction *in = &code[i];
		unsigned pseudo = bpf_source(in);
		kt_u64 number;

		if (in->code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (pseudo == BPF_MAP || pseudo == BPF_MAP_VALUE) {
			in->number = s->fds[in->number];
		} else if (pseudo == BPF_KNOWN || pseudo == BPF_LINKED) {
			number = pseudo == BPF_KNOWN ? known(s, (kt_u32)in->number) : ((kt_u64)(kt_u32)in[1].number << 32 | (kt_u32)in->number) + s->slide;
			in->registers &= 15;
			in->number = (kt_s32)number;
			in[1].number = (kt_s32)(number >> 32);
		}
		i++;
	}
}

static char *load_programs(struct bpf_session *s)
{
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	char *log = xmalloc(LOG_BYTES), *why;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++) {
		struct bpf_instruction *code;

		s->programs[i] = -1;
		if (programs[i].kind == IMAGE_COLD)
			continue;
		code = xmalloc(programs[i].n * sizeof(*code));
		memcpy(code, (const struct bpf_instruction *)image_part(&s->image, IMAGE_CODE) + programs[i].code, programs[i].n * sizeof(*code));
		patch(s, code, programs[i].n);
		s->programs[i] = kernel_program_load(&programs[i], image_text(&s->image, programs[i].name), code, programs[i].n, NULL, 0);
		if (s->programs[i] < 0) {
			log[0] = 0;
			kernel_program_load(&programs[i], image_text(&s->image, programs[i].name), code, programs[i].n, log, LOG_BYTES);
			why = failed("load the program of", image_text(&s->image, programs[i].name), s->programs[i]);
			if (strlen(log) > 3000)
				memmove(log, log + strlen(log) - 3000, 3001);
			fputs(log, stderr);
			free(code);
			free(log);
			return why;
		}
		free(code);
	}
	free(log);
	return NULL;
}

static void find_slide(struct bpf_session *s)
{
	const char *anchor = image_text(&s->image, s->image.settings->anchor);
	FILE *f = *anchor ? fopen("/proc/kallsyms", "re") : NULL;
	unsigned long long address;
	char name[256], type;

	while (f && fscanf(f, "%llx %c %255s%*[^\n]", &address, &type, name) == 3)
		if (!strcmp(name, anchor)) {
			s->slide = address - s->image.settings->anchor_address;
			break;
		}
	if (f)
		fclose(f);
}

static void attach(struct bpf_session *s)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++) {
		const struct image_program *p = &programs[probes[rows[i].probe].program];
		int fd = s->programs[probes[rows[i].probe].program];
		const char *symbol = image_text(&s->image, rows[i].symbol);

		if (p->kind == IMAGE_KPROBE)
			s->places[i] = kernel_attach_kprobe(fd, rows[i].address ? NULL : symbol,
							    rows[i].address ? rows[i].address + s->slide : rows[i].offset, rows[i].kind == KT_KPROBE_RETURN);
		else if (p->kind == IMAGE_RAW_TP)
			s->places[i] = kernel_attach_tracepoint(fd, symbol);
		else if (p->kind == IMAGE_UPROBE)
			s->places[i] = kernel_attach_uprobe(fd, symbol, &rows[i]);
		else
			continue;
		s->armed += s->places[i] >= 0;
		if (s->places[i] < 0) {
			s->errors[rows[i].probe] = s->places[i];
			s->refused++;
		}
	}
}

static void detach(struct bpf_session *s)
{
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++) {
		if (s->places[i] >= 0)
			close(s->places[i]);
		s->places[i] = -1;
	}
}

/* ---- requests ---- */
/* Runs the handlers of begin, end or error, as long as the state does not change. */
static void run_rows(struct bpf_session *s, kt_u32 when)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	kt_u32 state = s->state->state;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS) && s->state->state == state; i++)
		if (rows[i].family == KT_FAMILY_LIFE && rows[i].kind == when)
			run_cold(s, rows[i].probe);
}

static void set_clock(struct bpf_session *s)
{
	kt_u64 next = ~0ull;
	struct itimerspec at = { .it_value = { .tv_nsec = 0 } };

	for (kt_u32 i = 0; i < s->n_timers; i++)
		next = s->timers[i].next < next ? s->timers[i].next : next;
	if (s->n_timers) {
		at.it_value.tv_sec = (time_t)(next / 1000000000);
		at.it_value.tv_nsec = (long)(next % 1000000000);
	}
	timerfd_settime(s->clock, TFD_TIMER_ABSTIME, &at, NULL);
}

static void begin_timers(struct bpf_session *s)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++)
		if (rows[i].family == KT_FAMILY_TIMER)
			s->timers[s->n_timers++] = (struct timer){ &rows[i], clock_ns(CLOCK_MONOTONIC) + rows[i].interval };
	set_clock(s);
}

static void run_timers(struct bpf_session *s)
{
	kt_u64 now = clock_ns(CLOCK_MONOTONIC);

	for (kt_u32 i = 0; i < s->n_timers && s->state->state == KT_RUNNING; i++)
		if (s->timers[i].next <= now) {
			run_cold(s, s->timers[i].row->probe);
			/* Ticks that it came too late for are not made up for. */
			while (s->timers[i].next <= now)
				s->timers[i].next += s->timers[i].row->interval;
		}
	set_clock(s);
}

static int start(struct bpf_session *s, const struct kt_start *how)
{
	s->start = *how;
	s->state->state = KT_STARTING;
	pthread_mutex_lock(&s->lock);
	run_rows(s, KT_LIFE_BEGIN);
	pthread_mutex_unlock(&s->lock);
	if (s->state->state != KT_STARTING)
		return 0;
	__atomic_store_n(&s->state->state, KT_RUNNING, __ATOMIC_SEQ_CST);
	if (s->in_kernel)
		attach(s);
	pthread_mutex_lock(&s->lock);
	begin_timers(s);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static int stop(struct bpf_session *s)
{
	__atomic_store_n(&s->state->state, KT_STOPPING, __ATOMIC_SEQ_CST);
	detach(s);
	pthread_mutex_lock(&s->lock);
	s->n_timers = 0;
	stats_wait(&s->store);
	drain(s);
	s->failed |= s->state->errors >= s->image.settings->max_errors;
	run_rows(s, s->failed ? KT_LIFE_ERROR : KT_LIFE_END);
	s->failed |= s->state->errors >= s->image.settings->max_errors;
	__atomic_store_n(&s->state->state, KT_STOPPED, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static int info(const struct bpf_session *s, struct kt_info *ret)
{
	*ret = (struct kt_info){
		.abi = KT_ABI, .n_probes = image_count(&s->image, IMAGE_PROBES), .n_formats = image_count(&s->image, IMAGE_FORMATS),
		.n_places = image_count(&s->image, IMAGE_PLACES), .n_globals = image_count(&s->image, IMAGE_GLOBALS), .buffer_size = RING_BYTES,
		.string_max = s->image.settings->string_max, .n_cpus = 1, .flags = KT_INFO_LINES, .n_rows = image_count(&s->image, IMAGE_ROWS),
	};
	return 0;
}

/* The text that R asks for; NULL: there is none. */
static const char *text_of(const struct bpf_session *s, const struct kt_text_request *r)
{
	static const struct {
		enum kt_text_kind kind;
		enum image_section section;
	} tables[] = {
		{ KT_TEXT_FORMAT, IMAGE_FORMATS }, { KT_TEXT_PLACE, IMAGE_PLACES }, { KT_TEXT_LINE, IMAGE_SOURCE }, { KT_TEXT_IDENTITY, IMAGE_IDENTITY },
	};
	const struct image_probe *probe = (const struct image_probe *)image_part(&s->image, IMAGE_PROBES) + r->index;
	const struct image_global *globals = image_part(&s->image, IMAGE_GLOBALS);
	bool is_probe = r->index < image_count(&s->image, IMAGE_PROBES);

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tables[i].kind == r->kind && r->index < image_count(&s->image, tables[i].section))
			return image_text_of(&s->image, tables[i].section, r->index);
	switch (r->kind) {
	case KT_TEXT_PROBE: return is_probe ? image_text(&s->image, probe->pp) : NULL;
	case KT_TEXT_ORIGIN: return is_probe ? image_text(&s->image, probe->origin) : NULL;
	case KT_TEXT_MECHANISM: return is_probe ? image_text(&s->image, probe->mechanism) : NULL;
	case KT_TEXT_GLOBAL: return r->index < image_count(&s->image, IMAGE_GLOBALS) ? image_text(&s->image, globals[r->index].name) : NULL;
	case KT_TEXT_BUILD_ID: return *image_text(&s->image, s->image.settings->build_id) ? image_text(&s->image, s->image.settings->build_id) : NULL;
	default: return NULL;
	}
}

static int text(const struct bpf_session *s, struct kt_text_request *r)
{
	const char *found = text_of(s, r);
	size_t size = found ? strlen(found) + 1 : 0, room = r->size;

	if (!found)
		return -ENOENT;
	r->size = (kt_u32)size;
	if (size > room)
		return -ENOSPC;
	memcpy((char *)(unsigned long)r->buffer, found, size);
	return 0;
}

static int set(struct bpf_session *s, const struct kt_set_global *g)
{
	const struct image_global *row = (const struct image_global *)image_part(&s->image, IMAGE_GLOBALS) + g->index;

	if (g->index >= image_count(&s->image, IMAGE_GLOBALS))
		return -EINVAL;
	if (!row->is_string && !g->is_number)
		return -EDOM;
	if (row->is_string && g->len >= row->size)
		return -E2BIG;
	if (row->is_string)
		memcpy(s->store.state + row->at, (const char *)(unsigned long)g->string, g->len + 1);
	else
		memcpy(s->store.state + row->at, &g->number, sizeof(g->number));
	return 0;
}

static int status(const struct bpf_session *s, struct kt_status *ret)
{
	*ret = (struct kt_status){
		.state = __atomic_load_n(&s->state->state, __ATOMIC_ACQUIRE), .failed = s->failed, .errors = s->state->errors,
		.probes_found = s->armed + s->refused, .probes_armed = s->armed, .probes_failed = s->refused,
	};
	ret->lost[KT_LOSS_LOCK] = s->state->skipped;
	ret->lost[KT_LOSS_RECURSION] = s->state->busy;
	ret->lost[KT_LOSS_RECORD] = s->state->lost_records;
	ret->lost[KT_LOSS_STRING] = s->state->cut;
	ret->lost[KT_LOSS_CALL] = s->state->calls;
	return 0;
}

static int probe_status(const struct bpf_session *s, struct kt_probe_status *p)
{
	kt_u32 index = p->index;
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);

	if (index >= image_count(&s->image, IMAGE_PROBES))
		return -EINVAL;
	*p = (struct kt_probe_status){ .index = index, .error = s->errors[index], .flags = probes[index].flags };
	for (kt_u32 cpu = 0; cpu < s->store.n_cpus; cpu++)
		p->handled += *(const kt_u64 *)(s->store.state + s->image.settings->state_size + (size_t)cpu * s->image.settings->cpu_size + 8ul * index);
	return 0;
}

static int answer(struct bpf_session *s, unsigned int request, void *argument)
{
	switch (request) {
	case KT_IOC_INFO: return info(s, argument);
	case KT_IOC_TEXT: return text(s, argument);
	case KT_IOC_SET: return set(s, argument);
	case KT_IOC_START: return start(s, argument);
	case KT_IOC_STOP: return stop(s);
	case KT_IOC_STATUS: return status(s, argument);
	case KT_IOC_PROBE: return probe_status(s, argument);
	case KT_IOC_CANCEL: return 0;
	case KT_IOC_NAME: return -ENOENT;
	default: return -ENOTTY;
	}
}

int bpf_session_ask(void *session, unsigned int request, void *argument)
{
	int err = answer(session, request, argument);

	errno = -err;
	return err ? -1 : 0;
}

ssize_t bpf_session_read(void *session, void *buf, size_t len)
{
	struct bpf_session *s = session;
	struct kt_chunk *chunk = buf;
	const char *from;
	size_t n = 0;

	pthread_mutex_lock(&s->lock);
	if (__atomic_load_n(&s->state->state, __ATOMIC_ACQUIRE) == KT_RUNNING)
		run_timers(s);
	drain(s);
	from = text_str(&s->records) + s->taken;
	while (s->taken + n < s->records.len) {
		const struct kt_record *rec = (const struct kt_record *)(from + n);

		if (sizeof(*chunk) + n + rec->size > len)
			break;
		n += rec->size;
	}
	memcpy(chunk + 1, from, n);
	*chunk = (struct kt_chunk){ .size = (kt_u32)n, .horizon = clock_ns(CLOCK_MONOTONIC), .lost_records = s->state->lost_records };
	s->taken += n;
	if (s->taken == s->records.len)
		s->taken = s->records.len = 0;
	pthread_mutex_unlock(&s->lock);
	return (ssize_t)(sizeof(*chunk) + n);
}

/* ---- open and close ---- */
static int *numbers(kt_u32 n)
{
	int *ret = xmalloc((n + 1) * sizeof(*ret));

	memset(ret, -1, (n + 1) * sizeof(*ret));
	return ret;
}

static void watch(struct bpf_session *s, int fd)
{
	struct epoll_event e = { .events = EPOLLIN };

	epoll_ctl(s->event, EPOLL_CTL_ADD, fd, &e);
}

static char *find_natives(struct bpf_session *s)
{
	kt_u32 n = image_count(&s->image, IMAGE_NATIVES);

	s->natives = natives_new(s->image.settings->string_max);
	if (!s->natives)
		return xstrdup("out of memory");
	s->functions = xmalloc((n + 1) * sizeof(*s->functions));
	for (kt_u32 i = 0; i < n; i++) {
		s->functions[i] = native_find(image_text_of(&s->image, IMAGE_NATIVES, i));
		if (!s->functions[i])
			return xasprintf("the script calls %s(), which a module alone has", image_text_of(&s->image, IMAGE_NATIVES, i));
	}
	return NULL;
}

/* Programs and places are a descriptor each, far more than a process may have by default. */
static void allow_files(const struct bpf_session *s)
{
	enum { OTHERS = 256 };
	rlim_t wanted = OTHERS + image_count(&s->image, IMAGE_PROGRAMS) + image_count(&s->image, IMAGE_ROWS) + image_count(&s->image, IMAGE_MAPS);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = wanted;
	limit.rlim_max = limit.rlim_max > wanted ? limit.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static char *begin(struct bpf_session *s)
{
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	char *why = NULL;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++)
		s->in_kernel |= programs[i].kind != IMAGE_COLD;
	allow_files(s);
	s->store.n_cpus = s->in_kernel ? kernel_cpus() : 1;
	if ((why = find_natives(s)))
		return why;
	find_slide(s);
	if (s->in_kernel && ((why = check_memory(s)) || (why = make_maps(s)) || (why = map_ring(s))))
		return why;
	if (!store_init(&s->store, &s->image, s->fds, s->store.n_cpus))
		return xstrdup("out of memory");
	s->state = (struct image_state *)s->store.state;
	if (s->in_kernel && (why = load_programs(s)))
		return why;
	if (s->image.settings->targets && s->start.target && (why = targets_follow(&s->targets, s->fds[s->image.settings->targets], s->start.target)))
		return why;
	if (s->in_kernel)
		watch(s, s->fds[MAP_RING]);
	watch(s, s->clock);
	return NULL;
}

struct bpf_session *bpf_session_open(int fd, int target, char **ret_why)
{
	struct bpf_session *s = xmalloc(sizeof(*s));
	const char *why;

	*s = (struct bpf_session){ .event = epoll_create1(EPOLL_CLOEXEC), .clock = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK) };
	s->start.target = target;
	pthread_mutex_init(&s->lock, NULL);
	if (!image_file_read(fd, &s->image, &why)) {
		*ret_why = xstrdup(why);
		free(s);
		return NULL;
	}
	s->fds = numbers(image_count(&s->image, IMAGE_MAPS));
	s->programs = numbers(image_count(&s->image, IMAGE_PROGRAMS));
	s->places = numbers(image_count(&s->image, IMAGE_ROWS));
	s->errors = numbers(image_count(&s->image, IMAGE_PROBES));
	memset(s->errors, 0, image_count(&s->image, IMAGE_PROBES) * sizeof(*s->errors));
	s->timers = xmalloc((image_count(&s->image, IMAGE_ROWS) + 1ul) * sizeof(*s->timers));
	*ret_why = begin(s);
	if (*ret_why) {
		bpf_session_close(s);
		return NULL;
	}
	return s;
}

void bpf_session_close(struct bpf_session *s)
{
	detach(s);
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++)
		if (s->programs[i] >= 0)
			close(s->programs[i]);
	targets_leave(&s->targets);
	store_free(&s->store);
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_MAPS); i++)
		if (s->fds[i] >= 0)
			close(s->fds[i]);
	close(s->event);
	close(s->clock);
	text_deinit(&s->records);
	image_file_free(&s->image);
	pthread_mutex_destroy(&s->lock);
	natives_free(s->natives);
	free(s->functions);
	free(s->fds);
	free(s->programs);
	free(s->places);
	free(s->errors);
	free(s->timers);
	free(s);
}

const char *bpf_session_name(const struct bpf_session *s)
{
	return image_text(&s->image, s->image.settings->name);
}

int bpf_session_fd(const struct bpf_session *s)
{
	return s->event;
}
