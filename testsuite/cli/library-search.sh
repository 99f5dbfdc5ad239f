#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where library files are found: -I in its order, then the user's and the machine's data folders, then ktap's own; in each
# the folder of the kernel before the plain files, that of another kernel or architecture not at all.
set -u
work=$(pwd)
unset KTAP_RELEASE
# A build tree says which kernel it is: none needs to be installed.
mkdir -p tree/include/config tree/include/generated first second home/ktap/tapset data/ktap/tapset
echo 9.8.7-6-test >tree/include/config/kernel.release
lib() { mkdir -p "$(dirname "$1")"; echo "function where:string () { return \"$2\" }" >"$1"; }
where() { "$KTAP" -r "$work/tree" -p2 -v -u "$@" -e 'probe never { println(where()) }' 2>err | sed -n 's/.*return "\(.*\)".*/\1/p'; }
check() {
	want=$1
	shift
	got=$(where "$@")
	[ "$got" = "$want" ] || { echo "$*: expected '$want', got '$got'"; cat err; exit 1; }
}
export XDG_DATA_HOME="$work/home" XDG_DATA_DIRS="relative:$work/data"

lib data/ktap/tapset/w.stp data
check data
lib home/ktap/tapset/w.stp home
check home
lib second/w.stp second
lib first/w.stp first
check second -I second -I first
check first -I first -I second

# Also when ktap's own file is parsed first, for another function in it.
mkdir own && echo 'function MINOR:long (dev:long) { return 4711 }' >own/minor.stp
got=$("$KTAP" -I own --runtime=user -e 'probe begin { println(MAJOR(0x100003), " ", MINOR(0x100003)) exit() }')
[ "$got" = "1 4711" ] || { echo "MINOR of -I is not taken: $got"; exit 1; }

# More of the release in the name, the earlier; a longer number is another kernel.
case $(uname -m) in aarch64) own=arm64 other=x86_64;; *) own=$(uname -m) other=arm64;; esac
lib first/9.8.70/w.stp wrong
lib "first/$other/w.stp" wrong
lib first/9.7/w.stp wrong
check first -I first
lib "first/$own/w.stp" arch
check arch -I first
lib first/9.8/w.stp 9.8
check 9.8 -I first
lib first/9.8.7/w.stp 9.8.7
check 9.8.7 -I first
lib "first/9.8.7/$own/w.stp" 9.8.7-arch
check 9.8.7-arch -I first
lib first/9.8.7-6-test/w.stp release
check release -I first

# A folder that leads back to itself is read once; one that is not there is an error.
ln -s . first/again
check release -I first
"$KTAP" -I nosuch -p1 -e 'probe never {}' 2>err >out && { echo "nosuch was read"; exit 1; }
grep -q "cannot read the tapset directory 'nosuch'" err || { cat err; exit 1; }

# A function or alias that a directory beside the script has, which is not read, is named with the option that reads it.
mkdir -p pack/scripts pack/tapset
echo 'function of_the_pack(a) { return a + 1 } probe pack.thing = begin { x = 1 }' >pack/tapset/lib.stp
mkfifo pack/tapset/waits.stp
echo 'probe begin { println(of_the_pack(3)) }' >pack/scripts/function.stp
echo 'probe pack.thing.call { println(x) }' >pack/scripts/alias.stp
for script in function alias; do
	timeout 60 "$KTAP" --runtime=user -p2 pack/scripts/$script.stp 2>err >out && { echo "$script: accepted"; exit 1; }
	grep -q "note: 'pack/scripts/../tapset/lib.stp' defines it: add -I pack/scripts/../tapset" err || { cat err; exit 1; }
done
"$KTAP" --runtime=user -p2 -I pack/tapset pack/scripts/function.stp >out 2>err || { cat err; exit 1; }
(cd pack/scripts && mv ../tapset/lib.stp . && "$KTAP" --runtime=user -p2 function.stp 2>&1) | grep -q "note: './lib.stp' defines it: add -I \.$" || {
	echo "not found beside the script"
	exit 1
}
exit 0
