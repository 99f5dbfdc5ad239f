#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes runtime/fn.h, the C prototypes of the kit functions that the library declares: prototypes.pl FILE...
# Generated C declares the functions that it calls by the same declarations, so a definition that differs does not compile.
use strict;
use warnings;

my %C = (long => 'kt_s64', string => 'const char *');
my %all; # name => [prototype, file, line]

# The prototypes of the function NAME with result TYPE and PARAMS, as a list of NAME:TYPE. HASHED: it has one that returns a hash too.
sub c_prototype {
    my ($where, $name, $type, $params, $hashed) = @_;
    my @c = ('struct kt_ctx *');
    push @c, 'char *', 'kt_u32' if $type eq 'string';
    for my $param (split /\s*,\s*/, $params) {
        my ($of) = $param =~ /:(long|string)\b/ or die "$where: the type of parameter '$param' of a kit function is missing\n";
        push @c, $C{$of};
    }
    my $list = '(' . join(', ', @c) . ');';
    return ($type eq 'long' ? 'kt_s64' : 'void') . " kt_fn_$name$list" . ($hashed ? "\nstruct kt_hashed kt_hashed_$name$list" : '');
}

for my $file (@ARGV) {
    open(my $in, '<', $file) or die "$file: $!\n";
    while (my $line = <$in>) {
        next unless $line =~ m{^(?:private )?function (\w+)(?::(\w+))?\s*\(([^)]*)\)[^%]*%\{ /\* kit(?: (\w+))? \*/(.*)};
        my ($name, $type, $params, $tags) = ($4 // $1, $2 // '', $3, $5);
        my $c = c_prototype("$file:$.", $name, $type, $params, $tags =~ m{/\* hashed \*/});
        my $other = $all{$name} //= [$c, $file, $.];
        die "$file:$.: kt_fn_$name is '$c' here, '$other->[0]' at $other->[1]:$other->[2]\n" if $other->[0] ne $c;
    }
}

print <<'END';
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library that the runtime implements; made by tapset/prototypes.pl. Context: a handler's. */
#ifndef KT_FN_H
#define KT_FN_H

#include "runtime/script.h"

END
print "$all{$_}[0]\n" for sort keys %all;
print "\n#endif\n";
