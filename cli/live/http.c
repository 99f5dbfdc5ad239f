/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/live/http.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"

static const struct loc nowhere;

enum { QUEUE = 16 };

/* ---- opening ---- */

/* Splits "HOST:PORT" or "[HOST]:PORT". An empty host becomes NULL. */
static bool split_address(const char *address, char **ret_host, const char **ret_port)
{
	const char *colon = strrchr(address, ':');
	size_t len;

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return false;
	len = (size_t)(colon - address);
	if (len > 1 && address[0] == '[' && address[len - 1] == ']') {
		address++;
		len -= 2;
	} else if (memchr(address, ':', len)) {
		return false;
	}
	*ret_host = len ? arena_strndup(&program_arena, address, len) : NULL;
	*ret_port = colon + 1;
	return true;
}

static int listen_at(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, err;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, QUEUE))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

/* The address that was bound; the port may have been 0. */
static void say_address(int fd)
{
	struct sockaddr_storage bound;
	socklen_t len = sizeof(bound);
	char host[NI_MAXHOST], port[NI_MAXSERV];

	if (!getsockname(fd, (struct sockaddr *)&bound, &len) &&
	    !getnameinfo((struct sockaddr *)&bound, len, host, sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		note(nowhere, strchr(host, ':') ? "metrics are served at http://[%s]:%s/metrics" :
		     "metrics are served at http://%s:%s/metrics", host, port);
}

bool http_open(struct http *h, const char *option, const char *address)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV };
	struct addrinfo *list;
	const char *port;
	char *host;
	int err;

	for (int i = 0; i < HTTP_CLIENTS; i++)
		h->clients[i].fd = -1;
	h->fd = -1;
	if (!split_address(address, &host, &port)) {
		error(nowhere, DIAG_USAGE, "%s: expected ADDRESS:PORT, found '%s'", option, address);
		note(nowhere, "for example 127.0.0.1:9435, [::1]:9435, or :9435 for all addresses of this machine");
		return false;
	}
	err = getaddrinfo(host, port, &hints, &list);
	if (err)
		return error(nowhere, DIAG_RUN, "%s: '%s' is no address: %s", option, address, gai_strerror(err));
	h->fd = listen_at(list);
	err = errno;
	freeaddrinfo(list);
	if (h->fd < 0)
		return error(nowhere, DIAG_RUN, "%s: cannot listen at %s: %s", option, address, strerror(err));
	say_address(h->fd);
	return true;
}

static void drop(struct http_client *c)
{
	close(c->fd);
	c->fd = -1;
	text_deinit(&c->answer);
}

void http_close(struct http *h)
{
	for (int i = 0; i < HTTP_CLIENTS; i++)
		if (h->clients[i].fd >= 0)
			drop(&h->clients[i]);
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
}

/* ---- answers ---- */

static void answer(struct http_client *c, const char *status, const char *type, const char *body, size_t len, bool head)
{
	text_printf(&c->answer, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%sConnection: close\r\n\r\n", status, type,
		    len, !strncmp(status, "405", 3) ? "Allow: GET, HEAD\r\n" : "");
	if (!head)
		text_append(&c->answer, body, len);
	c->answered = true;
}

static void refuse(struct http_client *c, const char *status)
{
	answer(c, status, "text/plain; charset=utf-8", status, strlen(status), false);
}

/* Is the TARGET of LEN bytes this path, with or without a query? */
static bool is_path(const char *target, size_t len, const char *path)
{
	size_t n = strlen(path);

	return len >= n && !memcmp(target, path, n) && (len == n || target[n] == '?');
}

/* The request line is LINE, which ends with NUL. */
static void serve(struct http *h, struct http_client *c, const char *line)
{
	size_t method = strcspn(line, " "), len = line[method] ? strcspn(line + method + 1, " ") : 0;
	const char *target = line + method + 1, *version = target + len;
	bool head = method == 4 && !memcmp(line, "HEAD", 4);
	struct text body = { 0 };

	if (!len || strncmp(version, " HTTP/1.", 8))
		refuse(c, "400 Bad Request");
	else if (!head && (method != 3 || memcmp(line, "GET", 3)))
		refuse(c, "405 Method Not Allowed");
	else if (!is_path(target, len, "/metrics"))
		refuse(c, "404 Not Found");
	if (c->answered)
		return;
	h->body(h->of, &body);
	answer(c, "200 OK", h->type, text_str(&body), body.len, head);
	text_deinit(&body);
}

/* A request is complete with its empty line. */
static void take_request(struct http *h, struct http_client *c)
{
	char *end = memmem(c->request, c->len, "\r\n\r\n", 4);

	if (!end && c->len < HTTP_REQUEST)
		return;
	if (!end) {
		refuse(c, "431 Request Header Fields Too Large");
	} else if (memchr(c->request, 0, (size_t)(end - c->request))) {
		refuse(c, "400 Bad Request");
	} else {
		*strchr(c->request, '\r') = 0;
		serve(h, c, c->request);
	}
}

/* ---- connections ---- */

static void read_some(struct http *h, struct http_client *c)
{
	ssize_t n = read(c->fd, c->request + c->len, HTTP_REQUEST - c->len);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(c);
		return;
	}
	c->len += (size_t)n;
	take_request(h, c);
}

/* Closing a connection with unread input would take back what the client did not read yet. */
static void finish(struct http_client *c)
{
	char rest[4096];

	shutdown(c->fd, SHUT_WR);
	for (int i = 0; i < QUEUE && read(c->fd, rest, sizeof(rest)) > 0; i++)
		continue;
	drop(c);
}

static void send_some(struct http_client *c)
{
	ssize_t n = send(c->fd, c->answer.buf + c->sent, c->answer.len - c->sent, MSG_NOSIGNAL);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		drop(c);
		return;
	}
	c->sent += (size_t)n;
	if (c->sent == c->answer.len)
		finish(c);
}

/* A free client; else the one that has taken longest is dropped. */
static struct http_client *next_client(struct http *h)
{
	struct http_client *oldest = &h->clients[0];

	for (int i = 0; i < HTTP_CLIENTS; i++) {
		if (h->clients[i].fd < 0)
			return &h->clients[i];
		if (h->clients[i].deadline < oldest->deadline)
			oldest = &h->clients[i];
	}
	drop(oldest);
	return oldest;
}

static void accept_one(struct http *h)
{
	int fd = accept4(h->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct http_client *c;

	if (fd < 0)
		return;
	c = next_client(h);
	c->fd = fd;
	c->deadline = clock_seconds() + HTTP_SECONDS;
	c->len = c->sent = 0;
	c->answered = false;
}

/* The listener comes first. */
int http_wait(struct http *h, struct pollfd *ret, int room, int *timeout)
{
	int n = 0;

	if (room < HTTP_CLIENTS + 1)
		return 0;
	ret[n++] = (struct pollfd){ .fd = h->fd, .events = POLLIN };
	for (int i = 0; i < HTTP_CLIENTS; i++) {
		struct http_client *c = &h->clients[i];
		double left = (c->deadline - clock_seconds()) * 1000 + 1;

		ret[n++] = (struct pollfd){ .fd = c->fd, .events = c->answered ? POLLOUT : POLLIN };
		if (c->fd >= 0 && (left < *timeout || *timeout < 0))
			*timeout = left > 0 ? (int)left : 0;
	}
	return n;
}

void http_polled(struct http *h, const struct pollfd *p, int n)
{
	for (int i = 1; i < n; i++) {
		struct http_client *c = &h->clients[i - 1];

		if (c->fd >= 0 && c->fd == p[i].fd && p[i].revents && !c->answered)
			read_some(h, c);
		if (c->fd >= 0 && c->answered)
			send_some(c);
		if (c->fd >= 0 && clock_seconds() >= c->deadline)
			drop(c);
	}
	if (n && p[0].revents)
		accept_one(h);
}
