/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of a server that answers no more: whoever reads it waits, and SIGKILL does not end that. Its reader is given up after its time, and
 * nothing that the parent does with the file waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/regular.h"
#include "runtime/loader/program.h"
#include "runtime/loader/reading.h"
#include "testsuite/unit/tap.h"

enum { ROOT = FUSE_ROOT_ID, FILE_NODE = 2, FILE_SIZE = 1 << 20, REQUEST_MAX = 1 << 17, CHILD_TESTS = 3 };

static void reply(int fuse, kt_u64 id, int err, const void *body, size_t size)
{
	char message[4096];
	struct fuse_out_header h = { .len = (unsigned int)(sizeof(h) + size), .error = err, .unique = id };

	memcpy(message, &h, sizeof(h));
	memcpy(message + sizeof(h), body, size);
	if (write(fuse, message, h.len) < 0 && errno == ENODEV)
		_exit(0);
}

static struct fuse_attr attributes(kt_u64 node)
{
	return (struct fuse_attr){ .ino = node, .size = node == ROOT ? 0 : FILE_SIZE, .nlink = 1,
				   .mode = node == ROOT ? S_IFDIR | 0755 : S_IFREG | 0755 };
}

/* Serves a directory with one file, whose content never comes; nor does the end of a close(). */
static void serve(int fuse)
{
	static char request[REQUEST_MAX];

	while (read(fuse, request, sizeof(request)) > 0) {
		const struct fuse_in_header *in = (const void *)request;
		struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096 };
		struct fuse_entry_out entry = { .nodeid = FILE_NODE, .attr_valid = 1000, .entry_valid = 1000, .attr = attributes(FILE_NODE) };
		struct fuse_attr_out attr = { .attr_valid = 1000, .attr = attributes(in->nodeid) };
		struct fuse_open_out open = { .fh = 1 };

		switch (in->opcode) {
		case FUSE_INIT: reply(fuse, in->unique, 0, &init, sizeof(init)); break;
		case FUSE_LOOKUP: reply(fuse, in->unique, 0, &entry, sizeof(entry)); break;
		case FUSE_GETATTR: reply(fuse, in->unique, 0, &attr, sizeof(attr)); break;
		case FUSE_OPEN: reply(fuse, in->unique, 0, &open, sizeof(open)); break;
		case FUSE_READ: case FUSE_FLUSH: case FUSE_INTERRUPT: case FUSE_FORGET: break;
		default: reply(fuse, in->unique, -ENOSYS, "", 0);
		}
	}
	_exit(0);
}

/* Returns the server of DIR, or -1. */
static pid_t mount_stuck(const char *dir)
{
	char options[128];
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	pid_t server;

	if (fuse < 0 || unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -1;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fuse);
	if (mount("stuck", dir, "fuse", MS_NOSUID | MS_NODEV, options))
		return -1;
	server = fork();
	if (!server)
		serve(fuse);
	close(fuse);
	return server;
}

static void test_readers(const char *path)
{
	const struct apart_limits limits = { .seconds = 0.5 };
	const struct reading r = { path, path, false };
	struct libraries l = { 0 };
	struct program_head p;
	struct object o;
	int fd;

	is_str(reading_make(&o, &r, &l, &limits, &fd), "reading it takes too long", "its tables do not come");
	ok(fd >= 0, "the file is known");
	close(fd);
	is_str(program_head_read(&p, path, &limits), "reading it takes too long", "nor does the program's head");
	program_head_close(&p);
}

int main(void)
{
	char dir[] = "/tmp/ktap-stuck-XXXXXX", path[sizeof(dir) + 2];
	pid_t server = mkdtemp(dir) ? mount_stuck(dir) : -1, child;
	double began = clock_seconds();
	int status = -1;

	snprintf(path, sizeof(path), "%s/x", dir);
	if (server > 0) {
		child = fork();
		if (!child) {
			test_readers(path);
			fflush(stdout);
			_exit(tap_failures);
		}
		while (!waitpid(child, &status, WNOHANG) && clock_seconds() - began < 30)
			usleep(10000);
		tap_tests = CHILD_TESTS;
		ok(WIFEXITED(status) && !WEXITSTATUS(status), "the parent of the readers does not wait");
		kill(server, SIGKILL); /* which ends all that wait for it */
		while (wait(NULL) > 0)
			continue;
		umount2(dir, MNT_DETACH);
	} else {
		ok(1, "a file whose server answers no more # SKIP no mount of FUSE");
	}
	rmdir(dir);
	return tap_done();
}
