# SPDX-License-Identifier: GPL-2.0-or-later
# One round of a witness: random cases from a seed, what ktap says of them, and what a source says that ktap does not read.
#
# A witness is testsuite/truth/NAME.pm, a package NAME (with _ for -) that has
#	our $about      one line: what is compared with what
#	our $kernels    the kernels that a round needs, as words of KTAP_TEST_KERNELS ("6.1 6.12"); '' when it boots none
#	sub round($w)   draws cases, runs them, and calls $w->compare() for each answer
# Everything random comes from $w, so that a seed and a size give the same round again. A round of size 1 takes less than
# half a minute: the suite runs one of each witness.
package Witness;
use strict;
use warnings;
use File::Path ();
use File::Temp ();
use Process;
use Session;

my $SECONDS = 1200;     # what only something that hangs needs

# SEED, SIZE, BUILD, RELEASE (of the kernel; undef when none is booted).
sub new {
    my ($class, %o) = @_;
    my $dir = File::Temp::tempdir('ktap-truth-XXXXXX', TMPDIR => 1);
    return bless { %o, dir => $dir, state => $o{seed}, plan => '', built => {}, compared => {}, wrong => [], said => 0, skipped => {} }, $class;
}

sub size { return $_[0]{size} }
sub release { return $_[0]{release} }
sub dir { return $_[0]{dir} }

# A number from 0 to N - 1. Knuth's MMIX generator, of which the upper bits are used.
sub random {
    my ($w, $n) = @_;
    { use integer; $w->{state} = $w->{state} * 6364136223846793005 + 1442695040888963407; }
    return (($w->{state} >> 33) & 0x7fffffff) % $n;
}

sub pick {
    my ($w, @from) = @_;
    return $from[$w->random(scalar @from)];
}

# True in PERCENT of a hundred.
sub chance {
    my ($w, $percent) = @_;
    return $w->random(100) < $percent;
}

# LIST in random order.
sub shuffled {
    my ($w, @list) = @_;
    for (my $i = $#list; $i > 0; $i--) {
        my $j = $w->random($i + 1);
        @list[$i, $j] = @list[$j, $i];
    }
    return @list;
}

# Writes a file of the round and returns its path.
sub file {
    my ($w, $name, $text) = @_;
    Process::write_file("$w->{dir}/$name", $text);
    return "$w->{dir}/$name";
}

# Runs a command in the round's directory: { status, out, err, timeout }.
sub run {
    my ($w, @argv) = @_;
    return Process::run(argv => \@argv, dir => $w->{dir}, timeout => $SECONDS,
        env => { KTAP_CACHE_DIR => "$w->{build}/testsuite/cache" });
}

# The same for one that must succeed. Returns its stdout.
sub must {
    my ($w, @argv) = @_;
    my $result = $w->run(@argv);
    die "'@argv' ended with status $result->{status}\n$result->{err}" if $result->{status};
    return $result->{out};
}

# Runs ktap: { status, out, err, timeout }.
sub ktap {
    my ($w, @words) = @_;
    return $w->run("$w->{build}/ktap", @words);
}

# Builds the module kt_NAME for the round's kernel. Returns what ktap wrote on stderr, or undef when it refused; then the reason is in
# $w->{refusal}.
sub module {
    my ($w, $name, @words) = @_;
    my $result = $w->ktap('-p4', '-r', $w->{release}, '-m', "kt_$name", @words);
    $w->{refusal} = $result->{err};
    return undef if $result->{status};
    return $w->{built}{$name} = $result->{err};
}

# Adds shell commands to what the guest runs. Files of the round lie in the guest's current directory, which it may not write;
# $RESULTS is a directory for output, whose files boot() returns.
sub guest {
    my ($w, $commands) = @_;
    $w->{plan} .= "$commands\n";
}

# Builds a script and adds its run to the plan: boot() then returns NAME.out, NAME.err and NAME.status. WORDS are ktap's; what follows
# -c is the target. Returns as module() does.
sub session {
    my ($w, $name, @words) = @_;
    my $messages = $w->module($name, @words);
    return undef unless defined $messages;
    my ($target) = map { $words[$_] eq '-c' ? quoted($words[$_ + 1]) : () } 0 .. $#words - 1;
    $w->guest('"$KTAPRUN" -v ' . (defined $target ? "-c $target " : '')
        . "kt_$name.ko >\$RESULTS/$name.out 2>\$RESULTS/$name.err </dev/null; echo \$? >\$RESULTS/$name.status");
    return $messages;
}

sub quoted {
    my ($text) = @_;
    $text =~ s/'/'\\''/g;
    return "'$text'";
}

# Boots the round's kernel and runs the plan. Returns { FILE of $RESULTS => bytes }. A kernel that complains fails the round.
sub boot {
    my ($w) = @_;
    $w->file('guest', "KTAPRUN=$w->{build}/ktaprun RESULTS=/tmp/ktap-results\nmkdir -p \$RESULTS; exec 3>&1 >\$RESULTS/guest 2>&1\n"
        . "$w->{plan}\ndmesg >\$RESULTS/dmesg; lsmod >\$RESULTS/modules; tar -cf - -C \$RESULTS . >&3\n");
    my $result;
    for (1 .. 2) {
        $result = $w->run("$w->{build}/ktap-vm", '-n', '-t', $SECONDS - 10, $w->{release}, '--', 'sh', './guest');
        # An emulated machine may end before anything of ktap runs in it, once in thousands of boots.
        last unless $result->{status} && $result->{err} =~ /the VM ended before it was up/;
        $w->{skipped}{'boots that ended before the machine was up'}++;
    }
    $w->{plan} = '';
    File::Path::make_path("$w->{dir}/results");
    my $unpacked = Process::run(argv => ['tar', '-xf', '-', '-C', 'results'], dir => $w->{dir}, timeout => $SECONDS,
        stdin => $result->{out});
    die "the guest of $w->{release} did not end well\n$result->{err}" if $result->{status} || $unpacked->{status};
    my %files = map { my ($name) = m{([^/]+)$}; ($name => Process::read_file($_)) } glob("$w->{dir}/results/*");
    my @complaints = Session::problems($files{dmesg});
    die "$w->{release} complains\n@complaints" if @complaints;
    die "left in $w->{release}: $1\n" if $files{modules} =~ /^(kt_\w+)/m;
    return \%files;
}

# Compares what the witness and ktap say of CASE, one of KIND: both are numbers or strings. SAID: ktap warned that it may be wrong.
sub compare {
    my ($w, $kind, $case, $witness, $ktap, $said) = @_;
    $w->{compared}{$kind}++;
    return 1 if defined $ktap && $witness eq $ktap;
    if ($said) {
        $w->{said}++;
        return 1;
    }
    push @{$w->{wrong}}, { kind => $kind, case => $case, witness => $witness, ktap => defined $ktap ? $ktap : 'nothing' };
    return 0;
}

# Counts a case that could not be compared, with the reason.
sub skip {
    my ($w, $why) = @_;
    $w->{skipped}{$why}++;
}

1;
