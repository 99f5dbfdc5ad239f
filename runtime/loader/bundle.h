/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bundle: an archive of ar(1) with modules of one script for several kernels, as ktap --bundle writes it. */
#ifndef KT_LOADER_BUNDLE_H
#define KT_LOADER_BUNDLE_H

#include "lib/reader.h"
#include "runtime/loader/image.h"
#include "runtime/loader/sys.h"

bool bundle_is(struct span file);

/* Makes M the module in the bundle FILE, of name PATH, that is for the running kernel. With LIST the kernels of all modules are
 * printed. False: reported; M->fd is as it was. */
bool bundle_choose(const struct loader_sys *sys, struct image *m, struct span file, const char *path, bool list);

#endif
