#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -G sets scalars before begin; a name that is not there, or a value that is no number, is refused.
set -u
run() { "$KTAP" --runtime=user "$@" -e 'global n = 1, s = "default", t = "kept" probe begin { println(n, s, t); exit() }'; }
[ "$(run -G n=5 -G s=text)" = 5textkept ] || exit 1
[ "$(run -G n=-0x10 -G s=ab)" = -16abkept ] || exit 1
run -G nosuch=1 2>err && exit 1
grep -q nosuch err || exit 1
run -G n=five 2>err && exit 1
grep -q five err || exit 1
run -G n=99999999999999999999 2>err && exit 1
grep -q "'n' is a number of 64 bits" err || exit 1
[ "$(run -G n=18446744073709551615)" = -1defaultkept ] || exit 1
# A text that fits is whole, a longer one is refused: it is never cut.
long=$(printf '%0511d' 7)
[ "$(run -G s="$long")" = "1${long}kept" ] || exit 1
run -G s="${long}0" 2>err && exit 1
grep -q "the value of 's' has 512 bytes, but a string of this script holds at most 511" err || exit 1
[ "$(run -DMAXSTRINGLEN=2048 -G s="${long}0")" = "1${long}0kept" ] || exit 1
