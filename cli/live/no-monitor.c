/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap without ncurses: no screen. */
#include "cli/live/live.h"
#include "lib/diag.h"
#include "lib/packages.h"

bool monitor_check(void)
{
	error((struct loc){ 0 }, DIAG_USAGE, "--monitor: this ktap was built without ncurses");
	package_rebuild_note(PACKAGE_NCURSES, "ncurses");
	return false;
}

bool monitor_open(struct view *ret)
{
	return false;
}
