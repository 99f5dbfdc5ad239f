/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A server for one resource, `GET /metrics`, in the loop of its caller.
 *
 * It takes HTTP/1.0 and 1.1, answers each connection once and closes it. Nothing that a client sends is kept beyond HTTP_REQUEST bytes or
 * HTTP_SECONDS. HTTP_CLIENTS are served at a time; one more takes the place of the one that has taken longest, so that idle connections
 * shut nobody out. Users who need TLS put a proxy in front.
 *
 * libmicrohttpd cannot replace this. With all connections taken it lets new ones wait, its time limit is for silence and not for a
 * request, and it reads the path "/metrics\0" as "/metrics" (0.9.75). Its 10 libraries add 2 ms to each start of ktap.
 */
#ifndef KTAP_CLI_LIVE_HTTP_H
#define KTAP_CLI_LIVE_HTTP_H

#include <poll.h>
#include <stdbool.h>

#include "lib/text.h"

enum { HTTP_CLIENTS = 16, HTTP_REQUEST = 8192, HTTP_SECONDS = 10 };

struct http_client {
	int fd;              /* -1: free */
	double deadline;
	char request[HTTP_REQUEST];
	size_t len;
	bool answered;
	struct text answer;
	size_t sent;
};

struct http {
	int fd;
	void (*body)(void *of, struct text *ret);
	void *of;
	const char *type;    /* Content-Type of the body */
	struct http_client clients[HTTP_CLIENTS];
};

/* Listens at ADDRESS:PORT, where ADDRESS may be empty, a name, or in brackets. BODY writes the resource. False: reported. */
bool http_open(struct http *h, const char *option, const char *address);
void http_close(struct http *h);
/* As of struct view. */
int http_wait(struct http *h, struct pollfd *ret, int room, int *timeout);
void http_polled(struct http *h, const struct pollfd *p, int n);

#endif
