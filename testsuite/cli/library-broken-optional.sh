#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A library file with an error is reported and left out, also where an optional probe needs it first.
. "$SRCDIR/testsuite/lib/sh.sh"

mkdir -p lib
cat >lib/broken.stp <<'S'
probe broken.first = begin { x = 1 }
probe broken.second = begin { x = }
S
for point in 'broken.first?' 'broken.*?' 'broken.first'; do
	ktap -I lib --runtime=user -p2 -e "probe $point, begin { exit() }"
	grep -q "^lib/broken.stp:2:35: warning: .*\[syntax\]" err || fail "$point: the error is not reported: $(cat err)"
	grep -q "note: the tapset file 'lib/broken.stp' is skipped" err || fail "$point: nobody says that the file is skipped"
	! grep -q '^broken' out || fail "$point: half of the file is used"
done
