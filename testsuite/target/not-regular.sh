#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A path that a user or a program chose and that leads to a FIFO or a device is refused and not even opened: a process that waits for
# a reader of the FIFO goes on waiting.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
writer=
victim=
trap 'kill $writer $victim 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
limit=60

mkfifo fifo
sh -c ': >fifo; echo >opened' & writer=$!
# unopened WHAT: nothing has opened the FIFO.
unopened()
{
	sleep 0.2
	! test -e opened || fail "$1 opened the FIFO"
	kill -0 $writer || fail "the writer is gone"
}

for point in function mark; do
	ktap -l "process(\"$work/fifo\").$point(\"*\")"
	refused no-program
	said "'$work/fifo' is not a regular file"
	unopened "process(FIFO).$point()"
done
ln -s fifo link
ktap -p2 -e 'probe process("./link").function("main") { }'
refused no-program
said "/fifo' is not a regular file"
unopened "a link"
"$BUILDDIR/ktaprun" fifo >out 2>err && fail "ktaprun took the FIFO"
said "cannot open module 'fifo': it is not a regular file"
unopened ktaprun
ktap merge fifo
refused io
unopened "ktap merge"

# The debugging information that a stripped program names.
echo 'int main(void) { return 0; }' >prog.c
${CC:-gcc} -g -O2 -Wl,--build-id=none -o prog prog.c || fail "cannot compile"
objcopy --only-keep-debug prog prog.dbg
strip prog
objcopy --add-gnu-debuglink=prog.dbg prog
ln -sf fifo prog.dbg
ktap -l 'process("./prog").function("_*")'
refused no-match
unopened ".gnu_debuglink"

# A library that a process maps, whose name in /proc/PID/maps is that of a FIFO since the library was removed.
echo 'int answer(void) { return 42; }' >lib.c
cat >victim.c <<'EOF'
#include <unistd.h>
int answer(void);
int main(void) { pause(); return answer(); }
EOF
${CC:-gcc} -shared -fPIC -o libnotregular.so lib.c && ${CC:-gcc} -o victim victim.c ./libnotregular.so || fail "cannot compile"
./victim & victim=$!
until grep -q libnotregular "/proc/$victim/maps"; do sleep 0.1; done
rm libnotregular.so
ln fifo 'libnotregular.so (deleted)'
ktap -l "process($victim).library(\"libnotregular*\").function(\"*\")"
refused no-program
unopened "process(PID).library()"
