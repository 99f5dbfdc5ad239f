/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap without ncurses: no screen. */
#include "translator/base/diag.h"
#include "translator/live/live.h"

bool monitor_check(void)
{
	error((struct loc){ 0 }, DIAG_USAGE, "--monitor: this ktap was built without ncurses");
	note((struct loc){ 0 }, "install libncurses-dev (Debian) or ncurses-devel (Fedora) and run configure again");
	return false;
}

bool monitor_open(struct view *ret)
{
	return false;
}
