#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A list of all functions of a kernel takes less than 150 MB, whether the index has to be made first or is there:
# what is mapped of the kernel's 500 MB counts where it is touched. So do the functions of many modules, each of which is
# closed when it is listed, and all tracepoints, whose functions are spread over the whole file.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR

# At least $3 points that $2 matches, in less than $1 KB.
list_within()
{
	ktap -r "$R" -v -l "$2"
	accepted
	test "$(wc -l <out)" -gt "$3" || fail "few points"
	peak=$(sed -n 's/^Pass 2: listed using \([0-9]*\)res kb.*/\1/p' err)
	test "$peak" -gt 1000 || fail "no figure"
	test "$peak" -lt "$1" || fail "$peak KB"
}

check()
{
	rm -rf "$KTAP_CACHE_DIR"
	list_within 150000 'kernel.function("*")' 50000
	list_within 100000 'kernel.function("*")' 50000
	list_within 60000 'kernel.trace("*")' 500
	list_within 100000 'module("n*").function("*")' 1000
}
on_each check
