#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the pages of the library of its doc comments:
#
#   functions.pl functions TAPSET-FILE... > ktap-functions.5     functions and macros
#   functions.pl tapset TAPSET-FILE... > ktap-tapset.5           probe aliases
#
# The text in front of the entries is functions-intro.in and tapset-intro.in. What is undocumented, or documented otherwise
# than declared, is an error with its file and line, and no page is made: see Tapset.pm.
use strict;
use warnings;
use File::Basename ();
use lib File::Basename::dirname(__FILE__);
use Mdoc;
use Tapset;

my %PAGE = (
    functions => { title => 'KTAP-FUNCTIONS', what => 'functions and macros of the library of ktap',
        kinds => ['function', 'macro'], intro => 'functions-intro', see => [qw(ktap-tapset)] },
    tapset => { title => 'KTAP-TAPSET', what => 'probe aliases of the library of ktap, and libraries of your own',
        kinds => ['alias'], intro => 'tapset-intro', see => [qw(ktap-functions ktap-syscalls)] },
);
my $which = shift @ARGV // '';
my $page = $PAGE{$which} or die "usage: functions.pl functions|tapset TAPSET-FILE...\n";

# Words of declarations, as roff takes them for what they are.
sub code {
    my ($s) = @_;
    $s =~ s/\\/\\e/g;
    $s =~ s/"/\\(dq/g;
    $s =~ s/-/\\-/g;
    $s =~ s/^([.'])/\\&$1/;
    return $s;
}

sub heading {
    my ($e) = @_;
    return ".It Li $e->{name}\n" if $e->{kind} eq 'alias';
    if ($e->{kind} eq 'macro') {
        my $names = join(' , ', map { $_->[0] } @{$e->{params}});
        return ".It Li $e->{name}" . ($names ne '' ? " Ns ( Ns Ar $names Ns Li \\&)" : '') . "\n";
    }
    my $args = join(' ', map { $_->[1] ne '' ? "\"$_->[0]:$_->[1]\"" : $_->[0] } @{$e->{params}});
    return ".It Fn $e->{name}" . ($args ne '' ? " $args" : '') . (defined $e->{type} ? " Ns :$e->{type}" : '') . "\n";
}

# The places that an alias stands for, one a line: what commas outside of parentheses and braces separate.
sub rests_on {
    my ($points) = @_;
    my ($depth, @points) = (0, '');
    for my $part ($points =~ /"(?:\\.|[^"\\])*"|[^"]/g) {
        $depth += ($part =~ /^[({]$/) - ($part =~ /^[)}]$/);
        if ($part eq ',' && !$depth) {
            push @points, '';
        } else {
            $points[-1] .= $part;
        }
    }
    return ".Pp\nRests on:\n.Bd -literal -offset indent -compact\n"
        . join('', map { code(s/^ | $//gr) . "\n" } @points) . ".Ed\n";
}

# What the comment says, without the heading.
sub entry {
    my ($e) = @_;
    my $doc = $e->{doc} or return '';
    my $out = Mdoc::text(ucfirst("$doc->{summary}."));
    if (@{$doc->{params}}) {
        my ($width) = sort { $b <=> $a } map { length $_->[0] } @{$doc->{params}};
        $out .= '.Bl -tag -width ' . 'X' x ($width > 15 ? 15 : $width < 6 ? 6 : $width) . " -compact\n";
        for my $param (@{$doc->{params}}) {
            my $type = $e->{kind} eq 'alias' ? '.It Va' : '.It Fa';
            $out .= "$type $param->[0]\n" . Mdoc::text($param->[1]);
        }
        $out .= ".El\n";
    }
    my @from = @{$e->{collects} || []};
    $out .= ".Pp\n" . Mdoc::text('Variables: ' . (@{$doc->{params}} ? 'also ' : '') . 'those of '
        . join(', ', map { "`$_`" } @from) . '.') if @from;
    $out .= ".Pp\n" . Mdoc::text($doc->{text}) if $doc->{text} =~ /\S/;
    for my $heading (qw(Returns Context Errors)) {
        $out .= ".Pp\n" . Mdoc::text("$heading: $doc->{$heading}.") if defined $doc->{$heading};
    }
    $out .= rests_on($e->{points}) if $e->{kind} eq 'alias';
    $out .= ".Pp\n.Dl " . code($doc->{Example}) . "\n" if defined $doc->{Example};
    return $out;
}

sub section {
    my ($file, @entries) = @_;
    my $out = ".Ss " . Mdoc::escape($file->{title}) . "\n" . Mdoc::text($file->{about}) . ".Bl -tag -width Ds\n";
    while (my $e = shift @entries) {
        # Overloads share the description of the first.
        my @same = ($e);
        push @same, shift @entries while @entries && $entries[0]{name} eq $e->{name} && !$entries[0]{doc};
        $out .= join('', map { heading($_) } $e->{kind} eq 'alias' ? $e : @same) . entry($e);
    }
    return "$out.El\n";
}

# A file belongs to the directory that it is in, wherever that is.
sub folder { return $_[0] =~ m{([^/]+)/[^/]+$} ? $1 : 'library' }

my @files = map { Tapset::read_file($_) } sort { folder($a) cmp folder($b) || $a =~ s{.*/}{}r cmp $b =~ s{.*/}{}r } @ARGV;
Tapset::check(@files);
exit 1 if $Tapset::failed;

my ($sections, $folder) = (undef, '');
my $index = '';
for my $file (@files) {
    my @entries = grep { my $e = $_; Tapset::public($e) && grep { $_ eq $e->{kind} } @{$page->{kinds}} } @{$file->{entries}};
    next unless @entries;
    if ($folder ne folder($file->{path})) {
        $folder = folder($file->{path});
        $index .= ($index ? ".El\n" : '') . ".Pp\n.Sy " . uc($folder) . "\n.Bl -tag -width 33n -compact\n";
        $sections .= '.Sh ' . uc($folder) . ($folder eq 'time' ? "\\&" : '') . "\n"; # or mandoc takes it for FILES
    }
    # The first sentence says enough in the list.
    my ($about) = $file->{about} =~ /^(.*?)(?:[.;] |\.?$)/;
    $index .= '.It ' . Mdoc::escape($file->{title}) . "\n" . Mdoc::text($about);
    $sections .= section($file, @entries);
}
die "no entries for $which found\n" unless defined $sections;
open(my $in, '<', File::Basename::dirname(__FILE__) . "/$page->{intro}.in") or die "$page->{intro}.in: $!\n";
my $intro = do { local $/; <$in> };
$intro =~ s/^\@SECTIONS\@\n/$index.El\n/m or die "$page->{intro}.in has no line \@SECTIONS\@\n";
print Mdoc::head($page->{title}, 5, lc $page->{title}, $page->{what}), $intro, $sections, ".Sh SEE ALSO\n.Xr ktap 1 ,\n",
    join('', map { ".Xr $_ 5 ,\n" } sort @{$page->{see}}, 'ktap-language', 'ktap-probes'), ".Xr ktap-errors 7\n";
