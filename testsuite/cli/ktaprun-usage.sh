#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What ktaprun refuses before it looks at a module, with a message that names the option and what was found.
. "$SRCDIR/testsuite/lib/sh.sh"
KTAP=$BUILDDIR/ktaprun

# wrong MESSAGE ARGUMENT...
wrong()
{
	message=$1
	shift
	ktap "$@"
	refused usage
	said "$message"
}

for seconds in x 0 -1 1x '' inf nan 1e10; do
	wrong "-T needs seconds above 0, at most 1000000000, not '$seconds'" -T "$seconds" none.ko
done
for pid in x 0 -1 1x 2147483648 ''; do
	wrong "-x: expected a process number, found '$pid'" -x "$pid" none.ko
done
wrong '-x: there is no process 2147483647' -x 2147483647 none.ko
for size in 0 x -1 1,0 1, 1,x 1,2,3 '1 ' ''; do
	wrong "-S: expected megabytes, or megabytes,files, both above 0, found '$size'" -S "$size" -o out none.ko
done
# Options of staprun are known, so that the message says what to do instead.
for letter in A b C L M N R u; do
	wrong "no '-$letter' here: [a-z-]" "-$letter" none.ko
done
wrong "no '-R' here: a second session of a module gets another name" -R none.ko
wrong "unknown option '-Q'" -Q none.ko
wrong "-f: expected text or json, found 'xml'" -f xml none.ko
wrong "--transport: expected ring or relay, found 'pigeon'" --transport=pigeon none.ko
wrong "--timestamps: expected wall, mono or delta, found 'sun'" --timestamps=sun none.ko
wrong '-S needs -o FILE' -S 1 none.ko
wrong '-D needs -o FILE' -D none.ko
wrong '-c and -x exclude each other' -c true -x $$ none.ko
wrong '--control and -D exclude each other' --control -D -o out none.ko
for option in '-S 1 -o out' '-D -o out' '-f json' '--timestamps'; do
	# shellcheck disable=SC2086
	wrong '--bulk writes records that are not formatted' --bulk $option none.ko
done
wrong 'expected one module, found 0 arguments '
wrong "expected one module, and NAME=VALUE after it, found 'two.ko'" one.ko limit=2 two.ko
wrong 'expected no module, found 1 argument ' -d name none.ko
wrong 'expected no module, found 1 argument ' --attach name none.ko
wrong '--merge needs the files of a session with --bulk' --merge
wrong '--merge needs the files of a session with --bulk' --merge -d name file
wrong "--attach: expected the name of a module, found 'a/b'" --attach a/b
wrong "--attach: expected the name of a module, found '$(printf %0120d 0)'" --attach "$(printf %0120d 0)"

ktap none.ko
refused run
said "cannot open module 'none.ko': No such file"
ktap --attach no_such_session
refused run
said "there is no session 'no_such_session'"
ktap --version
accepted
printed "(interface [0-9]*)\$"
ktap --help
accepted
printed '^ *-T'
printed 'ktaprun --merge FILE...'
