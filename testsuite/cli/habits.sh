#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whoever writes the language of another tool is told what to write here, with their own words, by the first error.
# A row is a script, " ==> ", and the text of the first note.
. "$SRCDIR/testsuite/lib/sh.sh"

check()
{
	ktap -p2 -e "$1"
	test "$status" != 0 || fail "accepted: $1"
	first=$(grep -m 1 'note: ' err | sed 's/.*note: //')
	test "$first" = "$2" || fail "$1
expected: $2
it says:  $first"
	case $(grep -m 1 -E 'error: |note: ' err) in
	*error:*) ;;
	*) fail "$1: a note before the error" ;;
	esac
	test "$(grep -c 'error: ' err)" = 1 || fail "$1: one mistake is reported more than once"
	rows=$((rows + 1))
	case $2 in "write probe "*) parses "${2#write }" ;; esac
}

# What is advised is a probe point of the grammar, unless it holds a word in capitals for the reader to replace.
parses()
{
	case $1 in *NAME*|*FILE*) return ;; esac
	ktap -p1 -e "$1 { }"
	accepted
}

rows=0
while IFS= read -r row; do
	case $row in ''|'## '*) continue ;; esac
	check "${row%% ==> *}" "${row#* ==> }"
done <<'ROWS'
## SystemTap: families that are not here
probe java("Shop").class("Shop").method("sell") { } ==> write probe process("PATH/libjvm.so").mark("method__entry")
probe debuginfod.process("/bin/ls").function("main") { } ==> write probe process("/bin/ls").function("main")
probe lsm.file_open { } ==> write probe kernel.function("security_file_open")
## bpftrace: probes
BEGIN { printf("hi\n"); } ==> write probe begin
END { print(@x); } ==> write probe end
kprobe:vfs_read { @[comm] = count(); } ==> write probe kernel.function("vfs_read")
kprobe:vfs_* { @[func] = count(); } ==> write probe kernel.function("vfs_*")
kprobe:ext4:ext4_sync_file { } ==> write probe module("ext4").function("ext4_sync_file")
kretprobe:vfs_read { @bytes = hist(retval); } ==> write probe kernel.function("vfs_read").return
k:do_nanosleep { } ==> write probe kernel.function("do_nanosleep")
fentry:vfs_open { printf("%s\n", str(args.path)); } ==> write probe kernel.function("vfs_open")
kretfunc:vfs_open { } ==> write probe kernel.function("vfs_open").return
tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args->filename)); } ==> write probe syscall.openat
tracepoint:syscalls:sys_exit_read { @ = hist(args->ret); } ==> write probe syscall.read.return
tracepoint:raw_syscalls:sys_enter { @[comm] = count(); } ==> write probe syscall_any
tracepoint:block:block_rq_issue { @ = hist(args.bytes); } ==> write probe kernel.trace("block:block_rq_issue")
t:sched:sched_switch { @[kstack] = count(); } ==> write probe kernel.trace("sched:sched_switch")
rawtracepoint:sched_switch { } ==> write probe kernel.trace("sched_switch")
uprobe:/bin/bash:readline { } ==> write probe process("/bin/bash").function("readline")
uretprobe:/bin/bash:readline { printf("%s\n", str(retval)); } ==> write probe process("/bin/bash").function("readline").return
usdt:/usr/lib/libc.so.6:setjmp { } ==> write probe process("/usr/lib/libc.so.6").mark("setjmp")
usdt:/usr/sbin/mysqld:mysql:query__start { } ==> write probe process("/usr/sbin/mysqld").provider("mysql").mark("query__start")
interval:s:1 { print(@x); clear(@x); } ==> write probe timer.s(1)
i:ms:100 { } ==> write probe timer.ms(100)
profile:hz:99 { @[kstack] = count(); } ==> write probe perf.sw.cpu_clock.hz(99)
software:page-faults:1 { @[comm] = count(); } ==> write probe perf.sw.page_faults.sample(1)
watchpoint:0x10000000:8:w { printf("hit\n"); } ==> write probe kernel.data(0x10000000).length(8).write
probe kprobe:vfs_read { } ==> write probe kernel.function("vfs_read")
probe tracepoint:sched:sched_switch { } ==> write probe kernel.trace("sched:sched_switch")
probe BEGIN { } ==> did you mean 'begin'?
probe begin { } END { } ==> write probe end
p:vfs_read ==> write probe kernel.function("vfs_read")
r:vfs_read ==> write probe kernel.function("vfs_read").return
p:opens do_sys_openat2 ==> write probe kernel.function("do_sys_openat2")
## bpftrace: maps
probe begin { @x[comm] = count() } ==> write x[comm]++, with 'global x' before the probes
probe begin { @[comm, pid] = count() } ==> write hits[comm, pid]++, with 'global hits' before the probes
probe begin { @ = count() } ==> write hits++, with 'global hits' before the probes
probe begin { @bytes = hist(4) } ==> write bytes <<< 4, with 'global bytes' before the probes, and @hist_log(bytes) to print it
probe begin { @b[pid()] = lhist(4, 0, 100, 10) } ==> write b[pid()] <<< 4, with 'global b' before the probes, and @hist_linear(b[pid()], 0, 100, 10) to print it
probe begin { @ = hist(5) } ==> write values <<< 5, with 'global values' before the probes, and @hist_log(values) to print it
probe begin { @x = sum(5) } ==> write x <<< 5, with 'global x' before the probes, and @sum(x) to read it
probe begin { @x = stats(5) } ==> write x <<< 5, with 'global x' before the probes; @count, @sum and @avg read it
probe begin { @start[tid()] = 1 } ==> write start[tid()], with 'global start' before the probes
probe begin { @x++ } ==> write x, with 'global x' before the probes
probe begin { print(@total) } ==> write total, with 'global total' before the probes
probe begin { zero(hits) } ==> write delete hits
## bpftrace: words
probe begin { println(comm) } ==> write execname()
probe begin { println(nsecs) } ==> write gettimeofday_ns()
probe begin { println(ustack) } ==> write print_ubacktrace() or ubacktrace()
probe begin { println(probe) } ==> write pn() for the name of the probe point, or ppfunc() for that of the function
probe begin { cat("/proc/loadavg") } ==> write system("cat FILE")
probe begin { signal("KILL") } ==> write raise(NUMBER), with -g
probe begin { println(kstack) } ==> write print_backtrace() or backtrace()
probe begin { println(arg0) } ==> write $NAME of the parameter, or ulong_arg(1)
probe begin { println(args.filename) } ==> write $filename
probe begin { println(args->ret) } ==> write $ret
probe begin { println(str(1)) } ==> write user_string(pointer) or kernel_string(pointer)
probe begin { println(retval) } ==> write $return in a .return probe, or returnval()
probe begin { println(curtask->pid) } ==> write @cast(task_current(), "struct task_struct")->pid
probe begin { $x = 1 } ==> they exist in probes on functions; a variable of the script has no '$'
probe begin { println(cgroup) } ==> write @cast(task_current(), "struct task_struct")->cgroups->dfl_cgrp->kn->id
probe begin { unroll(5) { println(1) } } ==> write for (i = 0; i < n; i++) { ... }
probe begin { clear(x) } ==> write delete x
## DTrace
syscall::open:entry { trace(execname); } ==> write probe syscall.open
syscall::read:return { @[execname] = quantize(arg0); } ==> write probe syscall.read.return
syscall:::entry { @[execname] = count(); } ==> write probe syscall_any
fbt::vfs_read:entry { self->ts = timestamp; } ==> write probe kernel.function("vfs_read")
fbt::vfs_read:return /self->ts/ { } ==> write probe kernel.function("vfs_read").return
pid123:libc:malloc:entry { } ==> write probe process(123).library("libc").function("malloc")
dtrace:::BEGIN { } ==> write probe begin
tick-5s { printa(@x); } ==> write probe timer.s(5)
profile-997 { @[stack()] = count(); } ==> write probe perf.sw.cpu_clock.hz(997)
io:::start { } ==> write probe ioblock.request
sched:::off-cpu { } ==> write probe scheduler.cpu_off
probe begin { self->ts = 1 } ==> write ts[tid()], with 'global ts' before the probes
probe begin { this->n = 1 } ==> write n
probe begin { stack() } ==> write print_backtrace() or backtrace()
probe begin { ustack() } ==> write print_ubacktrace() or ubacktrace()
probe begin { trace(pid()) } ==> write println(value)
## C
int x = 1; probe begin { } ==> write global x
unsigned long total; probe begin { } ==> write global total
static int x; ==> write global x
const int x = 5 ==> write global x
probe begin { goto out; } ==> write if or while: there are no labels; next leaves the handler
probe begin { memcpy(a, b, 5) } ==> write a = b for strings, and one assignment for each element of an array
probe begin { while 1 { } } ==> write while (1)
probe begin { if (1) { } else if { } } ==> write else { ... }, or else if (condition) { ... }
probe begin { x = (1, 2) } ==> a variable has one value: assign each to one of its own
probe begin { toupper("a") } ==> write a table of your own: no function of the library changes case
void f(int a) { } ==> write function f(...)
#include <linux/sched.h> ==> '#' begins a comment; types come from the debugging information: @cast(pointer, "struct NAME")
#define MAX 5 ==> write @define MAX %( 5 %), and @MAX where it is used; '#' begins a comment
struct point { int x; } ==> @cast(pointer, "struct point") takes the structure from the debugging information
function f(int a) { return a } ==> a parameter has no declared type as in C: its name alone, or name:long or name:string
probe begin { int x = 1 } ==> write x = ...; variables have no declared type
probe begin { char *p = 0 } ==> write p = ...; variables have no declared type
probe begin { for (int i = 0; i < 3; i++) println(i) } ==> write for (i = ...; variables have no declared type
probe begin { x = *p } ==> write kernel_long(p), or user_long(p) for memory of a program
probe begin { x = *$p } ==> write $p[0] for what it points to
probe begin { x = sizeof(struct task_struct) } ==> write @cast_sizeof("struct task_struct")
probe begin { x = ((struct task_struct *)p)->pid } ==> write @cast(p, "struct task_struct")->pid
probe begin { x = (int)pid() } ==> write the value without a cast, or @cast(pointer, "struct NAME") for a structure
probe begin { switch (x) { case 1: break; } } ==> write if (x == ...) ... else if (x == ...) ...
probe begin { do { x++ } while (x < 3) } ==> write while (...) { ... }, after one copy of the body where it must run once
probe begin { printf('hi\n') } ==> write "hi\n" for a string, or the character's number
probe begin { println("abc"[0]) } ==> substr(text, start, length) is a part of a string
probe begin { x = 'a' } ==> write "a" for a string, or the character's number
probe begin { x = {1, 2} } ==> write x[key] = value for each element, with 'global x' before the probes
probe begin { println(1.5) } ==> numbers are whole: count in a smaller unit, such as ms or bytes
probe begin { println(NULL) } ==> write 0
probe begin { if (strcmp("a", "b") == 0) exit() } ==> write a == b
probe begin { println("a" + "b") } ==> strings are joined with '.'; sprint(number) makes a string of a number
probe begin { println("a" + 1) } ==> strings are joined with '.'; sprint(number) makes a string of a number
probe begin { printf("%s\n", pid()) } ==> write %d for a number
## shell, awk, Python and others
probe begin { x = `date` } ==> write @1, and pass the text to the script: ktap -e SCRIPT "$(date)"; system("date") starts the command without its output
probe begin { getline x } ==> write probe procfs("NAME").write { x = $value }, for what is written to a file
def f(x) { return x } ==> write function f(...)
import os ==> the functions of the library are always there
let x = 1 ==> write global x
x = 5 ==> write global x before the probes, and this statement in a probe
printf("hi\n") ==> write it in a probe: probe begin { ... }
if (1) println(1) ==> write it in a probe: probe begin { ... }
/foo/ { print } ==> a probe point comes first: probe kernel.function("NAME") { if (...) ... }
probe begin { print "x" } ==> write print("x")
probe begin { printf "x" } ==> write printf("x")
probe begin { if x == 1 { exit() } } ==> write if (x == 1)
probe begin { for (k in a) println(k) } ==> write foreach (k in a)
probe begin { foreach (k : a) println(k) } ==> write foreach (k in a)
probe begin { foreach (k, v in a) println(k) } ==> write foreach ([k, v] in a) for two keys, or foreach (v = k in a) for key and value
probe begin { if (0) exit() elif (1) exit() } ==> write else if (...)
probe begin { unless (0) exit() } ==> write if (!(...))
probe begin { println(true and false) } ==> write &&
probe begin { if (1 and 2) exit() } ==> write &&
probe begin { if (not 1) exit() } ==> write !1
hello ==> a script consists of probes, such as: probe begin { println("hello") exit() }
print "hello" ==> write it in a probe: probe begin { println("hello") }
probe begin { foreach (x in [1, 2]) println(x) } ==> foreach goes over the keys of a global array: foreach (x in array)
probe begin { for (i in 1..5) println(i) } ==> write for (i = 1; i <= 5; i++) { ... }
probe begin { x = a ?: b } ==> write a ? a : b
probe begin { if (execname() ~ "sh") exit() } ==> =~ matches a regular expression, !~ does not: =~ "sh"
probe begin { if (execname() =~ /sh/) exit() } ==> a regular expression is a string: =~ "sh"
probe begin { println(f"x") } ==> write sprintf("format", values)
probe begin { try { exit() } except (e) { } } ==> write catch (e)
probe begin { println(time()) } ==> write gettimeofday_s()
probe begin { x := 1 } ==> write x = ...
probe begin { x = 2 ** 8 } ==> write 1 << n for a power of 2, or multiply; there is no operator for powers
probe begin { x => 1 } ==> write x >= ... to compare, or x = ... to assign
probe begin { println(a ? b) } ==> write a ? b : OTHER
probe begin { x = 1_000_000 } ==> write the number without '_'
probe begin { int("5") } ==> write strtol(string, 10) for a string; numbers are whole
probe begin { x = lambda y: y } ==> write function NAME(x) { return ... } before the probes
probe begin { println("a".upper()) } ==> write a table of your own: no function of the library changes case
probe begin { println(f(1)) } ==> functions are declared in the script or in a tapset directory (-I)
probe begin { if (1 <> 2) exit() } ==> write 1 != 2
probe begin { let x = 1 } ==> write x = ...
probe begin { whlie (1) { } } ==> did you mean 'while'?
## SystemTap and perf
kernel.function("vfs_read") { println(1) } ==> write probe kernel.function("vfs_read")
timer.s(1) { exit() } ==> write probe timer.s(1)
begin { exit() } ==> write probe begin
vfs_read { println(1) } ==> write probe kernel.function("vfs_read")
probe vfs_read { println(1) } ==> write probe kernel.function("vfs_read")
vfs_read+4 { } ==> write probe kernel.statement("vfs_read@FILE:LINE")
probe begin { return } ==> 'next' leaves a probe
probe begin { println("x" ==> this '(' is not closed
probe begin { println(pp() } ==> this '(' is not closed
probe begin { } } ==> it closes nothing: a '{' is missing before it, or this '}' is one too many
probe begin { println(1) probe end { println(2) } ==> this '{' is not closed
probe begin { println(1) }; ==> no ';' stands between definitions
probe kernel.function(vfs_read) { } ==> write function("vfs_read")
probe timer.5s { } ==> write timer.s(5)
probe timer.s(1.5) { } ==> write timer.ms(N); numbers are whole
probe timer.s("1") { } ==> write timer.s(1)
probe timer.100msec { } ==> write timer.ms(100)
probe syscall("open") { } ==> write syscall.open
probe begin { global x = 1 } ==> globals are declared before the probes, not in one
global x = pid() probe begin { } ==> a global begins with a number or a string: 'global x' alone, and x = ... in probe begin
global a[] probe begin { } ==> write global a; an array needs no size
probe begin { if (pid() = 1) exit() } ==> '==' compares, '=' assigns
probe begin { if (execname() = "sh") exit() } ==> '==' compares, '=' assigns
probe begin { if (execname()) exit() } ==> compare it: ... != ""
probe begin { println("pid " . pid()) } ==> sprint(number) makes a string of a number
probe begin { println("3" * 4) } ==> strtol(text, 10) makes a number of a string
probe begin { printf("%d\n") } ==> each directive takes a value after the format: printf("%d", value); %% prints a '%'
probe begin { printf("%d\n", 1, 2) } ==> each value takes a directive in the format: %d for a number, %s for a string
probe begin { substr("hello", 1) } ==> write substr(str, start, length)
function f(a) { return a } probe begin { println(f()) } ==> write f(a)
probe timer.ms { } ==> write timer.ms(N)
probe timer.profile(99) { } ==> write timer.profile
probe kernel.function { } ==> write kernel.function("NAME")
probe begin() { } ==> a point without an argument has no parentheses: probe begin
probe "begin" { } ==> write probe begin
probe begin println(1) ==> a handler stands in braces: probe begin { println(1) }
probe begin: { } ==> no colon stands before the handler: probe begin { ... }
global x probe begin { x <<< 1 println(@count) } ==> write @count(statistic)
probe begin { printf("%d\n", execname()) } ==> write %s for a string
probe begin { println("a"), println("b") } ==> ';' or nothing stands between statements
probe begin { sleep(1) } ==> write a probe of timer.s(1): a handler cannot wait
global x probe begin { x <<< 1 println(@median(x)) } ==> write @p50(x)
global x probe begin { x <<< 1 println(@mean(x)) } ==> write @avg(x)
probe begin { if (1) { println(1) } ==> this '{' is not closed
ROWS
test "$rows" -ge 196 || fail "only $rows rows were read"

# The filter of a foreign probe, beside the probe.
ktap -p2 -e 'kprobe:vfs_read /pid == 1/ { @[comm] = count(); }'
refused syntax
said 'note: write probe kernel.function("vfs_read")'
said 'note: write if (!(pid == 1)) next as the first statement of the probe'
ktap -p2 -e 'probe begin /pid() == 1/ { }'
refused syntax
said 'note: write if (!(pid() == 1)) next as the first statement of the probe'

# All of an array is no value: bpftrace prints it.
ktap -p2 -e 'global hits probe begin { hits[1, 2]++ print(hits) }'
refused arity
said 'note: foreach (\[k1, k2\] in hits) goes over its elements; an array that the script only writes is printed at the end'
