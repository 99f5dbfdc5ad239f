#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# What the functions on memory, registers, arguments, return values and symbols of a program say is what the program says of
# itself: numbers at the ends of each type's range, text with bytes above 127, addresses and names.
. "$SRCDIR/testsuite/lib/process.sh"

program truth -rdynamic -fomit-frame-pointer <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char bytes[16] = { 0xfe, 0xff, 0x7f, 0x80, 0x00, 0xff, 0xff, 0xff, 0x7f, 0x01, 0xff, 0x00, 0x80, 0xc3, 0xa4, 0x00 };
static const char *const texts[] = { "pear", "", "\x01tab\tquote\"end", "\xc3\xa4\xff", "0123456789" };
static volatile int sink;

__attribute__((noipa)) void number(const void *at) { sink += *(const char *)at; }
__attribute__((noipa)) void text(const char *at, int n) { sink += (at != NULL) + n; }
__attribute__((noipa)) void arguments(int a, unsigned b, long c, void *d, int64_t e, unsigned long f) { sink += a + b + c + !d + e + f; }
__attribute__((noipa)) long returned(long v) { sink++; return v; }
__attribute__((noipa)) void place(void) { sink++; }
__attribute__((noipa)) void symbol(const void *at) { sink += !at; }

/* What a type is at bytes + i, byte by byte as the machine has it. */
#define READ(type, i) ({ type value; memcpy(&value, bytes + (i), sizeof(value)); value; })

__attribute__((noipa)) void called(void) { printf("T called by %lx\n", (unsigned long)__builtin_return_address(0)); }

static void tell_numbers(void)
{
	for (int i = 0; i <= 8; i++) {
		printf("T number %d: %d %u %d %d %u %u %d %d %u %u %ld %lu %ld %lu %lx\n", i, READ(signed char, i), READ(uint8_t, i),
		       READ(int8_t, i), READ(short, i), READ(unsigned short, i), READ(uint16_t, i), READ(int16_t, i), READ(int, i),
		       READ(unsigned, i), READ(uint32_t, i), READ(long, i), READ(unsigned long, i), (long)READ(int64_t, i),
		       (unsigned long)READ(uint64_t, i), READ(unsigned long, i));
		number(bytes + i);
	}
}

static void tell_texts(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		printf("T text [%s] [%s] [%.3s] %zu\n", texts[i], texts[i], texts[i], strlen(texts[i]));
		text(texts[i], 3);
	}
	printf("T text [fault] [none] [none] 5\n");
	text((const char *)16, 3);
}

static void tell_arguments(int a, unsigned b, long c, void *d, int64_t e, unsigned long f)
{
	printf("T arguments %d %u %ld %lx %ld %lu registers %d %u %ld\n", a, b, c, (unsigned long)d, (long)e, f, a, b, c);
	arguments(a, b, c, d, e, f);
	printf("T returned %ld %ld\n", c, c);
	returned(c);
}

static void tell_symbol(const char *name)
{
	const void *at = dlsym(NULL, name);
	printf("T symbol %s %s+0x0\n", name, name);
	symbol(at);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	tell_numbers();
	tell_texts();
	tell_arguments(-5, 4000000000u, INT64_MIN, stdout, -1, UINT64_MAX - 7);
	tell_arguments(INT32_MIN, 0, INT64_MAX, NULL, INT64_MIN, 1);
	tell_symbol("returned");
	tell_symbol("main");
	tell_symbol("place");
	called();
	printf("T place %lx %lx\n", (unsigned long)place, (unsigned long)place);
	place();
	return 0;
}
END
cat >script.stp <<'END'
@define REGISTERS %( %( arch == "arm64" %? register("w0"), u_register("w1"), register("x2") %: register("edi"), u_register("esi"), register("rdx") %) %)
probe process("./truth").function("number") {
	a = $at
	printf("K number %d: %d %u %d %d %u %u %d %d %u %u %d %u %d %u %x\n", n++, user_char(a), user_uint8(a), user_int8(a), user_short(a),
	       user_ushort(a), user_uint16(a), user_int16(a), user_int(a), user_uint(a), user_uint32(a), user_long(a), user_ulong(a),
	       user_int64(a), user_uint64(a), user_uint64(a))
}
probe process("./truth").function("text") {
	try { whole = user_string($at) } catch { whole = "fault" }
	printf("K text [%s] [%s] [%s] %d\n", whole, user_string2($at, "none"), user_string_n($at, $n, "none"), strlen(whole))
}
probe process("./truth").function("arguments") {
	printf("K arguments %d %u %d %x %d %u registers %d %u %d\n", int_arg(1), uint_arg(2), long_arg(3), pointer_arg(4), s64_arg(5),
	       ulong_arg(6), @REGISTERS)
}
probe process("./truth").function("returned").return { printf("K returned %d %d\n", returnval(), $return) }
probe process("./truth").function("symbol") { println("K symbol ", usymname($at), " ", tokenize(usymdata($at), "/")) }
probe process("./truth").function("called") {
	tokenize(ubacktrace(), " ")
	printf("K called by %x\n", strtol(tokenize(" "), 16))
}
probe process("./truth").function("place") { printf("K place %x %x\n", uaddr(), strtol(tokenize(ubacktrace(), " "), 16)) }
global n
END
for release in $(kernels); do
	in_vm -c ./truth script.stp
	told_truth
	test "$(wc -l <told)" = 24 || fail "not all was told on $release: $(cat told)"
done
