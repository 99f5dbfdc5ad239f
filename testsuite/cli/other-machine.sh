#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel for another architecture is recognized by its configuration; -a must agree with it. A build for it needs a cross
# compiler, and build programs that run here.
. "$SRCDIR/testsuite/lib/sh.sh"
case $(uname -m) in
x86_64) own=x86_64 other=arm64 srcarch=arm64 option=ARM64 compiler=aarch64-linux-gnu-gcc elf=183 ;;
aarch64) own=arm64 other=x86_64 srcarch=x86 option=X86_64 compiler=x86_64-linux-gnu-gcc elf=62 ;;
*) exit 77 ;;
esac

# A build tree of a kernel for the other architecture, as far as ktap reads it.
mkdir -p tree/include/generated tree/scripts/basic bin
echo '#define UTS_RELEASE "6.99.0-other"' >tree/include/generated/utsrelease.h
echo "CONFIG_$option=y" >tree/.config
: >tree/Makefile
script="probe begin { print(%( arch == \"$other\" %? \"other\" %: \"own\" %)) }"

ktap -p1 -r ./tree -e "$script"
accepted
printed '"other"'
ktap -p1 -r ./tree -a "$other" -e "$script"
accepted
printed '"other"'
ktap -p1 -a "$own" -e "$script"
accepted
printed '"own"'

ktap -p1 -r ./tree -a "$own" -e "$script"
refused no-kernel
said "^ktap: error: -a $own: kernel 6.99.0-other is for $other \["
ktap -p1 -a sparc -e "$script"
test "$status" != 0 || fail "-a sparc was accepted"
said "unknown architecture 'sparc'"
grep -q "kernel/arch/$srcarch/" /lib/modules/*/modules.builtin || {
	ktap -p1 -a "$other" -e "$script"
	refused no-kernel
	said "no kernel of that architecture is installed"
}

# Its kernel does not step over a watched access.
if [ "$other" = arm64 ]; then
	ktap -p2 -r ./tree -e 'probe kernel.data(0xffff800081d8db08).write { }'
	refused no-feature
	said "an arm64 kernel has no watchpoints for 'kernel.data("
	ktap -p2 -r ./tree -e 'probe kernel.data(0xffff800081d8db08).write? { } probe begin { exit() }'
	accepted
fi

CROSS_COMPILE=none- ktap -p4 -r ./tree -e "$script"
refused build
said "kernel 6.99.0-other is for $other, and its compiler 'none-gcc' is not installed"
command -v "$compiler" >/dev/null || {
	ktap -p4 -r ./tree -e "$script"
	refused build
	said "its compiler '$compiler' is not installed"
}

# Headers that were made on the other machine have its programs.
printf '#!/bin/sh\nexit 1\n' >bin/fake-gcc
chmod +x bin/fake-gcc
perl -e "print pack('a4 C12 v v V', qq(\\x7fELF), 2, 1, 1, (0) x 9, 2, $elf, 1), qq(\\0) x 40" >tree/scripts/basic/fixdep
PATH=$PWD/bin:$PATH CROSS_COMPILE=fake- ktap -p4 -r ./tree -e "$script"
refused build
said "the headers of kernel 6.99.0-other have build programs that this machine does not run"
said "make ARCH=$srcarch CROSS_COMPILE=fake- modules_prepare"

# Headers of programs are read by that machine's compiler, in the guest's directory.
printf '#!/bin/sh\necho "asked with $*"\nexit 1\n' >bin/fake-gcc
mkdir guest
PATH=$PWD/bin:$PATH CROSS_COMPILE=fake- KTAP_VM_ROOT=$PWD/guest ktap -p2 -r ./tree -e 'probe begin { println(@cast(0, "tm", "<time.h>")->tm_min) }'
refused no-debuginfo
said "note: asked with .* --sysroot=$PWD/guest\$"
