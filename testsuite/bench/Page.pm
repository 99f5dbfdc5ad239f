# SPDX-License-Identifier: GPL-2.0-or-later
# The page of testsuite/bench/report: one HTML document with its style sheet, tables, and plots as SVG. It needs no network and no
# program in the browser.
package Page;
use strict;
use warnings;
use List::Util ();
use POSIX ();

my ($WIDTH, $HEIGHT, $LEFT, $RIGHT, $BOTTOM, $TOP) = (580, 260, 84, 36, 34, 12);
my @COLOURS = map { "var(--c$_)" } 0 .. 5;
my @DASHES = ('', '6 3', '2 3', '8 3 2 3');

sub escaped { return $_[0] =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr =~ s/"/&quot;/gr }

# 1234567 -> "1,234,567"; 0.0523 -> "0.052"; undef -> "-"
sub figure {
    my ($n) = @_;
    return '-' unless defined $n;
    return sprintf('%.3g', $n) if $n != int($n) && abs($n) < 100;
    my $text = sprintf('%.0f', $n);
    1 while $text =~ s/^(-?\d+)(\d{3})/$1,$2/;
    return $text;
}

sub table {
    my ($heads, @rows) = @_;
    # Numbers stand on the right, below their heads; the first column and scripts on the left.
    my $cell = sub {
        my ($tag, $text, $column) = @_;
        return $column && $heads->[$column] ne 'script' ? "<$tag class=\"number\">$text</$tag>" : "<$tag>$text</$tag>";
    };
    return "<div class=\"scroll\"><table><thead><tr>" . join('', map { $cell->('th', escaped($heads->[$_]), $_) } 0 .. $#$heads) . "</tr></thead><tbody>\n"
        . join('', map { my $row = $_; '<tr>' . join('', map { $cell->('td', $row->[$_], $_) } 0 .. $#$row) . "</tr>\n" } @rows)
        . "</tbody></table></div>\n";
}

# The rows of hits, a bar for each tool, all to one scale.
sub bars {
    my ($rows) = @_;
    my @tools = grep { my $tool = $_; grep { defined $_->{$tool} } @$rows } 'ktap', 'bpf', 'bpftrace', 'systemtap';
    my $most = List::Util::max(map { my $row = $_; map { $row->{$_} // 0 } @tools } @$rows);
    my ($y, $text, $svg) = (4, 170, '');
    my ($width, $bar) = (1040, 13);
    for my $row (@$rows) {
        my $middle = $y + $bar * @tools / 2 + 4;
        $svg .= "<text class=\"label\" x=\"" . ($text - 8) . "\" y=\"$middle\" text-anchor=\"end\">" . escaped($row->{name}) . "</text>\n";
        for my $i (0 .. $#tools) {
            my $n = $row->{$tools[$i]};
            if (defined $n) {
                my $length = sprintf('%.1f', $n / $most * ($width - $text - 60));
                $svg .= "<rect x=\"$text\" y=\"$y\" width=\"$length\" height=\"" . ($bar - 2) . "\" fill=\"$COLOURS[$i]\"/>"
                    . "<text class=\"value\" x=\"" . ($text + $length + 5) . "\" y=\"" . ($y + $bar - 3) . "\">" . figure($n) . "</text>\n";
            }
            $y += $bar;
        }
        $y += 9;
    }
    my $key = join(' ', map { "<span style=\"color: $COLOURS[$_]\">&#9632;</span> $tools[$_]" } 0 .. $#tools);
    return "<p class=\"key\">$key</p>\n<svg viewBox=\"0 0 $width $y\" role=\"img\" aria-label=\"instructions a hit\">\n$svg</svg>\n";
}

# A round number at least as large as N.
sub above {
    my ($n) = @_;
    my $power = 10 ** int(log($n) / log(10) + 1e-9);
    my ($factor) = grep { $_ * $power >= $n } 1, 2, 5, 10;
    return $factor * $power;
}

# A plot of LINES, {name => [[x, y], ...]}: x by powers, y from 0, or by powers where LOG.
sub plot {
    my ($title, $log, %lines) = @_;
    my @points = map { @$_ } values %lines;
    my ($low, $high) = (List::Util::min(map { $_->[0] } @points), List::Util::max(map { $_->[0] } @points));
    my ($least, $most) = (0, above(List::Util::max(map { $_->[1] } @points) || 1));
    my @ticks = map { $most * $_ / 4 } 0 .. 4;
    if ($log) {
        my ($from, $to) = map { log($_->[1]) / log(10) } (sort { $a->[1] <=> $b->[1] } @points)[0, -1];
        @ticks = map { 10 ** $_ } POSIX::floor($from) .. POSIX::floor($to) + 1;
        ($least, $most) = @ticks[0, -1];
    }
    my $x = sub { $LEFT + ($WIDTH - $LEFT - $RIGHT) * ($high > $low ? log($_[0] / $low) / log($high / $low) : 0.5) };
    my $y = sub {
        my $part = $log ? log($_[0] / $least) / log($most / $least) : $_[0] / $most;
        return $TOP + ($HEIGHT - $TOP - $BOTTOM) * (1 - $part);
    };
    my $svg = '';
    for my $tick (@ticks) {
        $svg .= sprintf("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" "
            . "text-anchor=\"end\">%s</text>\n", $LEFT, $WIDTH - $RIGHT, $y->($tick), $y->($tick), $LEFT - 6, $y->($tick) + 4, figure($tick));
    }
    my %x = map { $_->[0] => 1 } @points;
    $svg .= sprintf("<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", $x->($_), $HEIGHT - 12, figure($_))
        for keys %x;
    my @key;
    for my $name (sort { ($b =~ /^ktap/) <=> ($a =~ /^ktap/) || $a cmp $b } keys %lines) {
        my ($colour, $dash) = ($COLOURS[@key % @COLOURS], $DASHES[@key % @DASHES]);
        my @line = sort { $a->[0] <=> $b->[0] } @{$lines{$name}};
        $svg .= "<polyline fill=\"none\" stroke=\"$colour\" stroke-width=\"2\" stroke-dasharray=\"$dash\" points=\""
            . join(' ', map { sprintf('%.1f,%.1f', $x->($_->[0]), $y->($_->[1])) } @line) . "\"/>\n"
            . join('', map { sprintf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", $x->($_->[0]), $y->($_->[1]), $colour) } @line);
        push @key, "<span style=\"color: $colour\">&#9632;</span> " . escaped($name);
    }
    return "<figure class=\"figure\"><h3>" . escaped($title) . "</h3><p class=\"key\">@key</p>\n"
        . "<svg viewBox=\"0 0 $WIDTH $HEIGHT\" role=\"img\" aria-label=\"" . escaped($title) . "\">\n$svg</svg></figure>\n";
}

# Series of {series, x, ktap, bpftrace} as lines of a plot.
sub tools {
    my ($rows) = @_;
    my %lines;
    for my $row (@$rows) {
        defined $row->{$_} and push @{$lines{"$_, $row->{series}"}}, [$row->{x}, $row->{$_}] for 'ktap', 'bpftrace';
    }
    return %lines;
}

sub series_table {
    my ($unit, $rows) = @_;
    return table(['', $unit, 'ktap', 'bpftrace'],
        map { [escaped($_->{series}), figure($_->{x}), figure($_->{ktap}), figure($_->{bpftrace})] } @$rows);
}

sub column {
    my ($rows, $key) = @_;
    return [map { [$_->{x}, $_->{$key}] } @$rows];
}

# Each section: title, what it measures, HTML.
sub sections {
    my ($f) = @_;
    return (
        ['Cost of a hit', 'Instructions that a probe adds to one call, on one processor. The clock of the VM counts them, so that '
            . 'the figures repeat. SystemTap\'s were measured with its 5.6 by the same method.',
            bars($f->{hits}) . table(['', 'call', 'ktap', 'bpf', 'bpftrace', 'SystemTap', 'script'], map {
                [$_->{name}, (map { figure($_) } @$_{'call', 'ktap', 'bpf', 'bpftrace', 'systemtap'}),
                    '<pre>' . escaped($_->{script} =~ s/^#.*\n//gmr) . '</pre>']
            } @{$f->{hits}})],
        ['Processors', 'Nanoseconds that a hit takes a processor when so many hit the same probe at once, in an emulated machine: what '
            . 'processors do to each other makes the line rise. The clock measures it, so other work on this machine shows. Of a time in '
            . 'which more processors took turns than this machine has, the share of one turn is shown.',
            plot('nanoseconds a hit, by processors', 0, tools($f->{processors})) . series_table('processors', $f->{processors})],
        ['Elements', 'Instructions a hit that finds its key, one of so many, in no order.',
            plot('instructions a hit, by elements', 0, tools($f->{elements})) . series_table('elements', $f->{elements})],
        ['Starts', 'CPU seconds of ktap -p4 for a script that is new, with the kit in the cache: the median of five.',
            table(['', 'CPU seconds', 'bytes of the module', 'of BPF programs', 'bytes'],
                map { [escaped($_->{name}), map { figure($_) } @$_{'seconds', 'bytes', 'bpf_seconds', 'bpf_bytes'}] } @{$f->{starts}})],
        ['Lines', 'A script of so many lines, four of them a pattern.',
            plot('CPU seconds of -p4, by lines', 1, 'ktap' => column($f->{lines}, 'seconds'))
                . table(['lines', 'CPU seconds', 'bytes'], map { [map { figure($_) } @$_{'x', 'seconds', 'bytes'}] } @{$f->{lines}})],
        ['Functions', 'Functions that are named one by one, and all of them by "*". The run is what '
            . 'the threads of ktaprun take from its start to its end, in millions of guest instructions: load and arming, but not '
            . 'disarming, which a thread of the kernel does.',
            plot('CPU seconds of -p4, by functions', 1, 'ktap' => column($f->{places}, 'seconds'))
                . plot('millions of instructions of a run, by functions', 1, 'ktap' => column($f->{places}, 'run'))
                . table(['functions', 'CPU seconds', 'bytes', 'run'],
                    map { [map { figure($_) } @$_{'x', 'seconds', 'bytes', 'run'}] } @{$f->{places}})],
        ['Records', 'What ktaprun takes to read, merge, format and write a record: guest instructions, and nanoseconds of this machine. '
            . 'The other columns say which part of a processor two million records a second need, and how many of four million were lost.',
            table(['', 'instructions', 'ns', 'processors', 'lost'],
                map { [escaped($_->{name}), map { figure($_) } @$_{'instructions', 'ns', 'processors', 'lost'}] } @{$f->{records}})],
    );
}

# The page of FIGURES with the style sheet CSS.
sub of {
    my ($f, $css) = @_;
    my @facts = (['kernel', $f->{kernel}], ['ktap', $f->{ktap}], ['beside it', $f->{bpftrace} // 'bpftrace is not installed'], ['date', $f->{date}]);
    my $page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        . "<meta name=\"viewport\" content=\"width=device-width\">\n<title>What ktap costs</title>\n<style>\n$css"
        . "svg { width: 100%; height: auto; }\nsvg text { fill: var(--text); font-size: 12px; }\nsvg .value, svg .tick { fill: var(--dim); font-size: 11px; }\n"
        . ".grid { stroke: var(--rule); }\n.figure { max-width: 640px; }\n.scroll { max-height: none; }\n"
        . "td:first-child { white-space: nowrap; }\ntd pre { padding: 0; background: none; border: 0; }\n"
        . "</style>\n</head>\n<body>\n<header><h1>What ktap costs</h1>\n<table class=\"facts\">"
        . join('', map { "<tr><th>$_->[0]</th><td>" . escaped($_->[1]) . "</td></tr>" } @facts) . "</table></header>\n<main>\n";
    $page .= "<section><h2>$_->[0]</h2><p>" . escaped($_->[1]) . "</p>\n$_->[2]</section>\n" for sections($f);
    return "$page</main>\n</body>\n</html>\n";
}

1;
