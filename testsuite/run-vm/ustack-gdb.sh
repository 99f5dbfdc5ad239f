#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Stacks of -O2 programs without frame pointers are those that gdb sees at the same place: through a callback of qsort and
# out of a signal handler, in a position-independent program, a fixed one, a static one, one of 32 bits, and in C++
# through a library.
# Compared are object and place in it of every call, from the probed function to _start, and the names of our own.
. "$SRCDIR/testsuite/lib/process.sh"
need_native

gdb --batch -ex 'python print(6 * 7)' 2>/dev/null | grep -q 42 || { echo "there is no gdb with Python"; exit 77; }

# Puts /proc/self/maps into ./maps: addresses become places in files.
cat >maps.h <<'END'
#include <fcntl.h>
#include <unistd.h>
static void save_maps(void)
{
	char buffer[4096];
	int from = open("/proc/self/maps", O_RDONLY), to = open("maps", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	for (int n; (n = read(from, buffer, sizeof(buffer))) > 0;)
		if (write(to, buffer, n) != n)
			_exit(1);
	close(from);
	close(to);
}
END
cat >sort.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include "maps.h"
static volatile int sink;
__attribute__((noinline)) void leaf(int x) { sink += x; }
__attribute__((noinline)) void on_usr1(int number) { leaf(number); sink++; }
__attribute__((noinline)) int compare(const void *a, const void *b)
{
	raise(SIGUSR1);
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) void sorter(int n)
{
	int numbers[n]; /* a frame of a size that only rbp knows */
	for (int i = 0; i < n; i++)
		numbers[i] = -i;
	qsort(numbers, n, sizeof(int), compare);
	sink += numbers[0];
}
int main(void)
{
	save_maps();
	signal(SIGUSR1, on_usr1);
	sorter(2);
	return 0;
}
END
cat >cxx.cc <<'END'
#include <algorithm>
#include <stdexcept>
#include <vector>
#include "maps.h"
static volatile int sink;
extern "C" __attribute__((noinline)) void leaf(int x) { sink += x; }
struct shape { virtual int area(int n) = 0; virtual ~shape() {} };
struct square : shape {
	__attribute__((noinline)) int area(int n) override {
		alignas(64) volatile char room[64] = { 0 }; /* a stack that is aligned anew */
		leaf(n + room[n]);
		return n * n;
	}
};
__attribute__((noinline)) static void thrower(shape *s)
{
	try { throw std::runtime_error("x"); } catch (std::exception &e) { sink += s->area(3); }
}
int main()
{
	save_maps();
	std::vector<int> v{3, 1, 2};
	square s;
	std::for_each(v.begin(), v.end(), [&](int) { thrower(&s); });
	return 0;
}
END
# Of lines with addresses and the file maps: object+place, one a line.
cat >places.py <<'END'
import sys
maps = [l.split() for l in open(sys.argv[1])]
for word in sys.stdin.read().split():
    pc = int(word, 16)
    for m in maps:
        start, end = (int(x, 16) for x in m[0].split("-"))
        if start <= pc < end:
            # The vdso is the kernel's own, and here is another kernel than there.
            place = "" if m[-1] == "[vdso]" else "+0x%x" % (pc - start + int(m[2], 16))
            print((m[5] if len(m) > 5 else "none") + place)
            break
    else:
        print("unmapped")
END
cat >walk.gdb <<'END'
set backtrace past-main on
set backtrace past-entry on
set debuginfod enabled off
handle SIGUSR1 nostop noprint pass
break *leaf
run
python
f = gdb.newest_frame()
out = open("gdb.pcs", "w")
names = open("gdb.names", "w")
# gdb shows more than the stack holds: inlined calls, which share the frame of the next older one, and functions that
# ended in a jump to the next, which it concludes from debugging information.
inlined = False
while f and f.is_valid():
    if f.type() == gdb.TAILCALL_FRAME:
        f = f.older()
        continue
    if not inlined:
        out.write("0x%x\n" % f.pc())
    inlined = f.type() == gdb.INLINE_FRAME
    if not inlined and f.name() and f.find_sal().symtab and f.find_sal().symtab.filename.startswith(("sort.c", "cxx.cc")):
        names.write(f.name().split("(")[0].split("::")[-1] + "\n")
    f = f.older()
end
kill
END

# by_gdb NAME: ./NAME.places and ./NAME.names, outermost last.
by_gdb()
{
	gdb --batch -nx -x walk.gdb "./$1" >gdb.out 2>&1 || { cat gdb.out; fail "gdb cannot walk $1"; }
	python3 places.py maps <gdb.pcs >"$1.places"
	mv gdb.names "$1.names"
	test "$(wc -l <"$1.places")" -ge 5 || { cat gdb.out "$1.places"; fail "gdb sees too few calls in $1"; }
}

# by_ktap NAME: on the plan; the maps of the very process are printed as it ends.
by_ktap()
{
	session "$(echo "$1" | tr - _)" -c "sh -c './$1 && cat maps'" -e "probe process(\"./$1\").function(\"leaf\") {
		if (seen++) next
		printf(\"pcs %s\n\", ucallers(-1))
		for (i = 0; i < 40 && ustack(i); i++) printf(\"name %s\n\", usymname(ustack(i) - (i > 0)))
	} global seen" -d "./$1" --ldd
}

# compare NAME: the same on both sides.
compare()
{
	result "$(echo "$1" | tr - _)"
	grep -v '^pcs\|^name' out >maps.vm
	sed -n 's/^pcs //p' out | python3 places.py maps.vm >places
	cmp -s "$1.places" places || { diff "$1.places" places; fail "the stack of $1 differs on $release"; }
	while read -r name; do
		grep -q "^name .*$name" out || fail "$release: no call of $name in $1"
	done <"$1.names"
	grep -q 'no tables' err && fail "tables were missing"
	echo "$1 on $release: $(wc -l <places) calls as in gdb"
}

flags='-g -O2 -fomit-frame-pointer'
# shellcheck disable=SC2086
{
	${CC:-gcc} $flags -fpie -pie -o sort sort.c && ${CC:-gcc} $flags -no-pie -o sort-fixed sort.c && ${CC:-gcc} $flags -static -o sort-static sort.c &&
		${CXX:-g++} $flags -o cxx cxx.cc || fail "cannot compile"
}
programs='sort sort-fixed sort-static cxx'
# shellcheck disable=SC2086,SC2154
${CC:-gcc} $m32 $flags -o sort-32 sort.c 2>/dev/null && programs="$programs sort-32"
for program in $programs; do
	by_gdb "$program"
done
for release in $(kernels); do
	for program in $programs; do
		by_ktap "$program"
	done
	boot
	for program in $programs; do
		compare "$program"
	done
done
