/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --control: carries out the commands of runtime/commands.h, one after the other. Switching probes takes long, so the session's job does it. */
#ifndef KT_LOADER_STEER_H
#define KT_LOADER_STEER_H

#include "runtime/commands.h"
#include "runtime/loader/print.h"

struct steer {
	struct commands commands;
	struct kt_switch request; /* of the job that is under way */
	kt_u32 *probes;           /* its probes */
	char *line;               /* and its command */
};

/* Takes standard input, if ON. */
void steer_init(struct steer *s, bool on);
void steer_deinit(struct steer *s);

/* Carries out the commands that were read. Returns true when the next step is the ioctl SWITCH with s->request: steer_switched() takes its
 * result. */
bool steer_next(struct steer *s, struct printer *p);
void steer_switched(struct steer *s, struct printer *p, int result);

#endif
