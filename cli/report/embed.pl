#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# embed.pl FILE...: prints C strings of the style sheet and of the programs of the report, each joined in the given order, and their
# hashes as a Content-Security-Policy names them.
use strict;
use warnings;
use Digest::SHA ();

sub slurp {
    my ($path) = @_;
    open(my $in, '<:raw', $path) or die "$path: $!\n";
    local $/;
    my $text = <$in>;
    die "$path: has '</' or '<!', which HTML would take for markup\n" if $text =~ /<[\/!]/;
    return $text;
}

sub quote {
    my ($text) = @_;
    return join("\n", map { '"' . (s/([\\"?])/\\$1/gr =~ s/\t/\\t/gr =~ s/\n/\\n/gr) . '"' } $text =~ /[^\n]*\n/g);
}

print "/* Made by embed.pl. */\n";
for my $kind ('css', 'js') {
    my $text = join('', map { slurp($_) } grep { /\.$kind$/ } @ARGV);
    my $hash = Digest::SHA::sha256_base64($text);
    $hash .= '=' while length($hash) % 4;
    print "static const char report_$kind\[] =\n", quote($text), ";\nstatic const char report_${kind}_hash[] = \"sha256-$hash\";\n";
}
