/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of -c or -x, for programs: the target and all that descend from it. */
#ifndef KT_BPF_TARGETS_H
#define KT_BPF_TARGETS_H

#include <stdbool.h>

#include "runtime/bpf/image.h"

struct targets {
	kt_u64 *bits; /* the map's, by number of the process; NULL: nothing is followed */
	int event;    /* what follows forks */
};

/* Sets the bits of PID and of its descendants in the map MAP, now and while they fork. False: reported. */
bool targets_follow(struct targets *t, int map, int pid);
void targets_leave(struct targets *t);

#endif
