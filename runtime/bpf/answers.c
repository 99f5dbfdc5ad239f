/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a control file answers to ioctl(). */
#include <errno.h>
#include <string.h>

#include "runtime/bpf/session.h"
#include "runtime/bpf/state.h"
#include "runtime/bpf/stats.h"

/* Runs the handlers of begin, end or error, as long as the state does not change. */
static void run_rows(struct bpf_session *s, kt_u32 when)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	kt_u32 state = s->state->state;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS) && s->state->state == state; i++)
		if (rows[i].family == KT_FAMILY_LIFE && rows[i].kind == when)
			run_cold(s, rows[i].probe);
}

/* Handlers at hits run only after all places are attached: a session does not see how it is started. */
static int start(struct bpf_session *s, const struct kt_start *how)
{
	kt_u32 starting = KT_STARTING;

	s->start = *how;
	s->state->state = KT_STARTING;
	pthread_mutex_lock(&s->lock);
	run_rows(s, KT_LIFE_BEGIN);
	pthread_mutex_unlock(&s->lock);
	if (s->state->state != KT_STARTING)
		return 0;
	if (s->in_kernel && !attach(s)) {
		s->failed = true;
		s->state->state = KT_STOPPING;
		return 0;
	}
	__atomic_compare_exchange_n(&s->state->state, &starting, KT_RUNNING, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&s->lock);
	signals_run(s);
	timers_begin(s);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

/* The ledger lacks them. */
#define UNCOUNTED "This kernel does not count the hits of kprobes that it misses: those in code that handlers call, and returns without a free slot."

static int stop(struct bpf_session *s)
{
	__atomic_store_n(&s->state->state, KT_STOPPING, __ATOMIC_SEQ_CST);
	detach(s);
	pthread_mutex_lock(&s->lock);
	s->n_timers = 0;
	stats_wait(&s->store);
	records_drain(s);
	s->failed |= s->state->errors >= s->image.settings->max_errors;
	run_rows(s, s->failed ? KT_LIFE_ERROR : KT_LIFE_END);
	if (s->uncounted && s->start.count == KT_COUNT_ALL)
		records_put_warning(s, UNCOUNTED);
	s->failed |= s->state->errors >= s->image.settings->max_errors;
	__atomic_store_n(&s->state->state, KT_STOPPED, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

/* Signals that have handlers, a bit each. */
static kt_u64 signals_of(const struct bpf_session *s)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	kt_u64 bits = 0;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++)
		if (rows[i].family == KT_FAMILY_SIGNAL)
			bits |= 1ull << rows[i].kind;
	return bits;
}

/* Runs the handlers of the signal, or has START do so at its end. */
static int pass_signal(struct bpf_session *s, kt_u32 number)
{
	if (number >= KT_SIGNALS_MAX || !(signals_of(s) >> number & 1))
		return -EINVAL;
	pthread_mutex_lock(&s->lock);
	s->signals |= 1ull << number;
	signals_run(s);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static int info(const struct bpf_session *s, struct kt_info *ret)
{
	kt_u32 json = image_count(&s->image, IMAGE_IDENTITY) ? KT_INFO_JSON : 0;

	*ret = (struct kt_info){
		.abi = KT_ABI, .n_probes = image_count(&s->image, IMAGE_PROBES), .n_formats = image_count(&s->image, IMAGE_FORMATS),
		.n_places = image_count(&s->image, IMAGE_PLACES), .n_globals = image_count(&s->image, IMAGE_GLOBALS), .buffer_size = RING_BYTES,
		.string_max = s->image.settings->string_max, .n_cpus = 1, .flags = KT_INFO_LINES | json, .n_rows = image_count(&s->image, IMAGE_ROWS),
		.signals = signals_of(s),
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
		{ KT_TEXT_FORMAT, IMAGE_FORMATS }, { KT_TEXT_PLACE, IMAGE_PLACES }, { KT_TEXT_LINE, IMAGE_SOURCE },
		{ KT_TEXT_IDENTITY, IMAGE_IDENTITY },
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

static enum kt_loss loss_of(enum kt_error_kind kind)
{
	return kind == KT_ERROR_FAULT ? KT_LOSS_FAULT : kind == KT_ERROR_FULL ? KT_LOSS_FULL : KT_LOSS_ERROR;
}

void losses_add(const struct bpf_session *s, kt_u32 probe, kt_u64 *ret)
{
	static const enum kt_error_kind kinds[IMAGE_ERRORS] = {
#define IMAGE_ERROR(name, kind, message) [IMAGE_ERROR_##name] = kind,
#include "runtime/bpf/errors.def"
#undef IMAGE_ERROR
	};
	const struct image_losses *l = &s->losses[probe];

	ret[KT_LOSS_LOCK] += l->skipped;
	ret[KT_LOSS_RECURSION] += l->busy + s->missed[probe].recursion;
	ret[KT_LOSS_KPROBE] += s->missed[probe].kprobe;
	ret[KT_LOSS_RETURN] += s->missed[probe].returns;
	ret[KT_LOSS_RECORD] += l->lost_records;
	ret[KT_LOSS_STRING] += l->cut;
	ret[KT_LOSS_CALL] += l->calls;
	for (int i = 0; i < IMAGE_ERRORS; i++)
		ret[loss_of(kinds[i])] += l->errors[i];
}

static int status(const struct bpf_session *s, struct kt_status *ret)
{
	*ret = (struct kt_status){
		.state = __atomic_load_n(&s->state->state, __ATOMIC_ACQUIRE), .failed = s->failed, .errors = s->state->errors,
		.exit_code = (kt_s32)s->state->exit_code,
		.probes_found = s->armed + s->refused, .probes_armed = s->armed, .probes_failed = s->refused,
	};
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROBES); i++)
		losses_add(s, i, ret->lost);
	return 0;
}

static int probe_status(const struct bpf_session *s, struct kt_probe_status *p)
{
	kt_u32 index = p->index;
	const char *at;
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);

	if (index >= image_count(&s->image, IMAGE_PROBES))
		return -EINVAL;
	at = s->store.state + s->image.settings->state_size + 8ul * index;
	*p = (struct kt_probe_status){ .index = index, .error = s->errors[index], .flags = probes[index].flags };
	losses_add(s, index, p->lost);
	for (kt_u32 cpu = 0; cpu < s->store.n_cpus; cpu++)
		p->handled += *(const kt_u64 *)(at + (size_t)cpu * s->image.settings->cpu_size);
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
	case KT_IOC_SIGNAL: return pass_signal(s, *(const kt_u32 *)argument);
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
