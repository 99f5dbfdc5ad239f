#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whoever writes the language of another tool is told what to write here, with their own words, by the first error.
# A row is a script, " ==> ", and the text of the first note. After another " ==> " stands the script as a reader of the note
# has it then, which is accepted. Where the note is "write probe POINT", that is the script.
. "$SRCDIR/testsuite/lib/sh.sh"

kernel=$(kernels)
kernel=${kernel%% *}

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
}

# What the note led to. What names a program, a process or a module of another machine is only parsed.
followed()
{
	pass=-p2
	case $1 in *'process('*|*module\(*|*process.data*) pass=-p1 ;; esac
	if test -n "$kernel"; then
		ktap -r "$kernel" -g "$pass" -e "$1"
	else
		ktap -p1 -e "$1"
	fi
	test "$status" = 0 || fail "what the note led to is refused: $1"
	followed=$((followed + 1))
}

rows=0
followed=0
while IFS= read -r row; do
	case $row in ''|'## '*) continue ;; esac
	script=${row%% ==> *} note=${row#* ==> }
	mended=
	case $note in
	*' ==> '*) mended=${note#* ==> } note=${note%% ==> *} ;;
	*NAME*|*FILE*|*PATH*|*PROGRAM*|*' and -c'*) ;;
	'write probe '*) mended="${note#write } { }" ;;
	esac
	check "$script" "$note"
	test -z "$mended" || followed "$mended"
done <<'ROWS'
## Rust
probe begin { for i in 0..5 { println(i) } exit() } ==> write for (i = 0; i < 5; i++) { ... } ==> probe begin { for (i = 0; i < 5; i++) { println(i) } exit() }
probe begin { for i in 1..=n { println(i) } } ==> write for (i = 1; i <= n; i++) { ... } ==> probe begin { n = 3; for (i = 1; i <= n; i++) { println(i) } }
probe begin { match pid() { 1 => println("a") } } ==> write if (pid() == ...) ... else if (pid() == ...) ... ==> probe begin { if (pid() == 1) println("a") }
probe begin { if let Some(x) = pid() { exit() } } ==> write if (pid()) ...; there are no patterns ==> probe begin { if (pid()) { exit() } }
probe begin { x: i64 = 5; println(x) } ==> write x = 5; variables have no declared type ==> probe begin { x = 5; println(x) }
probe begin { println(pid() as u64) } ==> write pid(); all numbers have 64 bits ==> probe begin { println(pid()) }
probe begin { println!("{}", 5); exit() } ==> write println(value), or printf("%d %s\n", number, string) ==> probe begin { println(5); exit() }
probe begin { let mut x = 5; println(x) exit() } ==> write x = ... ==> probe begin { x = 5; println(x) exit() }
## typeset pages
probe begin { println(“hello”) exit() } ==> write "hello": the quotes are a typeset page's ==> probe begin { println("hello") exit() }
probe begin { exit() } ==> it is the blank of a typeset page: type a plain one ==> probe begin { exit() }
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
watchpoint:0x10000000:8:w { printf("hit\n"); } ==> write probe process.data(0x10000000).length(8).write
probe kprobe:vfs_read { } ==> write probe kernel.function("vfs_read")
probe tracepoint:sched:sched_switch { } ==> write probe kernel.trace("sched:sched_switch")
probe BEGIN { } ==> did you mean 'begin'? ==> probe begin { }
probe begin { } END { } ==> write probe end
p:vfs_read ==> write probe kernel.function("vfs_read")
r:vfs_read ==> write probe kernel.function("vfs_read").return
p:opens do_sys_openat2 ==> write probe kernel.function("do_sys_openat2")
## bpftrace: maps
probe begin { @x[comm] = count() } ==> write x[execname()]++, with 'global x' before the probes ==> global x probe begin { x[execname()]++ }
probe begin { @[comm, pid] = count() } ==> write hits[execname(), pid()]++, with 'global hits' before the probes ==> global hits probe begin { hits[execname(), pid()]++ }
probe begin { @ = count() } ==> write hits++, with 'global hits' before the probes ==> global hits probe begin { hits++ }
probe begin { @bytes = hist(4) } ==> write bytes <<< 4, with 'global bytes' before the probes, and @hist_log(bytes) to print it ==> global bytes probe begin { bytes <<< 4 } probe end { print(@hist_log(bytes)) }
probe begin { @b[pid()] = lhist(4, 0, 100, 10) } ==> write b[pid()] <<< 4, with 'global b' before the probes, and @hist_linear(b[pid()], 0, 100, 10) to print it ==> global b probe begin { b[pid()] <<< 4 print(@hist_linear(b[pid()], 0, 100, 10)) }
probe begin { @ = hist(5) } ==> write values <<< 5, with 'global values' before the probes, and @hist_log(values) to print it ==> global values probe begin { values <<< 5 print(@hist_log(values)) }
probe begin { @x = sum(5) } ==> write x <<< 5, with 'global x' before the probes, and @sum(x) to read it ==> global x probe begin { x <<< 5 println(@sum(x)) }
probe begin { @x = stats(5) } ==> write x <<< 5, with 'global x' before the probes; @count, @sum and @avg read it ==> global x probe begin { x <<< 5 println(@count(x), @sum(x), @avg(x)) }
probe begin { @start[tid()] = 1 } ==> write start[tid()], with 'global start' before the probes ==> global start probe begin { start[tid()] = 1 }
probe begin { @x++ } ==> write x, with 'global x' before the probes ==> global x probe begin { x++ }
probe begin { print(@total) } ==> write total, with 'global total' before the probes ==> global total probe begin { total = 1 print(total) }
probe begin { zero(hits) } ==> write delete hits ==> global hits probe begin { hits[1]++ delete hits }
## bpftrace: words
probe begin { println(comm) } ==> write execname() ==> probe begin { println(execname()) }
probe begin { println(nsecs) } ==> write gettimeofday_ns() ==> probe begin { println(gettimeofday_ns()) }
probe begin { println(ustack) } ==> write print_ubacktrace() or ubacktrace() ==> probe kernel.function("vfs_read") { print_ubacktrace() println(ubacktrace()) }
probe begin { println(probe) } ==> write pn() for the name of the probe point, or ppfunc() for that of the function ==> probe begin { println(pn()) println(ppfunc()) }
probe begin { cat("/proc/loadavg") } ==> write system("cat /proc/loadavg") ==> probe begin { system("cat /proc/loadavg") }
probe begin { signal("KILL") } ==> write raise(NUMBER), with -g; kill -l KILL prints the number
probe begin { println(kstack) } ==> write print_backtrace() or backtrace() ==> probe kernel.function("vfs_read") { print_backtrace() println(backtrace()) }
probe begin { println(arg0) } ==> write $NAME of the parameter, or ulong_arg(1) ==> probe kernel.function("vfs_read") { println($count, ulong_arg(1)) }
probe begin { println(args.filename) } ==> write $filename ==> probe kernel.function("do_sys_openat2") { println($filename) }
probe begin { println(args->ret) } ==> write $ret ==> probe kernel.trace("sys_exit") { println($ret) }
probe begin { println(str(1)) } ==> write sprint(1) ==> probe begin { println(sprint(1)) }
probe syscall.openat { println(str(args->filename)) } ==> write user_string($filename), or kernel_string($filename) where it points to memory of the kernel ==> probe syscall.openat { println(user_string($filename)) }
probe begin { println(str(x)) } ==> write user_string(x), or kernel_string(x) where it points to memory of the kernel ==> probe begin { x = 5 println(user_string(x)) }
kfree_skb ==> write probe kernel.function("kfree_skb") { println($$parms) } ==> probe kernel.function("vfs_read") { println($$parms) }
probe begin { println(current->mm->total_vm) } ==> write @cast(task_current(), "struct task_struct")->mm->total_vm ==> probe begin { println(@cast(task_current(), "struct task_struct")->mm->total_vm) }
probe begin { println(retval) } ==> write $return in a .return probe, or returnval() ==> probe kernel.function("vfs_read").return { println($return, returnval()) }
probe begin { println(curtask->pid) } ==> write @cast(task_current(), "struct task_struct")->pid ==> probe begin { println(@cast(task_current(), "struct task_struct")->pid) }
probe begin { $x = 1 } ==> they exist in probes on functions; a variable of the script has no '$' ==> probe begin { x = 1 }
probe begin { println(cgroup) } ==> write @cast(task_current(), "struct task_struct")->cgroups->dfl_cgrp->kn->id ==> probe begin { println(@cast(task_current(), "struct task_struct")->cgroups->dfl_cgrp->kn->id) }
probe begin { unroll(5) { println(1) } } ==> write for (i = 0; i < n; i++) { ... } ==> probe begin { for (i = 0; i < 5; i++) { println(1) } }
probe begin { clear(x) } ==> write delete x ==> global x probe begin { x[1]++ delete x }
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
probe begin { self->ts = 1 } ==> write ts[tid()], with 'global ts' before the probes ==> global ts probe begin { ts[tid()] = 1 }
probe begin { this->n = 1 } ==> write n ==> probe begin { n = 1 }
probe begin { stack() } ==> write print_backtrace() or backtrace() ==> probe kernel.function("vfs_read") { print_backtrace() }
probe begin { ustack() } ==> write print_ubacktrace() or ubacktrace() ==> probe kernel.function("vfs_read") { print_ubacktrace() }
probe begin { trace(pid()) } ==> write println(pid()) ==> probe begin { println(pid()) }
## C
int x = 1; probe begin { } ==> write global x ==> global x = 1; probe begin { println(x) }
unsigned long total; probe begin { } ==> write global total ==> global total; probe begin { total++ }
static int x; ==> write global x ==> global x; probe begin { x++ }
const int x = 5 ==> write global x ==> global x = 5 probe begin { println(x) }
probe begin { goto out; } ==> write if or while: there are no labels; next leaves the handler ==> probe begin { if (pid()) next; println(1) }
probe begin { memcpy(a, b, 5) } ==> write a = b for strings, and one assignment for each element of an array
probe begin { while 1 { } } ==> write while (1) ==> probe begin { while (1) { } }
probe begin { if (1) { } else if { } } ==> write else { ... }, or else if (condition) { ... } ==> probe begin { if (1) { } else { } }
probe begin { x = (1, 2) } ==> a variable holds one value: assign each value to a variable ==> probe begin { x = 1 y = 2 println(x, y) }
probe begin { toupper("a") } ==> no function changes case; tr does it with the output: ktap ... | tr a-z A-Z
void f(int a) { } ==> write function f(...) ==> function f(a) { println(a) } probe begin { f(1) }
#include <linux/sched.h> ==> '#' begins a comment; types come from the debugging information: @cast(pointer, "struct NAME") ==> probe kernel.function("vfs_read") { println(@cast($file, "struct file")->f_flags) }
#define MAX 5 ==> write @define MAX %( 5 %), and @MAX where it is used; '#' begins a comment ==> @define MAX %( 5 %) probe begin { println(@MAX) }
struct point { int x; } ==> @cast(pointer, "struct point") takes the structure from the debugging information ==> probe kernel.function("vfs_read") { println(@cast($file, "struct file")->f_flags) }
function f(int a) { return a } ==> a parameter has no declared type as in C: its name alone, or name:long or name:string ==> function f(a:long) { return a } probe begin { println(f(1)) }
probe begin { int x = 1 } ==> write x = ...; variables have no declared type ==> probe begin { x = 1 }
probe begin { char *p = 0 } ==> write p = ...; variables have no declared type ==> probe begin { p = 0 }
probe begin { for (int i = 0; i < 3; i++) println(i) } ==> write for (i = ...; variables have no declared type ==> probe begin { for (i = 0; i < 3; i++) println(i) }
probe begin { x = *p } ==> write kernel_long(p), or user_long(p) for memory of a program ==> probe kernel.function("vfs_read") { p = $file println(kernel_long(p), user_long($buf)) }
probe begin { x = *$p } ==> write $p[0] for what it points to ==> probe kernel.function("vfs_read") { println($pos[0]) }
probe begin { x = sizeof(struct task_struct) } ==> write @cast_sizeof("struct task_struct") ==> probe begin { println(@cast_sizeof("struct task_struct")) }
probe begin { x = ((struct task_struct *)p)->pid } ==> write @cast(p, "struct task_struct")->pid ==> probe begin { p = task_current() println(@cast(p, "struct task_struct")->pid) }
probe begin { x = (int)pid() } ==> write the value without a cast, or @cast(pointer, "struct NAME") for a structure ==> probe begin { x = pid() }
probe begin { switch (x) { case 1: break; } } ==> write if (x == ...) ... else if (x == ...) ... ==> probe begin { x = 1 if (x == 1) println(1) else if (x == 2) println(2) }
probe begin { do { x++ } while (x < 3) } ==> write while (...) { ... }, after one copy of the body where it must run once ==> probe begin { x++ while (x < 3) { x++ } }
probe begin { printf('hi\n') } ==> write "hi\n" for a string, or the character's number ==> probe begin { printf("hi\n") }
probe begin { println("abc"[0]) } ==> substr(text, start, length) is a part of a string ==> probe begin { println(substr("abc", 0, 1)) }
probe begin { x = 'a' } ==> write "a" for a string, or the character's number ==> probe begin { x = "a" println(x) }
probe begin { x = {1, 2} } ==> write x[key] = value for each element, with 'global x' before the probes ==> global x probe begin { x[0] = 1 x[1] = 2 }
probe begin { println(1.5) } ==> numbers are whole: count in a smaller unit, such as ms or bytes
probe begin { println(null) } ==> write 0 ==> probe begin { println(0) }
probe begin { if (strcmp("a", "b") == 0) exit() } ==> write "a" == "b", which is 1 where they are equal ==> probe begin { if ("a" == "b") exit() }
probe begin { println("a" + "b") } ==> strings are joined with '.'; sprint(number) makes a string of a number ==> probe begin { println("a" . "b") }
probe begin { println("a" + 1) } ==> strings are joined with '.'; sprint(number) makes a string of a number ==> probe begin { println("a" . sprint(1)) }
probe begin { printf("%s\n", pid()) } ==> write %d for a number ==> probe begin { printf("%d\n", pid()) }
## shell, awk, Python and others
probe begin { x = `date` } ==> write @1, and pass the text to the script: ktap -e SCRIPT "$(date)"; system("date") starts the command without its output ==> probe begin { system("date") }
probe begin { getline x } ==> write probe procfs("NAME").write { x = $value }, for what is written to a file ==> global x probe procfs("in").write { x = $value }
def f(x) { return x } ==> write function f(...) ==> function f(x) { return x } probe begin { println(f(1)) }
import os ==> leave it out: all functions of the library are available
let x = 1 ==> write global x ==> global x = 1 probe begin { println(x) }
x = 5 ==> write global x before the probes, and this statement in a probe ==> global x probe begin { x = 5 }
printf("hi\n") ==> write it in a probe: probe begin { ... } ==> probe begin { printf("hi\n") }
if (1) println(1) ==> write it in a probe: probe begin { ... } ==> probe begin { if (1) println(1) }
/foo/ { print } ==> a probe point comes first: probe kernel.function("NAME") { if (...) ... } ==> probe kernel.function("vfs_read") { if (execname() =~ "foo") println(1) }
probe begin { print "x" } ==> write print("x") ==> probe begin { print("x") }
probe begin { printf "x" } ==> write printf("x") ==> probe begin { printf("x") }
probe begin { if x == 1 { exit() } } ==> write if (x == 1) ==> probe begin { x = 1 if (x == 1) { exit() } }
probe begin { for (k in a) println(k) } ==> write foreach (k in a) ==> global a probe begin { a[1]++ foreach (k in a) println(k) }
probe begin { foreach (k : a) println(k) } ==> write foreach (k in a) ==> global a probe begin { a[1]++ foreach (k in a) println(k) }
probe begin { foreach (k, v in a) println(k) } ==> write foreach ([k, v] in a) for two keys, or foreach (v = k in a) for key and value ==> global a probe begin { a[1]++ foreach (v = k in a) println(k, v) }
probe begin { if (0) exit() elif (1) exit() } ==> write else if (...) ==> probe begin { if (0) exit() else if (1) exit() }
probe begin { unless (0) exit() } ==> write if (!(...)) ==> probe begin { if (!(0)) exit() }
probe begin { println(true and false) } ==> write && ==> probe begin { println(1 && 0) }
probe begin { if (1 and 2) exit() } ==> write && ==> probe begin { if (1 && 2) exit() }
probe begin { if (not 1) exit() } ==> write !1 ==> probe begin { if (!1) exit() }
hello ==> a script consists of probes, such as: probe begin { println("hello") exit() } ==> probe begin { println("hello") exit() }
print "hello" ==> write it in a probe: probe begin { println("hello") } ==> probe begin { println("hello") }
probe begin { foreach (x in [1, 2]) println(x) } ==> foreach goes over the keys of a global array: foreach (x in array) ==> global array probe begin { array[1]++ foreach (x in array) println(x) }
probe begin { for (i in 1..5) println(i) } ==> write for (i = 1; i <= 5; i++) { ... } ==> probe begin { for (i = 1; i <= 5; i++) { println(i) } }
probe begin { x = a ?: b } ==> write a ? a : b ==> probe begin { a = 1 b = 2 x = a ? a : b println(x) }
probe begin { if (execname() ~ "sh") exit() } ==> =~ matches a regular expression, !~ does not: =~ "sh" ==> probe begin { if (execname() =~ "sh") exit() }
probe begin { if (execname() =~ /sh/) exit() } ==> a regular expression is a string: =~ "sh" ==> probe begin { if (execname() =~ "sh") exit() }
probe begin { println(f"x") } ==> write sprintf("format", values) ==> probe begin { println(sprintf("%d", pid())) }
probe begin { try { exit() } except (e) { } } ==> write catch (e) ==> probe begin { try { exit() } catch (e) { } }
probe begin { println(time()) } ==> write gettimeofday_s() ==> probe begin { println(gettimeofday_s()) }
probe begin { x := 1 } ==> write x = ... ==> probe begin { x = 1 }
probe begin { x = 2 ** 8 } ==> write 1 << n for a power of 2, or multiply; there is no operator for powers ==> probe begin { x = 1 << 8 }
probe begin { x => 1 } ==> write x >= ... to compare, or x = ... to assign ==> probe begin { x = 5 println(x >= 1) }
probe begin { println(a ? b) } ==> write a ? b : OTHER ==> probe begin { println(pid() ? 1 : 2) }
probe begin { x = 1_000_000 } ==> write the number without '_' ==> probe begin { x = 1000000 }
probe begin { int("5") } ==> write strtol("5", 10) ==> probe begin { println(strtol("5", 10)) }
probe begin { x = lambda y: y } ==> write function NAME(x) { return ... } before the probes ==> function f(x) { return x } probe begin { println(f(1)) }
probe begin { println("a".upper()) } ==> no function changes case; tr does it with the output: ktap ... | tr a-z A-Z
probe begin { println(f(1)) } ==> declare it in the script, or look for one in the library: ktap help functions
probe begin { if (1 <> 2) exit() } ==> write 1 != 2 ==> probe begin { if (1 != 2) exit() }
probe begin { let x = 1 } ==> write x = ... ==> probe begin { x = 1 }
probe begin { whlie (1) { } } ==> did you mean 'while'? ==> probe begin { while (1) { } }
## SystemTap and perf
kernel.function("vfs_read") { println(1) } ==> write probe kernel.function("vfs_read")
timer.s(1) { exit() } ==> write probe timer.s(1)
begin { exit() } ==> write probe begin
vfs_read { println(1) } ==> write probe kernel.function("vfs_read")
probe vfs_read { println(1) } ==> write probe kernel.function("vfs_read")
vfs_read+4 { } ==> write probe kernel.statement("vfs_read@FILE:LINE"); ktap -l 'kernel.statement("vfs_read@*:*")' lists them
probe begin { return } ==> 'next' leaves a probe ==> probe begin { next }
probe begin { println("x" ==> this '(' is not closed
probe begin { println(pp() } ==> this '(' is not closed
probe begin { } } ==> it closes nothing: a '{' is missing before it, or this '}' is one too many
probe begin { println(1) probe end { println(2) } ==> this '{' is not closed
probe begin { println(1) }; ==> no ';' stands between definitions ==> probe begin { println(1) }
probe kernel.function(vfs_read) { } ==> write function("vfs_read") ==> probe kernel.function("vfs_read") { }
probe timer.5s { } ==> write timer.s(5) ==> probe timer.s(5) { }
probe timer.s(1.5) { } ==> numbers are whole: count in a smaller unit, such as ms or bytes ==> probe timer.ms(1500) { }
probe timer.s("1") { } ==> write timer.s(1) ==> probe timer.s(1) { }
probe timer.100msec { } ==> write timer.ms(100) ==> probe timer.ms(100) { }
probe syscall("open") { } ==> write syscall.open ==> probe syscall.open { }
probe begin { global x = 1 } ==> globals are declared before the probes, not in one ==> global x = 1 probe begin { println(x) }
global x = pid() probe begin { } ==> a global begins with a number or a string: 'global x' alone, and x = ... in probe begin ==> global x probe begin { x = pid() }
global a[] probe begin { } ==> write global a; an array needs no size ==> global a probe begin { a[1]++ }
probe begin { if (pid() = 1) exit() } ==> '==' compares, '=' assigns ==> probe begin { if (pid() == 1) exit() }
probe begin { if (execname() = "sh") exit() } ==> '==' compares, '=' assigns ==> probe begin { if (execname() == "sh") exit() }
probe begin { if (execname()) exit() } ==> compare it: ... != "" ==> probe begin { if (execname() != "") exit() }
probe begin { println("pid " . pid()) } ==> sprint(number) makes a string of a number ==> probe begin { println("pid " . sprint(pid())) }
probe begin { println("3" * 4) } ==> strtol(text, 10) makes a number of a string ==> probe begin { println(strtol("3", 10) * 4) }
probe begin { printf("%d\n") } ==> each directive takes a value after the format: printf("%d", value); %% prints a '%'
probe begin { printf("%d\n", 1, 2) } ==> each value takes a directive in the format: %d for a number, %s for a string
probe begin { substr("hello", 1) } ==> write substr(str, start, length) ==> probe begin { println(substr("hello", 1, 4)) }
function f(a) { return a } probe begin { println(f()) } ==> write f(a) ==> function f(a) { return a } probe begin { println(f(1)) }
probe timer.ms { } ==> write timer.ms(N) ==> probe timer.ms(5) { }
probe timer.profile(99) { } ==> write timer.profile ==> probe timer.profile { }
probe kernel.function { } ==> write kernel.function("NAME") ==> probe kernel.function("vfs_read") { }
probe begin() { } ==> a point without an argument has no parentheses: probe begin ==> probe begin { }
probe "begin" { } ==> write probe begin ==> probe begin { }
probe begin println(1) ==> a handler stands in braces: probe begin { println(1) } ==> probe begin { println(1) }
probe begin: { } ==> no colon stands before the handler: probe begin { ... } ==> probe begin { }
global x probe begin { x <<< 1 println(@count) } ==> write @count(statistic) ==> global x probe begin { x <<< 1 println(@count(x)) }
probe begin { printf("%d\n", execname()) } ==> write %s for a string ==> probe begin { printf("%s\n", execname()) }
probe begin { println("a"), println("b") } ==> ';' or nothing stands between statements ==> probe begin { println("a"); println("b") }
probe begin { sleep(1) } ==> write a probe of timer.s(1): a handler cannot wait ==> probe timer.s(1) { exit() }
global x probe begin { x <<< 1 println(@median(x)) } ==> write @p50(x) ==> global x probe begin { x <<< 1 println(@p50(x)) }
global x probe begin { x <<< 1 println(@mean(x)) } ==> write @avg(x) ==> global x probe begin { x <<< 1 println(@avg(x)) }
probe begin { if (1) { println(1) } ==> this '{' is not closed
## the same tools again: what was reported badly
$1 == "x" { print $2 } ==> there are no input lines: a probe point comes first, such as: probe syscall.openat { if (...) ... } ==> probe syscall.openat { if (filename == "x") println(1) }
NR > 1 { print } ==> there are no input lines: a probe point comes first, such as: probe syscall.openat { if (...) ... } ==> probe syscall.openat { if (pid() > 1) println(1) }
for i in range(5): print(i) ==> write it in a probe: probe begin { ... }
print("%d" % 5) ==> write it in a probe: probe begin { ... }
probe begin { for i in range(5) { println(i) } } ==> write for (i = 0; i < 5; i++) { ... } ==> probe begin { for (i = 0; i < 5; i++) { println(i) } }
probe begin { println("%d" % 5) } ==> write sprintf("%d", 5) ==> probe begin { println(sprintf("%d", 5)) }
probe begin { printf("%s\n" % execname()) } ==> write the format and its values with a comma between them: "%s\n", execname() ==> probe begin { printf("%s\n", execname()) }
probe begin { if ("a" in execname()) exit() } ==> write isinstr(execname(), "a") ==> probe begin { if (isinstr(execname(), "a")) exit() }
global a probe begin { if (1 not in a) exit() } ==> write !(1 in a) ==> global a probe begin { a[2]++ if (!(1 in a)) exit() }
global a = {} probe begin { } ==> write global a; it becomes an array where it is used as one ==> global a probe begin { a[1]++ }
probe begin { println("abc"[0:2]) } ==> write substr("abc", START, LENGTH) ==> probe begin { println(substr("abc", 0, 2)) }
probe begin { x = pid() if pid() else 0 } ==> write pid() ? pid() : 0 ==> probe begin { x = pid() ? pid() : 0 println(x) }
probe begin: print("x") ==> a handler stands in braces: probe begin { print("x") } ==> probe begin { print("x") }
const fs = require("fs") ==> leave it out: all functions of the library are available
function f(x) => x + 1 ==> write function f(x) { return x + 1 } ==> function f(x) { return x + 1 } probe begin { println(f(1)) }
console.log("x") ==> write it in a probe: probe begin { println("x") } ==> probe begin { println("x") }
probe begin { console.log("x") } ==> write println("x") ==> probe begin { println("x") }
probe begin { x = `a ${pid()}` } ==> write sprintf("format", values) ==> probe begin { println(sprintf("a %d", pid())) }
probe begin { if (pid() === 1) exit() } ==> write == ==> probe begin { if (pid() == 1) exit() }
probe begin { if (pid() !== 1) exit() } ==> write != ==> probe begin { if (pid() != 1) exit() }
probe begin { x = () => 1 } ==> write function NAME(x) { return ... } before the probes ==> function f() { return 1 } probe begin { println(f()) }
async function f() { } ==> write function f() ==> function f() { println(1) } probe begin { f() }
probe begin { for (const x of a) println(x) } ==> write foreach (x in a) ==> global a probe begin { a[1]++ foreach (x in a) println(x) }
probe begin { for (let i = 0; i < 5; i++) println(i) } ==> write for (i = ...; variables have no declared type ==> probe begin { for (i = 0; i < 5; i++) println(i) }
probe begin { println(parseInt("5")) } ==> write strtol("5", 10) ==> probe begin { println(strtol("5", 10)) }
probe begin { x = undefined println(x) } ==> write 0 ==> probe begin { x = 0 println(x) }
probe begin { unsigned long x = 1; println(x) } ==> write x = ...; variables have no declared type ==> probe begin { x = 1; println(x) }
probe begin { struct file *f = 0; println(f->f_flags) } ==> write f = 0, and @cast(f, "struct file")->MEMBER for a member ==> probe begin { f = 0 println(@cast(f, "struct file")->f_flags) }
probe begin { trace_printk("x %d\n", 1) } ==> write printf(format, ...) ==> probe begin { printf("x %d\n", 1) }
probe begin { printk("x") } ==> write printf(format, ...); printk(LEVEL, MESSAGE), with -g, writes to the kernel's log ==> probe begin { printf("x") }
probe begin { dump_stack() } ==> it changes what the probed program does
probe begin { println(5 / 2.0) } ==> numbers are whole: count in a smaller unit, such as ms or bytes ==> probe begin { println(5000 / 2) }
global x = 1.5 probe begin { } ==> numbers are whole: count in a smaller unit, such as ms or bytes ==> global x = 1500 probe begin { println(x) }
probe begin { println(127.0.0.1) } ==> write "127.0.0.1" for a string ==> probe begin { println("127.0.0.1") }
probe kprobe("vfs_read") { } ==> write kprobe.function("vfs_read") ==> probe kprobe.function("vfs_read") { }
probe tracepoint("sched:sched_switch") { } ==> write kernel.trace("sched:sched_switch") ==> probe kernel.trace("sched:sched_switch") { }
probe timer("1s") { } ==> write timer.s(1), or ms, us, ns ==> probe timer.s(1) { }
probe uprobe("/bin/bash", "readline") { } ==> write process("/bin/bash").function("readline") ==> probe process("/bin/bash").function("readline") { }
probe user.function("main") { } ==> write process("PROGRAM").function("main")
probe process.function("main") { } ==> add -c COMMAND or -x PID to the command line, or name the program: process("PATH")
sched:sched_switch ==> write probe kernel.trace("sched:sched_switch") ==> probe kernel.trace("sched:sched_switch") { }
syscalls:sys_enter_openat ==> write probe syscall.openat ==> probe syscall.openat { }
cycles ==> write probe perf.sw.NAME.sample(N) or perf.hw.NAME.sample(N); ktap -l 'perf.**' lists them
vfs_read count ==> write probe kernel.function("vfs_read") { println($$parms) } ==> probe kernel.function("vfs_read") { println($$parms) }
hist:keys=common_pid ==> write global hits before the probes, and hits[pid()]++ in a probe ==> global hits probe kernel.function("vfs_read") { hits[pid()]++ }
pid$target:libc:malloc:entry { } ==> write probe process.library("libc").function("malloc"), and -c or -x on the command line
profile:::tick-1sec { exit(0); } ==> write probe timer.s(1) ==> probe timer.s(1) { exit(0); }
probe end { printf("done\n"; } ==> this '(' is not closed ==> probe end { printf("done\n"); }
probe begin { if pid() == 1 exit() } ==> write if (CONDITION) STATEMENT ==> probe begin { if (pid() == 1) exit() }
probe begin { printf(pid()) } ==> print(value) and println(value) need no format ==> probe begin { println(pid()) }
probe begin { printd(1, 2) } ==> write printd(" ", ...) ==> probe begin { printd(" ", 1, 2) }
probe begin { println(now()) } ==> write gettimeofday_s() ==> probe begin { println(gettimeofday_s()) }
probe begin { println(date()) } ==> write ctime(gettimeofday_s()) ==> probe begin { println(ctime(gettimeofday_s())) }
probe begin { print_stack() } ==> write print_backtrace() ==> probe kernel.function("vfs_read") { print_backtrace() }
probe begin { bt() } ==> write print_backtrace() or backtrace() ==> probe kernel.function("vfs_read") { print_backtrace() }
probe begin { printf("%s", ustack(3)) } ==> write sprint_ubacktrace(), or print_ubacktrace() as a statement ==> probe kernel.function("vfs_read") { printf("%s", sprint_ubacktrace()) }
probe begin { foreach (k, v) in a { } } ==> write foreach ([k, v] in a) for two keys, or foreach (v = k in a) for key and value ==> global a probe begin { a[1]++ foreach (v = k in a) println(k, v) }
global a probe begin { foreach (k in a sorted) println(k) a[1]++ } ==> write foreach (k in a-) for descending values, foreach (k- in a) for descending keys ==> global a probe begin { foreach (k in a-) println(k) a[1]++ }
global a probe begin { a[1]++ println(len(a)) } ==> write strlen(...) for a string; count the elements of an array with foreach (key in array) n++ ==> global a probe begin { a[1]++ foreach (k in a) n++ println(n) }
global a probe begin { a[1][2]++ } ==> write a[1, 2]: an array has all its keys in one pair of brackets ==> global a probe begin { a[1, 2]++ }
probe kernel.function("vfs_read"),kprobe:vfs_write { } ==> write kernel.function("vfs_write") ==> probe kernel.function("vfs_read"),kernel.function("vfs_write") { }
ROWS
test "$rows" -ge 265 || fail "only $rows rows were read"
test "$followed" -ge 240 || fail "only $followed notes were followed"

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

# What depends on the kernel: fields of a tracepoint's record, members of members, a tracepoint that is taken for a function.
test -n "$kernel" || exit 0
advised()
{
	ktap -r "$kernel" -p2 -e "$1"
	refused "$2"
	said "note: $3\$"
}
advised 'probe kernel.trace("sched:sched_switch") { println($prev_comm) }' target-var 'write $prev->comm'
followed 'probe kernel.trace("sched:sched_switch") { println($prev->comm) }'
advised 'probe kernel.trace("sched:sched_process_exec") { println($filename) }' target-var 'write $bprm->filename'
advised 'probe kernel.function("sched_switch") { }' no-match 'it is a tracepoint: write kernel.trace("sched:sched_switch")'
advised 'probe kernel.function("vfs_read") { println($file->f_path.dentry->d_iname) }' target-type 'write $file->f_path->dentry->d_iname'
followed 'probe kernel.function("vfs_read") { println($file->f_path->dentry->d_iname) }'
advised 'probe kernel.function("vfs_read") { println(file->f_flags) }' never-assigned \
	'write $file->f_flags for a variable of the probed place, or @cast(file, "struct NAME")->f_flags'
advised 'probe kernel.function("vfs_read") { println(file) }' unresolved-type 'write $file for the variable of the probed place'
! grep -q 'assign a value to it' err || fail "two notes contradict each other"
advised 'probe kernel.function("vfs_read") { println($jiffies) }' target-var 'write @var("jiffies") for the global variable'
followed 'probe kernel.function("vfs_read") { println(@var("jiffies")) }'
advised 'probe kernel.function("vfs_read") { println($ret) }' optimized-out \
	"ktap -L 'kernel.statement(\"vfs_read@\*:\*\")' lists what each of its lines has"
ktap -r "$kernel" -L 'kernel.statement("vfs_read@*:*")'
printed 'vfs_read@fs/read_write.c:.*\$count:size_t'
# Members that are macros in C, and names that the point does not have.
advised 'probe kernel.function("tcp_retransmit_skb") { println($sk->sk_family) }' target-member "did you mean '__sk_common->skc_family'?"
followed 'probe kernel.function("tcp_retransmit_skb") { println($sk->__sk_common->skc_family) }'
advised 'probe kernel.function("tcp_retransmit_skb") { println($sk->daddr) }' target-member "did you mean '__sk_common->skc_daddr'?"
advised 'probe kernel.trace("tcp:tcp_retransmit_skb") { println(saddr) }' unresolved-type 'the variables here: $sk, $skb'
! grep -q 'assign a value to it' err || fail "two notes contradict each other"
advised 'probe netdev.receive { println(dev) }' unresolved-type "ktap -L 'netdev.receive' lists the variables of this probe"
followed 'probe netdev.receive { println(dev_name) }'
advised 'probe kernel.vfs_read { println("x") }' probe-point 'write kernel.function("vfs_read")'
advised 'probe syscall.openat { self->ts = 1 }' lvalue "write ts\[tid()], with 'global ts' before the probes"
advised 'probe syscall.read { printf("%s\n", fd) }' format 'write %d for a number'
advised 'probe kernel.function("read") { println(1) }' no-match 'it is a system call: write syscall.read'
# A script without quotes around it.
ktap -p2 -e probe begin '{ exit() }'
refused syntax
said "the script of -e is 'probe' alone: put the whole of it in quotes"
