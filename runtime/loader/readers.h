/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other processes that read the output of a session while it runs: `ktaprun --attach NAME`.
 *
 * The session listens on the socket READERS_DIR/NAME, which root and the group READERS_GROUP may open. A packet has its kind in the first byte.
 * Readers are sent whole lines, from the first that begins after they came. Nothing waits for them: what the socket of one does not take is
 * lost to that one, which is told how much. What they send is discarded.
 */
#ifndef KT_LOADER_READERS_H
#define KT_LOADER_READERS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/text.h"

#define READERS_DIR "/run/ktap"
#define READERS_GROUP "ktap"

enum { READERS_MAX = 8, READERS_PACKET = 32 << 10 };

enum readers_kind {
	READERS_OUTPUT = 'o', /* text */
	READERS_LOST = 'l',   /* the number of bytes that were lost here, in digits */
	READERS_FULL = 'f',   /* READERS_MAX others read already */
	READERS_END = 'e',    /* the session ends, and nothing is lost since the last READERS_LOST */
};

struct attached {
	int fd;
	size_t lost;          /* bytes since the last packet that it took */
};

struct readers {
	int fd;               /* listens; -1: nobody can attach */
	char path[108];
	struct attached v[READERS_MAX];
	int n;
	struct text line;     /* the beginning of a line that has not ended, or lines that are not sent yet */
	bool inside;          /* the beginning of `line` is within a line */
	double next;          /* the time before which nobody else is let in */
};

/* Listens for readers of the session of module NAME. A failure is a warning. */
void readers_open(struct readers *r, const char *name);
void readers_close(struct readers *r);

/* What the session prints. */
void readers_append(struct readers *r, const char *text, size_t len);
/* Sends the whole lines. */
void readers_send(struct readers *r);
/* Lets a reader in, and forgets those that went. NOW: seconds. */
void readers_tick(struct readers *r, double now);

#endif
