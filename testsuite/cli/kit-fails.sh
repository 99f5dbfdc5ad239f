#!/bin/sh
# A kit that does not build is not built again until something changes: the log is shown once, then its place is said. A
# kernel that exports fewer symbols than the kit needs is one for which it does not build.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
tree=$(readlink -f "/lib/modules/$release/build")
mkdir less
cp -rs "$tree"/. less/
rm less/Module.symvers
grep -v '	register_kprobe	' "$tree/Module.symvers" >less/Module.symvers
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir -m 700 cache
script='probe begin { exit() }'
ktap -p4 -r "$PWD/less" -e "$script"
refused build
said 'register_kprobe.* undefined!'
ktap -p4 -r "$PWD/less" -e "$script"
refused build
said 'does not build, as before'
! grep -q 'undefined!' err || fail "the log is shown twice"
log=$(sed -n 's/.*the compiler said is in \([^;]*\);.*/\1/p' err)
grep -q 'register_kprobe.* undefined!' "$log" || fail "no log in '$log'"
# A change of the kernel's headers.
cp "$tree/Module.symvers" less/Module.symvers
ktap -p4 -r "$PWD/less" -e "$script"
accepted
