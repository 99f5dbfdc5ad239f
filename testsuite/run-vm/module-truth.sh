#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module of our own whose values are known: parameters, structures, bitfields, arrays, return values, lines, inlined code and
# variables of files, by DWARF; what BTF can tell, by BTF alone; its tracepoint; functions of one name. Every value is compared.
. "$SRCDIR/testsuite/lib/truth.sh"

# compare NAME FILE [REGEX]: the lines that the session printed are those of FILE that REGEX does not match.
compare()
{
	watched "$1"
	grep -v "${3:-^$}" "$TRUTH/$2" | LC_ALL=C sort | diff - sorted || fail "$release, $1: values differ"
}

# On arm64 a function does not keep where it returned a large structure.
left_out=
test "$(machine)" != aarch64 || left_out='^big'
for release in $(kernels); do
	dir=$PWD/$release
	build "$dir"
	watch truth "$dir/ktap_truth.ko" truth.stp 9
	watch lines "$dir/ktap_truth.ko" truth-lines.stp 9 0
	watch names "$dir/ktap_truth.ko" truth-names.stp 9
	ktap -p2 -r "$release" -e 'probe module(@1).function("truth_percpu") { println(@percpu("truth_numbers", 0)) }' "$dir/ktap_truth.ko"
	refused target-var
	said "'truth_numbers' is no per-CPU variable"
	btf=
	if only_btf "$dir"; then
		btf=1
		watch btf "$dir/btf/ktap_truth.ko" truth.stp 9
		watch btfnames "$dir/btf/ktap_truth.ko" truth-names.stp 9
		ktap -r "$release" -l "module(\"$dir/btf/ktap_truth.ko\").function(\"truth_returns_big\")"
		btf_left_out=${left_out:-$(grep -q truth_returns_big out || echo '^big')}
	else
		echo "$release: no BTF for modules can be made here"
	fi
	boot
	compare truth expected "$left_out"
	compare lines expected-lines
	compare names expected-names
	if test "$btf"; then
		compare btf expected "$btf_left_out"
		compare btfnames expected-names
	fi
done
