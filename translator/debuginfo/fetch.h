/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugging information from debuginfod servers. */
#ifndef KTAP_DEBUGINFO_FETCH_H
#define KTAP_DEBUGINFO_FETCH_H

#include <stdbool.h>

struct debuginfod_client;
struct reports;

/* The part of <elfutils/debuginfod.h> that is used; its ABI is fixed by the library's name. */
struct debuginfod {
	struct debuginfod_client *(*begin)(void);
	int (*find)(struct debuginfod_client *client, const unsigned char *build_id, int length, char **ret_path);
	void (*end)(struct debuginfod_client *client);
	void (*set_progress)(struct debuginfod_client *client, int (*fn)(struct debuginfod_client *client, long done, long all));
};

/* The servers, as far as they were asked. All zeros: not yet. */
struct fetch {
	struct debuginfod library; /* .end is NULL where libdebuginfod cannot be loaded */
	bool loaded;               /* the library was looked for */
	bool chosen;               /* the library knows its cache */
	bool failed;               /* no server answers: others would be as slow to say so; or there is no cache */
};

/* Are there servers to ask, and the library to ask them with? The first failure is reported to R. */
bool fetch_possible(struct fetch *f, struct reports *r);

/* Path of a local copy of the debugging information of the build BUILD_ID (hex, NULL: unknown), NULL: no server has it. OF: whose,
 * for the status line. A server that fails is reported to R as a warning, and not asked again. */
const char *fetch_debuginfo(struct fetch *f, struct reports *r, const char *build_id, const char *of);

#endif
