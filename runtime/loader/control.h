/* The control file of a loaded session: opening it, its ioctls, and the texts it tells. */
#ifndef KT_LOADER_CONTROL_H
#define KT_LOADER_CONTROL_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/abi.h"
#include "runtime/loader/sys.h"

enum { CONTROL_TEXT_KINDS = KT_TEXT_OBJECT + 1 };

struct control {
	const struct loader_sys *sys;
	int fd;
	struct kt_info info;
	char **texts[CONTROL_TEXT_KINDS]; /* fetched ones, by index */
	kt_u32 n_texts[CONTROL_TEXT_KINDS];
};

/* Opens the control file of module NAME. False: reported. */
bool control_open(struct control *c, const struct loader_sys *sys, const char *name);
void control_close(struct control *c);

/* Text INDEX of KIND; a placeholder when the session has none ("" for the build-id). Valid while the file is open. */
const char *control_text(struct control *c, enum kt_text_kind kind, kt_u32 index);

/* -G NAME=VALUE. False: reported. */
bool control_set_global(struct control *c, const char *setting);

/* 0 or -errno. */
int control_status(struct control *c, struct kt_status *ret);
int control_probe(struct control *c, kt_u32 index, struct kt_probe_status *ret);

/* START or STOP, in a thread of its own: probes run meanwhile and their output must be read. */
struct control_job {
	struct control *control;
	unsigned int request;
	struct kt_start start; /* argument of START */
	pthread_t thread;
	int event;             /* an eventfd that becomes readable at the end */
	int result;            /* then: 0 or -errno */
};

/* 0 or -errno. Wait for job->event, then call control_job_end(). */
int control_job_begin(struct control_job *job, struct control *c, unsigned int request);
int control_job_end(struct control_job *job);

#endif
