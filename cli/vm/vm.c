/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boots a kernel in a throwaway VM and carries one command's input, output, signals and status.
 *
 * Two children: virtiofsd, which serves the host's root, and QEMU. They get everything as open files (socket pairs,
 * the initramfs in memory), so no file is made on the host; both die with us (PR_SET_PDEATHSIG), so nothing keeps
 * running however we end. The guest's side is cli/vm/init.c, what they say is in cli/vm/proto.h.
 */
#include "cli/vm/vm.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/vm/host.h"
#include "cli/vm/initramfs.h"
#include "cli/vm/kernel.h"
#include "cli/vm/proto.h"
#include "cli/vm/root.h"
#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/outlet.h"
#include "lib/output-error.h"
#include "lib/requests.h"
#include "lib/status.h"
#include "lib/text.h"
#include "translator/platform/kernels.h"
#include "translator/machine/machine.h"

enum {
	DEFAULT_MEMORY_MB = 1024,
	DEFAULT_CPUS = 2,
	BOOT_SECONDS = 900,    /* with lockdep, an emulated machine on a busy host took more than 180 */
	ANSWER_SECONDS = 30,   /* until the guest takes a signal; a kernel that hangs never does */
	LOG_KEPT = 1 << 20,    /* bytes of the kernel's log */
	CONSOLE_SHOWN = 60,    /* lines of the kernel's log after a crash */
	INPUT_CHUNK = 16384,
	MAX_ARGS = 96,
	SOCKET_TRIES = 100,
};

/* The bytes of the library vm-preload.so. */
asm(".pushsection .rodata\n"
    "vm_preload_start: .incbin \"vm-preload.so\"\n"
    "vm_preload_end:\n"
    ".popsection");
extern const char vm_preload_start[], vm_preload_end[];

struct vm {
	const struct vm_options *o;
	struct arena memory;
	struct vm_host host;
	pid_t qemu, virtiofsd;
	int port;             /* our ends of the sockets */
	int console;
	int sigfd;
	struct text received; /* bytes from the port that are no whole frame yet */
	struct text to_send;  /* frames that the port has not taken */
	struct text log;      /* the kernel's console */
	int log_fd;           /* $KTAP_VM_CONSOLE, to which it is appended, or -1 */
	double started;       /* seconds, CLOCK_MONOTONIC */
	bool ready;
	bool input_busy;      /* the guest has not taken the last input */
	bool input_ended;
	struct outlet outlet; /* standard output and error */
	struct interrupt_requests requests;
	double answer_by;     /* as started: when a signal must have been taken; 0: none waits */
	bool done, ok;        /* ended; with *status valid */
	int status;
};

/* ---- the two children ---- */

struct argv {
	const char *v[MAX_ARGS];
	int n;
};

static void add(struct argv *a, const char *s)
{
	if (a->n == MAX_ARGS - 1)
		bug("too many arguments for QEMU");
	a->v[a->n++] = s;
}

static void write_file(const char *path, const char *s)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, s, strlen(s)) < 0)
		_exit(127);
}

/* The exit status of a child that cannot have mounts of its own. Other failures are 127. */
enum { EXIT_NO_MOUNTS = 126 };

static void no_mounts(const char *what)
{
	dprintf(STDERR_FILENO, "virtiofsd: %s: %s\n", what, strerror(errno));
	_exit(EXIT_NO_MOUNTS);
}

/* Enters a user namespace that has its own mounts. The process becomes root there, or stays the user that it is. */
static void enter_user_namespace(bool as_root)
{
	_cleanup_free_ char *uids = xasprintf("%u %u 1", as_root ? 0 : geteuid(), geteuid());
	_cleanup_free_ char *gids = xasprintf("%u %u 1", as_root ? 0 : getegid(), getegid());

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) /* what follows must not be done to the mounts of others */
		no_mounts("no user namespace can be made");
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/uid_map", uids);
	write_file("/proc/self/gid_map", gids);
}

/* glibc has had these calls since 2.36 only. The numbers are those of all machines. */
enum {
	SYSCALL_OPEN_TREE = 428,
	SYSCALL_MOVE_MOUNT = 429,
	SYSCALL_MOUNT_SETATTR = 442,
	TREE_CLONE = 1,
	TREE_RECURSIVE = 0x8000,
	TREE_READ_ONLY = 1,
	MOVE_FROM_DESCRIPTOR = 4,
};

/* Returns the root of a read-only copy of all mounts, or -1. */
static int read_only_tree(void)
{
	const struct {
		uint64_t set, clear, propagation, userns;
	} attr = { .set = TREE_READ_ONLY, .propagation = MS_PRIVATE };
	int root = (int)syscall(SYSCALL_OPEN_TREE, AT_FDCWD, "/", TREE_CLONE | O_CLOEXEC | TREE_RECURSIVE);

	if (root < 0 || !syscall(SYSCALL_MOUNT_SETATTR, root, "", AT_EMPTY_PATH | TREE_RECURSIVE, &attr, sizeof(attr)))
		return root;
	close(root);
	return -1;
}

/* Mounts the tree ROOT, as /proc/self/mountinfo lists no mount of a detached tree and virtiofsd reads it since 1.14. The mount
 * below must be private, or other namespaces get the tree, too: "/" is no mount in a chroot, /proc is one everywhere. */
static bool attach_tree(int root)
{
	return !mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) &&
	       !syscall(SYSCALL_MOVE_MOUNT, root, "", AT_FDCWD, "/proc", MOVE_FROM_DESCRIPTOR);
}

/* Makes the mount at PATH read-only; flags that it has stay. False: it is not. */
static bool make_read_only(const char *path)
{
	struct statvfs st;
	unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;

	if (statvfs(path, &st))
		return errno == EACCES || errno == ENOENT; /* out of reach for virtiofsd as well */
	flags |= st.f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME);
	flags |= st.f_flag & ST_RELATIME ? MS_RELATIME : 0;
	return !mount(NULL, path, NULL, flags, NULL);
}

/* The same one by one, in this process's own namespace, before Linux 5.12. */
static bool make_each_read_only(void)
{
	_cleanup_fclose_ FILE *mounts = fopen("/proc/self/mounts", "re");
	bool ok = mounts && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);

	for (struct mntent *m; ok && (m = getmntent(mounts));)
		ok = make_read_only(m->mnt_dir);
	return ok;
}

/* Has this process see its files read-only. The guest can do what virtiofsd may: it could make its own mount of these files
 * writable. */
static void make_files_read_only(void)
{
	int root = read_only_tree();
	bool ok = root >= 0 ? attach_tree(root) && !fchdir(root) && !chroot(".") : errno == ENOSYS && make_each_read_only();

	if (!ok)
		no_mounts("the files of this machine cannot be made read-only");
}

/* A program to start. */
struct child {
	struct argv argv;
	int keep[6];         /* files it inherits, -1 ends */
	int console;         /* gets its stderr, which is shown after a failure */
	int preload;         /* a library that is loaded into it, or -1 */
	bool read_only;      /* it may write no file of this machine; without root it gets a user namespace for that */
	bool root_inside;    /* it is root in that namespace */
};

/* Starts C in its own session: ktap passes Ctrl-C on. */
static pid_t spawn(const struct child *c)
{
	pid_t parent = getpid(), pid = fork();
	sigset_t none;
	int null;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	null = open("/dev/null", O_RDWR);
	dup2(null, 0);
	dup2(null, 1);
	dup2(c->console, 2);
	if (c->read_only && (geteuid() || unshare(CLONE_NEWNS) < 0)) /* root of a container may not either */
		enter_user_namespace(c->root_inside || !geteuid());
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of credentials clears it */
	if (c->read_only)
		make_files_read_only();
	for (const int *fd = c->keep; *fd >= 0; fd++)
		fcntl(*fd, F_SETFD, 0);
	if (c->preload >= 0) {
		_cleanup_free_ char *path = xasprintf("/proc/self/fd/%d", c->preload);

		setenv("LD_PRELOAD", path, 1);
	}
	execvp(c->argv.v[0], (char *const *)c->argv.v);
	_exit(127);
}

/* Connects the socket FD to the listening socket of name ADDR. Returns 0, or an errno: EAGAIN if another program came first. */
static int connect_first(int fd, const struct sockaddr_un *addr, socklen_t len)
{
	int err = 0;

	/* A queue of no length takes one connection, so a second one cannot wait there. */
	if (fcntl(fd, F_SETFL, O_NONBLOCK) || connect(fd, (const struct sockaddr *)addr, len))
		err = errno;
	if (!err && fcntl(fd, F_SETFL, 0))
		err = errno;
	return err;
}

static int listen_and_connect(int listen_fd, int connect_fd)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(addr);

	if (bind(listen_fd, (struct sockaddr *)&addr, sizeof(addr.sun_family)) ||
	    getsockname(listen_fd, (struct sockaddr *)&addr, &len) || listen(listen_fd, 0))
		return errno;
	return connect_first(connect_fd, &addr, len);
}

/* Makes a listening socket and the one connection to it that will be accepted. /proc/net/unix has the socket's name, and the server behind
 * it reads what ktap may read: a connection of another user must not be the one. */
static bool vhost_sockets(int *ret_listen, int *ret_connect)
{
	int err = EAGAIN;

	for (int i = 0; err == EAGAIN && i < SOCKET_TRIES; i++) {
		if (i) {
			close(*ret_listen);
			close(*ret_connect);
		}
		*ret_listen = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		*ret_connect = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		err = *ret_listen < 0 || *ret_connect < 0 ? errno : listen_and_connect(*ret_listen, *ret_connect);
	}
	errno = err;
	return !err;
}

/* Writes vm-preload.so to a file in memory that children inherit. Its descriptor, or -1. */
static int preload_file(void)
{
	size_t size = (size_t)(vm_preload_end - vm_preload_start);
	int fd = memfd_create("ktap-vm-preload", 0);

	if (fd >= 0 && write(fd, vm_preload_start, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -1;
}

/* Without root, the old virtiofsd is root in a user namespace; the new one serves as it is. */
static bool start_virtiofsd(struct vm *v, int listen_fd, int console)
{
	bool root = geteuid() == 0;
	struct child c = { .preload = root ? -1 : preload_file(), .keep = { listen_fd, -1 }, .console = console,
			   .read_only = true, .root_inside = !root && !v->host.rust };
	struct argv *a = &c.argv;

	add(a, v->host.virtiofsd);
	add(a, arena_printf(&v->memory, "--fd=%d", listen_fd));
	if (v->host.rust) {
		add(a, "--shared-dir=/");
		add(a, root ? "--sandbox=chroot" : "--sandbox=none");
		add(a, "--cache=always");
		add(a, "--log-level=error");
		add(a, "--no-announce-submounts");
	} else {
		add(a, "-o");
		add(a, "source=/,sandbox=chroot,cache=always,log_level=err");
	}
	v->virtiofsd = spawn(&c);
	if (c.preload >= 0)
		close(c.preload);
	return v->virtiofsd > 0;
}

static bool has_option(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

static const struct board *board(void)
{
	return &machine_target()->board;
}

/* The kernel's command line. An emulated TSC is calibrated against a timer that a busy host delays, and the guest's clock went
 * wrong by a third: its clock is the HPET then, unless QEMU counts instructions. The watchdogs get more time there, as an
 * emulated CPU on a busy host may be off its core for seconds; a boot must not fail because the timer seems to stand still. The
 * kernel does not test its ciphers, which would take up to a fifth of the start. */
static const char *boot_args(struct vm *v)
{
	static const char patience[] = "watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=180 cryptomgr.notests ";
	bool emulated = !vm_host_has_kvm() && !has_option(v->o->qemu_args, "-icount");

	return arena_printf(&v->memory, "console=%s%s panic=-1 oops=panic %s%s%s", board()->console,
			    v->o->verbose ? "" : v->log_fd >= 0 ? " loglevel=5" : " quiet",
			    emulated ? board()->kernel_args : "", emulated ? patience : "", v->o->kernel_args ? v->o->kernel_args : "");
}

static bool is_emulated(const struct vm *v)
{
	return !vm_host_has_kvm() || has_option(v->o->qemu_args, "-icount");
}

static void machine_args(struct vm *v, struct argv *a)
{
	const struct vm_options *o = v->o;
	int memory = o->memory_mb ? o->memory_mb : DEFAULT_MEMORY_MB;

	if (!has_option(o->qemu_args, "-accel")) {
		add(a, "-accel");
		/* One thread for all CPUs: with one each, QEMU 7.2 lets a CPU run an int3 that another has already patched
		 * away, and the guest's kernel jumps to 0 when a kprobe on a busy function is armed or disarmed; its own
		 * kprobe_events show the same. With QEMU 10.0 one boot of 150 ends so. */
		add(a, is_emulated(v) ? "tcg,thread=single" : "kvm");
	}
	add(a, "-cpu");
	add(a, is_emulated(v) ? board()->cpu : "host");
	add(a, "-smp");
	add(a, arena_printf(&v->memory, "%d", o->cpus ? o->cpus : DEFAULT_CPUS));
	add(a, "-m");
	add(a, arena_printf(&v->memory, "%dM", memory));
	add(a, "-object");
	add(a, arena_printf(&v->memory, "memory-backend-memfd,id=mem,size=%dM,share=on", memory));
	add(a, "-machine");
	add(a, arena_printf(&v->memory, "%s,memory-backend=mem", board()->machine));
}

static bool start_qemu(struct vm *v, int kernel, int initramfs, int fs, int port, int console)
{
	static const char *const fixed[] = {
		"-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-device", "vhost-user-fs-pci,chardev=fs,tag=" VM_FS_TAG,
		"-device", "virtio-serial-pci",
		"-device", "virtserialport,chardev=port,name=" VM_PORT_NAME,
		"-serial", "chardev:console",
	};
	const struct vm_options *o = v->o;
	struct child c = { .keep = { initramfs, fs, port, console, kernel, -1 }, .console = console, .preload = -1 };
	struct argv *a = &c.argv;
	const struct { const char *id; int fd; } sockets[] = {
		{ "fs", fs }, { "port", port }, { "console", console },
	};

	add(a, v->host.qemu);
	machine_args(v, a);
	for (size_t i = 0; i < sizeof(sockets) / sizeof(sockets[0]); i++) {
		add(a, "-chardev");
		add(a, arena_printf(&v->memory, "socket,id=%s,fd=%d", sockets[i].id, sockets[i].fd));
	}
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add(a, fixed[i]);
	if (o->network) {
		add(a, "-netdev");
		add(a, "user,id=net");
		add(a, "-device");
		add(a, "virtio-net-pci,netdev=net,romfile=");
	}
	add(a, "-kernel");
	add(a, kernel < 0 ? kernel_image(o->release) : arena_printf(&v->memory, "/proc/self/fd/%d", kernel));
	add(a, "-initrd");
	add(a, arena_printf(&v->memory, "/proc/self/fd/%d", initramfs));
	add(a, "-append");
	add(a, boot_args(v));
	for (const char *const *q = o->qemu_args; q && *q; q++)
		add(a, *q);
	v->qemu = spawn(&c);
	return v->qemu > 0;
}

static bool start(struct vm *v)
{
	int fs[2] = { -1, -1 }, port[2] = { -1, -1 }, console[2] = { -1, -1 }, initramfs = -1, kernel = -1;
	bool ok = false;

	if (!v->host.qemu && !vm_host_find(&v->host))
		return false;
	if (!vm_root_check(v->o->root, v->o->release) || !vm_initramfs(v->o, &initramfs))
		return false;
	if (is_emulated(v) && !v->o->kaslr)
		kernel = vm_kernel_unpack(kernel_image(v->o->release));
	if (vhost_sockets(&fs[0], &fs[1]) && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, port) == 0 &&
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, console) == 0) {
		v->port = port[0];
		v->console = console[0];
		ok = start_virtiofsd(v, fs[0], console[1]) && start_qemu(v, kernel, initramfs, fs[1], port[1], console[1]);
	}
	if (!ok)
		error(nowhere, DIAG_VM, "cannot start the VM: %s", strerror(errno));
	close(kernel);
	close(initramfs);
	close(fs[0]);
	close(fs[1]);
	close(port[1]);
	close(console[1]);
	return ok;
}

/* ---- frames ---- */

/* Sends what the guest takes now of the frames that wait for it. */
static void push_frames(struct vm *v)
{
	ssize_t n = 1;

	while (v->to_send.len && n > 0) {
		n = send(v->port, v->to_send.buf, v->to_send.len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			n = (ssize_t)v->to_send.len; /* QEMU is gone: the loop sees it */
		if (n > 0) {
			v->to_send.len -= (size_t)n;
			memmove(v->to_send.buf, v->to_send.buf + n, v->to_send.len);
		}
	}
}

/* A guest that takes no frame must not keep ktap from hearing signals. */
static void send_frame(struct vm *v, enum vm_frame_type type, const void *data, size_t len)
{
	struct vm_frame f = { .type = type, .size = (uint32_t)len };

	text_append(&v->to_send, (const char *)&f, sizeof(f));
	text_append(&v->to_send, data, len);
	push_frames(v);
}

/* Names of the host's own session, of no use or harmful in the guest. */
static bool belongs_to_host(const char *variable)
{
	static const char *const prefixes[] = {
		"DISPLAY=", "WAYLAND_DISPLAY=", "DBUS_", "XDG_RUNTIME_DIR=", "XAUTHORITY=", "SSH_", "GPG_", "LD_PRELOAD=",
		"NOTIFY_SOCKET=", "OLDPWD=", "PWD=", "SHLVL=", "_=",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(variable, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static void send_start(struct vm *v)
{
	_cleanup_free_ char *here = v->o->cwd ? xstrdup(v->o->cwd) : getcwd(NULL, 0);
	_cleanup_text_ struct text t = { 0 };
	size_t n = 0;

	text_append(&t, here ? here : "/", strlen(here ? here : "/") + 1);
	while (v->o->argv[n])
		n++;
	text_printf(&t, "%zu", n);
	text_append(&t, "", 1);
	for (size_t i = 0; i < n; i++)
		text_append(&t, v->o->argv[i], strlen(v->o->argv[i]) + 1);
	for (char **e = environ; *e; e++)
		if (!belongs_to_host(*e) && **e)
			text_append(&t, *e, strlen(*e) + 1);
	send_frame(v, VM_START, t.buf, t.len);
}

static void finish(struct vm *v, bool ok, int status)
{
	if (v->done)
		return;
	status_end();
	v->done = true;
	v->ok = ok;
	v->status = status;
}

/* Reports the error ERR of the output. Returns the exit status: a reader that is gone ends the command as SIGPIPE does where it is not
 * ignored. */
static int output_status(int err)
{
	if (err)
		error_output(err);
	return err == EPIPE ? 128 + SIGPIPE : err != 0;
}

/* After a write that may have waited for its reader: the guest could not answer meanwhile. */
static void extend_answer(struct vm *v)
{
	if (v->answer_by)
		v->answer_by = clock_seconds() + ANSWER_SECONDS;
}

static void pass_output(struct vm *v, const char *data, size_t len)
{
	int status;

	fwrite(data, 1, len, stdout);
	status = output_status(outlet_flush(&v->outlet));
	if (status)
		finish(v, true, status);
	extend_answer(v);
}

/* Can the guest send a message of this TYPE now? */
static bool is_expected(const struct vm *v, uint32_t type)
{
	return type == VM_READY ? !v->ready : type > VM_READY && type <= VM_FAILED;
}

static void handle_frame(struct vm *v, enum vm_frame_type type, const char *data, size_t len)
{
	uint32_t status = 0;

	switch (type) {
	case VM_READY:
		v->ready = true;
		status_end();
		if (v->o->verbose)
			fprintf(stderr, "ktap: VM: kernel %s is up after %.1f s\n", v->o->release, clock_seconds() - v->started);
		send_start(v);
		break;
	case VM_SIGNAL_DONE:
		v->answer_by = 0;
		break;
	case VM_INPUT_DONE:
		v->input_busy = false;
		break;
	case VM_OUTPUT:
		pass_output(v, data, len);
		break;
	case VM_ERRORS:
		fwrite(data, 1, len, stderr);
		extend_answer(v);
		break;
	case VM_EXIT:
		if (len == sizeof(status))
			memcpy(&status, data, sizeof(status));
		finish(v, true, (int)status);
		break;
	case VM_FAILED:
		error(nowhere, DIAG_VM, "the VM could not start the command: %.*s", (int)len, data);
		finish(v, false, 0);
		break;
	case VM_START:
	case VM_INPUT:
	case VM_SIGNAL:
		break;
	}
}

/* False at the end of the stream. */
static bool receive(struct vm *v)
{
	char buf[VM_FRAME_MAX];
	ssize_t n = read(v->port, buf, sizeof(buf));
	struct vm_frame f;
	size_t at = 0;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	text_append(&v->received, buf, (size_t)n);
	while (!v->done && v->received.len - at >= sizeof(f)) {
		memcpy(&f, v->received.buf + at, sizeof(f));
		if (f.size > VM_FRAME_MAX || !is_expected(v, f.type)) {
			error(nowhere, DIAG_VM, "the VM sent an unexpected message: type %u, %u bytes", f.type, f.size);
			finish(v, false, 0);
			break;
		}
		if (v->received.len - at - sizeof(f) < f.size)
			break;
		handle_frame(v, f.type, v->received.buf + at + sizeof(f), f.size);
		at += sizeof(f) + f.size;
	}
	memmove(v->received.buf, v->received.buf + at, v->received.len - at);
	v->received.len -= at;
	return true;
}

static bool read_console(struct vm *v)
{
	char buf[4096];
	ssize_t n = recv(v->console, buf, sizeof(buf), MSG_DONTWAIT);

	if (n <= 0)
		return n < 0 && errno == EINTR;
	text_append(&v->log, buf, (size_t)n);
	if (v->log.len > LOG_KEPT) { /* its later half */
		memmove(v->log.buf, v->log.buf + LOG_KEPT / 2, v->log.len - LOG_KEPT / 2 + 1);
		v->log.len -= LOG_KEPT / 2;
	}
	if (v->log_fd >= 0)
		write_all(v->log_fd, buf, (size_t)n);
	if (v->o->verbose) {
		fwrite(buf, 1, (size_t)n, stderr);
		extend_answer(v);
	}
	return true;
}

static void pass_input(struct vm *v)
{
	char buf[INPUT_CHUNK];
	ssize_t n = v->o->no_stdin ? 0 : read(STDIN_FILENO, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		v->input_ended = true;
		n = 0;
	}
	v->input_busy = true;
	send_frame(v, VM_INPUT, buf, (size_t)n);
}

static void crashed(struct vm *v, const char *what)
{
	const char *log, *from;
	int lines = 0;

	while (read_console(v))
		;
	log = text_str(&v->log);
	from = log + v->log.len;
	while (from > log && lines <= CONSOLE_SHOWN)
		lines += *--from == '\n';
	error(nowhere, DIAG_VM, "%s", what);
	if (v->log.len && !v->o->verbose) {
		note(nowhere, "the last lines of the VM of kernel %s:", v->o->release);
		fprintf(stderr, "%s\n", from == log ? from : from + 1);
	}
	finish(v, false, 0);
}

static void handle_signal(struct vm *v)
{
	struct signalfd_siginfo si;
	uint32_t sig;
	int ended, status;

	if (read(v->sigfd, &si, sizeof(si)) != sizeof(si))
		return;
	sig = si.ssi_signo;
	if (sig == SIGCHLD) {
		if (v->virtiofsd > 0 && waitpid(v->virtiofsd, &ended, WNOHANG) == v->virtiofsd) {
			v->virtiofsd = 0;
			/* QEMU closes the connection when it ends; then the port's end says more */
			if (waitpid(v->qemu, &status, WNOHANG) == 0 && !v->done) {
				crashed(v, "virtiofsd ended: the VM lost its file system");
				if (geteuid() && WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_NO_MOUNTS)
					note(nowhere, "it needs unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, "
						      "kernel.apparmor_restrict_unprivileged_userns), or sudo");
			}
		}
		return;
	}
	if (v->ready && !interrupt_request(&v->requests, clock_seconds()))
		return;
	if (!v->ready || v->requests.n > INTERRUPT_FORCES) {
		finish(v, true, 128 + (int)sig);
		return;
	}
	if (!v->answer_by)
		v->answer_by = clock_seconds() + ANSWER_SECONDS;
	if (sig != SIGINT && sig != SIGHUP)
		sig = SIGTERM; /* the session's command gets it, too */
	send_frame(v, VM_SIGNAL, &sig, sizeof(sig));
}

/* For a wait for room in the output. */
static bool gives_up(void *vm)
{
	struct vm *v = vm;
	int before = v->requests.n;

	handle_signal(v);
	return v->done || (v->requests.n > before && v->requests.n >= INTERRUPT_GIVES_UP);
}

/* ---- the session ---- */

static int wait_ms(const struct vm *v)
{
	double limit = v->ready ? v->o->timeout : BOOT_SECONDS, end, left;

	if (v->o->timeout && v->o->timeout < limit)
		limit = v->o->timeout;
	end = limit > 0 ? v->started + limit : 0;
	if (v->answer_by && (!end || v->answer_by < end))
		end = v->answer_by;
	if (!end)
		return -1;
	left = end - clock_seconds();
	return left > 0 ? (int)(left * 1000) + 1 : 0;
}

/* Milliseconds that the loop may wait: while the kernel boots on a terminal, it comes to show that. */
static int poll_ms(const struct vm *v)
{
	int ms = wait_ms(v);

	return status_is_on() && !v->ready && (ms < 0 || ms > STATUS_MS) ? STATUS_MS : ms;
}

static void serve(struct vm *v)
{
	status_begin("booting %s in a VM%s", v->o->release, vm_host_has_kvm() ? "" : " (no KVM: slow)");
	while (!v->done) {
		bool input = v->ready && !v->input_busy && !v->input_ended && !v->to_send.len;
		struct pollfd p[] = {
			{ .fd = v->port, .events = v->to_send.len ? POLLIN | POLLOUT : POLLIN },
			{ .fd = v->console, .events = POLLIN },
			{ .fd = v->sigfd, .events = POLLIN },
			{ .fd = input && !v->o->no_stdin ? STDIN_FILENO : -1, .events = POLLIN },
		};
		int n = poll(p, sizeof(p) / sizeof(p[0]), input && v->o->no_stdin ? 0 : poll_ms(v));

		status_tick();

		if (n < 0 && errno != EINTR)
			bug("poll: %s", strerror(errno));
		if (n == 0 && wait_ms(v) == 0) {
			crashed(v, !v->ready ? "the VM did not come up in time" :
				   v->answer_by && clock_seconds() >= v->answer_by ? "the VM does not answer" : "the time for the VM is over");
			return;
		}
		if (p[1].revents)
			read_console(v);
		push_frames(v);
		if (p[0].revents & ~POLLOUT && !receive(v) && !v->done)
			crashed(v, v->ready ? "the VM's kernel crashed" : "the VM ended before it was up");
		if (p[2].revents)
			handle_signal(v);
		if (input && (p[3].revents || v->o->no_stdin))
			pass_input(v);
	}
}

/* Opens $KTAP_VM_CONSOLE, through which the tests see the kernel's warnings. Returns -1 without it. */
static int open_log(void)
{
	const char *path = getenv("KTAP_VM_CONSOLE");

	return path && *path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
}

static void stop_child(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL); /* nothing in there is worth a farewell */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

const char *vm_default_release(void)
{
	struct utsname u;

	return uname(&u) ? kernel_newest(NULL, kernel_boots) : kernel_default(u.release);
}

bool vm_run(const struct vm_options *o, int *ret_status)
{
	struct vm_options named = *o;
	struct vm v = { .o = &named, .host = o->host, .port = -1, .console = -1, .started = clock_seconds(),
			.log_fd = open_log() };
	sigset_t mask, old;

	if (!named.release)
		named.release = vm_default_release();
	else
		named.release = kernel_newest(named.release, kernel_boots);
	if (!named.release)
		return vm_host_no_kernel(o->release);
	if (kernel_machine(named.release))
		machine_set_target(kernel_machine(named.release));
	sigemptyset(&mask);
	add_requests(&mask);
	sigaddset(&mask, SIGUSR2);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, &old);
	v.sigfd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	v.outlet = (struct outlet){ .signals = v.sigfd, .gives_up = gives_up, .of = &v };
	outlet_open(&v.outlet);
	if (start(&v))
		serve(&v);
	if (v.ok && !v.status)
		v.status = output_status(outlet_finish(&v.outlet));
	stop_child(v.qemu);
	while (v.log_fd >= 0 && read_console(&v))
		;
	stop_child(v.virtiofsd);
	outlet_close(&v.outlet);
	close(v.sigfd);
	close(v.port);
	close(v.console);
	close(v.log_fd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	text_deinit(&v.received);
	text_deinit(&v.to_send);
	text_deinit(&v.log);
	arena_deinit(&v.memory);
	*ret_status = v.status;
	return v.ok;
}
