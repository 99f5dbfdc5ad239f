/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers that run here: the interpreter's view of the session, and timers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "runtime/bpf/interpret.h"
#include "runtime/bpf/state.h"
#include "runtime/bpf/stats.h"
#include "runtime/core/format.h"

enum { STEPS_MAX = 100000000, HIST_BYTES = 64 << 10 };

kt_u64 clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (kt_u64)t.tv_sec * 1000000000 + (kt_u64)t.tv_nsec;
}

/* ---- what instructions refer to ---- */
kt_u64 known_value(const struct bpf_session *s, kt_u32 what)
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
	case BPF_KNOWN: return known_value(s, low);
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
		s->losses[s->running].cut += f[i] != 0;
		t[i] = 0;
	}
	return i + 1;
}

static kt_u64 format(struct bpf_session *s, const kt_u64 *r)
{
	kt_u32 size = (kt_u32)r[R2], wanted = kt_format((char *)r[R1], size, (const char *)r[R3], (const struct kt_arg *)r[R4], (kt_u32)r[R5]);

	s->losses[s->running].cut += wanted >= size;
	return wanted;
}

static kt_u64 message(struct bpf_session *s, const kt_u64 *r)
{
	const struct image_frame *f = (const struct image_frame *)s->store.frame;

	error_message(s, (char *)r[R1], r[R2], (enum image_error)f->error, f->detail, (const char *)(f + 1));
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
		records_drain(s);
		records_put(s, rec);
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
		records_drain(s);
		records_put(s, (const struct kt_record *)r[R2]);
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
	case NATIVE_FORMAT: return format(s, r);
	case NATIVE_MATCH:
		return native_match(s->natives, (const struct image_regex *)r[R1], (const char *)r[R2], (struct image_frame *)s->store.frame);
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

void run_cold(struct bpf_session *s, kt_u32 probe)
{
	const struct image_probe *p = (const struct image_probe *)image_part(&s->image, IMAGE_PROBES) + probe;
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	const struct bpf_instruction *code = image_part(&s->image, IMAGE_CODE);
	struct interpreter in = { .code = code + programs[p->program].code, .n = programs[p->program].n, .call = call, .load = load, .of = s,
				  .steps = STEPS_MAX };

	s->running = probe;
	collect(s);
	natives_begin(s->natives, &s->losses[probe].cut);
	stats_begin(&s->store);
	interpret(&in, NULL, s->store.frame);
	natives_end();
	store_leave_all(&s->store);
}

/* ---- signals ---- */
void signals_run(struct bpf_session *s)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	kt_u64 came = s->state->state == KT_RUNNING ? s->signals : 0;

	s->signals &= ~came;
	for (kt_u32 i = 0; came && i < image_count(&s->image, IMAGE_ROWS) && s->state->state == KT_RUNNING; i++)
		if (rows[i].family == KT_FAMILY_SIGNAL && came >> rows[i].kind & 1)
			run_cold(s, rows[i].probe);
}

/* ---- timers ---- */
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

void timers_begin(struct bpf_session *s)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++)
		if (rows[i].family == KT_FAMILY_TIMER)
			s->timers[s->n_timers++] = (struct timer){ &rows[i], clock_ns(CLOCK_MONOTONIC) + rows[i].interval };
	set_clock(s);
}

void timers_run(struct bpf_session *s)
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
