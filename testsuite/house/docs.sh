#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The lint of the documentation does its work: in a copy of the library, each thing that can be left out of a comment, or be
# said of nothing, is an error with file and line, and then make makes no page. The pages have every public name.
set -u
cp -r "$SRCDIR/man" "$SRCDIR/tapset" .
rm -rf tapset/made
cp -r "$BUILDDIR/tapset/made" tapset/
status=0
fail() {
	echo "$*"
	status=1
}
library=$(find tapset -path tapset/syscalls -prune -o -name '*.stp' -print -o -name '*.stpm' -print)
page() { perl man/functions.pl "$1" $library >page 2>err; }
for kind in functions tapset; do
	page $kind || fail "as it is: $(cat err)"
	cp page "$kind.5"
done

# Of FILE what PERL changes must be refused, with EXPECTED at the line of FILE that LINE matches after the change.
refused() {
	file=$1 perl=$2 line=$3 expected=$4
	perl -0pe "$perl" "$SRCDIR/$file" >"$file"
	if cmp -s "$file" "$SRCDIR/$file"; then
		fail "$perl changes nothing in $file"
	fi
	number=$(grep -n -m1 -e "$line" "$file" | cut -d: -f1)
	for kind in functions tapset; do
		page $kind && fail "$perl: ktap-$kind is made"
		test ! -s page || fail "$perl: half a page is made"
		grep -qxF "$file:$number: $expected" err || fail "$perl: expected $file:$number: $expected, got: $(cat err)"
		test "$(wc -l <err)" = 1 || fail "$perl: more than one complaint: $(cat err)"
	done
	cp "$SRCDIR/$file" "$file"
}
refused tapset/language/strings.stp 's{/\*\*\n \* substr .*?\*/\n}{}s' '^function substr' 'substr has no doc comment'
refused tapset/language/strings.stp 's{ \* \@length: .*?\n}{}' '^function substr' "the comment of substr does not describe 'length'"
refused tapset/language/strings.stp 's{(\@start:).*?\n}{$1\n}' '@start:' "nothing is said of 'start'"
refused tapset/language/strings.stp 's{(\* \@start)}{ * \@origin: the same\n $1}' '@origin' "substr has no parameter 'origin'"
refused tapset/language/strings.stp 's{ \* Returns: the bytes that exist.*?\n}{}' '^function substr' 'the comment of substr does not say what it returns'
refused tapset/language/strings.stp 's{\* substr -}{* substring -}' '\* substring' "the comment of substr describes 'substring'"
refused tapset/language/strings.stp 's{( \* \@start: .*?\n)( \* \@length: .*?\n)}{$2$1}' '^function substr' \
	"the comment of substr describes 'str length start', declared is 'str start length'"
refused tapset/language/strings.stp 's{\A#}{\n#}' '' 'the first line is not a comment with the title'
refused tapset/language/strings.stp 's{^# Strings\n}{# Strings.\n}m' '^# SPDX' "the title 'Strings.' is a sentence or too long"
refused tapset/language/strings.stp 's{^(# Strings\n)# [^\n]*\n}{$1}m' '^# SPDX' 'no line after the title describes the file'
refused tapset/language/macros.stpm 's{ \* \@b: .*?\n}{}' '^@define choose_defined' "the comment of @choose_defined does not describe 'b'"
refused tapset/kernel/tty.stp 's{/\*\*\n \* tty\.open -.*?\*/\n}{}s' '^probe tty.open =' 'tty.open has no doc comment'
refused tapset/kernel/tty.stp 's{ \* \@file_mode: .*?\n}{}' '^probe tty.open =' "the comment of tty.open does not describe its variable 'file_mode'"
refused tapset/kernel/tty.stp 's{\tfile_mode = \$filp->f_mode\n}{}' '@file_mode' "tty.open sets no variable 'file_mode'"
refused tapset/kernel/tty.stp 's{ \* Context: .*?\n}{}' '^probe tty.open =' 'the comment of tty.open does not say in whose context it runs'
# Variables that come from an alias that is no public one.
refused tapset/process/kprocess.stp 's{\tfilename = [^\n]*\n}{\tfilename = ""\n\tmore = 1\n}' '^probe kprocess.exec =' \
	"the comment of kprocess.exec does not describe its variable 'more'"

# What ktap lists is in the pages, and nothing else is; macros it does not list.
names() { sed -n "s/^\.It $2 \([^ ]*\).*/\1/p" "$1" | sort -u; }
names functions.5 Fn >functions.have
"$KTAP" --dump-functions | sed 's/[:( ].*//' | sort -u >functions.want
cmp -s functions.want functions.have || fail "ktap-functions.5: $(diff functions.want functions.have)"
names tapset.5 Li >aliases.have
"$KTAP" --dump-probe-aliases | sed 's/ .*//' | grep -v -e '^syscall\.' -e '^[dnt][dwp]_syscall\.' | sort -u >aliases.want
grep -v '^syscall\.' aliases.have | cmp -s aliases.want - || fail "ktap-tapset.5: $(diff aliases.want aliases.have)"
cat tapset/*/*.stpm | sed -n 's/^@define \([a-z]\w*\).*/@\1/p' | while read -r macro; do
	grep -q "^\.It Li $macro\b" functions.5 || echo "ktap-functions.5 does not have $macro"
done >macros
test ! -s macros || fail "$(cat macros)"

# The example of a library of one's own makes a page too.
mkdir lib
sed -n '/^\$ cat lib\/opens/,/^\$ ktap -I lib/p' man/tapset-intro.in | sed '/^\$/d; s/\\e/\\/g' >lib/opens.stp
perl man/functions.pl tapset lib/opens.stp >page || fail "the example is refused"
grep -q '^\.It Va longest' page || fail "the page of the example has no variables"
"$KTAP" -I lib --dump-probe-aliases | grep -q '^opens\.file = ' || fail "the example is not found with -I"

# The arguments of system calls are described by their kinds.
def=$SRCDIR/runtime/kit/syscalls.def
sed 's/^\(KIND(dirfd,.*"\)[^"]*")/\1")/' "$def" >calls.def
cmp -s "$def" calls.def && fail "KIND(dirfd) has another form now"
perl tapset/syscalls.pl calls.def --man >page 2>err && fail "a kind without a text makes a page"
grep -qx "calls.def:$(grep -n '^KIND(dirfd,' calls.def | cut -d: -f1): nothing is said of kind 'dirfd'" err || fail "$(cat err)"

# Each tag needs cause and remedy, and each text a tag.
errors() { perl man/errors.pl diags.def man/ktap-errors.in >page 2>err; }
cp "$SRCDIR/lib/diags.def" .
errors || fail "ktap-errors.7 is not made: $(cat err)"
for tag in $(sed -n 's/^DIAG([A-Z_]*, "\([^"]*\)".*/\1/p' diags.def); do
	grep -qxF ".It Bq $tag" page || fail "ktap-errors.7 does not have $tag"
done
for change in '/^@tag syntax$/,/^@remedy$/d' '/^@tag syntax$/,/^@tag/{/^@remedy$/,/^@tag/{/^@tag/!d}}' 's/^@tag syntax$/@tag syntacks/'; do
	sed "$change" "$SRCDIR/man/ktap-errors.in" >man/ktap-errors.in
	cmp -s man/ktap-errors.in "$SRCDIR/man/ktap-errors.in" && fail "$change changes nothing"
	errors && fail "$change: the page is made"
	grep -q '[^ :]*:[0-9]*: .*syntax' err || fail "$change: $(cat err)"
done
exit $status
