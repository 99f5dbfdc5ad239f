#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal a session says that the VM boots, how many probes are armed and how it ends, and that no probe was hit.
# Nothing of it in a pipe, with -q, or when probes were hit.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
release=$(kernels)
release=${release%% *}
TERM=xterm
export TERM
ktap -r "$release" -m never -p4 -e 'probe kprobe.function("ksys_sync_helper"), kprobe.function("kernel_power_off") { println("x") }'
accepted
ktap -r "$release" -m hit -p4 -e 'probe kprobe.function("vfs_read") { if (pid() == 0) println("x") }'
accepted
run=$(dirname "$KTAP")/ktaprun
cat >guest.sh <<END
script -qec '$run -T 2 never.ko >out' /dev/null </dev/null
echo "out \$(wc -c <out)"
echo ==q
script -qec '$run -q -T 1 never.ko' /dev/null </dev/null
echo ==pipe
$run -T 1 never.ko 2>&1 | cat
echo ==hit
script -qec '$run -c "cat /dev/null" hit.ko' /dev/null </dev/null
END
script -qec "'$KTAP' --vm=$release --vm-exec 'sh guest.sh' >out" /dev/null >shown </dev/null
grep -q "ktap: booting $release in a VM" shown || fail "nothing says that it boots: $(cat shown)"
tr -d '\r' <out >have
cat >want <<END
ktap: 2 probes armed; ends after 2 s, or by Ctrl-C
ktap: no probe was hit; see WHEN NOTHING IS PRINTED in man ktap
out 0
==q
==pipe
==hit
ktap: 1 probe armed; ends with the command
END
diff want have || fail "the guest's terminal shows something else"
