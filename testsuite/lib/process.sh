# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of probes in programs: they compile a program whose behaviour is known and probe it in the VM.
#
# A VM is emulated where there is no KVM, so a test boots each kernel once: session() builds on this machine and puts the run
# on the plan, in_guest() puts other commands there, boot() runs the plan, result() shows what one session said.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/sh.sh"

need_kernel
folder=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Seconds that nothing needs but what hangs.
limit=1200

# The machine that programs are compiled for, and how the names of its kernel's functions for system calls begin.
machine=$(machine)
case $machine in
aarch64) wrapper=__arm64_sys ;;
*) wrapper=__x64_sys ;;
esac
# What names no kernel is about the first one's machine.
if test "$machine" != "$(uname -m)"; then
	KTAP_RELEASE=$(kernels | sed 's/ .*//')
	export KTAP_RELEASE
fi

# program NAME [FLAG...]: compiles stdin to ./NAME.
program()
{
	name=$1
	shift
	cat >"$name.c"
	${CC:-gcc} -g -O2 "$@" -o "$name" "$name.c" || fail "cannot compile $name.c"
}

# need_32bit: programs of 32 bits can be compiled, with $m32; some headers lie where only those of 64 look.
m32='-m32 -idirafter /usr/include/x86_64-linux-gnu'
need_32bit()
{
	# shellcheck disable=SC2086
	if ! printf '#include <sys/sdt.h>\n#include <errno.h>\nint main(void) { return errno; }\n' |
		${CC:-gcc} $m32 -x c -o /dev/null - 2>/dev/null; then
		echo "programs of 32 bits cannot be compiled here: gcc-12-multilib, libc6-dev-i386, systemtap-sdt-dev"
		exit 77
	fi
}

# told_truth: what the program printed behind "T " and the script behind "K " are the same lines, and there are some.
told_truth()
{
	sed -n 's/^T //p' out >expected
	sed -n 's/^K //p' out >told
	test -s expected || fail "the program said nothing on $release: $(cat out err)"
	cmp -s expected told || { diff expected told | head -n 40; fail "not what the program says of itself on $release"; }
}

# module NAME ARGUMENT...: kt_NAME.ko for $release of what ktap is told.
module()
{
	module=$1
	shift
	# shellcheck disable=SC2046
	ktap -p4 -r "$release" -m "kt_$module" $(perl -I "$SRCDIR/testsuite/lib" -MVm -e 'print Vm::signing(@ARGV)' "$release") "$@"
	accepted
	mv err "$module.build"
}

# in_guest COMMAND: on the plan. It finds $KTAPRUN and $RESULTS, where NAME.out, NAME.err and NAME.status are for result NAME, and the
# functions of guest.sh.
in_guest()
{
	printf '%s\n' "$1" >>plan
}

# in_guest_silent: on the plan, the commands on stdin, which end well and say nothing: see silent.
in_guest_silent()
{
	{
		echo '('
		cat
		echo ') >$RESULTS/silent 2>&1 </dev/null || echo "exit status $?" >>$RESULTS/silent'
	} >>plan
}

# silent: they did.
silent()
{
	test -e results/silent && test ! -s results/silent || {
		cat results/guest results/silent
		fail "the commands in $release"
	}
}

# programs NAME ARGUMENT...: the same as BPF programs, in kt_NAME.bpf.
programs()
{
	module=$1
	shift
	XDG_CACHE_HOME=$work ktap -p4 -r "$release" --runtime=bpf "$@"
	accepted
	cp "$(cat out)" "kt_$module.bpf"
	mv err "$module.build"
}

# session NAME ARGUMENT...: what `ktap ARGUMENT...` would run is on the plan.
session()
{
	module "$@"
	run_file "kt_$module.ko" "$@"
}

# bpf_session NAME ARGUMENT...: the same without a module.
bpf_session()
{
	programs "$@"
	run_file "kt_$module.bpf" "$@"
}

# run_file FILE NAME ARGUMENT...
run_file()
{
	file=$1
	in_guest "set --"
	while [ $# -gt 0 ]; do
		test "$1" = -c && in_guest "set -- -c '$(printf '%s' "$2" | sed "s/'/'\\\\''/g")'"
		shift
	done
	in_guest "\"\$KTAPRUN\" \"\$@\" $file >\$RESULTS/$module.out 2>\$RESULTS/$module.err </dev/null
		echo \$? >\$RESULTS/$module.status"
}

# like_here PID COMMAND: on the plan: the command in the background, as the process that PID is on this machine. So a
# module for process(PID) is built here.
like_here()
{
	in_guest "
	echo 4194304 >/proc/sys/kernel/pid_max
	for try in 1 2 3 4 5; do
		echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
		$2 & test \$! = $1 && break
		kill \$!
	done"
}

# boot: runs the plan on $release, in a VM with the options $vm_options. The kernel has nothing to complain about.
boot()
{
	{
		echo "echo $(perl -I "$SRCDIR/testsuite/lib" -MVm -e 'print Vm::randomize(@ARGV)' "$0") >/proc/sys/kernel/randomize_va_space"
		echo "KTAPRUN=$BUILDDIR/ktaprun RESULTS=/tmp/ktap-results"
		cat "$SRCDIR/testsuite/lib/guest.sh"
		echo 'mkdir -p $RESULTS; exec 3>&1 >$RESULTS/guest 2>&1'
		cat plan
		echo 'dmesg >$RESULTS/dmesg; lsmod >$RESULTS/modules; tar -cf - -C $RESULTS . >&3'
	} >guest
	rm -rf results plan
	mkdir results
	timeout "$limit" "$BUILDDIR/ktap-vm" -n ${vm_options:-} -t "$((limit - 10))" "$release" -- sh ./guest >results.tar 2>err </dev/null &&
		tar -xf results.tar -C results || fail "no end on $release: $(head -c 2000 results.tar | tr -d '\000')"
	if grep -qE 'BUG:|WARNING:|Oops|unpatched|Call Trace|blocked for more|deadlock' results/dmesg; then
		cp results/dmesg "$folder"
		grep -nE -B 6 'BUG:|WARNING:|Oops|unpatched|Call Trace|blocked for more|deadlock' results/dmesg | head -n 20
		fail "$release complains, see $folder/dmesg"
	fi
	! grep '^kt_' results/modules || fail "left in $release: $(cat results/silent 2>/dev/null)"
}

# result NAME: what the session said is in `out` and `err`; it ended well and says nothing unexpected.
result()
{
	cp "results/$1.out" out && cat "$1.build" "results/$1.err" >err && status=$(cat "results/$1.status") || {
		cat results/guest
		fail "session $1 did not run on $release"
	}
	accepted
	! grep -E 'BUG:|Oops|Call Trace|error: ' err out || fail "session $1 on $release"
}

# in_vm ARGUMENT...: the only session of a test.
in_vm()
{
	session only "$@"
	boot
	result only
}

# expect: stdout is the text on stdin.
expect()
{
	cat >expected
	cmp -s expected out || { diff expected out | head -n 40; fail "stdout differs on $release"; }
}
