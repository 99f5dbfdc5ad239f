#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --control in the kernel: a disarmed probe of each family has no hits, the others go on, an armed one has hits again. Probes are armed and
# disarmed while conditions change and the session ends, or ktaprun is killed: nothing stays armed.
. "$SRCDIR/testsuite/lib/process.sh"

program victim -static <<'END'
#include <unistd.h>
__attribute__((noipa)) int step(int n) { return n + 1; }
int main(void) { for (int i = 0;; i = step(i)) { getppid(); usleep(2000); } }
END

# A column of counts for each probe; those of the script are numbered as they stand here.
cat >families.stp <<END
global n
probe timer.ms(5) { n[1]++ }
probe kprobe.function("${wrapper}_getppid") { n[2]++ }
probe kprobe.function("${wrapper}_getppid").return { n[3]++ }
probe kernel.trace("sched_switch") { n[4]++ }
probe syscall.getppid { n[5]++ }
probe syscall.getppid.return { n[6]++ }
probe process("./victim").function("step") { n[7]++ }
probe process("./victim").function("step").return { n[8]++ }
probe perf.sw.cpu_clock.sample(1000000) { n[9]++ }
probe process("./victim").syscall { n[10]++ }
probe timer.profile { n[11]++ }
probe timer.ms(200) { printf("N") for (i = 1; i <= 11; i++) printf(" %d", n[i]) println("") }
END
cat >storm.stp <<'END'
global times, on
probe timer.ms(3) { on = !on }
probe kprobe.function("vfs_*") if (on) { times <<< 1 }
probe kprobe.function("vfs_*").return { times <<< 2 }
probe syscall.* { times <<< 3 }
probe timer.s(1) { println("T ", @count(times)) }
END

cat >control.pl <<'END'
# control.pl KTAPRUN: what goes wrong is printed.
use strict;
use warnings;
use IO::Handle;
use POSIX ();
use Time::HiRes qw(sleep time);

my ($pid, $victim, $to, %from, %text);

# Starts a session, whose standard output and error are read by take().
sub begin
{
	my ($module) = @_;
	pipe(my $in, $to);
	pipe($from{out}, my $out);
	pipe($from{err}, my $err);
	$pid = fork // die;
	if (!$pid) {
		open(STDIN, '<&', $in);
		open(STDOUT, '>&', $out);
		open(STDERR, '>&', $err);
		exec($ARGV[0], '--control', $module) or POSIX::_exit(1);
	}
	$_->blocking(0) for values %from;
	%text = (out => '', err => '');
	$to->autoflush(1);
	wait_for('out', qr/^[NT] .*\n/m);
}

sub take
{
	for my $name (keys %from) {
		while (sysread($from{$name}, my $new, 65536)) { $text{$name} .= $new }
	}
}

# Waits until TEXT has REGEX, and removes it with all before it. Returns its first group.
sub wait_for
{
	my ($name, $regex) = @_;
	my $end = time + 120;
	while (1) {
		return $1 if $text{$name} =~ s/\A.*?$regex//s;
		die "no '$regex' in $name: $text{$name}, other: @text{qw(out err)}\n" if time > $end || waitpid($pid, POSIX::WNOHANG()) > 0;
		sleep 0.05;
		take();
	}
}

sub command
{
	my ($line) = @_;
	print $to "$line\n";
	wait_for('err', qr/ktaprun: \Q$line\E: (\d+ probes?|done)\n/);
}

# A line of counts that the session begins after now.
sub counts
{
	take();
	$text{out} = '';
	wait_for('out', qr/\n(?=N)/);
	return split ' ', wait_for('out', qr/^N (.*?)\n/m);
}

# The counts of PROBES come to grow, and no others.
sub expect
{
	my @probes = @_;
	my @first = counts();
	my ($moved, $want) = ('', "@probes");
	for (1 .. 20) {
		my @now = counts();
		$moved = join ' ', grep { $first[$_ - 1] != $now[$_ - 1] } 1 .. @now;
		return if $moved eq $want;
	}
	print "counts of '$moved' grow, expected '$want'\n";
}

sub armed
{
	my $all = '';
	for my $file ('/sys/kernel/debug/kprobes/list', '/sys/kernel/tracing/enabled_functions') {
		open(my $in, '<', $file) or die "$file: $!";
		$all .= join '', <$in>;
	}
	return $all;
}

END { kill('KILL', grep { $_ } $pid, $victim); waitpid($pid, 0); system("$ARGV[0] -d '*' >/dev/null 2>&1") }
my @all = 1 .. 11;
$victim = fork;
exec('./victim') if !$victim;
begin('kt_families.ko');
expect(@all);
# Three at a time: each family is among them.
for my $three ([1, 2, 7], [3, 4, 9], [5, 8, 10], [6, 11]) {
	command("disarm $_") for @$three;
	my %off = map { $_ => 1 } @$three;
	expect(grep { !$off{$_} } @all);
	command("arm $_") for @$three;
	expect(@all);
}
command('disarm *getppid*');
expect(1, 4, 7 .. 11);
command('disarm 1');
command('reset');
print $to "list\n";
wait_for('err', qr/^     2  disarmed  kprobe\.function\("__\w+_sys_getppid"\)\n.*^    12  armed     timer\.ms\(200\)\n/ms);
my @now = counts();
print "after the reset: @now\n" if grep { $_ } @now[0, 1, 2, 4, 5];
kill('INT', $pid);
waitpid($pid, 0);
print "status $?\n" if $?;

# Commands without end while conditions change; then the end comes between them, in order or by SIGKILL.
my $before = armed();
for my $signal ('INT', 'KILL') {
	begin('kt_storm.ko');
	my $n = 0;
	for (my $end = time + 6; time < $end;) {
		command($_), $n++ for 'disarm kprobe*', 'arm *', 'disarm *return*', 'arm *';
	}
	print $to "disarm kprobe*\narm *\n" x 20;
	sleep 0.3;
	kill($signal, $pid);
	waitpid($pid, 0);
	print "status $? after $signal\n" if $? != ($signal eq 'KILL' ? 9 : 0);
	print "only $n commands\n" if $n < 4;
	my $after = armed();
	print "armed after $signal:\n$after" if $after ne $before;
	system("$ARGV[0] -d '*' >/dev/null 2>&1") if $signal eq 'KILL';
}
END

for release in $(kernels); do
	module families --control families.stp
	module storm --control storm.stp
	echo 'mount -t debugfs none /sys/kernel/debug 2>/dev/null; perl control.pl "$KTAPRUN"' | in_guest_silent
	boot
	silent
done
