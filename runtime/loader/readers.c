/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A socket of packets in a directory of root's. No call waits, and a reader costs the session a bounded time in each look at its rings. */
#include "runtime/loader/readers.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/diag.h"

enum { SEND_BUFFER = 1 << 20 };

static const double between = 0.02; /* seconds between two readers that are let in */
/* ---- the socket ---- */
/* The directory must be one that nobody but root can change. */
static int check_dir(void)
{
	struct stat st;

	if (!mkdir(READERS_DIR, 0755))
		chmod(READERS_DIR, 0755); /* whatever the umask: the sockets in it say who may connect */
	else if (errno != EEXIST)
		return -errno;
	if (lstat(READERS_DIR, &st))
		return -errno;
	return S_ISDIR(st.st_mode) && !st.st_uid && !(st.st_mode & 022) ? 0 : -EPERM;
}

static int listen_at(struct readers *r, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct group *group = getgrnam(READERS_GROUP);
	mode_t mask;
	int err;

	if (snprintf(r->path, sizeof(r->path), READERS_DIR "/%s", name) >= (int)sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, r->path, sizeof(address.sun_path));
	unlink(r->path); /* of a session that was killed: this module is loaded, so no other has the name */
	r->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (r->fd < 0)
		return -errno;
	mask = umask(0177);
	err = bind(r->fd, (struct sockaddr *)&address, sizeof(address)) ? -errno : 0;
	umask(mask);
	if (err)
		return err;
	if (group && (chown(r->path, 0, group->gr_gid) || chmod(r->path, 0660)))
		return -errno;
	return listen(r->fd, READERS_MAX) ? -errno : 0;
}

void readers_open(struct readers *r, const char *name)
{
	int err;

	*r = (struct readers){ .fd = -1 };
	err = check_dir();
	if (!err)
		err = listen_at(r, name);
	if (!err)
		return;
	warning(nowhere, DIAG_RUN, "'ktaprun --attach %s' will not work: cannot listen in %s: %s", name, READERS_DIR, strerror(-err));
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

/* ---- packets ---- */
/* False: it was not taken. */
static bool send_packet(const struct attached *to, char kind, const char *text, size_t len)
{
	struct iovec parts[] = { { &kind, 1 }, { (char *)text, len } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	return sendmsg(to->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

static void send_lines(struct attached *to, const char *text, size_t len)
{
	char lost[24];

	if (to->lost) {
		snprintf(lost, sizeof(lost), "%zu", to->lost);
		if (send_packet(to, READERS_LOST, lost, strlen(lost)))
			to->lost = 0;
	}
	if (to->lost || !send_packet(to, READERS_OUTPUT, text, len))
		to->lost += len;
}

/* The length of the next packet of TEXT: whole lines, or a part of one that is longer than a packet. 0: no line has ended. */
static size_t packet_length(const char *text, size_t len)
{
	size_t most = len < READERS_PACKET ? len : READERS_PACKET;
	const char *end = memrchr(text, '\n', most);

	return end ? (size_t)(end + 1 - text) : most == READERS_PACKET ? most : 0;
}

void readers_append(struct readers *r, const char *text, size_t len)
{
	if (r->fd < 0 || !len)
		return;
	if (!r->n) { /* whether a line has ended is all that the next reader needs */
		r->inside = text[len - 1] != '\n';
		return;
	}
	text_append(&r->line, text, len);
	if (r->line.len > READERS_PACKET)
		readers_send(r);
}

void readers_send(struct readers *r)
{
	size_t at = 0, len;

	while (r->n && (len = packet_length(text_str(&r->line) + at, r->line.len - at))) {
		const char *text = r->line.buf + at, *end = r->inside ? memchr(text, '\n', len) : text - 1;

		at += len;
		if (!end)
			continue;
		r->inside = false;
		len -= (size_t)(end + 1 - text);
		for (int i = 0; len && i < r->n; i++)
			send_lines(&r->v[i], end + 1, len);
	}
	if (at) {
		memmove(r->line.buf, r->line.buf + at, r->line.len - at + 1);
		r->line.len -= at;
	}
}

void readers_close(struct readers *r)
{
	readers_send(r);
	while (r->n) {
		struct attached *last = &r->v[--r->n];

		if (r->line.len && !r->inside)
			send_lines(last, r->line.buf, r->line.len);
		if (!last->lost)
			send_packet(last, READERS_END, "", 0);
		close(last->fd);
	}
	if (r->fd >= 0) {
		close(r->fd);
		unlink(r->path);
	}
	r->fd = -1;
	text_deinit(&r->line);
}

/* ---- readers ---- */
static void forget(struct readers *r, int i)
{
	close(r->v[i].fd);
	r->v[i] = r->v[--r->n];
	if (!r->n) { /* the next one begins with a line */
		r->inside = r->line.len || r->inside;
		text_clear(&r->line);
	}
}

static void let_in(struct readers *r)
{
	struct attached new = { .fd = accept4(r->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) };
	int size = SEND_BUFFER;

	if (new.fd < 0)
		return;
	if (r->n == READERS_MAX) {
		send_packet(&new, READERS_FULL, "", 0);
		close(new.fd);
		return;
	}
	if (setsockopt(new.fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		setsockopt(new.fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	readers_send(r); /* lines before it came are not for it */
	r->v[r->n++] = new;
}

void readers_tick(struct readers *r, double now)
{
	char discarded[64];

	if (r->fd < 0 || now < r->next)
		return;
	r->next = now + between;
	for (int i = r->n - 1; i >= 0; i--) {
		ssize_t n = recv(r->v[i].fd, discarded, sizeof(discarded), MSG_DONTWAIT);

		if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
			forget(r, i);
	}
	let_in(r);
}
