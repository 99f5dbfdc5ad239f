#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --remote with modules: eight sessions on one kernel at once, each over what stands in place of ssh, and their globals merged: the sum is the
# sum of what each printed. With KTAP_TEST_SSHD=1 each is on a machine that is a network namespace with an sshd, and two are lost, as in
# cli/remote-sshd, which takes 106 CPU seconds where the processor is emulated.
# Runs itself inside the VM with the words `guest SRCDIR KTAP CACHE SSHD`.

guest() {
	SRCDIR=$1
	KTAP=$2
	export KTAP_CACHE_DIR="$3"
	. "$SRCDIR/testsuite/lib/sh.sh"
	. "$SRCDIR/testsuite/lib/sshd.sh"
	mkdir -p /tmp/fleet && cp ssh fleet.stp /tmp/fleet/ && cd /tmp/fleet || exit 1
	while :; do cat /proc/uptime; sleep 0.1; done >/dev/null & load=$!
	if [ "$4" = 1 ]; then
		need_sshd
		machines 8
		# The first option wins.
		KTAP_SSH="$KTAP_SSH -o ConnectTimeout=200 -o ServerAliveInterval=20"
		run_machines fleet.stp
	else
		# shellcheck disable=SC2046
		KTAP_SSH=./ssh ktap --merge $(seq -f '--remote=h%.0f' 8) -T 3 fleet.stp
		accepted
		counts 12345678
	fi
	kill $load 2>/dev/null
	cat out err
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
need_native
cat >ssh <<'END'
#!/bin/sh
for word; do command=$word; done
exec sh -c "$command"
END
chmod +x ssh
cat >fleet.stp <<'END'
global reads, sum
probe begin { println("armed") }
probe kernel.function("vfs_read") { reads++ }
probe end { println(reads) sum = reads }
END
for release in $(kernels); do
	# The guest finds the module in the cache.
	ktap -r "$release" -f json -p4 fleet.stp
	[ "$status" = 0 ] || fail "cannot build for $release"
	"$BUILDDIR/ktap-vm" -t 2400 -m 1024 "$release" -- sh "$0" guest "$SRCDIR" "$KTAP" "$KTAP_CACHE_DIR" "$KTAP_TEST_SSHD" \
		>out 2>err </dev/null || fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done
