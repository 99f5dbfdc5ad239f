#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names in a file of a module, of a program, and of the file itself, may be anything: none becomes C. A function or a tracepoint
# whose name C cannot have is not there; the symbol of a function that has another name in the DWARF stays a string.
. "$SRCDIR/testsuite/lib/target.sh"

set -- $(debug_kernels)
R=$1
command -v gcc >/dev/null || { echo "no gcc"; exit 77; }

cat >names.c <<'C'
int x;
__attribute__((noinline)) int plain(int p) { return x += p; }
__attribute__((noinline)) int first_PADDINGPADDINGPADDING(int p) { return x -= p; }
__attribute__((noinline)) int second_PADDINGPADDINGPADDING(int p) { return x *= p; }
__attribute__((noinline)) int __traceiter_third_PADDINGPADDINGPADDING(void *d, int p) { return x ^= p; }
C
gcc -g -O1 -c -o names.ko names.c

# Nothing is left of INJECTED when literals and comments are gone. -p3 prints C that is not compiled.
no_code()
{
	accepted
	grep -q INJECTED out || fail "the name is not there at all"
	perl -0777 -ne 's{/\*.*?\*/|"(?:\\.|[^"\\])*"}{}gs; exit !/INJECTED/' out && fail "a name became C"
}

objcopy --redefine-sym "plain=pl$(printf '\002}; INJECTED\001')" names.ko symbol.ko
ktap -r "$R" -p3 -e "probe module(\"$PWD/symbol.ko\").function(\"plain\") { println(1) }"
no_code

cp names.ko 'na"INJECTED".ko'
ktap -r "$R" -p3 -e "probe module(\"$PWD/na\\\"INJECTED\\\".ko\").trace(\"third*\") { println(1) }"
no_code

# The same length: offsets into the strings stay.
perl -0777 -pe 's/(first_)PADDINGPADDING/$1\x02}; INJECTED\x01z/g; s/(second_|third_)PADDINGPADDING/$1", INJECTED "z/g' names.ko >odd.ko
cmp -s names.ko odd.ko && fail "nothing was changed"
ktap -r "$R" -L "module(\"$PWD/odd.ko\").function(\"*\")"
printed 'plain@'
! grep -a INJECTED out || fail "a function is there"
ktap -r "$R" -L "module(\"$PWD/odd.ko\").trace(\"*\")"
! grep -a INJECTED out || fail "a tracepoint is there"

echo 'int main(void) { return 0; }' | cat names.c - >program.c
gcc -g -O1 -o program program.c
perl -0777 -pe 's/(first_|second_)PADDINGPADDING/$1\x02}; INJECTED\x01z/g' program >odd
chmod +x odd
ktap -r "$R" -L "process(\"$PWD/odd\").function(\"*\")"
printed 'plain@'
! grep -a INJECTED out || fail "a function of the program is there"
