# SPDX-License-Identifier: GPL-2.0-or-later
# Random valid programs and what they print, by an evaluator that knows nothing of ktap: perl's own 64-bit integers.
#
#     perl random.pl SEED COUNT [whole]     writes a program with COUNT functions to stdout, the expected output to fd 3
#
# whole: the programs may divide by zero, also where nobody reads the quotient, and so need -u. Others never do.
# A program is a tree of [kind, ...]; text_*() writes it as a script, run_*() evaluates it. Loops count down a variable of
# their own, so every program ends. Long variables a..d (locals of each function), globals g h; strings s t.
use strict;
use warnings;

my ($seed, $count, $whole) = @ARGV;
srand($seed);
my @longs = qw(a b c d g h);
my @strings = qw(s t u);
my $loops = 0;

sub pick { return $_[int rand @_] }

# ---- making trees ----
my @edge = (0, 1, -1, 2, 3, 7, 10, 63, 64, 255, 4294967296, 9223372036854775807, -9223372036854775807);

sub make_long {
    my ($depth) = @_;
    return rand() < 0.5 ? ['var', pick(@longs)] : ['num', rand() < 0.5 ? pick(@edge) : int(rand(200)) - 100]
        if $depth <= 0;
    my $kind = int rand 14;
    return ['bin', pick(qw(+ - * & | ^ << >>)), make_long($depth - 1), make_long($depth - 1)] if $kind < 4;
    return ['div', pick(qw(/ %)), make_long($depth - 1), make_divisor($depth - 1)] if $kind < 5;
    return ['cmp', pick(qw(< > <= >= == !=)), make_long($depth - 1), make_long($depth - 1)] if $kind < 7;
    return ['scmp', pick(qw(< > <= >= == !=)), make_string($depth - 1), make_string($depth - 1)] if $kind < 8;
    return ['log', pick('&&', '||'), make_long($depth - 1), make_long($depth - 1)] if $kind < 9;
    return ['un', pick(qw(- ~ !)), make_long($depth - 1)] if $kind < 10;
    return ['cond', make_long($depth - 1), make_long($depth - 1), make_long($depth - 1)] if $kind < 11;
    return ['inc', pick(qw(pre post)), pick(qw(++ --)), pick(@longs)] if $kind < 12;
    return ['set', pick(qw(= += -= *=)), pick(@longs), make_long($depth - 1)] if $kind < 13;
    return ['len', make_string($depth - 1)];
}

sub make_divisor {
    my $value = make_long(@_);
    return $whole ? $value : ['bin', '|', $value, ['num', 1]];
}

sub make_string {
    my ($depth) = @_;
    return rand() < 0.6 ? ['svar', pick(@strings)] : ['str', pick('', 'x', 'ab', 'Zz', 'q')] if $depth <= 0;
    my $kind = int rand 6;
    return ['cat', make_string($depth - 1), make_string($depth - 1)] if $kind < 2;
    return ['scond', make_long($depth - 1), make_string($depth - 1), make_string($depth - 1)] if $kind < 3;
    return ['sset', pick('=', '.='), pick(@strings), make_string($depth - 1)] if $kind < 4;
    return ['sub', make_string($depth - 1), int rand 3, int rand 4] if $kind < 5;
    return ['dec', make_long($depth - 1)];
}

sub make_stmt {
    my ($depth) = @_;
    my $kind = int rand($depth > 0 ? 9 : 5);
    return ['do', make_long(3)] if $kind < 1;
    return ['let', pick(@longs), make_long(3)] if $kind < 2;
    return ['slet', pick(@strings), make_string(2)] if $kind < 3;
    return ['show', make_long(3), make_string(2), make_long(2)] if $kind < 5;
    return ['if', make_long(2), make_block($depth - 1), make_block($depth - 1)] if $kind < 7;
    return ['try', make_block($depth - 1), make_block($depth - 1)] if $kind < 8;
    return ['loop', 'n' . $loops++, 1 + int rand 4, make_long(2), make_block($depth - 1)];
}

sub make_block {
    my ($depth) = @_;
    return [map { make_stmt($depth) } 1 .. 1 + int rand 3];
}

# ---- as a script ----
sub text {
    my ($n) = @_;
    my ($kind, @x) = @$n;
    return $x[0] if $kind eq 'var' || $kind eq 'svar';
    return $x[0] < 0 ? "($x[0])" : $x[0] if $kind eq 'num';
    return "\"$x[0]\"" if $kind eq 'str';
    return '(' . text($x[1]) . " $x[0] " . text($x[2]) . ')' if $kind =~ /^(bin|div|cmp|scmp|log)$/;
    return "($x[0](" . text($x[1]) . '))' if $kind eq 'un';
    return '(' . text($x[0]) . ' ? ' . text($x[1]) . ' : ' . text($x[2]) . ')' if $kind =~ /^s?cond$/;
    return $x[0] eq 'pre' ? "($x[1]$x[2])" : "($x[2]$x[1])" if $kind eq 'inc';
    return "($x[1] $x[0] " . text($x[2]) . ')' if $kind =~ /^s?set$/;
    return 'strlen(' . text($x[0]) . ')' if $kind eq 'len';
    return '(' . text($x[0]) . ' . ' . text($x[1]) . ')' if $kind eq 'cat';
    return 'substr(' . text($x[0]) . ", $x[1], $x[2])" if $kind eq 'sub';
    return 'sprint(' . text($x[0]) . ')' if $kind eq 'dec';
    die $kind;
}

sub text_block { return join '', map { text_stmt($_, $_[1]) } @{ $_[0] } }

sub text_stmt {
    my ($n, $in) = @_;
    my ($kind, @x) = @$n;
    return "$in" . text($x[0]) . ";\n" if $kind eq 'do';
    return "$in$x[0] = " . text($x[1]) . ";\n" if $kind =~ /^s?let$/;
    return $in . 'printf("%d %s %d\n", ' . join(', ', map { text($_) } @x) . ");\n" if $kind eq 'show';
    return $in . 'if (' . text($x[0]) . ") {\n" . text_block($x[1], "$in\t") . "$in} else {\n" .
        text_block($x[2], "$in\t") . "$in}\n" if $kind eq 'if';
    return "${in}try {\n" . text_block($x[0], "$in\t") . "$in} catch (m) {\n${in}\tprintln(m)\n" .
        text_block($x[1], "$in\t") . "$in}\n" if $kind eq 'try';
    return "${in}$x[0] = $x[1];\n${in}while ($x[0]-- > 0 && (" . text($x[2]) . " || 1)) {\n" .
        text_block($x[3], "$in\t") . "$in}\n" if $kind eq 'loop';
    die $kind;
}

# ---- evaluating ----
my (%v, $out);

sub op {
    my ($op, $p, $q) = @_;
    use integer;
    return $p + $q if $op eq '+';
    return $p - $q if $op eq '-';
    return $p * $q if $op eq '*';
    return $p & $q if $op eq '&';
    return $p | $q if $op eq '|';
    return $p ^ $q if $op eq '^';
    return $p << ($q & 63) if $op eq '<<';
    return $p >> ($q & 63) if $op eq '>>';
    die "division by 0\n" if $q == 0;
    return $op eq '/' ? 0 - $p : 0 if $q == -1;
    return $op eq '/' ? $p / $q : $p % $q;
}

sub compare {
    my ($op, $c) = @_;
    return ($op eq '<' ? $c < 0 : $op eq '>' ? $c > 0 : $op eq '<=' ? $c <= 0 : $op eq '>=' ? $c >= 0 :
        $op eq '==' ? $c == 0 : $c != 0) ? 1 : 0;
}

sub cut { return substr($_[0], 0, 511) }

sub run {
    my ($n) = @_;
    my ($kind, @x) = @$n;
    return $v{$x[0]} if $kind eq 'var' || $kind eq 'svar';
    return $x[0] if $kind eq 'num' || $kind eq 'str';
    if ($kind eq 'bin' || $kind eq 'div') { my $p = run($x[1]); my $q = run($x[2]); return op($x[0], $p, $q) }
    if ($kind eq 'cmp') { my $p = run($x[1]); my $q = run($x[2]); use integer; return compare($x[0], $p <=> $q) }
    if ($kind eq 'scmp') { my $p = run($x[1]); my $q = run($x[2]); return compare($x[0], $p cmp $q) }
    if ($kind eq 'log') {
        my $p = run($x[1]) != 0;
        return ($x[0] eq '&&' ? $p && run($x[2]) != 0 : $p || run($x[2]) != 0) ? 1 : 0;
    }
    if ($kind eq 'un') {
        my $p = run($x[1]);
        use integer;
        return $x[0] eq '-' ? 0 - $p : $x[0] eq '~' ? ~$p : $p == 0 ? 1 : 0;
    }
    return run($x[0]) != 0 ? run($x[1]) : run($x[2]) if $kind =~ /^s?cond$/;
    if ($kind eq 'inc') {
        my $old = $v{$x[2]};
        use integer;
        $v{$x[2]} = $x[1] eq '++' ? $old + 1 : $old - 1;
        return $x[0] eq 'pre' ? $v{$x[2]} : $old;
    }
    if ($kind eq 'set') {
        my $q = run($x[2]);
        return $v{$x[1]} = $x[0] eq '=' ? $q : op(substr($x[0], 0, 1), $v{$x[1]}, $q);
    }
    if ($kind eq 'sset') {
        my $q = run($x[2]);
        return $v{$x[1]} = cut($x[0] eq '=' ? $q : $v{$x[1]} . $q);
    }
    return length run($x[0]) if $kind eq 'len';
    if ($kind eq 'cat') { my $p = run($x[0]); my $q = run($x[1]); return cut($p . $q) }
    if ($kind eq 'sub') { my $p = run($x[0]); return $x[1] >= length $p ? '' : substr($p, $x[1], $x[2]) }
    return '' . run($x[0]) if $kind eq 'dec';
    die $kind;
}

sub run_block { run_stmt($_) for @{ $_[0] } }

sub run_stmt {
    my ($n) = @_;
    my ($kind, @x) = @$n;
    if ($kind eq 'do') { run($x[0]) }
    elsif ($kind =~ /^s?let$/) { $v{$x[0]} = run($x[1]) }
    elsif ($kind eq 'show') { my @p = map { run($_) } @x; $out .= "$p[0] $p[1] $p[2]\n" }
    elsif ($kind eq 'if') { run_block(run($x[0]) != 0 ? $x[1] : $x[2]) }
    elsif ($kind eq 'try') {
        next_try($x[0], $x[1]);
    } elsif ($kind eq 'loop') {
        $v{$x[0]} = $x[1];
        while ($v{$x[0]}-- > 0 && (run($x[2]) || 1)) { run_block($x[3]) }
    }
}

sub next_try {
    my ($body, $handler) = @_;
    return if eval { run_block($body); 1 };
    die $@ unless $@ eq "division by 0\n";
    $out .= $@;
    run_block($handler);
}

# ---- the program ----
my @functions = map { make_block(3) } 1 .. $count;
my $script = "global g = 5, h = -3\n";
for my $i (0 .. $#functions) {
    $script .= "function f$i(a, b) {\n\tc = 3; d = 4; s = \"s\"; t = \"tt\"; u = \"\"\n" .
        text_block($functions[$i], "\t") . "\treturn a + b + c + d\n}\n";
}
$script .= "probe begin {\n";
$script .= "\ttry { println(f$_(" . ($_ * 3 - 4) . ", $_)) } catch (m) { println(m) }\n" for 0 .. $#functions;
print $script, "\texit()\n}\n";
%v = (g => 5, h => -3);
for my $i (0 .. $#functions) {
    %v = (g => $v{g}, h => $v{h}, a => $i * 3 - 4, b => $i, c => 3, d => 4, s => 's', t => 'tt', u => '');
    if (eval { run_block($functions[$i]); 1 }) {
        use integer;
        $out .= $v{a} + $v{b} + $v{c} + $v{d};
        $out .= "\n";
    } else {
        die $@ unless $@ eq "division by 0\n";
        $out .= $@;
    }
}
open my $expected, '>&=', 3 or die "no fd 3: $!";
print {$expected} $out;
