#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module of our own whose values are known: parameters, structures, bitfields, arrays, return values, lines, inlined code and
# variables of files, by DWARF; what BTF can tell, by BTF alone; its tracepoint. Every value is compared.
set -eu
. "$SRCDIR/testsuite/lib/truth.sh"
need_kernel

# compare FILE [REGEX]: the lines that the script printed are those of FILE that REGEX does not match.
compare()
{
	grep -v "${2:-^$}" "$TRUTH/$1" | LC_ALL=C sort | diff - sorted || fail "$R: values differ"
}

# On arm64 a function does not keep where it returned a large structure.
left_out=
test "$(machine)" != aarch64 || left_out='^big'
for R in $(kernels); do
	dir=$PWD/$R
	build "$R" "$dir"
	watch "$R" "$dir/ktap_truth.ko" truth.stp 9
	compare expected "$left_out"
	watch "$R" "$dir/ktap_truth.ko" truth-lines.stp 9 0
	compare expected-lines
	ktap -p2 -r "$R" -e 'probe module(@1).function("truth_percpu") { println(@percpu("truth_numbers", 0)) }' "$dir/ktap_truth.ko"
	refused target-var
	said "'truth_numbers' is no per-CPU variable"
	if only_btf "$R" "$dir"; then
		watch "$R" "$dir/btf/ktap_truth.ko" truth.stp 9
		ktap -r "$R" -l "module(\"$dir/btf/ktap_truth.ko\").function(\"truth_returns_big\")"
		compare expected "${left_out:-$(grep -q truth_returns_big out || echo '^big')}"
	else
		echo "$R: no BTF for modules can be made here"
	fi
done
