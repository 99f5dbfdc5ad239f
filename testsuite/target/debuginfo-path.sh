#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debugging information in the folders of KTAP_DEBUGINFO_PATH or SYSTEMTAP_DEBUGINFO_PATH: of programs and modules by build-id,
# of the kernel by its release. They come before /usr/lib/debug.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
command -v objcopy >/dev/null || exit 77

# Moves the debugging information of $1 below the folder $2.
move_away()
{
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
	test -n "$id" || fail "no build-id"
	mkdir -p "$2/.build-id/${id%"${id#??}"}"
	objcopy --only-keep-debug "$1" "$2/.build-id/${id%"${id#??}"}/${id#??}.debug"
	strip --strip-debug "$1"
}

echo 'int main(int argc, char **argv) { return argc; }' >prog.c
cc -g -Wl,--build-id -o prog prog.c
move_away prog "$PWD/one"
ktap -L "process(\"$PWD/prog\").function(\"main\")"
! grep -q argc out || fail "the debugging information is not away"
export KTAP_DEBUGINFO_PATH=$PWD/nosuch:$PWD/one
ktap -L "process(\"$PWD/prog\").function(\"main\")"
printed ' \$argc:int \$argv:char\*\*$'
unset KTAP_DEBUGINFO_PATH
export SYSTEMTAP_DEBUGINFO_PATH=+:.debug:-$PWD/one:/usr/lib/debug:build
ktap -L "process(\"$PWD/prog\").function(\"main\")"
printed ' \$argc:int \$argv:char\*\*$'
export KTAP_DEBUGINFO_PATH=$PWD SYSTEMTAP_DEBUGINFO_PATH=$PWD/one
ktap -L "process(\"$PWD/prog\").function(\"main\")"
! grep -q argc out || fail "KTAP_DEBUGINFO_PATH comes first"

check()
{
	loop=/usr/lib/debug/lib/modules/$R/kernel/drivers/block/loop.ko
	test -e "$loop" || return 0
	cp "$loop" xloop.ko
	move_away xloop.ko "$PWD/two"
	rm -rf "$PWD/two/boot"
	export KTAP_DEBUGINFO_PATH=$PWD/two
	ktap -r "$R" --debuginfo=dwarf -l "module(\"$PWD/xloop.ko\").function(\"loop_add\")"
	printed '"loop_add@drivers/block/loop.c:[0-9]*")$'
	# What is there is taken for the kernel's, and refused: it is of another build.
	mkdir -p two/boot
	cp "$loop" "two/boot/vmlinux-$R"
	export KTAP_DEBUGINFO_PATH=$PWD/two
	ktap -r "$R" -l 'kernel.function("vfs_read")'
	refused stale-debuginfo
	said "$PWD/two/boot/vmlinux-$R"
}
on_each check
