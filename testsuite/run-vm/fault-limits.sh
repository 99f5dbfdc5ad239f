#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Under each limit of setrlimit(2), however small, ktaprun runs its session or says once why not, and leaves no module. It ends in
# order at the limit on processor time.
. "$SRCDIR/testsuite/lib/process.sh"

script='probe begin { println("begun") } probe timer.ms(100) { exit() } probe end { println("end") }'
# system() and -c get the limits that ktaprun was started with.
shown='probe begin { system("ulimit -s") } probe end { println("end") }'
busy='probe begin { println("begun") } probe timer.ms(1) { for (i = 0; i < 400; i++) printf("%0200d\n", i) } probe end { println("end") }'

cat >limits.sh <<'END_OF_GUEST'
# A root of a container, who cannot raise a hard limit.
poor='setpriv --bounding-set -sys_resource --inh-caps -sys_resource'
# The output goes through a pipe, which has no limit.
for limit in stack=16384 stack=65536 stack=200000 stack=unlimited nofile=3 nofile=4 nofile=5 nofile=6 nofile=7 nofile=8 nofile=9 \
	nofile=10 nofile=11 nofile=12 nofile=14 as=2000000 as=4000000 as=8000000 as=20000000 data=100000 data=500000 data=1000000 \
	data=4000000 fsize=0 fsize=1 fsize=4096 nproc=0 nproc=1 memlock=0 core=0 cpu=1 sigpending=0 msgqueue=0 rss=0 nice=0 rtprio=0 \
	rttime=1 locks=0 "stack=65536 $poor" "nproc=0 $poor" "cpu=2 $poor" "nofile=8 $poor" "as=8000000 $poor"; do
	set -- $limit
	first=$1
	shift
	{ "$@" prlimit --"$first" "$KTAPRUN" kt_limited.ko 2>&1 >&4 </dev/null 4>&-; echo $? >/tmp/kt-status; } 4>&1 >/tmp/kt-err | cat >/tmp/kt-out
	read -r status </tmp/kt-status
	case $status in
	0) [ "$(tr '\n' ' ' </tmp/kt-out)" = 'begun end ' ] || echo "$limit: no end: $(cat /tmp/kt-out /tmp/kt-err)" ;;
	1 | 127) [ "$(grep -c 'error: \|error while\|^cannot allocate TLS' /tmp/kt-err)" = 1 ] || echo "$limit: errors: $(cat /tmp/kt-err)" ;;
	*) echo "$limit: status $status: $(cat /tmp/kt-err)" ;;
	esac
	echo "$limit: status $status: $(head -n 1 /tmp/kt-err)" >>$RESULTS/limits
	"$KTAPRUN" -d '*' 2>/dev/null
	! grep -q '^kt_' /proc/modules || { echo "$limit: left: $(grep '^kt_' /proc/modules)"; rmmod kt_limited; }
done
# Files that cannot grow.
for size in 0 3; do
	{ prlimit --fsize=$size "$KTAPRUN" -o /tmp/kt-file kt_limited.ko </dev/null 2>&1 && echo "fsize=$size: status 0"; } | cat >/tmp/kt-err
	[ "$(grep -c 'error: .*File too large' /tmp/kt-err)" = 1 ] || cat /tmp/kt-err
	! grep '^kt_' /proc/modules || echo "fsize=$size"
done

# 64 KB are enough to exec; ktaprun raises them for itself alone.
(ulimit -s 64; exec "$KTAPRUN" -c 'ulimit -s; :' kt_shown.ko) >/tmp/kt-out 2>/tmp/kt-err </dev/null || { echo "-c: $?"; cat /tmp/kt-err; }
[ "$(sort /tmp/kt-out | tr '\n' ' ')" = '64 64 end ' ] || { echo "limits of commands:"; cat /tmp/kt-out /tmp/kt-err; }

(ulimit -t 1; exec "$KTAPRUN" kt_busy.ko) >/tmp/kt-out 2>/tmp/kt-err </dev/null || echo "processor time: status $?"
grep -q '^WARNING: the limit on processor time is reached (ulimit -t): the session ends$' /tmp/kt-err || cat /tmp/kt-err
[ "$(tail -n 1 /tmp/kt-out)" = end ] || echo "processor time: no end"
END_OF_GUEST

for release in $(kernels); do
	module limited -e "$script"
	module shown -e "$shown"
	module busy -e "$busy"
	in_guest_silent <limits.sh
	boot
	cat results/limits
	silent
done
