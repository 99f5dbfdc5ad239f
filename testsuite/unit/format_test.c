/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/format.c: every conversion, flag and amount; records, whole and damaged. */
#include "runtime/core/format.h"
#include "testsuite/unit/tap.h"

#define N(v) { .number = (v) }
#define S(v) { .string = (v) }
#define M(v, n) { .string = (v), .len = (n) }

static void is_format(const char *want, const char *format, const struct kt_arg *args, kt_u32 n)
{
	char b[256];
	kt_u32 len = kt_format(b, sizeof(b), format, args, n);

	is_str(b, want, format);
	ok(len == strlen(want), "length of %s", format);
}
#define IS(want, format, ...) \
	is_format(want, format, (struct kt_arg[]){ __VA_ARGS__ }, \
		  sizeof((struct kt_arg[]){ __VA_ARGS__ }) / sizeof(struct kt_arg))

static void numbers(void)
{
	IS("-5", "%d", N(-5));
	IS("+5", "%+d", N(5));
	IS(" 5", "% d", N(5));
	IS("    5|", "%5d|", N(5));
	IS("5    |", "%-5d|", N(5));
	IS("00005", "%05d", N(5));
	IS("-0005", "%05d", N(-5));
	IS("  007", "%5.3d", N(7));
	IS("  007", "%05.3d", N(7));
	IS("-9223372036854775808", "%d", N(-0x7fffffffffffffffLL - 1));
	IS("18446744073709551615", "%u", N(-1));
	IS("1777777777777777777777", "%o", N(-1));
	IS("010", "%#o", N(8));
	IS("0", "%#o", N(0));
	IS("ff FF", "%x %X", N(255), N(255));
	IS("0xff 0XFF", "%#x %#X", N(255), N(255));
	IS("0x0", "%#x", N(0));
	IS("0x00ff", "%#06x", N(255));
	IS("0xffffffff81000000", "%p", N((kt_s64)0xffffffff81000000ULL));
	IS("      0x1f", "%10p", N(31));
	IS("0x1f      |", "%-10p|", N(31));
	IS("12", "%ld", N(12));
	IS("12", "%lli", N(12));
	IS("    7|3    |", "%*d|%*d|", N(5), N(7), N(-5), N(3));
	IS("0007", "%.*d", N(4), N(7));
	IS("7", "%.*d", N(-4), N(7));
	IS("100%", "%d%%", N(100));
	IS("0", "%d", N(0));
}

static void texts(void)
{
	IS("[abc]", "[%s]", S("abc"));
	IS("[  abc]", "[%5s]", S("abc"));
	IS("[abc  ]", "[%-5s]", S("abc"));
	IS("[ab]", "[%.2s]", S("abc"));
	IS("[ ab]", "[%*.*s]", N(3), N(2), S("abc"));
	IS("[a\\n\\\"\\377]", "[%#s]", S("a\n\"\xff"));
	IS("[  a\\n]", "[%#5s]", S("a\n"));
	IS("abc", "%s", M("abcdef", 3));
	IS("ab", "%s", M("ab\0def", 6));
	IS("A", "%c", N('A'));
	IS("  A", "%3c", N('A'));
	IS("\\t", "%#c", N('\t'));
	IS("[]", "[%s]", N(3));
}

static void memory(void)
{
	char b[32];
	struct kt_arg args[] = { N(0xc0dedbad), N(0x12345678) };

	IS("de00ad", "%.3M", M("\xde\x00\xad", 3));
	IS("  00", "%4M", M("\0", 1));
	IS("xyz ", "%-4m", M("xyz", 3));
	is_int(kt_format(b, sizeof(b), "%b%b", args, 2), 16, "%b%b");
	ok(!memcmp(b, "\xad\xdb\xde\xc0\0\0\0\0\x78\x56\x34\x12\0\0\0\0", 17), "%%b%%b bytes");
	IS(" 97: aA!", "%3d: %1b%1b%1b", N(97), N(97), N(65), N(33));
	is_int(kt_format(b, sizeof(b), "%2b%.4b%3b", args, 2), 14, "sized %b");
}

static void odd(void)
{
	char b[4];
	struct kt_arg none[1];
	struct kt_directive d;

	is_int(kt_format(b, sizeof(b), "abcdef", none, 0), 6, "length wanted when cut");
	is_str(b, "abc", "cut");
	is_int(kt_format(NULL, 0, "%5d", none, 0), 5, "no room at all");
	is_format("0 ", "%d %s", none, 0);
	is_format("x", "x%", none, 0);
	is_format("", "%y", none, 0);
	is_int(kt_format(b, sizeof(b), "%99999999999d", none, 0), 65535, "width is bounded");
	IS("5", "%.*d", N(-0x7fffffffffffffffLL - 1), N(5));
	is_int(*kt_directive("%-08.*lldX", &d), 'X', "end of a directive");
	ok(d.flags == (KT_FLAG_LEFT | KT_FLAG_ZERO) && d.width == 8 && d.precision == KT_FROM_ARG && d.conv == 'd',
	   "members of a directive");
	is_int(*kt_directive("%5", &d), 0, "a directive without a conversion");
	is_int(d.conv, 0, "and its conv");
}

static void records(void)
{
	_Alignas(8) char data[64];
	char b[64];
	struct kt_arg args[KT_ARGS_MAX];
	char *at = kt_put_long(data, 6);
	kt_u32 size;
	kt_s32 n;

	at = kt_put_text(at, "four");
	at = kt_put_string(at, "\1\2", 2);
	at = kt_put_long(at, 42);
	size = at - data;
	n = kt_format_record("%*s %.2M %d%%\n", data, size, args, KT_ARGS_MAX);
	is_int(n, 4, "arguments of a record");
	kt_format(b, sizeof(b), "%*s %.2M %d%%\n", args, n);
	is_str(b, "  four 0102 42%\n", "formatted");
	for (kt_u32 cut = 0; cut < size; cut++)
		ok(kt_format_record("%*s %.2M %d%%\n", data, cut, args, KT_ARGS_MAX) < 0, "cut at %u", cut);
	ok(kt_format_record("%d", data, size, args, KT_ARGS_MAX) < 0, "bytes left over");
	ok(kt_format_record("%*s %.2M %d%%\n", data, size, args, 3) < 0, "too many arguments");
	memset(data + 8, 0xff, 4);
	ok(kt_format_record("%*s %.2M %d%%\n", data, size, args, KT_ARGS_MAX) < 0, "a length of 4 GB");
	memset(data, 0, 8);
	is_int(kt_format_record("%s", data, 8, args, 1), 1, "an empty string");
	is_str(args[0].string, "", "is empty");
}

/* An address in place of its name. */
static void names(void)
{
	const kt_u64 address = 0xffffffff81000000;
	const kt_u32 len = (kt_u32)KT_NAME_DATA << KT_NAME_SHIFT | sizeof(address);
	_Alignas(8) char data[32];
	struct kt_arg arg;

	is_int((char *)kt_put_name(data, (const char *)&address, len) - data, kt_name_room(len), "room for an address");
	is_int(kt_format_record("%s", data, kt_name_room(len), &arg, 1), 1, "a name");
	ok(arg.name == KT_NAME_DATA && (kt_u64)arg.number == address && arg.string, "its kind and address");
	for (kt_u32 cut = 0; cut < kt_name_room(len); cut++)
		ok(kt_format_record("%s", data, cut, &arg, 1) < 0, "a name cut at %u", cut);
	kt_put_name(data, (const char *)&address, len - 1);
	ok(kt_format_record("%s", data, kt_name_room(len), &arg, 1) < 0, "an address of seven bytes");
	kt_put_name(data, "four", 4);
	is_int(kt_format_record("%s", data, 8, &arg, 1), 1, "a name as text");
	is_int(arg.name, KT_NAME_NONE, "is no address");
}

/* Random directives give what the C library gives, where the two agree in principle. */
static void against_libc(void)
{
	static const char flags[] = "0+-# ", convs[] = "diuoxXs";
	unsigned long long x = 3;
	int wrong = 0;

	for (int i = 0; i < 50000 && wrong < 5; i++) {
		char ours[32] = "%", libc[32], got[512], want[512];
		kt_u32 r, at = 1;

		x = x * 6364136223846793005ull + 1442695040888963407ull;
		r = x >> 33;
		for (int f = 0; f < 5; f++) {
			if (r >> f & 1 && r >> 5 & 1)
				ours[at++] = flags[f];
		}
		at += r >> 6 & 1 ? sprintf(ours + at, "%u", r >> 7 & 31) : 0;
		at += r >> 12 & 1 ? sprintf(ours + at, ".%u", r >> 13 & 31) : 0;
		char conv = convs[(r >> 18) % 7];
		long long v = (long long)(x ^ x << 31) >> (r >> 21) % 64;

		if (conv == 's') { /* C has no flags there but - */
			sprintf(ours, "%%%s%u.%us", r & 1 ? "-" : "", r >> 7 & 31, r >> 13 & 31);
			snprintf(want, sizeof(want), ours, "some text of 25 characters");
		} else {
			if (strpbrk(ours, "#."))
				v |= 1; /* zero is never without a digit, and has its 0x */
			sprintf(libc, "%.*sll%c", (int)at, ours, conv);
			ours[at] = conv;
			ours[at + 1] = 0;
			snprintf(want, sizeof(want), libc, v);
		}
		struct kt_arg arg = { .number = v, .string = conv == 's' ? "some text of 25 characters" : NULL };

		kt_format(got, sizeof(got), ours, &arg, 1);
		if (strcmp(got, want)) {
			printf("# %s of %lld: '%s', the C library: '%s'\n", ours, v, got, want);
			wrong++;
		}
	}
	ok(!wrong, "50,000 random directives agree with the C library");
}

static void errors(void)
{
	static struct kt_ctx c;

	kt_errorf(&c, "%s at %x, %d of %d", "fault", 0xabcLL, 1LL, -2LL);
	is_str(c.error, "fault at abc, 1 of -2", "kt_errorf");
	is_int(c.error_place, KT_NO_PLACE, "without a place");
}

int main(void)
{
	numbers();
	texts();
	memory();
	odd();
	records();
	names();
	against_libc();
	errors();
	return tap_done();
}
