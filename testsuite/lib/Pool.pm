# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a function over many items in a few child processes at a time.
#
# each_of(JOBS, REPORT, FUNCTION, ITEMS...): FUNCTION(item) runs in a child and returns results, each a reference to an
# array of texts; REPORT(seconds, results...) is called in the parent, in the order of the items' ends.
# costs() returns what items took so far: [name, CPU seconds], the dearest first.
package Pool;
use strict;
use warnings;
use File::Temp ();
use POSIX ();
use Process;

my @costs;

sub costs { return sort { $b->[1] <=> $a->[1] } @costs }

sub name { return ref $_[0] eq 'HASH' ? $_[0]{name} : "$_[0]" }

# Texts as lengths and bytes, so that any byte survives.
sub pack_results {
    return pack('N/a*', pack('(N/a*)*', map { pack('(N/a*)*', @$_) } @_));
}

sub unpack_results {
    my ($bytes) = @_;
    my ($all) = eval { unpack('N/a*', $bytes) };
    return () unless defined $all;
    return map { [unpack('(N/a*)*', $_)] } unpack('(N/a*)*', $all);
}

sub start {
    my ($function, $item) = @_;
    my ($handle, $path) = File::Temp::tempfile('ktap-test-XXXXXXXX', TMPDIR => 1);
    close($handle);
    my $pid = fork();
    die "fork: $!\n" unless defined $pid;
    return ($pid, $path) if $pid;
    my @results = eval { $function->($item) };
    @results = ([name($item), 'failed', "the runner failed: $@"]) if $@;
    my $cpu = 0;
    $cpu += $_ for times;
    Process::write_file($path, pack_results([$cpu], @results));
    POSIX::_exit(0);
}

sub each_of {
    my ($jobs, $report, $function, @items) = @_;
    my %running;
    while (@items || %running) {
        while (@items && keys %running < $jobs) {
            my $item = shift @items;
            my ($pid, $path) = start($function, $item);
            $running{$pid} = { item => $item, path => $path, start => Process::clock() };
        }
        my $pid = waitpid(-1, 0);
        my $job = delete $running{$pid} or next;
        my $status = $?;
        my ($cost, @results) = unpack_results(Process::read_file($job->{path}));
        unlink($job->{path});
        push @costs, [name($job->{item}), $cost ? @$cost : 0];
        @results = ([name($job->{item}), 'failed', 'the runner ended early']) if $status;
        $report->(Process::clock() - $job->{start}, @results);
    }
}

1;
