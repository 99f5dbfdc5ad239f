#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/install-deps: the packages of each release of Debian; the command of other systems; the list of tools elsewhere.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v dpkg-query >/dev/null || { echo "not Debian"; exit 77; }

# deps ID CODENAME LIKE ARGUMENT...: what it prints on such a system is in `out`.
deps()
{
	printf 'ID=%s\nVERSION_CODENAME=%s\nID_LIKE="%s"\n' "$1" "$2" "$3" >os-release
	shift 3
	status=0
	KTAP_OS_RELEASE=$PWD/os-release sh "$SRCDIR/scripts/install-deps" "$@" >out 2>err </dev/null || status=$?
}

deps debian bookworm '' check --list
accepted
printed '^gcc-12-multilib$'
printed '^linux-image-6.12-cloud-amd64$'
! grep -qx virtiofsd out || fail "Debian 12 has no package virtiofsd"
deps debian trixie '' check --list
accepted
printed '^gcc-14-multilib$'
printed '^virtiofsd$'
! grep -q 6.12 out || fail "Debian 13's own kernel is 6.12"
deps debian forky '' smoke --list
accepted
printed '^virtiofsd$'
! grep -q dbg out || fail "the smoke tests need no debugging information"
deps fedora '' '' --print
printed '^dnf install .*elfutils-devel'
deps linuxmint xia 'ubuntu debian' --print
printed '^apt-get install .*libdw-dev'
deps arch '' '' --print
printed '^pacman -S'
deps opensuse-tumbleweed '' 'opensuse suse' --print
printed '^zypper install'
deps nosuch '' '' --print
accepted
printed '^tools: gcc .*qemu-system-x86_64'
printed 'libdw libelf'
deps debian trixie '' tests --list
accepted
printed '^jq$'
! grep -q 'amd64-dbg$\|-rt-' out || fail "only check needs more kernels and their debugging information"
