#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of ktaprun while the kernel writes the breakpoint of a perf probe into 500 processes of a program: none of them keeps it.
. "$SRCDIR/testsuite/lib/process.sh"

program herd -static <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
/* herd N: prints the numbers of N processes that wait until it ends. */
int main(int argc, char **argv)
{
	for (int i = atoi(argv[1]); i; i--) {
		pid_t pid = fork();

		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		printf("%d\n", pid);
	}
	puts("all");
	fflush(stdout);
	return pause();
}
END
program code -static <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static unsigned word_of(int fd, long at)
{
	unsigned word;

	if (pread(fd, &word, sizeof(word), at) != sizeof(word))
		exit(1);
	return word;
}
static int open_memory(int pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		exit(1);
	return fd;
}
/* code ADDRESS: prints the four bytes there in each process whose number is on stdin.
 * code ADDRESS WORD SESSION PID PID: kills the session as soon as they are not WORD in one of the two. */
int main(int argc, char **argv)
{
	long at = strtol(argv[1], 0, 16);
	int pid;

	if (argc > 2) {
		int a = open_memory(atoi(argv[4])), b = open_memory(atoi(argv[5]));
		unsigned own = strtoul(argv[2], 0, 16);

		while (word_of(a, at) == own && word_of(b, at) == own)
			if (kill(atoi(argv[3]), 0))
				return 1;
		return kill(atoi(argv[3]), SIGKILL);
	}
	while (scanf("%d", &pid) == 1) {
		int fd = open_memory(pid);

		printf("%08x\n", word_of(fd, at));
		close(fd);
	}
}
END
start=$(nm herd | sed -n 's/^\([0-9a-f]*\) T _start$/\1/p')

cat >kills.sh <<'END'
stop() { echo "$*"; cat /tmp/kt-err; exit 1; }
codes() { ./code $start </tmp/pids | sort | uniq -c; }
state=/sys/module/kt_faults/parameters/ktap_state
./herd 500 >/tmp/pids & herd=$!
trap 'kill $herd' EXIT
until grep -q all /tmp/pids; do sleep 0.1; done
codes >/tmp/before
read -r n word more </tmp/before
[ "$n" = 500 ] || stop "not one code: $(cat /tmp/before)"
for try in 1 2 3 4 5; do
	"$KTAPRUN" kt_faults.ko >/tmp/kt-out 2>/tmp/kt-err & session=$!
	./code $start $word $session $(sed -n '1p;500p' /tmp/pids) || stop "no breakpoint was written"
	wait $session 2>/dev/null
	[ "$(cat $state)" = stopped ] || stop "killed, and it is $(cat $state)"
	"$KTAPRUN" -d kt_faults
	codes >/tmp/after
	cmp -s /tmp/before /tmp/after || stop "kill $try left: $(cat /tmp/after)"
done
END

for release in $(kernels); do
	module faults -e 'global n probe perf.sw.page_faults.process("./herd") { n++ } probe end { println(n >= 0) }'
	{ echo "start=$start"; cat kills.sh; } >all
	in_guest_silent <all
	boot
	silent
	echo "$release: ok"
done
