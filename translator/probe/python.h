/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of the family python: its probes are probes of the family process. */
#ifndef KTAP_PROBE_PYTHON_H
#define KTAP_PROBE_PYTHON_H

#include "translator/probe/probe.h"

/* The patterns of the functions that P probes, "MODULE:FUNCTION@FILE", one a line. */
void python_wanted(struct text *t, const struct program *p);
/* The hook of variables of such a probe. */
bool python_variable(struct program *p, struct probe *pr, struct node **np);

#endif
