# SPDX-License-Identifier: GPL-2.0-or-later
# Random valid programs of the script language. A program is a few globals, functions, and one begin probe; its names
# end in its number, so that hundreds of them make one script. One statement a line, so that a program can be cut down.
#
# Bounded: loops count to three with counters that nothing else writes, functions call earlier ones only, or themselves
# with a smaller first parameter. Arrays that a foreach goes through are not modified in it, nor by what it calls.
package Generate;
use strict;
use warnings;

# Arrays: key types, value type.
my %ARRAYS = (
    a => { keys => 'l', value => 'l' },
    b => { keys => 's', value => 'l' },
    c => { keys => 'ls', value => 's' },
    d => { keys => 'sll', value => 'l' },
    e => { keys => 'l', value => 'x' },
    f => { keys => 'ss', value => 'x' },
);
my @NUMBERS = (0, 0, 1, 1, 2, 3, 5, 7, 8, 10, 63, 64, 65, 100, 255, 256, 1000, 65535, 4294967295, 4294967296,
    '9223372036854775807', '0x8000000000000000', '0xffffffffffffffff', '-1', '-2', '-7', '-64', '0x7f', '0777');
my @STRINGS = ('', '', 'a', 'b', 'ab', 'abc', 'B', '0', '12', '-5', '0x1f', '077', 'zz', 'key', ' x', '%d', 'a\n',
    '\\\\', '\"', '\303\251', 'long enough to be cut when there are several of it, ');
my @LONG_OPS = qw(+ - * & | ^ << >> >>> / % + - * == != < > <= >= && ||);
my @ASSIGN_OPS = qw(= += -= *= /= %= <<= >>= >>>= &= |= ^= = += -=);

sub pick { return $_[int rand @_] }
sub chance { return rand() < $_[0] }

# What a handler at a hit cannot do as a BPF program is left out where HOT is set: it is the point of the probe, and another one prints the globals
# at the end, a line each, in no order.
# Program number N, from SEED: text. Names of arrays are per program: g7_a.
sub program {
    my ($n, $seed, $hot) = @_;
    srand($seed);
    my $p = { n => $n, funcs => [], lines => [], touches => {}, hot => $hot };
    push @{$p->{lines}}, "global g${n}_i = 5, g${n}_j = 0, g${n}_k = -3, g${n}_s = \"start\", g${n}_t, g${n}_x, g${n}_y, "
        . join(', ', map { "g${n}_$_" } sort keys %ARRAYS);
    function($p, $_) for 0 .. int(rand 4);
    handler($p);
    return join("\n", @{$p->{lines}}) . "\n";
}

# ---- what code is being written: locals that may be assigned (l, s), others (ro), nesting ----
sub scope {
    my ($p, %more) = @_;
    return { p => $p, l => [qw(i j)], s => [qw(s t)], rol => [], ros => [], depth => 0, loops => 0, frozen => {},
        indent => 1, mods => {}, %more };
}

sub line {
    my ($c, $text) = @_;
    $text .= ";" if $text !~ /[{};]$/; # else `x` and `++y` on the next line would be `x++ y`
    push @{$c->{p}{lines}}, "\t" x $c->{indent} . $text;
}

sub name { my ($c, $what) = @_; return "g$c->{p}{n}_$what" }

sub function {
    my ($p, $i) = @_;
    my $type = pick('l', 's');
    my @params = map { pick('l', 's') } 1 .. int(rand 3);
    my $recursive = chance(0.3) && !$p->{hot};
    unshift @params, 'l' if $recursive;
    my @names = map { ($params[$_] eq 'l' ? 'p' : 'q') . $_ } 0 .. $#params;
    my $f = { name => "f$p->{n}_$i", type => $type, params => \@params, recursive => $recursive, mods => {} };
    my $overloads = !$recursive && chance(0.3) ? 2 : 1;
    for my $k (1 .. $overloads) {
        my $c = scope($p, function => $f);
        my $typed = join ', ', map { "$names[$_]:" . ($params[$_] eq 'l' ? 'long' : 'string') } 0 .. $#params;
        push @{$p->{lines}}, "function $f->{name}:" . ($type eq 'l' ? 'long' : 'string') . " ($typed) {";
        for my $at (0 .. $#params) {
            if ($recursive && $at == 0) {
                push @{$c->{rol}}, $names[0];
            } else {
                push @{$c->{$params[$at]}}, $names[$at];
            }
        }
        line($c, "i = 1; j = 2; s = \"f\"; t = \"\"");
        $c->{self} = $f if $recursive;
        line($c, "if (p0 <= 0) return " . expr($c, $type, 1)) if $recursive;
        line($c, "if (" . long($c, 2) . ") next") if $k < $overloads || chance(0.05);
        statements($c, 1 + int(rand 3));
        line($c, "return " . expr($c, $type, 3)) if chance(0.9);
        push @{$p->{lines}}, '}';
        %{$f->{mods}} = (%{$f->{mods}}, %{$c->{mods}});
    }
    push @{$p->{funcs}}, $f;
}

sub handler {
    my ($p) = @_;
    my $c = scope($p);
    my $n = $p->{n};
    push @{$p->{lines}}, 'probe ' . ($p->{hot} // 'begin') . ' {';
    line($c, "i = 4; j = -1; s = \"s\"; t = \"tee\"; printf(\"program $n\\n\")");
    line($c, "g${n}_a[1] = 10; g${n}_a[-3] = 10; g${n}_b[\"k\"] = 1; g${n}_c[1, \"a\"] = \"v\"; g${n}_d[\"a\", 0, 1] = 2");
    line($c, "g${n}_e[2] <<< 3; g${n}_f[\"a\", \"b\"] <<< -8; g${n}_x <<< 1; if (j == 0) g${n}_y <<< 1; g${n}_t = \"t\"");
    line($c, 'try {');
    $c->{indent}++;
    statements($c, 3 + int(rand 6));
    $c->{indent}--;
    line($c, '} catch (m) { println("caught ", m) }');
    line($c, "try { println(\"\", i, \" \", j, \" \", s, \" \", t, \" \", g${n}_i, \" \", g${n}_j, \" \", g${n}_k, \" \", g${n}_s, \" \", g${n}_t) }"
        . " catch { println(\"no values\") }");
    return hot_end($p, $c) if $p->{hot};
    line($c, "foreach ([z1] in g${n}_a) printf(\"%d=%d \", z1, g${n}_a[z1]); foreach (z2+ in g${n}_b) printf(\"%s=%d \", z2, g${n}_b[z2])");
    line($c, "foreach (v = [z1, z2] in g${n}_c) printf(\"%d,%s=%s \", z1, z2, v); foreach (z6- = [z2, z3, z4] in g${n}_d) printf(\"%s,%d,%d=%d \", z2, z3, z4, z6)");
    line($c, "foreach ([z1] in g${n}_e) printf(\"%d:%d/%d \", z1, \@count(g${n}_e[z1]), \@sum(g${n}_e[z1])); foreach ([z2, z5] in g${n}_f \@sum -) printf(\"%s%s:%d \", z2, z5, \@sum(g${n}_f[z2, z5]))");
    line($c, "println(\@count(g${n}_x), \" \", \@sum(g${n}_x), \" \", \@count(g${n}_y))");
    push @{$p->{lines}}, '}';
}

# The globals, which a cold handler prints.
sub hot_end {
    my ($p, $c) = @_;
    my $n = $p->{n};
    push @{$p->{lines}}, '}', 'probe end {';
    line($c, "printf(\"end $n\\n\"); println(\"\", g${n}_i, \" \", g${n}_j, \" \", g${n}_k, \" \", g${n}_s, \" \", g${n}_t)");
    line($c, "foreach ([y1_1] in g${n}_a) println(\"a \", y1_1, \"=\", g${n}_a[y1_1])");
    line($c, "foreach ([y2_1] in g${n}_b) println(\"b \", y2_1, \"=\", g${n}_b[y2_1])");
    line($c, "foreach ([y3_1, y3_2] in g${n}_c) println(\"c \", y3_1, \",\", y3_2, \"=\", g${n}_c[y3_1, y3_2])");
    line($c, "foreach ([y4_1, y4_2, y4_3] in g${n}_d) println(\"d \", y4_1, \",\", y4_2, \",\", y4_3, \"=\", g${n}_d[y4_1, y4_2, y4_3])");
    line($c, "foreach ([y5_1] in g${n}_e) println(\"e \", y5_1, \"=\", \@count(g${n}_e[y5_1]), \" \", \@sum(g${n}_e[y5_1]), \" \", \@min(g${n}_e[y5_1]), \" \", \@max(g${n}_e[y5_1]))");
    line($c, "foreach ([y6_1, y6_2] in g${n}_f) println(\"f \", y6_1, \",\", y6_2, \"=\", \@count(g${n}_f[y6_1, y6_2]), \" \", \@sum(g${n}_f[y6_1, y6_2]))");
    line($c, "println(\"x \", \@count(g${n}_x), \" \", \@sum(g${n}_x), \" \", \@count(g${n}_y))");
    push @{$p->{lines}}, '}';
}

# ---- expressions ----
sub expr {
    my ($c, $type, $d) = @_;
    return $type eq 'l' ? long($c, $d) : str($c, $d);
}

sub number {
    my $n = chance(0.7) ? pick(@NUMBERS) : int(rand 200) - 100;
    return $n =~ /^-/ ? "($n)" : $n;
}

sub keys_of {
    my ($c, $array, $d) = @_;
    return join ', ', map { $_ eq 'l' ? small($c, $d) : chance(0.6) ? pick('"a"', '"b"', '"k"') : str($c, $d) }
        split //, $ARRAYS{$array}{keys};
}

# A long that is often the same, so that keys meet.
sub small {
    my ($c, $d) = @_;
    return chance(0.6) || $d <= 0 ? pick(0, 1, 2, '(-3)') : '(' . long($c, $d - 1) . ') % 4';
}

sub arrays { my ($type) = @_; return grep { $ARRAYS{$_}{value} eq $type } sort keys %ARRAYS }

# An lvalue of TYPE that may be written here; notes which array it modifies.
sub lvalue {
    my ($c, $type, $d) = @_;
    if (chance(0.35)) {
        my @free = grep { !$c->{frozen}{$_} } arrays($type);
        if (@free) {
            my $array = pick(@free);
            $c->{mods}{$array} = 1;
            return name($c, $array) . '[' . keys_of($c, $array, $d) . ']';
        }
    }
    return chance(0.4) ? name($c, $type eq 'l' ? pick(qw(i j k)) : pick(qw(s t))) : pick(@{$c->{$type}});
}

sub call_of {
    my ($c, $type, $d) = @_;
    my @may = grep { $_->{type} eq $type && !grep { $c->{frozen}{$_} } keys %{$_->{mods}} } @{$c->{p}{funcs}};
    if ($c->{self} && $c->{self}{type} eq $type && !$c->{loops} && !%{$c->{frozen}}) {
        my ($first, @rest) = @{$c->{self}{params}};
        return "$c->{self}{name}(" . join(', ', 'p0 - 1', map { expr($c, $_, $d - 1) } @rest) . ')' if chance(0.5);
    }
    return undef unless @may;
    my $f = pick(@may);
    my @args = map { expr($c, $_, $d - 1) } @{$f->{params}};
    $args[0] = pick(0, 1, 2, 3) if $f->{recursive};
    %{$c->{mods}} = (%{$c->{mods}}, %{$f->{mods}});
    return "$f->{name}(" . join(', ', @args) . ')';
}

sub long_leaf {
    my ($c) = @_;
    my $kind = rand;
    return number() if $kind < 0.35;
    return pick(@{$c->{l}}, @{$c->{rol}}) if $kind < 0.75;
    return name($c, pick(qw(i j k))) if $kind < 0.9;
    my $array = pick(arrays('l'));
    return name($c, $array) . '[' . keys_of($c, $array, 0) . ']';
}

sub stat_of {
    my ($c, $d) = @_;
    my $op = pick(qw(count sum min max avg count sum));
    return '@variance(' . name($c, pick('x', 'y')) . ')' if chance(0.1);
    return "\@$op(" . name($c, pick('x', 'x', 'y')) . ')' if chance(0.4);
    my $array = pick('e', 'f');
    return "\@$op(" . name($c, $array) . '[' . keys_of($c, $array, $d - 1) . '])';
}

sub in_array {
    my ($c, $d) = @_;
    my $array = pick(sort keys %ARRAYS);
    my $keys = keys_of($c, $array, $d - 1);
    return "([$keys] in " . name($c, $array) . ')' if length $ARRAYS{$array}{keys} > 1 || chance(0.5);
    return "(($keys) in " . name($c, $array) . ')';
}

sub long {
    my ($c, $d) = @_;
    return long_leaf($c) if $d <= 0 || chance(0.15);
    my $kind = rand;
    if ($kind < 0.40) {
        my $op = pick(@LONG_OPS);
        return '(' . long($c, $d - 1) . " $op " . long($c, $d - 1) . ')';
    }
    if ($kind < 0.46) { return '(' . str($c, $d - 1) . ' ' . pick(qw(== != < > <= >=)) . ' ' . str($c, $d - 1) . ')' }
    if ($kind < 0.52) { return pick('-', '!', '~', '+') . '(' . long($c, $d - 1) . ')' }
    if ($kind < 0.60) { return '(' . long($c, $d - 1) . ' ? ' . long($c, $d - 1) . ' : ' . long($c, $d - 1) . ')' }
    if ($kind < 0.66) { return '(' . lvalue($c, 'l', $d - 1) . ' ' . pick(@ASSIGN_OPS) . ' ' . long($c, $d - 1) . ')' }
    if ($kind < 0.72) {
        my $to = lvalue($c, 'l', $d - 1);
        return chance(0.5) ? '(' . pick('++', '--') . $to . ')' : "($to" . pick('++', '--') . ')';
    }
    if ($kind < 0.80) { my $call = call_of($c, 'l', $d); return $call if defined $call }
    if ($c->{p}{hot} && ($kind >= 0.88 || $kind < 0.84)) { return long_leaf($c) }
    if ($kind < 0.84) { return stat_of($c, $d) }
    if ($kind < 0.88) { return in_array($c, $d) }
    if ($kind < 0.91) { return 'strlen(' . str($c, $d - 1) . ')' }
    if ($kind < 0.94) { return 'isinstr(' . str($c, $d - 1) . ', ' . str($c, $d - 1) . ')' }
    if ($kind < 0.97) { return 'strtol(' . str($c, $d - 1) . ', ' . pick(0, 8, 10, 16) . ')' }
    return long_leaf($c);
}

sub str_leaf {
    my ($c) = @_;
    my $kind = rand;
    return '"' . pick(@STRINGS) . '"' if $kind < 0.4;
    return pick(@{$c->{s}}, @{$c->{ros}}) if $kind < 0.75;
    return name($c, pick(qw(s t))) if $kind < 0.9;
    return name($c, 'c') . '[' . keys_of($c, 'c', 0) . ']';
}

sub str {
    my ($c, $d) = @_;
    return str_leaf($c) if $d <= 0 || chance(0.2);
    my $kind = rand;
    if ($kind < 0.35) { return '(' . str($c, $d - 1) . ' . ' . str($c, $d - 1) . ')' }
    if ($kind < 0.45) { return '(' . long($c, $d - 1) . ' ? ' . str($c, $d - 1) . ' : ' . str($c, $d - 1) . ')' }
    if ($kind < 0.55) { return '(' . lvalue($c, 's', $d - 1) . ' ' . pick('=', '.=') . ' ' . str($c, $d - 1) . ')' }
    if ($kind < 0.67) { my $call = call_of($c, 's', $d); return $call if defined $call }
    if ($c->{p}{hot}) { return str_leaf($c) }
    if ($kind < 0.77) { return 'substr(' . str($c, $d - 1) . ', ' . small($c, $d - 1) . ', ' . pick(0, 1, 2, 5, 600, small($c, $d - 1)) . ')' }
    if ($kind < 0.90) { return 'sprintf(' . formatted($c, $d - 1, 1) . ')' }
    if ($kind < 0.95) { return pick('sprint', 'sprintln') . '(' . values_of($c, $d - 1) . ')' }
    return 'sprintd("' . pick(', ', '', '%') . '", ' . values_of($c, $d - 1) . ')';
}

sub values_of {
    my ($c, $d) = @_;
    return join ', ', '""', map { expr($c, pick('l', 's'), $d) } 1 .. 1 + int(rand 3);
}

# A format and its arguments. IN_STRING: a NUL would end the result.
sub formatted {
    my ($c, $d, $in_string) = @_;
    my ($format, @args) = ('');
    for (1 .. 1 + int(rand 4)) {
        my ($flags, $width, $precision, $conv) = ('', '', '', pick(qw(d d i u o x X p c s s s %)));
        if ($conv eq '%') {
            $format .= pick('%%', 'x=', ' ');
            next;
        }
        my @allowed = $conv =~ /[di]/ ? ('0', '-', '+', ' ') : $conv =~ /[oxX]/ ? ('0', '-', '#') : $conv eq 'u' ? ('0', '-') : ('-');
        push @allowed, '#' if $conv eq 's';
        $flags = pick(@allowed) if chance(0.4);
        $width = chance(0.2) ? '*' : int rand 30 if chance(0.4);
        $width = 1 + $width if $width =~ /^0/;
        $precision = '.' . (chance(0.2) ? '*' : int rand 12) if $conv =~ /[diuoxXs]/ && chance(0.3);
        push @args, pick(0, 1, 5, 20) if $width eq '*';
        push @args, pick(0, 1, 5, 20) if $precision eq '.*';
        $format .= "%$flags$width$precision" . (chance(0.1) && $conv =~ /[diuoxX]/ ? 'l' : '') . $conv . pick('', ' ', '|');
        push @args, $conv eq 's' ? str($c, $d) : $conv ne 'c' ? long($c, $d) :
            '(((' . long($c, $d) . ') & 63) + 33)';
    }
    return join ', ', "\"$format\"", @args;
}

# ---- statements ----
sub statements {
    my ($c, $n) = @_;
    statement($c) for 1 .. $n;
}

sub block {
    my ($c, $n) = @_;
    $c->{indent}++;
    $c->{depth}++;
    statements($c, $n);
    $c->{depth}--;
    $c->{indent}--;
}

sub statement {
    my ($c) = @_;
    my $kind = $c->{depth} < 3 ? rand : rand 0.62;
    return assignment($c) if $kind < 0.22;
    return print_statement($c) if $kind < 0.38;
    return aggregate($c) if $kind < 0.46;
    return deletion($c) if $kind < 0.50;
    return leave($c) if $kind < 0.54;
    return line($c, pick('++', '--') . lvalue($c, 'l', 2)) if $kind < 0.58;
    return line($c, long($c, 2)) if $kind < 0.62;
    return condition($c) if $kind < 0.74;
    return attempt($c) if $kind < 0.82;
    return counted_loop($c) if $kind < 0.90;
    return over_array($c);
}

sub assignment {
    my ($c) = @_;
    my $type = pick('l', 'l', 's');
    my $op = $type eq 'l' ? pick(@ASSIGN_OPS) : pick('=', '.=');
    my $to = lvalue($c, $type, 2);
    line($c, "$to $op " . expr($c, $type, 3));
}

sub print_statement {
    my ($c) = @_;
    my $kind = rand;
    return line($c, 'printf(' . formatted($c, 2) . '); println("")') if $kind < 0.5;
    return line($c, 'printdln("' . pick(', ', '%', '') . '", ' . values_of($c, 2) . ')') if $kind < 0.65;
    return line($c, 'print_char(((' . long($c, 2) . ') & 63) + 33)') if $kind < 0.7;
    line($c, 'println(' . values_of($c, 2) . ')');
}

sub aggregate {
    my ($c) = @_;
    my @free = grep { !$c->{frozen}{$_} } 'e', 'f';
    if (@free && chance(0.5)) {
        my $array = pick(@free);
        $c->{mods}{$array} = 1;
        return line($c, name($c, $array) . '[' . keys_of($c, $array, 2) . '] <<< ' . long($c, 2));
    }
    # @variance of any 64-bit values would need more than 128 bits to check.
    line($c, name($c, pick('x', 'x', 'y')) . ' <<< (' . long($c, 2) . ') % ' . pick('1000', '1000000007'));
}

sub deletion {
    my ($c) = @_;
    return line($c, 'delete ' . name($c, pick(qw(i s x y)))) if !$c->{p}{hot} && chance(0.25);
    my @free = grep { !$c->{frozen}{$_} } sort keys %ARRAYS;
    return unless @free;
    my $array = pick(@free);
    $c->{mods}{$array} = 1;
    return line($c, 'delete ' . name($c, $array)) if !$c->{p}{hot} && chance(0.2);
    my $keys = keys_of($c, $array, 2);
    $keys = slice($c, $array) if !$c->{p}{hot} && length $ARRAYS{$array}{keys} > 1 && chance(0.3);
    line($c, 'delete ' . name($c, $array) . "[$keys]");
}

sub slice {
    my ($c, $array) = @_;
    return join ', ', map { chance(0.5) ? '*' : $_ eq 'l' ? pick(0, 1, 2, '-3') : pick('"a"', '"b"') }
        split //, $ARRAYS{$array}{keys};
}

sub leave {
    my ($c) = @_;
    my $if = 'if (' . long($c, 2) . ')';
    return line($c, "$if " . pick('break', 'continue')) if $c->{loops} && chance(0.6);
    return line($c, "$if return " . expr($c, $c->{function}{type}, 2)) if $c->{function} && chance(0.7);
    return line($c, "$if error(" . str($c, 2) . ')');
}

sub condition {
    my ($c) = @_;
    line($c, 'if (' . long($c, 2) . ') {');
    block($c, 1 + int(rand 2));
    if (chance(0.5)) {
        line($c, '} else {');
        block($c, 1 + int(rand 2));
    }
    line($c, '}');
}

sub attempt {
    my ($c) = @_;
    my $var = chance(0.6);
    line($c, 'try {');
    block($c, 1 + int(rand 3));
    line($c, '} catch ' . ($var ? '(s) {' : '{'));
    block($c, 1);
    line($c, '}');
}

sub counted_loop {
    my ($c) = @_;
    my $n = 'n' . ++$c->{counter};
    return condition($c) if $c->{loops} >= 2;
    my $times = 1 + int rand 3;
    if (chance(0.5)) {
        line($c, "for ($n = 0; $n < $times; $n++) {");
    } else {
        line($c, "$n = 0");
        line($c, "while ($n++ < $times && " . long($c, 2) . ') {');
    }
    push @{$c->{rol}}, $n;
    $c->{loops}++;
    block($c, 1 + int(rand 3));
    $c->{loops}--;
    line($c, '}');
}

sub over_array {
    my ($c) = @_;
    return $c->{p}{hot} ? counted_loop($c) : condition($c) if $c->{p}{hot} || $c->{loops} >= 2;
    my $array = pick(sort keys %ARRAYS);
    my $info = $ARRAYS{$array};
    my $id = ++$c->{counter};
    my @types = split //, $info->{keys};
    my @names = map { ($types[$_] eq 'l' ? 'kl' : 'ks') . "${id}_$_" } 0 .. $#types;
    my @heads = @names;
    my ($value, $after, $limit) = ('', '', '');
    my $by = rand;
    if ($info->{value} ne 'x' && chance(0.5)) {
        my $v = "v${id}";
        push @{$c->{$info->{value} eq 'l' ? 'rol' : 'ros'}}, $v;
        $value = $v . ($by < 0.2 ? pick('+', '-') : '') . ' = ';
    }
    if ($by >= 0.2 && $by < 0.5) {
        $heads[int rand @heads] .= pick('+', '-');
    } elsif ($by >= 0.5 && $by < 0.8) {
        $after = ' ' . ($info->{value} eq 'x' && chance(0.7) ? '@' . pick(qw(count sum min max avg)) . ' ' : '')
            . pick('+', '-');
    }
    $limit = ' limit ' . (chance(0.8) ? int rand 4 : '(' . long($c, 2) . ')') if chance(0.3);
    my $slice = @types > 1 && chance(0.3) ? '[' . slice($c, $array) . ']' : '';
    line($c, "foreach ($value\[" . join(', ', @heads) . '] in ' . name($c, $array) . "$slice$after$limit) {");
    push @{$c->{$types[$_] eq 'l' ? 'rol' : 'ros'}}, $names[$_] for 0 .. $#names;
    my $was = $c->{frozen};
    $c->{frozen} = { %$was, $array => 1 };
    $c->{loops}++;
    block($c, 1 + int(rand 3));
    $c->{loops}--;
    $c->{frozen} = $was;
    line($c, '}');
}

1;
