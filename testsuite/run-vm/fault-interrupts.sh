#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGINT at 50 random moments: while the module loads, tables of objects are made, places are armed, records flow, or the end is under way.
# Each session ends by itself, nothing is left, and none takes longer than one that nobody interrupts at its worst moment.
. "$SRCDIR/testsuite/lib/process.sh"

program calls <<'END'
#include <unistd.h>
__attribute__((noinline)) int inner(void) { return getpgid(0); }
int main(void) { for (;;) { for (int i = 0; i < 20; i++) inner(); usleep(5000); } }
END

cat >interrupts.pl <<'END'
use strict; use warnings; use POSIX (); use Time::HiRes qw(time sleep);
my ($ktaprun, $target, $seed) = @ARGV;
srand($seed);
my @slowest = (0, '');
for my $i (1 .. 50) {
	my $pid = fork();
	if (!$pid) {
		open(STDOUT, '>', '/tmp/session.out'); open(STDERR, '>', '/tmp/session.err');
		exec($ktaprun, '-T', 30, '-x', $target, 'kt_interrupts.ko') or POSIX::_exit(127);
	}
	my $after = rand($i % 2 ? 0.6 : 1.5);
	sleep($after);
	my $sent = time;
	kill('INT', $pid);
	my $waited;
	until (waitpid($pid, POSIX::WNOHANG()) == $pid) {
		$waited = time - $sent;
		if ($waited > 25) { print "not ended after $waited s, SIGINT after $after s\n"; kill('KILL', $pid); waitpid($pid, 0); exit 1; }
		sleep(0.01);
	}
	my $status = $?;
	print "status $status, SIGINT after $after s\n" if $status & 127 && ($status & 127) != 2;
	@slowest = ($waited // 0, $after) if ($waited // 0) > $slowest[0];
	my ($left) = grep { /^kt_/ } do { open(my $m, '<', '/proc/modules'); <$m> };
	if ($left) { print "left: $left"; exit 1; }
}
printf STDERR "slowest end: %.2f s, SIGINT after %.2f s\n", @slowest;
END

for release in $(kernels); do
	module interrupts -e 'global s probe kernel.function("ksys_*"), kernel.function("do_sys_*").call { s[ubacktrace()]++ }
		probe syscall.getpgid { print_ubacktrace_fileline() } probe end { foreach (k in s- limit 3) println(s[k]) }'
	in_guest './calls & target=$!
		perl interrupts.pl "$KTAPRUN" $target 1 >$RESULTS/silent 2>$RESULTS/slowest </dev/null || echo "status $?" >>$RESULTS/silent
		kill $target'
	boot
	silent
	cat results/slowest
done
