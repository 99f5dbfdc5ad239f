#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: SECURITY
# Without hooks of SECURITY gcc inlines sock_recvmsg().
# signal.*, socket.*, tcp.*, udp.* and vfs.*: a program makes system calls with values of its own choice and says which
# ("T ..."), and what the aliases say of them ("K ...") is the same, in the same order. The program has no other thread,
# and what it waits for is always its own doing.
. "$SRCDIR/testsuite/lib/process.sh"

program work <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/time_types.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <time.h>
#include <unistd.h>

#define T(...) (printf("T " __VA_ARGS__), putchar('\n'))

static const char *text(long ret)
{
	static char s[4][40];
	static int n;
	char *to = s[n++ & 3];

	if (ret < 0)
		sprintf(to, "-%d (%s)", errno, strerrorname_np(errno));
	else
		sprintf(to, "%ld", ret);
	return to;
}

static void masks(void)
{
	static const struct { int how; unsigned long set; } of[] = {
		{ SIG_BLOCK, 1ul << 11 | 1ul << 63 }, { SIG_UNBLOCK, 1ul << 63 }, { SIG_SETMASK, 1ul << 11 }, { 7, 1 },
	};
	unsigned long set, old;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		long ret = syscall(SYS_rt_sigprocmask, of[i].how, &of[i].set, &old, 8);

		T("procmask %d %#lx %d", of[i].how, of[i].set, 1);
		T("procmask.return %s", text(ret));
	}
	T("pending %p 8", (void *)&set);
	T("pending.return %s", text(syscall(SYS_rt_sigpending, &set, 8)));
	T("pending 0x10 4");
	T("pending.return %s", text(syscall(SYS_rt_sigpending, 0x10, 4)));
	T("pending 0x10 9");
	T("pending.return %s", text(syscall(SYS_rt_sigpending, 0x10, 9)));
}

/* The three ways to send one's own signal, and what the kernel asks before: is it ignored? */
static void sends(void)
{
	int me = getpid();

	signal(SIGWINCH, SIG_IGN);
	T("syskill %d 28 SIGWINCH %d work [%d, SIGWINCH]", me, me, me);
	T("ignored 28 SIGWINCH %d work", me);
	T("ignored.return 1");
	T("syskill.return %s", text(kill(me, SIGWINCH)));
	T("systkill %d 28 SIGWINCH SIGWINCH %d work [%d, SIGWINCH]", me, me, me);
	T("ignored 28 SIGWINCH %d work", me);
	T("ignored.return 1");
	T("systkill.return %s", text(syscall(SYS_tkill, me, SIGWINCH)));
	/* A blocked one waits, whatever would be done with it. */
	T("systgkill %d %d 12 SIGUSR2 SIGUSR2 %d work [%d, %d, SIGUSR2]", me, me, me, me, me);
	T("ignored 12 SIGUSR2 %d work", me);
	T("ignored.return 0");
	T("systgkill.return %s", text(syscall(SYS_tgkill, me, me, SIGUSR2)));
	T("systgkill 1 %d 12 SIGUSR2 SIGUSR2 %d work [1, %d, SIGUSR2]", me, me, me);
	T("systgkill.return %s", text(syscall(SYS_tgkill, 1, me, SIGUSR2)));
}

/* SIGUSR2 is blocked, the one of above waits still; a timer sends one more. */
static void timer(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1 };
	struct itimerspec soon = { .it_value.tv_nsec = 1 };
	sigset_t set;
	timer_t id;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigwait(&set, &sig);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
	T("procmask 0 %#lx 1", 1ul << SIGRTMIN);
	T("procmask.return 0");
	T("send_sig_queue %d %d work", SIGRTMIN + 1, getpid());
	T("ignored %d %s %d work", SIGRTMIN + 1, "SIGRT", getpid());
	T("ignored.return 0");
	T("send_sig_queue.return 0");
	timer_create(CLOCK_MONOTONIC, &ev, &id);
	timer_settime(id, 0, &soon, NULL);
	while (sigwait(&set, &sig))
		;
	timer_delete(id);
}

static void handler(int sig) { (void)sig; }

/* A handler has to run on a stack that is not there. */
static void no_stack(void)
{
	stack_t none = { .ss_sp = (void *)0x1000, .ss_size = 1 << 16 };
	struct sigaction act = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	int status, child;

	fflush(stdout);
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		syscall(SYS_setpgid, 0, 0);
		sigaltstack(&none, NULL);
		sigaction(SIGUSR1, &act, NULL);
		syscall(SYS_tkill, syscall(SYS_getpid), SIGUSR1);
		_exit(1);
	}
	waitpid(child, &status, 0);
	T("force_segv 10 SIGUSR1 %d work", child);
	T("child ended by %d", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

static int port_of(int s)
{
	struct sockaddr_in a;
	socklen_t n = sizeof(a);

	getsockname(s, (void *)&a, &n);
	return ntohs(a.sin_port);
}

static void streams(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(7021), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), s;
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	char b[100];
	long ret;

	bind(l, (void *)&a, sizeof(a));
	listen(l, 1);
	connect(c, (void *)&a, sizeof(a));
	s = accept(l, NULL, NULL);
	ret = recv(s, b, 33, MSG_DONTWAIT);
	T("recvmsg 33 127.0.0.1 7021 127.0.0.1 %d 2", port_of(c));
	T("recvmsg.return %d 127.0.0.1 7021 127.0.0.1 %d 2", -errno, port_of(c));
	T("received %d 2 1 6 0 3", -errno);
	send(c, "eleven byte", 11, 0);
	ret = recv(s, b, sizeof(b), 0);
	T("recvmsg 100 127.0.0.1 7021 127.0.0.1 %d 2", port_of(c));
	T("recvmsg.return %ld 127.0.0.1 7021 127.0.0.1 %d 2", ret, port_of(c));
	T("received %ld 2 1 6 1 3", ret);
	T("disconnect %d 127.0.0.1 7021", port_of(c));
	T("disconnect.return %s", text(connect(c, &none, sizeof(none))));
}

static void datagrams(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(7022), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	int u = socket(AF_INET, SOCK_DGRAM, 0);
	char b[100];
	long ret;

	bind(u, (void *)&a, sizeof(a));
	connect(u, (void *)&a, sizeof(a));
	ret = send(u, "five5", 5, 0);
	ret = recv(u, b, 77, 0);
	T("udp.recvmsg 77 127.0.0.1 7022 127.0.0.1 7022 2");
	T("udp.recvmsg.return %ld 127.0.0.1 7022 127.0.0.1 7022 2", ret);
	T("received %ld 2 2 17 1 1", ret);
	ret = recv(u, b, 78, MSG_DONTWAIT);
	T("udp.recvmsg 78 127.0.0.1 7022 127.0.0.1 7022 2");
	T("udp.recvmsg.return %d 127.0.0.1 7022 127.0.0.1 7022 2", -errno);
	T("received %d 2 2 17 0 1", -errno);
	T("udp.disconnect 7022 127.0.0.1 7022");
	T("udp.disconnect.return %s", text(connect(u, &none, sizeof(none))));
}

static void pieces(void)
{
	int f = open("/dev/shm/alias-pieces", O_RDWR | O_CREAT, 0600);
	char one[3] = "abc", two[4] = "defg";
	struct iovec v[2] = { { one, 3 }, { two, 4 } };

	T("writev /dev/shm/alias-pieces 2 %p at 0, 7 bytes", (void *)v);
	T("writev.return %s 2, 7 bytes", text(writev(f, v, 2)));
	T("readv /dev/shm/alias-pieces 1 %p at 5, 3 bytes", (void *)v);
	T("readv.return %s 1, 3 bytes", text(preadv(f, v, 1, 5)));
	T("readv /dev/shm/alias-pieces 2 %p at 7, 7 bytes", (void *)v);
	T("readv.return %s 2, 7 bytes", text(readv(f, v, 2)));
}

/* Three pages of a file in memory go with its end. */
static void pages(void)
{
	static char three[3 * 4096];
	int f, i;

	T("opened /dev/shm/alias-pages by its own rights");
	T("opened with 0");
	f = open("/dev/shm/alias-pages", O_RDWR | O_CREAT, 0600);
	write(f, three, sizeof(three));
	for (i = 0; i < 3; i++) {
		T("page %d goes, of the same file", i);
		T("page %d is gone", i);
	}
	ftruncate(f, 0);
	T("opening a socket fails: -6 (ENXIO)");
	mknod("/dev/shm/alias-socket", S_IFSOCK | 0600, 0);
	open("/dev/shm/alias-socket", O_RDONLY);
}

/* A file of 20 bytes on a file system that leaves all to the kernel's own functions. */
static void plain_file(const char *path)
{
	int f = open(path, O_RDWR), p[2];
	loff_t two = 2, none = 0;
	char b[32];
	void *m;

	T("llseek %s 3 SEEK_SET", path);
	T("llseek.return %s 3 SEEK_SET: %s", path, text(lseek(f, 3, SEEK_SET)));
	T("llseek %s -4 SEEK_CUR", path);
	T("llseek.return %s -4 SEEK_CUR: %s", path, text(lseek(f, -4, SEEK_CUR)));
	T("read %s 17 bytes: %zd", path, read(f, b, 32));
	T("write %s 4 bytes: %zd", path, write(f, "1234", 4));
	m = mmap(NULL, 4096, PROT_READ, MAP_SHARED, f, 0);
	T("mmap %s: %s", path, m == MAP_FAILED ? "failed" : "0");
	T("page 1 comes: 0, 1 pages");
	pwrite(f, "x", 1, 4096);
	pipe(p);
	T("splice from %s, disk 7: %zd", path, splice(f, &two, p[1], NULL, 5, 0));
	T("splice to %s: %zd", path, splice(p[0], NULL, f, &none, 5, 0));
}

int main(int argc, char **argv)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFFLAGS, &lo);
	masks();
	sends();
	timer();
	no_stack();
	streams();
	datagrams();
	pieces();
	pages();
	plain_file(argv[argc - 1]);
	return 0;
}
END

cat >truth.stp <<'END'
# A signal of a timer is sent by an interrupt; one interrupt at a time is at work on a CPU.
global timed
function mine:long () { return pid() == target() }
function at_work:long () { return mine() || timed[cpu()] }
probe signal.procmask { if (mine() && how != 9) printf("K procmask %d %#x %d\n", how, sigset, !oldsigset_addr) }
probe signal.procmask.return { if (mine()) println("K procmask.return ", retstr) }
probe signal.pending { if (mine()) printf("K pending %#x %d\n", sigset_add, sigset_size) }
probe signal.pending.return { if (mine()) println("K pending.return ", retstr) }
probe signal.syskill { if (mine()) printf("K syskill %d %d %s %d %s [%s]\n", sig_pid, sig, sig_name, task_pid(task), pid_name, argstr) }
probe signal.syskill.return { if (mine()) println("K syskill.return ", retstr) }
probe signal.systkill { if (mine()) printf("K systkill %d %d %s %s %d %s [%s]\n", sig_pid, sig, sig_name, sig_str, task_tid(task), pid_name, argstr) }
probe signal.systkill.return { if (mine()) println("K systkill.return ", retstr) }
probe signal.systgkill { if (mine()) printf("K systgkill %d %d %d %s %s %d %s [%s]\n", tgid, sig_pid, sig, sig_name, sig_str, task_tid(task), pid_name, argstr) }
probe signal.systgkill.return { if (mine()) println("K systgkill.return ", retstr) }
probe signal.check_ignored
{
	if (sig_pid == target() && (mine() || timed[cpu()]) && sig != 17)
		printf("K ignored %d %s %d %s\n", sig, substr(sig_name, 0, sig < 32 ? 99 : 5), sig_pid, pid_name)
}
probe signal.check_ignored.return { if (at_work() && @entry($p->tgid) == target() && @entry($sig) != 17) println("K ignored.return ", retstr) }
probe signal.send_sig_queue
{
	if (sig_pid == target() && sigqueue_addr) {
		timed[cpu()] = 1
		printf("K send_sig_queue %d %d %s\n", sig, sig_pid, pid_name)
	}
}
probe signal.send_sig_queue.return
{
	if (timed[cpu()]) {
		timed[cpu()] = 0
		println("K send_sig_queue.return ", retstr)
	}
}
probe signal.force_segv { if (ppid() == target()) printf("K force_segv %d %s %d %s\n", sig, sig_name, sig_pid, pid_name) }
probe kprocess.exit { if (ppid() == target()) printf("K child ended by %d\n", code & 0x7f) }
probe tcp.recvmsg { if (mine()) printf("K recvmsg %d %s %d %s %d %d\n", size, saddr, sport, daddr, dport, family) }
probe tcp.recvmsg.return { if (mine()) printf("K recvmsg.return %d %s %d %s %d %d\n", size, saddr, sport, daddr, dport, family) }
probe socket.receive { if (mine()) printf("K received %d %d %d %d %d %d\n", size, family, type, protocol, success, state) }
probe tcp.disconnect { if (mine()) printf("K disconnect %d %s %d\n", sport, daddr, dport) }
probe tcp.disconnect.return { if (mine()) printf("K disconnect.return %s\n", return_str(1, ret)) }
probe udp.recvmsg { if (mine()) printf("K udp.recvmsg %d %s %d %s %d %d\n", size, saddr, sport, daddr, dport, family) }
probe udp.recvmsg.return { if (mine()) printf("K udp.recvmsg.return %d %s %d %s %d %d\n", size, saddr, sport, daddr, dport, family) }
probe udp.disconnect { if (mine()) printf("K udp.disconnect %d %s %d\n", sport, daddr, dport) }
probe udp.disconnect.return { if (mine()) printf("K udp.disconnect.return %s\n", return_str(1, ret)) }
probe vfs.writev { if (mine()) printf("K writev %s %d %#x at %d, %d bytes\n", pathname, vlen, vec, pos, bytes_to_write) }
probe vfs.writev.return { if (mine()) printf("K writev.return %s %d, %d bytes\n", retstr, vlen, bytes_to_write) }
probe vfs.readv { if (mine()) printf("K readv %s %d %#x at %d, %d bytes\n", pathname, vlen, vec, pos, bytes_to_read) }
probe vfs.readv.return { if (mine()) printf("K readv.return %s %d, %d bytes\n", retstr, vlen, bytes_to_read) }
global pages_of, going, coming = -1
function ours:long (path:string) { return mine() && substr(path, 0, 11) == "/tmp/fatfs/" }
probe vfs.open
{
	if (mine() && pathname == "/dev/shm/alias-pages") {
		pages_of = ino
		printf("K opened %s by %s\n", pathname, cred == @cast(task_current(), "task_struct")->cred ? "its own rights" : "none")
	}
}
probe vfs.open.return
{
	if (mine() && pathname == "/dev/shm/alias-pages")
		printf("K opened with %s%s\n", retstr, error_str)
	if (mine() && filename == "alias-socket")
		printf("K opening a socket fails: %d (%s)\n", error, error_str)
}
probe vfs.add_to_page_cache { if (mine() && MAJOR(dev) == 7 && index == 1 && devname == "loop0") coming = index }
probe vfs.add_to_page_cache.return { if (mine() && coming >= 0) { printf("K page %d comes: %s, %d %s\n", coming, retstr, size, units) coming = -1 } }
probe vfs.remove_from_page_cache
{
	if (mine() && ino == pages_of)
		printf("K page %d goes, of %s file\n", index, (going = index + 1) && argstr == sprintf("page %d of inode %d", index, pages_of) ? "the same" : "another")
}
probe vfs.remove_from_page_cache.return
{
	if (mine() && going) {
		printf("K page %d is gone%s\n", going - 1, retstr)
		going = 0
	}
}
probe generic.fop.llseek { if (ours(pathname)) printf("K llseek %s %d %s\n", pathname, offset, whence_str) }
probe generic.fop.llseek.return { if (ours(pathname)) printf("K llseek.return %s %d %s: %s\n", pathname, offset, whence_str, error ? sprintf("%d (%s)", error, error_str) : retstr) }
probe generic.fop.read_iter.return { if (ours(pathname) && size == 17) printf("K read %s %d bytes: %d\n", pathname, bytes_read, error ? error : size) }
probe generic.fop.write_iter.return { if (ours(pathname) && size == 4) printf("K write %s %d bytes: %s\n", pathname, size, retstr) }
probe generic.fop.mmap.return { if (ours(pathname)) printf("K mmap %s: %s%s\n", pathname, retstr, error_str) }
probe generic.fop.splice_read.return { if (ours(pathname)) printf("K splice from %s, disk %d: %d\n", pathname, dev_major, ret) }
probe generic.fop.splice_write.return { if (ours(pathname)) printf("K splice to %s: %d\n", pathname, error ? error : size) }
END
for release in $(kernels); do
	in_guest 'modprobe loop; modprobe vfat; mkdir -p /tmp/fatfs; truncate -s 8M /dev/shm/disk; mkfs.vfat /dev/shm/disk; mount -o loop /dev/shm/disk /tmp/fatfs'
	in_guest 'printf "twenty bytes are in.\n" | head -c 20 >/tmp/fatfs/file'
	in_vm -c './work /tmp/fatfs/file' truth.stp
	# Where gcc inlined sigprocmask() into rt_sigprocmask(), that copy has no return, and may have no $how.
	if ! grep -q '^K procmask.return' out && "$KTAP" -r "$release" -l 'kernel.function("sigprocmask").inline' | grep -q sigprocmask; then
		sed -i '/^T procmask.return/d' out
		! grep -q '^K procmask -1 ' out || sed -i 's/^\([TK] procmask\) -*[0-9]* /\1 ? /' out
	fi
	# gcc 16 inlines generic_file_llseek() into vfs_llseek(), beside the function.
	if ! grep -q '^K llseek.return' out && "$KTAP" -r "$release" -l 'kernel.function("generic_file_llseek").inline' | grep -q llseek; then
		sed -i '/^T llseek.return/d' out
	fi
	told_truth
done
