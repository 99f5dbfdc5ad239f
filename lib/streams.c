/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/streams.h"

#undef stdout
#undef stderr

FILE *streams_out, *streams_err;

static void __attribute__((constructor)) streams_init(void)
{
	streams_out = stdout;
	streams_err = stderr;
}
