#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Globals of libraries are a script's too, unless they are private or begin with two underscores; a script's own of the same
# name is another one, and the library's file is read only when the script names what it has.
. "$SRCDIR/testsuite/lib/sh.sh"

mkdir -p lib
cat >lib/state.stp <<'S'
global level = 40, shared, __inner = 1
private global own = 2
private global size = 3, text = "a, b"
private alone = 4
function raise:long () { return ++level + __inner + own + alone + size }
function show:string () { return sprintf("%d %s", level, text) }
S
echo 'global broken = ( ' >lib/broken.stp
run()
{
	ktap -I lib --runtime=user -e "$1"
	accepted
}

run 'probe begin { level = 5; shared["k"] = 1; println(raise(), " ", show(), " ", shared["k"]) exit() }'
printed '^16 6 a, b 1$'
run 'global level = 7
probe begin { level++; println(raise(), " ", level) exit() }'
printed '^51 8$'
run 'function f:long (level:long) { return level * 2 }
probe begin { foreach (level in shared) println(level); println(f(4)) exit() }'
printed '^8$'
# Names that only the library means are the script's to choose: its own file is not even read.
run 'probe begin { own = "s"; size = "t"; alone = "u"; __inner = "v"; println(own, size, alone, __inner) exit() }'
printed '^stuv$'
ktap -I lib -p2 -e 'probe begin { own = 1; __inner = own; println(__inner) }'
accepted
! grep -q 'level\|raise' out || fail "the library is read for names that are its own"
# With the library: a private global stays out of sight.
run 'probe begin { own = "s"; size = "t"; println(raise(), own, size) exit() }'
printed '^51st$'
ktap -I lib -p2 -e 'probe begin { println(broken) }'
said 'broken\.stp'
# A variable that no library knows.
ktap -p2 -e 'probe begin { levels = 1; println(levels) }'
accepted
printed '^  levels:long'
