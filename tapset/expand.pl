#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes files of the library from templates: expand.pl FOLDER TEMPLATE...
#
# tapset/network/netfilter.stp.in becomes FOLDER/network/netfilter.stp. Lines are copied, except for these:
#
#     %set NAME TEXT             names a text
#     %set NAME                  names the lines up to %end
#     %for NAME NAME ...         a table with these columns: a row a line, two spaces or a tab between cells, - for an empty cell
#     %do                        ends the table; the lines up to %end are copied for each row
#
#     %if NAME                   the lines up to %end are copied if NAME is not empty
#     %# COMMENT                 a comment on the template
#
# @NAME@ stands for the text or the cell NAME. A line that has nothing else stands for the lines NAME, and vanishes when there
# are none. A name may contain another one: @call_@proc@@. Texts are expanded where they are used.
# @list(N|SEPARATOR|TEXT)@ stands for TEXT N times with SEPARATOR between, where # is 1 to N. \n and \t in both are characters.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Path qw(make_path);

my $template;

sub fail {
    my ($number, $message) = @_;
    die "$template:$number: $message\n";
}

# The lines of the block that begins at index AT, without its %end, and the index of the line after that.
sub block {
    my ($lines, $at) = @_;
    my ($depth, $from) = (1, $at);
    for (; $at < @$lines; $at++) {
        $depth++ if $lines->[$at][0] =~ /^%(?:for\s|if\s|set\s+\w+\s*$)/;
        $depth-- if $lines->[$at][0] =~ /^%end$/;
        return ([@{$lines}[$from .. $at - 1]], $at + 1) unless $depth;
    }
    fail($lines->[$from - 1][1], 'no %end');
}

# LINE with the texts and cells in it: inner names first.
sub fill {
    my ($line, $vars) = @_;
    my @names = grep { !ref $vars->{$_} } sort keys %$vars;
    my %character = (n => "\n", t => "\t");
    for (1 .. 10) {
        my $before = $line;
        $line =~ s/\@$_\@/$vars->{$_}/g for @names;
        last if $line eq $before;
    }
    $line =~ s{\@list\((\d+)\|([^|]*)\|(.*?)\)\@}{
        my ($n, $separator, $text) = ($1, map { s/\\([nt])/$character{$1}/gr } $2, $3);
        join($separator, map { $text =~ s/#/$_/gr } 1 .. $n) }ge;
    return $line;
}

# The rows of a table as [{column => cell}], and the lines to copy for each.
sub table {
    my ($columns, $block, $number) = @_;
    my @rows;
    while (my $line = shift @$block) {
        return (\@rows, $block) if $line->[0] =~ /^%do$/;
        next if $line->[0] !~ /\S/;
        my @cells = map { $_ eq '-' ? '' : $_ } split /\s{2,}|\t+/, $line->[0];
        fail($line->[1], @cells . ' cells, expected ' . @$columns) if @cells != @$columns;
        my %row;
        @row{@$columns} = @cells;
        push @rows, \%row;
    }
    fail($number, 'no %do');
}

# LINES, each [text, number], as text.
sub expand {
    my ($lines, $vars, $depth) = @_;
    my ($out, $at) = ('', 0);
    while ($at < @$lines) {
        my ($line, $number) = @{$lines->[$at++]};
        if ($line =~ /^%#/) {
            next;
        } elsif ($line =~ /^%set\s+(\w+)\s+(\S.*)$/) {
            $vars->{$1} = $2;
        } elsif ($line =~ /^%set\s+(\w+)\s*$/) {
            ($vars->{$1}, $at) = block($lines, $at);
        } elsif ($line =~ /^%for\s+(\S.*)$/) {
            my @columns = split ' ', $1;
            (my $block, $at) = block($lines, $at);
            my ($rows, $body) = table(\@columns, $block, $number);
            $out .= expand($body, { %$vars, %$_ }, $depth) for @$rows;
        } elsif ($line =~ /^%if\s+(\w+)\s*$/) {
            my $name = $1;
            (my $block, $at) = block($lines, $at);
            $out .= expand($block, $vars, $depth) if ($vars->{$name} // '') ne '';
        } elsif ($line =~ /^%(?:end|do|set|for|if)\b/) {
            fail($number, "'$line' belongs to nothing");
        } else {
            $line = fill($line, $vars);
            if ($line =~ /^\@(\w+)\@$/ && ref $vars->{$1}) {
                fail($number, "'$1' contains itself") if $depth > 10;
                $out .= expand($vars->{$1}, { %$vars }, $depth + 1);
                next;
            }
            fail($number, "nothing is named '$1'") if $line =~ /\@(\w+)\@/;
            $out .= "$line\n" unless $line eq '' && $lines->[$at - 1][0] ne '';
        }
    }
    return $out;
}

my ($folder, @templates) = @ARGV;
die "usage: expand.pl FOLDER TEMPLATE...\n" unless @templates;
for (@templates) {
    $template = $_;
    my ($name) = $template =~ m{([^/]+/[^/]+)\.in$} or die "$template: not a FOLDER/NAME.in\n";
    open(my $in, '<', $template) or die "$template: $!\n";
    my $number = 0;
    my $text = expand([map { chomp; [$_, ++$number] } <$in>], {}, 0);
    make_path(dirname("$folder/$name"));
    open(my $out, '>', "$folder/$name") or die "$folder/$name: $!\n";
    $text =~ s/\n{3,}/\n\n/g;
    print $out $text =~ s/\n+\z/\n/r;
    close($out) or die "$folder/$name: $!\n";
}
