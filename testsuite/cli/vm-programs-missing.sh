#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Without QEMU, --vm says what installs it before anything is read or built.
. "$SRCDIR/testsuite/lib/sh.sh"
release=$(ls /lib/modules 2>/dev/null | while read -r r; do test -z "$(image "$r")" || echo "$r"; done | head -n 1)
test -n "$release" || { echo "no kernel to boot is installed"; exit 77; }
test ! -e /usr/libexec/qemu-kvm || { echo "QEMU is where PATH does not matter"; exit 77; }
mkdir empty
PATH=$PWD/empty
export PATH
"$KTAP" -v --vm="$release" -e 'probe begin { exit() } probe nosuch {}' >out 2>err </dev/null && exit 1
PATH=/usr/bin:/bin
status=1
refused vm
said 'qemu-system-x86_64.* is not installed'
said 'apt-get install qemu-system-x86'
! grep -q 'Pass 1\|nosuch\|building' err || fail "something was done before the check"

# A user who is not root is given the command with sudo, if sudo is there.
test "$(id -u)" = 0 || exit 0
mkdir sudo
printf '#!/bin/sh\n' >sudo/sudo
chmod 755 . sudo sudo/sudo
for path in "$PWD/sudo" "$PWD/empty"; do
	setpriv --reuid=65534 --regid=65534 --clear-groups env PATH="$path" KTAP_CACHE_DIR=/nonexistent "$KTAP" --vm="$release" \
		-e 'probe begin {}' >out 2>err </dev/null && fail "it ran"
	case $path in
	*/sudo) said 'with: sudo apt-get install qemu-system-x86' ;;
	*) said 'with: apt-get install qemu-system-x86' ;;
	esac
done
