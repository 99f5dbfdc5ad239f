/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that were opened for a script. */
#ifndef KTAP_DEBUGINFO_OPENED_H
#define KTAP_DEBUGINFO_OPENED_H

#include "translator/debuginfo/fetch.h"

struct header_memo;
struct machine;
struct program_file;

/* Each file is opened once, and a header's failure is reported once. A kernel's modules are in its struct kernel_kept. */
struct opened {
	const struct machine *machine; /* of the programs */
	const char *guest_root;        /* see guest_file(); the rest is 0 at first */
	struct program_file *programs;
	struct header_memo *headers;
	struct fetch fetch;
};

#endif
