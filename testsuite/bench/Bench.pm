# SPDX-License-Identifier: GPL-2.0-or-later
# What the measurements share: a program of a known load, modules of scripts, and one VM whose clock advances one nanosecond an
# instruction (-icount), so that a figure repeats to a fraction of a per cent whatever this machine does meanwhile.
package Bench;
use strict;
use warnings;
use Cwd ();
use File::Basename ();
use File::Path ();
use lib Cwd::abs_path(File::Basename::dirname(__FILE__)) . '/../lib';
use Process;
use Vm;

my $bench = Cwd::abs_path(File::Basename::dirname(__FILE__));
my ($build, $release, $work);
my ($bpftrace) = grep { -x $_ } map { "$_/bpftrace" } split /:/, $ENV{PATH};

# BUILDDIR, or undef for the current directory; RELEASE, or undef for the oldest kernel here. Returns the release.
sub start {
    my ($dir, $kernel) = @_;
    $build = Cwd::abs_path(defined $dir ? $dir : '.');
    -x "$build/ktap" or die "bench: no ktap in $build: say -b BUILDDIR\n";
    ($release) = defined $kernel ? $kernel : Vm::kernels() or die "bench: no kernel is installed\n";
    $work = "$build/testsuite/bench-work";
    $ENV{KTAP_CACHE_DIR} = "$build/testsuite/cache";
    File::Path::remove_tree($work);
    File::Path::make_path($work);
    checked('the load', 'gcc', '-O2', '-g', '-fno-omit-frame-pointer', '-static', '-pthread', '-o', 'load', "$bench/load.c");
    return $release;
}

sub checked {
    my ($what, @argv) = @_;
    my $r = Process::run(argv => \@argv, dir => $work, timeout => 2000);
    die "bench: $what failed with $r->{status}: $r->{err}\n" if $r->{status};
    return $r;
}

sub name { return File::Basename::basename($_[0], '.stp') }

# The scripts of FOLDER, below this one.
sub scripts { return glob("$bench/$_[0]*.stp") }

# A script that is made: its file, with TEXT in it.
sub made {
    my ($name, $text) = @_;
    Process::write_file("$work/$name.stp", $text);
    return "$work/$name.stp";
}

# "# KEY: VALUE" of a script's head.
sub said {
    my ($script, $key) = @_;
    return Process::read_file($script) =~ /^# $key: (.*)$/m ? $1 =~ s/\bLOAD\b/$work\/load/r : undef;
}

# The program's path is the argument of the scripts that ask for one.
sub arguments { return Process::read_file($_[0]) =~ /\@1/ ? "$work/load" : () }

sub ktap { return checked(name($_[0]), "$build/ktap", '-r', $release, @_[1 .. $#_], $_[0], arguments($_[0])) }

# The module of SCRIPT, which is built.
sub module {
    my ($script, @options) = @_;
    (my $module = 'bench_' . name($script)) =~ tr/-/_/;
    ktap($script, '-p4', '-m', $module, @options);
    return "$work/$module.ko";
}

# The BPF programs of SCRIPT, which are built; undef: it has something that they cannot do.
sub programs {
    my ($script, @options) = @_;
    my $r = Process::run(argv => ["$build/ktap", '-r', $release, '-w', '--runtime=bpf', '-p4', @options, $script, arguments($script)], dir => $work, timeout => 2000);
    return undef if $r->{err} =~ /cannot be done by a BPF program|BPF programs cannot/;
    die 'bench: BPF programs of ' . name($script) . " failed: $r->{err}\n" if $r->{status};
    my $file = "$work/" . name($script) . '.bpf';
    rename(($r->{out} =~ s/\n//r), $file) or die "bench: $file: $!\n";
    return $file;
}

# What `ktap -l PATTERN` prints.
sub listed { return checked($_[0], "$build/ktap", '-r', $release, '-l', $_[0])->{out} }

# The programs of the guest.
sub load { return "$work/load" }
sub ktaprun { return "$build/ktaprun" }

# A shell command that runs the module of SCRIPT from its load to its unload.
sub whole_run { return "$work/load run $build/ktaprun -c true " . module($_[0]) }

sub version { return (split /,? /, checked('ktap', "$build/ktap", '--version')->{out})[1] }

sub bpftrace_version { return $bpftrace && checked('bpftrace', $bpftrace, '--version')->{out} =~ s/\s+$//r }

# CPU seconds that the work of CODE and its children take.
sub cpu_seconds {
    my ($code) = @_;
    my ($user, $system) = (times)[2, 3];
    $code->();
    my ($user2, $system2) = (times)[2, 3];
    return $user2 - $user + $system2 - $system;
}

# Runs COMMANDS, [NAME, SHELL COMMAND], in one VM; a command prints "@load NUMBER" on stderr. Returns {NAME => instructions}, or
# nanoseconds with CPUS processors: QEMU does not count the instructions of several. What else they print there is passed on.
sub measure {
    my ($cpus, @commands) = @_;
    my @clock = $cpus ? ('-s', $cpus) : ('-s', 1, '-q', '-icount', '-q', 'shift=0,sleep=off');
    my $session = "cd /tmp\n" . join('', map { "{ $_->[1]; } 2>&1 >/dev/null | sed 's/^/$_->[0] /'\n" } @commands);
    Process::write_file("$work/session", $session);
    my $r = checked('the VM', "$build/ktap-vm", '-n', '-m', 4096, '-t', 1800, @clock, '-a', 'mitigations=off',
        $release, '--', 'sh', "$work/session");
    my %cost;
    for my $line (split /\n/, $r->{out}) {
        if ($line =~ /^(\S+) \@load (\d+)$/) {
            $cost{$1} = $2 / 100;
        } elsif ($line !~ /^\S+\.bt /) {
            print STDERR "$line\n";
        }
    }
    return \%cost;
}

# {name, what, ktap, bpf, bpftrace}: instructions (with CPUS: nanoseconds) that each of SCRIPTS adds to a call of its load, with ARGUMENTS
# for the load: as a module, as BPF programs and in bpftrace. Those are undef where they cannot do the script; bpftrace's, too, where it is not
# installed or the script names none of its.
sub added {
    my ($cpus, $arguments, @scripts) = @_;
    my (%load, @commands);
    for my $script (@scripts) {
        my $load = (said($script, 'load') || 'getpgid') . $arguments;
        my $peer = $bpftrace && said($script, 'bpftrace');
        push @commands, ["none:$load" =~ tr/ /_/r, "$work/load $load"] unless grep { $_ eq $load } values %load;
        $load{$script} = $load;
        push @commands, [name($script), "$build/ktaprun -c '$work/load $load' " . module($script)];
        my $programs = programs($script);
        push @commands, [name($script) . '.bpf', "$build/ktaprun -c '$work/load $load' $programs"] if $programs;
        next unless $peer;
        Process::write_file("$work/" . name($script) . '.bt', "$peer\n");
        push @commands, [name($script) . '.bt', "bpftrace -c '$work/load $load' $work/" . name($script) . '.bt'];
    }
    my $cost = measure($cpus, @commands);
    return map {
        my $none = $cost->{"none:$load{$_}" =~ tr/ /_/r};
        my ($own, $bpf, $peer) = map { defined $_ ? sprintf('%.0f', $_ - $none) + 0 : undef } @$cost{name($_), name($_) . '.bpf', name($_) . '.bt'};
        { name => name($_), script => Process::read_file($_), call => $none, ktap => $own, bpf => $bpf, bpftrace => $peer };
    } @scripts;
}

# {name, instructions, ns, processors, lost}: what ktaprun's session costs a record of each kind, in guest instructions and in this
# machine's nanoseconds, and the part of a processor and the lost records when RATE a second come for two seconds.
sub draining {
    my ($rate) = @_;
    my @kinds = (number => 'one number', values => 'five values', string => 'a string of 37');
    my $module = module(made('drain', "probe begin { println(1) }\n"));
    my $libraries = [map { "$build/lib$_.a" } 'loader', 'core', 'base'];
    my (@commands, @rows);
    checked('the drain', 'gcc', '-O2', "-I$build", "-I$bench/../..", '-o', 'drain', "$bench/drain.c", @$libraries, '-lpthread');
    for (my $i = 0; $i < @kinds; $i += 2) {
        my $out = checked('the drain', 'sh', '-c', "./drain $module $kinds[$i] " . 2 * $rate . " $rate 4 2>&1 >drain.out")->{out};
        my %said = $out =~ /\@(\w+) (\d+)/g;
        my $lines = () = Process::read_file("$work/drain.out") =~ /\n/g;
        die "bench: $lines records of " . 2 * $rate . " with $said{lost} lost were printed\n" if $lines + $said{lost} != 2 * $rate;
        push @rows, { name => $kinds[$i + 1], ns => $said{load} / 100, processors => $said{load} * $said{rate} / 1e11, lost => $said{lost} };
        push @commands, [$kinds[$i], "$work/drain $module $kinds[$i] 500000"];
    }
    my $cost = measure(0, @commands);
    $rows[$_]{instructions} = $cost->{ $commands[$_][0] } for 0 .. $#rows;
    return @rows;
}

# {name, seconds, bytes, bpf_seconds, bpf_bytes}: CPU seconds of `ktap -p4`, kit present, module not cached, the median of TIMES; bytes of the
# module; the same of BPF programs, undef where they cannot do the script.
sub starting {
    my ($times, @scripts) = @_;
    return map {
        my $script = $_;
        my ($module, $programs) = (module($script), programs($script));
        my $seconds = sub {
            my @options = @_;
            my @times = sort { $a <=> $b } map { cpu_seconds(sub { ktap($script, '-p4', '--disable-cache', @options) }) } 1 .. $times;
            return $times[$#times / 2];
        };
        { name => name($script), seconds => $seconds->(), bytes => -s $module,
            $programs ? (bpf_seconds => $seconds->('--runtime=bpf'), bpf_bytes => -s $programs) : () };
    } @scripts;
}

1;
