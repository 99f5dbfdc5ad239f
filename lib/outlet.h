/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdout and stderr of a program that must hear signals although nobody reads them.
 *
 * A full pipe or terminal is waited for in ppoll(), beside signals that are blocked elsewhere. Only one that another program writes to as
 * well can be full again in write(2).
 */
#ifndef KTAP_LIB_OUTLET_H
#define KTAP_LIB_OUTLET_H

#include <signal.h>
#include <stdbool.h>

struct outlet {
	int signals;               /* a signalfd, or -1 */
	const sigset_t *unblocked; /* the signal mask of the wait; NULL: that of the program */
	/* A signal ended the wait. Returns whether the reader is given up: from then on, output that would block is lost. */
	bool (*gives_up)(void *of);
	void *of;
};

/* Exchanges stdout and stderr for streams that wait as O says. Without memory they stay. */
void outlet_open(const struct outlet *o);
/* Flushes stdout. Returns 0 or the error, as errno, of the first write to it that failed. */
int outlet_flush(void);
/* Flushes stdout for the last time. Returns as outlet_flush() does, or an error that only close() reports. */
int outlet_finish(void);
/* Restores the streams. */
void outlet_close(void);
/* Returns why the output could not be written: ERR is what outlet_flush() or outlet_finish() returned. */
const char *outlet_failure(int err);

#endif
