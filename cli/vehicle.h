/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=auto: what carries a script into the kernel, a module or BPF programs. */
#ifndef KTAP_CLI_VEHICLE_H
#define KTAP_CLI_VEHICLE_H

#include <stdbool.h>

struct options;

/* Can this process load BPF programs into the running kernel? */
bool vehicle_bpf_here(void);
/* Replaces --runtime=auto of OPT by another one, once its kernel is settled: a module where one can be built and loaded, else BPF programs,
 * about which it warns. Commands that run nothing themselves are for a module: the machine that loads it has other rules. */
void vehicle_choose(struct options *opt);
/* Reports an option of OPT that BPF programs do not have. */
bool vehicle_check(const struct options *opt);

#endif
