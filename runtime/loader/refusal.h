/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel refused to load a module, and the next step. */
#ifndef KT_LOADER_REFUSAL_H
#define KT_LOADER_REFUSAL_H

#include <stdbool.h>

#include "runtime/loader/image.h"
#include "runtime/loader/sys.h"

/* Prints notes about ERR, the errno of loading M, below the error. */
void refusal_explain(const struct loader_sys *sys, const struct image *m, int err);

/* Reports where the kernel would panic on the taint of any module. False: it would. */
bool refusal_no_panic(const struct loader_sys *sys);

/* Answers whether the settings of the kernel let it load M. False: reported. The kernel may have other reasons. */
bool refusal_unlikely(const struct loader_sys *sys, const struct image *m);

#endif
