/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the processes of programs start. */
#ifndef KT_LOADER_STARTS_H
#define KT_LOADER_STARTS_H

#include "runtime/loader/apart.h"
#include "runtime/loader/control.h"

/* Before START. */
void starts_give(struct control *c, const struct apart_limits *limits);

#endif
