# SPDX-License-Identifier: GPL-2.0-or-later
# Which locks a handler takes, as its C says. Sourced; ends the test by `exit $failed`.
set -u
failed=0

# locks GLOBALS REST LOCKS STATEMENT: the handler with STATEMENT has the list LOCKS. REST: other probes of these globals.
locks()
{
	"$KTAP" -g --runtime=user -p3 -e "global $1
probe timer.ms(1) { $4 }
$2" >out.c 2>err || { cat err; failed=1; return; }
	sed -n '/^static void p_0(/,/^}/p' out.c | grep -q "locks\[\] = { $3 }" ||
		{ echo "$4: no lock $3"; failed=1; }
}
