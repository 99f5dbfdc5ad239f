# SPDX-License-Identifier: GPL-2.0-or-later
# The little that the page generators share: text with `literals` and empty lines -> mdoc.
package Mdoc;
use strict;
use warnings;

my $DATE = 'November 21, 2026';

sub head {
    my ($title, $section, $name, $what) = @_;
    return ".\\\" Generated: edit its source, see man/local.mk.\n.Dd $DATE\n.Dt $title $section\n.Os\n"
        . ".Sh NAME\n.Nm $name\n.Nd $what\n";
}

# One line of words that must not be taken for roff.
sub escape {
    my ($s) = @_;
    $s =~ s/\\/\\e/g;
    $s =~ s/(^|(?<=\n))([.'])/$1\\&$2/g;
    $s =~ s/-(?=[-\w])(?<![\w]-)/\\-/g;
    $s =~ s/(?<=\w)\(\)/\\&()/g; # or mandoc asks for .Fn, which stands for C
    $s =~ s/`([^`]+)`/\\fB$1\\fR/g;
    return $s;
}

# Paragraphs of sentences: each sentence starts a line, as roff wants it.
sub text {
    my ($s) = @_;
    my @paragraphs;
    for my $paragraph (split /\n\s*\n/, $s) {
        $paragraph =~ s/\s+/ /g;
        $paragraph =~ s/^ | $//g;
        next if $paragraph eq '';
        my $out = escape($paragraph);
        $out =~ s/(?<=[.?!]) (?=(?:\\fB)?[A-Z(])/\n/g;
        $out =~ s/\n([.'])/\n\\&$1/g;
        push @paragraphs, join('', map { wrap($_) } split /\n/, $out);
    }
    return join(".Pp\n", @paragraphs);
}

# The same paragraphs as plain text.
sub plain {
    my ($s) = @_;
    my @paragraphs;
    for my $paragraph (split /\n\s*\n/, $s) {
        my ($out, $line) = ('', '');
        for my $word (split ' ', $paragraph) {
            if ($line ne '' && length("$line $word") > 78) {
                $out .= "$line\n";
                $line = '';
            }
            $line .= $line eq '' ? $word : " $word";
        }
        push @paragraphs, "$out$line\n" if $line ne '';
    }
    return join("\n", @paragraphs);
}

# One sentence as lines of at most 78 bytes.
sub wrap {
    my ($sentence) = @_;
    my ($out, $line) = ('', '');
    for my $word (split / /, $sentence) {
        if ($line ne '' && length($line) + 1 + length($word) > 78) {
            $out .= "$line\n";
            $line = '';
        }
        $word = "\\&$word" if $line eq '' && $word =~ /^[.']/;
        $line .= $line eq '' ? $word : " $word";
    }
    return "$out$line\n";
}

1;
