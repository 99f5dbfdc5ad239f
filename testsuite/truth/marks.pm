# SPDX-License-Identifier: GPL-2.0-or-later
# Arguments of marks in generated programs: what the program prints of each expression against what ktap reads from the operand.
#
# A program has several files whose static variables share their names. Each mark is a function of its own, with expressions of all
# types that lead to registers, memory, symbols, sums and constants. The compiler, its options and the constraint of the operands are
# drawn for each program.
package marks;
use strict;
use warnings;

our $about = 'arguments of marks against what the program prints of them';
our $kernels = '6.1';

my $PROGRAMS = 6;
my $UNITS = 3;
my $MARKS = 3;      # of a unit
my $ROUNDS = 3;     # calls of each mark

my @types = ('signed char', 'unsigned char', 'short', 'unsigned short', 'int', 'unsigned', 'long', 'unsigned long', 'long long',
    'unsigned long long');

# Expressions of an argument: C, and the variables of the file that it names. T is a type, M a member, N an index.
my @forms = (
    { name => 'variable', text => 'cnt' }, { name => 'member', text => 'gst.M' }, { name => 'element', text => 'tab[N]' },
    { name => 'index', text => 'tab[i]' }, { name => 'sum-index', text => 'tab[i + j]' }, { name => 'member-index', text => 'arr[i].M' },
    { name => 'global', text => 'GLOBAL' }, { name => 'thread', text => 'mine' }, { name => 'inner', text => 'inner' },
    { name => 'pointer', text => 'p->M' }, { name => 'pointer-index', text => 'q[i]' }, { name => 'stack', text => 'local' },
    { name => 'parameter', text => '(T)i' }, { name => 'computed', text => '(T)(i * 3 + j - cnt)' }, { name => 'constant', text => '(T)C' },
    { name => 'wide-parameter', text => '(T)wide' }, { name => 'register', text => 'held' }, { name => 'address', text => '&tab[N]' },
    { name => 'address-global', text => '&GLOBAL' }, { name => 'address-function', text => '&CALLED' },
    { name => 'double', text => '(double)i', float => 1 }, { name => 'float', text => '(float)cnt', float => 1 },
);

sub round {
    my ($w) = @_;
    my %has = map { $_->[0] => compiles($w, @$_[1 .. $#$_]) } ['gcc', 'gcc'], ['clang', 'clang'], ['g++', 'g++', '-x', 'c++'],
        ['clang++', 'clang++', '-x', 'c++'], ['m32', 'gcc', '-m32', '-idirafter', '/usr/include/x86_64-linux-gnu'];
    die 'systemtap-sdt-dev or gcc is not installed' unless $has{gcc};
    my @programs = map { program($w, "p$_", \%has) } 0 .. $PROGRAMS * $w->size - 1;
    my $script = join '', map { script($_) } @programs;
    $w->file('script.stp', $script);
    $w->file('all', join '', map { "./$_->{name}\n" } @programs);
    defined $w->session('marks', '-c', 'sh ./all', 'script.stp') or die "ktap refuses the script: $w->{refusal}";
    my $results = $w->boot;
    die "the session failed: $results->{'marks.err'}" if $results->{'marks.status'} != 0;
    my (%truth, %told);
    for (split /\n/, $results->{'marks.out'}) {
        push @{$truth{$1}}, [split ' ', $2] if /^T (p\d+ \w+)(.*)/;
        push @{$told{$1}}, [split ' ', $2] if /^K (p\d+ \w+)(.*)/;
    }
    check($w, $_, \%truth, \%told) for @programs;
}

# Does the compiler with these words make programs with marks?
sub compiles {
    my ($w, @words) = @_;
    $w->file('try.c', "#include <sys/sdt.h>\n#include <errno.h>\nint main(void) { DTRACE_PROBE1(p, m, errno); return 0; }\n");
    my $works = eval { !$w->run(@words, '-o', 'try', 'try.c')->{status} };
    $w->skip("without @words[0 .. (@words > 1 ? 1 : 0)]") unless $works;
    return $works;
}

# Compares all marks of program P.
sub check {
    my ($w, $p, $truth, $told) = @_;
    for my $mark (@{$p->{marks}}) {
        my $key = "$p->{name} $mark->{name}";
        my ($expected, $got) = map { $_->{$key} // [] } $truth, $told;
        next unless $w->compare('hits', "$p->{how}: $key", $ROUNDS, scalar @$got) && $w->compare('calls', $key, $ROUNDS, scalar @$expected);
        for my $call (0 .. $ROUNDS - 1) {
            for my $i (0 .. $#{$mark->{args}}) {
                my $arg = $mark->{args}[$i];
                my $value = $got->[$call][$i];
                my $why = defined $value && $value eq '-' ? may_refuse($p, $mark, $arg) : undef;
                if ($why) {
                    $w->skip($why);
                    next;
                }
                $w->compare($arg->{name}, "$p->{how}: $key, \$arg" . ($i + 1) . " is $arg->{text}, call $call",
                    $arg->{float} ? '-' : $expected->[$call][$i], $value);
            }
        }
    }
}

# Returns why ktap may refuse the argument, or undef when it must read it.
sub may_refuse {
    my ($p, $mark, $arg) = @_;
    return undef if $arg->{float};
    return 'without -g, in a global function' if !$p->{g} && !$mark->{static};
    return 'clang names one of two registers' if $p->{m32} && $p->{how} =~ /^clang/ && $mark->{registers};
    # The label of a constant in memory is the assembler's own, ".LCPI7_0".
    return 'a constant at a label that no symbol table has' if $arg->{name} eq 'constant' && $mark->{no_constants};
    return 'thread-local in 32 bits' if $arg->{name} eq 'thread' && $p->{m32};
    return 'thread-local in a library' if $arg->{name} eq 'thread' && $p->{library};
    return 'an address that another file may define' if $arg->{name} =~ /^address-/ && $p->{library};
    return undef;
}

# Draws a program and compiles it.
sub program {
    my ($w, $name, $has) = @_;
    my $compiler = $w->chance(75) || !$has->{clang} ? 'gcc' : 'clang';
    my $m32 = $w->chance(25) && $has->{m32};
    my $library = $w->chance(15);
    my $pie = $library ? '-fPIC' : $w->chance(60) ? '-fPIE' : '-fno-pie';
    my @flags = ($w->pick('-O0', '-O1', '-O2', '-O2', '-O3', '-Os'), $pie, $w->pick('-g', '-g', '-g', '-g0', '-gdwarf-4'));
    push @flags, '-m32', '-idirafter', '/usr/include/x86_64-linux-gnu' if $m32;
    push @flags, '-flto' if $compiler eq 'gcc' && !$library && $w->chance(10);
    push @flags, '-fomit-frame-pointer' if $w->chance(20);
    push @flags, '-fno-omit-frame-pointer' if $w->chance(20);
    my $p = { name => $name, m32 => $m32, library => $library, g => !grep({ $_ eq '-g0' } @flags), marks => [],
        how => "$compiler @flags" };
    my $main = "#include <stdio.h>\n";
    my (@objects, $cplus);
    for my $u (0 .. $UNITS - 1) {
        my $is_cplus = $w->chance(20) && !$m32 && $has->{cplus($compiler)};
        my $constraint = $w->pick('nor', 'nor', 'nor', 'g', 'r', 'nr', 'm', 'rm');
        my $file = "$name-u$u." . ($is_cplus ? 'cc' : 'c');
        $cplus ||= $is_cplus;
        for my $few (0, 1) {
            my ($text, @marks) = unit($w, $p, $u, $constraint, $few);
            $w->file($file, $text);
            my $result = $w->run($is_cplus ? cplus($compiler) : $compiler, $is_cplus ? '-std=gnu++14' : '-std=gnu11', '-w', @flags, '-c', '-o',
                "$file.o", $file);
            if (!$result->{status}) {
                push @{$p->{marks}}, @marks;
                push @objects, "$file.o";
                $main .= "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid run_$u(void);\n";
                last;
            }
            # A mark may need more registers than there are.
            die "cannot compile $file\n$result->{err}" unless $result->{err} =~ /impossible|(?:explicit|address of) register variable|ran out of registers|register allocation|constraint|directly addressable|more than|requiring an lvalue/;
            $w->skip('the compiler has not enough registers') if $few;
            $constraint = 'nor';
        }
    }
    my @called = map { /-u(\d)\./ ? $1 : () } @objects;
    $w->file("$name.c", "$main\nint main(void)\n{\n\tsetvbuf(stdout, NULL, _IOLBF, 0);\n\tfor (int n = 0; n < $ROUNDS; n++) {\n"
        . join('', map { "\t\trun_$_();\n" } @called) . "\t}\n\treturn 0;\n}\n");
    $w->must($compiler, '-w', @flags, '-c', '-o', "$name.o", "$name.c");
    my $link = $cplus ? cplus($compiler) : $compiler;
    if ($library) {
        $w->must($link, @flags, '-shared', '-o', "$name.so", @objects);
        @objects = ("./$name.so");
    }
    $w->must($link, @flags, $pie eq '-fno-pie' ? '-no-pie' : '-pie', '-o', $name, "$name.o", @objects);
    return $p;
}

sub cplus {
    my ($compiler) = @_;
    return $compiler eq 'gcc' ? 'g++' : 'clang++';
}

# A number that fits nowhere in particular.
sub number {
    my ($w) = @_;
    return sprintf '0x%x%08xULL', $w->random(0x7fffffff) * 2 + $w->random(2), $w->random(0x7fffffff) * 2 + $w->random(2);
}

# Draws the text of unit U and its marks. FEW: of one argument each, for compilers that did not get along with more.
sub unit {
    my ($w, $p, $u, $constraint, $few) = @_;
    my %type = map { $_ => $w->pick(@types) } qw(cnt tab mine inner local held global a b c d);
    my $values = join ', ', map { "($type{tab})" . number($w) } 0 .. 7;
    my $structure = join ' ', map { "$type{$_} $_;" } qw(a b c d);
    my $filled = join ', ', map { "($type{$_})" . number($w) } qw(a b c d);
    my @marks = map { { name => "m${u}_$_", static => $w->chance(50), inside => $w->chance(50), args => [] } } 0 .. $MARKS - 1;
    my $text = <<"END";
#define STAP_SDT_ARG_CONSTRAINT $constraint
#include <stdio.h>
#include <sys/sdt.h>
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noipa))
#endif
#ifdef __cplusplus
#define C extern "C"
#else
#define C
#endif
struct s { $structure };
static $type{cnt} cnt = ($type{cnt})@{[number($w)]};
static $type{tab} tab[8] = { $values };
static struct s gst = { $filled };
static struct s arr[4] = { { $filled }, { $filled } };
static __thread $type{mine} mine = ($type{mine})@{[number($w)]};
$type{global} global_$u = ($type{global})@{[number($w)]};
C void called_$u(void);
C KEPT void called_$u(void) { __asm__ volatile(""); }
END
    for my $mark (@marks) {
        my $n = $few ? 1 : 1 + $w->random($constraint =~ /o|g/ ? 8 : 3);
        while (@{$mark->{args}} < $n) {
            my %form = %{$w->pick(@forms)};
            next if $form{name} eq 'inner' && !$mark->{inside};
            my ($t, $m, $index, $c) = ($w->pick(@types), $w->pick(qw(a b c d)), $w->random(8), number($w));
            my $c_type = "($t)";
            $form{text} =~ s/\(T\)/$c_type/;
            $form{text} =~ s/\bM\b/$m/;
            $form{text} =~ s/\bN\b/$index/;
            $form{text} =~ s/\bC$/$c/;
            $form{text} =~ s/GLOBAL/global_$u/;
            $form{text} =~ s/CALLED/called_$u/;
            # An address is a number of the size of a pointer.
            $form{printed} = $form{name} =~ /^address/ ? "(unsigned long)($form{text})" : $form{text};
            push @{$mark->{args}}, \%form;
        }
        $mark->{registers} = $constraint !~ /[omg]/;
        $mark->{no_constants} = $constraint !~ /[ng]/;
        $text .= mark($w, $mark, $p, \%type);
    }
    $text .= "C void run_$u(void);\nC void run_$u(void)\n{\n\tstatic long n;\n\tlong i = ++n, j = n % 3;\n";
    $text .= join '', map { "\tprinted_$_->{name}(i, j, &gst, tab, ((long long)i << 40) - j);\n" } @marks;
    $text .= "\tcnt += ($type{cnt})@{[number($w)]}; mine += 3; global_$u -= 7; gst.a++; gst.b--; gst.c += 5; gst.d -= ($type{d})@{[number($w)]};\n"
        . "\tfor (int k = 0; k < 8; k++) tab[k] = ($type{tab})(tab[k] * 3 + k);\n"
        . "\tfor (int k = 0; k < 4; k++) arr[k].a += k + 1, arr[k].b -= 2, arr[k].c += 9, arr[k].d ^= 0x55;\n}\n";
    return ($text, @marks);
}

# The function that has MARK, and the one that prints what its arguments are and calls it.
sub mark {
    my ($w, $mark, $p, $type) = @_;
    my ($name, @args) = ($mark->{name}, @{$mark->{args}});
    my $parameters = "long i, long j, struct s *p, $type->{tab} *q, long long wide";
    my %used = map { $_->{name} => 1 } @args;
    my $register = $p->{m32} ? $w->pick(qw(esi edi)) : $w->pick(qw(rbx r8 r9 r10 r12 r13 r14 r15));
    my $held_type = $p->{m32} && $type->{held} =~ /long long/ || $type->{held} =~ /char/ ? 'int' : $type->{held};
    my $locals = ($used{stack} ? "\tvolatile $type->{local} local = ($type->{local})(i * 7 - j);\n" : '')
        . ($used{inner} ? "\tstatic $type->{inner} inner = 5;\n" : '');
    # A register that is chosen keeps its value to the next call only.
    my $held = "($held_type)(i * 11 + j)";
    my $prints = "\tprintf(\"T $p->{name} $name\");\n"
        . join('', map { "\tprintf(\" %lld\", (long long)(" . ($_->{name} eq 'register' ? $held : $_->{printed}) . "));\n" } @args) . "\tputs(\"\");\n";
    my $keep = $used{register}
        ? "\tregister $held_type held __asm__(\"$register\") = $held;\n\t__asm__ volatile(\"\" : \"+r\"(held));\n" : '';
    my $probe = "\tSTAP_PROBE" . @args . "(prov, $name, " . join(', ', map { $_->{text} } @args) . ");\n";
    my $after = $used{inner} ? "\tinner += (($type->{inner})i) * 2 + 1;\n" : '';
    my $attributes = ($mark->{static} ? 'static' : 'C') . ' KEPT';
    return ($mark->{static} ? '' : "C void $name($parameters);\n") . "$attributes void $name($parameters)\n{\n$locals"
        . ($mark->{inside} ? $prints : '') . "$keep$probe$after\t__asm__ volatile(\"\" ::: \"memory\");\n}\n"
        . "static KEPT void printed_$name($parameters)\n{\n" . ($mark->{inside} ? '' : "$locals$prints") . "\t$name(i, j, p, q, wide);\n}\n";
}

# The probes of program P.
sub script {
    my ($p) = @_;
    my $file = $p->{library} ? "./$p->{name}.so" : "./$p->{name}";
    return join '', map {
        my $mark = $_;
        "probe process(\"$file\").mark(\"$mark->{name}\") {\n\tprintf(\"K $p->{name} $mark->{name}\")\n"
            . join('', map { "\tif (\@defined(\$arg$_)) printf(\" %d\", \$arg$_) else printf(\" -\")\n" } 1 .. @{$mark->{args}})
            . "\tprintln(\"\")\n}\n";
    } @{$p->{marks}};
}

1;
