/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printf as the evaluator sees it: a directive is taken apart, put together again, and given to the C library, whose
 * numbers are the reference. Only what scripts see differently is done here: %p, %#x and %.0d of zero, %c, %b, %#s.
 */
#include "testsuite/oracle/oracle.h"

#include <ctype.h>
#include <string.h>

struct directive {
	char flags[8];
	int width, precision; /* -1: not given */
	char conv;
};

static const char *amount(const char *p, int *ret, const struct value **args)
{
	if (*p == '*') {
		*ret = (int)(*args)++->number;
		return p + 1;
	}
	if (!isdigit((unsigned char)*p))
		return p;
	for (*ret = 0; isdigit((unsigned char)*p); p++)
		*ret = *ret * 10 + *p - '0';
	return p;
}

static const char *read_directive(const char *p, struct directive *d, const struct value **args)
{
	size_t n = strspn(p, "0+-# ");

	*d = (struct directive){ .width = -1, .precision = -1 };
	memcpy(d->flags, p, n < sizeof(d->flags) ? n : sizeof(d->flags) - 1);
	p = amount(p + n, &d->width, args);
	if (*p == '.') {
		d->precision = 0;
		p = amount(p + 1, &d->precision, args);
	}
	while (*p == 'l')
		p++;
	d->conv = *p++;
	return p;
}

/* "\n", "\303": as in a string literal of C. */
static void escape(struct text *out, unsigned char c)
{
	static const char plain[] = "\a\b\f\n\r\t\v\"\\", letter[] = "abfnrtv\"\\";
	const char *at = c ? strchr(plain, c) : NULL;

	if (at)
		text_printf(out, "\\%c", letter[at - plain]);
	else if (c >= 0x20 && c < 0x7f)
		text_printf(out, "%c", c);
	else
		text_printf(out, "\\%03o", c);
}

static void padded(struct text *out, const struct directive *d, const char *s, size_t len)
{
	bool left = strchr(d->flags, '-') != NULL;
	size_t fill = d->width > 0 && (size_t)d->width > len ? (size_t)d->width - len : 0;

	for (size_t i = 0; !left && i < fill; i++)
		text_append(out, " ", 1);
	text_append(out, s, len);
	for (size_t i = 0; left && i < fill; i++)
		text_append(out, " ", 1);
}

static void string(struct text *out, const struct directive *d, const char *s, size_t len)
{
	struct text escaped = { 0 };

	if (d->conv == 's' && d->precision >= 0)
		len = strnlen(s, (size_t)d->precision);
	for (size_t i = 0; i < len; i++)
		if (strchr(d->flags, '#'))
			escape(&escaped, (unsigned char)s[i]);
		else
			text_append(&escaped, s + i, 1);
	padded(out, d, text_str(&escaped), escaped.len);
	text_deinit(&escaped);
}

/* Through the C library, with the type's length. */
static void number(struct text *out, const struct directive *d, long long n)
{
	bool pointer = d->conv == 'p', zero = !n && strchr(d->flags, '#') && strchr("xX", d->conv);
	const char *prefix = pointer || zero ? "#" : "";
	char spec[64], buf[1024];
	size_t at = (size_t)snprintf(spec, sizeof(spec), "%%%s%s", d->flags, prefix);
	int len;

	if (d->width >= 0)
		at += (size_t)snprintf(spec + at, sizeof(spec) - at, "%d", d->width);
	/* With precision 0 the library prints nothing for zero; scripts see the digit. */
	if (d->precision >= 0)
		at += (size_t)snprintf(spec + at, sizeof(spec) - at, ".%d", n || d->precision ? d->precision : 1);
	snprintf(spec + at, sizeof(spec) - at, "ll%c", pointer ? 'x' : d->conv);
	if (pointer && !n)
		zero = true;
	/* The library prints zero without its prefix: let it print 1 and mend the digit. */
	len = snprintf(buf, sizeof(buf), spec, zero ? 1 : n);
	if (zero)
		*strrchr(buf, '1') = '0';
	text_append(out, buf, (size_t)len);
}

static void directive(struct text *out, const struct directive *d, const struct value **args)
{
	char c;

	switch (d->conv) {
	case '%':
		text_append(out, "%", 1);
		return;
	case 's':
		string(out, d, (*args)->string, strlen((*args)->string));
		break;
	case 'c':
		c = (char)(*args)->number;
		string(out, d, &c, 1);
		break;
	case 'b':
		for (int i = 0; i < (d->width > 0 ? d->width : 8); i++) {
			c = (char)((unsigned long long)(*args)->number >> (8 * i));
			text_append(out, &c, 1);
		}
		break;
	default:
		number(out, d, (*args)->number);
	}
	++*args;
}

void format(struct text *out, const char *fmt, const struct value *args)
{
	for (const char *p = fmt; *p;) {
		struct directive d;

		if (*p != '%') {
			text_append(out, p++, 1);
			continue;
		}
		p = read_directive(p + 1, &d, &args);
		directive(out, &d, &args);
	}
}
