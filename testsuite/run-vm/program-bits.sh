#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64
# probing_32bit_app() and uarch_bytes() tell programs of 32 bits from others, wherever a probe finds them running, and say
# 64 bits in the kernel.
. "$SRCDIR/testsuite/lib/process.sh"

for bits in 32 64; do
	cat >p.c <<'END'
void _start(void) { for (;;) __asm__ volatile("pause"); }
END
	${CC:-gcc} -m$bits -O2 -static -nostdlib -o bits$bits p.c || fail "cannot compile for $bits bits"
done
file=$(od -An -tx1 -j4 -N1 bits32)
test "$file" = " 01" || fail "bits32 is no file of 32 bits: $file"
for release in $(kernels); do
	for bits in 32 64; do
		session bits$bits -c ./bits$bits -e '
		probe timer.profile {
			/* Not before its exec. */
			if (pid() != target() || !user_mode() || execname() == "ktaprun")
				next
			println(execname(), " ", probing_32bit_app(), " ", uarch_bytes(), " ", arch_bytes())
			exit()
		}
		probe end { println("end ", probing_32bit_app()) }'
	done
	boot
	result bits32
	expect <<'END'
bits32 1 4 8
end 0
END
	result bits64
	expect <<'END'
bits64 0 8 8
end 0
END
done
