# SPDX-License-Identifier: GPL-2.0-or-later
# Compares a run with what its test expects: check(TEST, RESULT) returns the differences as texts, none when it passed.
#
# A diagnostic is a line of stderr that ends in its tag:
#	FILE:LINE:COL: error: MESSAGE [tag]        ktap: error: MESSAGE [tag]
# Those of the test's own file count with their line, all others as "anywhere".
package Compare;
use strict;
use warnings;

my $DIAG = qr/^(?:(.+?):(\d+):(\d+): |ktap: )(error|warning): (.*) \[([a-z0-9-]+)\]$/;

# The diagnostics in STDERR: [{kind, line or undef, tag, text}].
sub diagnostics {
    my ($stderr, $file) = @_;
    my @found;
    for my $line (split /\n/, $stderr) {
        next unless $line =~ $DIAG;
        my ($where, $number, $kind, $tag) = ($1, $2, $4, $6);
        undef $number if !defined $where || $where ne $file;
        push @found, { kind => $kind, line => $number, tag => $tag, text => $line };
    }
    return @found;
}

sub place {
    my ($d) = @_;
    return defined $d->{line} ? "at line $d->{line}" : 'without a place in the file';
}

# Pairs found and expected diagnostics one to one.
sub compare_diagnostics {
    my ($test, $stderr) = @_;
    my @problems;
    my @found = diagnostics($stderr, $test->{file});
    for my $want (@{$test->{diags}}) {
        my ($hit) = grep {
            my $f = $found[$_];
            $f->{kind} eq $want->{kind} && $f->{tag} eq $want->{tag}
                && (defined $want->{line} ? $want->{line} : -1)
                == (defined $f->{line} ? $f->{line} : -1)
        } 0 .. $#found;
        if (defined $hit) {
            splice(@found, $hit, 1);
        } else {
            push @problems, "expected $want->{kind} [$want->{tag}] " . place($want) . ", not printed";
        }
    }
    push @problems, "not expected: $_->{text}" for @found;
    return @problems;
}

# Lines of both texts; common head and tail are cut to what surrounds the difference.
sub diff {
    my ($want, $got) = @_;
    my @w = @$want;
    my @g = @$got;
    my ($head, $tail) = (0, 0);
    $head++ while $head < @w && $head < @g && $w[$head] eq $g[$head];
    $tail++ while $tail < @w - $head && $tail < @g - $head && $w[-1 - $tail] eq $g[-1 - $tail];
    my @lines = sprintf('@@ line %d @@', $head + 1);
    push @lines, map { "  $w[$_]" } ($head > 2 ? $head - 2 : 0) .. $head - 1;
    push @lines, limit('-', @w[$head .. $#w - $tail]), limit('+', @g[$head .. $#g - $tail]);
    my $end = @w - $tail + 1;
    push @lines, map { "  $w[$_]" } @w - $tail .. ($end < $#w ? $end : $#w);
    return @lines;
}

sub limit {
    my ($mark, @lines) = @_;
    my $more = @lines - 20;
    @lines = @lines[0 .. 19] if $more > 0;
    return ((map { "$mark $_" } @lines), $more > 0 ? "$mark ... $more lines more" : ());
}

sub split_lines {
    my ($text) = @_;
    return () if $text eq '';
    my @lines = split(/\n/, $text, -1);
    if ($lines[-1] eq '') {
        pop @lines;
    } else {
        $lines[-1] .= '<no newline>';
    }
    return @lines;
}

sub compare_stdout {
    my ($test, $out) = @_;
    my @problems;
    my @lines = split_lines($out);
    if ($test->{stdout}) {
        my @want = @{$test->{stdout}};
        push @problems, "stdout differs (- expected, + printed):", diff(\@want, \@lines)
            if join("\n", @want) ne join("\n", @lines);
    }
    for my $re (@{$test->{match} || []}) {
        push @problems, "no line of stdout matches: $re", limit('+', @lines)
            unless grep { $_ =~ $re } @lines;
    }
    for my $re (@{$test->{no_match} || []}) {
        push @problems, map { "a line of stdout matches $re: $_" } grep { $_ =~ $re } @lines;
    }
    return @problems;
}

sub check {
    my ($test, $result) = @_;
    my @problems;
    my @err = split(/\n/, $result->{err});
    my $exit = $test->{exit};
    $exit = (grep { $_->{kind} eq 'error' } @{$test->{diags}}) ? 1 : 0 unless defined $exit;
    push @problems, "took more than $result->{limit} s" if $result->{timeout};
    push @problems, "exit status $result->{status}, expected $exit"
        if !$result->{timeout} && $result->{status} != $exit;
    push @problems, compare_diagnostics($test, $result->{err});
    push @problems, compare_stdout($test, $result->{out});
    for my $re (@{$test->{stderr_match} || []}) {
        push @problems, "no line of stderr matches: $re" unless grep { $_ =~ $re } @err;
    }
    for my $re (@{$test->{no_stderr_match} || []}) {
        push @problems, map { "a line of stderr matches $re: $_" } grep { $_ =~ $re } @err;
    }
    push @problems, 'stderr:', limit('|', @err) if @problems && @err;
    return @problems;
}

1;
