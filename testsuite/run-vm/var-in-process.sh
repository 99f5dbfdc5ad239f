#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# @var of a program and of a library in probes of other things: read in the current process, wherever the files are mapped
# there. In a process that does not run them it is an error. Without a file, @var is the local variable.
. "$SRCDIR/testsuite/lib/process.sh"

cat >lib.c <<'END'
long library_value = 5;
static struct { int x; struct { short y; } in; } hidden = { 1, { -2 } };
long step(void) { library_value *= 3; hidden.in.y--; hidden.x += 2; return hidden.x; }
END
${CC:-gcc} -g -O1 -shared -fPIC -o libvalue.so lib.c || fail "cannot compile libvalue.so"
program prog -pie -fPIC -L. -Wl,--no-as-needed -lvalue -Wl,-rpath,"$work" <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
extern long library_value;
long step(void);
struct node { int n; struct node *next; };
static struct node second = { 22, 0 }, first = { 11, &second };
static struct node *volatile head = &first;
static volatile int magic = 4711, values[4] = { 7, 8, 9, 10 };
int main(void)
{
	long x = 0;
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < 4; i++) {
		x = step();
		values[i] *= -i;
		printf("T %d %d %ld %ld %d\n", i, values[i], library_value, x, head->next ? head->next->n : head->n);
		lseek(-1, i, SEEK_SET);
		head = head->next ? head->next : &first;
	}
	if (!fork())
		execl("/bin/true", "true", (char *)0);
	wait(&status);
	while (magic) /* until the session ends it */
		;
	return 0;
}
END
cat >script.stp <<'END'
global ticks, wrong, refused, ready
probe syscall.lseek {
	if (pid() == target() && fildes == -1) {
		head = @var("head@prog.c", @1)
		printf("K %d %d %d %d %d\n", offset, @var("values@prog.c", @1)[offset], @var("library_value", @2), @var("hidden@lib.c", @2)->x,
		       head->next ? head->next->n : head->n)
	}
}
probe kernel.function("do_exit").call {
	if (execname() == "true")
		try { println(@var("magic", @1)) } catch (m) { if (!refused++) println(m); ready = 1 }
}
probe timer.profile {
	if (pid() == target() && user_mode() && ready) {
		if (@var("magic@prog.c", @1) != 4711) wrong++
		if (++ticks == 3) exit()
	}
}
probe kernel.function("vfs_read").call { if (@var("count") != $count || !@defined(@var("file")->f_flags)) wrong++ }
probe end { println("ticks ", ticks, " wrong ", wrong) }
END
for release in $(kernels); do
	in_vm -c ./prog script.stp "$work/prog" "$work/libvalue.so"
	told_truth
	test "$(wc -l <told)" = 4 || fail "not all was told on $release: $(cat told)"
	printed '^the current process does not run the file of a variable$'
	printed '^ticks 3 wrong 0$'
done
