#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --vm-memory gives the virtual machine that much memory, of which the rings of two CPUs take less than 1/64. Sizes that no kernel
# boots in are refused, and so is the option without --vm.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
cat >look <<'END'
awk '$1 == "MemTotal:" { print ($2 > 150000), ($2 < 262144) }' /proc/meminfo
awk '/ring_create|kt_rings_create/ && /vmap/ { n[$2]++ } END { for (size in n) print n[size], (size - 4096) / 2 }' /proc/vmallocinfo
END
for release in $(kernels); do
	ktap --vm="$release" --vm-memory=256 -e 'probe begin { system("sh look") exit() }'
	accepted
	printed '^1 1$'
	printed '^2 1048576$'
done
for wrong in 0 127 1048577 256M ''; do
	ktap --vm --vm-memory="$wrong" --vm-exec true
	refused usage
done
ktap --vm-memory=256 -e 'probe begin { exit() }'
refused usage
