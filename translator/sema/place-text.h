/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KTAP_SEMA_PLACE_TEXT_H
#define KTAP_SEMA_PLACE_TEXT_H

#include "translator/syntax/ast.h"

/* The place of N, which is in a source, as errors of handlers name it: "operator '/' at x.stp:1:2". */
const char *place_text(const struct node *n);

#endif
