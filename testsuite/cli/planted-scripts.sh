#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file named like a command is no script where another user could have put it. Completion and the prompt of -i run the command in any
# case. A mistyped command does not run such a file either.
. "$SRCDIR/testsuite/lib/sh.sh"
script='probe begin { println("planted") exit() }'

# In a directory that others can write to, the command runs and a warning names the file.
mkdir -m 777 open
cd open || exit 1
for name in complete doctor examples explain fmt help merge report symbolize; do
	echo "$script" >$name
done
# commanded NAME REGEX ARGUMENT...: it is the command, which prints this.
commanded()
{
	name=$1 regex=$2
	shift 2
	ktap "$name" "$@"
	! grep -q planted out || fail "the script '$name' is parsed"
	printed "$regex"
	said "warning: the script '$name' in this directory is not run: '.*/open' can be written by others \[untrusted\]"
}
commanded doctor '"status"' --json
commanded examples '^hello ' hello
commanded explain '^\[key-type\]' key-type
commanded help '^ktap help functions'
echo 'probe  begin { }' >messy.stp
commanded fmt '^messy.stp$' --check messy.stp
for name in merge report symbolize; do
	ktap $name --nosuch
	refused usage
	said "warning: the script '$name' in this directory is not run"
done
ktap complete 'ktap expl'
accepted
printed '^explain'
test ! -s err || fail "completion warns"

# A file of another user in a directory of ours.
cd .. || exit 1
if test "$(id -u)" = 0; then
	mkdir own
	echo "$script" >own/help
	chown 65534 own/help
	cd own || exit 1
	ktap help -p1
	refused usage
	said "is not run: '.*/own/help' belongs to another user"
	cd .. || exit 1
fi

# Our own file is the script, but for completion and in the lines of -i.
echo "$script" >complete
ktap complete 'ktap expl'
accepted
printed '^explain'
for name in help explain; do
	echo "$script" >$name
	ktap $name -p1
	accepted
	printed '^probe begin'
	rc=0
	echo "$name" | "$KTAP" -i >out 2>err || rc=$?
	test $rc = 0 || fail "-i: $name ends with $rc"
	! grep -q 'is the script' err || fail "-i: $name is the script"
done
printf 'help probes\nexplain key-type\n' | "$KTAP" -i >out 2>err || fail "-i: commands with an argument"
printed '^\[key-type\]'
! grep -q planted out || fail "-i: a command is the script"

# A word that is no command: in the open directory its file must be named by its path.
cp complete run
cp complete open/run
ktap -p1 run
accepted
cd open || exit 1
for options in '' -v; do
	# shellcheck disable=SC2086
	ktap $options run -p1
	refused untrusted
	said "the script 'run' in this directory is not run: '.*/open' can be written by others"
	said "note: to run it anyway, write: ktap ./run"
done
ktap -p1 ./run
accepted
cp run run.stp
ktap -p1 run.stp
accepted
rm run
mkfifo run
ktap -p1 run
refused untrusted
rm run
ktap run
refused io
cd .. || exit 1
rm run
mkfifo run
ktap -p1 run
refused untrusted
said "'.*/run' is not a regular file"
