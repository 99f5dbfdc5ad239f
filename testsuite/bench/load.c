/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loads of the measurements. In a guest whose clock counts instructions, the times are instructions.
 *
 *	load LOAD           one thread; prints the least time of a call in a round, in hundredths of a nanosecond
 *	load LOAD THREADS   so many threads at once, each on its processor; prints the time of a call in the best round
 *	load keys COUNT     getpgid() with COUNT different numbers in turn, of which each was there once before the measurement
 *	load run CMD...     prints the time that CMD's threads run, in hundredths of a nanosecond: while a guest waits for the disk or
 *	                    a timer its clock may run far ahead
 *
 * Rounds are short and many: in the best of them neither a tick nor the tracer's reader ran on the one processor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 500, ROUNDS = 60, THREAD_CALLS = 4000, THREADS_MAX = 64 };

static int zero;
static unsigned keys = 1, key;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void call_getpgid(void)
{
	syscall(SYS_getpgid, 0);
}

static void call_read(void)
{
	char byte;

	if (read(zero, &byte, 1) != 1)
		abort();
}

/* No process has such a number; an odd factor makes the keys come in no order. */
static void call_keys(void)
{
	syscall(SYS_getpgid, 0x40000000 + (key++ * 2654435761u & (keys - 1)));
}

__attribute__((noinline)) void work(const char *name)
{
	__asm__ volatile("" : : "r"(name) : "memory");
}

static void call_work(void)
{
	work("a name of a length that is seen often");
}

__attribute__((noinline)) void inner(const char *name)
{
	work(name);
	__asm__ volatile("");
}

__attribute__((noinline)) void outer(const char *name)
{
	inner(name);
	__asm__ volatile("");
}

static void call_deep(void)
{
	outer("a name of a length that is seen often");
	__asm__ volatile("");
}

static const struct load {
	const char *name;
	void (*call)(void);
} loads[] = { { "getpgid", call_getpgid }, { "read", call_read }, { "keys", call_keys }, { "work", call_work }, { "deep", call_deep } };

static long long spend(void (*call)(void), int calls)
{
	long long start = now();

	for (int i = 0; i < calls; i++)
		call();
	return now() - start;
}

static long long best_round(void (*call)(void))
{
	long long best = 0;

	/* The first round warms up. */
	spend(call, keys > CALLS ? (int)keys : CALLS);
	for (int round = 0; round < ROUNDS; round++) {
		long long spent = spend(call, CALLS);

		if (!round || spent < best)
			best = spent;
	}
	return best * 100 / CALLS;
}

static pthread_barrier_t together;
static const struct load *shared_load;
static long long spent_by[THREADS_MAX];

static void *thread(void *cpu)
{
	cpu_set_t own;

	CPU_ZERO(&own);
	CPU_SET((int)(long)cpu, &own);
	sched_setaffinity(0, sizeof(own), &own);
	spend(shared_load->call, CALLS);
	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&together);
		spent_by[(long)cpu] = spend(shared_load->call, THREAD_CALLS);
		pthread_barrier_wait(&together);
	}
	return NULL;
}

static long long best_of_threads(const struct load *load, int n)
{
	pthread_t threads[THREADS_MAX];
	long long best = 0;

	shared_load = load;
	pthread_barrier_init(&together, NULL, n + 1);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, thread, (void *)(long)i))
			abort();
	for (int round = 0; round < ROUNDS; round++) {
		long long spent = 0;

		pthread_barrier_wait(&together);
		pthread_barrier_wait(&together);
		for (int i = 0; i < n; i++)
			spent = spent_by[i] > spent ? spent_by[i] : spent;
		if (!round || spent < best)
			best = spent;
	}
	return best * 100 / THREAD_CALLS;
}

static int run(char **argv)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(*argv, argv);
		_exit(127);
	}
	wait4(pid, &status, 0, &usage);
	fprintf(stderr, "@load %lld\n", ((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec +
					 usage.ru_stime.tv_usec) * 100000);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	const struct load *load = loads;
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (argc > 2 && !strcmp(argv[1], "run"))
		return run(argv + 2);
	while (load < loads + sizeof(loads) / sizeof(loads[0]) && (argc < 2 || strcmp(load->name, argv[1])))
		load++;
	if (load == loads + sizeof(loads) / sizeof(loads[0]) || n < 0 || (n > THREADS_MAX && load->call != call_keys)) {
		fprintf(stderr, "usage: load getpgid|read|work|deep [THREADS] | load keys COUNT | load run CMD...\n");
		return 2;
	}
	zero = open("/dev/zero", O_RDONLY);
	if (load->call == call_keys) {
		keys = n;
		n = 0;
	}
	fprintf(stderr, "@load %lld\n", n ? best_of_threads(load, n) : best_round(load->call));
	return 0;
}
