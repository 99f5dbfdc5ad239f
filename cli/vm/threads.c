/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Some versions of QEMU translate a block of the guest's code without locking the page that they read (QEMU's commit deba78709ae8 of version
 * 8.1 locks it). A write of another CPU between that read and the end of the translation is lost. The block then runs an int3 that is gone, and
 * the guest's kernel jumps to 0 when a kprobe on a busy function is armed or disarmed; its own kprobe_events show the same. Distributions
 * patch QEMU, so its version does not tell. A guest of two CPUs (threads-guest.S) provokes the fault and reports whether it occurred.
 *
 * The guest exists for x86 on x86 only. An x86 guest on another machine also needs a host that keeps memory accesses in order. The emulator of
 * arm64 is another program, about which this guest says nothing.
 */
#include "cli/vm/threads.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "translator/debuginfo/store.h"
#include "translator/machine/machine.h"
#include "translator/module/build.h"

enum {
	IMAGE_SIZE = 65536,    /* QEMU takes BIOS images in units of 64 KB */
	TIME_LIMIT = 20,       /* seconds; on two idle processors it takes a tenth of one */
	/* The statuses with which QEMU's isa-debug-exit ends for the numbers that the guest writes. 1 is an error of QEMU. */
	STATUS_RIGHT = 0x20 << 1 | 1,
	STATUS_WRONG = 0x21 << 1 | 1,
};

extern const char threads_guest[], threads_guest_end[]; /* empty on other machines than x86 */

static size_t guest_size(void)
{
	return (size_t)(threads_guest_end - threads_guest);
}

/* Writes the image to a file in memory. Its descriptor, or -1. */
static int guest_image(void)
{
	size_t size = guest_size();
	int fd = memfd_create("ktap-threads-guest", MFD_CLOEXEC);

	if (fd >= 0 && !ftruncate(fd, IMAGE_SIZE) && pwrite(fd, threads_guest, size, (off_t)(IMAGE_SIZE - size)) == (ssize_t)size)
		return fd;
	close(fd);
	return -1;
}

/* Runs the guest. Returns the exit status of QEMU, or a negative number: it did not end. */
static int run_guest(const char *qemu)
{
	_cleanup_close_ int fd = guest_image();
	/* The image is this process's: QEMU starts with no other file of it. */
	_cleanup_free_ char *image = xasprintf("/proc/%d/fd/%d", (int)getpid(), fd);
	const char *const argv[] = {
		qemu, "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "16M", "-machine", "q35,vmport=off", "-nodefaults",
		"-no-user-config", "-display", "none", "-no-reboot", "-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-bios", image, NULL,
	};
	static const struct proc_limits limits = { .seconds = TIME_LIMIT };

	return fd < 0 ? -1 : proc_run(&(struct proc){ .argv = argv, .quiet = true, .limits = &limits });
}

/* Returns the name under which the cache keeps the answer of the program QEMU to this guest. */
static const char *answer_name(const char *qemu)
{
	struct hash h;

	hash_init(&h);
	hash_add(&h, threads_guest, guest_size());
	hash_add_str(&h, qemu);
	hash_add_stat(&h, qemu);
	return arena_printf(&program_arena, "threads-%s", hash_hex(&h));
}

/* Reads the kept answer. False: none is kept. */
static bool kept_answer(const char *name, bool *ret)
{
	size_t size;
	char *answer = store_map(name, &size);

	if (!answer)
		return false;
	*ret = *answer == 'y';
	store_unmap(answer, size);
	return true;
}

bool vm_threads_work(const char *qemu)
{
	bool has_guest = guest_size() && machine_target() == machine_host(), works = false;
	const char *name = answer_name(qemu);
	int status;

	if (!has_guest || kept_answer(name, &works))
		return works;
	status = run_guest(qemu);
	works = status == STATUS_RIGHT;
	/* Nothing else is kept: this machine may have been too busy, or out of memory. */
	if (works || status == STATUS_WRONG)
		store_write(name, works ? "yes\n" : "no\n", strlen(works ? "yes\n" : "no\n"));
	return works;
}
