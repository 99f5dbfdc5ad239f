/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads packets from the socket that readers.c listens on. Needs no rights but those of the file. */
#include "runtime/loader/attach.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "runtime/loader/readers.h"

static void note_sessions(void)
{
	_cleanup_text_ struct text names = { 0 };
	struct dirent *e;
	DIR *dir = opendir(READERS_DIR);

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			text_printf(&names, "%s%s", names.len ? ", " : "", e->d_name);
	if (dir)
		closedir(dir);
	if (names.len)
		note(nowhere, "these can be attached to: %s", text_str(&names));
	else
		note(nowhere, "no session can be attached to: 'ktap -F -m NAME -o FILE' or 'ktaprun -D -o FILE' starts one that can");
}

static bool refused(const char *name, int err)
{
	if (err == EACCES || err == EPERM) {
		error(nowhere, DIAG_RUN, "you may not attach to session '%s'", name);
		note(nowhere, "root may, and members of the group '%s' if it existed when the session began", READERS_GROUP);
	} else if (err == ENOENT || err == ECONNREFUSED) {
		error(nowhere, DIAG_RUN, "there is no session '%s'", name);
		note_sessions();
	} else {
		error(nowhere, DIAG_RUN, "cannot attach to session '%s': %s", name, strerror(err));
	}
	return false;
}

static bool open_session(const char *name, int *ret_fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strchr(name, '/') || snprintf(address.sun_path, sizeof(address.sun_path), READERS_DIR "/%s", name) >= (int)sizeof(address.sun_path))
		return error(nowhere, DIAG_USAGE, "--attach: expected the name of a module, found '%s'", name);
	*ret_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (*ret_fd < 0)
		return refused(name, errno);
	if (!connect(*ret_fd, (struct sockaddr *)&address, sizeof(address)))
		return true;
	return refused(name, errno);
}

/* Takes one packet. False: it was the last. RET_ENDED: the session said that it ends. */
static bool take(const char *name, const char *packet, size_t len, bool *ret_ended)
{
	int err;

	switch (packet[0]) {
	case READERS_OUTPUT:
		err = write_all(STDOUT_FILENO, packet + 1, len - 1);
		if (err && err != -EPIPE)
			error(nowhere, DIAG_IO, "cannot write the output: %s", strerror(-err));
		return !err;
	case READERS_LOST:
		warning(nowhere, DIAG_RUN, "%.*s bytes of the session's output came faster than they were read, and are not shown", (int)len - 1, packet + 1);
		return true;
	case READERS_FULL:
		return error(nowhere, DIAG_RUN, "session '%s' has %d readers, which is the most", name, READERS_MAX);
	case READERS_END:
		*ret_ended = true;
		break;
	}
	return true;
}

int attach_run(const char *name)
{
	_cleanup_free_ char *packet = xmalloc(READERS_PACKET + 1);
	bool ended = false, open;
	int fd = -1;
	ssize_t n = 0;

	signal(SIGPIPE, SIG_IGN);
	open = open_session(name, &fd);
	if (open)
		while ((n = recv(fd, packet, READERS_PACKET + 1, 0)) > 0 || (n < 0 && errno == EINTR))
			if (n > 0 && !take(name, packet, (size_t)n, &ended))
				break;
	if (open && !n && !ended)
		warning(nowhere, DIAG_RUN, "the session was killed, or ended while its output came faster than it was read: the last of it is "
			"not shown");
	else if (n < 0)
		error(nowhere, DIAG_RUN, "cannot read from session '%s': %s", name, strerror(errno));
	if (fd >= 0)
		close(fd);
	return diag_errors(NULL) != 0;
}
