/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktaprun --attach: reads the output of a session in the background. */
#ifndef KT_LOADER_ATTACH_H
#define KT_LOADER_ATTACH_H

/* Prints what the session of module NAME prints from now on, until it ends. Returns the exit status. */
int attach_run(const char *name);

#endif
