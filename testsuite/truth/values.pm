# SPDX-License-Identifier: GPL-2.0-or-later
# Structures of random members, in programs of gcc and clang: what the program prints of each member, and of the whole in the form of
# $x$$, is what ktap reads by pointer, by value, by @var and by @cast.
package values;
use strict;
use warnings;

our $about = 'members of random structures in programs, against what the program prints';
our $kernels = '6.1';

my $STRUCTURES = 5;     # of a program
my $LEAVES = 24;        # of a structure: $x$$ shows 32
my $PROGRAMS = 2;       # of a round of size 1

my %BITS = (short => 16, 'unsigned short' => 16, int => 32, unsigned => 32, long => 64, 'unsigned long' => 64, 'long long' => 64);
my @NUMBERS = (sort(keys %BITS));
my @COLORS = ([RED => 1], [GREEN => 200], [BLUE => -3]);

sub number { my ($w) = @_; return '(long long)0x' . sprintf('%x%08x', $w->random(1 << 30) << 2 | $w->random(4), $w->random(1 << 30) << 2) . 'ull' }

# A member in quotes, as $x$ prints one character or a string.
sub escaped {
    my ($text) = @_;
    my %named = ("\n" => '\n', "\t" => '\t', '"' => '\"', '\\' => '\\\\');
    return join '', map { $named{$_} // (/[ -~]/ ? $_ : sprintf '\\%03o', ord) } split //, $text;
}

# Each kind of member returns { decl => what C declares, set => statements, show => format of $x$$, args => C for it, leaves => paths }.
# NAME: the member's; PATH: in C, from the variable.
sub leaf {
    my ($name, $path, $decl, $set, $signed) = @_;
    my $cast = $signed ? '(long long)' : '(unsigned long long)';
    return { decl => $decl, set => $set, show => $signed ? '%lld' : '%llu', args => ["$cast$path"], leaves => [$path] };
}

sub plain {
    my ($w, $name, $path) = @_;
    my $type = $w->pick(@NUMBERS);
    my $width = $w->chance(60) ? 1 + $w->random($BITS{$type}) : 0;
    return leaf($name, $path, "$type $name" . ($width ? " : $width" : ''), "$path = " . number($w) . ';', $type !~ /unsigned/);
}

sub flag {
    my ($w, $name, $path) = @_;
    my $value = $w->random(2);
    return leaf($name, $path, "_Bool $name" . ($w->chance(50) ? ' : 1' : ''), "$path = $value;", 0);
}

sub color {
    my ($w, $name, $path) = @_;
    my $color = $w->pick(@COLORS);
    return { decl => "enum color $name", set => "$path = $color->[0];", show => $color->[0], args => [], leaves => [$path] };
}

sub array {
    my ($w, $name, $path) = @_;
    my ($type, $n, $m) = ($w->pick(@NUMBERS), 1 + $w->random(3), $w->chance(30) ? 2 : 0);
    my $cast = $type =~ /unsigned/ ? ['%llu', '(unsigned long long)'] : ['%lld', '(long long)'];
    my @paths = map { my $i = $_; $m ? map("$path\[$i][$_]", 0 .. $m - 1) : "$path\[$i]" } 0 .. $n - 1;
    my $row = $m ? '[' . join(', ', ($cast->[0]) x $m) . ']' : $cast->[0];
    return { decl => "$type $name\[$n]" . ($m ? "[$m]" : ''), set => join(' ', map { "$_ = " . number($w) . ';' } @paths),
        show => '[' . join(', ', ($row) x $n) . ']', args => [map { "$cast->[1]$_" } @paths], leaves => \@paths };
}

# A string in a buffer of its length, or a longer one.
sub chars {
    my ($w, $name, $path) = @_;
    my $text = join '', map { $w->pick('a' .. 'z', "\n", "\t", '"', '\\', "\x1b") } 1 .. 1 + $w->random(9);
    my ($size, $type) = (length($text) + $w->random(3), $w->pick('char', 'char', 'unsigned char', 'uint8_t'));
    my $set = "memset($path, 0, $size); memcpy($path, \"" . ($text =~ s/(.)/sprintf('\\%03o', ord $1)/gers) . '", ' . length($text) . ');';
    (my $shown = '"' . escaped($text) . '"') =~ s/%/%%/g;
    return { decl => "$type $name\[$size]", set => $set, show => $shown, args => [], leaves => [map { "$path\[$_]" } 0, $size - 1] };
}

# Bytes that are no text.
sub bytes {
    my ($w, $name, $path) = @_;
    my ($n, $signed) = (2 + $w->random(5), $w->random(2));
    my @values = (1 + $w->random(6), map { $w->random(256) } 2 .. $n);
    my @paths = map { "$path\[$_]" } 0 .. $n - 1;
    return { decl => ($signed ? 'int8_t' : 'uint8_t') . " $name\[$n]", set => join(' ', map { "$paths[$_] = $values[$_];" } 0 .. $n - 1),
        show => '[' . join(', ', ('%d') x $n) . ']', args => [map { "(int)$_" } @paths], leaves => \@paths };
}

sub pointer {
    my ($w, $name, $path) = @_;
    return { decl => "void *$name", set => "$path = (void *)0x" . sprintf('%x', 4096 + $w->random(1 << 30)) . ';', show => '0x%llx',
        args => ["(unsigned long long)(long)$path"], leaves => [], address => "(long)$path" } if $w->chance(50);
    return { decl => "int (*$name)(int)", set => "$path = twice;", show => 'twice', args => [], leaves => [] };
}

# Numbers of which ktap says nothing but that they are there.
sub unread {
    my ($w, $name, $path) = @_;
    my $type = $w->pick('float', 'double', 'unsigned __int128');
    return { decl => "$type $name", set => "$path = 3;", show => '?', args => [], leaves => [] };
}

# A structure or union inside; without a name its members are those of what is around it.
sub inner {
    my ($w, $name, $path, $state) = @_;
    my ($anonymous, $union) = ($w->chance(30), $w->chance(35));
    my $packed = $w->chance(30) ? ' __attribute__((packed))' : '';
    my $inside = record($w, $anonymous ? $path =~ s/\.\w+$//r : $path, $state, $union);
    return { %$inside, decl => ($union ? 'union' : 'struct') . "$packed { $inside->{decl} }" . ($anonymous ? '' : " $name"),
        tag => $anonymous ? ($union ? '<union>' : '<class>') : undef };
}

sub record {
    my ($w, $path, $state, $union) = @_;
    my %all = (decl => '', set => '', args => [], leaves => [], show => '');
    my @shown;
    local $state->{depth} = $state->{depth} + 1;
    for (0 .. 1 + $w->random(4)) {
        last if $state->{left} <= 6;
        my $name = 'm' . $state->{n}++;
        my $make = $union ? $w->pick(\&plain, \&array) : $w->pick(\&plain, \&plain, \&plain, \&flag, \&color, \&array, \&chars, \&bytes, \&pointer,
            \&unread, $state->{depth} < 3 ? (\&inner, \&inner) : ());
        my $m = $make->($w, $name, "$path.$name", $state);
        $all{decl} .= " $m->{decl};";
        $all{set} .= " $m->{set}" unless $union && @shown;
        push @{$all{args}}, @{$m->{args}};
        push @{$all{leaves}}, @{$m->{leaves}};
        push @shown, ($m->{tag} // ".$name") . "=$m->{show}";
        $state->{left} -= 1 + @{$m->{args}} unless $make == \&inner;
    }
    $all{show} = '{' . join(', ', @shown) . '}';
    return \%all;
}

# ---- a program and its script ----
sub c_string { return '"' . ($_[0] =~ s/([\\"])/\\$1/gr) . '"' }

sub structure {
    my ($w, $i) = @_;
    my $packed = $w->chance(45) ? ' __attribute__((packed))' : '';
    my $r = record($w, "g$i", { n => 0, left => $LEAVES, depth => 0 }, 0);
    my $out = join "\n\t", map { "printf(\"T $i $_ %lld\\n\", (long long)$_);" } @{$r->{leaves}};
    my $whole = 'printf(' . c_string("T $i whole $r->{show}") . '"\n"' . join('', map { ", $_" } @{$r->{args}}) . ');';
    return ($r, <<END);
struct s$i {$r->{decl} }$packed;
struct s$i g$i, *volatile at$i = &g$i;
FN int by_pointer$i(struct s$i *p) { __asm__ volatile("" : : "r"(p) : "memory"); return *(char *)p; }
FN int by_value$i(struct s$i v) { __asm__ volatile("" : : "r"(&v) : "memory"); return *(char *)&v; }
static void show$i(void)
{
	$r->{set}
	$out
	$whole
	by_pointer$i(at$i);
	by_value$i(*at$i);
}
END
}

# What ktap prints of each leaf of structure I, whose variable is written BASE, as WHERE.
sub says {
    my ($r, $i, $where, $base) = @_;
    my @lines = map {
        (my $path = $_) =~ s/^g\d+\.//;
        my $value = "$base->" . ($path =~ s/\./->/gr);
        "\tprintf(\"K $i $where $_ %s\\n\", \@defined($value) ? sprintf(\"%d\", $value) : \"?\")";
    } @{$r->{leaves}};
    return join("\n", @lines) . "\n";
}

sub program {
    my ($w, $n, $compiler) = @_;
    my @flags = ($w->pick(qw(-O0 -O1 -O2)), $w->pick(qw(-gdwarf-3 -gdwarf-4 -gdwarf-5)));
    my ($source, $script, $name) = ('', '', "p$n");
    for my $i (0 .. $STRUCTURES - 1) {
        my ($r, $text) = structure($w, $i);
        $source .= $text;
        for (['pointer', '$p'], ['value', '$v']) {
            my ($how, $base) = @$_;
            $script .= "probe process(\"./$name\").function(\"by_$how$i\") {\n" . says($r, $i, $how, $base)
                . ($how eq 'pointer' ? says($r, $i, 'var', "\@var(\"g$i\")") . says($r, $i, 'cast', "\@cast(\$p, \"struct s$i\")") : '')
                . "\tprintln(\"K $i $how whole \", \@defined($base) ? $base\$\$ : \"?\")\n}\n";
        }
    }
    my $colors = join ', ', map { "$_->[0] = $_->[1]" } @COLORS;
    $w->file("$name.c", "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n#define FN __attribute__((noinline))\n"
        . "enum color { $colors };\nint twice(int x) { return 2 * x; }\n$source\nint main(void)\n{\n"
        . join('', map { "\tshow$_();\n" } 0 .. $STRUCTURES - 1) . "\treturn 0;\n}\n");
    $w->file("$name.stp", $script);
    $w->must($compiler, @flags, '-w', '-o', $name, "$name.c");
    my $label = "$compiler @flags";
    defined $w->session($name, '-D', 'MAXSTRINGLEN=4096', "$name.stp", '-c', "./$name")
        or $w->compare('builds', $label, 'accepted', $w->{refusal});
    return $label;
}

sub check {
    my ($w, $label, $source, $out) = @_;
    my %truth;
    $truth{"$1 $2"} = $3 while $out =~ /^T (\d+) (\S+) (.*)$/mg;
    die "the program of $label said nothing: $out\n" unless %truth;
    my %said;
    $said{"$1 $3"}{$2} = $4 while $out =~ /^K (\d+) (\w+) (\S+) (.*)$/mg;
    for my $case (sort keys %truth) {
        for my $where ('pointer', 'value', $case =~ /whole/ ? () : ('var', 'cast')) {
            my $told = $said{$case}{$where};
            if ($where eq 'value' && defined $told && $told =~ /^\?|=\?/ && $told ne $truth{$case}) {
                $w->skip('a structure by value that is not all there');
                next;
            }
            $w->compare("by $where", "$label, $source: $case", $truth{$case}, $told);
        }
    }
}

sub round {
    my ($w) = @_;
    my @compilers = ('gcc', grep { system("command -v $_ >/dev/null 2>&1") == 0 } 'clang');
    my %labels;
    for my $n (1 .. $PROGRAMS * $w->size) {
        $labels{"p$n"} = program($w, $n, $compilers[$n % @compilers]);
    }
    my $files = $w->boot;
    for my $name (sort keys %labels) {
        check($w, $labels{$name}, "$name.c", $files->{"$name.out"}) if defined $files->{"$name.out"};
    }
}

1;
