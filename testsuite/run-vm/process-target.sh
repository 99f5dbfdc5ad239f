#!/bin/sh
# Whose processes are probed: with -x the target and its children, those that it had before and those that it gets; a PID in the
# point: that process alone; nothing given: all. target_set_pid() agrees. -c gives execname() at the exec.
#
# Runs itself inside the VM with the words `guest KTAP`.

guest() {
	ktap=$1
	./prog parent & target=$!
	./prog alone & alone=$!
	sleep 1
	cat >/tmp/one.stp <<-END
	global mine, others, one, in_set
	probe process("./prog").function("tick") { if (pid() == $target || ppid() == $target) mine++; else others++ }
	probe process("./prog").function("tick") { if (target_set_pid(pid())) in_set++ }
	probe process($target).function("tick") { if (pid() == $target) one++; else error("another process") }
	probe timer.ms(1500) { if (\$1) target_set_report(); exit() }
	probe end { println(mine > 10, " ", others > 10, " ", one > 5, " ", mine > one, " ", in_set > 10) }
	END
	"$ktap" -x $target /tmp/one.stp 1 | sed "s/\<$target\>/TARGET/g; s/^TARGET begat [0-9]*/TARGET begat CHILD/; s/^[0-9]* begat/SHELL begat/"
	"$ktap" /tmp/one.stp 0
	kill $target $alone
	"$ktap" -c './prog once' -e 'probe process.begin { println(execname(), " ", pid() == target()) }'
	exit 0
}

if [ "$1" = guest ]; then
	guest "$2"
fi

. "$SRCDIR/testsuite/lib/process.sh"
program prog <<'END'
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
__attribute__((noipa)) void tick(void) { }
int main(int argc, char **argv) {
	if (!strcmp(argv[1], "once")) return 0;
	if (!strcmp(argv[1], "parent") && !fork()) prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) { tick(); usleep(20000); }
}
END
for release in $(kernels); do
	# Compiling takes the host's speed, not the VM's: the kit is made here, and the two modules are small.
	"$KTAP" -p4 -r "$release" -e 'probe begin { exit() }' >/dev/null || fail "no kit"
	timeout 400 "$BUILDDIR/ktap-vm" -n -t 390 "$release" -- sh "$SRCDIR/testsuite/run-vm/process-target.sh" guest "$KTAP" >out 2>err ||
		fail "on $release"
	expect <<-'END'
	target set:
	SHELL begat TARGET
	TARGET begat CHILD
	1 0 1 1 1
	1 1 1 1 0
	prog 1
	END
done
