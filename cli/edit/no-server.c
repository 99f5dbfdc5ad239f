/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ktap that was built without json-c: no language server, and no completion of scripts. */
#include "cli/edit/server.h"

#include "cli/edit/suggest-words.h"
#include "lib/diag.h"
#include "lib/packages.h"

int server_run(const struct program *p)
{
	error((struct loc){ 0 }, DIAG_USAGE, "this ktap was built without json-c, which the language server needs");
	package_rebuild_note(PACKAGE_JSON_C, "json-c");
	return 1;
}

void suggest_words(const struct program *settings, const char *text, FILE *out)
{
}
