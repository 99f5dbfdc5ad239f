#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is no program, or not what the point says it is: one error each that names the file, and the next step. Damaged files
# are refused or read, never a crash.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# no TAG TEXT POINT [BODY]: the point is refused.
no()
{
	ktap -p2 -e "probe $3 { ${4:-next} }"
	refused "$1"
	said "$2"
}

cat >prog.c <<'END'
struct item { int price; };
int total = 3;
__attribute__((noipa)) int add(struct item *item, int count) { return total += item->price * count; }
int main(void) { struct item i = { 2 }; return add(&i, 3); }
END
${CC:-gcc} -g -O2 -o prog prog.c && ${CC:-gcc} -g -O2 -c prog.c && ${CC:-gcc} -O2 -s -o bare prog.c || fail "cannot compile"
printf '#! /bin/sh -e\necho\n' >script
: >empty
no no-program "'./gone': No such file" 'process("./gone").function("add")'
no no-program "did you mean 'bash'" 'process("bassh").function("main")'
no no-program 'interpreter, process("/bin/sh")' 'process("./script").function("main")'
no no-program 'not an ELF file' 'process("./empty").function("main")'
no no-program 'object file' 'process("./prog.o").function("main")'
no no-program "is not a regular file" 'process("/dev/null").function("main")'
no no-program "Is a directory" 'process("/tmp/").function("main")'
no no-program 'there is no process 4194303' 'process(4194303).function("main")'
no no-program 'there is no process 4194303' 'process(4194303).syscall'
no no-program 'neither is given' 'process.function("main")'
no no-program 'no .libnosuch.so' 'process("./prog").library("libnosuch.so").function("main")'
no no-match "did you mean 'add'" 'process("./prog").function("addd")'
no no-match 'without <sys/sdt.h>' 'process("./prog").mark("start")'
no no-match 'no function that' 'process("./prog").plt("nosuch")'
no no-match 'no code begins' 'process("./prog").statement("add@prog.c:2")'
no no-match 'holds nothing at 0x7000000' 'process("./prog").statement(0x7000000).absolute'
no no-match '-dbgsym' 'process("./bare").function("add")'
# Of a process whose program cannot be read, such as a thread of the kernel, code is refused and events are not.
for pid in $(cd /proc && echo [0-9]*); do
	if test -e "/proc/$pid" && ! readlink "/proc/$pid/exe" >link; then
		no no-program "process $pid cannot be read" "process($pid).function(\"main\")"
		ktap -p2 -e "probe process($pid).syscall.return, process($pid).end { println(pid()) }"
		accepted
		break
	fi
done
# Inside of an instruction: what is at the second byte of the first of main(), which is longer than one; where nothing but
# call frame information is left too. With -g it is what was asked for.
main=$(nm prog | sed -n 's/^\([0-9a-f]*\) T main$/0x\1/p')
second=$(objdump -d --no-show-raw-insn prog | sed -n '/<main>:/,/^$/s/^ *\([0-9a-f]*\):.*/0x\1/p' | sed -n 2p)
[ $((second - main)) -gt 1 ] || fail "the first instruction of main() has one byte"
for program in prog bare; do
	no guru "begins at $(printf '%#x' $((main)))" "process(\"./$program\").statement($((main + 1))).absolute"
	for address in $main $second; do
		ktap -p2 -e "probe process(\"./$program\").statement($address).absolute { }"
		accepted
		! grep warning err || fail "$address of $program"
	done
	ktap -g -p2 -e "probe process(\"./$program\").statement($((main + 1))) { }"
	accepted
done
no no-debuginfo 'compile it with -g' 'process("./bare").statement("*@prog.c:4")'
no target-var "did you mean '.count'" 'process("./prog").function("add")' 'println($counts)'
no target-type "'struct nosuch' in the debugging information of .*/prog" 'process("./prog").function("add")' \
	'println(@cast($item, "struct nosuch")->x)'
no target-var "'@*nosuch' in .*/prog" 'process("./prog").function("add")' 'println(@var("nosuch"))'
no target-member "did you mean 'price'" 'process("./prog").function("add")' 'println($item->prize)'
no target-var 'return probes only' 'process("./prog").function("add")' 'println($return)'
no target-var 'no target variables' 'process("./prog").begin' 'println($x)'
no probe-point "did you mean 'begin'" 'process("./prog").begn'
ktap -p2 -e 'probe process("./gone").function("x") ?, process("./prog").function("nosuch") ?, begin { }'
accepted
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	echo 'void _start(void) {}' | aarch64-linux-gnu-gcc -nostdlib -x c -o foreign - 2>/dev/null &&
		no no-program 'another architecture' 'process("./foreign").function("_start")'
	# Behind a wildcard it is passed over beside one that can be probed, as object files are; alone it is reported.
	mkdir mixed && cp foreign prog.o script mixed && cp prog mixed/zlast
	no no-program 'another architecture' 'process("./mixed/f*").function("_start")'
	no no-program 'object file' 'process("./mixed/p*").function("add")'
	ktap -p2 -e 'probe process("./mixed/*").function("add") { println($count) }'
	accepted
	printed '^process(".*/mixed/zlast").function("add'
	[ "$(grep -c '^process(' out)" = 1 ] || fail "expected one probe"
fi
# Of many libraries only those that the program loads; "/usr/lib*" finds them wherever this system has them.
ktap -p2 -e 'probe process("./prog").library("*").function("qsort"), process("/usr/lib*/libc.so.6").function("free") { }'
accepted
printed '^process(".*/prog").library(".*/libc.so.6").function("qsort'
printed '^process(".*/libc.so.6").function("[^"]*free@*'
[ "$(grep -c '/libm[.-]' out)" = 0 ] || fail "libm is not loaded by the program"
no no-match "matches nothing in" 'process("./prog").library("lib*").function("no_such_function")'
# What is odd in a body is told once, at however many places it is.
ktap -p2 -e 'probe process("./prog").function("*") { println($$vars, unset + 1) }'
accepted
[ "$(grep -c "read but never assigned" err)" = 1 ] || fail "expected one warning"
# A variable of the program itself, however it is named; one of another file has no address here.
ktap -p2 -e 'probe process("./prog").function("add") { println(@var("total", "./prog")) }'
accepted
cp prog prog2
# Cut off anywhere, and with bytes changed everywhere.
size=$(stat -c %s prog)
for i in $(seq 1 40); do
	head -c $((size * i / 41)) prog >cut
	ktap -p2 -e 'probe process("./cut").function("add") { println($item->price, $total) }'
	ktap -p2 -e 'probe process("./cut").plt, process("./cut").mark("*") { }'
done
perl -e '
	my ($n) = @ARGV; open my $f, "<:raw", "prog"; local $/; my $all = <$f>;
	for my $i (0 .. $n - 1) {
		my $s = $all; srand($i);
		substr($s, int(rand(length $s)) , 1) = chr int rand 256 for 1 .. 40;
		substr($s, 16 + int rand(48), 1) = chr int rand 256 if $i % 4 == 0;
		substr($s, length($s) - 1 - int rand(1800), 1) = chr int rand 256 for 1 .. 6;
		open my $o, ">:raw", "bad$i"; print $o $s; close $o;
	}' 60
for i in $(seq 0 59); do
	ktap -p3 -e "probe process(\"./bad$i\").function(\"add\").return { println(\$item->price, \$return) }"
	ktap -p2 -e "probe process(\"./bad$i\").plt, process(\"./bad$i\").mark(\"*\"), process(\"./bad$i\").function(\"*\") ? { }"
done
