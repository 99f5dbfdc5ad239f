#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: BASE_FULL
# How a point names a program: `process` alone, PATH, wildcard, symbolic link, build-id, number of a process, that process
# in a mount namespace of its own; programs that are static, that are stripped but carry .gnu_debugdata, and `.exported`.
. "$SRCDIR/testsuite/lib/process.sh"
need_native

program prog -rdynamic <<'END'
__attribute__((noipa)) int tick(int x) { return x + 1; }
__attribute__((noipa)) static int inner(int x) { return x + 2; }
int main(void) { return tick(1) + inner(2) != 6; }
END
cp prog.c source
program fixed -static <source
program mini <source
ln -s prog link
nm mini | awk '$2 ~ /[tT]/ { print $3 }' >keep
objcopy --only-keep-debug mini mini.debug && objcopy -S --keep-symbols=keep mini.debug && xz -f mini.debug && strip mini &&
	objcopy --add-section .gnu_debugdata=mini.debug.xz mini || fail "no mini debuginfo"
nm mini 2>/dev/null | grep -q inner && fail "not stripped"
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
test -n "$id" || fail "no build-id"

echo '__attribute__((noipa)) int inside(int x) { return x * 2; }' >room.c
${CC:-gcc} -g -O2 -shared -fPIC -Wl,-soname,libroom.so -o libroom.so room.c || fail "cannot compile room.c"
program box -Wl,--no-as-needed '-Wl,-rpath,$ORIGIN' ./libroom.so <<'END'
#include <unistd.h>
int inside(int x);
__attribute__((noipa)) int step(int x) { return x + 1; }
int main(void) { for (;;) { step(7); inside(21); usleep(20000); } }
END
mkdir apart
# A folder that only this process sees.
cat >apart.sh <<'END'
mount -t tmpfs none apart && cp box libroom.so apart && exec apart/box
END
./box & plain=$!
# A number that is not the next one: in the guest the kernel may have made a thread by then.
for i in $(seq 10); do /bin/true; done
unshare -m sh apart.sh & apart=$!
trap 'kill $plain $apart 2>/dev/null; rm -rf "$work"' EXIT
for i in $(seq 600); do
	grep -q libroom /proc/$plain/maps && grep -q apart/libroom "/proc/$apart/maps" 2>/dev/null && break
	kill -0 $apart 2>/dev/null || { apart=; break; }
	sleep 0.1
done
test ! -e apart/box || fail "the folder is visible"

PATH=$work:$PATH
point='println($x, " ", execname())'
for release in $(kernels); do
	session alone -c ./prog -e "probe process.function(\"tick\") { $point }"
	session path -c ./prog -e "probe process(\"prog\").function(\"tick\") { $point }"
	session wild -c ./prog -e "probe process(\"./p?o[g]\").function(\"tick\") { $point }"
	session link -c ./prog -e "probe process(\"./link\").function(\"tick\") { $point }"
	session id -c ./prog -e "probe process(\"$id\").function(\"tick\") { $point }"
	session fixed -c ./fixed -e "probe process(\"./fixed\").function(\"tick\") { $point }"
	session mini -c ./mini -e 'probe process("./mini").function("inner") { println(int_arg(1), " ", ppfunc()) }'
	session exported -c ./prog -e 'probe process("./prog").function("[ti]*").exported { println(ppfunc()) }'
	for number in $plain $apart; do
		module "of$number" -e "
		probe process($number).function(\"step\") { if (pid() != $number) error(\"another\"); steps++ }
		probe process($number).library(\"libroom.so\").function(\"inside\") { if (pid() != $number || \$x != 21) error(\"another\"); n++ }
		probe timer.ms(50) { if (n > 3 && steps > 3) exit() } global n, steps
		probe end { println(n > 3, steps > 3) }"
	done
	like_here "$plain" ./box
	test -z "$apart" || like_here "$apart" 'unshare -m sh apart.sh'
	in_guest "for number in $plain $apart; do
		until grep -q libroom /proc/\$number/maps; do sleep 0.1; done
		\"\$KTAPRUN\" kt_of\$number.ko >\$RESULTS/of\$number.out 2>\$RESULTS/of\$number.err
		echo \$? >\$RESULTS/of\$number.status
	done
	kill $plain $apart"
	boot
	for name in alone path wild link id; do
		result $name
		expect <<-'END'
		1 prog
		END
	done
	result fixed
	printed '^1 fixed$'
	result mini
	printed '^2 inner$'
	result exported
	expect <<-'END'
	tick
	END
	for number in $plain $apart; do
		result "of$number"
		printed '^11$'
	done
done
