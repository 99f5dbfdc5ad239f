/* Makes system calls whose arguments and results are known, between close(7777) and close(8888), for syscall-strace.sh: what
 * ktap says of each is compared with what strace says. Raw calls, so that the C library does not choose others.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL(name, ...) syscall(SYS_##name, ##__VA_ARGS__)
/* A call that younger machines do not have. */
#ifdef SYS_mkdir
#define OLD(name, ...) CALL(name, ##__VA_ARGS__)
#else
#define OLD(name, ...) ((void)0)
#endif

static char buf[256];

static void files(void)
{
	struct iovec in[2] = { { "ab", 2 }, { "cdef", 4 } }, out[2] = { { buf, 3 }, { buf + 100, 100 } };
	struct stat st;
	int fd, pair[2];

	OLD(mkdir, "d", 0750);
	CALL(mkdirat, AT_FDCWD, "d", 0750);
	CALL(chdir, "d");
	CALL(getcwd, buf, sizeof(buf));
	fd = (int)CALL(openat, AT_FDCWD, "file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	CALL(write, fd, "hello \"world\"\n", 14);
	CALL(pwrite64, fd, "HELLO", 5, 0L);
	CALL(writev, fd, in, 2);
	CALL(lseek, fd, 2L, SEEK_SET);
	CALL(read, fd, buf, 5);
	CALL(pread64, fd, buf, 100, 4L);
	CALL(lseek, fd, -3L, SEEK_END);
	CALL(lseek, fd, 0L, SEEK_SET);
	CALL(readv, fd, out, 2);
	CALL(fstat, fd, &st);
	CALL(newfstatat, AT_FDCWD, "nosuch", &st, AT_SYMLINK_NOFOLLOW);
	OLD(stat, "file", &st);
	OLD(stat, "/dev/null", &st);
	OLD(access, "file", R_OK | W_OK);
	OLD(access, "nosuch", F_OK);
	CALL(faccessat, AT_FDCWD, "file", X_OK);
	CALL(ftruncate, fd, 7L);
	CALL(truncate, "file", 3L);
	CALL(fallocate, fd, 0, 0L, 4096L);
	CALL(fsync, fd);
	CALL(flock, fd, LOCK_EX | LOCK_NB);
	CALL(fchmod, fd, 0600);
	OLD(chmod, "file", 0444);
	OLD(chown, "nosuch", -1, 12);
	OLD(link, "file", "hard");
	OLD(symlink, "file", "soft");
	OLD(readlink, "soft", buf, sizeof(buf));
	OLD(rename, "hard", "soft2");
	CALL(renameat2, AT_FDCWD, "soft2", AT_FDCWD, "file", 1);
	OLD(unlink, "soft2");
	CALL(unlinkat, AT_FDCWD, "soft", 0);
	CALL(unlinkat, AT_FDCWD, "nosuch", AT_REMOVEDIR);
	CALL(umask, 027);
	CALL(umask, 022);
	CALL(dup, fd);
	OLD(dup2, fd, 20);
	CALL(dup3, fd, 21, O_CLOEXEC);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, O_RDWR | O_NONBLOCK);
	CALL(fcntl, fd, F_SETFD, FD_CLOEXEC);
	CALL(fcntl, fd, F_DUPFD_CLOEXEC, 30);
	OLD(pipe, pair);
	CALL(pipe2, pair, O_NONBLOCK | O_CLOEXEC);
	CALL(read, pair[0], buf, 10);
	CALL(close, pair[0]);
	CALL(close, -1);
	OLD(unlink, "file");
	CALL(chdir, "..");
	OLD(rmdir, "d");
}

static void sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(4711), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/nosuch/socket" };
	int fd = (int)CALL(socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP), tcp, local, pair[2], one = 1;
	socklen_t len = sizeof(in);

	CALL(bind, fd, &in, (int)sizeof(in));
	CALL(getsockname, fd, &in, &len);
	CALL(sendto, fd, "ping", 4, MSG_DONTWAIT, &in, (int)sizeof(in));
	CALL(recvfrom, fd, buf, 100, MSG_DONTWAIT | MSG_PEEK, NULL, NULL);
	CALL(connect, fd, &in, (int)sizeof(in));
	tcp = (int)CALL(socket, AF_INET, SOCK_STREAM, IPPROTO_IP);
	CALL(setsockopt, tcp, SOL_SOCKET, SO_REUSEADDR, &one, (int)sizeof(one));
	len = sizeof(one);
	CALL(getsockopt, tcp, SOL_SOCKET, SO_TYPE, &one, &len);
	CALL(listen, tcp, 5);
	CALL(shutdown, tcp, SHUT_RDWR);
	local = (int)CALL(socket, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	CALL(connect, local, &un, (int)(sizeof(un.sun_family) + sizeof("/nosuch/socket")));
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
}

static void memory(void)
{
	char *p = (char *)CALL(mmap, NULL, 8192L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);

	CALL(mprotect, p, 4096L, PROT_READ);
	CALL(madvise, p, 8192L, MADV_DONTNEED);
	CALL(mremap, p, 8192L, 4096L, MREMAP_MAYMOVE);
	CALL(msync, p, 4096L, MS_SYNC);
	CALL(mlock, p, 4096L);
	CALL(munlock, p, 4096L);
	CALL(munmap, p, 4096L);
	CALL(memfd_create, "named", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

static void tasks(void)
{
	struct { long cur, max; } limit;
	unsigned long mask = 0;
	long set = 1L << (SIGUSR1 - 1);
	struct utsname name;
	int status;

	CALL(getpid);
	CALL(getuid);
	CALL(kill, getpid(), 0);
	CALL(kill, 99999999, SIGTERM);
	CALL(tgkill, getpid(), gettid(), SIGCONT);
	CALL(rt_sigprocmask, SIG_BLOCK, &set, NULL, 8L);
	CALL(rt_sigprocmask, SIG_SETMASK, NULL, &set, 8L);
	CALL(wait4, -1, &status, WNOHANG | WUNTRACED, NULL);
	CALL(prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
	CALL(getrlimit, RLIMIT_CORE, &limit);
	CALL(sched_yield);
	CALL(sched_getaffinity, 0, 8L, &mask);
	CALL(getpriority, PRIO_PROCESS, 0);
	CALL(setpgid, 0, 99999999);
	CALL(futex, &status, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1);
	CALL(uname, &name);
	CALL(setuid, 0);
}

static void times(void)
{
	struct timespec pause = { 0, 1000 }, now;
	struct itimerspec timer = { .it_value = { 100, 5 } };
	struct itimerval off = { { 0, 0 }, { 0, 0 } };
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.u64 = 5 };
	struct pollfd polled = { .events = POLLPRI };
	int ep, ev, fd;

	CALL(nanosleep, &pause, NULL);
	CALL(clock_gettime, CLOCK_MONOTONIC, &now);
	CALL(clock_nanosleep, CLOCK_REALTIME, 0, &pause, NULL);
	CALL(setitimer, ITIMER_REAL, &off, NULL);
	OLD(alarm, 0);
	fd = (int)CALL(timerfd_create, CLOCK_MONOTONIC, TFD_NONBLOCK);
	CALL(timerfd_settime, fd, 0, &timer, NULL);
	ep = (int)CALL(epoll_create1, EPOLL_CLOEXEC);
	ev = (int)CALL(eventfd2, 3, EFD_NONBLOCK);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, ev, &event);
	polled.fd = ev;
	OLD(poll, &polled, 1, 1);
	fd = (int)CALL(inotify_init1, IN_CLOEXEC);
	CALL(inotify_add_watch, fd, "/tmp", IN_CREATE | IN_DELETE);
}

int main(void)
{
	CALL(close, 7777);
	files();
	sockets();
	memory();
	tasks();
	times();
	CALL(close, 8888);
	return 0;
}
