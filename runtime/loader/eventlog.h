/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -f json: what ktaprun says of the session itself, before its first record and after its last one. */
#ifndef KT_LOADER_EVENTLOG_H
#define KT_LOADER_EVENTLOG_H

#include "runtime/loader/merge.h"
#include "runtime/loader/print.h"

/* Objects go to the output of P from now on; the first one describes the session. TARGET and COMMAND: -x and -c. */
void eventlog_start(struct printer *p, int target, const char *command);
/* The ledgers, and the exit STATUS. */
void eventlog_end(struct printer *p, const struct kt_status *s, const struct merge *m, int status);

#endif
