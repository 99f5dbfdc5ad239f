#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Memory that the program has not touched yet is read without a page fault: constants of its file, pages of a file in the page
# cache, zeroes, a string across pages. A page that left the cache, one that the program
# cannot access and an address that is not mapped are errors which the script can catch and which name their cause.
. "$SRCDIR/testsuite/lib/process.sh"

program prog <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { PAGE = 4096, PAGES = 64 };
/* Alone on their pages: nothing else touches them. */
static const char cold[3 * PAGE] __attribute__((aligned(PAGE))) = { [PAGE] = 'c', 'o', 'l', 'd' };
__attribute__((noipa)) void own(const char *cold) { }
__attribute__((noipa)) void look(const long *zero, const char *cached, const char *gone, const char *bad, const char *none) { }
int main(void) {
	char name[] = "/tmp/ktap-XXXXXX", page[PAGE];
	int fd = mkstemp(name), gone = open("gone", O_RDONLY);
	memset(page, 'a', sizeof(page));
	for (int i = 0; i < PAGES; i++) {
		if (i == PAGES - 1) strcpy(page, "end");
		if (write(fd, page, sizeof(page)) != sizeof(page)) exit(2);
	}
	unlink(name);
	own(cold + PAGE);
	for (int i = 0; i < 200; i++) {
		char *apart = mmap(0, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		long *anonymous = (long *)(apart + PAGE);
		char *cached = mmap(0, PAGE * PAGES, PROT_READ, MAP_PRIVATE, fd, 0);
		char *absent = mmap(0, PAGE * PAGES, PROT_READ, MAP_PRIVATE, gone, 0);
		char *none = mmap(0, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (mprotect(anonymous, 2 * PAGE, PROT_READ | PROT_WRITE)) return 3;
		posix_fadvise(gone, 0, 0, POSIX_FADV_DONTNEED);
		look(anonymous + 600, cached + (PAGES - 1) * PAGE - 5, absent + PAGE, (const char *)8, none);
		munmap(apart, 4 * PAGE);
		munmap(cached, PAGE * PAGES);
		munmap(absent, PAGE * PAGES);
		munmap(none, PAGE);
	}
	return 0;
}
END
head -c 262144 /dev/zero | tr '\0' x >gone
for release in $(kernels); do
	in_vm -c ./prog -e '
	global zeroes, texts, why, n, others
	function tail(message) { return substr(message, strlen(message) - 18, 18) }
	probe process("./prog").function("own") {
		println(user_string($cold))
	}
	probe process("./prog").function("look") {
		n <<< 1
		if ($zero[0] == 0) zeroes++
		if (user_string($cached) == "aaaaaend") texts++
		try { println(user_string($gone)) } catch (message) { why[0, tail(message)]++ }
		try { println(user_string($bad)) } catch (message) { why[1, message]++ }
		try { println($none[0]) } catch (message) { why[2, message =~ "^read fault at 0x[0-9a-f]+$" ? "read fault" : message]++ }
		if (user_string($none, "gone") == "gone") why[3, "gone"]++
	}
	probe kernel.function("handle_mm_fault").call ? { others++ }
	probe timer.profile { others++ }
	probe end {
		println(@count(n), " ", zeroes, " ", texts)
		foreach ([i+, message] in why) printf("%s: %d\n", message, why[i, message])
		if (others < 1) println("no others")
	}'
	expect <<-'END'
	cold
	200 200 200
	the page is absent: 200
	user string copy fault at 0x8: 200
	read fault: 200
	gone: 200
	END
	! grep WARNING err || fail "hits were lost"
done
