/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wall clock is read once: stamps follow CLOCK_MONOTONIC from there, and never go back when somebody sets the clock. */
#include "runtime/output/stamp.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const kt_u64 SECOND = 1000000000;

static kt_u64 clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (kt_u64)t.tv_sec * SECOND + (kt_u64)t.tv_nsec;
}

void stamp_init(struct stamp *s, enum stamp_clock clock)
{
	*s = (struct stamp){ .clock = clock, .ahead = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC) };
}

bool stamp_parse(const char *word, enum stamp_clock *ret)
{
	static const char *const words[] = { [STAMP_WALL] = "wall", [STAMP_MONO] = "mono", [STAMP_DELTA] = "delta" };

	for (int i = STAMP_WALL; i <= STAMP_DELTA; i++) {
		if (!strcmp(words[i], word ? word : "wall")) {
			*ret = (enum stamp_clock)i;
			return true;
		}
	}
	return false;
}

/* Returns the nanoseconds that the stamp of TIME shows. Records of several CPUs may go back. */
static kt_s64 read_stamp(struct stamp *s, kt_u64 time)
{
	kt_u64 now = time ? time : clock_ns(CLOCK_MONOTONIC), last = s->last ? s->last : now;

	s->last = now;
	if (s->clock == STAMP_WALL)
		return (kt_s64)(now + s->ahead);
	return s->clock == STAMP_DELTA ? (kt_s64)(now - last) : (kt_s64)now;
}

void stamp_member(struct stamp *s, kt_u64 time, struct json *to)
{
	static const char *const names[] = {
		[STAMP_WALL] = "time_unix_nano", [STAMP_MONO] = "time_mono_nano", [STAMP_DELTA] = "time_delta_nano",
	};

	if (s->clock != STAMP_NONE)
		json_member_number(to, names[s->clock], read_stamp(s, time));
}

/* ---- text ---- */

/* Writes seconds with nine decimals. */
static size_t put_seconds(char *to, size_t size, const char *sign, kt_u64 ns)
{
	return (size_t)snprintf(to, size, "%s%llu.%09llu ", sign, ns / SECOND, ns % SECOND);
}

static size_t put_wall(char *to, size_t size, kt_u64 ns)
{
	time_t seconds = (time_t)(ns / SECOND);
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(to, size, "%Y-%m-%dT%H:%M:%S", &tm);
	return n + (size_t)snprintf(to + n, size - n, ".%09lluZ ", ns % SECOND);
}

static void put_stamp(struct stamp *s, kt_u64 time, struct json *to)
{
	kt_s64 ns = read_stamp(s, time);
	char text[64];
	size_t n;

	if (s->clock == STAMP_WALL)
		n = put_wall(text, sizeof(text), (kt_u64)ns);
	else if (s->clock == STAMP_DELTA)
		n = put_seconds(text, sizeof(text), ns < 0 ? "-" : "+", (kt_u64)(ns < 0 ? -ns : ns));
	else
		n = put_seconds(text, sizeof(text), "", (kt_u64)ns);
	json_raw(to, text, n);
}

void stamp_lines(struct stamp *s, kt_u64 time, const char *text, size_t len, struct json *to)
{
	while (len) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline + 1 - text) : len;

		if (!s->midline)
			put_stamp(s, time, to);
		json_raw(to, text, n);
		s->midline = !newline;
		text += n;
		len -= n;
	}
}
