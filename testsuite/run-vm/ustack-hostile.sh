#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Programs whose owner is hostile: one with a symbol table of 1 TB, which is a hole, and one whose file is written all the time while its
# tables are made. The session runs and ends as any other and names the objects
# that have no tables.
. "$SRCDIR/testsuite/lib/process.sh"

program plain <<'END'
#include <unistd.h>
__attribute__((noinline)) int inner(void) { return getpgid(0); }
int main(void) { int n = 0; for (int i = 0; i < 50; i++) { n += inner(); usleep(20000); } return n == 0; }
END

# grow FROM TO: a copy whose .symtab has 0xf000000000 bytes, in a file of 1 TB.
cat >grow.pl <<'END'
my ($from, $to) = @ARGV;
open(my $in, '<:raw', $from) or die; local $/; my $file = <$in>;
my ($table, $size, $n, $names) = (unpack('Q<', substr $file, 40), unpack('v', substr $file, 58), unpack('v', substr $file, 60), unpack('v', substr $file, 62));
my $strings = unpack('Q<', substr $file, $table + $names * $size + 24);
for my $i (1 .. $n - 1) {
	my $at = $table + $i * $size;
	my $name = unpack('Z*', substr $file, $strings + unpack('V', substr $file, $at));
	substr($file, $at + 32, 8) = pack('Q<', 0xf000000000) if $name eq '.symtab';
}
open(my $out, '>:raw', $to) or die; print $out $file; truncate($out, 1 << 40) or die; close($out) or die; chmod 0755, $to;
END
perl grow.pl plain sparse || fail "cannot make the sparse file"

# Writes random bytes to the sections of its argument that are not mapped, over and over.
program writer <<'END'
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(int argc, char **argv)
{
	int fd = open(argv[1], O_RDWR);
	struct stat st;
	fstat(fd, &st);
	unsigned char *at = mmap(0, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	Elf64_Ehdr *h = (void *)at;
	Elf64_Shdr *s = malloc(h->e_shnum * sizeof(*s));
	memcpy(s, at + h->e_shoff, h->e_shnum * sizeof(*s));
	for (int n = h->e_shnum;;) {
		Elf64_Shdr *one = &s[rand() % n];
		if (one->sh_flags & SHF_ALLOC || one->sh_type == SHT_NOBITS || !one->sh_size)
			continue;
		at[one->sh_offset + rand() % one->sh_size] = rand() % 4 ? 0xff : 0;
		if (rand() % 8 == 0)
			at[h->e_shoff + rand() % (n * sizeof(*s))] ^= 1 << rand() % 8;
		else
			memcpy(at + h->e_shoff, s, n * sizeof(*s));
	}
}
END

script='global n probe syscall.getpgid { if (pid() == target() || execname() == "plain2" || execname() == "sparse") { n++; print_ubacktrace() } }
probe end { printf("%s calls\n", n ? "some" : "no") }'

for release in $(kernels); do
	# The target is the sparse one: it is asked for before the start.
	session sparse -c ./sparse -e "$script"
	# Not the target: stacks meet it.
	module met -e "$script"
	in_guest '
		"$KTAPRUN" -T 4 kt_met.ko >$RESULTS/met.out 2>$RESULTS/met.err </dev/null & session=$!
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do in_state kt_met running && break; sleep 0.5; done
		./sparse
		wait $session; echo $? >$RESULTS/met.status'
	module written -e "$script"
	in_guest 'cp ./plain /tmp/plain2; cp ./plain /tmp/copy
		i=0; while [ $i -lt 3 ]; do
			cp /tmp/copy /tmp/plain$i; mv /tmp/plain$i /tmp/plain2
			"$KTAPRUN" -T 2 kt_written.ko >$RESULTS/written$i.out 2>$RESULTS/written$i.err </dev/null & session=$!
			for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do in_state kt_written running && break; sleep 0.5; done
			/tmp/plain2 & ./writer /tmp/copy & writer=$!
			wait $session; echo $? >$RESULTS/written$i.status
			kill $writer; i=$((i + 1))
		done'
	boot
	result sparse
	printed 'some calls'
	said 'too large to be read; names, lines or frames are missing: .*/sparse'
	printed ' : \[.*sparse+0x'
	result met
	printed 'some calls'
	said 'too large to be read; names, lines or frames are missing: .*/sparse'
	printed ' : \[.*sparse+0x'
	for i in 0 1 2; do
		cp written.build "written$i.build"
		result written$i
		printed 'some calls'
	done
done
