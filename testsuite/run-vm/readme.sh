#!/bin/sh
#! kernels: one
# Every session of README.md runs, in one virtual machine, and prints the lines that README.md shows. Numbers may differ.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel
release=$(kernels)
run=$(dirname "$KTAP")/ktaprun
here=$PWD

# Session N: its command in N.command, the lines that it prints in N.shown.
perl -ne 'unless (s/^    //) { close O if /\S/; next }
	if (!$open && /^\$ (?=ktap )/) { close O; open C, ">", ++$n . ".command"; open O, ">", "$n.shown"; $c = ""; $open = 1; s/^\$ // }
	if ($open) { print C $_; $c .= $_; $open = /\\$/ || ($c =~ tr/\x27//) % 2; next }
	print O $_ if fileno O' "$SRCDIR/README.md"
test -s 4.command || fail "README.md has fewer than four sessions"

# In place of ktap: builds the module of session $n, and writes the line that runs it in the guest.
session()
{
	test "$1" = --vm || fail "a session without --vm: $*"
	shift
	command=
	for word in "$@"; do
		test "$last" = -c && command=$word
		last=$word
	done
	echo "echo == $n; $run -c '$command' $here/readme$n.ko 2>/dev/null" >>guest.sh
	"$KTAP" -r "$release" -m "readme$n" -p4 "$@" >/dev/null || fail "README.md: session $n does not compile"
	mv "readme$n.ko" "$here" 2>/dev/null
}

: >guest.sh
ln -s "$SRCDIR/examples" examples
for file in *.command; do
	n=${file%.command} last=
	sed 's/^ktap /session /' "$file" >command
	. ./command
done
"$BUILDDIR/ktap-vm" -n "$release" -- sh guest.sh >printed 2>err || fail "the sessions end with $?"
# The same but for numbers, bars and blanks.
normal() { sed 's/0x[0-9a-f]*/N/g; s/[0-9][0-9]*/N/g; s/@//g; s/  */ /g; s/^ //; s/ $//' "$@"; }
for file in *.shown; do
	n=${file%.shown}
	sed -n "/^== $n\$/,/^== /p" printed | normal >have
	grep -v -e '^ *\.\.\.$' -e '^ *~$' -e '^vm$' -e '^ *[0-9]* |' -e '^$' "$file" | normal >want
	test -s want || fail "session $n shows nothing"
	while IFS= read -r line; do
		grep -qxF -e "$line" have || fail "session $n does not print '$line': $(sed -n "/^== $n\$/,/^== /p" printed | head -n 30)"
	done <want
done
