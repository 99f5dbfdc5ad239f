#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktap plan` says for each family where its probes are and by what mechanism; programs may be named by build-id, and variables of marks
# and of the places that marks stand at are known. What is none of it is refused at its place.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"
for R in $(debug_kernels); do break; done

cat >prog.c <<'END_C'
#define MARK(name, args, ...) \
	asm volatile("990: nop\n\t.pushsection .note.stapsdt,\"\",\"note\"\n\t.balign 4\n\t.4byte 992f-991f, 994f-993f, 3\n" \
		     "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, 0\n\t.asciz \"shop\"\n\t.asciz \"" name "\"\n" \
		     "\t.asciz \"" args "\"\n994: .balign 4\n\t.popsection" ::__VA_ARGS__)
struct item { int price; };
int total = 3;
long table[4];
static inline __attribute__((always_inline)) int twice(int n) { return n + n; }
__attribute__((noipa)) int add(struct item *item, int count)
{
	MARK("sold", "-4@%0", "r"(count));
	return total += twice(item->price * count);
}
int main(void) { struct item i = { 2 }; return add(&i, 3); }
END_C
${CC:-gcc} -g -O2 -Wl,--build-id -o prog prog.c || { echo "cannot compile"; exit 77; }
prog=$PWD/prog

# plan PROBES: none is refused.
plan()
{
	ktap plan -r "$R" -e "$1"
	accepted
}

plan 'probe process("./prog").function("add"), process("./prog").function("twice") { }'
printed "^  # at $prog+0x[0-9a-f]* add prog.c:[0-9]*, uprobe\$"
printed "^  # at $prog+0x[0-9a-f]* twice prog.c:8, inlined into add at prog.c:12, uprobe\$"
plan 'probe process("./prog").data("total").write, process("./prog").data("table").rw, process("./prog").data(0x404000).write { }'
printed "^  # at 0x[0-9a-f]* total writes of 4 bytes, debug register in each thread of $prog\$"
printed "^  # at 0x[0-9a-f]* table reads and writes of 8 bytes, debug register in each thread of $prog\$"
printed "^  # at 0x404000 writes of 1 byte, debug register in each thread of $prog\$"
plan 'probe process("./prog").begin, process.end, process(1).thread.begin { } probe process.syscall.return { println(@entry($syscall)) }'
printed "^  # at $prog, tracepoint\$"
printed '^  # at all processes, tracepoint$'
printed '^  # at one process, tracepoint$'
plan 'probe perf.hw.cpu_cycles.sample(1000), perf.sw.cpu_clock.hz(99), perf.sw.page_faults.process("./prog").counter("pf"), timer.profile { }
	probe process("./prog").function("add") { println(@perf("pf")) }'
printed '^  # at perf event of type 0, config 0, every 1000 events$'
printed '^  # at perf event of type 1, config 0, 99 times a second$'
printed "^  # at perf event of type 1, config 0x2, counted in each thread of $prog\$"
printed '^  # at perf event of type 1, config 0, at each tick$'
plan 'probe netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4") { } probe procfs("x").read { $value = "x" } probe input.line { }'
printed '^  # at hook 1 of protocol family 2, priority 0$'
printed '^  # at /proc/systemtap/MODULE/x, mode 0400$'
printed '^  # at standard input of ktap$'
ktap -L "process(\"./prog\").mark(\"*\")" -r "$R"
accepted
printed "^process(\"$prog\").mark(\"sold\") \\\$arg1:long\$"
plan 'probe process("./prog").mark("sold") { println($$name, $$provider, $$parms, $arg1, $item->price, $$vars) }'
printed "^  # at $prog+0x[0-9a-f]* .*uprobe\$"
# By build-id, among the programs of PATH.
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
PATH=$PWD:$PATH
plan "probe process(\"$id\").function(\"add\") { }"
printed "^  # at $prog+0x[0-9a-f]* add prog.c:[0-9]*, uprobe\$"
# The libraries that a process has mapped.
sleep 600 &
sleeper=$!
trap 'kill $sleeper' EXIT
plan "probe process($sleeper).library(\"libc.so*\").function(\"qsort\"), process($sleeper).library(\"*\").function(\"qsort\") { }"
test "$(grep -c "^process($sleeper).library(\".*/libc.so.6\").function(\"qsort" out)" = 2 || fail "libc is mapped, once"

# no TAG COLUMN MESSAGE POINT [BODY]: the point is refused, at that column of its line.
no()
{
	ktap plan -r "$R" -e "probe $4 { ${5:-next} }"
	refused "$1"
	said "^<input>:1:$2: error: $3"
}

no no-match 30 "'totl' is not a variable in the symbol table of $prog" 'process("./prog").data("totl").write'
said "note: did you mean 'total'?"
no probe-arg 30 '0x900000000000 is not an address of a program' 'process("./prog").data(0x900000000000).write'
no no-match 47 ".* matches no mark of $prog" 'process("./prog").provider("shop").mark("solt")'
said "note: did you mean 'sold'?"
no no-program 15 "there is no '0123456789abcdef0123456789abcdef01234567' in PATH" 'process("0123456789abcdef0123456789abcdef01234567").function("add")'
only='@entry exists in return probes only'
no target-var 51 "$only" 'process("./prog").function("add")' 'println(@entry($count))'
no target-var 48 "$only" 'process("./prog").mark("sold")' 'println(@entry($arg1))'
no target-var 46 "$only" 'kernel.trace("sched_switch")' 'println(@entry(1))'
no target-var 71 "$only" 'netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")' 'println(@entry($hook))'
no target-var 72 ".verdict is assigned to with '=' alone" 'netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")' '$verdict += 1'
no target-type 65 "'->x' on a 'int', which has no members" 'process("./prog").function("add")' 'println($item->price->x)'
no target-type 57 "'\[\]' on a 'int', which has no elements here" 'process("./prog").function("add")' 'println($count[1])'
no target-type 51 'it has no address: it is in a register at this place' 'process("./prog").function("add")' 'println(&$count)'
no target-type 56 "a whole 'struct item' does not fit in a long" 'process("./prog").function("add")' 'println($item[2])'
no target-var 51 "no variable list '..nosuch'" 'process("./prog").function("add")' 'println($$nosuch)'
said 'note: there are \$\$vars, \$\$parms, \$\$locals and \$\$return'
no target-var 51 "no variable 'tota' in $prog" 'process("./prog").function("add")' 'println(@var("tota"))'
said "note: did you mean 'total'?"
