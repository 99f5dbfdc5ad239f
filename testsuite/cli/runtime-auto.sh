#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=auto in directories that stand for machines: a module where one can be built and loaded, else BPF programs, with one warning; if
# neither can be loaded, an error with both reasons.
. "$SRCDIR/testsuite/lib/sh.sh"
running=$(uname -r)
hello='probe begin { println("hello") exit() }'

# A machine that loads modules and BPF programs, and has no headers of the running kernel.
machine()
{
	rm -rf root
	mkdir -p root/proc/self root/proc/sys/kernel root/sys/kernel/security root/sys/module/module/parameters \
		root/sys/bus/event_source/devices/kprobe root/lib/modules
	printf 'Name:\tktap\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n' >root/proc/self/status
	echo '         0          0 4294967295' >root/proc/self/uid_map
	touch root/proc/modules
	echo 2 >root/proc/sys/kernel/unprivileged_bpf_disabled
	echo 3 >root/proc/sys/kernel/perf_event_paranoid
	echo 8 >root/sys/bus/event_source/devices/kprobe/type
	echo '[none] integrity confidentiality' >root/sys/kernel/security/lockdown
	echo N >root/sys/module/module/parameters/sig_enforce
}

# user CAPABILITIES: those of user 1000.
user()
{
	printf 'Name:\tktap\nUid:\t1000\t1000\nCapEff:\t%s\n' "$1" >root/proc/self/status
}

# run WORD...: ktap on that machine.
run()
{
	KTAP_DOCTOR_ROOT=$PWD/root ktap "$@"
}

# as_bpf REASON: the script ran as BPF programs, and one line says why.
as_bpf()
{
	test "$status:$(cat out)" = 0:hello || fail "the script did not run: $(cat err)"
	said "warning: cannot $1; the script runs as BPF programs, .*ktap-bpf(7).* \[bpf\]"
	test "$(wc -l <err)" = 1 || fail "more than one line: $(cat err)"
}

# neither REASON BPF-REASON: nothing ran, and both are said.
neither()
{
	refused run
	said "error: cannot load modules: $1"
	said "note: nor BPF programs: $2"
	said 'note: .*ktap --vm SCRIPT'
}

machine
run -e "$hello"
as_bpf "build modules: $running has no headers here"
echo 'none [integrity] confidentiality' >root/sys/kernel/security/lockdown
run --runtime=auto -e "$hello"
as_bpf 'load modules: integrity: only modules with a signature that the kernel trusts are loaded'
echo 1 >root/proc/sys/kernel/modules_disabled
run -e "$hello"
as_bpf "load modules: $running loads no module until the next boot (kernel.modules_disabled)"
run -W -e "$hello"
refused bpf
run -w -e "$hello"
test "$(cat out err)" = hello || fail "-w does not suppress the warning"
# The form that was asked for needs no explanation.
run --runtime=bpf -e "$hello"
test "$status:$(cat out err)" = 0:hello || fail "--runtime=bpf: $(cat err)"
run --runtime=kernel -e "$hello"
refused run
said 'cannot load modules: .*modules_disabled'
said 'note: .*ktap --runtime=bpf SCRIPT'

# CAP_BPF and CAP_PERFMON are enough where perf events are not restricted.
machine
user 000000c000000000
run -e "$hello"
neither 'user 1000 may not load modules (CAP_SYS_MODULE)' 'user 1000 may not load BPF programs (CAP_SYS_ADMIN)'
echo 2 >root/proc/sys/kernel/perf_event_paranoid
run -e "$hello"
as_bpf 'load modules: user 1000 may not load modules (CAP_SYS_MODULE)'
user 0000008000000000
run -e "$hello"
neither 'user 1000 ' 'user 1000 may not load BPF programs (CAP_BPF and CAP_PERFMON)'

machine
echo 'none integrity [confidentiality]' >root/sys/kernel/security/lockdown
run -e "$hello"
neither confidentiality: 'lockdown=confidentiality: BPF programs may not read'
machine
echo 1 >root/proc/sys/kernel/modules_disabled
rm root/proc/sys/kernel/unprivileged_bpf_disabled
run -e "$hello"
neither ".*modules_disabled" 'the kernel is built without BPF (CONFIG_BPF_SYSCALL)'
echo '         0     100000      65536' >root/proc/self/uid_map
echo 0 >root/proc/sys/kernel/unprivileged_bpf_disabled
run -e "$hello"
neither '.*container' 'root of a container (user namespace) may not load BPF programs'

# What neither can do has both reasons.
machine
echo 'none [integrity] confidentiality' >root/sys/kernel/security/lockdown
run -e 'probe procfs.read { $value = "x" }'
refused bpf
said "'procfs.read' cannot be done by a BPF program"
said 'note: no module can be loaded: integrity: .*--sign-module'
run -o records -b -e "$hello"
refused bpf
said '-b cannot be done with BPF programs'
said 'note: no module can be loaded: integrity: '
run --runtime=bpf --transport=relay -e "$hello"
refused bpf
said 'note: --runtime=kernel, which loads a module, can'
run --runtime=bpf --bundle b.ktap -r "$running" -e "$hello"
refused bpf

# A command that runs nothing here is for a module: the machine that loads it has other rules.
run -p4 -e "$hello"
! grep -q 'BPF' err || fail "-p4 is for this machine"
run --runtime=kernal -e "$hello"
refused usage
said 'possible: --runtime=auto'
