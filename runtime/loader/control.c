/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Talks to the kernel half through /proc/ktap_NAME. */
#include "runtime/loader/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "runtime/set-global.h"

enum { TEXT_ROOM = 256 };

/* ---- opening ---- */
static int ask_module(void *of, unsigned int request, void *argument)
{
	const struct control *c = of;

	return c->sys->ioctl(c->fd, request, argument);
}

static ssize_t read_module(void *of, void *buf, size_t len)
{
	const struct control *c = of;

	return c->sys->read(c->fd, buf, len);
}

const struct vehicle module_vehicle = { "kernel", ask_module, read_module };

bool control_open(struct control *c, const struct loader_sys *sys, const char *name)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/ktap_%s", name);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		if (errno == EBUSY)
			return error(nowhere, DIAG_RUN, "the session of module '%s' has a reader already", name);
		return error(nowhere, DIAG_RUN, "cannot open the control file of module '%s' (/proc/ktap_%s): %s", name,
			     name, strerror(errno));
	}
	return control_begin(c, sys, &module_vehicle, c, fd, name);
}

bool control_begin(struct control *c, const struct loader_sys *sys, const struct vehicle *vehicle, void *of, int fd, const char *name)
{
	*c = (struct control){ .vehicle = vehicle, .of = of, .sys = sys, .fd = fd };
	if (control_ask(c, KT_IOC_INFO, &c->info) < 0 || c->info.abi != KT_ABI) {
		error(nowhere, DIAG_RUN, "module '%s' does not answer as expected: interface %u, expected %d", name,
		      c->info.abi, KT_ABI);
		control_close(c);
		return false;
	}
	c->n_texts[KT_TEXT_FORMAT] = c->info.n_formats;
	c->n_texts[KT_TEXT_PLACE] = c->info.n_places;
	c->n_texts[KT_TEXT_LINE] = c->info.flags & KT_INFO_LINES ? c->info.n_places : 0;
	c->n_texts[KT_TEXT_PROBE] = c->info.n_probes;
	c->n_texts[KT_TEXT_GLOBAL] = c->info.n_globals;
	c->n_texts[KT_TEXT_OBJECT] = c->info.n_objects;
	c->n_texts[KT_TEXT_MODULE] = c->n_texts[KT_TEXT_MODULE_BUILD] = c->info.n_modules;
	c->n_texts[KT_TEXT_BUILD_ID] = 1;
	c->n_texts[KT_TEXT_PROGRAM] = c->info.n_programs;
	c->n_texts[KT_TEXT_ORIGIN] = c->info.flags & (KT_INFO_TIMED | KT_INFO_JSON) ? c->info.n_probes : 0;
	c->n_texts[KT_TEXT_IDENTITY] = c->info.flags & KT_INFO_JSON ? KT_IDENTITIES : 0;
	c->n_texts[KT_TEXT_MECHANISM] = c->info.flags & KT_INFO_JSON ? c->info.n_probes : 0;
	return true;
}

void control_close(struct control *c)
{
	for (int kind = 0; kind < KT_TEXT_KINDS; kind++) {
		for (kt_u32 i = 0; c->texts[kind] && i < c->n_texts[kind]; i++)
			free(c->texts[kind][i]);
		free(c->texts[kind]);
		c->texts[kind] = NULL;
	}
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* ---- texts ---- */

static char *fetch_text(struct control *c, enum kt_text_kind kind, kt_u32 index)
{
	struct kt_text_request req = { .kind = kind, .index = index, .size = TEXT_ROOM };
	char *buf = NULL;
	int tries = 2;

	/* the first answer may say how much space it needs */
	do {
		buf = xrealloc(buf, req.size + 1ul);
		buf[0] = buf[req.size] = 0;
		req.buffer = (kt_u64)(unsigned long)buf;
		if (control_ask(c, KT_IOC_TEXT, &req) == 0)
			return buf;
	} while (errno == ENOSPC && --tries);
	free(buf);
	return kind == KT_TEXT_BUILD_ID ? xstrdup("") : xstrdup("(unknown)");
}

const char *control_text(struct control *c, enum kt_text_kind kind, kt_u32 index)
{
	char **text;

	if (index >= c->n_texts[kind])
		return "(unknown)";
	if (!c->texts[kind]) {
		c->texts[kind] = xmalloc(c->n_texts[kind] * sizeof(char *));
		memset(c->texts[kind], 0, c->n_texts[kind] * sizeof(char *));
	}
	text = &c->texts[kind][index];
	if (!*text)
		*text = fetch_text(c, kind, index);
	return *text;
}

/* ---- settings ---- */

static bool no_such_global(struct control *c, const char *name)
{
	struct nearest near = { .word = name };
	_cleanup_text_ struct text known = { 0 };

	error(nowhere, DIAG_RUN, "-G: the script has no global '%s' that can be set", name);
	for (kt_u32 i = 0; i < c->info.n_globals; i++) {
		nearest_add(&near, control_text(c, KT_TEXT_GLOBAL, i));
		text_printf(&known, "%s%s", i ? ", " : "", control_text(c, KT_TEXT_GLOBAL, i));
	}
	if (nearest_get(&near))
		note(nowhere, "did you mean '%s'?", nearest_get(&near));
	else if (known.len)
		note(nowhere, "it has: %s", text_str(&known));
	return false;
}

bool control_set_global(struct control *c, const char *setting)
{
	const char *value = strchr(setting, '=');
	struct kt_set_global set = { 0 };
	_cleanup_free_ char *name = NULL;

	if (!value || value == setting)
		return error(nowhere, DIAG_USAGE, "-G: expected NAME=VALUE, found '%s'", setting);
	name = xasprintf("%.*s", (int)(value - setting), setting);
	while (set.index < c->info.n_globals && strcmp(control_text(c, KT_TEXT_GLOBAL, set.index), name))
		set.index++;
	if (set.index == c->info.n_globals)
		return no_such_global(c, name);
	value++;
	set.string = (kt_u64)(unsigned long)value;
	set.len = strlen(value);
	set.is_number = !set_global_number(value, &set.number);
	if (control_ask(c, KT_IOC_SET, &set) == 0)
		return true;
	if (errno == EDOM)
		return error(nowhere, DIAG_USAGE, SET_GLOBAL_NO_NUMBER, name, value);
	if (errno == E2BIG)
		return error(nowhere, DIAG_USAGE, SET_GLOBAL_TOO_LONG, name, (size_t)set.len, c->info.string_max - 1);
	return error(nowhere, DIAG_RUN, "-G: cannot set '%s' to '%s': %s", name, value, strerror(errno));
}

int control_status(struct control *c, struct kt_status *ret)
{
	*ret = (struct kt_status){ 0 };
	return control_ask(c, KT_IOC_STATUS, ret) < 0 ? -errno : 0;
}

int control_probe(struct control *c, kt_u32 index, struct kt_probe_status *ret)
{
	*ret = (struct kt_probe_status){ .index = index };
	return control_ask(c, KT_IOC_PROBE, ret) < 0 ? -errno : 0;
}

/* ---- jobs ---- */

static void close_pipe_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int control_job_init(struct control_job *job, struct control *c)
{
	*job = (struct control_job){ .control = c, .ask = { -1, -1 }, .answer = { -1, -1 } };
	if (pipe2(job->ask, O_CLOEXEC) < 0 || pipe2(job->answer, O_CLOEXEC) < 0) {
		int err = -errno;

		control_job_deinit(job);
		return err;
	}
	return 0;
}

void control_job_deinit(struct control_job *job)
{
	for (int i = 0; i < 2; i++) {
		close_pipe_end(&job->ask[i]);
		close_pipe_end(&job->answer[i]);
	}
}

/* Reads LEN bytes, which are few: a pipe passes them completely or, when a debugger stops the process, not at all. */
static bool take(int fd, void *buf, size_t len)
{
	ssize_t n;

	while ((n = read(fd, buf, len)) < 0 && errno == EINTR)
		;
	return n == (ssize_t)len;
}

static void put(int fd, const void *buf, size_t len)
{
	ssize_t n;

	while ((n = write(fd, buf, len)) < 0 && errno == EINTR)
		;
	if (n != (ssize_t)len)
		bug("pipe between threads: %s", strerror(errno));
}

struct job_request {
	unsigned int request;
	void *argument;
};

void control_job_serve(struct control_job *job)
{
	struct control *c = job->control;
	struct job_request r;

	while (take(job->ask[0], &r, sizeof(r))) {
		int result = control_ask(c, r.request, r.argument) < 0 ? -errno : 0;

		put(job->answer[1], &result, sizeof(result));
	}
}

void control_job_begin(struct control_job *job, unsigned int request, void *argument)
{
	const struct job_request r = { request, argument };

	put(job->ask[1], &r, sizeof(r));
}

int control_job_end(struct control_job *job)
{
	int result;

	return take(job->answer[0], &result, sizeof(result)) ? result : -EIO;
}

void control_job_leave(struct control_job *job)
{
	close_pipe_end(&job->ask[1]);
}
