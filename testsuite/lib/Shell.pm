# SPDX-License-Identifier: GPL-2.0-or-later
# Finds the commands in the text of a shell script: what the shell would run, without running it.
#
# commands(TEXT) returns [{line, word, name}...] for each simple command: WORD as it is written, NAME the word without quotes,
# or undef where the shell computes it. Commands in $(), in backquotes and behind `command -v`, exec, env and the like are
# found too, and the ones in strings that a shell is given: `sh -c '...'`, `in_guest '...'`.
# functions(TEXT) returns the names of the functions that the text defines.
package Shell;
use strict;
use warnings;

# Words after which a command follows.
my %LEADS = map { $_ => 1 } qw(if then elif else do while until ! { time);
# Commands that run their arguments => the options that take a word, and the words before the command.
my %RUNS = (
    'exec' => ['', 0], 'sudo' => ['-u', 0], 'env' => ['-u -C', 0], 'nice' => ['-n', 0], 'timeout' => ['-s -k', 1],
    'xargs' => ['-n -P -I', 0], 'command' => ['', 0], 'unshare' => ['', 0], 'setpriv' => ['--reuid --regid --groups', 0], 'nohup' => ['', 0],
    'busybox' => undef,
);
# Commands => the options whose word is a shell script; '' stands for the first word.
my %SHELLS = ('sh' => '-c', 'bash' => '-c', 'ktap' => '-c', '$KTAP' => '-c', 'session' => '-c', 'in_vm' => '-c',
    'in_guest' => '', 'like_here' => '-2', 'eval' => '', 'trap' => '');

sub functions {
    my ($text) = @_;
    return $text =~ /(?<![\w\$>.-])(\w+)[ \t]*\(\)[ \t]*[\n{(!]/g;
}

sub commands {
    my ($text, $line) = @_;
    my $s = { text => $text, line => $line || 1, found => [], here => [] };
    pos($s->{text}) = 0;
    list($s, '');
    return @{$s->{found}};
}

# Skips white space, comments and, at the end of a line, the bodies of here-documents. True: a line ended.
sub blanks {
    my ($s) = @_;
    my $ended = 0;
    while (1) {
        if ($s->{text} =~ /\G(?:[ \t]|\\\n)+/gc) {
            $s->{line} += ($& =~ tr/\n//);
        } elsif ($s->{text} =~ /\G#[^\n]*/gc) {
        } elsif ($s->{text} =~ /\G\n/gc) {
            $s->{line}++;
            $ended = 1;
            while (my $word = shift @{$s->{here}}) {
                $s->{text} =~ /\G(.*?^\t*\Q$word\E\n|.*)/gcsm;
                $s->{line} += ($1 =~ tr/\n//);
            }
        } else {
            return $ended;
        }
    }
}

# One word. Returns (raw, name): NAME is undef when part of it is computed. Commands in substitutions are found on the way.
sub word {
    my ($s, $end) = @_;
    my ($raw, $name) = ('', '');
    while (1) {
        my ($piece, $plain);
        if ($s->{text} =~ /\G'([^']*)'/gc) {
            ($piece, $plain) = ($1, $1);
        } elsif ($s->{text} =~ /\G"/gc) {
            ($piece, $plain) = quoted($s);
        } elsif ($s->{text} =~ /\G(?=[\$`])/gc) {
            ($piece, $plain) = expansion($s);
        } elsif ($s->{text} =~ /\G\\(.)/gcs) {
            ($piece, $plain) = ($1, $1);
        } elsif ($s->{text} =~ /\G[^\s;|&()<>'"\$`\\]+/gc) {
            ($piece, $plain) = ($&, $&);
        } else {
            last;
        }
        $s->{line} += ($piece =~ tr/\n//) unless $s->{counted};
        $s->{counted} = 0;
        $raw .= $piece;
        $name = defined $name && defined $plain ? $name . $plain : undef;
    }
    return ($raw, $name);
}

# The rest of a string in double quotes.
sub quoted {
    my ($s) = @_;
    my ($raw, $computed) = ('', 0);
    until ($s->{text} =~ /\G"/gc) {
        if ($s->{text} =~ /\G(?=[\$`])/gc) {
            my ($piece, $plain) = expansion($s);
            $raw .= $piece;
            $computed ||= !defined $plain;
        } elsif ($s->{text} =~ /\G\\([\$`"\\])/gc) {
            $raw .= $1;
        } elsif ($s->{text} =~ /\G./gcs) {
            $raw .= $&;
        } else {
            last;
        }
    }
    return ($raw, $computed ? undef : $raw);
}

# What begins with $ or a backquote. Returns its raw text, and the text when it is known.
sub expansion {
    my ($s) = @_;
    if ($s->{text} =~ /\G\$\(\(/gc) {
        $s->{text} =~ /\G.*?\)\)/gcs;
        return ('$((' . $&, undef);
    }
    if ($s->{text} =~ /\G\$\(/gc) {
        my $from = pos($s->{text});
        my $line = $s->{line};
        my $here = $s->{here};
        $s->{here} = [];
        list($s, ')');
        $s->{here} = $here;
        $s->{text} =~ /\G\)/gc;
        $s->{line} = $line;
        return (substr($s->{text}, $from - 2, pos($s->{text}) - $from + 2), undef);
    }
    if ($s->{text} =~ /\G`((?:[^`\\]|\\.)*)`/gcs) {
        my $inner = $1;
        push @{$s->{found}}, commands($inner, $s->{line});
        return ("`$inner`", undef);
    }
    # A default is what is run when the variable is not set.
    return ("\${$1}", $2) if $s->{text} =~ /\G\$\{(\w+:?-([\w.\/+-]+))\}/gc;
    return ($&, undef) if $s->{text} =~ /\G\$\{(?:[^{}]|\{[^{}]*\})*\}/gcs || $s->{text} =~ /\G\$(?:\w+|[^\w\s"'])/gc;
    $s->{text} =~ /\G\$?/gc;
    return ('$', '$');
}

# Commands up to END, which is '' or ')'.
sub list {
    my ($s, $end) = @_;
    my $start = 1;
    my @words;
    while (1) {
        if (blanks($s)) {
            simple($s, splice(@words));
        }
        last if pos($s->{text}) >= length($s->{text});
        if ($s->{text} =~ /\G\)/gc) {
            if ($end eq ')') {
                pos($s->{text}) = pos($s->{text}) - 1;
                last;
            }
            simple($s, splice(@words));
        } elsif ($s->{text} =~ /\G(?:;;|\|\||&&|[;|&(])/gc) {
            simple($s, splice(@words));
            case_pattern($s) if $& eq ';;';
        } elsif ($s->{text} =~ /\G\d*<<(-?)[ \t]*/gc) {
            my ($raw) = word($s);
            push @{$s->{here}}, $raw;
        } elsif ($s->{text} =~ /\G(?:\d*(?:>>|>&|<&|<>|>\||[<>]))[ \t]*/gc) {
            word($s);
        } else {
            my $line = $s->{line};
            my ($raw, $name) = word($s);
            push @words, { line => $line, word => $raw, name => $name };
            if (@words == 3 && $words[0]{word} eq 'case' && $raw eq 'in') {
                @words = ();
                case_pattern($s);
            }
            @words = () if @words == 1 && defined $name && $LEADS{$name};
            pos($s->{text}) = pos($s->{text}) + 1 if $raw eq '' && !defined $name;
        }
    }
    simple($s, @words);
}

sub case_pattern {
    my ($s) = @_;
    blanks($s);
    return if $s->{text} =~ /\G(?=esac\b)/gc;
    $s->{text} =~ /\G\(?[^)\n]*\)/gc;
}

# A simple command: the words of it.
sub simple {
    my ($s, @words) = @_;
    my $assigns = qr/\A\w+=/;
    shift @words while @words && $words[0]{word} =~ $assigns;
    return unless @words;
    my $first = $words[0];
    return if $first->{word} =~ /\A(?:for|case|esac|fi|done|\}|in|function)\z/;
    push @{$s->{found}}, $first;
    my $name = defined $first->{name} ? $first->{name} : $first->{word};
    given_to_shell($s, $name, @words);
    return unless exists $RUNS{$name} && defined $RUNS{$name};
    my ($with_word, $skip) = @{$RUNS{$name}};
    shift @words;
    while (@words && ($words[0]{word} =~ /\A-/ || $words[0]{word} =~ $assigns)) {
        my $option = shift(@words)->{word};
        shift @words if grep { $_ eq $option } split / /, $with_word;
    }
    splice(@words, 0, $skip);
    simple($s, @words);
}

# The words that a shell reads as commands.
sub given_to_shell {
    my ($s, $name, @words) = @_;
    my $option = $SHELLS{$name};
    return unless defined $option;
    for my $i (1 .. $#words) {
        my $is = $option eq '' ? $i == 1 : $option eq '-2' ? $i == 2 : $words[$i - 1]{word} =~ /\A-\w*c\z/;
        push @{$s->{found}}, commands($words[$i]{word}, $words[$i]{line}) if $is;
    }
}

1;
