/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of glibc that its headers call for sprintf() and snprintf(), and that musl lacks: a libiberty that was compiled with glibc
 * needs them in a program of musl.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The SIZE bytes at TO are all that is there. */
int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...);
int __snprintf_chk(char *to, size_t len, int flag, size_t size, const char *format, ...);

int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int __snprintf_chk(char *to, size_t len, int flag, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, len < size ? len : size, format, args);
	va_end(args);
	return n;
}
