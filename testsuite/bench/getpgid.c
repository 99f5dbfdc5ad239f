/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load of the cost measurements: ROUNDS times CALLS system calls getpgid(0), prints the least time of a call in
 * a round, in hundredths of a nanosecond. In a guest whose clock counts instructions, that is hundredths of them. Rounds
 * are short and many: in the best of them neither a tick nor the tracer's reader ran on the one CPU. */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 500, ROUNDS = 60 };

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void)
{
	long long best = 0;

	for (int round = 0; round <= ROUNDS; round++) {
		long long start = now(), spent;

		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getpgid, 0);
		spent = now() - start;
		/* The first round warms up. */
		if (round == 1 || (round > 1 && spent < best))
			best = spent;
	}
	fprintf(stderr, "@load %lld\n", best * 100 / CALLS);
	return 0;
}
