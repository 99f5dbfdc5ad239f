#!/bin/sh
#! also-on: rt
# Memory of the program that is not there yet is brought in while the handler waits: an anonymous page that was never touched, a
# page of a file that left the page cache, a string across both. What cannot be had is an error, that the script can catch.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noipa)) void look(const long *zero, const char *text, const char *bad, const char *none) { }
int main(void) {
	char name[] = "/tmp/ktap-XXXXXX", page[4096];
	int fd = mkstemp(name);
	long *anonymous;
	char *text, *none;
	memset(page, 'a', sizeof(page));
	for (int i = 0; i < 64; i++) {
		if (i == 63) strcpy(page, "end");
		if (write(fd, page, sizeof(page)) != sizeof(page)) return 2;
	}
	fsync(fd);
	for (int i = 0; i < 200; i++) {
		anonymous = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		text = mmap(0, sizeof(page) * 64, PROT_READ, MAP_PRIVATE, fd, 0);
		none = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		look(anonymous + 600, text + 63 * sizeof(page) - 5, (const char *)8, none);
		munmap(anonymous, 8192);
		munmap(text, sizeof(page) * 64);
		munmap(none, 4096);
	}
	unlink(name);
	return 0;
}
END
for release in $(kernels); do
	in_vm -c ./prog -e '
	global zeroes, texts, caught, n, others
	probe process("./prog").function("look") {
		n <<< 1
		if ($zero[0] == 0) zeroes++
		if (user_string($text) == "aaaaaend") texts++
		try { println(user_string($bad)) } catch { caught++ }
		try { println($none[0]) } catch { caught++ }
		if (user_string($none, "gone") == "gone") caught++
	}
	probe kernel.function("handle_mm_fault").call ? { others++ }
	probe timer.profile { others++ }
	probe end { println(@count(n), " ", zeroes, " ", texts, " ", caught); if (others < 1) println("no others") }'
	expect <<-'END'
	200 200 200 600
	END
	! grep WARNING err || fail "hits were lost"
done
