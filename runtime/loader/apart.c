/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs readers of objects without rights, and takes what they send as a stranger's. See apart.h. */
#include "runtime/loader/apart.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <grp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/proc.h"
#include "lib/regular.h"
#include "lib/text.h"
#include "runtime/core/unwind.h"
#include "runtime/host.h"

enum {
	TICK_MS = 100,
	NOBODY = 65534,
	FILES_MAX = 8,           /* descriptors of a reader: its channel, its files */
	CPU_SECONDS = 20,        /* of a reader that has a limit */
	WRONG_SIZE = 256,
	END_PAUSE_MAX = 500000,  /* microseconds, of a pause; 0.8 seconds in all */
};
#define MEMORY_MAX (4ul << 30)
#define BLOCK_MAX (1ul << 30)

enum message_kind { MESSAGE_FILE, MESSAGE_ASK, MESSAGE_FOUND, MESSAGE_TABLES, MESSAGE_WRONG, MESSAGE_WANTED };

/* SIZE bytes follow: a build-id, the tables, or a reason. */
struct message {
	kt_u32 kind;
	kt_u32 wanted;   /* libraries, bits */
	kt_u64 size;
	kt_u64 dropped, partial, anchor; /* as in struct object */
};

/* ---- both sides ---- */

/* Sends M and descriptor FD, unless it is -1. */
static bool send_message(int channel, const struct message *m, int fd)
{
	struct iovec part = { (void *)(size_t)m, sizeof(*m) };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct msghdr h = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd < 0)
		return !write_all(channel, (const char *)m, sizeof(*m));
	control.header = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	h.msg_control = control.space;
	h.msg_controllen = sizeof(control.space);
	return sendmsg(channel, &h, MSG_NOSIGNAL) == sizeof(*m);
}

/* Receives up to SIZE bytes at TO, and a descriptor in *RET_FD, or -1. As recvmsg(). */
static ssize_t receive_some(int channel, void *to, size_t size, int *ret_fd)
{
	struct iovec part = { to, size };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct msghdr h = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof(control.space) };
	ssize_t n = recvmsg(channel, &h, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&h) : NULL;

	*ret_fd = -1;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(ret_fd, CMSG_DATA(c), sizeof(*ret_fd));
	return n;
}

/* ---- the reader ---- */

/* System calls of a reader. The C library asks for the size of memory before it sorts, and older ones open a file for that. */
static const struct {
	unsigned int number, result;
} calls[] = {
	{ SYS_read, SECCOMP_RET_ALLOW }, { SYS_pread64, SECCOMP_RET_ALLOW }, { SYS_lseek, SECCOMP_RET_ALLOW },
	{ SYS_write, SECCOMP_RET_ALLOW }, { SYS_recvmsg, SECCOMP_RET_ALLOW }, { SYS_munmap, SECCOMP_RET_ALLOW },
	{ SYS_mremap, SECCOMP_RET_ALLOW }, { SYS_brk, SECCOMP_RET_ALLOW }, { SYS_madvise, SECCOMP_RET_ALLOW },
	{ SYS_futex, SECCOMP_RET_ALLOW }, { SYS_getrandom, SECCOMP_RET_ALLOW }, { SYS_sysinfo, SECCOMP_RET_ALLOW },
	{ SYS_exit_group, SECCOMP_RET_ALLOW }, { SYS_openat, SECCOMP_RET_ERRNO | EACCES },
};

/* A system call whose argument number AT must have none of the bits NONE, and those that must be set in argument WHERE. */
static const struct memory_call {
	unsigned int number, none, where, all;
} memory_calls[] = {
	{ SYS_mmap, PROT_EXEC, 3, MAP_ANONYMOUS },
	{ SYS_mprotect, PROT_EXEC, 0, 0 },
};

#ifdef __SANITIZE_ADDRESS__
enum { IS_CHECKED = 1 }; /* the sanitizers of a build for tests need other calls, and terabytes of addresses */
#else
enum { IS_CHECKED = 0 };
#endif

static void install_filter(void)
{
	enum { FILTER_MAX = 64 };
	struct sock_filter f[FILTER_MAX];
	unsigned short n = 0;
	const kt_u32 protection = offsetof(struct seccomp_data, args[2]);

	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (kt_u32)KT_HOST_AUDIT, 1, 0);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, calls[i].result);
	}
	for (size_t i = 0; i < sizeof(memory_calls) / sizeof(memory_calls[0]); i++) {
		const struct memory_call *c = &memory_calls[i];

		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, c->number, 0, 7);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, protection);
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, c->none, 4, 0);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]) + 8 * c->where);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, c->all);
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, c->all, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){ n, f });
}

static void limit(int resource, rlim_t value)
{
	setrlimit(resource, &(struct rlimit){ value, value });
}

void apart_send_file(struct apart *a, int fd)
{
	send_message(a->channel, &(struct message){ .kind = MESSAGE_FILE }, fd);
}

int apart_open(struct apart *a, const char *path)
{
	int found = find_regular(path);

	if (found < 0)
		return found;
	apart_send_file(a, found);
	return open_found(found);
}

void apart_drop_rights(struct apart *a)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };

	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, FILES_MAX);
	if (!IS_CHECKED)
		limit(RLIMIT_AS, MEMORY_MAX);
	/* Where the kernel has no filters of system calls, root's files are still not ours. Without privileges this fails. */
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		errno = 0;
	syscall(SYS_capset, &header, none);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!IS_CHECKED)
		install_filter();
}

int apart_ask(struct apart *a, const char *build_id)
{
	struct message m = { .kind = MESSAGE_ASK, .size = BUILD_ID_SIZE };
	char id[BUILD_ID_SIZE] = "";
	int fd;

	memcpy(id, build_id, strlen(build_id));
	if (!send_message(a->channel, &m, -1) || write_all(a->channel, id, sizeof(id)) ||
	    receive_some(a->channel, &m, sizeof(m), &fd) != sizeof(m))
		_exit(1);
	return fd;
}

static void __attribute__((noreturn)) reader_main(int channel, apart_fn *fn, const void *arg, struct libraries *l, double seconds)
{
	struct apart a = { channel, l };
	struct object o = { 0 };
	const char *wrong;
	struct message m;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	proc_close_except(channel, channel);
	if (seconds)
		limit(RLIMIT_CPU, CPU_SECONDS);
	l->may_load = false;
	wrong = fn(&a, &o, arg);
	m = (struct message){ .kind = MESSAGE_TABLES, .size = o.size, .dropped = o.dropped, .partial = o.partial, .anchor = o.anchor };
	if (l->wanted)
		m = (struct message){ .kind = MESSAGE_WANTED, .wanted = l->wanted };
	else if (wrong)
		m = (struct message){ .kind = MESSAGE_WRONG, .size = strlen(wrong) };
	if (send_message(channel, &m, -1) && m.size)
		write_all(channel, wrong ? wrong : o.block, m.size);
	_exit(0);
}

/* ---- the parent ---- */

/* A reader that runs. */
struct reader_child {
	pid_t pid;
	int channel;
	const struct apart_limits *limits;
	double deadline; /* 0: none */
	const char *wrong;
};

static bool start_reader(struct reader_child *c, apart_fn *fn, const void *arg, struct libraries *l)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		c->wrong = strerror(errno);
		return false;
	}
	c->pid = fork();
	if (!c->pid)
		reader_main(ends[1], fn, arg, l, c->limits->seconds);
	close(ends[1]);
	c->channel = ends[0];
	if (c->pid > 0)
		return true;
	c->wrong = strerror(errno);
	close(ends[0]);
	return false;
}

/* The reader is of no more use. One that waits for a file system which does not answer can ignore SIGKILL: it is left to end by itself. */
static void end_reader(struct reader_child *c)
{
	kill(c->pid, SIGKILL);
	for (useconds_t pause = 50; pause < END_PAUSE_MAX && !waitpid(c->pid, NULL, WNOHANG); pause *= 2)
		usleep(pause);
	close(c->channel);
}

/* Waits until the reader has sent something. False: its time is over. */
static bool wait_for_reader(struct reader_child *c)
{
	struct pollfd p = { .fd = c->channel, .events = POLLIN };

	while (poll(&p, 1, TICK_MS) <= 0) {
		if (c->limits->over && c->limits->over(c->limits->data)) {
			c->wrong = "the session ends";
			return false;
		}
		if (c->deadline && clock_seconds() > c->deadline) {
			c->wrong = "reading it takes too long";
			return false;
		}
	}
	return true;
}

/* Receives SIZE bytes at TO; a descriptor that comes with the first of them goes to *RET_FD. */
static bool receive(struct reader_child *c, void *to, size_t size, int *ret_fd)
{
	int fd;

	*ret_fd = -1;
	for (size_t done = 0; done < size;) {
		ssize_t n = wait_for_reader(c) ? receive_some(c->channel, (char *)to + done, size - done, &fd) : -1;

		if (n < 0 && !c->wrong && errno == EINTR)
			continue;
		if (n <= 0) {
			if (!c->wrong)
				c->wrong = "its reader crashed or used too much time or memory";
			if (*ret_fd >= 0)
				close(*ret_fd);
			return false;
		}
		if (fd >= 0 && *ret_fd < 0 && !done)
			*ret_fd = fd;
		else if (fd >= 0)
			close(fd);
		done += (size_t)n;
	}
	return true;
}

static const char lies[] = "its reader broke off";

/* A build-id in hexadecimal: what else comes here is a lie. */
static bool is_build_id(const char id[BUILD_ID_SIZE])
{
	size_t n = strnlen(id, BUILD_ID_SIZE);

	return n > 2 && n < BUILD_ID_SIZE && strspn(id, "0123456789abcdef") == n;
}

static bool answer(struct reader_child *c, kt_u64 size, apart_find_fn *find)
{
	char id[BUILD_ID_SIZE];
	int fd, found;
	bool sent;

	if (size != sizeof(id) || !receive(c, id, sizeof(id), &fd))
		return false;
	if (fd >= 0)
		close(fd);
	found = find && is_build_id(id) ? find(id) : -1;
	sent = send_message(c->channel, &(struct message){ .kind = MESSAGE_FOUND }, found);
	if (found >= 0)
		close(found);
	return sent;
}

static void take_reason(struct reader_child *c, kt_u64 size)
{
	char text[WRONG_SIZE] = "";
	int fd;

	c->wrong = size && size < sizeof(text) && receive(c, text, size, &fd) ? arena_printf(&program_arena, "%s", text) : lies;
}

/* Takes the tables of NAME that M announces, and checks all of them; without NAME another block. */
static void take_tables(struct reader_child *c, const struct message *m, struct object *o, const char *name)
{
	struct kt_unwind_table t;
	int fd;

	if (!m->size || m->size > BLOCK_MAX) {
		c->wrong = lies;
		return;
	}
	*o = (struct object){
		.block = malloc(m->size), .size = m->size, .dropped = m->dropped, .partial = m->partial, .anchor = m->anchor,
	};
	if (!o->block)
		c->wrong = strerror(ENOMEM);
	else if (receive(c, o->block, o->size, &fd) && name && (kt_unwind_open(&t, o->block, o->size) || strcmp(t.name, name)))
		c->wrong = lies;
	if (c->wrong)
		object_deinit(o);
}

/* Serves the reader to its end. Returns the libraries that it needs. */
static unsigned int serve_reader(struct reader_child *c, struct object *o, const char *name, apart_find_fn *find, int *ret_fd)
{
	bool first = true, asked = false;
	struct message m;
	int fd;

	for (; receive(c, &m, sizeof(m), &fd); first = false) {
		/* A file comes first, before the reader has seen any of it: what a later one says of files is not believed. */
		if (fd >= 0 && first && ret_fd && m.kind == MESSAGE_FILE) {
			*ret_fd = fd;
			continue;
		}
		if (fd >= 0)
			close(fd);
		if (m.kind == MESSAGE_ASK && !asked) {
			asked = true;
			if (answer(c, m.size, find))
				continue;
		}
		if (m.kind == MESSAGE_WANTED)
			return m.wanted;
		if (m.kind == MESSAGE_WRONG)
			take_reason(c, m.size);
		else if (m.kind == MESSAGE_TABLES)
			take_tables(c, &m, o, name);
		else if (!c->wrong)
			c->wrong = lies;
		return 0;
	}
	return 0;
}

const char *apart_read(struct object *o, apart_fn *fn, const void *arg, const char *name, struct libraries *l,
		       const struct apart_limits *limits, apart_find_fn *find, int *ret_fd)
{
	unsigned int wanted;
	struct reader_child c;

	*o = (struct object){ 0 };
	if (ret_fd)
		*ret_fd = -1;
	do {
		c = (struct reader_child){ .limits = limits, .deadline = limits->seconds ? clock_seconds() + limits->seconds : 0 };
		if (!start_reader(&c, fn, arg, l))
			return c.wrong;
		if (ret_fd && *ret_fd >= 0)
			close(*ret_fd);
		wanted = serve_reader(&c, o, name, find, ret_fd);
		end_reader(&c);
		if (wanted & (l->loaded | l->absent))
			return lies;
		libraries_load(l, wanted);
	} while (wanted);
	return c.wrong;
}
