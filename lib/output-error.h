/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KTAP_LIB_OUTPUT_ERROR_H
#define KTAP_LIB_OUTPUT_ERROR_H

#include <errno.h>

#include "lib/diag.h"
#include "lib/outlet.h"

/* Reports that the output cannot be written: ERR is an errno, or what outlet_flush() returned. EPIPE needs no report: the reader went
 * away. */
static inline void error_output(int err)
{
	if (err != EPIPE)
		error((struct loc){ 0 }, DIAG_IO, "cannot write the output: %s", outlet_failure(err));
}

#endif
