/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A full screen on a terminal that may be slow, and text that may be hostile.
 *
 * ncurses draws into a file in memory. Its bytes go to the terminal as fast as the terminal takes them, without blocking; while some wait,
 * screen_ready() is false and nothing is drawn: frames are dropped, not queued. The terminal has its old settings and contents back after
 * screen_close(), and after a fatal signal. Text is shown by screen_put(), which lets no control character through.
 */
#ifndef KTAP_CLI_LIVE_SCREEN_H
#define KTAP_CLI_LIVE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

enum screen_style { STYLE_PLAIN, STYLE_BAR, STYLE_ACTIVE_BAR, STYLE_SELECTED, STYLE_DIM, STYLE_ALERT, STYLE_GRAPH };
/* Keys beside characters. */
enum screen_key { KEY_NOTHING = -1, KEY_OTHER = 0x1000, KEY_LINE_UP, KEY_LINE_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_FIRST, KEY_LAST,
		  KEY_ERASE, KEY_RETURN, KEY_ESCAPE };

/* Reports why there can be no screen: no terminal, or one that cannot move its cursor. OPTION is named. */
bool screen_check(const char *option);
/* NULL: reported. One screen at a time, as ncurses has it. */
struct screen *screen_open(bool color);
void screen_close(struct screen *s);
/* Gives the terminal back, stops this process, and takes the terminal again when it goes on. */
void screen_stop(struct screen *s);

/* The terminal, for poll(): POLLIN is a key; POLLOUT is wanted while screen_ready() is false. */
int screen_fd(const struct screen *s);
bool screen_ready(const struct screen *s);
/* Writes what waits, as far as the terminal takes it. */
void screen_push(struct screen *s);
/* The next key: a character, or enum screen_key. */
int screen_key(void);

/* Asks the terminal for its size. */
void screen_resize(const struct screen *s, int *ret_height, int *ret_width);
/* Begins a frame; the whole screen is blank. */
void screen_begin(void);
/* Shows at most WIDTH columns of TEXT, LEN bytes, at ROW and COLUMN, and after it blanks up to WIDTH. Characters that a terminal would not print
 * become '.', those without a width are left out. */
void screen_put(const struct screen *s, int row, int column, int width, enum screen_style style, const char *text, size_t len);
/* Ends a frame: puts the cursor at ROW and COLUMN, or hides it if ROW is negative, and begins to write. */
void screen_show(struct screen *s, int row, int column);

#endif
