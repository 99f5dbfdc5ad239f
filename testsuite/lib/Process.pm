# SPDX-License-Identifier: GPL-2.0-or-later
# Runs one command in a folder with a time limit and collects what it wrote.
#
# run(argv => [...], dir => D, timeout => SECONDS, env => {...}, stdin => TEXT) returns
#   { status => exit status or 128 + signal, timeout => bool, out => BYTES, err => BYTES }.
# The command gets a process group of its own; when time is up, all of the group is ended.
package Process;
use strict;
use warnings;
use Fcntl ();
use POSIX ();

sub read_file {
    my ($path) = @_;
    open(my $in, '<:raw', $path) or return '';
    local $/;
    my $all = <$in>;
    return defined $all ? $all : '';
}

sub write_file {
    my ($path, $bytes) = @_;
    open(my $out, '>:raw', $path) or die "$path: $!\n";
    print $out $bytes;
    close($out) or die "$path: $!\n";
}

# Locks FILE until the returned handle is closed. Returns undef when another process holds the lock.
sub lock_file {
    my ($path) = @_;
    open(my $lock, '>>', $path) or die "$path: $!\n";
    return flock($lock, Fcntl::LOCK_EX() | Fcntl::LOCK_NB()) ? $lock : undef;
}

# Seconds since some start, with fractions.
sub clock {
    return (POSIX::times())[0] / POSIX::sysconf(&POSIX::_SC_CLK_TCK);
}

sub child {
    my ($o, $out, $err, $in) = @_;
    setpgrp(0, 0);
    chdir($o->{dir}) or POSIX::_exit(126);
    my %env = %{$o->{env} || {}};
    $ENV{$_} = $env{$_} for keys %env;
    open(STDIN, '<', $in) && open(STDOUT, '>', $out) && open(STDERR, '>', $err)
        or POSIX::_exit(126);
    exec { $o->{argv}[0] } @{$o->{argv}} or do {
        print STDERR "cannot run $o->{argv}[0]: $!\n";
        POSIX::_exit(127);
    };
}

# Waits for PID up to SECONDS. The wait status, or undef.
sub wait_for {
    my ($pid, $seconds) = @_;
    my $end = clock() + $seconds;
    my $pause = 0.002;
    for (;;) {
        return $? if waitpid($pid, POSIX::WNOHANG()) == $pid;
        return undef if clock() >= $end;
        select(undef, undef, undef, $pause);
        $pause *= 1.5 if $pause < 0.05;
    }
}

sub run {
    my %o = @_;
    my ($out, $err, $in) = map { "$o{dir}/.$_.$$" } qw(out err in);
    write_file($in, defined $o{stdin} ? $o{stdin} : '');
    my $pid = fork();
    die "fork: $!\n" unless defined $pid;
    child(\%o, $out, $err, $in) unless $pid;
    my $status = wait_for($pid, $o{timeout});
    my $late = !defined $status;
    if ($late) {
        kill('TERM', -$pid);
        $status = wait_for($pid, 5);
        kill('KILL', -$pid);
        $status = wait_for($pid, 30) unless defined $status;
        $status = 9 unless defined $status;
    }
    my %result = (
        status  => $status & 127 ? 128 + ($status & 127) : $status >> 8,
        timeout => $late,
        out     => read_file($out),
        err     => read_file($err),
    );
    unlink($out, $err, $in);
    return \%result;
}

1;
