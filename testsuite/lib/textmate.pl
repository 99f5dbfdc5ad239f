#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Tokenizes a file by a TextMate grammar, as an editor does: in each line, from left to right, the rule that matches first.
#
#	textmate.pl GRAMMAR.json FILE LINE:WORD...
#
# Prints the innermost scope of the first character of each WORD in its LINE. Of the format it knows what our grammar uses.
use strict;
use warnings;
use JSON::PP ();

my ($grammar_path, $path, @asked) = @ARGV;
my $grammar = JSON::PP::decode_json(contents($grammar_path));
my @scopes; # of each line, a scope for each character

sub contents {
    my ($path) = @_;
    open my $f, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$f>;
}

# The rules of PATTERNS, with what they include put in.
sub rules {
    my ($patterns) = @_;
    my @ret;

    for my $p (@$patterns) {
        if (!defined $p->{include}) {
            push @ret, $p;
        } elsif ($p->{include} =~ /^#(.*)/) {
            my $r = $grammar->{repository}{$1} or die "$grammar_path: no '$1'\n";
            push @ret, $r->{begin} ? $r : rules($r->{patterns});
        }
    }
    return @ret;
}

# The rule that matches first in LINE from POS on; of several at one place the first. Returns it and where it matches.
sub first_match {
    my ($line, $pos, $open) = @_;
    my ($best, $from, $to, $ends);

    for my $rule ($open ? { end => $open->{end} } : (), rules($open ? $open->{patterns} || [] : $grammar->{patterns})) {
        my $regex = $rule->{end} && !$rule->{begin} ? $rule->{end} : $rule->{begin} || $rule->{match};

        pos($line) = $pos;
        next if $line !~ /$regex/g || (defined $from && $-[0] >= $from);
        ($best, $from, $to, $ends) = ($rule, $-[0], $+[0], !$rule->{begin} && !$rule->{match});
    }
    return ($best, $from, $to, $ends);
}

sub paint {
    my ($row, $from, $to, $scope) = @_;

    @{$row}[$from .. $to - 1] = ($scope) x ($to - $from) if $scope && $to > $from;
}

my $open; # the rule whose end has not come yet: ours do not nest
for my $line (split /\n/, contents($path)) {
    my ($pos, @row) = (0);

    while (1) {
        my ($rule, $from, $to, $ends) = first_match($line, $pos, $open);
        my $inside = $open ? $open->{contentName} || $open->{name} : undef;

        paint(\@row, $pos, $rule ? $from : length $line, $inside);
        last if !$rule;
        if ($ends) {
            paint(\@row, $from, $to, $open->{endCaptures} ? $open->{endCaptures}{0}{name} : $open->{name});
            undef $open;
        } elsif ($rule->{begin}) {
            paint(\@row, $from, $to, $rule->{beginCaptures} ? $rule->{beginCaptures}{0}{name} : $rule->{name});
            $open = $rule;
        } else {
            paint(\@row, $from, $to, $rule->{name});
        }
        last if $to == $pos && $to >= length $line;
        $pos = $to > $from ? $to : $to + 1;
    }
    push @scopes, [$line, \@row];
}
for (@asked) {
    my ($number, $word) = /^(\d+):(.*)/s or die "not LINE:WORD: $_\n";
    my ($line, $row) = @{$scopes[$number - 1]};
    my $at = index $line, $word;

    die "line $number has no '$word'\n" if $at < 0;
    print "$_ ", $row->[$at] || '-', "\n";
}
