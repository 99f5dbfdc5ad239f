/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters: probes perf.*.counter("NAME") and perf.*.process().counter("NAME"), which @perf("NAME") reads. */
#ifndef KTAP_PROBE_PERF_H
#define KTAP_PROBE_PERF_H

#include "translator/probe/probe.h"

/* Returns the name of the counter PR, NULL when it is not a counter. */
const char *perf_counter(const struct probe *pr);
/* Returns whether the counter PR is of CPUs, not of threads. */
bool perf_counts_cpu(const struct probe *pr);
/* Its number, from 1: what @perf and the probe's row have in common. Before rows are written. */
void perf_set_number(struct probe *pr, unsigned number);
unsigned perf_number(const struct probe *pr);

#endif
