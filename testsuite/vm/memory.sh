#!/bin/sh
# --vm-memory gives the virtual machine that much memory. Sizes that no kernel boots in are refused, and so is the option without --vm.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
for release in $(kernels); do
	ktap --vm="$release" --vm-memory=256 --vm-exec "awk '\$1 == \"MemTotal:\" { print (\$2 > 150000), (\$2 < 262144) }' /proc/meminfo"
	accepted
	printed '^1 1$'
done
for wrong in 0 127 1048577 256M ''; do
	ktap --vm --vm-memory="$wrong" --vm-exec true
	refused usage
done
ktap --vm-memory=256 -e 'probe begin { exit() }'
refused usage
