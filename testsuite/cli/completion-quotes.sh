#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash of names that other users chose: within quotes and without, what is inserted is the name and not code.
. "$SRCDIR/testsuite/lib/sh.sh"

mkdir files
cd files || exit 1
touch 'dollar$(echo>ran).stp' 'tick`echo>ran`.stp' 'quote"$(echo>ran).stp' "single'\$(echo>ran).stp" 'bang!x.stp' 'back\slash.stp' 'semi;echo>ran.stp'
touch "$(printf 'ctl\033[31m.stp')" "$(printf 'line\nctl.stp')" "$(printf 'c1\302\233m.stp')"
for word in ctl line c1; do
	ktap complete "ktap $word"
	accepted
	test "$(cat out)" = "$word" || fail "a name with control characters is offered"
done
cd ..

# candidates WORD [LAST]: what bash would insert for `ktap WORD`. LAST: the last of bash's own words, if it is another.
cat >ask.sh <<'EOF'
. "$SRCDIR/completions/ktap.bash"
compopt() { :; }
COMP_LINE="ktap $1" COMP_POINT=$((5 + ${#1})) COMP_WORDS=("$KTAP" "${2-$1}") COMP_CWORD=1
_ktap
((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
exit 0
EOF
export KTAP SRCDIR
candidates()
{
	(cd files && bash ../ask.sh "$@") >out 2>err
	test ! -s err || fail "the completion fails"
	test ! -e files/ran || fail "the completion runs the name"
}
# inserted WORD NAME: one candidate, which the shell reads as NAME after the quote that WORD begins with.
inserted()
{
	candidates "$1"
	test "$(grep -c '' out)" = 1 || fail "$1: not one candidate"
	case $1 in
	\"*) line="\"$(cat out)\"" ;;
	\'*) line="'$(cat out)'" ;;
	*) line=$(cat out) ;;
	esac
	read=$(cd files && bash -c "printf %s $line")
	test "$read" = "$2" || fail "$1: the shell reads '$read'"
	test ! -e files/ran || fail "$1: the name is run"
}
none()
{
	candidates "$@"
	test ! -s out || fail "$1: something is offered"
}
for quote in '' '"' "'"; do
	inserted "${quote}doll" 'dollar$(echo>ran).stp'
	inserted "${quote}tick" 'tick`echo>ran`.stp'
	inserted "${quote}quot" 'quote"$(echo>ran).stp'
	inserted "${quote}back" 'back\slash.stp'
	inserted "${quote}semi" 'semi;echo>ran.stp'
done
inserted sing "single'\$(echo>ran).stp"
inserted '"sing' "single'\$(echo>ran).stp"
inserted "'bang" 'bang!x.stp'
inserted bang 'bang!x.stp'
# What has been escaped already is one character.
inserted '"dollar\$' 'dollar$(echo>ran).stp'
inserted 'back\\sl' 'back\slash.stp'
# There is no way to write these, or to know where the cursor is.
none "'sing"
none '"bang'
none "'./'doll"
none '"./"doll'
none './"doll'
none "./'doll"

# On a terminal, for the parts that bash does itself.
command -v script >/dev/null || { echo "script(1) is not installed"; exit 77; }
mkdir bin
cat >bin/ktap <<'EOF'
#!/bin/sh
test "$1" != complete || exec "$KTAP" "$@"
printf '<%s>\n' "$@" >>../typed
EOF
chmod +x bin/ktap
cd files || exit 1
printf 'ktap "doll\t\nktap "quot\t\nktap '\''tick\t\nktap -l "kernel.func\tx\\").re\t\nexit\n' >../keys
# The terminal stays open until all commands have run, a minute at most.
type_keys()
{
	sleep 1
	cat ../keys
	for _ in $(seq 600); do
		test "$(grep -c '' ../typed 2>/dev/null)" != 5 || break
		sleep 0.1
	done
}
type_keys | PATH=$PWD/../bin:$PATH TERM=dumb INPUTRC=/dev/null timeout 60 script -qec \
	"bash --noprofile --rcfile '$SRCDIR/completions/ktap.bash' -i" /dev/null >../out 2>&1
cd ..
cat >want <<'EOF'
<dollar$(echo>ran).stp>
<quote"$(echo>ran).stp>
<tick`echo>ran`.stp>
<-l>
<kernel.function("x").return>
EOF
diff want typed || fail "on a terminal"
test ! -e files/ran || fail "a name is run on the terminal"
