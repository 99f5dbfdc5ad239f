#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A library that stacks met first in a process that ended before its tables could be made gets them when another process comes through it.
. "$SRCDIR/testsuite/lib/process.sh"

${CC:-gcc} -g -O2 -fomit-frame-pointer -shared -fPIC -nostdlib -o libmet.so -x c - <<'END' || fail "cannot compile libmet.so"
static volatile int sink;
void through(void (*call)(void)) { volatile char room[72]; room[3] = 1; call(); sink += room[3]; }
END
program caller -fomit-frame-pointer -rdynamic -L. -Wl,--no-as-needed -lmet -Wl,-rpath,. <<'END'
#include <unistd.h>
void through(void (*call)(void));
static volatile int sink;
__attribute__((noipa)) void leaf(void) { sink++; }
__attribute__((noipa)) void outer(void) { through(leaf); sink++; }
int main(int argc, char **argv)
{
	outer();
	for (int i = 0; argc > 1 && i < 1000; i++) {
		usleep(100000);
		outer();
	}
	return 0;
}
END
for release in $(kernels); do
	# While ktaprun stands still, nobody looks at a process.
	session met -d ./caller -c "sh -c 'kill -STOP \$(pidof ktaprun); ./caller; kill -CONT \$(pidof ktaprun); sleep 2; ./caller on'" -e '
	global whole, first
	probe process("./caller").function("leaf") {
		s = ubacktrace_folded()
		if (isinstr(s, "main;outer;"))
			whole++
		else if (!whole)
			first = s
		if (whole == 5)
			exit()
	}
	probe end { printf("whole: %d\nfirst: %s\n", whole, first) }'
	boot
	result met
	grep -q '^whole: 5$' out || { cat out err; fail "$release: the library never got tables"; }
	grep 'no tables at first' err | grep -q -- '-d [^ ]*/libmet.so' || { cat err; fail "$release: not said"; }
done
