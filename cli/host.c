/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reaches one machine: ssh, a virtual machine, a socket with a shell behind it, or a shell here. */
#include "cli/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/vec.h"

enum { ARGS_MAX = 32 };

/* One line without single quotes and exclamation marks, which no login shell changes inside single quotes. A command that
 * runs in the background has /dev/null as its input, so descriptor 3 keeps the real one. */
static const char script[] =
	"umask 077; d=$(mktemp -d \"${TMPDIR:-/tmp}/ktap.XXXXXX\") || exit 1; trap \"rm -rf \\\"\\$d\\\"\" EXIT; trap \"exit 1\" HUP INT TERM PIPE; "
	"k=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v ktaprun); "
	"printf \"\\002ktap-remote facts %s %s %s\\n\" \"$(uname -r)\" \"$(uname -m)\" "
	"\"$(test -z \"$k\" || \"$k\" -V 2>/dev/null | sed -n \"s/.*interface \\([0-9]*\\).*/\\1/p\")\"; "
	"read -r r l m || exit 1; head -c $r >\"$d/run\"; head -c $l >\"$d/ktaprun\"; head -c $m >\"$d/module\"; "
	"test $(wc -c <\"$d/module\") = $m || exit 1; chmod 700 \"$d\"/*; test $l = 0 || k=$d/ktaprun; exec 3<&0; . \"$d/run\"";

/* For a session in the kernel: SCRIPT as $0, as root. */
static const char as_root[] = "if test \"$(id -u)\" = 0; then exec sh -c \"$0\"; else exec sudo -n sh -c \"$0\"; fi";

static const char *command_of(bool kernel)
{
	if (!kernel)
		return arena_printf(&program_arena, "sh -c '%s'", script);
	return arena_printf(&program_arena, "sh -c '%s' '%s'", as_root, script);
}

/* ---- what the user names ---- */
/* A word that ssh takes for a name and not for an option. */
static bool is_name(const char *s)
{
	if (!*s || *s == '-')
		return false;
	for (; *s; s++)
		if (!isgraph((unsigned char)*s) || strchr("'\"\\`$;&|<>()", *s))
			return false;
	return true;
}

/* [USER@]HOST[:PORT]; an address with colons is in brackets. */
static const char *parse_ssh(struct remote_host *ret, const char *s)
{
	const char *at = strrchr(s, '@');
	const char *host = at ? at + 1 : s;
	const char *end = *host == '[' ? strchr(host, ']') : host + strcspn(host, ":/");

	if (!end)
		return "its bracket is not closed";
	ret->user = at ? arena_strndup(&program_arena, s, (size_t)(at - s)) : NULL;
	ret->address = *host == '[' ? arena_strndup(&program_arena, host + 1, (size_t)(end - host - 1)) :
		       arena_strndup(&program_arena, host, (size_t)(end - host));
	end += *end == ']';
	if (*end == ':')
		ret->port = end + 1;
	else if (*end && strcmp(end, "/"))
		return "a host name ends before a slash";
	if (ret->port && (!*ret->port || ret->port[strspn(ret->port, "0123456789")]))
		return "its port is not a number";
	return is_name(ret->address) && (!ret->user || is_name(ret->user)) ? NULL : "it is not [USER@]HOST[:PORT]";
}

static const struct scheme {
	const char *prefix;
	enum remote_kind kind;
} schemes[] = {
	{ "ssh://", REMOTE_SSH },
	{ "vm:", REMOTE_VM },
	{ "unix:", REMOTE_UNIX },
	{ "direct:", REMOTE_DIRECT },
};

/* Reads URL. Returns NULL, or why it is not a machine. */
static const char *parse_url(struct remote_host *ret, const char *url)
{
	const struct scheme *s = NULL;
	const char *rest = url;

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (!strncmp(url, schemes[i].prefix, strlen(schemes[i].prefix)))
			s = &schemes[i];
	rest += s ? strlen(s->prefix) : 0;
	*ret = (struct remote_host){ .name = s && s->kind == REMOTE_SSH ? rest : url, .kind = s ? s->kind : REMOTE_SSH,
				     .in = -1, .out = -1, .err = -1, .status = -1 };
	if (!s && strstr(url, ":/"))
		return "it may begin with ssh://, vm:, unix: or direct:";
	if (ret->kind == REMOTE_SSH)
		return parse_ssh(ret, rest);
	ret->address = rest;
	if (ret->kind == REMOTE_UNIX && !*rest)
		return "unix: needs the path of a socket";
	if (ret->kind == REMOTE_DIRECT && *rest && strcmp(rest, "//"))
		return "direct: takes nothing more";
	return NULL;
}

bool remote_host_facts(struct remote_host *h, const char *text)
{
	char release[128], machine[64];
	int end = 0, n = sscanf(text, "%127s %n%63s %d", release, &end, machine, &h->interface);

	/* A release that is cut would go on in the machine. */
	if (n < 2 || strchr(release, '/') || !isspace((unsigned char)text[strlen(release)]) || strcspn(text + end, " \t\n") >= sizeof(machine))
		return false;
	h->release = arena_strdup(&program_arena, release);
	h->machine = arena_strdup(&program_arena, machine);
	return true;
}

/* ---- the list of machines ---- */
/* Is H called NAME, or NAME#2 because another one is? */
static bool is_named(const struct remote_host *h, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(h->name, name, len) && (!h->name[len] || h->name[len] == '#');
}

bool remote_host_add(struct remote_host **hosts, int *n, const char *url)
{
	struct remote_host h;
	const char *wrong = parse_url(&h, url);
	int same = 1;

	if (wrong) {
		error(nowhere, DIAG_USAGE, "--remote=%s: %s", url, wrong);
		note(nowhere, "for example --remote=ssh://root@web1:22, or --remote=vm:6.1");
		return false;
	}
	for (int i = 0; i < *n; i++)
		same += is_named(&(*hosts)[i], h.name);
	if (same > 1)
		h.name = arena_printf(&program_arena, "%s#%d", h.name, same);
	*vec_add(*hosts, *n) = h;
	return true;
}

bool remote_host_add_file(struct remote_host **hosts, int *n, const char *path)
{
	_cleanup_text_ struct text t = { 0 };
	int before = *n;
	bool ok = text_read_file(&t, strcmp(path, "-") ? path : "/dev/stdin");

	if (!ok)
		error(nowhere, DIAG_IO, "--hosts: cannot read '%s': %s", path, strerror(errno));
	for (char *line, *rest = arena_strdup(&program_arena, text_str(&t)); ok && (line = strsep(&rest, "\n"));) {
		line[strcspn(line, "#")] = '\0';
		line += strspn(line, " \t\r");
		line[strcspn(line, " \t\r")] = '\0';
		ok = !*line || remote_host_add(hosts, n, line);
	}
	if (ok && *n == before)
		return error(nowhere, DIAG_USAGE, "--hosts: '%s' names no machine", path);
	return ok;
}

/* ---- transports ---- */
/* $KTAP_SSH, words that blanks separate, or ssh; then options of ssh, the host and the command. 0 or -errno. */
static int ssh_words(const struct remote_host *h, const char *command, const char **argv)
{
	static const char *const options[] = { "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5",
					       "-o", "ServerAliveCountMax=3" };
	const char *own = getenv("KTAP_SSH");
	char *words = arena_strdup(&program_arena, own && *own ? own : "ssh");
	int n = 0;

	for (char *word, *rest = words; (word = strtok_r(rest, " \t", &rest)); argv[n++] = word)
		if (n == ARGS_MAX / 2)
			return -E2BIG;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		argv[n++] = options[i];
	if (h->port) {
		argv[n++] = "-p";
		argv[n++] = h->port;
	}
	if (h->user) {
		argv[n++] = "-l";
		argv[n++] = h->user;
	}
	argv[n++] = h->address;
	argv[n++] = command;
	argv[n] = NULL;
	return 0;
}

/* 0 or -errno. */
static int words_of(const struct remote_host *h, bool kernel, const char **argv)
{
	const char *vm = arena_printf(&program_arena, "--vm%s%s", *h->address ? "=" : "", h->address);
	const char *const in_vm[] = { "/proc/self/exe", "-q", vm, "--vm-exec", script, NULL };
	const char *const here[] = { "sh", "-c", command_of(kernel), NULL };

	if (h->kind == REMOTE_SSH)
		return ssh_words(h, command_of(kernel), argv);
	if (h->kind == REMOTE_VM)
		memcpy(argv, in_vm, sizeof(in_vm));
	else
		memcpy(argv, here, sizeof(here));
	return 0;
}

/* In the child: never returns. It is a process group, so that Ctrl-C at the terminal reaches ktap alone. */
static void child(const char *const *argv, const int *pipes)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setpgid(0, 0);
	if (dup2(pipes[0], 0) >= 0 && dup2(pipes[3], 1) >= 0 && dup2(pipes[5], 2) >= 0)
		execvp(argv[0], (char *const *)argv);
	dprintf(2, "cannot start %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void close_all(const int *fds, int n)
{
	for (int i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int start_process(struct remote_host *h, const char *const *argv)
{
	int pipes[6] = { -1, -1, -1, -1, -1, -1 };

	if (pipe2(pipes, O_CLOEXEC) < 0 || pipe2(pipes + 2, O_CLOEXEC) < 0 || pipe2(pipes + 4, O_CLOEXEC) < 0 ||
	    (h->pid = fork()) < 0) {
		int err = errno;

		close_all(pipes, 6);
		h->pid = 0;
		return -err;
	}
	if (!h->pid)
		child(argv, pipes);
	setpgid(h->pid, h->pid); /* both do: a signal may come before the child ran */
	close(pipes[0]);
	close(pipes[3]);
	close(pipes[5]);
	h->in = pipes[1];
	h->out = pipes[2];
	h->err = pipes[4];
	return 0;
}

/* A shell answers at the socket. It has one stream for both outputs. */
static int start_socket(struct remote_host *h, const char *command)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const char *line = arena_printf(&program_arena, "exec 2>&1; exec %s\n", command);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0 || strlen(h->address) >= sizeof(a.sun_path)) {
		close_all(&fd, 1);
		return fd < 0 ? -errno : -ENAMETOOLONG;
	}
	memcpy(a.sun_path, h->address, strlen(h->address));
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) || send(fd, line, strlen(line), MSG_NOSIGNAL) < (ssize_t)strlen(line)) {
		err = errno;
		close(fd);
		return -err;
	}
	h->in = fd;
	h->out = dup(fd);
	return h->out < 0 || fcntl(h->out, F_SETFD, FD_CLOEXEC) ? -errno : 0;
}

int remote_host_start(struct remote_host *h, bool kernel)
{
	const char *argv[ARGS_MAX + 1];
	int rc;

	if (h->kind == REMOTE_UNIX)
		rc = start_socket(h, command_of(kernel));
	else if (!(rc = words_of(h, kernel, argv)))
		rc = start_process(h, argv);
	if (!rc && fcntl(h->in, F_SETFL, O_NONBLOCK))
		return -errno;
	return rc;
}

void remote_host_close_input(struct remote_host *h)
{
	if (h->in < 0)
		return;
	if (h->kind == REMOTE_UNIX)
		shutdown(h->in, SHUT_WR);
	close(h->in);
	h->in = -1;
}

void remote_host_kill(const struct remote_host *h, int signal)
{
	if (h->pid)
		kill(-h->pid, signal);
}
