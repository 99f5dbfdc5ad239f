# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by matrix and packages, after steps.sh: roots of Debian's suites below the directory $cache.
# shellcheck shell=sh

# needs_roots: ends the script where roots cannot be made.
needs_roots()
{
	[ "$(id -u)" = 0 ] || die "only root can make a root and enter it"
	command -v mmdebstrap >/dev/null || die "mmdebstrap is not installed: apt-get install mmdebstrap"
	mkdir -p "${cache:?}"
}

# inside ROOT COMMAND...: runs in that root, as if it were the machine. The mounts end with the command.
inside()
{
	root=$cache/$1
	shift
	mkdir -p "$root/.old"
	# shellcheck disable=SC2016
	unshare -m sh -c 'root=$1; shift
		mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount -t sysfs sysfs "$root/sys" &&
		mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/tmp" && cd "$root" && pivot_root . .old && cd / &&
		umount -l /.old && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"' \
		sh "$root" "$@"
}

# make_root ROOT SUITE [PACKAGE,...]: from the archive that this machine uses; a mirror whose lists are old is better than none.
make_root()
{
	rm -rf "${cache:?}/$1"
	mmdebstrap --variant=minbase --include="ca-certificates${3:+,$3}" --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
		--aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io "$2" "$cache/$1" || return
	echo 'Acquire::Check-Valid-Until "false";' >"$cache/$1/etc/apt/apt.conf.d/99valid-until"
}

# newer_kernels ROOT SUITE: adds the archive of SUITE to the root, for packages of the kernel alone.
newer_kernels()
{
	sed -n "s/^\(deb .*\) [a-z]* main$/\1 $2 main/p" "$cache/$1/etc/apt/sources.list" >"$cache/$1/etc/apt/sources.list.d/$2.list"
	[ -s "$cache/$1/etc/apt/sources.list.d/$2.list" ] || return
	printf 'Package: linux-*\nPin: release a=%s\nPin-Priority: 990\n' "$2" >"$cache/$1/etc/apt/preferences.d/$2"
}

# A root that make_root finished.
have_root()
{
	[ -e "$cache/$1/etc/apt/apt.conf.d/99valid-until" ]
}

# copy_sources ROOT: to /ktap, as git has them, with files that are not committed. They are as old as the copy: objects of the last
# run may be younger than a file that changed while it ran.
copy_sources()
{
	rm -rf "${cache:?}/$1/ktap"
	mkdir "$cache/$1/ktap"
	(cd "${top:?}" && git ls-files -coz --exclude-standard | tar -c --null --ignore-failed-read -T - 2>/dev/null) |
		tar -x -m -C "$cache/$1/ktap" --no-same-owner
}
