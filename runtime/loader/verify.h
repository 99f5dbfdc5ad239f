/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers whether the running kernel would take a module, without loading it. */
#ifndef KT_LOADER_VERIFY_H
#define KT_LOADER_VERIFY_H

#include <stdbool.h>

#include "runtime/loader/sys.h"

/* --verify: prints what module PATH says of itself. Returns false, and reports the first reason, if ktaprun or the running kernel
 * would refuse it. Needs no rights; whether the kernel trusts the key of a signature only loading can tell. */
bool verify_module(const struct loader_sys *sys, const char *path);

#endif
