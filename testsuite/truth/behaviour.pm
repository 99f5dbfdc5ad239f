# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that throw, panic, longjmp, cancel, switch stacks, fork, exec, thread, take signals, recurse and end in jumps to each other do not
# notice that they are probed, and their own counts of calls and returns are those of ktap.
#
# Each program is random code of FUNCTIONS functions. It counts calls in the functions and returns at the callers, where a return has
# happened: a function that ended by a call of another one (TAIL) has then returned too. Its lines begin with "T".
package behaviour;
use strict;
use warnings;

our $about = 'the output, exit status, calls and returns of programs, with and without probes on all of their functions';
our $kernels = '6.1';

my $FUNCTIONS = 10;
my $PROGRAMS = 2;       # of a round of size 1

# Source that all programs in C and C++ begin with.
my $HEAD = <<'END';
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __clang__
#define BODY __attribute__((noinline))
#else
#define BODY __attribute__((noinline, noclone))
#endif
struct fiber { int tails[4096], n, fuel, jumps; jmp_buf jump[64]; int jump_n[64]; ucontext_t here, *back; };
static int called[N], returned[N], marks;
static __thread struct fiber first, *fiber;
static struct fiber *current(void) { return fiber ? fiber : (fiber = &first); }
static inline int enter(int i, int d) { __atomic_fetch_add(&called[i], 1, __ATOMIC_RELAXED); return d > 0 && current()->fuel-- > 0; }
static inline void count_return(int i, int top)
{
	__atomic_fetch_add(&returned[i], 1, __ATOMIC_RELAXED);
	while (current()->n > top)
		__atomic_fetch_add(&returned[current()->tails[--current()->n]], 1, __ATOMIC_RELAXED);
}
#define CALL(i, d, x) ({ int top_ = current()->n, r_ = f##i(d, x); count_return(i, top_); r_; })
#define TAIL(i, d, x) do { if (current()->n < 4095) { current()->tails[current()->n++] = i; return f##i(d, x); } } while (0)
static void say(const char *what, int n) { char s[99]; int len = snprintf(s, sizeof(s), "T %s %d\n", what, n); if (write(1, s, len) < 0) abort(); }
static void report(const char *who)
{
	for (int i = 0; i < N; i++) {
		char s[99];
		int len = snprintf(s, sizeof(s), "T count f%d %d %d %s\n", i, called[i], returned[i], who);
		if (write(1, s, len) < 0) abort();
	}
	say("marks", marks);
}
static void yield_now(void) { struct fiber *f = current(); if (f->back) { fiber = &first; swapcontext(&f->here, f->back); } }
static pthread_t main_thread;
static int is_child, forks_left = 2;
/* The child goes on from here, and returns from all that its parent has called. */
static void fork_here(void)
{
	int status;
	pid_t child;
	if (!pthread_equal(pthread_self(), main_thread) || forks_left-- <= 0) return;
	child = fork();
	if (!child) { is_child = 1; forks_left = 0; marks = 0; memset(called, 0, sizeof(called)); memset(returned, 0, sizeof(returned)); return; }
	waitpid(child, &status, 0);
	say("child's status", WEXITSTATUS(status));
}
static void cleaned(void *p) { say("cleanup", *(int *)p); }
END

# Kinds of statements, by language: a function of the witness and the parts of a body. %d: the function itself, D and X: its parameters.
sub statement {
    my ($w, $me, $cplus) = @_;
    my ($a, $b, $c, $k) = ((map { $w->random($FUNCTIONS) } 1 .. 3), $w->random(7));
    my @kinds = (
        "x += CALL($a, d - 1, x + $k);",
        "if (x % 3 == 1) x ^= CALL($a, d - 1, x); else x += CALL($b, d - 2, x + 1);",
        "switch (x & 7) { case 0: x += CALL($a, d - 1, x); break; case 1: x *= 3; break; case 2: return x; case 3: x += CALL($b, d - 2, 5);"
            . " break; case 4: x ^= 21; break; case 5: x = CALL($c, d - 1, x) - 1; break; case 6: x--; break; default: x += 2; }",
        "for (int i = 0; i < 2; i++) x += CALL($a, d - 2, x + i);",
        "if (__builtin_expect(x % 13 == $k, 0)) { say(\"cold\", x); if (x & 1) return -x; x += CALL($a, d - 1, 7); }",
        "DTRACE_PROBE1(behaviour, here, x); __atomic_fetch_add(&marks, 1, __ATOMIC_RELAXED);",
        "{ volatile char space[200 + 8 * (d & 3)]; space[d & 15] = (char)x; x += space[d & 15]; }",
        "yield_now();",
        "if (x % 4 == 1) fork_here();",
        "raise(SIGUSR1);",
        "{ int list[] = { 3, x & 7, 1 }; qsort(list, 3, sizeof(int), compare); x += list[0]; }",
        "if (x % 9 == 2) return x;",
    );
    if ($cplus) {
        push @kinds, "if (x % 7 == $k) throw x;", "{ Guard g(x); x += CALL($a, d - 1, x); }",
            "{ int top = current()->n; try { x += CALL($a, d - 1, x); } catch (int e) { current()->n = top; say(\"caught\", e); x = e + 1; } }";
    } else {
        push @kinds, "if (current()->jumps && x % 7 == $k) { struct fiber *f = current();"
                . " f->n = f->jump_n[f->jumps - 1]; longjmp(f->jump[--f->jumps], 1); }",
            "{ struct fiber *f = current(); volatile int keep = x; if (f->jumps < 64) { f->jump_n[f->jumps] = f->n;"
                . " if (!setjmp(f->jump[f->jumps++])) { keep += CALL($a, d - 1, x); f->jumps--; } else say(\"jumped\", keep); } x = keep; }";
    }
    return $w->pick(@kinds);
}

sub body {
    my ($w, $me, $cplus) = @_;
    my $tail = $w->random($FUNCTIONS - 1);
    $tail += $tail >= $me;
    my @lines = ("if (!enter($me, d)) return x;", map { statement($w, $me, $cplus) } 0 .. $w->random(3));
    push @lines, "if (x & 1) TAIL($tail, d - 1, x + 3);" if $w->chance(40);
    # A jump to a function of a library, which cannot be followed.
    push @lines, "if (x % 11 == 4) return last_call(x);" if $w->chance(8);
    return "BODY int f$me(int d, int x)\n{\n\t" . join("\n\t", @lines, 'return x + d;') . "\n}\n";
}

# How each scenario starts function %d.
my $SCENES = <<'END';
static int scene(int i, int d, int x)
{
	int top = current()->n, y;
	first.fuel = 60;
	first.jumps = 0;
	TRY { y = all[i](d, x); count_return(i, top); return y; } CATCH { current()->n = top; say("escaped", x); return -1; }
}
static void *in_thread(void *p) { say("thread", scene(5, 9, *(int *)p)); return 0; }
static void *in_cancelled(void *p)
{
	pthread_cleanup_push(cleaned, p);
	scene(6, 5, *(int *)p);
	sleeper();
	pthread_cleanup_pop(0);
	return 0;
}
static struct fiber fibers[2];
static char stacks[2][1 << 16];
static ucontext_t main_context;
static void in_fiber(void)
{
	int top = current()->n;
	(void)top;
	TRY { say("fiber", CALL(1, 8, 3 + (int)(current() - fibers))); } CATCH { say("fiber escaped", 0); }
	current()->back = 0;
	fiber = &first;
	setcontext(&main_context);
}
static void switch_stacks(void)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&fibers[i].here);
		fibers[i].here.uc_stack.ss_sp = stacks[i];
		fibers[i].here.uc_stack.ss_size = sizeof(stacks[i]);
		fibers[i].back = &main_context;
		fibers[i].fuel = 50;
		makecontext(&fibers[i].here, in_fiber, 0);
	}
	for (int turn = 0; turn < 400 && (fibers[0].back || fibers[1].back); turn++)
		if (fibers[turn & 1].back) { fiber = &fibers[turn & 1]; swapcontext(&main_context, &fibers[turn & 1].here); }
	fiber = &first;
}
int main(int argc, char **argv)
{
	int in_child = 7, value = SEED;
	pthread_t t;
	current();
	main_thread = pthread_self();
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < N; i++)
		for (int k = 0; k < 3; k++)
			say("scene", scene(i, 6 + k, value + 7 * k + i));
	pthread_create(&t, 0, in_thread, &in_child);
	pthread_join(t, 0);
	pthread_create(&t, 0, in_cancelled, &value);
	while (!__atomic_load_n(&sleeping, __ATOMIC_ACQUIRE)) usleep(1000);
	pthread_cancel(t);
	pthread_join(t, 0);
	switch_stacks();
	report(is_child ? "child" : "parent");
	if (is_child) _exit(3);
	if (argc == 1) execl(argv[0], argv[0], "again", (char *)0);
	return 40 + (value & 7);
}
END

# Functions that are no part of the random ones.
my $FIXED = <<'END';
static int sleeping;
BODY int sleeper(void) { __atomic_store_n(&sleeping, 1, __ATOMIC_RELEASE); for (;;) pause(); return 0; }
BODY int last_call(int x) { return abs(x); }
static void on_signal(int n) { int saved = current()->fuel; current()->fuel = 0; (void)CALL(2, 0, n); current()->fuel = saved; }
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	(void)CALL(3, 0, x);
	return (x > y) - (x < y);
}
END

sub source {
    my ($w, $cplus) = @_;
    my $text = "#define N $FUNCTIONS\n#define SEED " . $w->random(50) . "\n$HEAD";
    $text .= $cplus ? "#define TRY try\n#define CATCH catch (int)\n"
        . "struct Guard { int n; BODY Guard(int n) : n(n) {} BODY ~Guard() { say(\"gone\", n); } };\n"
        : "#define TRY if (1)\n#define CATCH else\n";
    $text .= "int f$_(int d, int x);\n" for 0 .. $FUNCTIONS - 1;
    $text .= 'static int (*const all[])(int, int) = { ' . join(', ', map { "f$_" } 0 .. $FUNCTIONS - 1) . " };\n";
    $text .= $FIXED . join('', map { body($w, $_, $cplus) } 0 .. $FUNCTIONS - 1) . $SCENES;
    return $text;
}

# ---- one program ----
# Compiles a program: { name, path, flags }; undef when the compiler is not there.
sub program {
    my ($w, $number) = @_;
    my $cplus = $number % 2 == 0;
    my $name = "p$number";
    my $path = $w->file($name . ($cplus ? '.cc' : '.c'), source($w, $cplus));
    my $compiler = $w->pick($cplus ? ('g++', 'g++', 'clang++') : ('gcc', 'gcc', 'clang'));
    my @flags = ($w->pick(qw(-O0 -O1 -O2 -O2 -O3 -Os)), $w->chance(30) ? '-fno-omit-frame-pointer' : (),
        $w->pick([], ['-no-pie', '-fno-pie'], ['-fcf-protection'], ['-static'])->@*);
    # Headers of marks are those of 64 bits, C++ has none of 32.
    push @flags, '-m32', '-idirafter', '/usr/include/x86_64-linux-gnu' if !$cplus && $w->chance(30);
    my $result = $w->run($compiler, '-g', '-w', '-pthread', @flags, '-o', $name, $path);
    if ($result->{status}) {
        $w->skip("$compiler @flags does not compile: " . ($result->{err} =~ /^(.*(?:error|cannot).*)/m ? $1 : 'no reason'));
        return undef;
    }
    return { name => $name, path => "$w->{dir}/$name", flags => "$compiler @flags" };
}

# The functions of the program whose return address ktap says to replace, which then is not asked for: the program may notice.
# So are functions where it says that the kernel sets no breakpoint.
sub hooked {
    my ($w, $p) = @_;
    my $result = $w->ktap('-p2', '-v', '-e', "probe process(\"$p->{path}\").function(\"*\@$p->{name}.c*\").return { next }");
    $p->{refused} = { map { $_ => 1 } $result->{out} =~ /^(f\d+)@\S* at 0x\w+: the kernel refuses/mg };
    return { %{$p->{refused}}, map { $_ => 1 } $result->{out} =~ /^  # at \S+ (\S+) .*, uretprobe: /mg };
}

# The script of one kind of probe for functions 0 to N - 1, and the program's other ones.
sub script {
    my ($p, $kind, $hooked) = @_;
    my $of = "process(\"$p->{path}\")";
    my @all = grep { !$p->{refused}{$_} } map { "f$_" } 0 .. $FUNCTIONS - 1;
    my @returns = grep { !$hooked->{$_} } @all;
    my $body = { calls => sub { map { "probe $of.function(\"$_\").call { n[\"call $_\"]++ }" } @all },
        returns => sub { map { "probe $of.function(\"$_\").return { n[\"return $_\"]++ }" } @returns },
        entries => sub { map { "probe $of.function(\"$_\").return { if (\@entry(gettimeofday_ns())) n[\"return $_\"]++ }" } @returns },
        lines => sub { "probe $of.statement(\"f*\@$p->{name}.c*:*\") { n[\"lines\"]++ }",
            map { "probe $of.function(\"$_\") { n[\"call $_\"]++ }" } @all },
        calls_out => sub { "probe $of.plt ? { n[\"plt\"]++ }", "probe $of.mark(\"here\") ? { n[\"mark\"]++ }",
            "probe $of.library(\"libc.so.6\").function(\"qsort\").return ?,"
                . " $of.library(\"libc.so.6\").function(\"*write*\").return ? { n[\"library\"]++ }" },
    }->{$kind};
    return join("\n", 'global n', $body->(), 'probe end { foreach (name in n) printf("K %s %d\n", name, n[name]) }', '');
}

my @KINDS = qw(calls returns entries lines calls_out);

sub round {
    my ($w) = @_;
    my (@programs, @sessions);
    for my $number (0 .. $PROGRAMS * $w->size - 1) {
        my $p = program($w, $number) or next;
        push @programs, $p;
        $p->{hooked} = hooked($w, $p);
        $w->file("run-$p->{name}", "exec 2>&1\ntimeout 60 $p->{path}; echo T exit \$?\n");
        $w->guest("sh ./run-$p->{name} >\$RESULTS/$p->{name}.alone");
        $w->skip('functions whose first instruction the kernel refuses') for keys %{$p->{refused}};
        $w->skip('returns of functions that end in a jump which cannot be followed') for grep { /^f\d+$/ && !$p->{refused}{$_} } keys %{$p->{hooked}};
        for my $kind (@KINDS) {
            my $name = "$p->{name}_$kind";
            $w->file("$name.stp", script($p, $kind, $p->{hooked}));
            my $said = $w->session($name, "$name.stp", '-c', "sh ./run-$p->{name}");
            $w->compare('sessions', "$p->{name} ($p->{flags}) $kind", 'built', defined $said ? 'built' : $w->{refusal});
            push @sessions, [$p, $kind, $name] if defined $said;
        }
    }
    my $files = $w->boot;
    judge($w, $files, @$_) for @sessions;
}

# Compares a session of KIND with the program alone, and with its own counts.
sub judge {
    my ($w, $files, $p, $kind, $name) = @_;
    my $case = "$p->{name} ($p->{flags}) $kind";
    my $alone = join('', grep { /^T/ } split /^/, $files->{"$p->{name}.alone"});
    my $out = $files->{"$name.out"} // '';
    my $watched = join('', grep { /^T/ } split /^/, $out);
    die "$case: the program alone does not end\n$alone" unless $alone =~ /^T exit 4\d$/m;
    $w->compare('outputs', $case, $alone, $watched) or return;
    my (%called, %returned);
    while ($alone =~ /^T count (f\d+) (\d+) (\d+) /mg) {
        $called{$1} += $2;
        $returned{$1} += $3;
    }
    my %ours = $out =~ /^K (\S+(?: f\d+)?) (\d+)$/mg;
    for my $f (sort keys %called) {
        $w->compare('calls', "$case $f", $called{$f}, $ours{"call $f"} // 0) if ($kind eq 'calls' || $kind eq 'lines') && !$p->{refused}{$f};
        $w->compare('returns', "$case $f", $returned{$f}, $ours{"return $f"} // 0)
            if ($kind eq 'returns' || $kind eq 'entries') && !$p->{hooked}{$f};
    }
    my $marks = 0;
    $marks += $1 while $alone =~ /^T marks (\d+)$/mg;
    $w->compare('marks', $case, $marks, $ours{mark} // 0) if $kind eq 'calls_out';
}

1;
