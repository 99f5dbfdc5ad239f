/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first process of the throwaway VM: a static program, alone in the initramfs with the kernel modules it needs.
 *
 * Loads the modules, mounts the host's root (virtiofs, read-only) under a tmpfs (overlayfs), makes that the root, then
 * runs the one command that the host names and carries its stdin, stdout, stderr, signals and exit status over the
 * virtio-serial port. The host ends the VM when it has the exit status. Whatever fails here is fatal: die() tells
 * the host why and powers off.
 */
#include <errno.h>
#include <fcntl.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <net/route.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <dirent.h>

#include "cli/vm/proto.h"

enum {
	COMPRESSED_FILE = 4,      /* MODULE_INIT_COMPRESSED_FILE of finit_module */
	PIPE_ROOM = 1 << 20,      /* the port is slower than a pipe */
	PORT_WAIT_US = 2000,
	PORT_WAIT_TRIES = 5000,
};

static int port = -1;

static void write_all(int fd, const void *buf, size_t len)
{
	const char *p = buf;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (n > 0) {
			p += n;
			len -= (size_t)n;
		}
	}
}

static void send_frame(enum vm_frame_type type, const void *data, size_t len)
{
	char buf[sizeof(struct vm_frame) + VM_FRAME_MAX];
	struct vm_frame f = { .type = type, .size = (uint32_t)len };

	memcpy(buf, &f, sizeof(f));
	if (len)
		memcpy(buf + sizeof(f), data, len);
	write_all(port, buf, sizeof(f) + len);
}

static void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *fmt, ...)
{
	char msg[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	if (port >= 0) {
		send_frame(VM_FAILED, msg, strlen(msg));
		pause(); /* the host has the message and ends us; a power-off here could overtake it */
	}
	fprintf(stderr, "ktap VM: %s\n", msg);
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void mount_or_die(const char *what, const char *where, const char *type, unsigned long flags,
			 const char *options)
{
	mkdir(where, 0755);
	if (mount(what, where, type, flags, options) < 0)
		die("cannot mount %s on %s: %s", type, where, strerror(errno));
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = strlen(path);
	bool plain = len > 3 && !strcmp(path + len - 3, ".ko");

	if (fd < 0)
		die("cannot open %s: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, "", plain ? 0 : COMPRESSED_FILE) < 0 && errno != EEXIST)
		die("cannot load %s: %s", path, strerror(errno));
	close(fd);
}

static void load_modules(void)
{
	FILE *f = fopen(VM_MODULE_LIST, "re");
	char line[512];

	if (!f)
		die("no " VM_MODULE_LIST " in the initramfs");
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		load_module(line);
	}
	fclose(f);
}

/* Opens the port with our name if the driver has found it. */
static bool find_port(void)
{
	DIR *d = opendir("/sys/class/virtio-ports");
	struct dirent *e;

	while (d && port < 0 && (e = readdir(d))) {
		char path[512], name[64] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", e->d_name);
		f = e->d_name[0] == '.' ? NULL : fopen(path, "re");
		if (!f)
			continue;
		if (fgets(name, sizeof(name), f) && !strcmp(name, VM_PORT_NAME "\n")) {
			snprintf(path, sizeof(path), "/dev/%s", e->d_name);
			port = open(path, O_RDWR | O_CLOEXEC);
		}
		fclose(f);
	}
	if (d)
		closedir(d);
	return port >= 0;
}

/* Mounts the directory of --vm-root on /own, if there is one. A separate overlay: the kernel refuses a layer that is inside
 * of another. */
static bool mount_own_root(void)
{
	int fd = open(VM_ROOT_FILE, O_RDONLY | O_CLOEXEC);
	char dir[4096], options[sizeof(dir) + 64];
	ssize_t n = fd < 0 ? 0 : read(fd, dir, sizeof(dir) - 1);

	close(fd);
	if (n <= 0)
		return false;
	dir[n] = 0;
	mkdir("/empty", 0755);
	snprintf(options, sizeof(options), "lowerdir=/host%s:/empty", dir);
	mount_or_die("overlay", "/own", "overlay", MS_RDONLY, options);
	return true;
}

/* The host's tree, below the directory of --vm-root and a scratch layer, becomes the root. */
static void enter_root(void)
{
	mount_or_die(VM_FS_TAG, "/host", "virtiofs", MS_RDONLY, NULL);
	mount_or_die("tmpfs", "/scratch", "tmpfs", 0, "mode=0755");
	mkdir("/scratch/upper", 0755);
	mkdir("/scratch/work", 0755);
	mount_or_die("overlay", "/newroot", "overlay", 0,
		     mount_own_root() ? "lowerdir=/own:/host,upperdir=/scratch/upper,workdir=/scratch/work" :
					"lowerdir=/host,upperdir=/scratch/upper,workdir=/scratch/work");
	if (chdir("/newroot") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0 ||
	    chdir("/") < 0)
		die("cannot enter the new root: %s", strerror(errno));
}

static void mount_kernel_trees(void)
{
	mount_or_die("proc", "/proc", "proc", 0, NULL);
	mount_or_die("sysfs", "/sys", "sysfs", 0, NULL);
	mount_or_die("devtmpfs", "/dev", "devtmpfs", 0, NULL);
}

/* The addresses of QEMU's user-mode network. */
#define NET_CARD "eth0"
#define NET_ADDRESS "10.0.2.15"
#define NET_MASK "255.255.255.0"
#define NET_GATEWAY "10.0.2.2"
#define NET_RESOLVER "nameserver 10.0.2.3\n"

static void set_address(struct sockaddr *addr, const char *address)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address) };

	memcpy(addr, &in, sizeof(in));
}

/* Configures the network card by the socket S, if there is one. */
static void start_network(int s)
{
	struct ifreq ifr = { .ifr_name = NET_CARD };
	struct rtentry route = { .rt_flags = RTF_UP | RTF_GATEWAY };
	int fd;

	set_address(&ifr.ifr_addr, NET_ADDRESS);
	if (ioctl(s, SIOCSIFADDR, &ifr) < 0)
		return;
	set_address(&ifr.ifr_netmask, NET_MASK);
	ioctl(s, SIOCSIFNETMASK, &ifr);
	ifr.ifr_flags = IFF_UP | IFF_RUNNING;
	ioctl(s, SIOCSIFFLAGS, &ifr);
	set_address(&route.rt_gateway, NET_GATEWAY);
	set_address(&route.rt_dst, "0.0.0.0");
	set_address(&route.rt_genmask, "0.0.0.0");
	ioctl(s, SIOCADDRT, &route);
	/* The host's file, or a link, may name a resolver that only the host reaches. */
	unlink("/etc/resolv.conf");
	fd = open("/etc/resolv.conf", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd >= 0)
		write_all(fd, NET_RESOLVER, strlen(NET_RESOLVER));
	close(fd);
}

/* Mounts of a running system beyond the three; one that the kernel's configuration lacks is no failure. */
static void furnish(void)
{
	static const char *const links[][2] = {
		{ "/proc/self/fd", "/dev/fd" },
		{ "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" },
		{ "/proc/self/fd/2", "/dev/stderr" },
	};
	static const char *const mounts[][3] = {
		{ "devpts", "/dev/pts", "mode=0620,ptmxmode=0666" },
		{ "tmpfs", "/dev/shm", "mode=1777" },
		{ "debugfs", "/sys/kernel/debug", NULL },
		{ "tracefs", "/sys/kernel/tracing", NULL },
		{ "bpf", "/sys/fs/bpf", NULL },
		{ "cgroup2", "/sys/fs/cgroup", NULL },
	};
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (symlink(links[i][0], links[i][1]) < 0 && errno != EEXIST)
			die("cannot link %s: %s", links[i][1], strerror(errno));
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i][1], 0755);
		mount(mounts[i][0], mounts[i][1], mounts[i][0], 0, mounts[i][2]);
	}
	if (s >= 0) {
		ioctl(s, SIOCSIFFLAGS, &ifr);
		start_network(s);
		close(s);
	}
	sethostname("ktap-vm", strlen("ktap-vm"));
}

/* ---- talking to the host ---- */

/* Fills BUF; the host gone means nobody wants us. */
static void read_port(void *buf, size_t len)
{
	char *p = buf;

	while (len) {
		ssize_t n = read(port, p, len);

		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			reboot(RB_POWER_OFF);
		if (n > 0) {
			p += n;
			len -= (size_t)n;
		}
	}
}

/* The next frame; its bytes are valid until the next call, and NUL-terminated. */
static enum vm_frame_type read_frame(char **ret_data, size_t *ret_len)
{
	static char *data;
	struct vm_frame f;

	read_port(&f, sizeof(f));
	data = realloc(data, f.size + 1ul);
	if (!data)
		die("no memory for a message of %u bytes", f.size);
	read_port(data, f.size);
	data[f.size] = 0;
	*ret_data = data;
	*ret_len = f.size;
	return f.type;
}

struct command {
	pid_t pid;
	int in;          /* our end of its stdin, -1 when closed */
	int out, err;    /* our ends of its stdout and stderr */
	char *input;     /* bytes for stdin that it did not take yet */
	size_t n_input;
	int status;      /* as VM_EXIT says it */
	bool exited;
};

/* Takes the strings between *AT and END, MAX at most, off; NULL-terminated. */
static char **take_strings(char **at, char *end, size_t max)
{
	char **list = NULL;
	size_t n = 0;

	for (;;) {
		list = realloc(list, (n + 1) * sizeof(*list));
		if (!list)
			die("no memory for the command line");
		if (n == max || *at >= end)
			break;
		list[n++] = *at;
		*at += strlen(*at) + 1;
	}
	list[n] = NULL;
	return list;
}

static void exec_command(const char *cwd, char **argv, char **env, const sigset_t *mask)
{
	setsid();
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (chdir(cwd) < 0) {
		fprintf(stderr, "ktap: cannot enter %s in the VM: %s\n", cwd, strerror(errno));
		_exit(126);
	}
	environ = env;
	execvp(argv[0], argv);
	fprintf(stderr, "ktap: cannot run %s in the VM: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static void start_command(struct command *c, char *data, size_t len, const sigset_t *mask)
{
	char *at = data + strlen(data) + 1, *end = data + len;
	char **count = take_strings(&at, end, 1), **argv = take_strings(&at, end, count[0] ? strtoul(count[0], NULL, 10) : 0);
	char **env = take_strings(&at, end, SIZE_MAX);
	int in[2], out[2], err[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		die("cannot make a pipe: %s", strerror(errno));
	c->pid = fork();
	if (c->pid < 0)
		die("cannot fork: %s", strerror(errno));
	if (!c->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(err[1], 2);
		exec_command(data, argv, env, mask);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	c->in = in[1];
	c->out = out[0];
	c->err = err[0];
	fcntl(c->in, F_SETFL, O_NONBLOCK);
	fcntl(c->out, F_SETFL, O_NONBLOCK);
	fcntl(c->out, F_SETPIPE_SZ, PIPE_ROOM);
	fcntl(c->err, F_SETFL, O_NONBLOCK);
	free(count);
	free(argv);
	free(env);
}

static void handle_frame(struct command *c)
{
	char *data;
	size_t len;
	uint32_t sig;

	switch (read_frame(&data, &len)) {
	case VM_INPUT:
		if (c->in >= 0 && !len) {
			close(c->in);
			c->in = -1;
		}
		if (c->in < 0 || !len) {
			send_frame(VM_INPUT_DONE, NULL, 0);
			break;
		}
		c->input = malloc(len);
		if (!c->input)
			die("no memory for input");
		memcpy(c->input, data, len);
		c->n_input = len;
		break;
	case VM_SIGNAL:
		memcpy(&sig, data, sizeof(sig));
		kill(-c->pid, (int)sig);
		send_frame(VM_SIGNAL_DONE, NULL, 0);
		break;
	case VM_START:
	case VM_READY:
	case VM_SIGNAL_DONE:
	case VM_INPUT_DONE:
	case VM_OUTPUT:
	case VM_ERRORS:
	case VM_EXIT:
	case VM_FAILED:
		die("unexpected message from the host");
	}
}

/* Writes what the command takes of the pending input. */
static void feed_input(struct command *c)
{
	ssize_t n = write(c->in, c->input, c->n_input);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) { /* it closed its stdin */
		close(c->in);
		c->in = -1;
		n = (ssize_t)c->n_input;
	}
	memmove(c->input, c->input + n, c->n_input - (size_t)n);
	c->n_input -= (size_t)n;
	if (c->n_input)
		return;
	free(c->input);
	c->input = NULL;
	send_frame(VM_INPUT_DONE, NULL, 0);
}

/* Passes on what is there; closes FD at its end. True while more may be there at once. */
static bool pass_output(int *fd, enum vm_frame_type type)
{
	static char buf[VM_FRAME_MAX];
	ssize_t n = *fd < 0 ? 0 : read(*fd, buf, sizeof(buf));

	if (n > 0)
		send_frame(type, buf, (size_t)n);
	if (n == 0 && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return n > 0;
}

/* As init we inherit every orphan. */
static void reap(struct command *c)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == c->pid) {
			c->exited = true;
			c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		}
}

static void serve(struct command *c, int sigfd)
{
	struct signalfd_siginfo si;

	while (!c->exited) {
		struct pollfd p[] = {
			{ .fd = port, .events = POLLIN },
			{ .fd = sigfd, .events = POLLIN },
			{ .fd = c->out, .events = POLLIN },
			{ .fd = c->err, .events = POLLIN },
			{ .fd = c->n_input ? c->in : -1, .events = POLLOUT },
		};

		if (poll(p, sizeof(p) / sizeof(p[0]), -1) < 0)
			continue;
		if (p[0].revents & (POLLIN | POLLHUP))
			handle_frame(c);
		if (p[2].revents)
			pass_output(&c->out, VM_OUTPUT);
		if (p[3].revents)
			pass_output(&c->err, VM_ERRORS);
		if (p[4].revents && c->n_input)
			feed_input(c);
		if (p[1].revents && read(sigfd, &si, sizeof(si)) > 0)
			reap(c);
	}
	/* Output of background processes is lost from here on: the session is its command. */
	while (pass_output(&c->out, VM_OUTPUT) || pass_output(&c->err, VM_ERRORS))
		;
}

int main(void)
{
	struct command c = { 0 };
	sigset_t mask, old;
	uint32_t status;
	char *data;
	size_t len;
	int sigfd;

	mount_kernel_trees();
	load_modules();
	for (int i = 0; !find_port(); i++) {
		if (i == PORT_WAIT_TRIES)
			die("the kernel found no virtio-serial port");
		usleep(PORT_WAIT_US);
	}
	enter_root();
	mount_kernel_trees();
	furnish();
	umask(022);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, &old);
	sigfd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	send_frame(VM_READY, NULL, 0);
	if (read_frame(&data, &len) != VM_START)
		die("expected the command from the host");
	start_command(&c, data, len, &old);
	serve(&c, sigfd);
	status = (uint32_t)c.status;
	send_frame(VM_EXIT, &status, sizeof(status));
	for (;;)
		pause(); /* the host ends the VM */
}
