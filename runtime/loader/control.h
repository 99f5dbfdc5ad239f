/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control file of a loaded session: opening it, its ioctls, and the strings it returns. */
#ifndef KT_LOADER_CONTROL_H
#define KT_LOADER_CONTROL_H

#include <stdbool.h>

#include "runtime/abi.h"
#include "runtime/loader/sys.h"

struct names;

/* What carries a session: a module, with its control file, or BPF programs. Both answer the requests of abi.h. */
struct vehicle {
	const char *name; /* "kernel" or "bpf", as --runtime says */
	int (*ask)(void *of, unsigned int request, void *argument); /* 0, or -1 and errno */
	ssize_t (*read)(void *of, void *buf, size_t len);           /* chunks of records, as read() of a control file gives them */
};

/* A module's; `of` is the struct control. */
extern const struct vehicle module_vehicle;

struct control {
	const struct vehicle *vehicle;
	void *of;                    /* its own */
	const struct loader_sys *sys;
	const struct names *names; /* of files of --bulk, which have no module to ask; NULL: it is asked */
	int fd;                      /* poll() waits for records there */
	struct kt_info info;
	char **texts[KT_TEXT_KINDS]; /* fetched ones, by index */
	kt_u32 n_texts[KT_TEXT_KINDS];
};

/* Opens the control file of module NAME. False: reported. */
bool control_open(struct control *c, const struct loader_sys *sys, const char *name);
/* The same of a vehicle that is there. */
bool control_begin(struct control *c, const struct loader_sys *sys, const struct vehicle *vehicle, void *of, int fd, const char *name);
void control_close(struct control *c);
/* 0, or -1 and errno. */
static inline int control_ask(struct control *c, unsigned int request, void *argument)
{
	return c->vehicle->ask(c->of, request, argument);
}

/* Text INDEX of KIND; a placeholder when the session has none ("" for the build-id). Valid while the file is open. */
const char *control_text(struct control *c, enum kt_text_kind kind, kt_u32 index);

/* -G NAME=VALUE. False: reported. */
bool control_set_global(struct control *c, const char *setting);

/* 0 or -errno. */
int control_status(struct control *c, struct kt_status *ret);
int control_probe(struct control *c, kt_u32 index, struct kt_probe_status *ret);

/* START, STOP and SWITCH, which take long. Probes run meanwhile, and in `begin`, `end` and `error` the current task is the one that asked: it is the
 * main thread, a leader of its group like any process that a script may walk from. So the session is served by a second
 * thread, which reads what the probes print and has the main one ask. The two share nothing but two pipes.
 */
struct control_job {
	struct control *control;
	int ask[2];             /* requests, to the main thread */
	int answer[2];          /* 0 or -errno of each; [0] becomes readable when it is done */
};

/* 0 or -errno. */
int control_job_init(struct control_job *job, struct control *c);
void control_job_deinit(struct control_job *job);

/* Of the main thread: does what is asked until control_job_leave(). */
void control_job_serve(struct control_job *job);

/* Of the other one: asks for REQUEST of ARGUMENT; then, when job->answer[0] is readable, takes its result, 0 or -errno. */
void control_job_begin(struct control_job *job, unsigned int request, void *argument);
int control_job_end(struct control_job *job);

/* Ends the requests: none is added, and pending ones finish. */
void control_job_leave(struct control_job *job);

#endif
