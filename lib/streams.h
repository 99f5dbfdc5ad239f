/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For C libraries whose stdout and stderr cannot be assigned, as musl's: the compiler includes this before each file there. Output is
 * redirected by assignment (lib/outlet.c, runtime/loader/print.c), so the names are variables of ours, which start as the library's.
 */
#ifndef KTAP_LIB_STREAMS_H
#define KTAP_LIB_STREAMS_H

#include <stdio.h>

extern FILE *streams_out, *streams_err;

#undef stdout
#undef stderr
#define stdout streams_out
#define stderr streams_err
/* These would write to the library's own. */
#define printf(...) fprintf(streams_out, __VA_ARGS__)
#define puts(line) fprintf(streams_out, "%s\n", line)

#endif
