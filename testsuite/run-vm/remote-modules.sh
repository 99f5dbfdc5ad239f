#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --remote with modules: eight sessions on one kernel at once, each over what stands in place of ssh, and their globals merged: the sum is the
# sum of what each printed.
# Runs itself inside the VM with the words `guest KTAP CACHE RELEASE`.

stop() { echo "$1"; head -n 30 out err; exit 1; }

# Eight machines printed their count, and the merged one is their sum.
sums() {
	[ "$(grep -c '^h[1-8]: [0-9]*$' out)" = 8 ] || stop "expected a count of eight machines"
	total=$(sed -n 's/^h[1-8]: \([0-9]*\)$/\1/p' out | awk '{ sum += $1 } END { print sum }')
	[ "$total" -gt 8 ] && grep -q "^sum=$total\$" out || stop "the merged count is not $total"
}

guest() {
	KTAP_CACHE_DIR=$2
	KTAP_SSH=./ssh
	export KTAP_CACHE_DIR KTAP_SSH
	mkdir /tmp/fleet && cp ssh fleet.stp /tmp/fleet/ && cd /tmp/fleet || exit 1
	while :; do cat /proc/uptime; done >/dev/null & load=$!
	hosts=$(seq -f '--remote=h%.0f' 8)
	# shellcheck disable=SC2086
	"$1" --merge $hosts -T 3 fleet.stp >out 2>err </dev/null || stop "status $?"
	sums
	kill $load
	echo passed
}

[ "$1" = guest ] && { shift; guest "$@"; exit; }
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
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
	limit=300 ktap -r "$release" -f json -p4 fleet.stp
	[ "$status" = 0 ] || fail "cannot build for $release"
	"$BUILDDIR/ktap-vm" -t 400 -m 1024 "$release" -- sh "$0" guest "$KTAP" "$KTAP_CACHE_DIR" >out 2>err </dev/null || fail "in the VM of $release"
	grep -q passed out || fail "in the VM of $release"
done
