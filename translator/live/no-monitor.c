/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap without ncurses: no screen. */
#include "translator/base/diag.h"
#include "translator/base/packages.h"
#include "translator/live/live.h"

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
