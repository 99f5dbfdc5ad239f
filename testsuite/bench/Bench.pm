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

# {name, what, ktap, bpftrace}: instructions (with CPUS: nanoseconds) that each of SCRIPTS adds to a call of its load, with ARGUMENTS
# for the load; bpftrace's are undef where it is not installed or the script names none of its.
sub added {
    my ($cpus, $arguments, @scripts) = @_;
    my (%load, @commands);
    for my $script (@scripts) {
        my $load = (said($script, 'load') || 'getpgid') . $arguments;
        my $peer = $bpftrace && said($script, 'bpftrace');
        push @commands, ["none:$load" =~ tr/ /_/r, "$work/load $load"] unless grep { $_ eq $load } values %load;
        $load{$script} = $load;
        push @commands, [name($script), "$build/ktaprun -c '$work/load $load' " . module($script)];
        next unless $peer;
        Process::write_file("$work/" . name($script) . '.bt', "$peer\n");
        push @commands, [name($script) . '.bt', "bpftrace -c '$work/load $load' $work/" . name($script) . '.bt'];
    }
    my $cost = measure($cpus, @commands);
    return map {
        my $none = $cost->{"none:$load{$_}" =~ tr/ /_/r};
        my ($own, $peer) = map { defined $_ ? sprintf('%.0f', $_ - $none) + 0 : undef } @$cost{name($_), name($_) . '.bt'};
        { name => name($_), script => Process::read_file($_), call => $none, ktap => $own, bpftrace => $peer };
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

# {name, seconds, bytes}: CPU seconds of `ktap -p4`, kit present, module not cached, the median of five; bytes of the module.
sub starting {
    my ($times, @scripts) = @_;
    return map {
        my $script = $_;
        my $module = module($script);
        my @times = sort { $a <=> $b } map { cpu_seconds(sub { ktap($script, '-p4', '--disable-cache') }) } 1 .. $times;
        { name => name($script), seconds => $times[$#times / 2], bytes => -s $module };
    } @scripts;
}

1;
