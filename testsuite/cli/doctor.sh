#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap doctor in directories that stand for machines: one line a check, the command that mends each fault, the exit status.
. "$SRCDIR/testsuite/lib/sh.sh"
release=9.9.9-7-amd64
unset DEBUGINFOD_URLS

program()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

# A Debian where nothing is missing but DWARF.
healthy()
{
	rm -rf root bin
	mkdir -p bin root/proc/self root/proc/sys/kernel root/dev root/etc root/boot root/usr/libexec root/sys/kernel/btf \
		root/sys/kernel/security root/sys/firmware/efi/efivars root/sys/module/module/parameters "root/lib/modules/$release/build"
	echo $release >root/proc/sys/kernel/osrelease
	printf 'Name:\tktap\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n' >root/proc/self/status
	echo '         0          0 4294967295' >root/proc/self/uid_map
	echo 'flags		: fpu vmx sse' >root/proc/cpuinfo
	printf 'ID=debian\nVERSION_ID="13"\n' >root/etc/os-release
	touch root/proc/modules root/dev/kvm root/boot/vmlinuz-$release root/lib/modules/$release/modules.dep \
		root/lib/modules/$release/build/Makefile root/sys/kernel/btf/vmlinux
	echo 'override CC = $(if $(DEBIAN_KERNEL_USE_CCACHE),ccache) $(CROSS_COMPILE)gcc-99' >root/lib/modules/$release/build/.kernelvariables
	echo CONFIG_GCC_VERSION=990200 >root/lib/modules/$release/build/.config
	echo '[none] integrity confidentiality' >root/sys/kernel/security/lockdown
	echo N >root/sys/module/module/parameters/sig_enforce
	program bin/gcc-99 'echo 99'
	for name in make ld qemu-system-x86_64; do
		program bin/$name 'exit 1'
	done
	program root/usr/libexec/virtiofsd 'echo --shared-dir'
}

doctor()
{
	status=0
	KTAP_DOCTOR_ROOT=$PWD/root PATH=$PWD/bin "$KTAP" doctor "$@" >out 2>err </dev/null || status=$?
	test ! -s err || fail "doctor writes on stderr"
}

# line NAME STATUS TEXT: the line of that check ends in TEXT.
line()
{
	grep -qx -e "$1 *$2 *.*$3" out || fail "the line of $1 is not $2 with '$3' at its end"
}

# runs STATUS TEXT: the last line and the exit status.
runs()
{
	tail -n 1 out | grep -qx "scripts run $2" || fail "the last line is not '$2'"
	test "$status" = "$1" || fail "exit status $status, expected $1"
}

healthy
doctor
runs 0 'on this kernel, and with --vm in a virtual machine'
for check in kernel headers compiler lockdown panic secure-boot privileges kvm qemu virtiofsd vm-kernel cache; do
	line $check ok ''
done
line compiler ok 'gcc-99, version 99 as for the kernel'
line debuginfo note "; run: apt-get install linux-image-$release-dbg"
line debuginfod note 'run: export DEBUGINFOD_URLS=https:.*'
line bpf note 'the kernel is built without BPF (CONFIG_BPF_SYSCALL)'
test "$(wc -l <out)" = 16 || fail "expected 15 checks and a last line"

# What only one of the two ways needs.
healthy
rm -r root/lib/modules/$release/build
doctor
line headers error "run: apt-get install linux-headers-$release"
line vm-kernel error "run: apt-get install linux-headers-$release"
runs 1 'neither on this kernel nor in a virtual machine'
healthy
printf 'Uid:\t1000\n\nUid:\t1000\t1000\nCapEff:\t0000000000000000\n' >root/proc/self/status
doctor
line privileges error 'user 1000 may not load modules (CAP_SYS_MODULE); run: sudo ktap SCRIPT'
runs 0 'with --vm in a virtual machine, not on this kernel'
echo '         0     100000      65536' >root/proc/self/uid_map
printf 'Name:\tktap\nUid:\t0\nCapEff:\t000001ffffffffff\n' >root/proc/self/status
doctor
line privileges error 'outside of the container'
runs 0 'with --vm in a virtual machine, not on this kernel'
healthy
rm bin/qemu-system-x86_64 root/usr/libexec/virtiofsd
doctor
line qemu note 'run: apt-get install qemu-system-x86'
line virtiofsd note 'run: apt-get install virtiofsd'
runs 0 'on this kernel, not in a virtual machine'
# A container: the kernel and its modules are the host's, its image is not there.
healthy
rm root/boot/vmlinuz-$release
doctor
line vm-kernel note 'run: apt-get install linux-image-.*'
runs 0 'on this kernel, not in a virtual machine'
# Without privileges too nothing runs, so that the missing image is an error.
printf 'Uid:\t1000\t1000\nCapEff:\t0000000000000000\n' >root/proc/self/status
doctor
line vm-kernel error 'run: apt-get install linux-image-.*'
runs 1 'neither on this kernel nor in a virtual machine'
healthy
rm root/proc/modules
echo 'none [integrity] confidentiality' >root/sys/kernel/security/lockdown
echo 'ro panic_on_taint=1000' >root/proc/cmdline
printf 'Uid:\t1000\n\nUid:\t1000\t1000\nCapEff:\t0000000000000000\n' >root/proc/self/status
doctor
line kernel note 'run: ktap --vm SCRIPT'
line privileges ok 'none are needed: .*'
line lockdown ok 'this kernel loads no modules, .*'
line panic ok 'this kernel loads no modules, .*'
runs 0 'with --vm in a virtual machine, not on this kernel'
rm -r root/lib/modules
doctor
line headers error 'run: apt-get install linux-image-cloud-amd64 linux-headers-cloud-amd64'
runs 1 'neither on this kernel nor in a virtual machine'

# What the kernel forbids.
healthy
echo 'none [integrity] confidentiality' >root/sys/kernel/security/lockdown
printf '\006\000\000\000\001' >root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
doctor
line lockdown error 'run: ktap --sign-module=KEY,CERT SCRIPT, .*'
grep -q '^lockdown .*integrity: ' out || fail "the level of lockdown is not said"
line secure-boot note 'SIGNED MODULES)'
runs 0 'with --vm in a virtual machine, not on this kernel'
printf '\006\000\000\000\000' >root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
doctor
line secure-boot ok off
healthy
rm root/sys/kernel/security/lockdown
doctor
line lockdown note 'unknown: /sys/kernel/security is not mounted; run: mount -t securityfs securityfs /sys/kernel/security'
echo 'ro lockdown=integrity' >root/proc/cmdline
doctor
line lockdown error 'SIGNED MODULES)'
healthy
echo 'ro panic_on_taint=1000' >root/proc/cmdline
doctor
line panic error 'would panic when it loads a module of ktap (taint flags 0x1000); run: ktap --force-taint SCRIPT, .*'
runs 0 'with --vm in a virtual machine, not on this kernel'
healthy
echo Y >root/sys/module/module/parameters/sig_enforce
doctor
line lockdown error 'SIGNED MODULES)'
healthy
echo 1 >root/proc/sys/kernel/modules_disabled
doctor
line kernel error 'run: reboot'

# BPF programs run where modules are refused.
bpf()
{
	healthy
	mkdir -p root/sys/bus/event_source/devices/kprobe
	touch root/proc/sys/kernel/unprivileged_bpf_disabled root/sys/bus/event_source/devices/kprobe/type
}
bpf
doctor
line bpf ok 'BPF programs may be loaded: no module is needed'
runs 0 'on this kernel, and with --vm in a virtual machine'
echo 'none [integrity] confidentiality' >root/sys/kernel/security/lockdown
doctor
line bpf ok ''
runs 0 'as BPF programs on this kernel, and with --vm in a virtual machine'
rm bin/qemu-system-x86_64
doctor
line qemu note 'run: apt-get install qemu-system-x86'
runs 0 'as BPF programs on this kernel, not in a virtual machine'
doctor --json
grep -q '"here":false,"vm":false,"bpf":true' out || fail "not as JSON"
echo 'none integrity [confidentiality]' >root/sys/kernel/security/lockdown
doctor
line bpf error 'may not read the kernel.s memory'
runs 1 'neither on this kernel nor in a virtual machine'
bpf
rm root/proc/modules
doctor
line kernel note '.*so scripts run as BPF programs'
runs 0 'as BPF programs on this kernel, and with --vm in a virtual machine'
bpf
printf 'Uid:\t1000\n\nUid:\t1000\t1000\nCapEff:\t0000000000000000\n' >root/proc/self/status
doctor
line bpf note 'user 1000 may not load BPF programs (CAP_BPF and CAP_PERFMON); run: sudo ktap SCRIPT'

# The compiler.
healthy
rm bin/gcc-99
doctor
line compiler error 'gcc-99 is not installed; run: apt-get install gcc-99'
runs 1 'neither on this kernel nor in a virtual machine'
healthy
rm bin/make
doctor
line compiler error 'make is not installed; run: apt-get install make'
healthy
echo CONFIG_GCC_VERSION=980100 >root/lib/modules/$release/build/.config
doctor
line compiler note 'version 98 built the kernel; run: apt-get install gcc-98'
program bin/gcc-98 'echo 98'
doctor
line compiler note 'run: ktap -B CC=gcc-98 SCRIPT'
echo CONFIG_CC_IS_CLANG=y >root/lib/modules/$release/build/.config
doctor
line compiler ok 'gcc-99, version 99'

# KVM.
healthy
echo 'flags		: fpu sse' >root/proc/cpuinfo
doctor
line kvm note 'is slow'
echo 'flags		: fpu svm' >root/proc/cpuinfo
rm root/dev/kvm
doctor
line kvm note 'run: modprobe kvm_amd'
mkdir root/dev/kvm # a device that does not open, for root too
doctor
line kvm note 'run: sudo usermod -aG kvm $(id -un), then log in again'

# The cache.
healthy
touch file
KTAP_CACHE_DIR=$PWD/file/cache doctor
line cache error 'run: export KTAP_CACHE_DIR=DIR, a directory of your own'
runs 1 'neither on this kernel nor in a virtual machine'

# Debugging information.
healthy
rm root/sys/kernel/btf/vmlinux
doctor
line debuginfo note "no \$variables of the kernel; run: apt-get install linux-image-$release-dbg"
DEBUGINFOD_URLS=https://debuginfod.example doctor
line debuginfo ok 'no BTF; DWARF is asked of debuginfod'

# Distributions, and a kernel that no package installed.
distribution()
{
	rm -rf bin/qemu-system-x86_64 root/usr/libexec/virtiofsd root/lib/modules
	echo "$1" >root/proc/sys/kernel/osrelease
	printf '%s\n' "$2" >root/etc/os-release
	doctor
}
healthy
distribution 6.1.0-9-amd64 'ID=debian
VERSION_ID="12"'
line virtiofsd error 'run: apt-get install qemu-system-common'
distribution 6.8.0-31-generic 'ID=linuxmint
ID_LIKE="ubuntu debian"'
line debuginfo note 'apt-get install linux-image-6.8.0-31-generic-dbgsym'
distribution 6.9.7-200.fc40.x86_64 'ID="rocky"
ID_LIKE="rhel centos fedora"'
line headers error 'run: dnf install kernel-devel-6.9.7-200.fc40.x86_64'
line debuginfo note 'run: dnf debuginfo-install kernel-6.9.7-200.fc40.x86_64'
line qemu error 'run: dnf install qemu-kvm'
distribution 6.4.0-150600.21-default 'ID="opensuse-leap"
ID_LIKE="suse opensuse"'
line headers error 'run: zypper install kernel-default-devel'
distribution 6.9.1-arch1-1 ID=arch
line headers error 'run: pacman -S linux-headers'
distribution 6.6.30-1-lts ID=arch
line headers error 'run: pacman -S linux-lts-headers'
distribution 6.6.30-0-lts ID=alpine
line headers error 'run: apk add linux-lts-dev'
distribution 6.6.30 ID=nixos
line headers error 'no headers here'
line qemu error 'run: nix-shell -p qemu'
distribution 6.6.30-1-lts ID=nosuch
line headers error 'no headers here'
line qemu error 'which --vm needs'
healthy
mkdir -p root/var/lib/dpkg/info
rm -r root/lib/modules/$release/build
doctor
line headers error 'make modules_prepare in .*'
touch root/var/lib/dpkg/info/linux-image-$release.list
doctor
line headers error "run: apt-get install linux-headers-$release"

# For programs.
healthy
rm bin/qemu-system-x86_64
doctor --json
test "$status" = 0 || fail "exit status $status"
perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>);
	my %c = map { $_->{name} => $_ } @{$d->{checks}};
	print "$d->{here} $d->{vm} ", scalar(@{$d->{checks}}), " $c{qemu}{status}: $c{qemu}{mend}, $c{headers}{status} ",
		defined $c{headers}{mend} ? "mend" : "null", "\n"' <out >json || fail "this is not JSON"
test "$(cat json)" = '1 0 15 note: apt-get install qemu-system-x86, ok null' || fail "JSON: $(cat json)"
ktap doctor --nosuch
refused usage
ktap doctor me
refused usage
status=0
"$KTAP" doctor >/dev/full 2>err || status=$?
refused io
