#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# virtiofsd finds the mounts that it serves in /proc/self/mountinfo, where it looks them up since 1.14: for root, for others, and in a
# chroot, whose / is not a mount. All are read-only, and the machine gets no mount. Only a namespace that could not be made
# is blamed on the rules for namespaces.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
test "$(id -u)" = 0 || { echo "only root can mount"; exit 77; }
release=$(kernels)
release=${release%% *}
for server in /usr/libexec/virtiofsd /usr/lib/virtiofsd /usr/lib/qemu/virtiofsd none; do
	test ! -x "$server" || break
done
test "$server" != none || { echo "virtiofsd is in no directory of a distribution"; exit 77; }

# Stand-ins for virtiofsd. Their stderr is the VM's console.
mkdir bin
cp "$server" bin/real
cat >bin/look <<'END'
#!/bin/sh
test "$1" = --help || sed 's/^/served: /' /proc/self/mountinfo >&2
exec /mnt/bin/real "$@"
END
cat >bin/fail <<'END'
#!/bin/sh
test "$1" != --help || exec /mnt/bin/real "$@"
echo 'a fault of its own' >&2
exit 1
END
chmod 755 bin/*
cat >inside <<'END'
set -e
mount --make-rshared /
mount -t tmpfs -o mode=755 tmpfs /mnt
cp -r bin /mnt
mount --bind "/mnt/bin/$1" "$2"
if [ "$3" = chroot ]; then
	for dir in /*; do
		if [ -L "$dir" ]; then
			mkdir -p /mnt/root && cp -a "$dir" /mnt/root/
		elif [ -d "$dir" ] && [ "$dir" != /mnt ]; then
			mkdir -p "/mnt/root$dir" && mount --rbind "$dir" "/mnt/root$dir"
		fi
	done
	mkdir -p /mnt/root/mnt/bin && mount --bind /mnt/bin /mnt/root/mnt/bin
fi
shift 3
cat /proc/self/mountinfo >before
status=0
"$@" >out 2>err </dev/null || status=$?
cat /proc/self/mountinfo >after
exit $status
END

# boots STAND-IN HOW COMMAND...: where mounts are shared, as systemd has them; another namespace that gets a mount shows it here.
boots()
{
	stand_in=$1 how=$2
	shift 2
	status=0
	: >console
	chmod 666 console
	KTAP_VM_CONSOLE=$PWD/console timeout 600 unshare -m sh "$PWD/inside" "$stand_in" "$server" "$how" \
		"$@" "$KTAP" --vm="$release" --vm-exec 'cat /etc/hostname' || status=$?
	cmp -s before after || fail "the machine's mounts changed: $(diff before after)"
}

as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
for how in root user chroot; do
	case $how in
	root) boots look root env ;;
	user) boots look user $as_user ;;
	chroot) boots look chroot chroot /mnt/root ;;
	esac
	accepted
	test "$(cat out)" = "$(cat /etc/hostname)" || fail "$how: the guest does not read this machine's files"
	grep '^served: ' console >served || fail "$how: virtiofsd sees no mounts: $(cat console)"
	grep -q '^served: \([^ ]* \)\{4\}/ ' served || fail "$how: virtiofsd does not see the mount at /: $(cat served)"
	! grep -v '^served: \([^ ]* \)\{5\}ro' served || fail "$how: virtiofsd may write there"
done

boots fail user $as_user
refused vm
said 'a fault of its own'
! grep -q namespaces err || fail "a fault of virtiofsd is blamed on namespaces"
# Without user namespaces: in one that may hold no other.
boots look user unshare -U --map-root-user sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$@"' sh
refused vm
