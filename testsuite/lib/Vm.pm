# SPDX-License-Identifier: GPL-2.0-or-later
# Tests that run in a kernel: modules are built here, then one VM a kernel runs all of them.
#
# For each kernel: ktap -p4 -m NAME for every test (a few at a time), then ktap-vm RELEASE -- vm-session PLAN, which
# runs ktaprun on each module and sends back stdout, stderr, status and the kernel's complaints. When the VM dies, the
# test that was running has failed, with the console's last lines; the rest continue on a fresh boot.
package Vm;
use strict;
use warnings;
use File::Basename ();
use File::Path ();
use Compare;
use Directives;
use Pool;
use Process;
use Session;

my $BUILD_TIMEOUT = 900;  # the first of a kernel builds the kit
my $BOOT_TIMEOUT = 300;   # over the sum of the tests' own limits
my $STALLS = 3;           # boots in a row without a finished test

# "6.12.117+deb12-cloud-amd64" -> sort key and family ("6.12-cloud-amd64")
sub release_parts {
    my ($release) = @_;
    my @numbers = $release =~ /(\d+)/g;
    my ($version) = $release =~ /^(\d+\.\d+)/;
    (my $flavour = $release) =~ s/^[^-]*(?:-\d+)?//;
    return (join('', map { sprintf '%06d', $_ } @numbers[0 .. ($#numbers > 4 ? 4 : $#numbers)]),
        (defined $version ? $version : '') . $flavour);
}

# The installed kernels that have an image and a build tree: the newest of each version and flavour. Those of
# scripts/check-debug-kernels are among them only when $KTAP_TEST_KERNELS names them or their flavour.
sub all_kernels {
    my %newest;
    my @only = split(' ', $ENV{KTAP_TEST_KERNELS} || '');
    for my $dir (glob('/lib/modules/*')) {
        my ($release) = $dir =~ m{([^/]+)$};
        next if debugging($release) && !grep { $_ eq flavour($release) || $_ eq $release } @only;
        next unless image($release) && -e "$dir/build/Makefile";
        my ($key, $family) = release_parts($release);
        $newest{$family} = [$key, $release] if !$newest{$family} || $newest{$family}[0] lt $key;
    }
    my @all = map { $_->[1] } sort { $a->[0] cmp $b->[0] } values %newest;
    return @only ? grep { selected($_, @only) } @all : @all;
}

# The boot image of RELEASE, or undef: Debian has it in /boot until 7.2, Fedora and Arch have it beside the modules, as Debian since 7.3.
sub image {
    my ($release) = @_;
    return (grep { -e $_ } "/boot/vmlinuz-$release", "/lib/modules/$release/vmlinuz")[0];
}

sub config_of {
    my ($release) = @_;
    return Process::read_file("/lib/modules/$release/build/.config");
}

# Does the kernel's configuration CONFIG answer WORD with yes?
sub configured {
    my ($config, $word) = @_;
    my ($not, $option, $value) = $word =~ /^(!?)(\w+)(?:=([ym]))?$/ or die "needs-config: cannot read '$word'\n";
    $value = '[ym]' unless defined $value;
    return ($config =~ /^CONFIG_$option=$value$/m ? 1 : 0) != ($not ? 1 : 0);
}

# Words for ktap that sign a module for RELEASE, with the key of its build, where it loads no other (MODULE_SIG_FORCE).
sub signing {
    my ($release) = @_;
    my $key = "/lib/modules/$release/build/certs/signing_key";
    return configured(config_of($release), 'MODULE_SIG_FORCE') ? "--sign-module=$key.pem,$key.x509" : ();
}

# What RELEASE lacks of WORDS, which ask for its configuration: SECURITY is built in or a module, OVERLAY_FS=m is a module, !KASAN is
# absent, A|B is one of them. Only kernels of scripts/check-debug-kernels and those of another machine may lack something: on the others a test that cannot
# run fails. X86_64 is the word of tests with assembler, registers or programs of that machine.
sub lacks {
    my ($release, @words) = @_;
    return () unless @words;
    my $config = config_of($release);
    return () unless debugging($release) || $config !~ /^CONFIG_X86_64=y$/m;
    return grep { !grep { configured($config, $_) } split /\|/ } @words;
}

# Why a test is skipped on RELEASE, or ''.
sub lacks_text {
    my ($release, @words) = @_;
    my @lacks = lacks($release, @words);
    return @lacks ? "$release is configured without: @lacks" : '';
}

# Words of the directive KEY of a shell test, its text being TEXT.
sub shell_words {
    my ($text, $key) = @_;
    return map { split(' ', $_) } $text =~ /^#! *\Q$key\E: *(.*)$/mg;
}

# Which turn it is: $KTAP_TEST_TURN, by default a number of the commit.
sub turn {
    my $top = File::Basename::dirname(__FILE__) . '/../..';
    return $ENV{KTAP_TEST_TURN} if defined $ENV{KTAP_TEST_TURN};
    my $commit = qx(git -c 'safe.directory=*' -C '$top' rev-parse HEAD 2>/dev/null);
    $ENV{KTAP_TEST_TURN} = $commit =~ /^([0-9a-f]{7})/ ? hex($1) % 12 : 0; # a tarball has none
    return $ENV{KTAP_TEST_TURN};
}

# Of KERNELS, those on which the test NAME runs: one of them, which changes from commit to commit. $KTAP_TEST_KERNELS asks for all.
sub in_turn {
    my ($name, @kernels) = @_;
    return @kernels if defined $ENV{KTAP_TEST_KERNELS} || !@kernels;
    return $kernels[(unpack('%32C*', File::Basename::basename($name)) + turn()) % @kernels];
}

# Those on which the shell test FILE runs: one of all that tests run on and that it asks for in `#! also-on: rt`, in turn. One that compares
# kernels, or is about the oldest, says `#! kernels: all`. `#! needs-config: WORD...`: see lacks(); the reasons are appended to SKIPPED.
sub kernels {
    my ($file, $skipped) = @_;
    my $text = defined $file && -e $file ? Process::read_file($file) : '';
    my %d = (also_on => [shell_words($text, 'also-on')]);
    my @needs = shell_words($text, 'needs-config');
    my @all = grep { wanted(\%d, $_) } all_kernels();
    push @$skipped, grep { $_ ne '' } map { lacks_text($_, @needs) } @all;
    @all = grep { !lacks($_, @needs) } @all;
    my ($which) = $text =~ /^#! *kernels: *(.*)$/m;
    die "$file: a shell test may say 'kernels: all', not '$which'\n" if defined $which && $which ne 'all';
    return defined $which || !defined $file ? @all : in_turn($file, @all);
}

# Whether RELEASE is meant by one of WORDS: a flavour ("rt"), its short name, or its beginning, ending where a number
# ends. A bare version means the kernel that has debugging information, not its flavours: "6.1" is not "6.1-rt".
sub selected {
    my ($release, @words) = @_;
    for my $word (@words) {
        return 1 if $word eq $release || $word eq short_name($release);
        return 1 if $word =~ /^[a-z]/ && $release =~ /-\Q$word\E\b/;
        return 1 if !extra($release) && $release =~ /^\Q$word\E(?![0-9])/;
    }
    return 0;
}

# Kernels for which a test is run only where it says so (`also-on: rt`): those that have no debugging information.
sub extra {
    my ($release) = @_;
    return $release =~ /-rt\b/;
}

sub flavour {
    my ($release) = @_;
    return $release =~ /-([a-z]+)$/ ? $1 : '';
}

# Kernels that scripts/check-debug-kernels builds.
sub debugging {
    my ($release) = @_;
    return flavour($release) =~ /^ktap/;
}

sub short_name {
    my ($release) = @_;
    return flavour($release) if debugging($release);
    my ($version) = $release =~ /^(\d+\.\d+)/;
    return $release =~ /\brt\b/ ? "$version-rt" : defined $version ? $version : $release;
}

# Builds the module of one test; a warning of the compiler fails it. It runs in the pool, whose results are texts: name, status and problems, or
# folder, "built" and what ktap wrote on stderr.
sub build_module {
    my ($o, $job) = @_;
    my ($test, $d) = @$job{qw(test d)};
    my $dir = $job->{dir};
    File::Path::remove_tree($dir);
    File::Path::make_path($dir);
    Process::write_file("$dir/$d->{file}", Process::read_file($test->{path}));
    my @words = $o->{words}->($test, $d, '-p4', '-m', $job->{module}, '-r', $job->{release},
        signing($job->{release}));
    my $result = Process::run(argv => \@words, dir => $dir, timeout => $BUILD_TIMEOUT,
        env => { %{$o->{environment}->($d)}, KTAP_BUILD_WARNINGS => 1 });
    $result->{limit} = $BUILD_TIMEOUT;
    return [$dir, 'built', $result->{err}]
        if $result->{status} == 0 && -e "$dir/$job->{module}.ko";
    my $quiet = { %$d, stdout => undef, match => undef, stderr_match => undef };
    my @expected = grep { $_->{kind} eq 'error' } @{$d->{diags}};
    $quiet->{stderr_match} = $d->{stderr_match} if @expected;
    my @problems = Compare::check($quiet, $result);
    @problems = ('ktap -p4 left no module') if !@problems && !@expected;
    return [$job->{name}, 'failed', @problems, "run: cd $dir && @words"] if @problems;
    return [$job->{name}, 'passed'];
}

# What the VM said: {number => {out, err, log, end}}, and the number of the test that began and did not end.
sub read_frames {
    my ($bytes) = @_;
    my (%seen, $open);
    while ($bytes =~ /\G(?:.*?\n)??\@\@(\d+) (\w+) (\d+)\n/gcs) {
        my ($number, $what, $length) = ($1, $2, $3);
        last if length($bytes) - pos($bytes) < $length;
        $seen{$number}{$what} = unpack('u', substr($bytes, pos($bytes), $length));
        $seen{$number}{$what} = '' unless defined $seen{$number}{$what};
        pos($bytes) = pos($bytes) + $length;
        $open = $what eq 'end' ? undef : $number;
    }
    return (\%seen, $open);
}

# The differences of a test that ran in the VM.
sub judge {
    my ($job, $frames) = @_;
    my ($status, $late, $seconds, @left) = split /\t/, $frames->{end};
    my $d = $job->{d};
    my $result = { status => $status, timeout => $late, limit => $job->{limit}, out => $frames->{out},
        err => $job->{built} . $frames->{err} };
    my @problems = Compare::check($d, $result);
    push @problems, "left in the kernel: @left" if @left;
    return ($seconds, @problems, Session::problems($frames->{log}, @{$d->{kernel_log} || []}));
}

# The line counts of a VM, an archive that scripts/coverage reads.
sub keep_counts {
    my ($dir, $name, $archive) = @_;
    return unless $archive;
    File::Path::make_path($dir);
    Process::write_file("$dir/$name.tar.gz", $archive);
}

# Boots once and reports the tests that ended. Returns how many of JOBS, from the front, are done.
sub boot {
    my ($o, $release, $first, @jobs) = @_;
    my $dir = "$o->{work}/vm-$release";
    my $limit = $BOOT_TIMEOUT;
    $limit += $_->{limit} for @jobs[$first .. $#jobs];
    my $result = Process::run(
        argv => ["$o->{build}/ktap-vm", '-n', '-k', '-t', $limit, $release, '--', 'perl',
            "$ENV{SRCDIR}/testsuite/lib/vm-session", "$dir/plan", $first, "$o->{build}/ktaprun",
            (() = glob("$o->{build}/runtime/loader/*.gcno")) ? '/tmp/counts' : ()],
        dir => $dir, timeout => $limit + 30, env => { KTAP_VM_CONSOLE => "$dir/console" });
    my ($seen, $open) = read_frames($result->{out});
    keep_counts("$o->{build}/testsuite/counts", "$release-$first", $seen->{0}{counts});
    my $done = $first;
    while ($done < @jobs && $seen->{$done} && defined $seen->{$done}{end}) {
        my $job = $jobs[$done];
        my ($seconds, @problems) = judge($job, $seen->{$done});
        if (@problems || $o->{keep}) {
            Process::write_file("$job->{dir}/$_", $seen->{$done}{$_}) for qw(out err);
        }
        $o->{report}->($seconds, [$job->{name}, @problems ? 'failed' : 'passed', @problems,
            @problems ? "run: see $job->{dir}" : ()]);
        $done++;
    }
    return $done if $done >= @jobs;
    my @console = split /\n/, $result->{err};
    @console = @console[-60 .. -1] if @console > 60;
    if (defined $open && $open == $done) {
        $o->{report}->(0, [$jobs[$done]{name}, 'failed', 'the VM ended during this test:',
            map { "| $_" } @console]);
        return $done + 1;
    }
    $o->{console} = \@console;
    return $done;
}

# The kernel's randomize_va_space for the test FILE: programs have random addresses where it probes them or looks at their stacks, unless a
# shell test says `#! addresses: fixed`. Elsewhere they have fixed ones: QEMU keeps translated code by its virtual address, and starting
# a program takes it half as long if the program was at that address before.
sub randomize {
    my ($file) = @_;
    my $text = Process::read_file($file);
    return 0 if grep { $_ eq 'fixed' } shell_words($text, 'addresses');
    return $text =~ /\b(?:process|python[23])(?:\(|\.(?!sh\b)\w)|u(?:stack|backtrace|sym|caller)|\@var\b/ ? 2 : 0;
}

sub run_kernel {
    my ($o, $release, @jobs) = @_;
    my $dir = "$o->{work}/vm-$release";
    my ($plan, $first, $stalls) = ('', 0, 0);
    for my $job (@jobs) {
        my $d = $job->{d};
        my @words = @{$d->{run_options} || []};
        push @words, '-c', $d->{command} if defined $d->{command};
        $plan .= join("\t", $job->{name}, "$job->{dir}/$job->{module}.ko", $job->{limit},
            randomize($job->{test}{path}), map { unpack('H*', $_) } @words) . "\n";
    }
    Process::write_file("$dir/plan", $plan);
    while ($first < @jobs && $stalls < $STALLS) {
        my $done = boot($o, $release, $first, @jobs);
        $stalls = $done == $first ? $stalls + 1 : 0;
        $first = $done;
    }
    for my $job (@jobs[$first .. $#jobs]) {
        my $lines = delete $o->{console};
        $o->{report}->(0, [$job->{name}, 'failed', "the VM of $release did not get so far",
            $lines ? map { "| $_" } @$lines : ()]);
    }
}

sub wanted {
    my ($d, $release) = @_;
    return selected($release, @{$d->{also_on} || []}) if extra($release);
    return !$d->{kernels} || selected($release, @{$d->{kernels}});
}

# The job of TEST on RELEASE, or what is wrong with its directives.
sub make_job {
    my ($o, $test, $release, $number) = @_;
    my $d = Directives::parse($test->{path});
    ($d->{file}) = $test->{path} =~ m{([^/]+)$};
    (my $word = $test->{name}) =~ tr/A-Za-z0-9_/_/c;
    (my $base = $test->{name}) =~ s{^[^/]*/}{};
    $base =~ tr/A-Za-z0-9_/_/c;
    return { test => $test, d => $d, release => $release, name => "$test->{name} [" . short_name($release) . ']',
        module => lc('kt_' . substr($base, 0, 40) . "_$number"), limit => $d->{timeout} || 300,
        dir => "$o->{work}/vm-$release/$word" };
}

# The jobs of RELEASE.
sub jobs_of {
    my ($o, $release, @kernels) = @_;
    my @jobs;
    for my $test (@{$o->{tests}}) {
        my $job = make_job($o, $test, $release, scalar @jobs);
        my $d = $job->{d};
        my @its = grep { wanted($d, $_) } @kernels;
        @its = in_turn($test->{name}, @its) unless $test->{kind} eq 'smoke';
        if (@{$d->{bad}}) {
            $o->{report}->(0, [$job->{name}, 'failed', @{$d->{bad}}]);
        } elsif (defined $d->{process_only} || !grep { $_ eq $release } @its) {
            next;
        } elsif (my ($absent) = grep { !grep { -e } glob("$o->{build}/$_") } @{$d->{needs} || []}) {
            $o->{report}->(0, [$job->{name}, 'skipped', "$absent is not in this build"]);
        } else {
            my $lacks = lacks_text($release, @{$d->{needs_config} || []});
            push @jobs, $job if $lacks eq '';
            $o->{report}->(0, [$job->{name}, 'skipped', $lacks]) if $lacks ne '';
        }
    }
    File::Path::make_path("$o->{work}/vm-$release") if @jobs;
    return @jobs;
}

# Builds the modules of JOBS, a reference to a list for each kernel; of those whose module could not be built it reports why, and takes them out.
sub build_jobs {
    my ($o, @jobs) = @_;
    my %built;
    my $collect = sub {
        my ($seconds, @results) = @_;
        for my $result (@results) {
            if ($result->[1] eq 'built') {
                $built{$result->[0]} = $result->[2];
            } else {
                $o->{report}->($seconds, $result);
            }
        }
    };
    # The first build of a kernel makes its kit; the others would wait for it.
    Pool::each_of($o->{jobs}, $collect, sub { build_module($o, $_[0]) }, map { $_->[0] } @jobs);
    Pool::each_of($o->{jobs}, $collect, sub { build_module($o, $_[0]) }, map { @$_[1 .. $#$_] } @jobs);
    for my $list (@jobs) {
        @$list = grep { defined $built{$_->{dir}} } @$list;
        $_->{built} = $built{$_->{dir}} for @$list;
    }
}

# TESTS => list, JOBS => n, REPORT => function, WORK, BUILD => folders, WORDS => function that makes ktap's words. Builds the modules, on all
# processors. Returns for each kernel what run_batch() runs.
sub batches {
    my %o = @_;
    my @kernels = all_kernels();
    unless (@kernels) {
        $o{report}->(0, map { [$_->{name}, 'skipped', 'no kernel to boot is installed or selected'] }
            @{$o{tests}});
        return;
    }
    my @batches = grep { @{$_->{jobs}} }
        map { { name => $_, jobs => [jobs_of(\%o, $_, @kernels)], o => \%o } } @kernels;
    build_jobs(\%o, map { $_->{jobs} } @batches);
    return grep { @{$_->{jobs}} } @batches;
}

# Returns the results, each with its seconds before it.
sub run_batch {
    my ($batch) = @_;
    my @results;
    my $keep = sub { my ($seconds, @r) = @_; push @results, map { [$seconds, @$_] } @r };
    run_kernel({ %{$batch->{o}}, report => $keep }, $batch->{name}, @{$batch->{jobs}});
    return @results;
}

1;
