#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program named without a slash: PATH comes first, then the current directory. The command of -c is the shell's to find.
. "$SRCDIR/testsuite/lib/sh.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin here

printf 'int in_path(int x) { return x; }\nint main(void) { return in_path(0); }\n' >a.c
printf 'int in_here(int x) { return x; }\nint main(void) { return in_here(0); }\n' >b.c
${CC:-gcc} -g -O0 -o bin/ktap_both a.c && ${CC:-gcc} -g -O0 -o here/ktap_both b.c && cp here/ktap_both here/ktap_only || fail "cannot compile"
PATH=$PATH:$work/bin
cd here || exit 1
ktap -p2 -e 'probe process("ktap_only").function("in_here") { }'
accepted
printed "process(\"$work/here/ktap_only\")"
ktap -p2 -e 'probe process("ktap_both").function("in_path") { }'
accepted
printed "process(\"$work/bin/ktap_both\")"
ktap -p2 -c ktap_only -e 'probe process.function("in_here") { }'
refused no-program
mkdir ktap_folder
ktap -p2 -e 'probe process("ktap_folder").function("main") { }'
refused no-program
