#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes ktap-errors(7): errors.pl DIAGS.DEF ERRORS.IN > ktap-errors.7
# and the table of `ktap explain`: errors.pl DIAGS.DEF ERRORS.IN --table > explain-texts.h
#
# diags.def gives the tags, their order and their one-line meaning; ktap-errors.in gives cause and remedy. A tag that is
# missing in either, or a text that is empty, is an error with its file and line, and no page is made.
use strict;
use warnings;
use File::Basename ();
use lib File::Basename::dirname(__FILE__);
use Mdoc;

my ($def, $in, $table) = @ARGV;
my (%cause, %remedy, %line, $tag, $into);
my $failed = 0;

sub complain {
    print STDERR "$_[0]:$_[1]: $_[2]\n";
    $failed = 1;
}

open(my $texts, '<', $in) or die "$in: $!\n";
while (<$texts>) {
    next if /^#/;
    complain($in, $., 'a macro of mdoc, which would be printed as it is') if /^\.[A-Z][a-z] /;
    if (/^\@tag (\S+)$/) {
        $tag = $1;
        complain($in, $., "'$tag' is explained at line $line{$tag} too") if $line{$tag};
        $line{$tag} = $.;
        $into = \$cause{$tag};
        $$into = '';
    } elsif (/^\@remedy$/) {
        $into = \$remedy{$tag};
        $$into = '';
    } elsif (defined $into) {
        $$into .= $_;
    }
}

my (@items, @rows);
open(my $rows, '<', $def) or die "$def: $!\n";
while (<$rows>) {
    next unless /^DIAG\(\w+, "([^"]+)", "([^"]+)"\)/;
    my ($name, $summary) = ($1, $2);
    my $at = delete $line{$name};
    unless (defined $at) {
        complain($def, $., "$in does not explain '$name'");
        next;
    }
    complain($in, $at, "'$name' has no cause") unless $cause{$name} =~ /\w/;
    complain($in, $at, "'$name' has no remedy") unless ($remedy{$name} // '') =~ /\w/;
    my $text = $cause{$name} . "\n" . ($remedy{$name} // '');
    push @items, ".It Bq $name\n" . Mdoc::text(ucfirst($summary) . ".\n\n" . $text);
    push @rows, [$name, $summary, $text];
}
complain($in, $line{$_}, "there is no tag '$_'") for sort keys %line;
exit 1 if $failed;

# A string literal of C.
sub quoted { return '"' . $_[0] =~ s/(["\\])/\\$1/gr =~ s/\n/\\n/gr . '"' }

if ($table) {
    print "/* Generated: edit man/ktap-errors.in. */\n";
    for my $row (@rows) {
        my ($name, $summary, $text) = @$row;
        my @lines = Mdoc::plain($text) =~ /.*\n/g;
        print '{ ', quoted($name), ', ', quoted($summary), ",\n", map({ "\t" . quoted($_) . "\n" } @lines), "},\n";
    }
    exit 0;
}

print Mdoc::head('KTAP-ERRORS', 7, 'ktap-errors', 'diagnostics of ktap, their causes and remedies');
print <<'END';
.Sh DESCRIPTION
Every diagnostic of
.Xr ktap 1
has a place, a message and a tag in brackets, and shows the line of the script:
.Bd -literal -offset indent
open.stp:3:7: error: key 1 of 'hits' is a string, expected a long [key-type]
    3 | 	hits[execname()]++
      | 	     ^
open.stp:1:32: note: key 1 of 'hits' was first a long here
    1 | global hits probe begin { hits[1]++ }
      |                                ^
.Ed
.Pp
All errors of a pass are reported in one run.
A note belongs to the error or warning before it.
An error of a handler, while the script runs, has the form of SystemTap,
and a tag.
The line of the script and a note follow it, once for each place; with
.Fl -compatible
it stands alone.
Errors end the run with exit status 1 before anything is loaded.
Warnings do not;
.Fl W
makes them errors and
.Fl w
hides them.
.Sh TAGS
.Bl -tag -width Ds
END
print @items, ".El\n.Sh SEE ALSO\n.Xr ktap 1 ,\n.Xr ktap-language 5 ,\n.Xr ktap-probes 5\n";
