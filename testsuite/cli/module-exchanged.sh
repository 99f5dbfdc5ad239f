#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With -m the module is in the working directory, where others may exchange it: ktaprun gets the file that ktap wrote all the same.
# A program that prints its last argument stands for ktaprun; a mount namespace has the /proc/modules that ktap asks for, and no
# lockdown, and a library the release of the running kernel.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
unshare -m true 2>/dev/null || { echo "a mount namespace needs root"; exit 77; }

mkdir bin bin/runtime old
cp "$KTAP" bin/ktap
cp "$BUILDDIR/runtime/fn.h" bin/runtime
cat >bin/ktaprun <<'END_SH'
#!/bin/sh
for last; do :; done
rm kt_mine.ko
echo foreign >kt_mine.ko
cat "$last"
END_SH
chmod +x bin/ktaprun
cat >uname.c <<'END_C'
#include <string.h>
#include <sys/utsname.h>
int uname(struct utsname *u) { memset(u, 0, sizeof(*u)); strcpy(u->release, RELEASE); strcpy(u->machine, "x86_64"); return 0; }
END_C
gcc -shared -fPIC -DRELEASE="\"$release\"" -o uname.so uname.c || fail "gcc"
KTAP_RUNTIME=$SRCDIR/runtime KTAP_TAPSET=$SRCDIR/tapset unshare -m sh -c '
	mount --rbind /proc old && mount -t tmpfs none /proc && ln -s "$PWD/old/self" /proc/self && echo >/proc/modules &&
		mount -t tmpfs none /sys/kernel && mkdir /sys/kernel/security && echo lockdown >/sys/kernel/security/lsm &&
		echo "[none] integrity" >/sys/kernel/security/lockdown &&
		exec env LD_PRELOAD="$PWD/uname.so" bin/ktap -m kt_mine -e "probe begin { exit() }"' >out 2>err || fail "ktap"
grep -qx foreign kt_mine.ko || fail "ktaprun was not started"
readelf -p .modinfo out | grep -q 'name=kt_mine' || fail "not the module that was built"
