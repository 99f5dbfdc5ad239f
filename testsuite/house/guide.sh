#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# README.md and docs/: each block and each command of ktap in a sentence is a session that run-vm/docs runs, each link leads to a
# file, each option and each manual page that is named exists.
. "$SRCDIR/testsuite/lib/sh.sh"
ktap --help
cat > known <<END
$(cat out)
$("$BUILDDIR/ktaprun" --help)
END
cat > look.pl <<'END'
use strict;
use warnings;
use Docs;
my ($top, $help, @files) = @ARGV;
my @faults;
my @skipped = grep { defined $_->{skip} } Docs::sessions(\@faults, @files);
push @faults, "more than one block is not run: $_->{file}:$_->{line}" for @skipped[1 .. $#skipped];
open(my $in, '<', $help) or die;
my %known = map { $_ => 1 } join('', <$in>) =~ /(?<![\w-])(--?[A-Za-z][\w-]*)/g;
# Options of other programs that the pages name: configure, mokutil, scripts/pictures.
$known{$_} = 1 for qw(--enable-stap-links --import --flame);
for my $file (@files) {
    open(my $page, '<', $file) or die;
    my $folder = $file =~ s{/[^/]*$}{}r;
    while (my $line = <$page>) {
        next if $line =~ /^    /;
        for my $to ($line =~ /\]\(([^)#]+)[^)]*\)/g) {
            push @faults, "$file:$.: there is no $to" unless $to =~ /^https?:/ || -e "$folder/$to";
        }
        for my $path ($line =~ m{`((?:docs|examples|scripts|testsuite|man)/[\w./-]*)`}g) {
            push @faults, "$file:$.: there is no $path" unless -e "$top/$path";
        }
        for my $name ($line =~ /`man (ktap[\w-]*)`/g) {
            my @there = glob("$top/man/$name.[1-8] $ENV{BUILDDIR}/man/$name.[1-8]");
            push @faults, "$file:$.: there is no manual page $name" unless @there;
        }
        next if $line =~ /^\|/;
        for my $code ($line =~ /`([^`]*)`/g) {
            push @faults, "$file:$.: ktap has no option $_" for grep { !$known{$_} } $code =~ /(?<![\w-])(--[a-z][\w-]*)/g;
        }
    }
}
print map { "$_\n" } @faults;
exit(@faults != 0);
END
perl -I "$SRCDIR/testsuite/lib" look.pl "$SRCDIR" known "$SRCDIR/README.md" "$SRCDIR"/docs/*.md "$SRCDIR/examples/README.md" >out ||
	fail "the documentation has faults"
# A page with each fault is refused.
printf 'See `docs/none.md`, [x](none.md), `man ktap-none` and `--no-such-option`.\n\n    ktap doctor\n\n\tktap\n\n```\nktap\n```\n' >bad.md
perl -I "$SRCDIR/testsuite/lib" look.pl "$SRCDIR" known "$PWD/bad.md" >found && fail "a bad page is accepted"
test "$(wc -l <found)" = 8 || { cat found; fail "expected eight faults"; }
# A command in a sentence is a session, over two lines too; one with a placeholder is none.
printf 'Lists: `ktap -L\n\047syscall.openat\047`, `ktap examples WORD`, `ktap --vm`.\n' >inline.md
test "$(perl -I "$SRCDIR/testsuite/lib" -MDocs -e 'print map { "$_->{line}: $_->{command}\n" } Docs::sessions([], @ARGV)' inline.md)" = \
	"1: ktap -L 'syscall.openat'" || fail "other commands are found in a sentence"

# The table beside other tools names tests that exist.
tests=$(sed -n 's/^|.*| \([a-z-]*\/[^|]*\) |$/\1/p' "$SRCDIR/docs/peers.md" | tr -d ,)
test "$(echo "$tests" | wc -l)" -gt 15 || fail "docs/peers.md names too few tests"
for test in $tests; do
	ls "$SRCDIR/testsuite/$test".* >/dev/null || fail "docs/peers.md: there is no test $test"
done
