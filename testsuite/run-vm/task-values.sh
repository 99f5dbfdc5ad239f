#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the functions on tasks say of processes and threads in known states is what /proc says of them: ids, parents, names,
# states, priorities, CPUs, owners, room for files, paths of files, signals, ancestors, times. Names have spaces, ids of users are not 0, a
# thread is not its process.
. "$SRCDIR/testsuite/lib/process.sh"

program truth -pthread <<'END'
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __aarch64__
#define RESTORER "" /* signal handlers return through the vDSO */
#else
#define RESTORER "|RESTORER"
#endif

/* Where the script is asked; what it must say was printed before. */
__attribute__((noipa)) void task(int tid) { (void)tid; }
__attribute__((noipa)) void self(int child) { (void)child; }
__attribute__((noipa)) void file(int fd) { (void)fd; }
__attribute__((noipa)) void folder(void) { }
__attribute__((noipa)) void signals(void) { }
__attribute__((noipa)) void clocks(long monotonic) { (void)monotonic; }
__attribute__((noipa)) void times(long user, long system) { (void)user, (void)system; }

static char stat[1000], status[4000];
static volatile int thread_tid;

static void slurp(char *text, size_t size, const char *form, int tid)
{
	char path[100];
	snprintf(path, sizeof(path), form, tid);
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, text, size - 1);
	text[n < 0 ? 0 : n] = 0;
	close(fd);
}

/* Field N of /proc/TID/stat as proc(5) numbers them, from 3 on: the name may hold spaces. */
static const char *field(int n)
{
	const char *at = strrchr(stat, ')') + 2;
	for (; n > 3; n--)
		at = strchr(at, ' ') + 1;
	return at;
}

/* Number N, from 0, of the line KEY of /proc/TID/status. */
static int line(const char *key, int n)
{
	char *at = strstr(status, key) + strlen(key);
	int value = 0;
	for (; n >= 0; n--)
		value = strtol(at, &at, 10);
	return value;
}

/* A line on the task TID as soon as it is in STATE. */
static void tell(int tid, char state)
{
	static const char states[] = "RSD T   t";
	for (int tries = 0; tries < 2000; tries++) {
		slurp(stat, sizeof(stat), "/proc/%d/stat", tid);
		if (*field(3) == state)
			break;
		usleep(5000);
	}
	slurp(status, sizeof(status), "/proc/%d/status", tid);
	char *name = strchr(stat, '(') + 1;
	printf("T task %d of %d parent %d name %.*s state %d prio %d nice %d cpu %d uid %d %d gid %d %d room %d\n", tid,
	       line("\nTgid:", 0), line("\nPPid:", 0), (int)(strrchr(stat, ')') - name), name,
	       (int)(strchr(states, *field(3)) - states), atoi(field(18)), atoi(field(19)), atoi(field(39)), line("\nUid:", 0),
	       line("\nUid:", 1), line("\nGid:", 0), line("\nGid:", 1), line("\nFDSize:", 0));
	task(tid);
}

static void *sleeper(void *unused)
{
	prctl(PR_SET_NAME, "plum");
	setpriority(PRIO_PROCESS, syscall(SYS_gettid), 13);
	thread_tid = syscall(SYS_gettid);
	for (;;)
		pause();
	return unused;
}

static int stopped(void)
{
	int child = fork();
	if (child)
		return child;
	prctl(PR_SET_NAME, "a (b) c");
	setpriority(PRIO_PROCESS, 0, -4);
	if (setresgid(4321, 4322, 4323) || setresuid(1234, 1235, 1236))
		_exit(1);
	raise(SIGSTOP);
	_exit(0);
}

static int traced(void)
{
	int child = fork();
	if (child)
		return child;
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGUSR1);
	_exit(0);
}

/* A parent that sleeps until its vfork()ed child ends, under a policy for real time. */
static int undisturbed(void)
{
	struct sched_param urgent = { .sched_priority = 10 };
	int child = fork();
	if (child)
		return child;
	sched_setscheduler(0, SCHED_FIFO, &urgent);
	if (vfork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	_exit(0);
}

static void tell_files(void)
{
	char buffer[1 << 16], path[300];
	int pipes[2], fds[] = { open("/etc/hostname", O_RDONLY), open("/proc/sys/kernel/ostype", O_RDONLY),
				open("/tmp/gone", O_CREAT | O_RDWR, 0600), memfd_create("melon", 0), epoll_create(1),
				socket(AF_INET, SOCK_DGRAM, 0), open("/dev/zero", O_RDONLY), pipe(pipes) ? -1 : pipes[1],
				open("/proc/self/ns/uts", O_RDONLY), syscall(SYS_pidfd_open, getpid(), 0) };
	unlink("/tmp/gone");
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		snprintf(buffer, sizeof(buffer), "/proc/self/fd/%d", fds[i]);
		ssize_t n = readlink(buffer, path, sizeof(path));
		printf("T file %d %.*s\n", fds[i], (int)n, path);
		file(fds[i]);
	}
	int child = fork();
	if (!child) {
		if (chdir("/usr") || chroot(".") || chdir("share"))
			_exit(1);
		printf("T folder %s usr/share\n", getcwd(path, sizeof(path)));
		folder();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* A signal whose handler, flags and mask are known, one that is ignored, one as it was, and some that are blocked. */
static void handler(int signal, siginfo_t *info, void *context) { (void)signal, (void)info, (void)context; }
static void tell_signals(void)
{
	struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER };
	sigset_t blocked;

	sigemptyset(&a.sa_mask), sigaddset(&a.sa_mask, SIGINT), sigaddset(&a.sa_mask, 40);
	sigaction(SIGUSR2, &a, NULL);
	signal(SIGWINCH, SIG_IGN);
	sigemptyset(&blocked), sigaddset(&blocked, SIGHUP), sigaddset(&blocked, SIGTERM), sigaddset(&blocked, 64);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	slurp(status, sizeof(status), "/proc/%d/status", getpid());
	printf("T signals %s", strstr(status, "SigBlk:") + strlen("SigBlk:\t"));
	printf("T %d%d%d blocked 1,15,64 mask 2,40 flags SIGINFO|RESTART|NODEFER" RESTORER " handler %p ignored default\n",
	       sigismember(&blocked, 1), sigismember(&blocked, 2), sigismember(&blocked, 64), (void *)handler);
	signals();
}

static long monotonic(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void tell_self(int argc, char **argv, int child)
{
	int files = 0, pid = getpid();
	DIR *folder = opendir("/proc/self/fd");
	for (struct dirent *d; (d = readdir(folder));)
		files += d->d_name[0] != '.';
	closedir(folder);
	printf("T self %d %d pear tree parent %d target %d set 1 1 0 child a (b) c gone 0 []\n", pid, pid, getppid(), pid);
	printf("T limit 700 open %d threads 2 arguments %s|%s|%s|\n", files - 1, argv[0], argv[1], argv[argc - 1]);
	printf("T from");
	for (int p = child; p > 1; p = line("\nPPid:", 0)) {
		slurp(status, sizeof(status), "/proc/%d/status", p);
		char *name = strchr(status, '\t') + 1;
		printf(" %.*s(%d)", (int)strcspn(name, "\n"), name, p);
	}
	printf("\n");
	self(child);
}

static long microseconds(struct timeval t) { return t.tv_sec * 1000000 + t.tv_usec; }

/* Three times as long in the program as in the kernel, however slow that is, before anything else takes time there. */
static void tell_times(void)
{
	static char zeros[1 << 16];
	struct rusage r;
	int zero = open("/dev/zero", O_RDONLY);
	do {
		for (int i = 0; i < 20; i++)
			if (read(zero, zeros, sizeof(zeros)) < 0)
				return;
		getrusage(RUSAGE_THREAD, &r);
	} while (microseconds(r.ru_stime) < 100000);
	do {
		for (volatile int i = 0; i < 3000000; i++)
			;
		getrusage(RUSAGE_THREAD, &r);
	} while (microseconds(r.ru_utime) < 450000 || microseconds(r.ru_utime) < 3 * microseconds(r.ru_stime));
	printf("T times 1 1 1 1 1\n");
	times(microseconds(r.ru_utime), microseconds(r.ru_stime));
}

int main(int argc, char **argv)
{
	struct rlimit many = { 700, 700 };
	pthread_t thread;
	cpu_set_t one;
	int children[3];

	setvbuf(stdout, NULL, _IOLBF, 0);
	CPU_ZERO(&one);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &one);
	sched_setaffinity(0, sizeof(one), &one);
	clocks(monotonic());
	tell_times();
	printf("T clock 1\n");
	for (int i = 0; i < 9; i++, usleep(50000))
		clocks(monotonic());
	prctl(PR_SET_NAME, "pear tree");
	setpriority(PRIO_PROCESS, 0, 7);
	children[0] = stopped(), children[1] = traced(), children[2] = undisturbed();
	setrlimit(RLIMIT_NOFILE, &many);
	dup2(0, 600);
	if (pthread_create(&thread, NULL, sleeper, NULL))
		return 1;
	while (!thread_tid)
		usleep(1000);
	tell(getpid(), 'R');
	tell(thread_tid, 'S');
	tell(children[0], 'T');
	tell(children[1], 't');
	tell(children[2], 'D');
	tell_self(argc, argv, children[0]);
	for (int i = 0; i < 3; i++)
		kill(children[i], SIGKILL);
	tell_files();
	tell_signals();
	return 0;
}
END
cat >script.stp <<'END'
probe process("./truth").function("task") {
	t = pid2task($tid)
	// what else the kernel marks in a state is beyond the bits that are documented
	printf("K task %d of %d parent %d name %s state %d prio %d nice %d cpu %d uid %d %d gid %d %d room %d\n", task_tid(t), task_pid(t),
	       task_pid(task_parent(t)), task_execname(t), task_state(t) & 15, task_prio(t), task_nice(t), task_cpu(t), task_uid(t),
	       task_euid(t), task_gid(t), task_egid(t), task_max_file_handles(t))
}
probe process("./truth").function("self") {
	t = task_current()
	printf("K self %d %d %s parent %d target %d set %d %d %d child %s gone %d [%s]\n", pid(), task_pid(task_current()), execname(), ppid(),
	       target(), target_set_pid(pid()), target_set_pid($child), target_set_pid(1), pid2execname($child), pid2task(4194305),
	       pid2execname(4194305))
	printf("K limit %d open %d threads %d arguments %s|%s|%s|%s\n", task_rlimit_nofile(t), task_open_file_handles(t),
	       atomic_read(&@cast(t, "task_struct", "kernel")->mm->mm_users), cmdline_arg(0), cmdline_arg(1), cmdline_arg(2), cmdline_arg(3))
	println("K from", pstrace(pid2task($child)))
}
function action:long (t:long, signal:long) { return &@cast(t, "task_struct", "kernel")->sighand->action[signal - 1]->sa }
probe process("./truth").function("signals") {
	t = task_current()
	blocked = get_sigset(&@cast(t, "task_struct", "kernel")->blocked)
	act = action(t, 12)
	printf("K signals %016x\n", blocked)
	printf("K %d%d%d blocked %s mask %s flags %s handler %s %s %s\n", is_sig_blocked(t, 1), is_sig_blocked(t, 2), is_sig_blocked(t, 64),
	       sigset_mask_str(blocked), sigset_mask_str(get_sigaction_mask(act)), sa_flags_str(get_sa_flags(act)),
	       sa_handler_str(get_sa_handler(act)), sa_handler_str(get_sa_handler(action(t, 28))), sa_handler_str(get_sa_handler(action(t, 14))))
}
global since, its, agreed
probe process("./truth").function("clocks") {
	// the machine may be busy with others between the program's look at its clock and the probe: once they agree
	passed = cpu_clock_us(cpu()) - since
	if (since && passed > ($monotonic - its) / 2 && passed < ($monotonic - its) * 2 && !agreed++)
		println("K clock 1")
	since = cpu_clock_us(cpu())
	its = $monotonic
}
probe process("./truth").function("file") {
	t = task_current()
	f = task_fd_lookup(t, $fd)
	path = task_dentry_path(t, @cast(f, "file", "kernel")->f_path->dentry, @cast(f, "file", "kernel")->f_path->mnt)
	printf("K file %d %s%s\n", $fd, path, fullpath_struct_file(t, f) == path ? "" : " or " . fullpath_struct_file(t, f))
}
probe process("./truth").function("folder") {
	t = task_current()
	pwd = task_cwd_path(t)
	dentry = @cast(pwd, "path", "kernel")->dentry
	printf("K folder %s %s\n", task_dentry_path(t, dentry, @cast(pwd, "path", "kernel")->mnt), reverse_path_walk(dentry))
}
probe process("./truth").function("times") {
	// The kernel tells the program how long it ran and what share of the ticks was whose. An emulated machine loses ticks.
	user = cputime_to_usecs(task_utime())
	system = cputime_to_usecs(task_stime())
	told = $user + $system
	off = user * 100 / (user + system) - $user * 100 / told
	println("K times ", off > -30 && off < 30, " ", $user > $system, " ", user + system > told / 100 && user + system < told * 3,
		" ", task_utime() == task_utime(tid()), " ", task_stime() == task_stime(tid()))
}
END
for release in $(kernels); do
	in_vm -c "./truth 'two words' last" script.stp
	told_truth
	test "$(wc -l <told)" = 23 || fail "not all was told on $release: $(cat told)"
done
