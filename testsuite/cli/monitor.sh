#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --monitor on a real terminal, that of tmux: every key, resizing down to 20x5, suspending, the end of the session by itself, by a signal and by
# a crash, text with escape sequences; a terminal that takes nothing does not stop the session; what cannot have a screen is refused.
. "$SRCDIR/testsuite/lib/screen.sh"

ktap --monitor -e 'probe begin { exit() }'
refused usage
if grep -q 'built without' err; then
	echo "built without ncurses or json-c"
	exit 77
fi
said 'error: --monitor needs a terminal: standard input is not one'
ktap --monitor -f json -e 'probe begin { exit() }'
refused usage
said 'json needs -o FILE'
for wrong in --monitor=0 --monitor=x '--monitor --remote=h1 --remote=h2' '--monitor --merge --remote=h1' '--monitor -F -o x'; do
	# shellcheck disable=SC2086
	ktap $wrong -e 'probe begin { exit() }'
	refused usage
done
ktap --monitor -
refused usage
said '--monitor reads standard input'

cat >script.stp <<'END'
global hits, lat, sum, last = "none"
probe begin { hits["table"] = 0 printf("\033[31mred\033]0;HACKED\007 \302\233 \303\244 \342\202\254 \377 bad\n") }
probe timer.ms(3) { hits["three"]++ lat <<< 7 }
probe timer.ms(7) { hits["seven"]++ }
probe timer.ms(11) { hits["eleven"]++ }
probe timer.ms(13) { sum += 13 last = sprintf("x%d", sum) }
probe timer.ms(100) { printf("line %d of %d\n", hits["three"], @count(lat)) }
probe timer.ms(250) { if (hits["table"]) warn("never") }
probe end { println("the end of ", last) }
END

# A shell in a terminal of 80 columns and 24 rows.
screen 80 24 "env -u COLUMNS -u LINES LC_ALL=C.UTF-8 PS1='done> ' bash --norc --noprofile -i"
t set -g status off
# run COMMAND...: in the shell, whose screen is clear
run()
{
	t send-keys -R
	t clear-history
	press "$*" Enter
}
# is_sane: the shell has its terminal back.
is_sane()
{
	shows 'done> *$'
	test "$(t display -p '#{alternate_on} #{cursor_flag}')" = '0 1' || fail "the terminal is left on its second screen, or without a cursor: $1"
	run 'stty -a >now; echo st""ty'
	shows '^stty$'
	cmp -s now before || { diff before now; fail "the terminal's settings: $1"; }
}
# hits POINT: what the screen shows
hits() { shot | awk -v point="$1" '$NF == point || $NF == ("-" point) { print $2 }'; }

shows 'done> *$'
run 'stty -a >before; echo rea""dy'
shows '^ready$'
# The shell in the terminal expands KTAP: a line of exactly 80 columns, as the path of a build can make it, stays on the screen.
# shellcheck disable=SC2016
monitor='$KTAP --runtime=user --monitor=0.3'
run "$monitor script.stp"
shows '^ktap running [0-9]*s  errors 0  lost 0  probes 8  script.stp'
shows '^ *vRATE/s *HITS  CPU%    AVG   LOST  PROBE'
shows '^ *[0-9.]* *[0-9]* *[0-9.]* *[0-9]*[nu]s *0  timer.ms(3)$'
shows '^GLOBALS by value'
shows '^hits: 4 elements'
shows '^ *[0-9]*  three$'
shows '^OUTPUT'
shows '^line [0-9]* of [0-9]*'
shows '^q quit  ? help'
# The probe with most hits comes first, and is selected.
shot | sed -n 3p | grep -q 'timer.ms(3)' || fail "not sorted by rate: $(shot | sed -n 3p)"
press d
shows 'timer.ms(3) is disarmed'
shows ' -timer.ms(3)$'
sleep 1
first=$(hits 'timer.ms(3)')
sleep 1.5
test "$(hits 'timer.ms(3)')" = "$first" && test "$first" -gt 0 || fail "hits of a disarmed probe: $first, $(hits 'timer.ms(3)')"
press Home
press s s s s
shows ' LOST  vPROBE'
press v
shows '  ^PROBE'
press s v
shows '^ *RATE/s  *HITS .* PROBE'
shot | sed -n 3p | grep -q ' begin$' || fail "not in the script's order: $(shot | sed -n 3p)"
press Home Down
press Space
shows 'timer.ms(3) is armed'
press Space
shows 'timer.ms(3) is disarmed'
press a
shows 'timer.ms(3) is armed'
press Down d
shows 'timer.ms(7) is disarmed'
press R
shows 'globals are reset'
shows '^ *[0-9]*  eleven$'
shows_not '  seven$'
# Filters, of the pane that has the keys.
press / 'MS(1' Enter
shows '/MS(1/'
shows_not 'timer.ms(3)$'
shows 'timer.ms(11)$'
press / C-u Enter
shows 'timer.ms(3)$'
press Tab s
shows '^GLOBALS by key'
press z
shows_not '^OUTPUT'
shows '^sum: [0-9]*'
shows '^lat: count [0-9]*  min 7  avg 7  max 7  sum [0-9]*'
shows ' |@@@@@@@@@@'
press z Tab
shows '^OUTPUT'
# Escape sequences of the script are shown, not carried out.
press Home
shows '^.\[31mred.\]0;HACKED. . ä € . *bad'
test "$(t display -p '#{pane_title}')" != HACKED || fail "the script has set the title"
press / 'line ' Enter
shows '/line /'
shows_not HACKED
press End p
shows '^ktap PAUSED'
first=$(shot | grep '^line' | tail -n 1)
sleep 1
test "$(shot | grep '^line' | tail -n 1)" = "$first" || fail "the output goes on while it is paused"
press p
shows '^ktap running'
shows_not "^$first\$"
press ?
shows '^p        pause'
press x
shows_not '^p        pause'
# A file that is there is not overwritten.
press w C-u saved Enter
shows '^saved to saved'
grep -q '^hits: [234] elements$' saved && grep -q '^.\[31mred.\]0;HACKED.' saved && grep -q '^line [0-9]* of' saved && grep -q 'timer.ms(7)$' saved || { cat saved >out; fail "what was saved"; }
press w C-u saved Enter
shows "^cannot save to 'saved': File exists"
press w Escape
shows '^q quit'
for size in '20 5' '200 50' '21 5' '80 24'; do
	t resize-window -x "${size% *}" -y "${size#* }"
	shows '^ktap running [0-9]*s'
	shows "^\\(OUTPUT\\|q quit\\)"
done
shows '^ *RATE/s  *HITS'
press C-z
shows 'Stopped'
run 'stty -a | tr " " "\n" | grep -x icanon; echo sto""pped'
shows '^icanon'
run fg
shows '^ktap running'
press q
shows '^the end of x[0-9]*'
is_sane q

# Ctrl-C; and a session that ends by itself waits for q.
run "$monitor script.stp; echo status \$?"
shows '^ktap running'
press C-c
shows '^status 0'
is_sane Ctrl-C
run "$monitor -T 1 -e 'probe timer.ms(10) { println(\"x\") } probe end { warn(\"careful\") error(\"no\") }'; echo status \$?"
shows '^The session ended with status 1. q quits'
shows '^WARNING: careful'
press q
shows '^status 1'
shows '^WARNING: careful'
is_sane 'the end by itself'
# The session is on another machine, behind what stands in place of ssh: keys reach it, and it ends with the screen.
cat >ssh <<'END'
#!/bin/sh
for word; do command=$word; done
exec sh -c "$command"
END
chmod +x ssh
run "KTAP_SSH=./ssh $monitor --remote=h1 -f json -o remote.json script.stp; echo status \$?"
shows '^ *[0-9.]* *[0-9]* *[0-9.]* *[0-9]*[nu]s *0  timer.ms(3)$'
shows '^line [0-9]* of [0-9]*'
press d
shows 'timer.ms(3) is disarmed'
press R
shows 'globals are reset'
shows_not '  three$'
shows '^ *[0-9]*  seven$'
press q
shows '^status 0'
is_sane --remote
grep -q '^{"remote":"h1","type":"command",.*"command":"disarm 2","probes":1}$' remote.json || { cp remote.json out; fail "no answer of the machine"; }
run "KTAP_SSH=./ssh $monitor --remote=h1 -e 'probe begin { nosuch() }'; echo status \$?"
shows 'The session ended with status 1. q quits'
shows 'undef-function'
press q
shows '^status 1'
shows 'error: h1: there is no module for its kernel'
is_sane 'a failed build'

# Signals and crashes: of the session, and of ktap.
for what in 'TERM ktap' 'KILL ktaprun' 'SEGV ktap'; do
	run "$monitor script.stp; echo status \$?"
	shows '^ktap running [1-9]'
	pid=$(pgrep -n -x -t "$(t display -p '#{pane_tty}' | sed 's,/dev/,,')" "${what#* }")
	session=$(test "${what#* }" != ktap || pgrep -P "$pid")
	kill -"${what% *}" "$pid"
	if test "$what" = 'KILL ktaprun'; then
		shows '^The session ended with status 137'
		press q
	fi
	shows '^status [0-9]'
	is_sane "$what"
	for try in $(seq 100); do
		test -n "$session" && kill -0 "$session" 2>/dev/null || break
		test "$try" -lt 100 || fail "$what: the session goes on without a reader"
		sleep 0.1
	done
done
# Without colors the program would still be there.
run "TERM=dumb $monitor script.stp"
shows "error: --monitor: a terminal of type 'dumb' cannot show a screen"
run "TERM=nosuch $monitor script.stp"
shows "error: --monitor: a terminal of type 'nosuch' cannot show a screen"
run "$monitor script.stp | cat"
shows 'error: --monitor needs a terminal: standard output is not one'
# With -o the text goes to a file, too.
run "$monitor -o text script.stp"
shows '^ktap running [1-9]'
press q
is_sane -o
grep -q '^line' text && grep -q '^the end of' text || { cp text out; fail "the file of -o"; }
run "$monitor -f json -o objects script.stp"
shows '^ktap running [1-9]'
press q
is_sane -o
perl "$SRCDIR/testsuite/lib/check-json" objects || fail "not as the schema says"

# A terminal that takes nothing: the session's output goes on, and it ends when it is told to.
cat >stuck.pl <<'END'
use strict;
use warnings;
use Fcntl;
use POSIX ();
sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or die "/dev/ptmx: $!";
ioctl($master, 0x40045431, my $unlock = pack('i', 0)) or die "unlock: $!";
ioctl($master, 0x80045430, my $number = pack('i', 0)) or die "number: $!";
my $tty = '/dev/pts/' . unpack('i', $number);
my $pid = fork;
if (!$pid) {
	POSIX::setsid();
	open(STDIN, '+<', $tty) or die "$tty: $!";
	open(STDOUT, '>&', \*STDIN);
	open(STDERR, '>', 'err');
	exec(@ARGV) or die;
}
sub size { return -s 'text' || 0 }
# Waits until there are more than BYTES.
sub await {
	my ($bytes) = @_;
	my $n = 0;
	until (size() > $bytes) {
		select(undef, undef, undef, 0.1);
		die "the output stands still at ", size(), " bytes\n" if $n++ > 600 || kill(0, $pid) != 1;
	}
}
await(100_000);
for (1 .. 3) {
	my $before = size();
	sleep 1;
	await($before);
}
kill('TERM', $pid);
alarm(60);
waitpid($pid, 0);
print 'status ', $? >> 8, "\n";
END
TERM=xterm perl stuck.pl "$KTAP" --runtime=user --monitor=0.1 -o text \
	-e 'global n probe timer.ms(1) { for (i = 0; i < 10; i++) printf("%0100d\n", n++) }' >out 2>&1 || fail "a terminal that takes nothing"
printed '^status 0$'

# The command says more than is kept: the last of it is printed when the screen is gone, and how much came before.
TERM=xterm perl stuck.pl "$KTAP" --runtime=user --monitor=0.1 -o text -c 'yes | head -c 3000000; echo last; sleep 600' \
	-e 'global n probe timer.ms(1) { for (i = 0; i < 10; i++) printf("%0100d\n", n++) }' >out 2>&1 || fail "a command that says much"
said '^ktap: [0-9]* bytes of messages came before these$'
said '^last$'
test "$(wc -c <err)" -lt 600000 || fail "all of it is kept"
