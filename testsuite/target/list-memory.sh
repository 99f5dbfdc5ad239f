#!/bin/sh
# A list of all functions of a kernel takes less than 150 MB, whether the index has to be made first or is there:
# what is mapped of the kernel's 500 MB counts where it is touched.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR

# All functions, in less than $1 KB.
list_within()
{
	ktap -r "$R" -v -l 'kernel.function("*")'
	accepted
	test "$(wc -l <out)" -gt 50000 || fail "few functions"
	peak=$(sed -n 's/^Pass 2: listed using \([0-9]*\)res kb.*/\1/p' err)
	test "$peak" -gt 1000 || fail "no figure"
	test "$peak" -lt "$1" || fail "$peak KB"
}

check()
{
	rm -rf "$KTAP_CACHE_DIR"
	list_within 150000
	list_within 100000
}
on_each check
