/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session as a service of systemd with Type=notify: ready when its first snapshot came, which is after its probes were armed, and alive
 * with each that follows. A kernel half that no longer answers sends none, and the watchdog of the unit ends the session.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/live/live.h"
#include "lib/arena.h"
#include "lib/diag.h"

struct notify {
	struct sockaddr_un to;
	socklen_t len;
	uint64_t told; /* snapshots */
};

/* sd_notify(3), without its library. Nobody listens: nothing happens. */
static void tell(const struct notify *n, const char *text)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	sendto(fd, text, strlen(text), MSG_NOSIGNAL, (const struct sockaddr *)&n->to, n->len);
	close(fd);
}

static void event(void *of, const struct live *live, struct json_object *event)
{
	struct notify *n = of;

	if (live->snapshots == n->told)
		return;
	tell(n, n->told ? "WATCHDOG=1" : "READY=1\nSTATUS=probes are armed\nWATCHDOG=1");
	n->told = live->snapshots;
}

static void closed(void *of, const struct live *live)
{
	tell(of, "STOPPING=1");
}

bool notify_open(const char *path, struct view *ret)
{
	struct notify *n = arena_new(&program_arena, struct notify);
	size_t len = strlen(path);

	if (len < 2 || len >= sizeof(n->to.sun_path) || (*path != '/' && *path != '@'))
		return error((struct loc){ 0 }, DIAG_RUN, "NOTIFY_SOCKET is no address of a socket: '%s'", path);
	n->to.sun_family = AF_UNIX;
	memcpy(n->to.sun_path, path, len);
	if (*path == '@')
		n->to.sun_path[0] = 0;
	n->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	*ret = (struct view){ .of = n, .event = event, .close = closed };
	return true;
}
