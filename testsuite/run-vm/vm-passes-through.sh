#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A command in the VM has the host's files, its own stdout, stderr, stdin and exit status, and writes nothing on the host.
. "$SRCDIR/testsuite/lib/sh.sh"
set -e
vm="$BUILDDIR/ktap-vm"
release=
for dir in /lib/modules/*; do
	[ ! -e "$dir/modules.dep" ] || [ -z "$(image "${dir##*/}")" ] || release=${dir##*/}
done
[ "$release" ] && command -v qemu-system-x86_64 >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

head -c 300000 /dev/urandom >in
status=0
MARK="two  words" "$vm" -t 600 "$release" -- sh -c '
	cat; echo "$PWD $MARK<$1$2>" >&2; uname -r >&2; echo guest >made; cat made /dev/fd/3 3<made >&2; exit 43' \
	sh '' last <in >out 2>err || status=$?
[ $status = 43 ] || fail "exit status $status, expected 43"
cmp in out || fail "stdin to stdout is not byte-exact"
printf '%s\n' "$dir two  words<last>" "$release" guest guest | cmp - err || fail "stderr differs: $(cat err)"
[ ! -e made ] || fail "the guest wrote on the host"

status=0
"$vm" -n -t 600 "$release" -- sh -c 'kill -9 $$' || status=$?
[ $status = 137 ] || fail "death by a signal gives $status, expected 137"

# a crash is reported with the kernel's last words, at once; the runner does not take this one for a failure
status=0
env -u KTAP_VM_CONSOLE "$vm" -n -t 600 "$release" -- sh -c 'echo c >/proc/sysrq-trigger' 2>err || status=$?
[ $status = 125 ] || fail "a crash gives $status, expected 125"
grep -q 'sysrq triggered crash' err || fail "the console is not shown: $(cat err)"

# killed in any way, it leaves no process behind
: >out
"$vm" -n -t 900 "$release" -- sh -c 'echo up; sleep 1000' >out &
pid=$!
for i in $(seq 6000); do [ -s out ] && break; sleep 0.1; done
children=$(cat /proc/$pid/task/$pid/children)
[ "$children" ] || fail "no children: $(cat out)"
kill -9 $pid
wait $pid 2>/dev/null || true
for i in $(seq 900); do
	left=
	for c in $children; do
		[ -d /proc/$c ] && ! grep -q '^State:.Z' /proc/$c/status 2>/dev/null && left="$left $c"
	done
	[ "$left" ] || break
	sleep 0.1
done
[ ! "$left" ] || fail "processes left:$left"
