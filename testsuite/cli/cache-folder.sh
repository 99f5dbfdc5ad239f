#!/bin/sh
# A cache that others may write to is not used.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
mkdir -m 777 open
KTAP_CACHE_DIR=$PWD/open ktap -p4 -r "${release%% *}" -e 'probe begin { exit() }'
refused cache
