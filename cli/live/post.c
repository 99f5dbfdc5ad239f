/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/live/post.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"

static const struct loc nowhere;

/* The thread may outlive the arena, so neither this nor its texts are there. */
struct post {
	char *host, *port, *path;
	pthread_t thread;
	pthread_mutex_t lock;    /* of what follows */
	pthread_cond_t changed;
	char *waiting[POST_WAITING]; /* whole requests */
	int first, n;
	bool busy;               /* the thread has a request */
	bool closing;
	bool ended;              /* the thread has */
	double deadline;         /* when closing */
	unsigned long lost;
	bool failed, reported;   /* the thread reports nothing itself */
	int status;              /* of the first failure */
};

/* ---- one request ---- */

/* Bounds the next call that waits for FD. False: no time is left until UNTIL. */
static bool set_limit(int fd, double until)
{
	double left = until - clock_seconds();
	const struct timeval limit = { .tv_sec = (time_t)left, .tv_usec = (suseconds_t)((left - (double)(time_t)left) * 1e6) };

	return left > 0.001 && !setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) &&
	       !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

static int connect_to(const struct post *p, double until)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list;
	int fd = -1;

	if (getaddrinfo(p->host, p->port, &hints, &list))
		return -1;
	for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0)
			continue;
		if (!set_limit(fd, until) || connect(fd, a->ai_addr, a->ai_addrlen) < 0) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(list);
	return fd;
}

static bool send_all(int fd, const char *text, double until)
{
	size_t left = strlen(text);

	while (left) {
		ssize_t n = set_limit(fd, until) ? send(fd, text, left, MSG_NOSIGNAL) : 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text += n;
		left -= (size_t)n;
	}
	return true;
}

/* Returns the status of the answer, 0: there was none. */
static int read_status(int fd, double until)
{
	char line[64];
	size_t len = 0;
	int status = 0;

	while (len < sizeof(line) - 1) {
		ssize_t n = set_limit(fd, until) ? recv(fd, line + len, sizeof(line) - 1 - len, 0) : 0;

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	line[len] = 0;
	return sscanf(line, "HTTP/1.%*1d %3d", &status) == 1 ? status : 0;
}

static int try_request(const struct post *p, const char *request)
{
	double until = clock_seconds() + POST_SECONDS;
	int fd = connect_to(p, until), status = 0;

	if (fd < 0)
		return 0;
	if (send_all(fd, request, until))
		status = read_status(fd, until);
	close(fd);
	return status;
}

static bool may_try_again(int status)
{
	return !status || status == 429 || (status >= 502 && status <= 504);
}

/* ---- the thread ---- */

/* Waits for a change until UNTIL, with the lock. False: that time has come. */
static bool wait_for_change(struct post *p, double until)
{
	const struct timespec t = { .tv_sec = (time_t)until, .tv_nsec = (long)((until - (double)(time_t)until) * 1e9) };

	return clock_seconds() < until && !pthread_cond_timedwait(&p->changed, &p->lock, &t);
}

/* Waits up to SECONDS, or until the session is over. False: no more time. */
static bool pause_before_retry(struct post *p, int seconds)
{
	double until = clock_seconds() + seconds;
	bool more;

	pthread_mutex_lock(&p->lock);
	if (p->closing && until > p->deadline)
		until = p->deadline;
	while (wait_for_change(p, until) && !p->closing)
		continue;
	more = !p->closing || clock_seconds() < p->deadline;
	pthread_mutex_unlock(&p->lock);
	return more;
}

static void deliver(struct post *p, const char *request)
{
	int status = try_request(p, request);

	for (int i = 1; i < POST_TRIES && may_try_again(status) && pause_before_retry(p, 1 << (i - 1)); i++)
		status = try_request(p, request);
	if (status >= 200 && status < 300)
		return;
	pthread_mutex_lock(&p->lock);
	p->lost++;
	p->status = p->failed ? p->status : status;
	p->failed = true;
	pthread_mutex_unlock(&p->lock);
}

/* Returns the next request, NULL after the last. */
static char *next_request(struct post *p)
{
	char *request = NULL;

	pthread_mutex_lock(&p->lock);
	p->busy = false;
	while (!p->n && !p->closing)
		pthread_cond_wait(&p->changed, &p->lock);
	if (p->n && (!p->closing || clock_seconds() < p->deadline)) {
		request = p->waiting[p->first];
		p->first = (p->first + 1) % POST_WAITING;
		p->n--;
		p->busy = true;
	} else {
		p->ended = true;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return request;
}

static void *post_main(void *post)
{
	char *request;

	while ((request = next_request(post))) {
		deliver(post, request);
		free(request);
	}
	return NULL;
}

/* ---- for the session ---- */

static bool split_url(const char *url, struct post *ret)
{
	size_t scheme = strlen("http://"), host;
	const char *colon, *slash;

	if (strncmp(url, "http://", scheme))
		return false;
	url += scheme;
	slash = strchrnul(url, '/');
	if (strpbrk(url, " \r\n\t") || slash == url)
		return false;
	colon = memrchr(url, ':', (size_t)(slash - url));
	if (colon && memchr(colon, ']', (size_t)(slash - colon)))
		colon = NULL;
	host = (size_t)((colon ? colon : slash) - url);
	if (host > 2 && url[0] == '[' && url[host - 1] == ']')
		ret->host = xasprintf("%.*s", (int)host - 2, url + 1);
	else
		ret->host = xasprintf("%.*s", (int)host, url);
	ret->port = colon ? xasprintf("%.*s", (int)(slash - colon) - 1, colon + 1) : xstrdup("4318");
	ret->path = xasprintf("%.*s", (int)strlen(slash) - (*slash && slash[strlen(slash) - 1] == '/'), slash);
	return host && *ret->port && !ret->port[strspn(ret->port, "0123456789")];
}

/* Signals are for the thread of the session: this one would take them from its signalfd. */
static bool start_thread(struct post *p)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&p->thread, NULL, post_main, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !err;
}

static void post_free(struct post *p)
{
	free(p->host);
	free(p->port);
	free(p->path);
	free(p);
}

struct post *post_open(const char *option, const char *url)
{
	struct post *p = xmalloc(sizeof(*p));
	pthread_condattr_t monotonic;

	*p = (struct post){ .lock = PTHREAD_MUTEX_INITIALIZER };
	if (!split_url(url, p)) {
		error(nowhere, DIAG_USAGE, "%s: expected http://HOST[:PORT][/PATH], found '%s'", option, url);
		note(nowhere, "a collector on this machine listens at http://127.0.0.1:4318, and can send on with https");
		post_free(p);
		return NULL;
	}
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (!start_thread(p)) {
		error(nowhere, DIAG_RUN, "%s: cannot start a thread", option);
		post_free(p);
		return NULL;
	}
	return p;
}

/* In the thread of the session, with the lock. */
static void report_failure(struct post *p)
{
	if (!p->failed || p->reported)
		return;
	p->reported = true;
	if (p->status)
		warning(nowhere, DIAG_RUN, "--otlp: http://%s:%s%s answers with status %d", p->host, p->port, p->path, p->status);
	else
		warning(nowhere, DIAG_RUN, "--otlp: http://%s:%s%s does not answer", p->host, p->port, p->path);
}

void post_send(struct post *p, const char *path, const char *body)
{
	char *request = xasprintf("POST %s%s HTTP/1.1\r\nHost: %s:%s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
				  "Connection: close\r\n\r\n%s", p->path, path, p->host, p->port, strlen(body), body);

	pthread_mutex_lock(&p->lock);
	report_failure(p);
	if (p->n < POST_WAITING) {
		p->waiting[(p->first + p->n++) % POST_WAITING] = request;
		request = NULL;
	} else {
		p->lost++;
	}
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	free(request);
}

/* A name server or a collector that is silent holds the thread for longer than the session waits: it is left behind then, with P. */
void post_close(struct post *p)
{
	bool ended;

	pthread_mutex_lock(&p->lock);
	p->closing = true;
	p->deadline = clock_seconds() + POST_END_SECONDS;
	pthread_cond_broadcast(&p->changed);
	while (!p->ended && wait_for_change(p, p->deadline))
		continue;
	ended = p->ended;
	if (!ended && p->busy) {
		p->lost++;
		p->failed = true;
	}
	report_failure(p);
	p->lost += (unsigned long)p->n;
	for (; p->n; p->n--, p->first = (p->first + 1) % POST_WAITING)
		free(p->waiting[p->first]);
	if (p->lost)
		warning(nowhere, DIAG_RUN, "--otlp: %lu requests were lost", p->lost);
	pthread_mutex_unlock(&p->lock);
	if (!ended) {
		pthread_detach(p->thread);
		return;
	}
	pthread_join(p->thread, NULL);
	post_free(p);
}
