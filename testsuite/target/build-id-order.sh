#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# process("BUILD-ID") is the program in a directory of PATH, even while another program with a copied build-id runs. A program that only
# runs is found too.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

# program FILE ID
program()
{
	echo '#include <unistd.h>
	int main(void) { return pause(); }' | ${CC:-gcc} -g -O2 -Wl,--build-id="0x$2" -x c -o "$1" - || fail "cannot compile"
}
# found ID FILE: the build-id is that of FILE.
found()
{
	PATH=$work/bin:$PATH ktap -l "process(\"$1\").function(\"main\")"
	accepted
	printed "^process(\"$2\")"
	test "$(grep -c '^process' out)" = 1 || fail "more than one program"
}
installed=$(printf '%016x' $$)5ca1ab1e0ddba115deadbeef
running=$(printf '%016x' $$)0ddba1155ca1ab1edeadbeef
mkdir bin
program bin/installed "$installed"
program copied "$installed"
program running "$running"
./copied & pids=$!
./running & pids="$pids $!"
found "$installed" "$work/bin/installed"
found "$running" "$work/running"
