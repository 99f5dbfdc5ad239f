#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel without a family's option, or that does not export the family's functions: the kit compiles without that family, a
# script that needs it is refused, and others run. A kernel for which the kit does not build is remembered.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
release=${release%% *}
tree=$(readlink -f "/lib/modules/$release/build")
mkdir less
cp -rs "$tree"/. less/
# Debian's Makefile may name the directory that it is in.
rm less/Makefile
sed "s|=$tree\$|=$PWD/less|" "$tree/Makefile" >less/Makefile
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir -m 700 cache

# lacking SYMBOL...: the kernel's build tree does not export them.
lacking()
{
	rm less/Module.symvers
	printf '\t%s\t\n' "$@" | grep -v -F -f - "$tree/Module.symvers" >less/Module.symvers
}

# without FILE REGEX: the options that REGEX matches are not set in FILE of the build tree.
without()
{
	rm "less/$1"
	grep -vE "^(#define )?CONFIG_($2)[= ]" "$tree/$1" >"less/$1"
}

# needs OPTION POINT: the script is refused before anything is built.
needs()
{
	without .config "$1"
	ktap -p2 -r "$PWD/less" -e "probe $2 { exit() }"
	refused no-feature
	said "built without CONFIG_$1, which '.*' needs"
	ktap -p2 -r "$PWD/less" -e "probe $2? { } probe begin { exit() }"
	accepted
}
needs KPROBES 'kernel.function("vfs_read")'
needs KPROBES 'kprobe.function("vfs_read").return'
needs UPROBES 'process("/bin/cat").function("main")'
needs TRACEPOINTS 'kernel.trace("sched_switch")'
needs TRACEPOINTS 'process.begin'
needs TRACEPOINTS 'syscall.openat'
needs PERF_EVENTS 'timer.profile'
case $release in
*arm64) ;; # has no watchpoints
*)
	needs PERF_EVENTS 'kernel.data(0xffffffff81000000).write'
	needs HAVE_HW_BREAKPOINT 'kernel.data(0xffffffff81000000).write'
	;;
esac
needs NETFILTER 'netfilter.ipv4.local_out'
needs STACKTRACE 'kernel.function("vfs_read").callee("rw_verify_area")'
ls cache/kit 2>/dev/null | grep . && fail "a kit was built"

# All of them at once: the kit compiles. But every script needs queue_work_on(): the kit does not link, and is not built again
# until something changes.
gone='(DYNAMIC_)?FTRACE[A-Z_]*|FUNCTION_[A-Z_]*TRACER|[A-Z_]*TRACING|TRACEPOINTS|(OPT)?K(RET)?PROBE[A-Z_]*|RETHOOK|FPROBE[A-Z_]*'
gone="$gone|UPROBE[A-Z_]*|(BPF|SYNTH|PROBE|DYNAMIC)_EVENTS|NETFILTER[A-Z_]*|KALLSYMS[A-Z_]*|MODULE_UNLOAD|LIVEPATCH"
without include/generated/autoconf.h "$gone"
without include/config/auto.conf "$gone"
# More symbols than modpost names.
many='queue_work_on fget fput kern_mount kern_unmount kernel_read kfree kvfree msleep mutex_lock mutex_unlock path_get path_put proc_create
	proc_mkdir remove_proc_entry vfree vmalloc'
# shellcheck disable=SC2086
lacking $many
ktap -p4 -r "$PWD/less" -e 'probe begin { exit() }'
refused build
said 'queue_work_on.* undefined!'
said 'CONFIG_TRIM_UNUSED_KSYMS'
# All that are missing are named, and the whitelist has them and the others.
list=$(sed -n 's/.*CONFIG_UNUSED_KSYMS_WHITELIST="\([^"]*\)".*/\1/p' err)
named=$(sed -n 's/.*does not export \([0-9]*\) functions or variables that scripts need: \(.*\)/\1, \2/p' err | tr -d ' ' | tr , '\n')
missing=0
for symbol in $many; do
	grep -qx "$symbol" "$list" || continue
	missing=$((missing + 1))
	echo "$named" | grep -qx "$symbol" || fail "'$symbol' is not named"
done
[ "$missing" -gt 10 ] || fail "the kit imports only $missing of the symbols"
[ "$missing" = "$(echo "$named" | head -n 1)" ] || fail "it is said that $(echo "$named" | head -n 1) are missing, but $missing are"
[ "$(wc -l <"$list")" -gt 100 ] || fail "the list of imports has $(wc -l <"$list") lines"
ktap -p4 -r "$PWD/less" -e 'probe begin { exit() }'
refused build
said 'does not build, as before'
! grep -q 'undefined!' err || fail "the log is shown twice"
log=$(sed -n 's/.*the compiler said is in \([^;]*\);.*/\1/p' err)
grep -q 'queue_work_on.* undefined!' "$log" || fail "no log in '$log'"
! grep 'error:' "$log" || fail "the kit does not compile without the options"
for file in .config include/generated/autoconf.h include/config/auto.conf; do
	without "$file" NONE
done

lacking uprobe_register uprobe_register_refctr uprobe_unregister uprobe_unregister_nosync uprobe_unregister_sync \
	perf_event_create_kernel_counter perf_event_release_kernel perf_event_enable perf_event_disable \
	tracepoint_probe_register tracepoint_probe_unregister for_each_kernel_tracepoint \
	register_tracepoint_module_notifier unregister_tracepoint_module_notifier nf_register_net_hook nf_unregister_net_hook
# told OPTION POINT: the script is refused.
told()
{
	ktap -p4 -r "$PWD/less" -e "probe $2 { exit() }"
	refused no-feature
	said "CONFIG_$1"
}
told UPROBES 'process("libc.so.6").function("setlocale")'
told PERF_EVENTS 'timer.profile'
told TRACEPOINTS 'kernel.trace("sched:sched_switch")'
told TRACEPOINTS 'syscall.openat'
ktap -p4 -m kt_rest -r "$PWD/less" -e 'global n probe begin { println("begins") } probe kernel.function("vfs_read") { n++ }
	probe kernel.function("vfs_read").return { n++ } probe timer.ms(20) { if (n > 3) exit() } probe end { println("ends") }'
accepted
"$BUILDDIR/ktap-vm" -n "$release" -- sh -c "'$BUILDDIR/ktaprun' -c 'cat /etc/hostname /etc/passwd /etc/group /etc/hostname' kt_rest.ko; dmesg | grep -i 'bug\|warn'" >out 2>err </dev/null
printed '^begins$'
said 'children of the target are not followed'
printed '^ends$'
