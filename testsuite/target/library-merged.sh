#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A library that is empty but for what bears the versions of its functions, for the C library has them now: probes of it are
# of the C library, which is said once. One with a function of its own, and one without the C library, are as they are.
. "$SRCDIR/testsuite/lib/sh.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# library NAME FLAG...: of the C on stdin.
library()
{
	file=$1
	shift
	${CC:-gcc} -g -shared -fPIC -nostartfiles -x c -o "$file" - "$@" || fail "cannot compile $file"
}

echo 'void __libmerged_version_placeholder(void) { }' | library libmerged.so.1 -Wl,--no-as-needed -lc
printf '%s\n' 'void __libmore_version_placeholder(void) { }' 'void more(void) { }' | library libmore.so.1 -Wl,--no-as-needed -lc
echo 'void __libalone_version_placeholder(void) { }' | library libalone.so.1 -nodefaultlibs
echo 'int main(void) { return 0; }' | ${CC:-gcc} -g -x c -o prog - || fail "cannot compile prog"

ktap -p2 -e 'probe process("./libmerged.so.1").function("malloc") { println(1) }
probe process("./libmerg*.so*").function("pthread_mutex_init").return { println(2) }
probe process("./prog").library("./libmerged.so.1").function("free") { println(3) }'
accepted
printed '^process("/.*/libc\.so[^"]*")\.function("[^"]*malloc[^"]*")'
printed '^process("/.*/libc\.so[^"]*")\.function("[^"]*pthread_mutex_init[^"]*")\.return'
printed '^process("/.*/prog")\.library("/.*/libc\.so[^"]*")\.function("[^"]*free[^"]*")'
said 'x*libmerged\.so\.1 is empty: /.*/libc\.so.* has its functions and is probed in its place \[no-program\]'
test "$(grep -c 'warning: ' err)" = 1 || fail "said more than once"

# The C library is among the files already.
ln -s "$(sed -n 's/.* is empty: \(.*\) has its.*/\1/p' err)" libmine.so
ktap -p2 -e 'probe process("./lib[ma][ei][rn]*.so*").function("malloc") { println(1) }'
accepted
! grep -q 'warning: ' err || fail "a warning of a file whose code is probed anyway"

ktap -p2 -e 'probe process("./libmerged.so.1").function("no_such_function") { println(1) }'
refused no-match
said "matches nothing in /.*/libc.so"
ktap -p2 -e 'probe process("./libmore.so.1").function("malloc") { println(1) }'
refused no-match
said "matches nothing in .*/libmore.so.1"
ktap -p2 -e 'probe process("./libmore.so.1").function("more"), process("./libmerged.so.1").function("getpid") { println(1) }'
accepted
printed 'libmore.so.1").function("more@'
ktap -p2 -e 'probe process("./libalone.so.1").function("malloc") { println(1) }'
refused no-match
said "matches nothing in .*/libalone.so.1"
