/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --language-server of a ktap that was built without json-c. */
#include "translator/edit/server.h"

#include "translator/base/diag.h"

int server_run(const struct program *p)
{
	error((struct loc){ 0 }, DIAG_USAGE, "this ktap was built without json-c, which the language server needs");
	note((struct loc){ 0 }, "install libjson-c-dev, configure ktap again and build it");
	return 1;
}
