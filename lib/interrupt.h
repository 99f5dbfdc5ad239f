/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes partially built files when ktap is interrupted: requests to end wait while a path is guarded.
 *
 * A signal then ends the child that runs (proc_run), and takes effect as soon as the child is gone or the last path is
 * let go: what is guarded is removed, and ktap ends by that signal. A signal that was ignored stays so.
 */
#ifndef KTAP_LIB_INTERRUPT_H
#define KTAP_LIB_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* PATH, a file or a directory with all that is in it, is removed when we end before interrupt_unguard(). NULL: signals wait, and nothing is
 * removed. Guards nest. */
void interrupt_guard(const char *path);
/* The path guarded last is finished, or gone. May not return: see above. */
void interrupt_unguard(void);

/* While a path is guarded: has a signal come? */
bool interrupt_came(void);

/* For proc_run(): forks. The child of a guarded build is a process group, which a signal ends. As fork(). */
pid_t interrupt_fork(void);
/* For proc_run(): the child is gone. May not return. */
void interrupt_joined(void);

/* Before an exec of what takes over and removes the guarded itself: a signal that came meanwhile is pending there, blocked. */
void interrupt_hand_over(void);
/* Before an exit: removes what is still guarded. */
void interrupt_end(void);

/* Removes a directory and what is in it, or a file. */
void remove_tree(const char *path);

#endif
