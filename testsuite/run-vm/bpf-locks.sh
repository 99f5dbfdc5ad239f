#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# A handler of a BPF program has the globals that it reads and writes to itself, and waits for them as long as MAXTRYLOCK says. A hit that gives
# up is counted.
. "$SRCDIR/testsuite/lib/process.sh"

program calls -D_GNU_SOURCE <<'END'
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	for (int child = 0; child < 4; child++)
		if (!fork()) {
			for (int i = 0; i < 20000; i++)
				lseek(fd, i, SEEK_SET);
			return 0;
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
cat >locked.stp <<'END'
global last, order, n, a
probe kernel.function("null_lseek").call {
	if (execname() != "calls") next
	n = n + 1
	last = order; order = n
	if (order != last + 1) println("impossible")
	a[n % 5] = n; if (!((n % 5) in a)) println("impossible")
}
probe end { println(n, " ", order, " ", last + 1) }
END

for release in $(kernels); do
	bpf_session waits -DMAXTRYLOCK=100000 -c ./calls locked.stp
	bpf_session impatient -DMAXTRYLOCK=0 -DMAXSKIPPED=1000000 -c ./calls locked.stp
	boot
	result waits
	echo '80000 80000 80000' | expect
	test ! -s err || fail "warnings on $release"
	result impatient
	skipped=$(sed -n 's/^WARNING: Number of errors: 0, skipped probes: //p' err)
	n=$((80000 - ${skipped:-0}))
	echo "$n $n $n" | expect
done
