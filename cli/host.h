/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One machine of --remote: how it is reached, and what it and ktap say to each other.
 *
 * Every transport ends in the same shell script on the machine. It says on its standard output, in lines that begin with
 * REMOTE_MARK, first "facts RELEASE MACHINE INTERFACE" (that of its ktaprun, or nothing) and at the end "status SECRET N". Between the
 * two is the output of the session, where others may have a say: they do not know SECRET, which the runner got. Its standard input brings
 * a line with three sizes, then so many bytes each of a shell script that starts the session, of ktaprun and of the module. What follows
 * are commands, if the session takes any. The end of its standard input ends the session.
 */
#ifndef KTAP_CLI_HOST_H
#define KTAP_CLI_HOST_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/text.h"

#define REMOTE_MARK "\002ktap-remote "

enum remote_kind { REMOTE_SSH, REMOTE_VM, REMOTE_UNIX, REMOTE_DIRECT };
/* In this order, but that any of them may be followed by the last one. */
enum remote_state { REMOTE_NEW, REMOTE_CONNECTING, REMOTE_WAITING, REMOTE_RUNNING, REMOTE_ENDED };

struct remote_build;

struct remote_host {
	const char *name;  /* as the user gave it, before each line of its output */
	enum remote_kind kind;
	const char *user, *address, *port; /* of ssh; ADDRESS is the path of unix: and the release of vm: */
	enum remote_state state;
	pid_t pid;         /* of the transport, 0: none */
	int in, out, err;  /* its ends here; -1: closed */
	const char *release, *machine; /* the kernel that runs there */
	int interface;     /* of its ktaprun; 0: it has none */
	struct remote_build *build;
	const struct text *payload; /* what is sent */
	size_t sent, commanded; /* bytes of it, and of commands, that were written */
	struct text lines[2];       /* the last line of out and err, as long as it is not whole */
	struct text text;           /* the last line of what was printed, for --merge */
	int status;        /* of the session; -1: not known */
	unsigned long refused; /* lines that were no records */
	bool failed;       /* reported */
};

/* Adds the machine of --remote=URL to the *N of *HOSTS. False: reported. */
bool remote_host_add(struct remote_host **hosts, int *n, const char *url);
/* Adds the machines that the file PATH of --hosts lists. False: reported. */
bool remote_host_add_file(struct remote_host **hosts, int *n, const char *path);

/* Starts the transport. KERNEL: the session needs root there. 0 or -errno. */
int remote_host_start(struct remote_host *h, bool kernel);

/* Ends the session: the machine sees the end of its input and has the time that it needs. */
void remote_host_close_input(struct remote_host *h);

/* Ends the transport by a signal. */
void remote_host_kill(const struct remote_host *h, int signal);

/* Takes the line of facts in TEXT, after the word. False: it is not one. */
bool remote_host_facts(struct remote_host *h, const char *text);

#endif
