/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing text, and the emitter of generated C on top of it.
 *
 * emit_line() writes at the current indentation; emit_open() and emit_close() move it.
 */
#ifndef KTAP_LIB_TEXT_H
#define KTAP_LIB_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
	char *buf;  /* NUL-terminated, or NULL while empty */
	size_t len;
	size_t cap;
	int indent; /* tabs before the next line */
};

void text_deinit(struct text *t);
/* text_deinit() when a local variable goes out of scope. */
#define _cleanup_text_ __attribute__((cleanup(text_deinit)))
void text_clear(struct text *t);
void text_append(struct text *t, const char *s, size_t len);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *fmt, va_list ap);
/* Adds S with dots for control characters other than tabs and newlines: it may be shown on a terminal. */
void text_put_clean(struct text *t, const char *s, size_t len);
/* Replaces the control characters in T by dots, as above. */
void text_clean(struct text *t);
/* True if a character of S is a control character, tabs and newlines included. */
bool text_has_control(const char *s);
/* S as a C string literal with quotes, every byte outside printable ASCII escaped. */
void text_quote(struct text *t, const char *s, size_t len);
/* The bytes so far, never NULL. Valid until the next append. */
const char *text_str(const struct text *t);

/* Moves the bytes of T to program_arena, with a NUL after them, and leaves T empty. */
char *text_keep(struct text *t);

/* Calls FN for each whole line of T, without its newline, and removes these; with ALL also for what follows the last newline.
 * FN may write to LINE, and to the byte after it. */
void text_take_lines(struct text *t, bool all, void (*fn)(void *of, char *line, size_t len), void *of);

/* One line of C: indentation, text, newline. */
void emit_line(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_vline(struct text *t, const char *fmt, va_list ap);
/* A line that opens a block ("... {") or closes it ("}"). */
void emit_open(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void emit_close(struct text *t, const char *s);

/* The whole file PATH into T; false and errno set on failure. */
bool text_read_file(struct text *t, const char *path);
/* The same for what FD has from here on; 0 or -errno. */
int text_read_fd(struct text *t, int fd);
/* Writes all of it to FD, and waits for room in one that does not block; 0 or -errno: -EPIPE if nobody reads FD any more. */
int write_all(int fd, const char *text, size_t len);
/* Returns a descriptor of a file in memory that holds LEN bytes at P, or -errno. NAME is only for those who look at /proc. */
int memory_file(const char *name, const void *p, size_t len);
/* Writes a file as PATH.tmp-PID and renames it, so that no reader sees half of it; 0 or -errno. */
int text_write_file(const struct text *t, const char *path);

#endif
