/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records: those of the kernel's ring and of cold handlers, in the form and order in which a module writes them. */
#include <stdio.h>
#include <string.h>

#include "runtime/bpf/state.h"

static const struct {
	enum kt_error_kind kind;
	const char *message;
} errors[IMAGE_ERRORS] = {
#define IMAGE_ERROR(name, kind, message) [IMAGE_ERROR_##name] = { kind, message },
#include "runtime/bpf/errors.def"
#undef IMAGE_ERROR
};

void error_message(const struct bpf_session *s, char *to, size_t size, enum image_error error, kt_s64 detail, const char *text)
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

/* An error as a module reports it: of PROBE, through the N calls at CALLERS. HEAD has its time and place. */
static void put_message(struct bpf_session *s, struct kt_record head, kt_s64 kind, const char *message, kt_u64 probe, const kt_u32 *callers, kt_u32 n)
{
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	const char *pp = probe < image_count(&s->image, IMAGE_PROBES) ? image_text(&s->image, probes[probe].pp) : "?";
	size_t at = s->records.len;

	text_append(&s->records, (const char *)&head, sizeof(head));
	text_append(&s->records, (const char *)&kind, sizeof(kind));
	put_string(&s->records, message, strlen(message));
	put_string(&s->records, pp, strlen(pp));
	put_string(&s->records, (const char *)callers, n * sizeof(*callers));
	head.size = (kt_u32)(s->records.len - at);
	memcpy(s->records.buf + at, &head, sizeof(head));
}

static void put_error(struct bpf_session *s, const struct image_error_record *rec)
{
	kt_u32 n_callers = rec->n_callers < KT_ERROR_CALLS_MAX ? (kt_u32)rec->n_callers : KT_ERROR_CALLS_MAX;
	bool has_text = rec->head.size > sizeof(*rec);
	char message[KT_MESSAGE_MAX];

	error_message(s, message, sizeof(message), (enum image_error)rec->error, rec->detail, has_text ? (const char *)(rec + 1) : "");
	put_message(s, rec->head, rec->error < IMAGE_ERRORS ? errors[rec->error].kind : KT_ERROR_OTHER, message, rec->probe, rec->callers, n_callers);
}

void records_put_error(struct bpf_session *s, kt_u32 probe, enum kt_error_kind kind, const char *message)
{
	struct kt_record head = { .kind = KT_REC_ERROR, .number = KT_NO_PLACE, .time = clock_ns(CLOCK_MONOTONIC) };

	put_message(s, head, kind, message, probe, NULL, 0);
}

void records_put_warning(struct bpf_session *s, const char *message)
{
	size_t len = strlen(message);
	struct kt_record head = { .size = (kt_u32)sizeof(head) + kt_string_room((kt_u32)len), .kind = KT_REC_WARN, .number = KT_NO_PLACE,
				  .time = clock_ns(CLOCK_MONOTONIC) };

	text_append(&s->records, (const char *)&head, sizeof(head));
	put_string(&s->records, message, len);
}

void records_put(struct bpf_session *s, const struct kt_record *rec)
{
	if (rec->kind == KT_REC_ERROR)
		put_error(s, (const struct image_error_record *)rec);
	else
		text_append(&s->records, (const char *)rec, rec->size);
}

/* The ring: positions that grow, a header of 8 bytes before each record. */
void records_drain(struct bpf_session *s)
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
				records_put(s, (const struct kt_record *)(head + 2));
			at += ((len & ~(3u << 30)) + 8 + 7) & ~7u;
			__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
		}
	}
}
