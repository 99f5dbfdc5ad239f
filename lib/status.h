/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress of a program, for a user at a terminal: lines on standard error. In a pipe, and with -q, nothing is printed. */
#ifndef KTAP_LIB_STATUS_H
#define KTAP_LIB_STATUS_H

#include <stdbool.h>

enum { STATUS_MS = 300 }; /* between two calls of status_tick() */

/* Turns status lines on if standard error is a terminal. */
void status_init(bool quiet);
void status_set(bool on);
bool status_is_on(void);

/* Prints a line that stays. */
void status_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Shows a line that the next one overwrites; nothing on a terminal that cannot do this. */
void status_show(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Removes that line. To be called before anything else is printed. */
void status_clear(void);

/* Some work begins. After its first second, status_tick() shows this line with the time that has passed, until status_end(). Works
 * nest. */
void status_begin(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void status_tick(void);
/* As status_tick(), and the line says how far the work has come. */
void status_tick_at(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void status_end(void);

#endif
