/* Keeps a kernel busy: files, mappings, pipes, signals, forks, threads, timers and loopback sockets.
 *
 *	load [SECONDS [short]]
 *
 * Two processes repeat the round for SECONDS; without it one process runs one round. The exit status names the step that failed.
 * "short": the kernel is short of memory, so each round is run in a process of its own, which may fail and is ended after 5 s.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 2 };

static volatile sig_atomic_t signals;
static char text[4096];

static void on_signal(int s)
{
	signals++;
}

static int files(void)
{
	char name[32];
	char *m;
	int fd;

	snprintf(name, sizeof(name), "load.%d", (int)getpid());
	fd = open(name, O_CREAT | O_RDWR, 0600);
	if (write(fd, text, sizeof(text)) != sizeof(text) || fsync(fd) || ftruncate(fd, 8192))
		return 1;
	m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (m == MAP_FAILED)
		return 2;
	m[0] = m[4096] = 1;
	return msync(m, 8192, MS_SYNC) || munmap(m, 8192) || unlink(name) || close(fd) ? 3 : 0;
}

static void *read_one(void *fd)
{
	return (void *)read((int)(long)fd, text, 1);
}

/* Forks a child that signals itself and writes to a pipe, which a thread reads. */
static int processes(void)
{
	pthread_t thread;
	int p[2], status;
	pid_t child;

	signals = 0;
	if (pipe(p))
		return 4;
	child = fork();
	if (!child)
		_exit(write(p[1], text, 1) != 1 || raise(SIGUSR1) || signals != 1);
	if (waitpid(child, &status, 0) < 0 || status || read(p[0], text, 1) != 1)
		return 5;
	if (pthread_create(&thread, NULL, read_one, (void *)(long)p[0]) || write(p[1], text, 1) != 1 ||
	    pthread_join(thread, NULL))
		return 6;
	return close(p[0]) || close(p[1]) ? 7 : 0;
}

static int timers(void)
{
	struct itimerspec in = { .it_value.tv_nsec = 1000000 };
	int t = timerfd_create(CLOCK_MONOTONIC, 0);
	unsigned long long ticks;

	return timerfd_settime(t, 0, &in, NULL) || read(t, &ticks, sizeof(ticks)) != sizeof(ticks) || close(t) ? 8 : 0;
}

static int network(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t size = sizeof(to);
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(in, (void *)&to, sizeof(to)) || getsockname(in, (void *)&to, &size))
		return 9;
	return sendto(out, text, 100, 0, (void *)&to, size) != 100 || read(in, text, 100) != 100 || close(in) || close(out)
		       ? 10 : 0;
}

/* 0, or the number of the step that failed. */
static int one_round(void)
{
	int (*const steps[])(void) = { files, processes, timers, network };
	int failed = 0;
	char *m = malloc(1 << 20);

	memset(m, 1, 1 << 20);
	free(m);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !failed; i++)
		failed = steps[i]();
	return failed;
}

static int round_apart(void)
{
	pid_t child = fork();

	if (!child) {
		alarm(5);
		_exit(one_round());
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	return 0;
}

static int rounds(int seconds, int (*round)(void))
{
	time_t end = time(NULL) + seconds;
	int failed = 0;

	while (!failed && time(NULL) < end)
		failed = round();
	return failed;
}

int main(int argc, char **argv)
{
	int failed = 0, status;

	signal(SIGUSR1, on_signal);
	if (argc < 2)
		return one_round();
	for (int i = 0; i < WORKERS; i++)
		if (!fork())
			_exit(rounds(atoi(argv[1]), argc > 2 ? round_apart : one_round));
	while (wait(&status) > 0)
		failed |= WIFEXITED(status) ? WEXITSTATUS(status) : 99;
	return failed;
}
