#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# A mark of a program, with its arguments. (A .stp test cannot bring a program.)
. "$SRCDIR/testsuite/lib/process.sh"
program prog <<'END'
#include <sys/sdt.h>
int main(void)
{
	STAP_PROBE2(prov, here, 42, "text");
	return 0;
}
END
for release in $(kernels); do
	session mark -c ./prog -e 'probe process("./prog").mark("here") { println($arg1, " ", user_string($arg2)) }'
	boot
	result mark
	printed '^42 text$'
done
