#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --color, and the colours that SYSTEMTAP_COLORS sets; what is no list of colours means none.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"

unset NO_COLOR
e=$(printf '\033')
bad() { ktap "$@" -p2 -e 'probe nosuch { }'; }

bad --color=always
said "$e\[1;31merror:$e\[0m no probe point"
said "^      |       $e\[1;32m^$e\[0m\$"
bad
! grep -q "$e" err || fail "colour in a file"
export SYSTEMTAP_COLORS='error=01;33:source=00;34:caret=4:token=01'
bad --color=always
said "$e\[01;33merror:$e\[0m"
said "$e\[00;34mprobe nosuch { }$e\[0m\$"
said "$e\[4m^$e\[0m\$"
said "$e\[1;36mnote:$e\[0m"

# On a terminal, which script(1) makes.
command -v script >/dev/null || exit 0
on_terminal() { script -qec "'$KTAP' --color=auto -p2 -e 'probe nosuch { }'" /dev/null >out </dev/null || true; }
unset SYSTEMTAP_COLORS
export TERM=xterm
on_terminal
printed "$e\[1;31merror:"
for wrong in '' 'error' 'error=' 'eror=1' 'error=1:' 'error=1x' '=1' 'error=[1m'; do
	export SYSTEMTAP_COLORS="$wrong"
	on_terminal
	printed 'no probe point'
	! grep -q "$e" out || fail "colour with SYSTEMTAP_COLORS='$wrong'"
done
unset SYSTEMTAP_COLORS
export NO_COLOR=1
on_terminal
! grep -q "$e" out || fail "colour with NO_COLOR"
unset NO_COLOR
export TERM=dumb
on_terminal
! grep -q "$e" out || fail "colour with TERM=dumb"
