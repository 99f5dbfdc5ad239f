#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that is another one than when the script was compiled, or is not there: no breakpoint is set, and that is said.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
__attribute__((noipa)) int first(int n) { return n * 3; }
int main(void) { return first(1) - 3; }
END
cat >prog.stp <<'END'
probe process("./prog").function("first") { println("hit") }
probe end { println("end") }
END
for release in $(kernels); do
	bpf_session same -c ./prog prog.stp
	for name in other_bpf none_bpf; do programs $name -c ./prog prog.stp; done
	for name in other none; do module $name -c ./prog prog.stp; done
	in_guest 'run() {
		"$KTAPRUN" -c "sleep 0.1" $2 >$RESULTS/$1.out 2>$RESULTS/$1.err
		echo $? >$RESULTS/$1.status
	}
	printf "\\220\\220\\220\\220\\220\\220\\220\\220" | cat - prog >shifted
	cp shifted prog
	run other kt_other.ko
	run other_bpf kt_other_bpf.bpf
	rm prog
	run none kt_none.ko
	run none_bpf kt_none_bpf.bpf'
	boot
	result same
	printed '^hit$'
	for name in other none; do
		result $name
		mv out wanted
		mv err wanted_err
		result ${name}_bpf
		printed '^end$'
		said 'registration error'
		cmp wanted out && cmp wanted_err err || { diff wanted_err err; fail "not what a module says on $release"; }
	done
done
