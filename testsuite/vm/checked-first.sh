#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What keeps a script from running is said before anything is built: rights, lockdown, -x, -c, -o.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
KTAP_CACHE_DIR=$PWD/cache ktap --vm="$release" -x 1 -e 'probe begin { exit() }'
refused usage
said 'the processes of this machine are not in the virtual machine'
test ! -e cache/module || fail "a module was built for -x of another machine"
cat >guest.sh <<'END'
KTAP_CACHE_DIR=/tmp/cache HOME=/tmp
export KTAP_CACHE_DIR HOME
mkdir -p /tmp/mine
chmod 777 /tmp/mine
user() { setpriv --reuid=1000 --regid=1000 --clear-groups "$@"; }
try() { echo "== $*"; "$@" -e 'probe begin { exit() }' 2>&1; echo "status $?"; }
try "$1" -x 4000000
try "$1" -c 'nosuch-program -x'
try "$1" -c '/nosuch/program'
try "$1" -o /nosuch/file
try user "$1" -o /etc/hostname
try user "$1" -o /tmp/mine/file
mount -t securityfs securityfs /sys/kernel/security && echo integrity >/sys/kernel/security/lockdown
try "$1" --runtime=kernel
try "$1"
cat /proc/sys/kernel/tainted
echo 1 >/proc/sys/kernel/modules_disabled
try "$1" --sign-module=key,cert
ls /tmp/cache/kit /tmp/cache/module 2>/dev/null
END
ktap --vm="$release" --vm-exec "sh guest.sh '$KTAP'"
sed "s|$KTAP|ktap|" out | grep -v '^ktap: note: or run the script in a virtual machine: ktap --vm SCRIPT$' >have
cat >want <<'END'
== ktap -x 4000000
ktap: error: -x: there is no process 4000000 [usage]
ktap: note: 'pgrep NAME' prints the numbers of processes by name; -c COMMAND starts one
status 1
== ktap -c nosuch-program -x
ktap: error: -c: there is no program 'nosuch-program' [usage]
ktap: note: give its path, or a program in $PATH
status 1
== ktap -c /nosuch/program
ktap: error: -c: there is no program '/nosuch/program' [usage]
ktap: note: give its path, or a program in $PATH
status 1
== ktap -o /nosuch/file
ktap: error: -o: cannot write '/nosuch/file': No such file or directory [io]
ktap: note: give a file in a directory that exists and that you may write
status 1
== user ktap -o /etc/hostname
ktap: error: -o: cannot write '/etc/hostname': Permission denied [io]
ktap: note: give a file in a directory that exists and that you may write
status 1
== user ktap -o /tmp/mine/file
ktap: error: cannot load modules: user 1000 may not load modules (CAP_SYS_MODULE) [run]
ktap: note: nor BPF programs: user 1000 may not load BPF programs (CAP_SYS_ADMIN)
ktap: note: run: sudo ktap SCRIPT
status 1
== ktap --runtime=kernel
ktap: error: cannot load modules: integrity: only modules with a signature that the kernel trusts are loaded [run]
ktap: note: run: ktap --sign-module=KEY,CERT SCRIPT, with a key enrolled by: mokutil --import CERT (ktap(1), SIGNED MODULES)
ktap: note: or run the script as BPF programs: ktap --runtime=bpf SCRIPT
status 1
== ktap
ktap: warning: cannot load modules: integrity: only modules with a signature that the kernel trusts are loaded; the script runs as BPF programs, which lack some constructs and count fewer losses: see ktap-bpf(7) (--runtime=bpf says so) [bpf]
status 0
0
== ktap --sign-module=key,cert
END
diff want have >difference
grep -q '^<' difference && fail "not as expected: $(cat difference)"
grep -q "cannot load modules: $release loads no module until the next boot" have || fail "modules_disabled is not said"
