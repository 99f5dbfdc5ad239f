/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The printf family: format text and arguments in, bytes out; and arguments out of a record.
 *
 * Directives are %[flag][width|*][.precision|.*][l]conv. Numbers follow C, except that # puts
 * 0x before zero too, as scripts expect. The output may hold NUL bytes (%b, %m, %c): the returned length counts.
 * Context: any. Cost is linear in the output; a width past WIDTH_MAX is cut, so no argument makes it long.
 */
#include "format.h"

#include "bytes.h"

enum {
	WIDTH_MAX = 65535,
	DIGITS_MAX = 24, /* of 64 bits in octal: 22 */
};

static inline char conv_type(char conv)
{
	switch (conv) {
	case 'b': case 'c': case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'p':
		return 'L';
	case 's':
		return 'S';
	case 'm': case 'M':
		return 'M';
	}
	return 0;
}

char kt_conv_type(char conv)
{
	return conv_type(conv);
}

/* Digits, `*`, or nothing. Large numbers saturate instead of overflowing. */
static const char *read_amount(const char *p, kt_s32 *ret)
{
	if (*p == '*') {
		*ret = KT_FROM_ARG;
		return p + 1;
	}
	if (*p < '0' || *p > '9')
		return p;
	for (*ret = 0; *p >= '0' && *p <= '9'; p++) {
		if (*ret < WIDTH_MAX)
			*ret = *ret * 10 + (*p - '0');
	}
	return p;
}

const char *kt_directive(const char *format, struct kt_directive *ret)
{
	static const char flags[] = "0+-# ";
	const char *p = format + 1;

	ret->flags = 0;
	ret->width = ret->precision = KT_NOT_GIVEN;
	if (conv_type(*p)) {
		ret->conv = *p;
		return p + 1;
	}
	for (;; p++) {
		kt_u32 i = 0;

		while (flags[i] && flags[i] != *p)
			i++;
		if (!flags[i])
			break;
		ret->flags |= 1u << i;
	}
	p = read_amount(p, &ret->width);
	if (*p == '.') {
		ret->precision = 0;
		p = read_amount(p + 1, &ret->precision);
	}
	while (*p == 'l')
		p++;
	ret->conv = conv_type(*p) || *p == '%' ? *p : 0;
	return *p ? p + 1 : p;
}

/* ---- output ---- */

static void out_bytes(struct kt_out *o, const char *s, kt_u32 n)
{
	if (n < o->size && o->len < o->size - n) {
		kt_copy_bytes(o->at + o->len, s, n);
		o->len += n;
		return;
	}
	while (n--)
		kt_out_char(o, *s++);
}

static void out_escaped(struct kt_out *o, const char *s, kt_u32 n)
{
	while (n--) {
		char e[4];

		out_bytes(o, e, kt_escape(e, *s++));
	}
}

static kt_u32 escaped_len(const char *s, kt_u32 n)
{
	kt_u32 len = 0;
	char e[4];

	while (n--)
		len += kt_escape(e, *s++);
	return len;
}

/* Spaces before (or after, with -) something of LEN bytes. */
static inline void pad(struct kt_out *o, const struct kt_directive *d, kt_u32 len, int after)
{
	if (d->width > 0 && !(d->flags & KT_FLAG_LEFT) == !after)
		kt_out_fill(o, ' ', (kt_s64)d->width - len);
}

static void format_string(struct kt_out *o, const struct kt_directive *d, const char *s, kt_u32 n)
{
	kt_u32 len = d->flags & KT_FLAG_ALT ? escaped_len(s, n) : n;

	pad(o, d, len, 0);
	if (d->flags & KT_FLAG_ALT)
		out_escaped(o, s, n);
	else
		out_bytes(o, s, n);
	pad(o, d, len, 1);
}

/* Raw bytes, or with %M two hex digits each. */
static void format_memory(struct kt_out *o, const struct kt_directive *d, const char *s, kt_u32 n)
{
	static const char hex[] = "0123456789abcdef";
	int dump = d->conv == 'M';

	pad(o, d, dump ? 2 * n : n, 0);
	for (kt_u32 i = 0; i < n; i++) {
		unsigned char byte = s[i];

		if (dump) {
			kt_out_char(o, hex[byte >> 4]);
			kt_out_char(o, hex[byte & 15]);
		} else {
			kt_out_char(o, byte);
		}
	}
	pad(o, d, dump ? 2 * n : n, 1);
}

/* The value's own bytes. The width (or the precision, when both are given) says how many: 1, 2, 4 or 8. */
static void format_binary(struct kt_out *o, const struct kt_directive *d, kt_s64 value)
{
	kt_s32 n = d->precision >= 0 ? d->precision : d->width;
	char bytes[8];

	if (n != 1 && n != 2 && n != 4 && n != 8)
		n = 8;
	memcpy(bytes, &value, 8); /* little endian, as every machine ktap runs on */
	pad(o, d, n, 0);
	out_bytes(o, bytes, n);
	pad(o, d, n, 1);
}

/* Puts the two digits of VALUE before END, and returns the first one. */
static inline char *put_pair(char *end, kt_u32 value)
{
	*--end = (char)('0' + value % 10);
	*--end = (char)('0' + value / 10);
	return end;
}

/* Puts the digits of VALUE before END, with so many BITS a digit; 0: decimal. Returns the first one. */
static char *digits_of(char *end, kt_u64 value, kt_u32 bits, int upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	if (bits) {
		do {
			*--end = digits[value & ((1u << bits) - 1)];
			value >>= bits;
		} while (value);
		return end;
	}
	for (; value >= 100; value /= 100)
		end = put_pair(end, (kt_u32)(value % 100));
	if (value >= 10)
		return put_pair(end, (kt_u32)value);
	*--end = (char)('0' + value);
	return end;
}

static void format_number(struct kt_out *o, const struct kt_directive *d, kt_s64 number)
{
	int is_signed = d->conv == 'd' || d->conv == 'i';
	kt_u32 bits = d->conv == 'o' ? 3 : d->conv == 'x' || d->conv == 'X' || d->conv == 'p' ? 4 : 0;
	kt_u64 value = is_signed && number < 0 ? -(kt_u64)number : (kt_u64)number;
	char digits[DIGITS_MAX], prefix[3], *first = digits_of(digits + DIGITS_MAX, value, bits, d->conv == 'X');
	kt_u32 n = (kt_u32)(digits + DIGITS_MAX - first), len, n_prefix = 0;
	kt_s64 zeros;

	if (is_signed && number < 0)
		prefix[n_prefix++] = '-';
	else if (is_signed && d->flags & KT_FLAG_PLUS)
		prefix[n_prefix++] = '+';
	else if (is_signed && d->flags & KT_FLAG_SPACE)
		prefix[n_prefix++] = ' ';
	if (bits == 4 && (d->flags & KT_FLAG_ALT || d->conv == 'p')) {
		prefix[n_prefix++] = '0';
		prefix[n_prefix++] = d->conv == 'X' ? 'X' : 'x';
	}
	zeros = (kt_s64)d->precision - n;
	if (d->precision < 0 && d->flags & KT_FLAG_ZERO && !(d->flags & KT_FLAG_LEFT))
		zeros = (kt_s64)d->width - n_prefix - n;
	if (zeros < 0)
		zeros = 0;
	if (bits == 3 && d->flags & KT_FLAG_ALT && value && !zeros)
		zeros = 1;
	len = n_prefix + zeros + n;
	pad(o, d, len, 0);
	if (n_prefix)
		out_bytes(o, prefix, n_prefix);
	kt_out_fill(o, '0', zeros);
	out_bytes(o, first, n);
	pad(o, d, len, 1);
}

static void format_char(struct kt_out *o, const struct kt_directive *d, kt_s64 value)
{
	char ch = (char)value;
	kt_u32 n = ch == '\'' ? 2 : 1;

	if ((ch != '\'' && ch != '"') || !(d->flags & KT_FLAG_ALT)) {
		format_string(o, d, &ch, 1);
		return;
	}
	/* Between apostrophes an apostrophe is escaped and a quote is not; in a string it is the reverse. */
	pad(o, d, n, 0);
	out_bytes(o, n == 2 ? "\\'" : "\"", n);
	pad(o, d, n, 1);
}

/* ---- arguments ---- */

struct arg_list {
	const struct kt_arg *next;
	kt_u32 left;
};

/* The next argument; when none is left one that is both 0 and "". */
static struct kt_arg next_arg(struct arg_list *a)
{
	static const struct kt_arg none;

	if (!a->left)
		return none;
	a->left--;
	return *a->next++;
}

/* Puts the numbers of `*` into the directive. A negative width means - and its absolute value, as in C. */
static void take_amounts(struct kt_directive *d, struct arg_list *a)
{
	if (d->width == KT_FROM_ARG) {
		kt_s64 w = next_arg(a).number;

		if (w < 0) {
			d->flags |= KT_FLAG_LEFT;
			w = w < -WIDTH_MAX ? WIDTH_MAX : -w;
		}
		d->width = w > WIDTH_MAX ? WIDTH_MAX : (kt_s32)w;
	}
	if (d->precision == KT_FROM_ARG) {
		kt_s64 p = next_arg(a).number;

		d->precision = p < 0 ? KT_NOT_GIVEN : p > WIDTH_MAX ? WIDTH_MAX : (kt_s32)p;
	}
	if (d->width > WIDTH_MAX)
		d->width = WIDTH_MAX;
	if (d->precision > WIDTH_MAX)
		d->precision = WIDTH_MAX;
}

/* Bytes of a string argument that %s prints: up to its end, its NUL, or the precision. */
static kt_u32 text_len(const struct kt_arg *arg, kt_s32 precision)
{
	kt_u32 max = arg->len ? arg->len : ~0u;

	if (precision >= 0)
		max = kt_min_u32(max, (kt_u32)precision);
	return max ? kt_length(arg->string, max) : 0;
}

static inline int is_plain(const struct kt_directive *d)
{
	return !d->flags && d->width == KT_NOT_GIVEN && d->precision == KT_NOT_GIVEN;
}

/* %d without anything else, which most directives are. */
static void format_plain_number(struct kt_out *o, kt_s64 number)
{
	char digits[DIGITS_MAX], *first = digits_of(digits + DIGITS_MAX, number < 0 ? -(kt_u64)number : (kt_u64)number, 0, 0);

	if (number < 0)
		*--first = '-';
	out_bytes(o, first, (kt_u32)(digits + DIGITS_MAX - first));
}

static void format_one(struct kt_out *o, struct kt_directive *d, struct arg_list *a)
{
	struct kt_arg arg;
	char type = conv_type(d->conv);

	if (d->conv == 'd' && is_plain(d)) {
		format_plain_number(o, next_arg(a).number);
		return;
	}
	take_amounts(d, a);
	if (d->conv == '%') {
		kt_out_char(o, '%');
		return;
	}
	if (!type)
		return;
	arg = next_arg(a);
	if (type != 'L' && !arg.string) {
		arg.string = "";
		arg.len = 0;
	}
	if (type == 'S')
		format_string(o, d, arg.string, text_len(&arg, d->precision));
	else if (type == 'M')
		format_memory(o, d, arg.string, arg.len);
	else if (d->conv == 'b')
		format_binary(o, d, arg.number);
	else if (d->conv == 'c')
		format_char(o, d, arg.number);
	else
		format_number(o, d, arg.number);
}

/* Inline: both callers end the text in their own way, and a string that fits costs nothing more. */
static inline __attribute__((always_inline)) void format_all(struct kt_out *o, const char *format, const struct kt_arg *args,
							     kt_u32 n)
{
	struct arg_list a = { args, n };

	while (*format) {
		struct kt_directive d;

		if (*format != '%') {
			kt_out_char(o, *format++);
			continue;
		}
		format = kt_directive(format, &d);
		format_one(o, &d, &a);
	}
}

kt_u32 kt_format(char *to, kt_u32 size, const char *format, const struct kt_arg *args, kt_u32 n)
{
	struct kt_out o = { to, size, 0 };

	format_all(&o, format, args, n);
	return kt_out_end(&o);
}

void kt_sprintf(char *to, kt_u32 size, const char *format, const struct kt_arg *args, kt_u32 n)
{
	struct kt_out o = { to, size, 0 };

	format_all(&o, format, args, n);
	kt_out_finish(&o);
}

/* ---- records ---- */

static inline int record_long(const void *data, kt_u32 size, kt_u32 *at, struct kt_arg *ret)
{
	if (size - *at < 8)
		return 0;
	memcpy(&ret->number, (const char *)data + *at, 8);
	ret->string = NULL;
	ret->len = 0;
	ret->name = KT_NAME_NONE;
	*at += 8;
	return 1;
}

/* The address alone of which a name is wanted. */
static int record_name(const void *data, kt_u32 size, kt_u32 *at, kt_u32 head, struct kt_arg *ret)
{
	if (kt_name_length(head) != sizeof(ret->number) || kt_name_room(head) > size - *at)
		return 0;
	memcpy(&ret->number, (const char *)data + *at + KT_STRING_HEADER, sizeof(ret->number));
	ret->string = "";
	ret->len = 0;
	ret->name = head >> KT_NAME_SHIFT;
	*at += kt_name_room(head);
	return 1;
}

int kt_record_string(const void *data, kt_u32 size, kt_u32 *at, struct kt_arg *ret)
{
	kt_u32 len;

	if (size - *at < KT_STRING_HEADER)
		return 0;
	memcpy(&len, (const char *)data + *at, KT_STRING_HEADER);
	if (len >> KT_NAME_SHIFT)
		return record_name(data, size, at, len, ret);
	/* The first test keeps the rounding in kt_string_room() from wrapping. */
	if (len > size - *at || kt_string_room(len) > size - *at)
		return 0;
	ret->number = 0;
	ret->name = KT_NAME_NONE;
	ret->string = len ? (const char *)data + *at + KT_STRING_HEADER : "";
	ret->len = len;
	*at += kt_string_room(len);
	return 1;
}

/* Where the arguments of a record are read from, and where they go. */
struct record_reader {
	const void *data;
	kt_u32 size, at;
	struct kt_arg *ret;
	kt_u32 n, max;
};

/* Reads an argument of TYPE (kt_conv_type()). 0: there is no such argument, or no space for it. */
static inline int read_arg(struct record_reader *r, char type)
{
	struct kt_arg *ret = r->ret + r->n;

	if (r->n == r->max)
		return 0;
	r->n++;
	return type == 'L' ? record_long(r->data, r->size, &r->at, ret) : kt_record_string(r->data, r->size, &r->at, ret);
}

kt_s32 kt_format_record(const char *format, const void *data, kt_u32 size, struct kt_arg *ret, kt_u32 max)
{
	struct record_reader r = { .data = data, .size = size, .ret = ret, .max = max };

	while (*format) {
		struct kt_directive d;
		char type;

		if (*format++ != '%')
			continue;
		format = kt_directive(format - 1, &d);
		if ((d.width == KT_FROM_ARG && !read_arg(&r, 'L')) || (d.precision == KT_FROM_ARG && !read_arg(&r, 'L')))
			return -1;
		type = conv_type(d.conv);
		if (type && !read_arg(&r, type))
			return -1;
	}
	return r.at == size ? (kt_s32)r.n : -1;
}

/* ---- messages ---- */

void kt_errorf(struct kt_ctx *c, const char *fmt, ...)
{
	struct kt_arg args[8];
	__builtin_va_list ap;
	kt_u32 n = 0;

	__builtin_va_start(ap, fmt);
	for (const char *p = fmt; *p && n < 8;) {
		struct kt_directive d;

		if (*p++ != '%')
			continue;
		p = kt_directive(p - 1, &d);
		if (!kt_conv_type(d.conv))
			continue;
		args[n] = (struct kt_arg){ .string = NULL };
		if (kt_conv_type(d.conv) == 'L')
			args[n].number = __builtin_va_arg(ap, kt_s64);
		else
			args[n].string = __builtin_va_arg(ap, const char *);
		n++;
	}
	__builtin_va_end(ap);
	kt_format(c->message, sizeof(c->message), fmt, args, n);
	kt_error(c, c->message);
}
