# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of the library that compute, aggregates, formats and regular expressions, called with random arguments in a process and
# in a kernel. The answers are computed once more here, by Perl, Socket, Errno, POSIX and sed, from what the manual says of each.
package functions;
use strict;
use warnings;
use Errno ();
use Math::BigInt ();
use POSIX ();
use Socket ();

our $about = "functions that compute, with random arguments, against Perl's own";
our $kernels = '6.1 6.12';

my $STRING_MAX = 511;       # MAXSTRINGLEN - 1
my $END = "\x01\n";         # after each answer: no argument has that byte

# ---- arguments ----
my @INTERESTING = (0, 1, -1, 2, 7, 9, 10, 127, 128, 255, 256, -128, 999, 1000, 1024, 65535, 65536, 2147483647, 2147483648, -2147483648,
    4294967295, 4294967296, 9223372036854775807, -9223372036854775807);

# A number of 64 bits with a sign, of any size.
sub number {
    my ($w) = @_;
    return $w->pick(@INTERESTING) if $w->chance(30);
    my $bits = 1 + $w->random(63);
    my $value = 0;
    $value = $value << 16 | $w->random(65536) for 1 .. 4;
    $value &= (1 << $bits) - 1;
    return $w->chance(35) ? -$value : $value;
}

# A number from 0 to 2^BITS - 1.
sub unsigned {
    my ($w, $bits) = @_;
    return ($w->random(1 << 30) << 34 | $w->random(1 << 30) << 4 | $w->random(16)) & ($bits == 64 ? -1 : (1 << $bits) - 1);
}

# A string of at most MAX characters of SET.
sub string_of {
    my ($w, $set, $max) = @_;
    my @set = split //, $set;
    return join('', map { $w->pick(@set) } 1 .. $w->random($max + 1));
}

sub text { return string_of($_[0], 'aabbcde0123 ,;:=/-_.xYZ', $_[1] // 24) }

# Bytes, of which some are no text.
sub bytes {
    my ($w, $max) = @_;
    return join('', map { $w->chance(70) ? chr(32 + $w->random(95)) : chr($w->pick(2 .. 255)) } 1 .. $w->random($max + 1));
}

# A literal of the script.
sub literal {
    my ($value) = @_;
    return '"' . ($value =~ s/([^ !#-\[\]-~])/sprintf('\\%03o', ord $1)/ger) . '"';
}

# The low 64 bits of a Math::BigInt, as a number with a sign.
sub low64 {
    my ($n) = @_;
    $n->bmod(Math::BigInt->new(2)->bpow(64));
    return ($n->bcmp('9223372036854775807') > 0 ? $n->bsub('18446744073709551616') : $n)->bstr;
}

sub cut { return substr($_[0], 0, $STRING_MAX) }

# ---- answers ----
sub strtol {
    my ($text, $base) = @_;
    my $sign = $text =~ s/^-// ? -1 : 1;
    $base = $text =~ /^0x[0-9a-f]/i ? 16 : $text =~ /^0/ ? 8 : 10 if $base == 0;
    $text =~ s/^0x(?=[0-9a-f])//i if $base == 16;
    my $value = Math::BigInt->new(0);
    for my $char (split //, lc $text) {
        my $digit = index('0123456789abcdefghijklmnopqrstuvwxyz', $char);
        last if $digit < 0 || $digit >= $base;
        $value->bmul($base)->badd($digit);
    }
    return low64($value->bmul($sign));
}

# The first match of REGEX in TEXT as sed finds it, and its groups: undef when there is none.
sub posix_match {
    my ($w, $regex, $text, $groups) = @_;
    $w->file('subject', "$text\n");
    my $marked = join("\x02", map { "\\$_" } 1 .. $groups);
    my $out = $w->must('sed', '-n', '-E', "s\x03$regex\x03\x04&\x05$marked\x04\x03p", "$w->{dir}/subject");
    return undef unless $out =~ /\x04(.*)\x05(.*)\x04/s;
    my ($whole, $rest) = ($1, $2);
    return ($whole, $groups > 1 ? split(/\x02/, $rest, -1) : $groups ? $rest : ());
}

sub duration {
    my ($time, $unit, $digits) = @_;
    my $seconds = int($time / $unit);
    return sprintf("%dm%d.%0${digits}ds", int($seconds / 60), $seconds % 60, $time % $unit);
}

sub date {
    my ($second, $minute, $hour, $day, $month, $year, $weekday) = gmtime $_[0];
    return sprintf('%s %s %2d %02d:%02d:%02d %04d', (qw(Sun Mon Tue Wed Thu Fri Sat))[$weekday],
        (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$month], $day, $hour, $minute, $second, $year + 1900);
}

sub escaped {
    my ($text) = @_;
    my %named = ("\a" => 'a', "\b" => 'b', "\f" => 'f', "\n" => 'n', "\r" => 'r', "\t" => 't', "\x0b" => 'v', '"' => '"', '\\' => '\\');
    return $text =~ s/([^ -~]|["\\])/exists $named{$1} ? "\\$named{$1}" : sprintf('\\%03o', ord $1)/ger;
}

# The canonical name of an error number: of two, the one that is not the other's synonym.
sub errno_name {
    my ($number) = @_;
    my %synonym = map { $_ => 1 } qw(EWOULDBLOCK EDEADLOCK ENOTSUP);
    my @names = grep { !$synonym{$_} && Errno->can($_) && Errno->can($_)->() == $number } keys %!;
    return $names[0] // '';
}

sub double { return unpack('q', pack('d', $_[0])) }

# The result V of X * Y or X / Y. Perl computes with integers where it can, which have no -0.
sub product { my ($v, $x, $y) = @_; return $v || ($x < 0) == ($y < 0) ? double($v) : -9223372036854775808 }
sub as_double { return unpack('d', pack('q', $_[0])) }

# A double that is not too large to be read as decimals.
sub some_double {
    my ($w) = @_;
    return 0.0 + $w->pick('0', '1', '-1', '0.5', '1e15', '-2.25', '0.3') if $w->chance(15);
    return ($w->chance(50) ? -1 : 1) * ($w->random(1 << 30) + $w->random(1 << 30) / (1 << 30)) / 2 ** $w->random(40);
}

my @KINDS = (
    substr => sub { my ($w) = @_;
        my ($s, $at, $n) = (text($w), $w->random(40) - 8, $w->random(40) - 8);
        return [$s, $at, $n], $at < 0 || $at >= length $s || $n < 0 ? '' : substr($s, $at, $n) },
    strlen => sub { my $s = bytes($_[0], 60); return [$s], length $s },
    strpos => sub { my ($s, $t) = (string_of($_[0], 'aab', 12), string_of($_[0], 'aab', 3)); return [$s, $t], index($s, $t) },
    isinstr => sub { my ($s, $t) = (string_of($_[0], 'aab', 9), string_of($_[0], 'aab', 3)); return [$s, $t], index($s, $t) >= 0 ? 1 : 0 },
    isdigit => sub { my $s = text($_[0], 3); return [$s], $s =~ /^[0-9]/ ? 1 : 0 },
    stringat => sub { my ($w) = @_;
        my $s = bytes($w, 20) . 'x';
        my $at = $w->random(length $s);
        return [$s, $at], ord substr($s, $at, 1) },
    str_replace => sub { my ($w) = @_;
        my ($s, $from, $to) = (string_of($w, 'aaab', $w->pick(10, 300)), string_of($w, 'aab', 2), string_of($w, 'abXY', 5));
        return [$s, $from, $to], $from eq '' ? $s : cut($s =~ s/\Q$from\E/$to/gr) },
    strtol => sub { my ($w) = @_;
        my $base = $w->pick(0, 0, 2, 8, 10, 10, 16, 16, 36, 2 + $w->random(35));
        my $s = $w->pick('', '', '-', '+', ' ') . $w->pick('', '', '0', '0x', '0X') . string_of($w, '0123456789abcfz', $w->pick(3, 8, 24));
        return [$s, $base], strtol($s, $base) },
    text_str => sub { my $s = string_of($_[0], "ab \a\b\f\n\r\t\x0b\"\\'\x7f\x03\x1f", 40); return [$s], escaped($s) },
    string_quoted => sub { my $s = string_of($_[0], "ab \n\t\"\\'\x7f\x03", 40); return [$s], '"' . escaped($s) . '"' },
    errno_str => sub { my ($w) = @_;
        my $n = $w->chance(80) ? 1 + $w->random(133) : $w->pick(0, 134, 200, 600, 100000);
        return [$w->chance(50) ? -$n : $n], errno_name($n) },
    return_str => sub { my ($w) = @_;
        my $n = $w->chance(50) ? 1 + unsigned($w, 40) : -1 - $w->random(40);
        my $format = $n < 0 ? 1 : 1 + $w->random(3);
        return [$format, $n], $n < 0 ? "$n (" . errno_name(-$n) . ')' : sprintf((undef, '%d', '0x%x', '0%o')[$format], $n) },
    htons => sub { my $n = unsigned($_[0], 16); return [$n], unpack('n', pack('S', $n)) },
    ntohs => sub { my $n = unsigned($_[0], 16); return [$n], unpack('S', pack('n', $n)) },
    htonl => sub { my $n = unsigned($_[0], 32); return [$n], unpack('N', pack('L', $n)) },
    ntohl => sub { my $n = unsigned($_[0], 32); return [$n], unpack('L', pack('N', $n)) },
    htonll => sub { my $n = number($_[0]); return [$n], unpack('q>', pack('q<', $n)) },
    ntohll => sub { my $n = number($_[0]); return [$n], unpack('q<', pack('q>', $n)) },
    big_endian2 => sub { my $n = unsigned($_[0], 16); return [$n], unpack('S>', pack('S', $n)) },
    big_endian4 => sub { my $n = unsigned($_[0], 32); return [$n], unpack('L>', pack('L', $n)) },
    big_endian8 => sub { my $n = number($_[0]); return [$n], unpack('q>', pack('q', $n)) },
    little_endian2 => sub { my $n = unsigned($_[0], 16); return [$n], unpack('S<', pack('S', $n)) },
    little_endian4 => sub { my $n = unsigned($_[0], 32); return [$n], unpack('L<', pack('L', $n)) },
    little_endian8 => sub { my $n = number($_[0]); return [$n], unpack('q<', pack('q', $n)) },
    ip_ntop => sub { my $n = unsigned($_[0], 32); return [$n], Socket::inet_ntoa(pack('L', $n)) },
    MAJOR => sub { my ($major, $minor) = (unsigned($_[0], 12), unsigned($_[0], 20)); return [$major * 2 ** 20 + $minor], $major },
    MINOR => sub { my ($major, $minor) = (unsigned($_[0], 12), unsigned($_[0], 20)); return [$major * 2 ** 20 + $minor], $minor },
    MKDEV => sub { my ($major, $minor) = (unsigned($_[0], 12), unsigned($_[0], 20)); return [$major, $minor], $major * 2 ** 20 + $minor },
    WIFEXITED => sub { my $s = unsigned($_[0], 8) << 8 | $_[0]->pick(0, 0, 1 .. 31); return [$s], POSIX::WIFEXITED($s) ? 1 : 0 },
    WEXITSTATUS => sub { my $s = unsigned($_[0], 8) << 8; return [$s], POSIX::WEXITSTATUS($s) },
    WTERMSIG => sub { my $s = 1 + $_[0]->random(64); return [$s], POSIX::WTERMSIG($s) },
    ctime => sub { my ($w) = @_;
        my $t = $w->chance(50) ? unsigned($w, 31) : $w->random(1 << 30) * 290 - 62135596800;
        return [$t], date($t) },
    tz_ctime => sub { my ($w) = @_;
        my $t = unsigned($w, 31);
        return [$t], date($t - $w->{zone}{west}) . " $w->{zone}{name}" },
    msecs_to_string => sub { my $n = unsigned($_[0], 10 + $_[0]->random(30)); return [$n], duration($n, 1000, 3) },
    usecs_to_string => sub { my $n = unsigned($_[0], 10 + $_[0]->random(40)); return [$n], duration($n, 1000000, 6) },
    nsecs_to_string => sub { my $n = unsigned($_[0], 10 + $_[0]->random(50)); return [$n], duration($n, 1000000000, 9) },
    fp_to_string => sub { my ($w) = @_;
        my ($x, $digits) = (some_double($w), $w->random(20));
        return [double($x), $digits], sprintf("%.${digits}f", $x) },
    string_to_fp => sub { my ($w) = @_;
        my $s = $w->pick('', '-') . $w->random(1 << 30) . $w->pick('', '.', '.' . $w->random(1 << 30)) . $w->pick('', '', 'e' . ($w->random(40) - 20));
        return [$s], double(scalar POSIX::strtod($s)) },
    long_to_fp => sub { my $n = number($_[0]); return [$n], double(0.0 + $n) },
    fp_add => sub { my ($x, $y) = (some_double($_[0]), some_double($_[0])); return [double($x), double($y)], double($x + $y) },
    fp_sub => sub { my ($x, $y) = (some_double($_[0]), 3 + some_double($_[0])); return [double($x), double($y)], double($x - $y) },
    fp_mul => sub { my ($x, $y) = (some_double($_[0]), 3 * some_double($_[0])); return [double($x), double($y)], product($x * $y, $x, $y) },
    fp_div => sub { my ($x, $y) = (some_double($_[0]), some_double($_[0]) || 3); return [double($x), double($y)], product($x / $y, $x, $y) },
    fp_sqrt => sub { my $x = abs some_double($_[0]); return [double($x)], double(sqrt $x) },
    fp_lt => sub { my ($x, $y) = (some_double($_[0]), some_double($_[0])); return [double($x), double($y)], $x < $y ? 1 : 0 },
    fp_eq => sub { my $x = some_double($_[0]); my $y = $_[0]->chance(50) ? $x : some_double($_[0]); return [double($x), double($y)], $x == $y ? 1 : 0 },
);

# ---- cases that are more than one call; each returns lines of a handler, and what they print ----
sub case_tokenize {
    my ($w) = @_;
    my ($s, $delimiters) = (text($w, 40) . 'x', $w->pick(' ', ',;', ':= ', '/', 'ab'));
    my @tokens = grep { $_ ne '' } split /[\Q$delimiters\E]/, $s;
    my ($set) = literal($delimiters);
    return ("tokenize($s, $set)", 'for (t = tokenize(' . string_operand($w, $s) . ", $set); t != \"\"; t = tokenize($set)) printf(\"[%s]\", t)",
        join('', map { "[$_]" } @tokens));
}

sub case_concat {
    my ($w) = @_;
    my @s = map { string_of($w, 'abc', $w->pick(4, 300)) } 1 .. 3;
    return ('concatenation', 'printf("%s", ' . join(' . ', map { string_operand($w, $_) } @s) . ')', cut(join '', @s));
}

sub case_printf {
    my ($w) = @_;
    my ($format, $value);
    if ($w->chance(30)) {
        $format = '%' . $w->pick('', '-') . $w->pick('', 1 + $w->random(20)) . $w->pick('', '.' . $w->random(12)) . 's';
        $value = text($w, 16);
        return ("$format of $value", 'printf(' . literal("<$format>") . ', ' . string_operand($w, $value) . ')', sprintf("<$format>", $value));
    }
    my $conversion = $w->pick(qw(d i u x X o d x));
    $format = '%' . ($conversion =~ /[di]/ ? $w->pick('', '', '+', ' ', '-', '0') : $conversion eq 'u' ? $w->pick('', '-', '0') : $w->pick('', '#', '-', '0'));
    $format .= $w->pick('', '', 1 + $w->random(24)) . ($format =~ /0$/ || $w->chance(70) ? '' : '.' . $w->random(22));
    $format =~ s/0$// unless $format =~ /%0?\d/;
    $value = number($w);
    # In C zero has no prefix, and with the precision 0 no digit.
    $format =~ s/#|\.0?$//g if !$value;
    return ("$format$conversion of $value", 'printf(' . literal("<$format$conversion>") . ', ' . number_operand($w, $value) . ')',
        sprintf("<$format$conversion>", $value));
}

# A regular expression whose meaning POSIX defines: a group is not repeated.
sub case_regex {
    my ($w) = @_;
    my $groups = $w->random(3);
    my $atom = sub { return $w->pick('a', 'b', 'c', '.', '[ab]', '[^a]', '[[:digit:]]', 'ab', 'x') };
    my $sequence = sub { return join('', map { $atom->() . $w->pick('', '', '*', '+', '?', '{1,2}') } 1 .. 1 + $w->random(3)) };
    my $regex = $w->pick('', '', '^') . $sequence->();
    $regex .= '(' . $sequence->() . ($w->chance(30) ? '|' . $sequence->() : '') . ')' . $w->pick('', $sequence->()) for 1 .. $groups;
    $regex .= $w->pick('', '', '$');
    my $text = string_of($w, 'aabbccx01 ', 14);
    my @match = posix_match($w, $regex, $text, $groups);
    my $print = 'printf("yes ' . join(' ', ('[%s]') x ($groups + 1)) . '", ' . join(', ', map { "matched($_)" } 0 .. $groups) . ')';
    return ("$text =~ $regex", 'if (' . string_operand($w, $text) . ' =~ ' . literal($regex) . ") $print else printf(\"no\")",
        defined $match[0] ? 'yes ' . join(' ', map { "[$_]" } @match) : 'no');
}

sub case_statistics {
    my ($w, $id) = @_;
    my $wide = $w->pick(4, 10, 20, 31);
    my @v = map { my $n = unsigned($w, $wide); $w->chance(30) ? -$n : $n } 1 .. 1 + $w->random(12);
    my ($n, $sum, $squares) = (scalar @v, Math::BigInt->new(0), Math::BigInt->new(0));
    $sum->badd($_), $squares->badd(Math::BigInt->new($_)->bmul($_)) for @v;
    my $variance = $n < 2 ? 0 : $squares->copy->bmul($n)->bsub($sum->copy->bmul($sum))->bdiv($n * ($n - 1));
    my ($average) = $sum->copy->babs->bdiv($n);
    $average = "-$average" if $sum->is_neg && $average ne '0';
    my @sorted = sort { $a <=> $b } @v;
    return ("aggregate of @v", join('; ', map { "s$id <<< " . number_operand($w, $_) } @v)
            . "; printf(\"%d %d %d %d %d %d\", \@count(s$id), \@sum(s$id), \@min(s$id), \@max(s$id), \@avg(s$id), \@variance(s$id))",
        "$n $sum $sorted[0] $sorted[-1] $average $variance", "global s$id");
}

# A histogram's rows that have values: label, count and length of the bar.
sub rows { return join(' ', map { /^\s*(\S+) \|(@*)\s+(\d+)$/ && $3 ? "$1:$3:" . length $2 : () } split /\n/, $_[0]) }

sub case_histogram {
    my ($w, $id) = @_;
    my ($low, $step) = ($w->random(100) - 50, 1 + $w->random(20));
    my $buckets = 1 + $w->random(30);
    my $high = $low + $step * $buckets;
    my $linear = $w->chance(50);
    my @v = map { my $n = $linear ? $low - $step + $w->random($step * ($buckets + 3)) : unsigned($w, 1 + $w->random(40)); !$linear && $w->chance(20) ? -$n : $n }
        1 .. 5 + $w->random(60);
    my %count;
    for my $value (@v) {
        my $label;
        if ($linear) {
            $label = $value < $low ? "<$low" : $value >= $high + $step ? ">$high" : $low + $step * POSIX::floor(($value - $low) / $step);
        } else { # the power of two towards 0
            my $power = 1;
            $power *= 2 while $power * 2 <= abs $value;
            $label = $value ? $value < 0 ? -$power : $power : 0;
        }
        $count{$label}++;
    }
    my ($most) = sort { $b <=> $a } values %count;
    my $each = POSIX::ceil($most / 50);
    my $order = sub { my ($label) = @_; return $label =~ /^<(.*)/ ? $1 - 0.5 : $label =~ /^>(.*)/ ? $1 + 0.5 : $label };
    my $operator = $linear ? "\@hist_linear(s$id, $low, $high, $step)" : "\@hist_log(s$id)";
    return ("$operator of @v", join('; ', map { "s$id <<< $_" } @v) . "; print($operator)",
        join(' ', map { "$_:$count{$_}:" . int($count{$_} / $each) } sort { $order->($a) <=> $order->($b) } keys %count), "global s$id", \&rows);
}

# A queue by a clock of the script's own: the manual's definitions over random events.
sub case_queue {
    my ($w, $id) = @_;
    my ($now, $start, $last, $waiting, $running, $done) = (1000 + $w->random(1000)) x 3;
    my ($wait, $run, $blocked, $busy) = (0) x 4;
    ($waiting, $running, $done) = (0, 0, 0);
    my @do = ("now = $now; qsq_start(\"q$id\")");
    for (1 .. 4 + $w->random(20)) {
        my $span = $w->random(500);
        $now += $span;
        $wait += $span * $waiting;
        $run += $span * $running;
        $blocked += $span if $waiting;
        $busy += $span if $running;
        my $event = $w->pick(qw(qs_wait qs_wait qs_run qs_run qs_done), $w->chance(10) ? 'qsq_start' : 'qs_done');
        push @do, "now = $now; $event(\"q$id\")";
        if ($event eq 'qs_wait') {
            $waiting++;
        } elsif ($event eq 'qs_run') {
            $waiting--, $running++ if $waiting;
        } elsif ($event eq 'qs_done') {
            $running--, $done++ if $running;
        } else {
            $start = $now;
            ($waiting, $running, $done, $wait, $run, $blocked, $busy) = (0) x 7;
        }
    }
    my $span = 1 + $w->random(500);
    $now += $span;
    $wait += $span * $waiting;
    $run += $span * $running;
    $blocked += $span if $waiting;
    $busy += $span if $running;
    my ($scale, $elapsed) = ($w->pick(1, 100, 1000), $now - $start);
    my %answer = (
        qsq_utilization => int($scale * $busy / $elapsed), qsq_blocked => int($scale * $blocked / $elapsed),
        qsq_wait_queue_length => int($scale * $wait / $elapsed), qsq_throughput => int($scale * $done / $elapsed),
        qsq_service_time => $done ? int($scale * $run / $done) : 0, qsq_wait_time => $done ? int($scale * ($run + $wait) / $done) : 0,
    );
    my @names = sort keys %answer;
    return ("queue: @do", join('; ', @do, "now = $now") . '; printf("' . join(' ', ('%d') x @names) . '", '
            . join(', ', map { "$_(\"q$id\", $scale)" } @names) . ')', join(' ', map { $answer{$_} } @names));
}

# Operators on numbers: all have 64 bits, shifts take the low six bits of their count, division goes towards 0.
sub case_operators {
    my ($w) = @_;
    my ($x, $y, $op) = (number($w), number($w), $w->pick('+', '-', '*', '/', '%', '<<', '>>', '>>>', '&', '|', '^', '<', '==', '>='));
    $y = $w->pick(1, -1, 7, -7, 10) if $op =~ m{[/%]} && !$y;
    my $unsigned = unpack('Q', pack('q', $x));
    my $count = $y & 63;
    my $answer = $op =~ /^[-+*]$/ ? low64($op eq '+' ? Math::BigInt->new($x)->badd($y) : $op eq '-' ? Math::BigInt->new($x)->bsub($y)
            : Math::BigInt->new($x)->bmul($y))
        : $op eq '/' ? scalar Math::BigInt->new($x)->btdiv($y) : $op eq '%' ? scalar Math::BigInt->new($x)->btmod($y)
        : $op eq '<<' ? low64(Math::BigInt->new($x)->bmul(Math::BigInt->new(2)->bpow($count)))
        : $op eq '>>>' ? unpack('q', pack('Q', $unsigned >> $count))
        : $op eq '>>' ? do { use integer; $x >> $count }
        : $op eq '&' ? do { use integer; $x & $y } : $op eq '|' ? do { use integer; $x | $y } : $op eq '^' ? do { use integer; $x ^ $y }
        : $op eq '<' ? ($x < $y ? 1 : 0) : $op eq '==' ? ($x == $y ? 1 : 0) : ($x >= $y ? 1 : 0);
    return ("$x $op $y", 'printf("%d", ' . number_operand($w, $x) . " $op " . number_operand($w, $y) . ')', "$answer");
}

# ---- the script ----
# VALUE in the script: as it is, so that the compiler may compute with it, or a member of an array, which it cannot.
sub operand {
    my ($w, $array, $text) = @_;
    return $text if $w->chance(40);
    push @{$w->{$array}}, $text;
    return "${array}[$#{$w->{$array}}]";
}

sub number_operand { return operand($_[0], 'numbers', "($_[1])") }
sub string_operand { return operand($_[0], 'strings', literal($_[1])) }

my %LEADING_STRINGS = (substr => 1, strlen => 1, strpos => 2, isinstr => 2, isdigit => 1, stringat => 1, str_replace => 3, strtol => 1,
    text_str => 1, string_quoted => 1, string_to_fp => 1);

sub case_call {
    my ($w, $id, $name, $draw) = @_;
    my ($arguments, $answer) = $draw->($w);
    my $strings = $LEADING_STRINGS{$name} // 0;
    my @words = map { $_ < $strings ? string_operand($w, $arguments->[$_]) : number_operand($w, $arguments->[$_]) } 0 .. $#$arguments;
    return ("$name(" . join(', ', map { $_ < $strings ? literal($arguments->[$_]) : $arguments->[$_] } 0 .. $#$arguments) . ')',
        "print($name(" . join(', ', @words) . '))', "$answer");
}

# Cases of a round: [{kind, what, statements, answer, global, reader}].
sub draw {
    my ($w) = @_;
    my %calls = @KINDS;
    my %cases = (tokenize => [\&case_tokenize, 12], concatenation => [\&case_concat, 4], printf => [\&case_printf, 60],
        regex => [\&case_regex, 40], statistics => [\&case_statistics, 12], histogram => [\&case_histogram, 12],
        queue => [\&case_queue, 12], operators => [\&case_operators, 60]);
    my @cases;
    for my $kind (sort(keys %calls), sort keys %cases) {
        my ($make, $times) = $calls{$kind} ? (sub { case_call(@_, $kind, $calls{$kind}) }, 8) : @{$cases{$kind}};
        for (1 .. $times * $w->size) {
            my ($what, $statements, $answer, $global, $reader) = $make->($w, scalar @cases);
            push @cases, { kind => $kind, what => $what, statements => $statements, answer => $answer, global => $global, reader => $reader };
        }
    }
    return @cases;
}

sub script {
    my ($w, @cases) = @_;
    my $text = "global numbers[100000], strings[100000], now = 0\nfunction qs_time:long () { return now }\n";
    $text .= "$_->{global}\n" for grep { $_->{global} } @cases;
    $text .= "probe begin(-1)\n{\n\tnumbers[-1] = 0\n\tstrings[-1] = \"\"\n";
    for my $array ('numbers', 'strings') {
        $text .= "\t${array}[$_] = $w->{$array}[$_]\n" for 0 .. $#{$w->{$array}};
    }
    $text .= "}\n";
    for (my $i = 0; $i < @cases; $i++) {
        $text .= "probe begin($i)\n{\n\tprint(\"$i:\")\n\t$cases[$i]{statements}\n\tprint(" . literal($END) . ")\n}\n";
    }
    return "${text}probe begin(" . @cases . ") { exit() }\n";
}

sub check {
    my ($w, $where, $result, $err, @cases) = @_;
    my %said = map { /^(\d+):(.*)\z/s ? ($1 => $2) : () } split /$END/, $result;
    warn "$where: $err" if $err =~ /error/i;
    for my $i (0 .. $#cases) {
        my ($case, $said) = ($cases[$i], $said{$i});
        $said = $case->{reader}->($said) if defined $said && $case->{reader};
        $w->compare($where, "$case->{kind}: $case->{what}", $case->{answer}, $said);
    }
}

sub round {
    my ($w) = @_;
    @$w{'numbers', 'strings'} = ([], []);
    $w->{zone} = { name => $w->pick('ABC', 'KTAP'), west => 900 * ($w->random(96) - 48) };
    my @cases = draw($w);
    my $script = $w->file('functions.stp', script($w, @cases));
    my $minutes = abs($w->{zone}{west}) / 60;
    local $ENV{TZ} = sprintf('%s%s%d:%02d', $w->{zone}{name}, $w->{zone}{west} < 0 ? '-' : '', $minutes / 60, $minutes % 60);
    my @options = ('-w', '-DMAXACTION=1000000');
    my $result = $w->ktap('--runtime=user', @options, $script);
    check($w, 'in a process', $result->{out}, $result->{err}, @cases);
    $w->guest("export TZ=$ENV{TZ}");
    die "functions.stp is refused: $w->{refusal}" unless defined $w->session('functions', @options, $script);
    my $files = $w->boot();
    check($w, 'in a kernel', $files->{'functions.out'}, $files->{'functions.err'}, @cases);
}

1;
