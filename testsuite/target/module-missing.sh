#!/bin/sh
# A module that the kernel does not have is told once, also when an alternative that may fail asked for it first.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	for first in '.call !' ' !' ' ?' '.return ?'; do
		ktap -r "$R" -p2 -e "probe module(\"nosuch_mod\").function(\"a\")$first, module(\"nosuch_mod\").function(\"b\") { }"
		refused no-match
		said "has no module 'nosuch_mod'"
		test "$(grep -c error: err)" = 1 || fail "told more than once"
	done
}
on_each check
