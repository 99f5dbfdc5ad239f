# SPDX-License-Identifier: GPL-2.0-or-later
# Tapset files as their documentation sees them: declarations, the doc comments before them, and what the two disagree on.
#
# Tapset::read_file(PATH) gives {title, about, entries, ...}; each disagreement is reported as FILE:LINE and raises $Tapset::failed.
# The form of a doc comment is described at the top of tapset/process/context.stp.
package Tapset;
use strict;
use warnings;

our $failed = 0;
my %HEADING = map { $_ => 1 } qw(Returns Context Errors Example);

sub complain {
    my ($path, $line, $message) = @_;
    print STDERR "$path:$line: $message\n";
    $failed = 1;
}

# A doc comment as {name, summary, params => [[name, text, line]], text, Returns, Context, ..., line}.
sub parse_doc {
    my ($path, $number, $comment) = @_;
    my %doc = (params => [], text => '', name => '', summary => '', line => $number);
    my $into;
    for my $line (split /\n/, $comment) {
        $line =~ s/^\s*\*? ?//;
        if ($doc{name} eq '') {
            $number++, next if $line !~ /\S/;
            complain($path, $number, "no 'NAME - summary': $line") unless $line =~ /^(\S+) - (.+)$/;
            ($doc{name}, $doc{summary}) = ($1, $2) if defined $2;
            $doc{name} = '?' if $doc{name} eq '';
            $into = \$doc{summary};
        } elsif ($line =~ /^\@(\w+): *(.*)$/) {
            push @{$doc{params}}, [$1, $2, $number];
            $into = \$doc{params}[-1][1];
        } elsif ($line =~ /^(\w+): *(.*)$/ && $HEADING{$1}) {
            complain($path, $number, "'$1:' stands twice") if defined $doc{$1};
            $doc{$1} = $2;
            $into = \$doc{$1};
        } elsif ($line =~ /^\s+\S/ && $into) {
            $line =~ s/^\s+//;
            $$into .= " $line";
        } else {
            complain($path, $number, "this line continues another: indent it") if $into && $line =~ /\S/;
            undef $into;
            $doc{text} .= "$line\n";
        }
        $number++;
    }
    check_texts($path, \%doc);
    return \%doc;
}

# What is said must be said in words, and free text must not be a heading or a parameter that is written wrongly.
sub check_texts {
    my ($path, $doc) = @_;
    for my $param (@{$doc->{params}}) {
        complain($path, $param->[2], "nothing is said of '$param->[0]'") if $param->[1] !~ /\w/;
    }
    for my $heading (sort keys %HEADING) {
        complain($path, $doc->{line}, "nothing stands after '$heading:' of $doc->{name}")
            if defined $doc->{$heading} && $doc->{$heading} !~ /\w/;
    }
    complain($path, $doc->{line}, "the summary of $doc->{name} ends in a full stop") if $doc->{summary} =~ /\.$/;
    complain($path, $doc->{line}, "the comment of $doc->{name} has an unknown heading '$1'")
        if $doc->{text} =~ /^(\@\w*|[A-Z][a-z]+:(?= |$))/m;
}

# Comments and strings blanked, so that braces and words in them do not count. Line structure and length are kept.
sub code_only {
    my ($s) = @_;
    $s =~ s{(/\*.*?\*/|%\{.*?%\})|("(?:\\.|[^"\\\n])*")|((?:\#|//)[^\n]*)}{
        defined $2 ? '"' . '~' x (length($2) - 2) . '"' : do { (my $b = $1 // $3) =~ s/[^\n]/ /g; $b }}gse;
    return $s;
}

sub line_of {
    my ($text, $at) = @_;
    return 1 + (substr($text, 0, $at) =~ tr/\n//);
}

# The end of the group in braces that begins at or after AT in CODE; also where it begins.
sub braces {
    my ($code, $at) = @_;
    pos($code) = $at;
    my ($depth, $from) = (0);
    while ($code =~ /([{}])/g) {
        if ($1 eq '{') {
            $from = pos($code) unless $depth++;
        } elsif (!--$depth) {
            return ($from, pos($code) - 1);
        }
    }
    return (length $code, length $code);
}

# ["name", "type" or ""] of each parameter in a declaration's parentheses.
sub parameters {
    return map { /^\s*(\w+)\s*(?::\s*(\w+))?\s*$/ ? [$1, defined $2 ? $2 : ''] : () } split /,/, $_[0];
}

# Names that a body sets, which is what an alias offers. Members and elements are none.
sub assigned {
    my ($code) = @_;
    my %set;
    $set{$1} = 1 while $code =~ /(?<![\w\$.>\]])([A-Za-z_]\w*)\s*(?:[-+*\/%&|^.]|<<|>>)?=(?![=~])/g;
    return sort keys %set;
}

# What stands in one file: {path, title, about, entries => [{kind, name, line, doc, ...}], globals}. Functions have type, params and
# body; macros params; aliases points, sets and, when a suffix of it is a separate entry, that too.
sub read_file {
    my ($path) = @_;
    open(my $in, '<', $path) or die "$path: $!\n";
    local $/;
    my $text = <$in>;
    my $code = code_only($text);
    my ($title, $about) = $text =~ /\A(?:# SPDX[^\n]*\n)?# (\S[^\n]*)((?:\n# [^\n]*)*)/;
    $about =~ s/\n# / /g if defined $about;
    my %file = (path => $path, title => $title, about => ($about // '') =~ s/^ //r, entries => [], globals => {});
    $file{globals}{$_} = 1 for map { /(\w+)/g } $code =~ /^(?:private\s+)?global\s+([^\n]*)/mg;

    my ($doc, $end) = (undef, 0);
    while ($text =~ m{^(?:(/\*\*\n.*?\*/)|(private\s+)?function\s|probe\s|\@define\s)}gms) {
        my ($comment, $private, $at) = ($1, $2, $-[0]);
        my $line = line_of($text, $at);
        if (defined $comment) {
            complain($path, $doc->{line}, "the comment of $doc->{name} stands before nothing") if $doc;
            $comment =~ s{^/\*\*\n|\*/$}{}g;
            $doc = parse_doc($path, $line + 1, $comment);
            next;
        }
        next if $at < $end;
        my $entry = declaration($text, $code, $at);
        $end = $entry->{end};
        $entry->{line} = $line;
        $entry->{doc} = $doc;
        undef $doc;
        push @{$file{entries}}, $entry if defined $entry->{name} && !defined $private;
    }
    return \%file;
}

# What begins at AT: a function, a macro, or a probe; one that is no alias has no name.
sub declaration {
    my ($text, $code, $at) = @_;
    pos($text) = $at;
    if ($text =~ m{\G(?:private\s+)?function\s+(\w+)\s*(?::\s*(\w+))?\s*\(([^)]*)\)\s*(?::\s*(\w+))?}gc) {
        my %f = (kind => 'function', name => $1, type => $2, params => [parameters($3)]);
        # The body of a function of the runtime is a comment: blank in CODE.
        my $embedded = substr($text, pos($text)) =~ /\A\s*%\{/;
        my ($from, $to) = $embedded ? (pos($text), pos($text)) : braces($code, pos($text));
        return { %f, body => substr($code, $from, $to - $from), end => $to };
    }
    if ($text =~ m{\G\@define\s+(\w+)\s*(?:\(([^)]*)\))?}gc) {
        my %m = (kind => 'macro', name => "\@$1", params => [parameters(defined $2 ? $2 : '')]);
        my $to = index($text, "\n%)", pos($text));
        return { %m, end => $to < 0 ? pos($text) : $to };
    }
    if ($text =~ m{\Gprobe\s+([\w.]+)\s*(\+?=)\s*}gc) {
        my %a = (kind => 'alias', name => $1, epilogue => $2 eq '+=');
        my $points_at = pos($text);
        my ($from, $to) = braces($code, $points_at);
        # Braces of a point that stands for several are closed before the body begins.
        while (substr($code, $to) =~ /\A\}\s*[.,]/) {
            ($from, $to) = braces($code, $to + 1);
        }
        (my $points = substr($text, $points_at, $from - 1 - $points_at)) =~ s/\s+/ /g;
        $points =~ s/ $//;
        my $body = substr($code, $from, $to - $from);
        if (substr($code, $to) =~ /\A\}\s*,\s*\{/) {
            my ($second, $end) = braces($code, $to + 1);
            $body .= substr($code, $second, $end - $second);
            $to = $end;
        }
        return { %a, points => $points, body => $body, sets => [assigned($body)], end => $to };
    }
    my ($from, $to) = braces($code, $at);
    return { end => $to };
}

sub public { return $_[0]{name} !~ /^\@?_/ }

# Checks all files of the library together: an alias may rest on one of another file.
sub check {
    my (@files) = @_;
    my %alias;
    for my $file (@files) {
        push @{$alias{$_->{name}}}, { %$_, file => $file } for grep { $_->{kind} eq 'alias' } @{$file->{entries}};
    }
    for my $file (@files) {
        my $path = $file->{path};
        check_title($file);
        my %seen;
        for my $entry (grep { public($_) } @{$file->{entries}}) {
            my $again = $seen{$entry->{name}}++;
            unless ($entry->{doc}) {
                complain($path, $entry->{line}, "$entry->{name} has no doc comment") unless $again;
                next;
            }
            (my $bare = $entry->{name}) =~ s/^\@//;
            complain($path, $entry->{doc}{line}, "the comment of $bare describes '$entry->{doc}{name}'")
                if $entry->{doc}{name} ne $bare;
            if ($entry->{kind} eq 'alias') {
                check_alias($path, $entry, \%alias, { map { %{$_->{globals}} } @files });
            } else {
                my @same = grep { $_->{name} eq $entry->{name} } @{$file->{entries}};
                check_parameters($path, $entry, @same);
                check_result($path, $entry, @same) if $entry->{kind} eq 'function';
            }
        }
    }
}

# The title is a heading, the lines after it are sentences.
sub check_title {
    my ($file) = @_;
    return complain($file->{path}, 1, 'the first line is not a comment with the title') unless defined $file->{title};
    complain($file->{path}, 1, "the title '$file->{title}' is a sentence or too long") if $file->{title} =~ /\.$/ || length $file->{title} > 40;
    complain($file->{path}, 1, 'no line after the title describes the file') if $file->{about} !~ /\w/;
}

sub check_parameters {
    my ($path, $entry, @same) = @_;
    my (@have, %known);
    for my $overload (@same) {
        push @have, grep { !$known{$_}++ } map { $_->[0] } @{$overload->{params}};
    }
    my %said = map { $_->[0] => 1 } @{$entry->{doc}{params}};
    for my $name (@have) {
        complain($path, $entry->{line}, "the comment of $entry->{name} does not describe '$name'") unless $said{$name};
    }
    for my $param (@{$entry->{doc}{params}}) {
        complain($path, $param->[2], "$entry->{name} has no parameter '$param->[0]'") unless $known{$param->[0]};
    }
    my @said = map { $_->[0] } @{$entry->{doc}{params}};
    complain($path, $entry->{line}, "the comment of $entry->{name} describes '@said', declared is '@have'")
        if @same == 1 && join(' ', sort @said) eq join(' ', sort @have) && "@said" ne "@have";
}

sub check_result {
    my ($path, $entry, @same) = @_;
    my $typed = grep { defined $_->{type} } @same;
    my $returns = grep { $_->{body} =~ /\breturn\s*[^\s;}]/ } @same;
    complain($path, $entry->{line}, "$entry->{name} returns a value of no declared type") if $returns && !$typed;
    complain($path, $entry->{line}, "the comment of $entry->{name} does not say what it returns")
        if $typed && !defined $entry->{doc}{Returns};
    complain($path, $entry->{line}, "the comment of $entry->{name} says what it returns, but it returns nothing")
        if !$typed && defined $entry->{doc}{Returns};
}

# The points of ENTRY as names, without arguments and marks.
sub point_names {
    my ($entry) = @_;
    (my $points = $entry->{points}) =~ s/"(?:\\.|[^"\\])*"/""/g;
    $points =~ s/\([^)]*\)//g;
    return $points =~ /([A-Za-z_][\w.]*)/g;
}

# Variables of the aliases that the points of ENTRY name; with PRIVATE_ONLY of those that have no text of their own.
sub inherited {
    my ($entry, $alias, $private_only, $depth) = @_;
    my %names;
    for my $point (point_names($entry)) {
        next if $private_only && $point !~ /^_/ || $depth > 8;
        for my $other (@{$alias->{$point} || []}) {
            $names{$_} = 1 for @{$other->{sets}}, inherited($other, $alias, $private_only, $depth + 1);
        }
    }
    return keys %names;
}

sub check_alias {
    my ($path, $entry, $alias, $globals) = @_;
    my @same = @{$alias->{$entry->{name}}};
    # What it has from public aliases is said there: the page names these.
    $entry->{collects} = [grep { !/^_/ && $alias->{$_} } point_names($entry)];
    my %own = map { $_ => 1 } map { @{$_->{sets}}, inherited($_, $alias, 1, 0) } @same;
    # A name with two underscores in front may be for the alias alone.
    my %need = map { $_ => 1 } grep { !/^__/ } keys %own;
    my %has = (%own, map { $_ => 1 } map { inherited($_, $alias, 0, 0) } @same);
    my %said = map { $_->[0] => 1 } @{$entry->{doc}{params}};
    for my $name (sort keys %need) {
        complain($path, $entry->{line}, "the comment of $entry->{name} does not describe its variable '$name'")
            unless $said{$name} || $globals->{$name};
    }
    for my $param (@{$entry->{doc}{params}}) {
        complain($path, $param->[2], "$entry->{name} sets no variable '$param->[0]'") unless $has{$param->[0]};
    }
    complain($path, $entry->{line}, "the comment of $entry->{name} does not say in whose context it runs")
        unless defined $entry->{doc}{Context};
}

1;
