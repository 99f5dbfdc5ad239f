#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tracepoints of modules that are packed, as on Debian 13, and have no debugging information. The names of the modules that have
# tracepoints are kept.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
unshare -m true 2>/dev/null || { echo "a mount namespace needs root"; exit 77; }
R=$(ls /lib/modules | grep -- -rt- | head -n 1)
sunrpc=kernel/net/sunrpc/sunrpc.ko
test -e "/lib/modules/$R/$sunrpc" || { echo "no rt kernel with an unpacked sunrpc.ko"; exit 77; }
mkdir -p packed/kernel/net/sunrpc
mkdir -m 700 cache
xz -c --check=crc32 "/lib/modules/$R/$sunrpc" >"packed/$sunrpc.xz"
echo "$sunrpc.xz:" >packed/modules.dep
: >packed/modules.builtin
ln -s "$(readlink -f "/lib/modules/$R/build")" packed/build

# list POINT: with the packed module alone.
list()
{
	KTAP_CACHE_DIR=$PWD/cache R=$R unshare -m sh -c '
		mount --bind packed "/lib/modules/$R" && exec "$KTAP" -r "$R" -l "$1"' sh "$1" >out 2>err || { cat err; fail "-l $1"; }
	grep -qxF "$1" out || fail "-l $1 printed: $(cat out)"
}
list 'kernel.trace("svc_drop")'
grep -qx sunrpc cache/*/tracing-"$R"-*.names || fail "kept: $(ls -R cache)"
list 'kernel.trace("svc_drop")'
