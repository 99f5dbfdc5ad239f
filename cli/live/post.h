/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends requests to an HTTP server from a separate thread, so that a slow server does not delay the session's records.
 *
 * A request is tried again when the server is not there or says that it is busy. While POST_WAITING requests wait, a new one is dropped;
 * the end of the session waits for at most POST_END_SECONDS. The first failure and the number of lost requests are reported.
 *
 * libcurl would replace the calls of sockets, not the thread: before 7.87 its interface without a thread waits for a silent name server. Its
 * 26 libraries add 5 ms to each start of ktap, whose first two passes take 8. A collector on this machine passes on with TLS.
 */
#ifndef KTAP_CLI_LIVE_POST_H
#define KTAP_CLI_LIVE_POST_H

struct post;

enum { POST_WAITING = 64, POST_TRIES = 4, POST_SECONDS = 5, POST_END_SECONDS = 10 };

/* URL: http://HOST[:PORT][/PATH], port 4318 unless it says so. NULL: reported. */
struct post *post_open(const char *option, const char *url);
/* Sends BODY, JSON text, to PATH below that of the URL. */
void post_send(struct post *p, const char *path, const char *body);
void post_close(struct post *p);

#endif
