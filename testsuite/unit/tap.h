/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test Anything Protocol for unit tests in C: ok() and similar functions print one line each; end main() with
 * `return tap_done();`.
 */
#ifndef KTAP_UNIT_TAP_H
#define KTAP_UNIT_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int tap_tests, tap_failures;

static inline int tap_ok(int good, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	tap_tests++;
	printf("%sok %d - ", good ? "" : "not ", tap_tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	if (!good) {
		tap_failures++;
		printf("# at %s:%d\n", file, line);
	}
	return good;
}

static inline void tap_is_str(const char *got, const char *want, const char *file, int line, const char *what)
{
	if (!tap_ok(!strcmp(got, want), file, line, "%s", what))
		printf("# got  '%s'\n# want '%s'\n", got, want);
}

static inline void tap_is_int(long long got, long long want, const char *file, int line, const char *what)
{
	if (!tap_ok(got == want, file, line, "%s", what))
		printf("# got  %lld\n# want %lld\n", got, want);
}

#define ok(good, ...) tap_ok(!!(good), __FILE__, __LINE__, __VA_ARGS__)
#define is_str(got, want, what) tap_is_str(got, want, __FILE__, __LINE__, what)
#define is_int(got, want, what) tap_is_int(got, want, __FILE__, __LINE__, what)

static inline int tap_done(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failures != 0;
}

#endif
