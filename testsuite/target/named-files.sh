#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files that debugging information names are looked at through O_PATH and never opened by their name, not by libdw either: between a
# look at the name and the open, its owner could make it a link to a device.
. "$SRCDIR/testsuite/lib/sh.sh"
command -v strace >/dev/null && command -v dwz >/dev/null || { echo "no strace or no dwz"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# looked FILE PROGRAM VARIABLE: ktap finds VARIABLE of PROGRAM with the help of FILE.
looked()
{
	strace -f -o trace -e trace=open,openat "$KTAP" -L "process(\"./$2\").function(\"walk\")" >out 2>err </dev/null || fail "status $?"
	printed "[$]$3:"
	grep "/$1\"" trace >opens || fail "$1 is not looked for"
	! grep -v O_PATH opens || fail "$1 is opened by its name"
}

for name in one two; do
	cat >$name.c <<-END2
	struct leaf { int pad, val; struct leaf *next; long more[4]; unsigned small:3, big:29; };
	enum fruit { APPLE = 3, PEAR = 77, PLUM = -5 };
	volatile int sink;
	static __attribute__((noipa)) int walk(struct leaf *l, enum fruit f)
	{
		for (; l; l = l->next)
			sink += l->val + (int)f;
		return sink;
	}
	int main(int n, char **v) { struct leaf l = { n }; return walk(&l, PEAR) + sizeof("$name"); }
	END2
	${CC:-gcc} -g -O2 -o $name $name.c || fail "cannot compile"
done
${CC:-gcc} -g -gsplit-dwarf -O2 -c one.c && ${CC:-gcc} -o split one.o || fail "cannot compile"
looked one.dwo split l
objcopy --only-keep-debug one one.debuglink
cp one linked
strip linked
objcopy --add-gnu-debuglink=one.debuglink linked
looked one.debuglink linked l
dwz -m shared.debug one two 2>err || fail "dwz"
readelf -S one | grep -q gnu_debugaltlink || fail "dwz shares nothing"
looked shared.debug one l
