#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# The runtime hashes strings of a program and stacks while it reads them. Such a key is the same element as an equal string of the
# script, wherever the string lies: unaligned, across two pages, in front of a page that is not there, cut.
. "$SRCDIR/testsuite/lib/process.sh"

program strings <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
enum { PAGE = 4096, LONGEST = 40, CUT = 63 };
static volatile int sink;
static int seen[CUT + 1];
__attribute__((noipa)) void look(const char *text) { sink++; }
__attribute__((noipa)) void look_behind(const char *text) { sink++; }
static void show(char *at, int len)
{
	for (int i = 0; i < len; i++)
		at[i] = 'a' + i % 23;
	at[len] = 0;
	look(at);
	seen[len < CUT ? len : CUT]++;
}
int main(void)
{
	char *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || munmap(pages + 2 * PAGE, PAGE))
		return 1;
	for (int len = 0; len <= LONGEST; len++) {
		for (int at = 0; at < 9; at++)
			show(pages + at, len);
		show(pages + PAGE - len / 2, len);
		show(pages + PAGE - len, len);
		show(pages + 2 * PAGE - len - 1, len);
	}
	for (int len = CUT - 1; len <= 2 * CUT; len += 9) {
		show(pages + 8, len);
		show(pages + PAGE - len / 2, len);
		show(pages + 2 * PAGE - len - 1, len);
	}
	for (int len = 0; len <= CUT; len++)
		if (seen[len])
			printf("T %d: %d %d %d %d\n", len, seen[len], seen[len], 3 * seen[len], seen[len]);
	look_behind(pages + 2 * PAGE);
	printf("T user string copy fault at %p: 0 elements\n", (void *)(pages + 2 * PAGE));
	return 0;
}
END
cat >strings.stp <<'END'
probe process("./strings").function("look") { hashed[user_string($text)]++ }
probe process("./strings").function("look") {
	s = user_string($text)
	plain[s]++
	both[user_string($text)] += 2
	both[s]++
	if (both[user_string($text)] != both[s])
		println("K differs")
	sizes[user_string($text)] <<< n++
}
probe process("./strings").function("look_behind") {
	try { bad[user_string($text)]++ } catch (why) { fault = why }
}
probe end {
	foreach (s+ in hashed)
		printf("K %d: %d %d %d %d\n", strlen(s), hashed[s], plain[s], both[s], @count(sizes[s]))
	foreach (s in bad) bad_n++
	printf("K %s: %d elements\n", fault, bad_n)
}
global hashed, plain, both, sizes, n, bad, bad_n, fault
END

program calls <<'END'
static volatile int sink;
__attribute__((noipa)) void leaf(void) { sink++; }
__attribute__((noipa)) void one(void) { leaf(); sink++; }
__attribute__((noipa)) void two(void) { leaf(); sink++; }
int main(void)
{
	for (int i = 0; i < 5; i++) {
		one();
		two();
		two();
	}
	return 0;
}
END
# Paths that alternate have texts of one length: each hit makes its text anew, and its hash.
cat >names.stp <<'END'
probe process("./calls").function("leaf") { stacks[sprint_ubacktrace()]++ }
probe process("./calls").function("leaf") {
	s = sprint_ubacktrace()
	texts[s]++
	sizes[sprint_ubacktrace()] = strlen(ubacktrace()) # the second one takes the place of the first
}
probe end {
	foreach (s in texts) printf("%d of %d, %s\n", stacks[s], texts[s], sizes[s] ? "sized" : "lost")
	foreach (s in stacks) n++
	foreach (s in sizes) n++
	println(n, " elements")
}
global stacks, texts, sizes
END
cat >addresses.stp <<'END'
probe process("./calls").function("leaf") { stacks[ubacktrace()]++ }
probe process("./calls").function("leaf") {
	s = ubacktrace()
	texts[s]++
}
probe end {
	foreach (s in texts) printf("%d of %d\n", stacks[s], texts[s])
	foreach (s in stacks) n++
	println(n, " elements")
}
global stacks, texts
END

for release in $(kernels); do
	session strings -c ./strings -DMAXSTRINGLEN=64 strings.stp
	# a line and the begin of the next one fit, and four addresses
	for script in names addresses; do
		session "cut_$script" -c ./calls -DMAXSTRINGLEN=64 $script.stp
		session "whole_$script" -c ./calls -DMAXSTRINGLEN=900 $script.stp
	done
	boot
	result strings
	told_truth
	result cut_names
	expect <<-END
	5 of 5, sized
	10 of 10, sized
	4 elements
	END
	result whole_names
	expect <<-END
	5 of 5, sized
	5 of 5, sized
	5 of 5, sized
	6 elements
	END
	for size in cut whole; do
		result ${size}_addresses
		expect <<-END
		5 of 5
		5 of 5
		5 of 5
		3 elements
		END
	done
done
