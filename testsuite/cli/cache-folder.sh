#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The cache: one that others may write to is not used; without $HOME it is in the user's home all the same; what nobody used
# for long goes.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}

mkdir -m 777 open
KTAP_CACHE_DIR=$PWD/open ktap -p4 -r "$release" -e 'probe begin { exit() }'
refused cache

home=$(getent passwd "$(id -un)" | cut -d: -f6)
unset HOME XDG_CACHE_HOME
(unset KTAP_CACHE_DIR; "$KTAP" -r "$release" -l 'kernel.function("vfs_read")' >/dev/null 2>err) ||
	fail "without HOME: $(cat err)"
[ -d "$home/.cache/ktap/read" ] || fail "nothing is kept in $home/.cache/ktap/read"

# A kit, a module and a work folder of long ago, and a kit of now that another kernel uses.
mkdir -p mine/kit/old mine/kit/new mine/work/dead
chmod 700 mine
touch -d '70 days ago' mine/kit/old/ready
touch mine/kit/new/ready
touch -d '3 days ago' mine/work/dead
KTAP_CACHE_DIR=$PWD/mine ktap -p4 -r "$release" -e 'probe begin { exit() }'
accepted
[ ! -e mine/kit/old ] || fail "the kit of long ago is still there"
[ -e mine/kit/new/ready ] || fail "the kit of now is gone"
[ ! -e mine/work/dead ] || fail "the work folder of a run that ended is still there"
[ -z "$(ls mine/work)" ] || fail "left behind: $(ls mine/work)"

# Files of a kit name its directory: a copy of the cache elsewhere gets a kit of its own.
mv mine copied
KTAP_CACHE_DIR=$PWD/copied ktap -p4 -r "$release" -e 'probe end { exit() }'
accepted
KTAP_CACHE_DIR=$PWD/copied ktap -v -p4 -r "$release" -e 'probe error { exit() }'
accepted
! grep -q 'building the kit' err || fail "the kit is built again"
