#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A user reads directories into a page that never comes, and so holds their locks for as long as it likes: sessions with
# procfs files, uprobes and timers start, run and end all the same.
#! also-on: rt
. "$SRCDIR/testsuite/lib/process.sh"

limit=900
program holder <<'END'
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
/* holder DIRECTORY: as another user, reads it into a page that userfaultfd never fills. */
int main(int argc, char **argv) {
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register r = { .range.len = 8192, .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int directory, fd;
	r.range.start = (unsigned long)p;
	if (argc < 2 || setgid(65534) || setuid(65534)) return 2;
	fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	directory = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (directory < 0 || fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &r)) { perror(argv[1]); return 1; }
	printf("holds\n");
	fflush(stdout);
	printf("%ld\n", syscall(SYS_getdents64, directory, p, 8192));
	return 0;
}
END

for release in $(kernels); do
	module held --debuginfo=btf -e '
probe procfs("x").read { $value = "text\n" }
probe process("/bin/cat").begin { printf("cat\n") }
probe timer.ms(100) { ticks++ }
probe end { println(ticks > 0 ? "ticked" : "no tick") }
global ticks'
	in_guest_silent <<'END'
sysctl -q vm.unprivileged_userfaultfd=1
mkdir -p /tmp/mine
tried=0
for directory in /dev /proc /proc/fs /proc/systemtap /sys/module /sys/kernel /sys/kernel/debug /sys/kernel/tracing /run /tmp /; do
	[ -d $directory ] || continue
	./holder $directory >/tmp/mine/holds 2>&1 & holder=$!
	until grep -q . /tmp/mine/holds; do sleep 0.1; done
	held=$(cat /tmp/mine/holds)
	case $held in holds) ;; *denied) wait $holder; continue ;; *) echo "$held"; exit 1 ;; esac
	"$KTAPRUN" kt_held.ko >/tmp/mine/out 2>/tmp/mine/err & pid=$!
	# Until the session runs. The file is there earlier; a look at /sys/module may wait for the holder.
	until { read -r text </proc/systemtap/kt_held/x; } 2>/tmp/mine/unread && [ "$text" = text ]; do
		sleep 0.1
		kill -0 $pid || { cat /tmp/mine/err; exit 1; }
	done
	[ "$(cat /proc/systemtap/kt_held/x)" = text ] || echo "$directory: not the text"
	sleep 0.5
	kill -INT $pid
	wait $pid || echo "$directory: exit status $?"
	printf 'cat\nticked\n' | cmp - /tmp/mine/out || cat /tmp/mine/out
	cat /tmp/mine/err
	[ ! -e /sys/module/kt_held ] || echo "$directory: the module is left"
	{ kill -9 $holder; wait $holder; } 2>/tmp/mine/killed
	tried=$((tried + 1))
done
[ $tried -ge 7 ] || echo "only $tried directories"
END
	boot
	silent
done
