# SPDX-License-Identifier: GPL-2.0-or-later
# Hits of functions in generated programs against the counts that the programs keep of themselves.
#
# A function counts its calls by a volatile store in its body, which inlining, cloning and splitting must keep. Bodies have early returns,
# loops, cold ends, recursion and calls of other functions. The compiler, its options and how the program is linked are drawn for each
# program; some have half of their functions in a library. Where rustc is installed, some are in Rust, with methods, closures, and generic
# functions of two instances.
package hits_programs;
use strict;
use warnings;

our $about = "hits of functions against the program's own counts";
our $kernels = '6.1 6.12';

my $PROGRAMS = 8;
my $FUNCTIONS = 10;

sub round {
    my ($w) = @_;
    my %has = map { $_ => !$w->run('sh', '-c', "command -v $_")->{status} } qw(gcc clang g++ clang++ rustc);
    # clang needs a plugin of the linker for that.
    $has{'clang -flto'} = $has{clang} && !$w->run('clang', '-flto', '-o', 'linked', $w->file('linked.c', "int main(void) { return 0; }\n"))->{status};
    $w->skip('programs in Rust: rustc is not installed') unless $has{rustc};
    die 'gcc is not installed' unless $has{gcc};
    my @programs = map { $has{rustc} && $w->chance(20) ? rust_program($w, "p$_") : program($w, "p$_", \%has) } 0 .. $PROGRAMS * $w->size - 1;
    $w->file('script.stp', "global hits\n" . join('', map { script($_) } @programs)
        . "probe end { foreach ([kind, name] in hits) printf(\"K %s %s %d\\n\", kind, name, hits[kind, name]) }\n");
    # A program that is ended leaves half a line.
    $w->file('all', join '', map { "timeout 20 ./$_->{name}; echo\n" } @programs);
    my $messages = $w->session('hits', '-c', 'sh ./all', '-D', 'MAXMAPENTRIES=20000', 'script.stp') // die "ktap refuses the script: $w->{refusal}";
    my %said = map { $_ => 1 } $messages =~ /warning: calls of '[^']*' in \S+ may be missed or counted twice/g;
    my $results = $w->boot;
    die "the session failed: $results->{'hits.err'}" if $results->{'hits.status'} != 0;
    my (%truth, %hits);
    for (split /\n/, $results->{'hits.out'}) {
        $truth{$1} = $2 if /^T (\w+) (\d+)$/;
        $hits{"$1 $2"} = $3 if /^K (\S+) (\w+) (\d+)$/;
    }
    for my $p (@programs) {
        for my $f (@{$p->{functions}}) {
            my $name = "$p->{name}_$f->{name}";
            my $case = "$p->{how}: $f->{name} ($f->{attribute})";
            next unless defined $truth{$name};
            # The declaration is one or two lines above the counter. Closures have no name.
            my $declared = $f->{line} - ($f->{kind} ? 1 : 2);
            my $said = grep { m{\@(\S*/)?\Q$f->{file}\E:$declared' in \S*/$p->{name}(\.so)? } } keys %said;
            my $of = sub { $hits{"$_[0] $name"} // 0 };
            $w->compare('function', $case, $truth{$name}, $of->('function'), $said);
            $w->compare('call+inline', $case, $truth{$name}, $of->('call') + $of->('inline'), $said);
            $w->compare('statement', $case, $truth{$name}, $of->('statement')) if $f->{alone} && !$f->{query};
            $w->compare('call', $case, $truth{$name}, $of->('call')) if $f->{alone};
            $w->compare('return', $case, $truth{$name}, $of->('return')) if $f->{alone};
            $w->compare('return of .call', $case, $of->('call'), $of->('return'));
            $w->compare('plt', $case, $truth{$name}, $of->('plt')) if $f->{plt};
        }
    }
}

# The probes of P.
sub script {
    my ($p) = @_;
    my $text = '';
    for my $f (@{$p->{functions}}) {
        my $count = sub { qq({ hits["$_[0]", "$p->{name}_$f->{name}"]++ }\n) };
        my $process = qq(process("./$p->{name}")) . ($f->{library} ? qq(.library("./$p->{name}.so")) : '');
        my $name = $f->{query} // $f->{name};
        $text .= qq(probe $process.function("$name") ? ) . $count->('function');
        $text .= qq(probe $process.function("$name").$_ ? ) . $count->($_) for qw(call inline return);
        $text .= qq(probe $process.statement("$f->{name}\@$f->{file}:$f->{line}") ? ) . $count->('statement') unless $f->{query};
        $text .= qq(probe process("./$p->{name}").plt("$f->{name}") ? ) . $count->('plt') if $f->{plt};
    }
    return $text;
}

# Draws a program and compiles it. ALONE: no call of the function can be inlined.
sub program {
    my ($w, $name, $has) = @_;
    my $compiler = $w->pick(grep { $has->{$_} } qw(gcc gcc gcc clang g++ clang++));
    my $cplus = $compiler =~ /\+\+/;
    my $library = $w->chance(25);
    my $level = $w->pick('-O0', '-O1', '-O2', '-O2', '-O3', '-Os');
    my @flags = ('-g', $level);
    push @flags, '-gdwarf-4' if $w->chance(20);
    push @flags, '-flto' if ($compiler =~ /^g/ || $has->{'clang -flto'}) && $w->chance(20);
    my $link = $library ? '-pie' : $w->pick('-pie', '-pie', '-no-pie', '-static', '-static-pie');
    push @flags, $link =~ /pie$/ && $link ne '-no-pie' ? '-fPIE' : '-fno-pie' unless $library;
    my $p = { name => $name, how => "$compiler @flags $link" . ($library ? ' library' : ''), functions => [] };
    my @lines = ('#include <stdio.h>', "extern volatile unsigned long count[$FUNCTIONS];", 'extern volatile int sink;');
    my (@own, @shared);
    for my $n (0 .. $FUNCTIONS - 1) {
        my $in_library = $library && $n < $FUNCTIONS / 2;
        my $attribute = $in_library ? $w->pick('', '__attribute__((noinline))')
            : $w->pick('', '', 'static', 'static', 'static', 'static inline', 'static __attribute__((noinline))', '__attribute__((noinline))',
            'static inline __attribute__((always_inline))');
        my $f = { name => "f$n", attribute => $attribute || 'global', library => $in_library, file => "$name-" . ($in_library ? 'lib' : 'own')
            . ($cplus ? '.cc' : '.c') };
        $f->{alone} = $level eq '-O0' ? $attribute !~ /always_inline/ : $attribute =~ /noinline/ && $compiler =~ /^gcc$|^g\+\+$/ ? 1 : 0;
        my $text = $in_library ? \@shared : \@own;
        push @$text, @lines unless @$text;
        body($w, $f, $n, $text, $library);
        push @{$p->{functions}}, $f;
    }
    # Of what main() alone calls, all calls go through the stub.
    my %called = map { $_ => 1 } map { /\b(f\d+)\(a - |\b(f\d+)\(v\[|\b(f\d+)\(a \/ / ? ($1 // $2 // $3) : () } @own, @shared;
    $_->{plt} = $_->{library} && !$called{$_->{name}} for @{$p->{functions}};
    main_of($w, $p, \@own, $library);
    my $suffix = $cplus ? 'cc' : 'c';
    $w->file("$name-own.$suffix", join("\n", @own) . "\n");
    if ($library) {
        $w->file("$name-lib.$suffix", join("\n", @shared) . "\nvolatile unsigned long count[$FUNCTIONS];\nvolatile int sink;\n");
        $w->must($compiler, '-w', @flags, '-fPIC', '-shared', '-o', "$name.so", "$name-lib.$suffix");
    }
    $w->must($compiler, '-w', @flags, $link, '-Wl,-z,lazy', '-o', $name, "$name-own.$suffix", $library ? ("./$name.so") : ());
    return $p;
}

# Adds the function F, number N, to TEXT. It calls functions of lower numbers, and perhaps itself.
sub body {
    my ($w, $f, $n, $text, $library) = @_;
    my $attribute = $f->{attribute} eq 'global' ? '' : $f->{attribute};
    my $recursive = $w->chance(15) && $attribute !~ /always_inline/;
    # In C++ the stubs of functions of the library have C's names, too.
    push @$text, '#ifdef __cplusplus', 'extern "C"', '#endif' if $library && $attribute !~ /static/;
    push @$text, "$attribute int f$n(int a, int *v)", '{';
    push @$text, "\tcount[$n]++;";
    $f->{line} = @$text;
    push @$text, "\tif (a % " . (2 + $w->random(4)) . ' == ' . $w->random(2) . ") return a + $n;" if $w->chance(60);
    my @callees = $n ? map { $w->random($n) } 1 .. $w->random(3) : ();
    for my $kind ($w->shuffled(qw(loop cold switch call))) {
        next unless $w->chance(55);
        if ($kind eq 'loop') {
            push @$text, "\tfor (int i = 0; i < (a & 3); i++) v[i & 3] += a * i;";
            push @$text, "\twhile (v[0] > 0 && v[0] < 3) { v[0]++; " . (@callees && $w->chance(50) ? "f$callees[0](v[0], v);" : '') . ' }' if $w->chance(40);
        } elsif ($kind eq 'cold') {
            push @$text, "\tif (--v[" . $w->random(4) . '] == ' . $w->random(3) . ") { printf(\"cold %d %d\\n\", a, v[1]); v[2] = a; sink = v[3]; }";
        } elsif ($kind eq 'switch') {
            push @$text, "\tswitch (a & 7) { case 1: v[1]++; break; case 2: sink = a; break; case 5: v[3] -= a; break; default: v[2] ^= a; }";
        } else {
            push @$text, "\tif (a & " . (1 << $w->random(3)) . ") v[0] += f$_(a - 1, v);" for @callees;
            push @$text, "\telse v[1] -= f$callees[0](a - 2, v);" if @callees && $w->chance(40);
        }
    }
    push @$text, "\tif (a > 0) v[3] += f$n(a / 2 - 1, v);" if $recursive;
    push @$text, $w->chance(50) ? "\treturn v[a & 3] + a;" : "\treturn a * 3;", '}';
}

# Adds main() of P to TEXT: it calls each function, in loops and one after the other, and prints the counts.
sub main_of {
    my ($w, $p, $text, $library) = @_;
    my @functions = @{$p->{functions}};
    if ($library) {
        my @declared = map { $_->{library} ? ('#ifdef __cplusplus', 'extern "C"', '#endif', "int $_->{name}(int, int *);") : () } @functions;
        unshift @$text, @declared;
        $_->{line} += @declared for grep { !$_->{library} } @functions;
    }
    push @$text, $library ? () : ("volatile unsigned long count[$FUNCTIONS];", 'volatile int sink;');
    push @$text, 'int main(int argc, char **argv)', '{', "\tint v[4] = { argc, 2, 3, 4 }, sum = 0;";
    for my $f ($w->shuffled(@functions)) {
        push @$text, $w->chance(50) ? "\tfor (int i = 0; i < " . (3 + $w->random(6)) . "; i++) sum += $f->{name}(i + argc, v);"
            : join "\n", map { "\tsum += $f->{name}(" . $w->random(9) . ' + v[' . $w->random(4) . '] % 7, v);' } 0 .. $w->random(3);
    }
    push @$text, map { "\tprintf(\"T $p->{name}_f$_ %lu\\n\", count[$_]);" } 0 .. $#functions;
    push @$text, "\tsink = sum;", "\treturn 0;", '}';
}

# ---- Rust ----
# Draws a program in Rust and compiles it.
sub rust_program {
    my ($w, $name) = @_;
    my $level = $w->pick(qw(0 1 2 2 3 3 s));
    my @flags = ('-g', '-C', "opt-level=$level");
    push @flags, '-C', 'codegen-units=1' if $w->chance(50);
    push @flags, '-C', 'panic=abort' if $w->chance(20);
    push @flags, '-C', 'lto=' . $w->pick('thin', 'fat') if $w->chance(15);
    push @flags, $w->pick([], [], ['-C', 'relocation-model=static'], ['-C', 'target-feature=+crt-static'])->@*;
    my $p = { name => $name, how => "rustc @flags", functions => [] };
    my @text = ('use std::sync::atomic::{AtomicU64, Ordering::Relaxed};', 'use std::hint::black_box;',
        'struct Held { x: i32 }', 'const ZERO: AtomicU64 = AtomicU64::new(0);', "static COUNT: [AtomicU64; $FUNCTIONS] = [ZERO; $FUNCTIONS];");
    for my $n (0 .. $FUNCTIONS - 1) {
        my $kind = $w->pick(qw(function function function method generic closure));
        my $attribute = $kind eq 'closure' ? '' : $w->pick('', '', '#[inline]', '#[inline(never)]', '#[inline(always)]');
        my $f = { name => "f$n", kind => $kind, attribute => $kind . ($attribute && " $attribute"), file => "$name-own.rs",
            alone => $level eq '0' && $attribute !~ /always/ };
        rust_function($w, $f, $n, $attribute, $p->{functions}, \@text);
        push @{$p->{functions}}, $f;
    }
    push @text, 'fn main() {', "\tlet argc = std::env::args().count() as i32;", "\tlet mut v = [argc, 2, 3, 4];", "\tlet mut sum = 0i32;";
    for my $f ($w->shuffled(@{$p->{functions}})) {
        push @text, $w->chance(50) ? "\tfor i in 0.." . (3 + $w->random(6)) . ' { sum = sum.wrapping_add(' . rust_call($w, $f, 'i + argc', '&mut v') . '); }'
            : map { "\tlet a = " . $w->random(9) . ' + v[' . $w->random(4) . '] % 7; sum = sum.wrapping_add(' . rust_call($w, $f, 'a', '&mut v') . ');' }
            0 .. $w->random(3);
    }
    push @text, map { qq(\tprintln!("T $p->{name}_f$_ {}", COUNT[$_].load(Relaxed));) } 0 .. $FUNCTIONS - 1;
    push @text, "\tblack_box(sum);", '}';
    $w->file("$name-own.rs", join("\n", @text) . "\n");
    $w->must('rustc', '-A', 'warnings', @flags, '-o', $name, "$name-own.rs");
    return $p;
}

# A call of F. Generic functions have an instance of i32 and one of i16.
sub rust_call {
    my ($w, $f, $a, $v) = @_;
    return "Held { x: 1 }.$f->{name}($a, $v)" if $f->{kind} eq 'method';
    return $w->chance(50) ? "$f->{name}($a, $v)" : "$f->{name}(($a) as i16, $v)" if $f->{kind} eq 'generic';
    return "$f->{name}($a, $v)";
}

# Adds the function F, number N, to TEXT. It calls OTHERS, the functions of lower numbers, and perhaps itself. Of a closure, the function
# around it has the name.
sub rust_function {
    my ($w, $f, $n, $attribute, $others, $text) = @_;
    my %head = (
        function => "fn f$n(a: i32, v: &mut [i32; 4]) -> i32 {",
        closure => "fn f$n(a: i32, v: &mut [i32; 4]) -> i32 { let counted = |a: i32, v: &mut [i32; 4]| -> i32 {",
        method => "impl Held { $attribute fn f$n(&self, a: i32, v: &mut [i32; 4]) -> i32 {",
        generic => "fn f$n<T: Into<i32> + Copy>(given: T, v: &mut [i32; 4]) -> i32 {");
    my %tail = (function => '}', closure => '}; counted(a, v) }', method => '} }', generic => '}');
    push @$text, $attribute if $attribute && $f->{kind} ne 'method';
    push @$text, $head{$f->{kind}};
    $f->{query} = '{closure*}@' . "$f->{file}:" . @$text if $f->{kind} eq 'closure';
    $f->{query} = "f$n<*>" if $f->{kind} eq 'generic';
    push @$text, "\tCOUNT[$n].store(COUNT[$n].load(Relaxed) + 1, Relaxed);";
    $f->{line} = @$text;
    push @$text, "\tlet a: i32 = given.into();" if $f->{kind} eq 'generic';
    push @$text, "\tlet a = a ^ self.x;" if $f->{kind} eq 'method';
    push @$text, "\tif a % " . (2 + $w->random(4)) . ' == ' . $w->random(2) . " { return a.wrapping_add($n); }" if $w->chance(60);
    my @callees = @$others ? map { $w->pick(@$others) } 1 .. $w->random(3) : ();
    for my $kind ($w->shuffled(qw(loop cold switch call))) {
        next unless $w->chance(55);
        if ($kind eq 'loop') {
            push @$text, "\tfor i in 0..(a & 3) { v[(i & 3) as usize] = v[(i & 3) as usize].wrapping_add(a.wrapping_mul(i)); }";
        } elsif ($kind eq 'cold') {
            my $i = $w->random(4);
            push @$text, "\tv[$i] = v[$i].wrapping_sub(1); if v[$i] == " . $w->random(3) . ' { println!("cold {} {}", a, v[1]); v[2] = a; }';
        } elsif ($kind eq 'switch') {
            push @$text, "\tmatch a & 7 { 1 => v[1] = v[1].wrapping_add(1), 2 => { black_box(a); } 5 => v[3] = v[3].wrapping_sub(a), _ => v[2] ^= a }";
        } else {
            push @$text, "\tif a & " . (1 << $w->random(3)) . ' != 0 { v[0] = v[0].wrapping_add(' . rust_call($w, $_, 'a.wrapping_sub(1)', 'v') . '); }'
                for @callees;
        }
    }
    push @$text, "\tif a > 0 { v[3] = v[3].wrapping_add(f$n(a / 2 - 1, v)); }" if $f->{kind} eq 'function' && $attribute !~ /always/ && $w->chance(15);
    push @$text, ($w->chance(50) ? "\tv[(a & 3) as usize].wrapping_add(a)" : "\ta.wrapping_mul(3)"), $tail{$f->{kind}};
}

1;
