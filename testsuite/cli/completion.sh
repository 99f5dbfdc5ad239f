#!/bin/sh
# Completion: what is offered, and that interactive bash, zsh and fish make whole words of typed beginnings.
. "$SRCDIR/testsuite/lib/sh.sh"

# offered LINE WORD...: exactly these words are offered for the end of LINE.
offered()
{
	ktap complete "$1"
	accepted
	shift
	sed '1d; s/	.*//' out >have
	printf '%s\n' "$@" >want
	cmp -s want have || fail "$(diff want have)"
}

# Each option of --help, and no other.
ktap --help
# shellcheck disable=SC1003
sed -n '/^The script:/,$p' out | sed -n 's/^  \(-.*\)/\1/p' | sed 's/  .*//' | tr ',' '\n' |
	sed -n 's/^ *\(-[A-Za-z]\)\( .*\)*$/\1/p; s/^ *\(--[a-z-]*\)\(=\).*/\1\2/p; s/^ *\(--[a-z-]*\)\(\[.*\)*$/\1/p' | sort >want
ktap complete 'ktap -'
sed '1d; s/	.*//' out | sort >have
cmp -s want have || fail "options: $(diff want have)"
test "$(wc -l <want)" -gt 70 || fail "the options of --help are not found"
grep -q '^--strict	exit with status 6' out || fail "an option has no description"

offered 'ktap --runtime=' --runtime=kernel --runtime=user --runtime=bpf --runtime=auto
offered 'ktap -v --on-overload=d' --on-overload=disarm
offered 'ktap --color=a' --color=auto --color=always
offered 'ktap -p ' 1 2 3 4
offered 'ktap -gp ' 1 2 3 4
offered 'ktap -D MAXNE' MAXNESTING
offered 'ktap help ' probes functions language
offered 'ktap res' resolve
offered 'ktap explain key' key-type
offered 'ktap fmt --' --check
offered 'ktap report -' -o
offered "ktap -l 'perf.h" perf.hw. perf.hw_cache.
offered 'ktap -L timer.j' 'timer.jiffies('
offered "ktap -l 'kernel.func" 'kernel.function("'
offered "ktap -l 'kernel.function(" 'kernel.function("'
offered "ktap -l 'kernel.function(\"x\").re" 'kernel.function("x").return'
offered 'ktap -l syscall.open_by' syscall.open_by_handle_at
offered 'ktap -l syscall.open_by_handle_at.' syscall.open_by_handle_at.return
mkdir 'my dir' dir
touch 'my dir/my script.stp' 'my dir/none.txt' dir/a.stp dir/b.stpm
offered "ktap my" 'my dir/'
offered "ktap 'my dir/" 'my dir/my script.stp'
offered 'ktap my\ dir/m' 'my dir/my script.stp'
offered 'ktap dir/' dir/a.stp
offered 'ktap fmt dir/' dir/a.stp dir/b.stpm
ktap complete
refused usage

# The real shells on a terminal: each line is typed with its tabs; this ktap prints its words.
mkdir bin
cat >bin/ktap <<'EOF'
#!/bin/sh
test "$1" != complete || exec "$KTAP" "$@"
printf '<%s>' "$@"
echo
EOF
chmod +x bin/ktap
cat >typed <<'EOF'
ktap --vm-mem	512|<--vm-memory=512>
ktap --runtime=u	-v|<--runtime=user><-v>
ktap -l 'timer.jif	5)'|<-l><timer.jiffies(5)>
ktap -l timer.jif	5\)|<-l><timer.jiffies(5)>
ktap -l 'kernel.func	x").re	|<-l><kernel.function("x").return>
ktap -l 'kernel.func	x").call'|<-l><kernel.function("x").call>
ktap -l syscall.open_by	|<-l><syscall.open_by_handle_at>
ktap expl	usa	|<explain><usage>
ktap -D MAXNE	-g|<-D><MAXNESTING><-g>
ktap my	m	1|<my dir/my script.stp><1>
ktap zz	1|<zz$(echo x).stp><1>
ktap "zz	1|<zz$(echo x).stp><1>
ktap 'zz	1|<zz$(echo x).stp><1>
EOF
# shellcheck disable=SC2016
touch 'zz$(echo x).stp'
cat >drive.py <<'EOF'
import os, pty, sys

shell, typed = sys.argv[1:]
options, source = {
    "bash": (["--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'; . %s/completions/ktap.bash"),
    "zsh": (["-f", "-i"], "unset zle_bracketed_paste; PS1='$ ' fpath=(%s/completions $fpath); autoload -U compinit; compinit -u -D"),
    "fish": (["-N", "-i"], "source %s/completions/ktap.fish"),
}[shell]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", PS1="$ ", INPUTRC="/dev/null", PATH=os.getcwd() + "/bin:" + os.environ["PATH"])
    os.execvp(shell, [shell] + options)

seen = b""

def until(text):
    global seen
    while text not in seen:
        piece = os.read(terminal, 4096)
        if not piece:
            sys.exit("%s ended: %r" % (shell, seen))
        seen += piece
    at = seen.index(text) + len(text)
    before, seen = seen[:at], seen[at:]
    return before.decode()

os.write(terminal, (source % os.environ["SRCDIR"] + "; echo ready''now\n").encode())
until(b"readynow")
wrong = 0
for row in open(typed):
    line, want = row.rstrip("\n").split("|")
    os.write(terminal, line.encode() + b"\n" + b"echo do''ne\n")
    got = until(b"done\r\n")
    if want + "\r\n" not in got:
        print("typed %r, expected %s, got %r" % (line, want, got))
        wrong += 1
os.write(terminal, b"exit\n")
sys.exit(wrong)
EOF
export KTAP SRCDIR
for shell in bash zsh fish; do
	command -v $shell >/dev/null || continue
	timeout 300 python3 drive.py $shell typed >out 2>err </dev/null || fail "$shell completes otherwise"
done
