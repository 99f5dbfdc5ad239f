#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -W makes an error of each warning, -w silences them.
set -u
echo 'global unread_one; probe begin { x = 1; exit() }' >warns.stp
"$KTAP" -p2 warns.stp >out 2>err || { echo "a warning failed pass 2"; cat err; exit 1; }
grep -q 'warning: ' err || { echo "no warning"; exit 1; }
"$KTAP" -p2 -W warns.stp >out 2>err && { echo "-W: no failure"; exit 1; }
grep -q 'error: ' err || { echo "-W: no error"; cat err; exit 1; }
"$KTAP" -p2 -w warns.stp >out 2>err || { echo "-w failed"; exit 1; }
[ ! -s err ] || { echo "-w: not silent"; cat err; exit 1; }
"$KTAP" -p2 -w -W warns.stp >out 2>err || { echo "-w -W failed"; exit 1; }
[ ! -s err ] || { echo "-w -W: not silent"; cat err; exit 1; }
