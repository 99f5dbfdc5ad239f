#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/install-deps: the packages of each release of Debian; the command of other systems; the list of tools elsewhere.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v dpkg-query >/dev/null || { echo "not Debian"; exit 77; }

# deps ID VERSION LIKE ARGUMENT...: what it prints on such a system is in `out`. VERSION is a number or a codename.
deps()
{
	printf 'ID=%s\nVERSION_ID=%s\nVERSION_CODENAME=%s\nID_LIKE="%s"\n' "$1" "$2" "$2" "$3" >os-release
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
# commands: what was printed is a shell's commands, and the lists in them are whole.
commands()
{
	accepted
	sh -n out || fail "no commands"
	printed ' gcc make .*elfutils-\(devel\|dev\) libbpf-'
}
# lacks WORD...: none of them is in a command; a remark may name them.
lacks()
{
	for word; do
		! grep -v '^#' out | grep -qw -e "$word" || fail "$word is in the command"
	done
}

deps fedora 44 '' --print
commands
printed '^dnf install .* zydis-devel .* busybox'
lacks epel-release crb
# Repositories that are off are turned on before packages are taken from them, each distribution's in its own way.
deps rhel 9.4 fedora --print
commands
printed '^subscription-manager repos --enable codeready-builder-for-rhel-9-.*epel-release-latest-9.noarch.rpm &&$'
printed '^# .*Zydis'
lacks zydis-devel
deps rhel 10.1 'centos fedora' --print
commands
printed 'codeready-builder-for-rhel-10-.*epel-release-latest-10'
for rebuild in centos rocky almalinux nosuch; do
	deps $rebuild 9 'rhel centos fedora' --print
	commands
	printed '^dnf install .* epel-release && dnf config-manager --set-enabled crb &&$'
	printed '^dnf install .* busybox'
	lacks zydis-devel subscription-manager
done
deps ol 9.5 fedora --print
commands
printed 'oracle-epel-release-el9 && dnf config-manager --set-enabled ol9_codeready_builder ol9_developer_EPEL &&$'
deps amzn 2023 fedora --print
commands
printed '^# .*virtiofsd'
lacks zydis-devel busybox virtiofsd qemu-kvm epel-release
deps alpine 3.22.1 '' --print
commands
printed '^apk add .* linux-virt linux-virt-dev$'
# The line for repositories turns on those of its file that are off, and nothing else.
printf '%s\n' 'https://host/v3.22/main' '#https://host/v3.22/community' '#https://host/edge/testing' >repositories
sed -n "s,^\(sed .*\) /etc/apk/repositories.*,\1 repositories,p" out >turn-on
sh ./turn-on
test "$(cat repositories)" = "$(printf '%s\n' 'https://host/v3.22/main' 'https://host/v3.22/community' '#https://host/edge/testing')" ||
	fail "repositories: $(cat repositories)"
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

# A metapackage of Debian whose image is not signed yet: the debugging information is that of the last kernel, which is the one to boot.
mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
case $* in *Depends*) exit 1 ;; esac
echo 'installed gcc'
END
cat >bin/apt-cache <<'END'
#!/bin/sh
for package; do :; done
case $package in
linux-image-cloud-amd64|linux-headers-cloud-amd64) release=${SIGNED:?} ;;
linux-image-cloud-amd64-dbg) release=57 ;;
*) exit 0 ;;
esac
echo "$package"
echo "  Depends: $(echo "$package" | sed "s/cloud/6.1.0-$release-cloud/")"
END
chmod +x bin/*
PATH=$PWD/bin:$PATH
export SIGNED=56
deps debian bookworm '' quickstart --print
accepted
printed ' linux-image-cloud-amd64 .* linux-image-6.1.0-56-cloud-amd64-dbg '
! grep -q ' gcc ' out || fail "gcc is there"
SIGNED=57
deps debian bookworm '' quickstart --print
accepted
printed ' linux-image-cloud-amd64-dbg '
