# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of --runtime=bpf in the VM: see process.sh.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/process.sh"

# bpf_session NAME ARGUMENT...: what `ktap --runtime=bpf ARGUMENT...` would run is on the plan, with the command of -c.
bpf_session()
{
	module=$1
	shift
	ktap --runtime=bpf -p4 -r "$release" "$@"
	accepted
	cp "$(cat out)" "kt_$module.ko"
	mv err "$module.build"
	in_guest "set --"
	while [ $# -gt 0 ]; do
		test "$1" = -c && in_guest "set -- -c '$(printf '%s' "$2" | sed "s/'/'\\\\''/g")'"
		shift
	done
	in_guest "\"\$KTAPRUN\" \"\$@\" kt_$module.ko >\$RESULTS/$module.out 2>\$RESULTS/$module.err </dev/null
		echo \$? >\$RESULTS/$module.status"
}
