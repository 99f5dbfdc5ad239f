# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by commands that run in a VM: boot() of process.sh does so, and tests whose own file runs there.
# shellcheck shell=sh

# in_state MODULE STATE: the session of the module is in that state.
in_state()
{
	{ read -r state </sys/module/"$1"/parameters/ktap_state; } 2>/dev/null && [ "$state" = "$2" ]
}

# until_true COMMAND...: waits until the command, whose words the shell reads again, is true. After ten minutes it says what is not, in which
# $scenario, and what there is to see, and exits.
until_true()
{
	tries=0
	until eval "$*" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 6000 ] || never "$@"
		sleep 0.1
	done
}

# never COMMAND...: the command did not become true.
never()
{
	echo "${scenario:+$scenario: }not in ten minutes: $*"
	tail -n 30 /tmp/kt-* 2>/dev/null
	ps -eo pid,stat,wchan:32,args
	exit 1
}
