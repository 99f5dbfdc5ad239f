#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! kernels: all
# Where the kernel is locked down as with Secure Boot, and no headers, debugging information or compiler are installed, BPF programs run: those
# that were made elsewhere, and those that ktap makes there of the kernel's BTF. The kernel is not tainted. A module is refused there.
. "$SRCDIR/testsuite/lib/process.sh"
need_native
vm_options='-a lockdown=integrity'

# In other locales cat opens files whose names are in pages that it has not read yet.
for release in $(kernels); do
	in_guest 'export LC_ALL=C'
	bpf_session example -c 'cat /etc/hostname' -e 'probe kernel.function("do_sys_open") { printf("%s %s\n", execname(), user_string($filename)) }'
	bpf_session process -c 'cat /etc/hostname' -e 'probe kernel.function("vfs_read").return { if (pid() == target()) { n++; if ($return > 0) sum <<< $return } } global n, sum
		probe end { println(n > 0, " ", @max(sum) > 0) }'
	module refused -e 'probe begin { println("impossible") exit() }'
	in_guest '
	mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
	mount -t tmpfs none /usr/src && mount -t tmpfs none /usr/lib/debug
	rm -f /lib/modules/*/build /lib/modules/*/source /usr/bin/*gcc* /usr/bin/cc
	cat /sys/kernel/security/lockdown >$RESULTS/lockdown
	ls -d /usr/src/* /usr/lib/debug/* /lib/modules/*/build /usr/bin/gcc >$RESULTS/headers 2>/dev/null
	"$KTAPRUN" kt_refused.ko >$RESULTS/refused.out 2>$RESULTS/refused.err </dev/null'
	in_guest "env XDG_CACHE_HOME=/tmp/cache \"$KTAP\" --runtime=bpf -c 'cat /etc/hostname' -e 'probe kernel.function(\"do_sys_openat2\") { printf(\"%s %s\\n\", execname(), user_string(\$filename)) }' \\
		>\$RESULTS/there.out 2>\$RESULTS/there.err </dev/null; echo \$? >\$RESULTS/there.status"
	in_guest 'cat /proc/sys/kernel/tainted >$RESULTS/tainted'
	boot
	grep -qF '[integrity]' results/lockdown || fail "$release is not locked down: $(cat results/lockdown)"
	test ! -s results/headers || fail "still there: $(cat results/headers)"
	grep -q 'locked down (integrity)' results/refused.err || fail "a module was not refused: $(cat results/refused.*)"
	result example
	printf '%s\n' 'cat /etc/ld.so.cache' 'cat /lib/x86_64-linux-gnu/libc.so.6' vm 'cat /etc/hostname' | sort >expected
	grep -v '^sh ' out | sort >sorted
	cmp -s expected sorted || fail "not the files of cat on $release"
	result process
	printed '^1 1$'
	: >there.build
	result there
	printed '^cat /etc/hostname$'
	test "$(cat results/tainted)" = 0 || fail "$release is tainted: $(cat results/tainted)"
done
