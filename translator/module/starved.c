/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells by the words of compilers, assemblers and linkers what a build ran out of. They run with LC_ALL=C. */
#include "translator/module/starved.h"

#include <stdlib.h>
#include <string.h>

#include "lib/diag.h"
#include "lib/interrupt.h"
#include "lib/limits.h"

enum want { WANT_ROOM, WANT_MEMORY, WANT_LIMIT, WANT_LIMIT_ON_MEMORY };

static const struct {
	const char *words; /* of strerror(), gcc or clang */
	enum want want;
} wants[] = {
	{ "No space left on device", WANT_ROOM },
	{ "Disk quota exceeded", WANT_ROOM },
	{ "Read-only file system", WANT_ROOM },
	{ "Input/output error", WANT_ROOM },
	{ "Cannot allocate memory", WANT_MEMORY },
	{ "out of memory allocating", WANT_MEMORY },
	{ "Killed signal terminated program", WANT_MEMORY },
	{ "unable to execute command: Killed", WANT_MEMORY },
	{ "Segmentation fault signal terminated program", WANT_LIMIT_ON_MEMORY },
	{ "Resource temporarily unavailable", WANT_LIMIT },
	{ "Too many open files", WANT_LIMIT },
	{ "File too large", WANT_LIMIT },
	{ "File size limit exceeded", WANT_LIMIT },
};

bool starved_report(const struct text *out, const char *what, const char *dir)
{
	const char *tmp = getenv("TMPDIR");

	for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		enum want want = wants[i].want;

		if (!strstr(text_str(out), wants[i].words) ||
		    (want == WANT_LIMIT_ON_MEMORY && !limits_has(RLIMIT_AS) && !limits_has(RLIMIT_DATA)))
			continue;
		if (want == WANT_ROOM && limits_has(RLIMIT_FSIZE)) /* so the linker calls a file that is too large */
			want = WANT_LIMIT;
		error((struct loc){ 0 }, DIAG_BUILD, "%s cannot be built now: %s", what, wants[i].words);
		if (want == WANT_ROOM)
			note((struct loc){ 0 }, "make room in %s and %s, or name others with KTAP_CACHE_DIR and TMPDIR", dir,
			     tmp && *tmp ? tmp : "/tmp");
		else if (want == WANT_MEMORY)
			note((struct loc){ 0 }, "the compiler needs some hundred megabytes of memory for each processor");
		else
			note((struct loc){ 0 }, "raise the limit: see ulimit -a");
		remove_tree(dir);
		return true;
	}
	return false;
}
