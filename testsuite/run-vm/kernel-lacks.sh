#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that does not export what a family needs: the kit is built without that family, a script that needs it is told, and
# others run. A kernel for which the kit does not build is remembered.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
tree=$(readlink -f "/lib/modules/$release/build")
mkdir less
cp -rs "$tree"/. less/
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir -m 700 cache

# lacking SYMBOL...: the kernel's build tree does not export them.
lacking()
{
	rm less/Module.symvers
	printf '\t%s\t\n' "$@" | grep -v -F -f - "$tree/Module.symvers" >less/Module.symvers
}

# Every script needs this one: the kit does not build, and is not built again until something changes.
lacking queue_work_on
ktap -p4 -r "$PWD/less" -e 'probe begin { exit() }'
refused build
said 'queue_work_on.* undefined!'
ktap -p4 -r "$PWD/less" -e 'probe begin { exit() }'
refused build
said 'does not build, as before'
! grep -q 'undefined!' err || fail "the log is shown twice"
log=$(sed -n 's/.*the compiler said is in \([^;]*\);.*/\1/p' err)
grep -q 'queue_work_on.* undefined!' "$log" || fail "no log in '$log'"

lacking uprobe_register uprobe_register_refctr uprobe_unregister perf_event_create_kernel_counter tracepoint_probe_register
# told OPTION POINT: the script is refused.
told()
{
	ktap -p4 -r "$PWD/less" -e "probe $2 { exit() }"
	refused no-feature
	said "CONFIG_$1"
}
told UPROBES 'process("/lib/x86_64-linux-gnu/libc.so.6").function("setlocale")'
told PERF_EVENTS 'timer.profile'
told TRACEPOINTS 'kernel.trace("sched:sched_switch")'
told TRACEPOINTS 'syscall.openat'
ktap -p4 -m kt_rest -r "$PWD/less" -e 'global n probe begin { println("begins") } probe kernel.function("vfs_read") { n++ }
	probe timer.ms(20) { if (n > 3) exit() } probe end { println("ends") }'
accepted
"$BUILDDIR/ktap-vm" -n "$release" -- sh -c "'$BUILDDIR/ktaprun' -c 'cat /etc/hostname /etc/passwd /etc/group /etc/hostname' kt_rest.ko; dmesg | grep -i 'bug\|warn'" >out 2>err </dev/null
printed '^begins$'
said 'children of the target are not followed'
printed '^ends$'
