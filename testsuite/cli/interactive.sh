#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap -i: each command, read from a pipe and typed on a terminal (that of tmux) with history and completion; what is wrong, crashes and
# signals leave the session and the script as they were; no bytes on its input end it.
. "$SRCDIR/testsuite/lib/screen.sh"
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME

# session: the lines of standard input; each must succeed, or with the exit status 1 one fails.
session()
{
	status=0
	timeout 300 "$KTAP" -i "$@" >out 2>err || status=$?
	test "$status" -le "${most:-0}" || fail "exit status $status"
	! grep -q 'internal error' err || fail "internal error"
}

# ---- lines of a pipe ----
session --runtime=user <<'END'
# a comment
global n
probe begin {
	n = 3   /* the body
	goes on */
	printf("n is %d\n", n)
}
function f(x) { return x + 1 }
add probe end { println("f ", f(n)) }
probe timer.ms(10) { exit() }
run
function f(x) { return x + 100 } global unused = 5, more
run
list
delete 9
list
undo
set -E 'probe end { println("more") }' -w
show
run
unset
set
END
cat >expected <<'END'
n is 3
f 4
replaced 'f'
n is 3
f 103
   1  global n
   2  probe begin {
   3  	n = 3   /* the body
   4  	goes on */
   5  	printf("n is %d\n", n)
   6  }
   7  probe end { println("f ", f(n)) }
   8  probe timer.ms(10) { exit() }
   9  function f(x) { return x + 100 } global unused = 5, more
   1  global n
   2  probe begin {
   3  	n = 3   /* the body
   4  	goes on */
   5  	printf("n is %d\n", n)
   6  }
   7  probe end { println("f ", f(n)) }
   8  probe timer.ms(10) { exit() }
   1  global n
   2  probe begin {
   3  	n = 3   /* the body
   4  	goes on */
   5  	printf("n is %d\n", n)
   6  }
   7  probe end { println("f ", f(n)) }
   8  probe timer.ms(10) { exit() }
   9  function f(x) { return x + 100 } global unused = 5, more
--runtime=user -E probe end { println("more") } -w
n is 3
f 103
more
--runtime=user
--runtime=user
END
diff expected out || fail "not as expected"

# Files; arguments; plan; listings; commands of ktap.
cat >edit.sh <<'END'
sed -i 's/three/four/' "$1"
END
export EDITOR='sh ./edit.sh' VISUAL=
most=1
session --runtime=user <<'END'
probe begin { println("three ", $1, @2) exit() }
save made.stp
run 7 'a b'
edit
run 8 x
save
delete
load made.stp
run 9 'y'
plan 1 2
-l timer.s(1)
help run-user-has-no-such
END
test "$status" = 1 || fail "an unknown subject of help succeeds"
printf 'three 7a b\nfour 8x\nfour 9y\n' >expected
head -n 3 out | diff expected - || fail "load, save, edit"
printed '^begin$'
printed '^timer.s(1)$'
test "$(cat made.stp)" = 'probe begin { println("four ", $1, @2) exit() }' || fail "what was saved: $(cat made.stp)"
session --runtime=user <<'END'
sample hello-world-is-no-example
END
test "$status" = 1 || fail "an unknown example succeeds"
example=$(basename "$(find "$SRCDIR/examples" -name '*.stp' | sort | head -n 1)" .stp)
session <<END
sample $example
END
accepted
grep -c . out >lines
test "$(cat lines)" -gt 5 || fail "sample $example prints no script"

# refuses TEXT REGEX: of these lines the last fails with this message, and `list` after it still has one probe.
refuses()
{
	printf 'probe begin { exit() }\n%s\nlist\n' "$1" >lines
	session --runtime=user <lines
	test "$status" = 1 || fail "accepted: $1"
	grep -q -e "$2" err || fail "expected '$2' of: $1"
	printed '   1  probe begin { exit() }'
	test "$(wc -l <out)" = 1 || fail "not one probe after: $1"
}
refuses 'prob begin {}' "note: did you mean 'probe'"
refuses 'lst' "note: did you mean 'list'"
refuses 'probe begin { x = = 3 }' "2:19: error: unexpected '='"
refuses 'global a global a' 'error: '
refuses 'delete 9' 'error: there is no declaration on line 9'
refuses 'delete x' 'error: delete takes a line'
refuses 'list 3' "error: 'list' takes no argument"
refuses 'load' "error: 'load' needs an argument: FILE"
refuses 'load /nonexistent' 'error: cannot read'
refuses 'load .' 'error: cannot read'
refuses 'load /bin/true' 'error: .* has a byte 0'
refuses 'save' 'error: save needs a file'
refuses 'save made.stp' 'error: cannot write .*: File exists'
refuses 'set --nosuch' "error: unknown option '--nosuch'"
refuses 'set x.stp' 'error: set takes options'
refuses 'set -l x' 'error: '
refuses '-l' "error: '-l' needs an argument"
refuses 'add' "error: 'add' needs an argument"
EDITOR=false
refuses 'edit' "error: the editor 'false' ended with status 1"
printf 'probe {' >broken.stp
refuses 'load broken.stp' "note: the script is as before; 'edit' shows the text"
# A line that is refused does not spoil those after it.
session --runtime=user <<'END'
global a
probe begin { println(x y) }
probe begin { a = 5; println("a is ", a); exit() }
run
nonsense
probe end { println("also this") }
run
END
test "$status" = 1 || fail "a refused line succeeds"
printf 'a is 5\na is 5\nalso this\n' | diff - out || fail "declarations after a refused one"
# The end comes in a declaration; a byte 0; an empty script.
printf 'probe begin {\n' >lines
session <lines
test "$status" = 1 || fail "half a probe is accepted"
printf 'probe be\0gin {}\n' >lines
session <lines
said 'the line has a byte 0'
echo run >lines
session <lines
said 'there is no script yet'
# With a file, and its arguments are those of `run`.
session --runtime=user made.stp <<'END'
run 5 z
END
printed '^four 5z$'
for wrong in '-i -e x' '-i -l begin' '-i --bundle=x' '-i -' '-i --language-server' '-i --clean-cache' '-i --prepare'; do
	# shellcheck disable=SC2086
	ktap $wrong
	refused usage
	said 'error: -i cannot go with'
done

# Errors of later passes, and a crash of the run, are the run's. Global declarations stay.
session --runtime=user <<'END'
global kept = 7
probe begin { nosuch(1) }
run
delete 2
probe begin { system("kill -KILL $PPID") }
probe timer.s(20) { exit() }
run
delete 2-3
probe begin { println("kept ", kept) exit() }
run
END
grep -q 'nosuch' err || fail "no error of pass 2"
printed 'ended by signal 9'
printed '^kept 7$'

# Anything on the input: no crash, no internal error, and the end is reached.
cat >noise.pl <<'END'
use strict;
use warnings;
srand(shift);
my @words = ('probe ', 'begin ', '{ ', '} ', 'global ', 'x', '%{ ', '%} ', '%( ', '%) ', '%? ', '%: ', '/* ', '*/ ', '"', '\\', '(', ')', ',', '=',
    '@define ', '@x', '$x', 'function ', "\n", 'list', "\ndelete 1\n", "\nundo\n", "\nlist\n", "\nadd ", '[', ']', '->', "\xc3", "\xff", "\t", '#', '//', 'private ', '5');
print $words[rand @words] for 1 .. 400;
print "\nlist\n";
END
for seed in 1 2 3 4 5 6 7 8; do
	perl noise.pl $seed >lines
	session <lines
done
test ! -e state || fail "a session without a terminal keeps a history"

# ---- a terminal ----
screen 90 30 "env LC_ALL=C.UTF-8 PS1='done> ' bash --norc --noprofile -i"
t set -g status off
clear_screen() { press C-l; }
run()
{
	clear_screen
	press "$*" Enter
}
prompted() { shows '^ktap> *$'; }
shows 'done> *$'
run 'stty -a >before; echo rea""dy'
shows '^ready$'
run "TERM=dumb $KTAP -i --runtime=user"
prompted
press 'probe begin { println("dumb") exit() }' Enter
press 'run' Enter
shows 'dumb$'
prompted
press 'probe {' C-c
press 'quit' Enter
shows '^The script is kept in '
grep -q dumb state/ktap/last.stp || fail "last.stp: $(cat state/ktap/last.stp)"

run "$KTAP -i --runtime=user"
shows "^ktap .* 'help' lists the commands"
prompted
# Typing, in two lines, with a letter of two bytes; the cursor goes back.
press 'probe timer.ms(50) {' Enter
shows '^    > *$'
press 'println("hör") }' Left Left Left Left 'x' Enter
prompted
press list Enter
shows '   2  println("hörx") }'
clear_screen
press run Enter
shows '^hörx$'
press C-c
shows '^ktap> *$'
# Ctrl-C drops a line, and a declaration that is not complete.
press 'delete 1' C-c
press 'probe begin {' Enter 'x' C-c
clear_screen
press list Enter
shows '   2  println("hörx") }'
if ldd "$KTAP" | grep -q libedit; then
	# History: the last lines; in the next session, too.
	press C-p C-p C-p Enter
	shows '^hörx$'
	press C-c
	prompted
	test "$(stat -c %a state/ktap/history)" = 600 || fail "mode of the history"
	grep -q -x 'println("hörx") }' state/ktap/history || fail "history: $(cat state/ktap/history)"
	# Completion: commands, keywords, points, functions, variables of the script, options, files.
	clear_screen
	press 'exp' Tab
	shows '^ktap> explain'
	press C-u 'pro' Tab ' time' Tab 'ms(7) { prin' Tab Tab
	shows 'print_ubacktrace_brief'
	press 'ln(gettimeofday_u' Tab
	shows '{ println(gettimeofday_us$'
	press ') }' C-u 'global elephants' Enter
	prompted
	press 'probe begin { ele' Tab '++ exit() }' Enter
	prompted
	clear_screen
	press 'set --runt' Tab 'us' Tab Enter
	prompted
	press 'load made.s' Tab C-u 'list' Enter
	shows 'probe begin { elephants++ exit() }'
	press 'nosuchword' Tab Tab C-u
	if test -n "$(kernels)"; then
		release=$(kernels)
		ktap -r "${release%% *}" -l 'kernel.function("vfs_read")' # reads all names of the kernel, which may take long
		accepted
		press "set -r ${release%% *} --runtime=kernel" Enter
		prompted
		press 'probe kernel.function("vfs_rea' Tab
		shows 'probe kernel.function("vfs_read'
		press C-u 'probe kernel.function("vfs_read") { x = $fi' Tab
		shows 'x = $file'
		# Names from a program of another user are listed without control characters.
		echo 'int add(int alpha_one, int alpha_two) { return alpha_one + alpha_two; } int main(void) { return add(1, 2); }' >prog.c
		cc -g -O0 -S prog.c
		sed -i 's/"alpha_two"/"alpha\\033[31mtwo"/' prog.s
		cc -o prog prog.s
		press C-u 'probe process("./prog").function("add") { x = $al' Tab Tab
		shows 'alpha_one  *$alpha\.\[31mtwo'
		press C-u unset Enter
		prompted
	fi
fi
# Ctrl-Z stops ktap; SIGTERM ends the run and the session goes on; a signal at the prompt leaves the terminal in order.
press C-z
shows 'Stopped'
run 'stty -a | tr " " "\n" | grep -x icanon; echo sto""pped'
shows '^icanon'
run fg
press Enter
prompted
press 'delete 1-99' Enter 'probe timer.s(1000) { }' Enter 'set -E "probe begin { println(12345+1) }"' Enter
clear_screen
press run Enter
shows '^12346$'
pid=$(pgrep -o -x -t "$(t display -p '#{pane_tty}' | sed 's,/dev/,,')" ktap)
kill -TERM "$pid"
prompted
kill -TERM "$pid"
shows 'done> *$'
run 'stty -a >now; echo st""ty'
shows '^stty$'
cmp -s now before || { diff before now; fail "the terminal's settings after SIGTERM"; }
run "$KTAP -i --runtime=user; echo status \$?"
prompted
if ldd "$KTAP" | grep -q libedit; then
	press C-p
	shows '^ktap> run$'
	press C-u
fi
press C-d
shows '^status 0'
run 'stty -a >now; echo st""ty'
shows '^stty$'
cmp -s now before || { diff before now; fail "the terminal's settings after Ctrl-D"; }
# A history that is a link is neither read nor written.
rm -rf state/ktap/history
echo mine >target
ln -s "$PWD/target" state/ktap/history
run "$KTAP -i --runtime=user; echo status \$?"
prompted
press list Enter
press C-d
shows '^status 0'
test "$(cat target)" = mine || fail "the history follows a link"
# Keys that the user bound, unless others can write that file.
if ldd "$KTAP" | grep -q libedit; then
	mkdir -p -m 700 bindings
	echo 'bind -s ^T bound' >bindings/.editrc
	chmod 600 bindings/.editrc
	run "HOME=$PWD/bindings $KTAP -i --runtime=user"
	prompted
	press C-t
	shows '^ktap> bound$'
	press C-u C-d
	shows 'done> *$'
	chmod 666 bindings/.editrc
	run "HOME=$PWD/bindings $KTAP -i --runtime=user"
	shows 'warning: the key bindings in '
	prompted
	press C-t x
	shows '^ktap> x$'
	press C-u C-d
	shows 'done> *$'
fi
