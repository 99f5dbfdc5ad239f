# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of what a terminal shows: a real one, that of tmux, which ends with the test.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/sh.sh"

# Seconds between two looks at the screen, of which there are at most 300.
pause=0.1

t() { tmux -S "$PWD/socket" "$@"; }
# screen COLUMNS ROWS COMMAND: runs it in a terminal of this size.
screen()
{
	trap 't kill-server 2>/dev/null' EXIT
	t -f /dev/null new-session -d -x "$1" -y "$2" "$3" || fail "tmux does not start"
}
shot() { t capture-pane -p; }
press() { t send-keys "$@"; }
is_shown() { shot | grep -q -e "$1"; }
is_not_shown() { ! is_shown "$1"; }
# until_screen TEST REGEX PROBLEM: waits for TEST.
until_screen()
{
	tries=0
	until "$1" "$2"; do
		tries=$((tries + 1))
		test $tries -lt 300 || { shot >out; fail "the screen $3 '$2'"; }
		sleep $pause
	done
}
# shows REGEX: the screen comes to show it; shows_not: it ceases to.
shows() { until_screen is_shown "$1" 'does not show'; }
shows_not() { until_screen is_not_shown "$1" 'still shows'; }
