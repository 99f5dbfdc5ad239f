#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# What the kernel refuses of BPF programs becomes one error with the script's line or what forbids it, and the next step. Nothing runs then.
. "$SRCDIR/testsuite/lib/process.sh"
chmod 755 . # other users read the images

cat >deep.stp <<'END'
function f9(n) { return n + 1 }
function f8(n) { return f9(n) + 1 }
function f7(n) { return f8(n) + 1 }
function f6(n) { return f7(n) + 1 }
function f5(n) { return f6(n) + 1 }
function f4(n) { return f5(n) + 1 }
function f3(n) { return f4(n) + 1 }
global sum
probe kernel.trace("sys_enter") { sum = f3(2); exit() }
probe end { println(sum) }
END
{
	echo 'global n'
	echo 'probe kernel.trace("sys_enter") { number = $id'
	seq 9000 | sed 's/.*/number == &/' | paste -s -d '|' | sed 's/|/ || /g; s/\(\([^|]*||\)\{50\}\)/&\n/g' | sed 's/^/if (/; s/|*$/) n++/'
	echo '}'
	echo 'probe begin { println("it runs") }'
	echo 'probe end { println(n) }'
} >jumps.stp
cat >rights.stp <<'END'
global mode
probe kernel.function("vfs_read").call { mode = $file->f_mode }
probe begin { println("it runs") }
probe end { println(mode) }
END
cat >trace.stp <<'END'
probe kernel.trace("sys_enter") { exit() }
probe end { println("it ran") }
END
run='RUN() { name=$1; shift; timeout 100 "$@" >$RESULTS/$name.out 2>$RESULTS/$name.err </dev/null; echo $? >$RESULTS/$name.status; }'
refused()
{
	test "$(cat results/$1.status)" = 1 && test ! -s results/$1.out || fail "$1 ran on $release: $(cat results/$1.out results/$1.err)"
	for text; do
		test "$text" = "$1" || grep -qF "$text" results/$1.err || fail "$1 on $release lacks '$text': $(head -c 2000 results/$1.err)"
	done
}
for release in $(kernels); do
	for name in deep jumps rights trace; do
		programs $name $name.stp
	done
	in_guest "$run"
	in_guest '
	RUN deep "$KTAPRUN" kt_deep.bpf
	RUN jumps "$KTAPRUN" kt_jumps.bpf
	RUN verbose "$KTAPRUN" -v kt_jumps.bpf
	RUN none setpriv --reuid 65534 --regid 65534 --clear-groups "$KTAPRUN" kt_trace.bpf
	RUN some setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps +cap_38,+cap_39 --ambient-caps +cap_38,+cap_39 "$KTAPRUN" kt_trace.bpf
	echo 2 >/proc/sys/kernel/perf_event_paranoid # 1 shows addresses to all
	RUN hidden setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps +cap_38,+cap_39 --ambient-caps +cap_38,+cap_39 "$KTAPRUN" kt_rights.bpf
	echo 2 >/proc/sys/kernel/kptr_restrict
	RUN restricted "$KTAPRUN" kt_rights.bpf
	echo 1 >/proc/sys/kernel/kptr_restrict
	mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
	echo confidentiality >/sys/kernel/security/lockdown
	RUN lockdown "$KTAPRUN" kt_rights.bpf
	ls /sys/fs/bpf >$RESULTS/pinned'
	boot
	result deep
	echo 9 | expect
	refused jumps 'error: the kernel refuses the handler of kernel.trace("raw_syscalls:sys_enter") near keyword' ' at jumps.stp:' 'jumps is too complex' \
		'note: the kernel follows at most 8,192 branches on a path' 'note: --runtime=kernel, which loads a module'
	grep -q '^ *[0-9]* | if ( *number == [0-9]* ' results/jumps.err || fail "no line of the script: $(cat results/jumps.err)"
	test "$(wc -l <results/jumps.err)" -lt 9 || fail "the verifier's words without -v: $(head -n 20 results/jumps.err)"
	refused verbose 'jumps is too complex' 'processed '
	refused none 'error: the BPF programs of this script need root (the capability CAP_BPF and CAP_PERFMON)'
	test "$(cat results/some.out)" = 'it ran' || fail "two capabilities are not enough on $release: $(cat results/some.err)"
	if test -e "/usr/lib/debug/boot/vmlinux-$release"; then
		refused hidden 'error: the kernel hides where its functions are' 'CAP_SYSLOG'
		refused restricted 'error: the kernel hides where its functions are' 'sysctl kernel.kptr_restrict=1'
	else
		# Without debugging information the function is known by its name alone.
		grep -q '^it runs' results/hidden.out && grep -q '^it runs' results/restricted.out || fail "names ask for addresses on $release"
	fi
	refused lockdown 'note: lockdown=confidentiality: BPF programs may not read the kernel' 'note: reboot with lockdown=integrity'
	test ! -s results/pinned || fail "left in /sys/fs/bpf: $(cat results/pinned)"
done
