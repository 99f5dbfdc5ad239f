# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the sessions of README.md and docs/: indented blocks of command lines and the output that they show.
#
# A block begins with a prompt. '$ ' is the reader's own shell; '# ' is root's, on the machine that is looked into. A command
# goes on while a quote is open or its line ends in '\'. A command of ktap in a sentence, between backticks, is a session without
# output. Comments in front of a block, each on a line:
#   <!-- exact -->        numbers are compared too
#   <!-- file NAME -->    no session: the block is the contents of NAME, which later commands use
#   <!-- not run: WHY --> the block is not run
package Docs;
use strict;
use warnings;

# PATHS => sessions: {file, line, prompt, command, shown => [lines], exact} or {file, line, name, text} or {..., skip => why}.
# What is wrong goes to the list FAULTS.
sub sessions {
    my ($faults, @paths) = @_;
    return map { blocks($faults, $_) } @paths;
}

sub blocks {
    my ($faults, $path) = @_;
    open(my $in, '<', $path) or die "$path: $!\n";
    my @lines = <$in>;
    chomp @lines;
    my (@found, %mark);
    my @sentences = map { /^    / ? '' : $_ } @lines;
    for (my $i = 0; $i < @lines; $i++) {
        push @$faults, "$path:" . ($i + 1) . ": a fenced block; indent it by four blanks" if $lines[$i] =~ /^\s*(```|~~~)/;
        push @$faults, "$path:" . ($i + 1) . ": a tab; indent a block by four blanks" if $lines[$i] =~ /^ {0,3}\t/;
        if ($lines[$i] =~ /^<!-- (exact|file|not run): ?(.*?) ?-->$/ || $lines[$i] =~ /^<!-- (exact)()-->$/
            || $lines[$i] =~ /^<!-- (exact|file) (.*?) ?-->$/) {
            $mark{$1} = $2;
        } elsif ($lines[$i] =~ /^    /) {
            my $first = $i;
            $i++ while $i + 1 < @lines && ($lines[$i + 1] =~ /^    / || ($lines[$i + 1] eq '' && ($lines[$i + 2] || '') =~ /^    /));
            my @block = map { s/^    //r } @lines[$first .. $i];
            push @found, block($faults, $path, $first + 1, {%mark}, @block);
            %mark = ();
        } elsif ($lines[$i] ne '') {
            %mark = ();
        }
    }
    return @found, inline($path, join("\n", @sentences));
}

# The commands of ktap in the sentences TEXT of PATH, except those with a placeholder in capitals and the ones that name a part of
# a command only.
sub inline {
    my ($path, $text) = @_;
    my @found;
    while ($text =~ /`(ktap[ \n][^`]*)`/g) {
        my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
        my $command = $1 =~ s/\n/ /r;
        next if $command =~ /\b[A-Z]{3,}\b/ || $command =~ /^ktap (?:--vm|plan|\S+\.stp)$/;
        push @found, { file => $path, line => $line, prompt => '$', command => $command, shown => [], exact => 0 };
    }
    return @found;
}

sub block {
    my ($faults, $path, $line, $mark, @block) = @_;
    my %here = (file => $path, line => $line);
    return { %here, skip => $mark->{'not run'} } if defined $mark->{'not run'};
    return { %here, name => $mark->{file}, text => join("\n", @block) . "\n" } if defined $mark->{file};
    unless ($block[0] =~ /^[\$#] /) {
        push @$faults, "$path:$line: the block begins with no prompt: '$block[0]'";
        return;
    }
    my @found;
    while (@block) {
        my ($prompt, $command) = shift(@block) =~ /^([\$#]) (.*)$/;
        my $next = qr/^\Q$prompt\E \S/; # the other prompt is a line of output
        my $at = $line++;
        while (@block && open_end($command)) {
            $command .= "\n" . shift @block;
            $line++;
        }
        my @shown;
        while (@block && $block[0] !~ $next) {
            push @shown, shift @block;
            $line++;
        }
        pop @shown while @shown && $shown[-1] eq '';
        push @found, { %here, line => $at, prompt => $prompt, command => $command, shown => \@shown, exact => defined $mark->{exact} };
    }
    return @found;
}

# Whether the shell would read another line.
sub open_end {
    my ($command) = @_;
    return 1 if $command =~ /\\$/;
    $command =~ s/\\.|'[^']*'|"(?:[^"\\]|\\.)*"//gs;
    return $command =~ /['"]/;
}

# A line as a pattern: numbers, the width of gaps, and the name of a library's directory may differ.
sub pattern {
    my ($line, $exact) = @_;
    return qr/^\Q$line\E$/ if $exact;
    my $text = quotemeta $line;
    $text =~ s/^(?:\\ )+//;
    $text =~ s/(?:\\ )+$//;
    $text =~ s{(?<=\\[ "])(?=\\/lib\\/)}{(?:\\/usr)?}g;
    $text =~ s/(?:\\\@)+/\@*/g;
    $text =~ s/0x[0-9a-f]+|(?:\\-)?\d+/(?:0x[0-9a-f]+|-?\\d+)/g;
    $text =~ s/(?:\\ )+/ */g;
    return qr/^\s*$text\s*$/;
}

# The first of the lines SHOWN that HAVE does not print, or undef. All of HAVE must be shown; '...' and '~' stand for any lines,
# and so does a row of a histogram, beside itself, unless EXACT.
sub missing {
    my ($exact, $shown, $have) = @_;
    my $at = 0;
    my $gap = 0;
    for my $line (@$shown) {
        if ($line =~ /^\s*(?:\.\.\.|~)$/ || (!$exact && $line =~ /^\s*\d+ \|/)) {
            $gap = 1;
            next;
        }
        my $wanted = pattern($line, $exact);
        my $from = $at;
        $at++ while $gap && $at < @$have && $have->[$at] !~ $wanted;
        return $line if $at >= @$have || $have->[$at] !~ $wanted;
        $at++;
        $gap = 0;
    }
    return $gap || $at >= @$have ? undef : "no more than this, but '$have->[$at]'";
}

sub host_name {
    open(my $in, '<', '/etc/hostname') or return 'vm';
    chomp(my $name = <$in> || '');
    return $name;
}

# What is wrong with the output of SESSION, {out, err, status}, or undef.
sub compare {
    my ($session, $result) = @_;
    # The pages show the name of the machine as "vm".
    my @shown = grep { $_ ne 'vm' } @{$session->{shown}};
    my $fails = grep { /error: / } @shown;
    return "ends with status $result->{status}" if ($result->{status} != 0) != ($fails != 0);
    return undef unless @shown;
    my @err = split /\n/, $result->{err};
    # Lines of stderr stand among those of stdout in any order.
    my (@said, @printed);
    for my $line (@shown) {
        my $wanted = pattern($line, $session->{exact});
        push @{(grep { $_ =~ $wanted } @err) ? \@said : \@printed}, $line;
    }
    my $place = 0;
    for my $line (@said) {
        my $wanted = pattern($line, $session->{exact});
        $place++ while $place < @err && $err[$place] !~ $wanted;
        return "stderr does not say in this order: $line" if $place++ >= @err;
    }
    my $bad = missing($session->{exact}, \@printed, [grep { $_ ne host_name() } split /\n/, $result->{out}]);
    return defined $bad ? "stdout does not print: $bad" : undef;
}

1;
