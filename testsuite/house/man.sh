#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages are well-formed, and describe the options that the programs have, and no others.
command -v mandoc >/dev/null || { echo "mandoc is not installed"; exit 77; }
status=0
for page in "$SRCDIR"/man/*.[1-8] "$BUILDDIR"/man/*.[1-8]; do
	test -e "$page" || continue
	mandoc -Tlint -Wstyle "$page"
done >lint 2>&1
# Which other manuals are installed is this machine's matter.
grep -v 'referenced manual not found\|outdated mandoc.db' lint && status=1

# Options stand in three places: the parser's table, --help and OPTIONS of the page. Each as "-X" or "--NAME", with " ARG"
# behind it where it takes one.
page_options() {
	sed -n '/^\.Sh OPTIONS/,/^\.Sh /p' "$1" | perl -ne '
		next unless s/^\.It Fl //;
		my $argument = / (?:Ns = Ns )?(?:Ar|Cm|Op = Ns) / || / Op = / ? " ARG" : "";
		my @names = map { length > 1 ? "-$_" : "-$_" } /(?:^| , )(-?[\w-]+)/g;
		print "$_$argument\n" for @names' | sort
}
help_options() {
	"$1" --help | perl -ne '
		next unless s/^  (?=-)//;
		my ($left) = /^(.*?)(?:  |$)/;
		my $argument = $left =~ s/[ =\[]+\[?=?[A-Z][A-Z=\[\]|]*.*|(?:\[=|=)[a-z|]+.*// ? " ARG" : "";
		print "$_$argument\n" for split /, /, $left' | sort
}
same() {
	cmp -s "$1" "$2" || { echo "$1 and $2 differ:"; diff "$1" "$2"; status=1; }
}
# parser_options FILE: of rows such as { 'h', "help", NULL, or { OPT_X, "name", "[=ARG]", and of those of options.def
parser_options() {
	perl -ne 'next unless /^(?:\t\{ |OPTION\()(?:\x27(.)\x27|0|(?:KT_)?OPT_\w+), (?:NULL|"([^"]+)"), (NULL|")/;
		my $argument = $3 eq "NULL" ? "" : " ARG";
		print "-$1$argument\n" if defined $1;
		print "--$2$argument\n" if defined $2' "$1" | sort
}
parser_options "$SRCDIR/cli/options.def" >ktap-parser
{
	parser_options "$SRCDIR/runtime/loader/main.c"
	parser_options "$SRCDIR/runtime/options.h"
} | sort >ktaprun-parser
for program in ktap ktaprun; do
	test "$(wc -l <$program-parser)" -gt 10 || { echo "no options found in the sources of $program"; exit 1; }
	help_options "$BUILDDIR/$program" >$program-help
	page_options "$(ls "$SRCDIR/man/$program".[18])" >$program-page
	same $program-parser $program-help
	same $program-parser $program-page
done
# The limits of -D, with their defaults where these are plain numbers.
grep -ho -e 'limit_read([a-z>-]*, "[A-Z]*", [0-9-]*,' -e '^enum { [A-Z_]* = [0-9]* }; .* without -D[A-Z]* ' \
	"$SRCDIR"/translator/*/*.c "$SRCDIR"/cli/*.c |
	sed -e 's/.*limit_read([a-z>-]*, "\([A-Z]*\)", \([0-9-]*\),.*/\1 \2/' \
	-e 's/^enum { [A-Z_]* = \([0-9]*\) }; .* without -D\([A-Z]*\) .*/\2 \1/' |
	sed 's/ -1$/ \\(em/; s/^MAPSTRINGLEN 0$/MAPSTRINGLEN \\(em/' | sort >ktap-limits # as the strings need
sed -n '/^\.Sh LIMITS/,/^\.Sh ENV/s/^\.It \([A-Z]*\) Ta \([^ ]*\) Ta .*/\1 \2/p' "$SRCDIR/man/ktap.1" | sort >ktap-page-limits
test -s ktap-limits || { echo "no limits found in the sources"; exit 1; }
same ktap-limits ktap-page-limits
# The sections of --help are those of the page.
"$BUILDDIR/ktap" --help | sed -n 's/^\([A-Z][a-z ]*\):$/\1/p' >ktap-help-sections
sed -n '/^\.Sh OPTIONS/,/^\.Sh LIMITS/s/^\.Ss //p' "$SRCDIR/man/ktap.1" >ktap-page-sections
same ktap-help-sections ktap-page-sections
exit $status
