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
#include <stdio.h>

struct outlet {
	int signals;               /* a signalfd, or -1 */
	const sigset_t *unblocked; /* the signal mask of the wait; NULL: that of the program */
	/* A signal ended the wait. Returns whether the reader is given up: from then on, output that would block is lost. */
	bool (*gives_up)(void *of);
	void *of;

	/* Of outlet.c; zeros before outlet_open(). */
	FILE *replaced_stdout, *replaced_stderr; /* NULL: it is not open */
	bool given_up;
	int failed; /* errno of stdout; 0: nothing is lost yet */
};

/* Exchanges stdout and stderr for streams that wait as O says, and that use O until outlet_close() or the end of the process. Without
 * memory they stay. */
void outlet_open(struct outlet *o);
/* Flushes stdout. Returns 0 or the error, as errno, of the first write to it that failed. */
int outlet_flush(const struct outlet *o);
/* Flushes stdout for the last time. Returns as outlet_flush() does, or an error that only close() reports. */
int outlet_finish(const struct outlet *o);
/* Restores the streams if O is open. */
void outlet_close(struct outlet *o);
/* Returns why the output could not be written: ERR is what outlet_flush() or outlet_finish() returned. */
const char *outlet_failure(int err);

#endif
