#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The process of -x ends while the script is compiled, and its number may be another process's by then: nothing runs.
. "$SRCDIR/testsuite/lib/sh.sh"

mkdir bin
KTAP_CACHE_DIR=$PWD/cache
mkdir -m 700 "$KTAP_CACHE_DIR"
export KTAP_CACHE_DIR
sleep 1000 &
target=$!
cat >bin/gcc <<END
#!/bin/sh
kill $target
until ! kill -0 $target || test "\$(sed 's/.*) //; s/ .*//' /proc/$target/stat)" = Z; do sleep 0.1; done 2>/dev/null
exec $(command -v gcc) "\$@"
END
chmod +x bin/gcc
PATH=$PWD/bin:$PATH ktap --runtime=user -x $target -e 'probe begin { println("ran") exit() }'
refused usage
said "-x: process $target ended while the script was compiled"
test ! -s out || fail "the script ran"

sleep 1000 &
target=$!
ktap --runtime=user -x $target -e 'probe begin { println(target()) exit() }'
kill $target
accepted
printed "^$target\$"
