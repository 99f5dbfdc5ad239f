#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# The ledger of BPF programs, whose hits and losses are known: strings that are cut, errors, a full array, records that find no space, and
# kprobes in what a handler calls, which the kernel of 6.12 counts and that of 6.1 does not: it says so.
. "$SRCDIR/testsuite/lib/process.sh"

program calls <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noipa)) void joined(const char *s) { __asm__ volatile("" : : "r"(s)); }
__attribute__((noipa)) void divided(long i) { __asm__ volatile("" : : "r"(i)); }
__attribute__((noipa)) void filled(long i) { __asm__ volatile("" : : "r"(i)); }
__attribute__((noipa)) void printed(const char *s) { __asm__ volatile("" : : "r"(s)); }
int main(int argc, char **argv) {
	static char text[500] = "";
	int fd = open("/dev/zero", O_RDONLY);
	for (int i = 0; i < 1000; i++) {
		joined("123456789" + i % 10); /* 9 to 0 bytes */
		divided(i);
		filled(i);
		if (argc > 1) lseek(fd, i, SEEK_SET);
	}
	memset(text, 'x', sizeof(text) - 1);
	for (int i = 0; argc == 1 && i < 40000; i++) printed(text);
	return 0;
}
END

# 10 bytes and 9 to 0: of ten, four do not fit into 15. One of four divides by zero. Ten elements fit.
cat >losses.stp <<'END'
global last, sum, full[10]
probe process("./calls").function("joined") { last = "0123456789" . user_string($s) }
probe process("./calls").function("divided") { sum += 100 / ($i % 4) }
probe process("./calls").function("filled") { full[$i] = 1 }
probe process("./calls").function("printed") { }
probe end { println("K ", last, " ", sum, " ", full[9], full[10]) }
END
cat >records.stp <<'END'
probe process("./calls").function("printed") { printf("%s%s\n", user_string($s), user_string($s)) }
END
# A member is read by copy_from_kernel_nofault(), in which the kernel fires no kprobe then.
cat >nested.stp <<'END'
global sum, inner
probe kernel.function("null_lseek").call { if (pid() == target()) sum += $file->f_mode & 0 }
probe kernel.function("copy_from_kernel_nofault").call { if (pid() == target()) inner++ }
probe end { println("K ", sum, " ", inner < 1000) }
END
for release in $(kernels); do
	programs losses -c ./calls -DMAXSTRINGLEN=16 -DMAXERRORS=5000 losses.stp
	programs records -c ./calls records.stp
	programs nested -c './calls lseek' nested.stp
	in_guest '
	for name in losses records; do
		"$KTAPRUN" --ledger -c ./calls kt_$name.bpf >$RESULTS/$name.out 2>$RESULTS/$name.err </dev/null
		echo $? >$RESULTS/$name.status
	done
	"$KTAPRUN" --ledger -c "./calls lseek" kt_nested.bpf >$RESULTS/nested.out 2>$RESULTS/nested.err </dev/null
	echo $? >$RESULTS/nested.status'
	boot
	cp results/losses.out out
	# 100 / 1, 2 and 3, 250 times each
	echo "K 0123456789 $((250 * (100 + 50 + 33))) 10" | expect
	for line in '1000     1000      0           0          400  process("./calls").function("joined")' \
		'1000      750    250           0            0  process("./calls").function("divided")' \
		'1000       10      0         990            0  process("./calls").function("filled")' \
		'40000    40000      0           0            0  process("./calls").function("printed")'; do
		sed "s,$PWD,.,; s,function(\"\([a-z]*\)@[^\"]*\"),function(\"\1\")," results/losses.err | grep -qF "$line" ||
			fail "the ledger on $release lacks '$line': $(tail -n 12 results/losses.err)"
	done

	printed=$(grep -c '^x\{998\}$' results/records.out)
	lost=$(awk '/lost-records/ { for (i = 1; i <= NF; i++) if ($i == "lost-records") column = i } column && /total/ { print $column }' results/records.err)
	test "$((printed + ${lost:-0}))" = 40000 || fail "$printed records and ${lost:-0} lost are not 40000 on $release: $(tail -n 5 results/records.err)"
	test "$(wc -l <results/records.out)" = "$printed" || fail "$release printed something else"

	cp results/nested.out out
	echo 'K 0 1' | expect
	cp results/nested.err err
	if grep -q 'This kernel does not count the hits of kprobes that it misses' err; then
		case $release in 6.1.*) ;; *) fail "$release counts them" ;; esac
	else
		grep 'function("copy_from_kernel_nofault' err | awk '$3 == 1000 && $1 == $2 + $3' | grep -q . ||
			fail "no nested kprobes on $release: $(cat err)"
	fi
done
