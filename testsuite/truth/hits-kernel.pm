# SPDX-License-Identifier: GPL-2.0-or-later
# Hits of kernel functions under a load against what the kernel counts of them.
#
# The function tracer says which functions the load runs; some are drawn. The kernel counts the hits of their kprobe events in histograms by
# thread and ktap counts them at the same time, both for a process that starts when all is armed. DWARF, BTF and kprobe.function count
# alike, and .function is .call with the inlined copies, none of which lies in the function itself.
package hits_kernel;
use strict;
use warnings;
use Process;

our $about = "hits of kernel functions against the kernel's own histograms of kprobe events";
our $kernels = '6.1 6.12';

my $FUNCTIONS = 50;
my $LOAD = "$ENV{SRCDIR}/testsuite/storm/load.c";

sub round {
    my ($w) = @_;
    $w->must('gcc', '-O1', '-pthread', '-o', 'load', $LOAD);
    $w->file('run', "cd /tmp && $w->{dir}/load & echo \"PID \$!\"; wait\n");
    my @drawn = (grep { defined } ($w->shuffled(run_functions($w)))[0 .. $FUNCTIONS * $w->size - 1]);
    $w->guest('cd /sys/kernel/tracing; echo >/proc/sys/kernel/printk 1');
    $w->guest("echo 'p:w/$_ $_' >>kprobe_events 2>/dev/null && echo 'hist:keys=common_pid:size=4096' >events/w/$_/trigger") for @drawn;
    $w->guest("cd $w->{dir}");
    my %sessions = (dwarf => [], btf => ['--debuginfo=btf', '-w']);
    for my $how (sort keys %sessions) {
        $w->file("$how.stp", script($how, @drawn));
        defined $w->session($how, @{$sessions{$how}}, '-D', 'MAXMAPENTRIES=60000', '-c', 'sh ./run', "$how.stp")
            or die "ktap refuses the script: $w->{refusal}";
    }
    $w->guest('cd /sys/kernel/tracing; for h in events/w/*/hist; do echo "H $h"; cat $h; done >$RESULTS/hist; cat kprobe_profile >$RESULTS/profile');
    my $results = $w->boot;
    my %missed = map { /^\s*(\S+)\s+(\d+)\s+(\d+)/ ? ($1 => $3) : () } split /\n/, $results->{profile};
    my (%truth, $event);
    for (split /\n/, $results->{hist}) {
        $event = $1 if m{^H events/w/(.*)/hist};
        $truth{$event}{$1} = $2 if /^\{ common_pid:\s+(\d+) \} hitcount:\s+(\d+)/;
    }
    die 'the kernel counted no hit' unless grep { %$_ } values %truth;
    for my $how (sort keys %sessions) {
        compare($w, $how, \@drawn, \%truth, \%missed, $results->{"$how.out"}, $results->{"$how.err"});
    }
}

# Compares what the session HOW counted.
sub compare {
    my ($w, $how, $drawn, $truth, $missed, $out, $err) = @_;
    my ($pid) = $out =~ /^PID (\d+)/m or die "the load did not run: $err";
    my %hits;
    for (split /\n/, $out) {
        $hits{$1}{$2} = $3 if /^K (\S+) (\S+) $pid (\d+)$/;
    }
    for my $name (@$drawn) {
        if (!exists $missed->{$name}) {
            $w->skip('the kernel takes no kprobe event there');
        } elsif ($missed->{$name}) {
            $w->skip('the kernel missed hits, in handlers of other kprobes');
        } elsif ($err =~ /^WARNING: .*\b\Q$name\E\b/m) {
            $w->skip('ktap says that it cannot probe it');
        } else {
            my %of = map { $_ => $hits{$_}{$name} // 0 } qw(call function inline kprobe);
            my $kernel = $truth->{$name}{$pid} // 0;
            $w->compare("$how .call", $name, $kernel, $of{call});
            $w->compare("$how kprobe.function", $name, $kernel, $of{kprobe});
            $w->compare("$how .function", $name, $of{call} + $of{inline}, $of{function});
        }
    }
}

sub script {
    my ($how, @names) = @_;
    my $text = "global hits\n";
    for my $name (@names) {
        my $count = sub { qq({ hits["$_[0]", "$name", tid()]++ }\n) };
        $text .= qq(probe kernel.function("$name") ? ) . $count->('function');
        $text .= qq(probe kernel.function("$name").call ? ) . $count->('call');
        $text .= qq(probe kernel.function("$name").inline ? ) . $count->('inline') if $how eq 'dwarf';
        $text .= qq(probe kprobe.function("$name") ? ) . $count->('kprobe');
    }
    return $text . "probe end { foreach ([kind, name, tid] in hits) printf(\"K %s %s %d %d\\n\", kind, name, tid, hits[kind, name, tid]) }\n";
}

# Returns the names of the functions that the load runs and that no other function has, as the function tracer lists them. They are kept
# for the kernel: the list costs a boot.
sub run_functions {
    my ($w) = @_;
    my $kept = "$w->{build}/testsuite/cache/functions-of-load-" . $w->release;
    if (!-s $kept) {
        $w->guest(<<'END');
cd /sys/kernel/tracing
echo 20000 >buffer_size_kb; echo 1 >options/function-fork; echo $$ >set_ftrace_pid; echo function >current_tracer
sh $OLDPWD/run
echo 0 >tracing_on
sed -n 's/^.*: \([A-Za-z_][A-Za-z0-9_]*\) <-.*/\1/p' trace | sort -u >$RESULTS/ran
echo nop >current_tracer; echo >set_ftrace_pid; echo 4 >buffer_size_kb
awk '$2 ~ /[tTwW]/ && NF == 3 { print $3 }' /proc/kallsyms | sort | uniq -u >$RESULTS/unique
cd $OLDPWD
END
        my $results = $w->boot;
        my %unique = map { $_ => 1 } split /\n/, $results->{unique};
        my @names = grep { $unique{$_} } split /\n/, $results->{ran};
        die "the function tracer lists nothing: $results->{guest}" if @names < 500;
        Process::write_file($kept, join "\n", @names);
    }
    return split /\n/, Process::read_file($kept);
}

1;
