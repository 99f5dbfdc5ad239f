#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --monitor of six probes of a kernel in the VM: their figures come, the disarmed one's stand still while the others go on, and go on when it is
# armed; globals are reset; q ends the VM in order, and leaves the terminal as it was.
. "$SRCDIR/testsuite/lib/screen.sh"

need_kernel
release=$(kernels)
release=${release%% *}
ktap --monitor -e 'probe begin { exit() }'
if grep -q 'built without' err; then
	echo "built without ncurses or json-c"
	exit 77
fi
cat >script.stp <<'END'
global reads, switches
probe kernel.function("vfs_read") { reads[execname()]++ }
probe kernel.function("vfs_read").return { reads["return"]++ }
probe kernel.trace("sched_switch") { switches++ }
probe syscall.read { reads["syscall"]++ }
probe timer.ms(10) { reads["timer"]++ }
probe timer.s(1) { println("switches ", switches) }
END
pause=1
screen 100 30 "'$KTAP' --vm='$release' --monitor -c 'while :; do cat /proc/stat >/dev/null; done' script.stp 2>err; echo status \$? >status"
hits() { shot | awk '$NF == "timer.ms(10)" || $NF == "-timer.ms(10)" { print $2 }'; }
shows '^ktap running .*  probes 6 .* 6\.'
shows '^ *[1-9][0-9.]* *[0-9]* *[0-9.]* *[0-9]*[nu]s *0  kernel.function("vfs_read@.*")$'
shows '").return$'
shows '^ *[1-9][0-9.]* .*  kernel.trace("sched:sched_switch")$'
shows '^ *[1-9][0-9.]* .*  timer.ms(10)$'
shows '^reads: [0-9]* elements'
shows '^switches [1-9]'
# The probes of the script that are no others' lie below each other: the selection goes to the timer by the filter.
t send-keys / 'timer.ms' Enter
shows '/timer.ms/'
t send-keys d
shows 'timer.ms(10) is disarmed'
shows '^ *0 .* -timer.ms(10)$'
first=$(hits)
sleep 4
test "$(hits)" = "$first" || fail "hits of a disarmed probe: $first, $(hits)"
t send-keys R
shows 'globals are reset'
t send-keys a
shows 'timer.ms(10) is armed'
shows '^ *[1-9][0-9.]* .*  timer.ms(10)$'
t send-keys q
tries=0
until test -s status; do
	tries=$((tries + 1))
	test $tries -lt 120 || fail "q does not end it"
	sleep 1
done
test "$(cat status)" = "status 0" || fail "$(cat status)"
