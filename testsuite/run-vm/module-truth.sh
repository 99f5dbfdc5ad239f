#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module of our own whose values are known: parameters, structures, bitfields, arrays, return values, lines, inlined code and
# variables of files, by DWARF; what BTF can tell, by BTF alone; its tracepoint. Every value is compared.
set -eu
. "$SRCDIR/testsuite/lib/truth.sh"
need_kernel

compare()
{
	LC_ALL=C sort "$TRUTH/$1" | diff - sorted || fail "$R: values differ"
}

for R in $(kernels); do
	dir=$PWD/$R
	build "$R" "$dir"
	watch "$R" "$dir/ktap_truth.ko" truth.stp 9
	compare expected
	watch "$R" "$dir/ktap_truth.ko" truth-lines.stp 9 0
	compare expected-lines
	if only_btf "$R" "$dir"; then
		watch "$R" "$dir/btf/ktap_truth.ko" truth.stp 9
		compare expected
	else
		echo "$R: no BTF for modules can be made here"
	fi
done
