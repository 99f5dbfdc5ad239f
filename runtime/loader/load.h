/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of ours in the kernel: in, out, and what earlier sessions left. */
#ifndef KT_LOADER_LOAD_H
#define KT_LOADER_LOAD_H

#include <stdbool.h>

#include "runtime/loader/elffile.h"
#include "runtime/loader/image.h"
#include "runtime/loader/sys.h"

/* The lock that keeps sweeps away from a module that is loaded and has no reader: not yet, or no longer. -1: could not be had. */
int load_lock(const struct loader_sys *sys);

/* The same, waited for half a minute at most: a session ends though the one that has the lock was stopped. */
int load_lock_soon(const struct loader_sys *sys);
void load_unlock(int lock);

/* Refuses an image of another interface or another kernel. False: reported. */
bool load_check_kernel(const struct loader_sys *sys, const struct image *m);

/* The same, and refuses a process without the right to load it. False: reported. */
bool load_check(const struct loader_sys *sys, const struct image *m);

/* The build-id of the running kernel in hexadecimal, from its notes. False: it has none. */
bool load_running_build_id(const struct loader_sys *sys, char ret[BUILD_ID_SIZE]);

/* Refuses a session whose addresses are those of another build of the running kernel; BUILD_ID is "" when it has none.
 * False: reported. */
bool load_check_build(const struct loader_sys *sys, const char *name, const char *build_id);

/* Refuses a session that was compiled with the debugging information of another build of MODULE than the one that is loaded. A module that is
 * not loaded is compared by the kit when it comes. False: reported. */
bool load_check_module(const struct loader_sys *sys, const char *module, const char *build_id);

/* Puts the checked image into the kernel with the parameters PARAMS. A session that is ending and has its name is waited for; beside one that goes on
 * the image gets another name. Call it under LOCK, which it gives up for moments while it waits. False: reported. */
bool load_module(const struct loader_sys *sys, struct image *m, const char *params, int lock, bool verbose);

/* Takes module NAME out, trying for a while when it is still in use. False: reported. */
bool load_remove(const struct loader_sys *sys, const char *name);

/* Removes every module of ours that has no reader, and says so. Returns their number. Call it under the lock. */
int load_sweep(const struct loader_sys *sys);

/* -d: NAME or "*". False: reported. */
bool load_delete(const struct loader_sys *sys, const char *name);

#endif
