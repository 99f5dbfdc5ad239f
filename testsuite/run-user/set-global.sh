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
grep -q five err
