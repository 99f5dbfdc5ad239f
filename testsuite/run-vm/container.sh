#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A container with its own mounts, processes and network, and with the host's /lib/modules and /usr/src. ktap builds a kit and a
# module in it, and ktaprun runs the module in such a container of the guest: a program that exists in the container alone is
# probed, by its number there. Headers that link to programs outside, and a compiler that is missing, are named before the build.
. "$SRCDIR/testsuite/lib/process.sh"
program prog <<'END'
#include <unistd.h>
__attribute__((noipa)) int tick(int n) { return n + 1; }
int main(void) { return tick(getpid()) == 0; }
END
# box.sh COMMAND...: in the container. $hide: a directory that is empty there, or a program that is missing.
cat >box.sh <<'END'
box=$PWD/box
mkdir -p box && mount -t tmpfs none box && cd box || exit 125
for path in /bin /sbin /lib /lib64; do
	[ ! -L $path ] && mkdir .$path && mount --rbind $path .$path || cp -a $path .
done
# A debug kernel's directory below /lib/modules is a link, and so is where it was built.
for path in /usr /etc /dev "$SRCDIR" "$BUILDDIR" "$OLDPWD" $(find /lib/modules -maxdepth 1 -type l -exec readlink -f {}/build {} ';'); do
	mkdir -p "./$path" && mount --rbind "$path" "./$path" || exit 125
done
mkdir opt proc && mount -t proc proc proc && cp "$OLDPWD/prog" opt && : >opt/none || exit 125
if [ "$hide" ]; then
	if [ -d ".$hide" ]; then mount -t tmpfs none ".$hide"; else mount --bind opt/none ".$hide"; fi || exit 125
fi
exec chroot . sh -c 'cd "$0" && exec "$@"' "$OLDPWD" "$@"
END
# Other directories may have the compiler again.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
user=
test "$(id -u)" = 0 || user=-r
unshare $user -mpnf sh box.sh true || { echo "namespaces cannot be made here"; exit 77; }
# in_box ARGUMENT...: ktap in the container, with a cache of its own.
in_box()
{
	status=0
	KTAP_CACHE_DIR=$PWD/cache timeout "$limit" unshare $user -mpnf sh box.sh "$KTAP" "$@" >out 2>err </dev/null || status=$?
}
cat >box.stp <<'END'
probe begin { println("begins") }
probe process("/opt/prog").function("tick") { println("tick ", pid() == target(), " ", ns_pid() == $n) }
probe process("/opt/prog").function("tick").return { println("returns ", $return == ns_pid() + 1) }
probe kernel.function("vfs_read") { if (pid() == target()) println("reads") }
END
for release in $(kernels); do
	rm -rf cache
	mkdir -m 700 cache
	build=/lib/modules/$release/build
	if [ -L "$build/scripts" ]; then
		hide=$(dirname "$(readlink -f "$build/scripts")")
		export hide
		in_box -p4 -r "$release" -m kt_box box.stp
		refused build
		said "incomplete: '$build/scripts' is a link to '.*', which does not exist"
		said 'in a container, mount that directory'
	fi
	compiler=$(sed -n 's/.*\(gcc-[0-9]*\).*/\1/p' "$build/.kernelvariables" 2>/dev/null | head -n 1)
	if [ "$compiler" ]; then
		test "$machine" = "$(uname -m)" || compiler=$machine-linux-gnu-$compiler
		hide=$(command -v "$compiler")
		in_box -p4 -r "$release" -m kt_box box.stp
		refused build
		said "compiler '$compiler',* .*is not installed"
	fi
	hide=
	in_box -p4 -r "$release" -m kt_box box.stp
	accepted
	mv err box.build
	in_guest "export SRCDIR='$SRCDIR' BUILDDIR='$BUILDDIR' hide=
	unshare -mpnf sh box.sh \"\$KTAPRUN\" -c /opt/prog kt_box.ko >\$RESULTS/box.out 2>\$RESULTS/box.err </dev/null
	echo \$? >\$RESULTS/box.status"
	boot
	result box
	printed '^begins$'
	printed '^tick 1 1$'
	printed '^returns 1$'
	printed '^reads$'
done
