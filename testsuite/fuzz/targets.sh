#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every fuzz target survives its seeds and random inputs, under ASan and UBSan.
# The front end reads the index of its library for each input: two files instead of hundreds.
mkdir -p tapset
cp "$SRCDIR"/tapset/language/strings.stp "$SRCDIR"/tapset/language/macros.stpm tapset
export KTAP_TAPSET="$PWD/tapset"
found=0
for target in "$BUILDDIR"/testsuite/fuzz/fuzz_*; do
	test -x "$target" && test ! -d "$target" || continue
	case $target in *.o) continue ;; esac
	found=1
	seeds=$SRCDIR/testsuite/fuzz/seeds/${target##*/fuzz_}
	if test -d "$seeds"; then
		"$target" "$seeds"/* || exit 1
	fi
	# An input of the whole front end takes as long as ten of the others; testsuite/fuzz/run is what searches.
	n=20000
	case $target in
	*/fuzz_front | */fuzz_resolve) n=2000 ;;
	*/fuzz_owner) n=300 ;;
	esac
	"$target" -n $n || exit 1
done
test $found = 1 || exit 77
