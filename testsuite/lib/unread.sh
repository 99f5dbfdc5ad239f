# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of a full pipe that nobody reads.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/sh.sh"

mkfifo pipe
mkdir tmp
export TMPDIR="$PWD/tmp"
exec 4<>pipe
trap 'kill -KILL $pid 2>/dev/null' EXIT

# until_true COMMAND...: for a minute.
until_true()
{
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	return 1
}
# full: the pipe takes nothing more, and has not for a second.
full()
{
	perl -e 'sub full { my $fds = ""; vec($fds, 0, 1) = 1; !select(undef, $fds, undef, 0) } exit(!(full() && sleep(1) && full()))' <&4
}
ended() { ! grep -qs "^State:.[^Z]" /proc/$pid/status; }
emptied() { [ -z "$(ls tmp)" ] && ! grep -qsF "$TMPDIR" /proc/[0-9]*/cmdline; }

# begin ARGUMENT...: ktap with them fills the pipe, and has got one Ctrl-C. Shells ignore SIGINT in background commands.
begin()
{
	what=$*
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$KTAP" "$@" >&4 4<&- </dev/null & pid=$!
	until_true full || fail "$what: the pipe is not full"
	kill -INT $pid
	sleep 1.5
}

# empty: drops what is in the pipe.
empty() { perl -e 'sysread(STDIN, my $b, 1 << 20)' <&4; }

# finish STATUS: the run ends, and leaves no file and no process.
finish()
{
	until_true ended || fail "$what: it does not end"
	status=0
	wait $pid || status=$?
	[ "$status" = "$1" ] || fail "$what: status $status"
	until_true emptied || fail "$what: left behind: $(ls tmp)"
}
