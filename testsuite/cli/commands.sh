#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap explain, ktap examples: sections of ktap-errors(7), the installed examples. A script of a command's name wins.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap explain key-type
accepted
head -n 1 out | grep -qx '\[key-type\] an array key has another type than at its first use' || fail "no heading"
printed .
# The words are those of the manual page, cause and remedy.
words() { tr -d '\134`' | sed 's/fB//g; s/fR//g; s/^\.Pp$//; s/^&//' | tr -s ' \n' '\n\n' | sed '/^$/d'; }
for tag in usage syntax no-match macro format vm run; do
	ktap explain "$tag"
	accepted
	sed 1d out | words >have
	perl -0ne 'print $1 if /^\.It Bq \Q'"$tag"'\E\n.*?^\.Pp\n(.*?)(?=^\.It|^\.El)/ms' "$BUILDDIR/man/ktap-errors.7" |
		sed 's/\\e/\\/g; s/\\-/-/g; s/^\\&//' | words >want
	test -s want || fail "ktap-errors.7 has no section $tag"
	cmp -s want have || fail "explain $tag is not the page's: $(diff want have)"
done
mv out plain
ktap explain '[run]'
accepted
cmp -s plain out || fail "the brackets of a message are not taken"
ktap explain
accepted
sed -n 's/^DIAG([A-Z_]*, "\([^"]*\)".*/\1/p' "$SRCDIR/lib/diags.def" >want
sed 's/ .*//' out >have
cmp -s want have || fail "the list of tags: $(diff want have)"
ktap explain no-mach
refused usage
said "did you mean 'no-match'"
ktap explain usage io
refused usage

ktap examples
accepted
test "$(sed '/^$/,$d' out | wc -l)" = "$(ls "$SRCDIR"/examples/*.stp | wc -l)" || fail "not all examples are listed"
printed '^opens  *io  *who opens which files, as it happens$'
tail -n 1 out | grep -q '^Run one with: ktap .*/NAME\.stp$' || fail "nothing says how to run one"
dir=$(sed -n 's/^Run one with: ktap \(.*\)\/NAME\.stp$/\1/p' out)
test -r "$dir/opens.stp" || fail "opens.stp is not where the list says"
ktap examples LATENCY disk
accepted
test "$(sed '/^$/,$d' out)" = "$(sed -n '/^disk-latency /p' out)" || fail "words are looked for together, in the headers"
printed '^disk-latency '
# A word that no header has is looked for in the scripts.
mkdir lib
cp "$SRCDIR/examples/hello.stp" lib
KTAP_EXAMPLES=$PWD/lib ktap examples 'timer.ms'
accepted
printed '^hello '
KTAP_EXAMPLES=$PWD/lib ktap examples 'stdout:'
refused usage
said "'ktap examples' lists all 1"
KTAP_EXAMPLES=$PWD/nosuch ktap examples
refused io

# Scripts named as commands; a directory is none.
mkdir examples
ktap examples opens
accepted
for name in doctor explain; do
	echo 'probe begin { exit() }' >$name
	ktap $name -p1
	accepted
	printed '^probe begin'
	said "warning: '$name' is the script in this directory"
done
ktap --help
printed 'ktap doctor'

# A command after an option is no script.
ktap -r 6.1 help
refused usage
said "note: write: ktap help"

# A name of the kernel in the place of a script, before a machine is chosen for it.
ktap kfree_skb
refused io
said "note: ktap -l 'kfree_skb' lists places of that name"
test "$(grep -c '' err)" = 2 || fail "more than an error and its note"
ktap ./nosuch.stp
refused io
said 'note: a script given as text needs -e'
