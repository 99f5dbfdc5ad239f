#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The owner of a program cuts it short while ktap reads it: an error, no crash. A library that is loaded into ktap stands for that owner:
# it empties the file once it is mapped.
. "$SRCDIR/testsuite/lib/sh.sh"
cat >cutter.c <<'END_C'
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	char link[64], path[4096] = "";
	void *map = (void *)syscall(SYS_mmap, at, size, prot, flags, fd, offset);

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (fd >= 0 && readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, "/victim") && truncate(path, 0))
		perror(path);
	return map;
}
END_C
cc -shared -fPIC -o cutter.so cutter.c
echo 'int main(void) { return 0; }' >victim.c
cc -g -o good victim.c
for name in victim victim.o; do
	cp good victim
	cc -g -c -o victim.o victim.c
	LD_PRELOAD=$PWD/cutter.so ktap -L "process(\"$PWD/$name\").function(\"main\")"
	test ! -s "$name" || fail "$name was not mapped"
	test "$status" = 1 || fail "$name: exit status $status"
	said "'$PWD/$name' became shorter while it was read"
done
