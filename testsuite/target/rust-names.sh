#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of Rust by demangled names, of both manglings, with and without scopes and types, in a file with symbols alone: what the
# assembler makes here.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

{
	printf '\t.text\n\t.globl main\n\t.type main, @function\nmain:\txorl %%eax, %%eax\n\tret\n\t.size main, . - main\n'
	for name in _RNvCsbxQjNsTKZZh_4shop4sell _RINvCsbxQjNsTKZZh_4shop3payRehEB2_ _RINvCsbxQjNsTKZZh_4shop3payxTbcEEB2_ \
		_RNvMNtCsbxQjNsTKZZh_4shop4tillNtB2_5Apple3eat _ZN4shop4till4open17h0123456789abcdefE \
		'_ZN55_$LT$shop..till..Apple$u20$as$u20$shop..till..Fruit$GT$4peel17h4fb498e9c0809c84E' \
		'_ZN54_$LT$shop..till..Pear$u20$as$u20$shop..till..Fruit$GT$4peel17hedcb213037d04039E.llvm.12345' \
		'_ZN62_$LT$shop..till..Bag$LT$T$GT$$u20$as$u20$shop..till..Fruit$GT$4peel17h2c57796bc5e34031E' \
		_RNvXs_NtCsbxQjNsTKZZh_4shop4tillNtB4_4PearNtB4_5Fruit4core; do
		printf '\t.type "%s", @function\n"%s":\n\tnop\n\tret\n\t.size "%s", . - "%s"\n' "$name" "$name" "$name" "$name"
	done
	printf '\t.section .note.GNU-stack, "", @progbits\n'
} >prog.s
${CC:-gcc} -o prog prog.s || fail "cannot assemble"

# finds NAME N: so many functions have it.
finds()
{
	ktap -l "process(\"./prog\").function(\"$1\")" >/dev/null
	test "$(grep -c 'function(' out)" = "$2" || fail "'$1' is not $2 functions: $(cat out err)"
}
finds shop::sell 1
finds sell 1
finds pay 2
finds shop::pay 2
finds 'shop::pay::<&str, u8>' 1
finds 'shop::pay<i64, (bool, char)>' 1
finds 'shop::*' 4
finds '<shop::till::Apple>::eat' 1
finds eat 1
finds shop::till::open 1
finds till::open 1
finds nosuch 0
# The implementations of a trait, also with scopes left out.
finds '<shop::till::Apple as shop::till::Fruit>::peel' 1
finds '<Apple as Fruit>::peel' 1
finds '<till::Apple as Fruit>::peel' 1
finds '<Pear as Fruit>::peel' 1
finds '<Pear as Fruit>::core' 1
finds '<Bag<T> as Fruit>::peel' 1
finds '<* as *Fruit>::peel' 3
finds '<Plum as Fruit>::peel' 0
finds '<ple as Fruit>::peel' 0
finds '<Apple as till>::peel' 0

# With debugging information: rustc numbers the implementations there.
command -v ${RUSTC:-rustc} >/dev/null || exit 0
cat >trait.rs <<'END'
mod till {
    pub struct Apple(pub u32);
    pub struct Pear(pub u32);
    pub trait Fruit { fn eat(&self, n: u32) -> u32; #[inline(never)] fn peel(&self) -> u32 { std::hint::black_box(7) } }
    impl Fruit for Apple { #[inline(never)] fn eat(&self, n: u32) -> u32 { std::hint::black_box(self.0 + n) } }
    impl Fruit for Pear {
        #[inline(never)] fn eat(&self, n: u32) -> u32 { std::hint::black_box(self.0 * n) }
        #[inline(never)] fn peel(&self) -> u32 { std::hint::black_box(self.0) } }
}
use till::*;
fn main() { println!("{} {} {} {}", Apple(1).eat(1), Pear(2).eat(2), Apple(1).peel(), Pear(2).peel()); }
END
for mangling in legacy v0; do
	RUSTC_BOOTSTRAP=1 ${RUSTC:-rustc} -g -Z unstable-options -C symbol-mangling-version=$mangling -o trait trait.rs 2>log || {
		grep -q 'unknown\|unstable' log || { cat log; fail "rustc"; }
		continue
	}
	# lines NAME LINES: NAME stands for the functions at these lines.
	lines()
	{
		ktap -l "process(\"./trait\").function(\"$1\")"
		got=$(sed -n 's/.*@trait\.rs:\([0-9]*\)".*/\1/p' out | sort -nu | tr '\n' ' ')
		test "$got" = "$2${2:+ }" || fail "$mangling: '$1' is at '$got', not at '$2': $(cat out err)"
	}
	lines '<Apple as Fruit>::eat' 5
	lines '<trait::till::Pear as trait::till::Fruit>::eat' 7
	lines 'trait::till::{impl#0}::eat' 5
	lines '{impl#1}::eat' 7
	lines 'till::{impl#1}::peel' 8
	lines peel '4 8'
	lines Fruit::peel 4
done
