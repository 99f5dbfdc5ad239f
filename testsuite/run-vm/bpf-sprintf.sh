#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
#! needs-config: X86_64
# sprintf and the like compose the same string in a BPF program as in ktaprun, which runs the end probe: numbers with flags and widths, strings,
# text that is not ASCII, strings that are cut at each place. What bpf_snprintf() cannot do is refused.
. "$SRCDIR/testsuite/lib/process.sh"

program calls -D_GNU_SOURCE <<'END'
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	return lseek(open("/dev/zero", O_RDONLY), -5, SEEK_CUR) < 0;
}
END

cat >body <<'END'
	println("1 ", sprintf("%d %i %u %x %X", minus, minus, minus, minus, minus))
	println("2 ", sprintf("[%5d|%-5d|%05d|%+d|% d|%8x|%-8x|%08X]", minus, minus, minus, one, one, 255 * one, 255, 3054))
	println("3 ", sprintf("%d", 0x7fffffffffffffff * one), sprintf(" %d %u", 0x8000000000000000 * one, 0x8000000000000000))
	println("4 ", sprintf("%s-%s", word, word), sprintf("%s", ""), sprintf("%s%d%s", "", one, empty), sprintf(""), sprintf("%%"), sprintf("100%% of %d%%", one))
	println("5 ", sprintf("\303\251%d\303\251\t%d\303\251%s\n", one, minus, "\303\251"))
	println("6 ", sprint(one, word, minus), " ", sprintln(one, "x"), sprintd(", ", one, word, 3))
	println("7 ", sprintf("%c%c%c", 65, 65 + one, 67), sprintf("%ld %lld %lx", one, minus, one))
	println("8 ", sprintf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, one))
	println("9 ", sprintf("%s%s%s", text, word, text))
	println("10 ", sprintf("%s%d", text, one), " ", sprintf("%d%s", one, text), " ", sprintf("%s", text))
	println("11 ", sprintf("%100d", one), "|", sprintf("%39d", one), "|", sprintf("%40d", one), "|", sprintf("%-41d", one))
	println("12 ", sprintf("%s%s", text, "0123456789"), " ", sprintf("%s%s", text, "012345678"), " ", sprintf("%s%s.", text, "01234567"))
	println("13 ", sprintf("(%s)", sprintf("<%d>", one + strlen_of(sprintf("%d", one)))))
	array[sprintf("%d.%d", one, one), one] = sprintf("%s=%d", word, minus); println("14 ", array["1.1", 1])
	println("16 ", sprintf("[%6s|%-6s|%3s|%-*s|%-*s]", word, word, word, 7, "ab", -3 * one, empty), sprintf("%#x %#X %p", 255, 255, 4096 * one))
	println("17 ", sprintf("%30s", word), "|", sprintf("%40s", word), "|", sprintf("%-50s", word), "|", sprintf("%-*s", 1000000, "x"))
	println("15 ", sprintf("%d", one) == "1", sprintf("%d", one) . sprintf("%d", 2 * one))
END
{
	echo 'global array, word = "word", empty = "", text = "thirty bytes of text, exactly."'
	echo 'function strlen_of(s) { if (s == "1") return 1; return -1 }'
	echo 'probe kernel.function("null_lseek").call { if (execname() != "calls") next; one = $orig; minus = $offset'
	cat body
	echo '}'
	echo 'probe end { println("end"); delete array; one = 1; minus = -5'
	cat body
	echo '}'
} >strings.stp

for release in $(kernels); do
	bpf_session strings -w -DMAXSTRINGLEN=40 -c ./calls strings.stp
	boot
	result strings
	sed '/^end$/,$d' out >hit
	sed '1,/^end$/d' out >cold
	cat hit
	cmp -s hit cold || { diff hit cold; fail "not the same at a hit on $release"; }
	test "$(grep -c '^[0-9]* ' hit)" = 17 || fail "$(cat hit)"
	grep -qx '1 -5 -5 18446744073709551611 ffffffffffff' hit || fail "numbers"
	grep -qx '2 \[   -5|-5   |-0005|+1| 1|      ff|ff   ' hit || fail "widths"
	grep -qx '9 thirty bytes of text, exactly.wordthirt' hit || fail "cut"
	said 'WARNING: [0-9]* strings were cut to fit'
	for directive in '%#d' '%.3d' '%*d' '%o' '%*s' '%8p'; do
		ktap --runtime=bpf -p4 -r "$release" -e "probe kernel.function(\"null_lseek\") { s = sprintf(\"$directive\", $(case $directive in
			*s) echo '4, execname()' ;;
			*'*'*) echo '4, 5' ;;
			*) echo 5 ;;
			esac)) println(s) }"
		refused bpf
		grep -qF "composing a string by '$directive'" err || fail "not refused by name: $directive"
	done
done
