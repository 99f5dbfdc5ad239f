#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An enumeration without enumerators, as std::byte is: @enumname of its values is the number, and its analysis ends.
. "$SRCDIR/testsuite/lib/sh.sh"

cat >prog.cpp <<'END'
enum class none : unsigned char {};
none value = none(3);
__attribute__((noipa)) int f(none *n) { return (int)*n; }
int main() { return f(&value); }
END
g++ -g -O1 -o prog prog.cpp || fail "cannot compile"
ktap --runtime=user -e 'probe begin { println("<", @enumname(7, "none", "./prog"), ">") exit() }'
accepted
printed '^<7>$'
