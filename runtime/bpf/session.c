/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "runtime/bpf/kernel.h"
#include "runtime/bpf/state.h"

/* Ends a session of which too many hits gave up on a lock. */
static void check_skipped(struct bpf_session *s)
{
	kt_u64 skipped = 0;
	kt_u32 most = 0;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROBES); i++) {
		skipped += s->losses[i].skipped;
		if (s->losses[i].skipped > s->losses[most].skipped)
			most = i;
	}
	if (skipped <= s->image.settings->max_skipped)
		return;
	records_put_error(s, most, KT_ERROR_LOCK,
			  "too many hits were skipped because a lock on a global was busy; raise -DMAXSKIPPED=N");
	s->failed = true;
	__atomic_store_n(&s->state->state, KT_STOPPING, __ATOMIC_SEQ_CST);
}

ssize_t bpf_session_read(void *session, void *buf, size_t len)
{
	struct bpf_session *s = session;
	struct kt_chunk *chunk = buf;
	kt_u64 lost[KT_LOSS_COUNT] = { 0 };
	const char *from;
	size_t n = 0;

	pthread_mutex_lock(&s->lock);
	if (__atomic_load_n(&s->state->state, __ATOMIC_ACQUIRE) == KT_RUNNING) {
		signals_run(s);
		timers_run(s);
		check_skipped(s);
	}
	records_drain(s);
	from = text_str(&s->records) + s->taken;
	while (s->taken + n < s->records.len) {
		const struct kt_record *rec = (const struct kt_record *)(from + n);

		if (sizeof(*chunk) + n + rec->size > len)
			break;
		n += rec->size;
	}
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROBES); i++)
		losses_add(s, i, lost);
	memcpy(chunk + 1, from, n);
	*chunk = (struct kt_chunk){ .size = (kt_u32)n, .horizon = clock_ns(CLOCK_MONOTONIC), .lost_records = lost[KT_LOSS_RECORD] };
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

static bool find_natives(struct bpf_session *s)
{
	kt_u32 n = image_count(&s->image, IMAGE_NATIVES);

	s->natives = natives_new(s->image.settings->string_max);
	if (!s->natives)
		return error(nowhere, DIAG_RUN, "out of memory");
	s->functions = xmalloc((n + 1) * sizeof(*s->functions));
	for (kt_u32 i = 0; i < n; i++) {
		s->functions[i] = native_find(image_text_of(&s->image, IMAGE_NATIVES, i));
		if (!s->functions[i])
			return error(nowhere, DIAG_RUN, "the image calls %s(), which this ktaprun does not have",
				     image_text_of(&s->image, IMAGE_NATIVES, i));
	}
	return true;
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

static bool begin(struct bpf_session *s, bool verbose)
{
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	kt_u32 targets = s->image.settings->targets;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++)
		s->in_kernel |= programs[i].kind != IMAGE_COLD;
	allow_files(s);
	s->store.n_cpus = s->in_kernel ? kernel_cpus() : 1;
	if (!find_natives(s) || (s->in_kernel && !check_rights(s)) || !find_slide(s) || (s->in_kernel && !make_maps(s)))
		return false;
	if (!store_init(&s->store, &s->image, s->fds, s->store.n_cpus))
		return error(nowhere, DIAG_RUN, "out of memory");
	s->state = (struct image_state *)s->store.state;
	s->losses = (struct image_losses *)(s->store.state + s->image.settings->losses);
	if (s->in_kernel && !load_programs(s, verbose))
		return false;
	if (targets && s->start.target && !targets_follow(&s->targets, s->fds[targets], s->start.target))
		return false;
	if (s->in_kernel)
		watch(s, s->fds[MAP_RING]);
	watch(s, s->clock);
	return true;
}

struct bpf_session *bpf_session_open(int fd, int target, bool verbose)
{
	struct bpf_session *s = xmalloc(sizeof(*s));
	const char *why;

	*s = (struct bpf_session){ .event = epoll_create1(EPOLL_CLOEXEC), .clock = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK) };
	s->start.target = target;
	pthread_mutex_init(&s->lock, NULL);
	if (!image_file_read(fd, &s->image, &why)) {
		error(nowhere, DIAG_RUN, "cannot read the image: %s", why);
		image_file_free(&s->image);
		close(s->event);
		close(s->clock);
		free(s);
		return NULL;
	}
	s->fds = numbers(image_count(&s->image, IMAGE_MAPS));
	s->programs = numbers(image_count(&s->image, IMAGE_PROGRAMS));
	s->places = numbers(image_count(&s->image, IMAGE_ROWS));
	s->errors = numbers(image_count(&s->image, IMAGE_PROBES));
	s->missed = xmalloc((image_count(&s->image, IMAGE_PROBES) + 1ul) * sizeof(*s->missed));
	memset(s->missed, 0, (image_count(&s->image, IMAGE_PROBES) + 1ul) * sizeof(*s->missed));
	memset(s->errors, 0, image_count(&s->image, IMAGE_PROBES) * sizeof(*s->errors));
	s->timers = xmalloc((image_count(&s->image, IMAGE_ROWS) + 1ul) * sizeof(*s->timers));
	if (!begin(s, verbose)) {
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
	free(s->events);
	free(s->errors);
	free(s->missed);
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
