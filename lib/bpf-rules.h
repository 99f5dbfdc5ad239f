/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's rules for BPF programs, read without trying to load one. ktap and ktaprun both ask. */
#ifndef KTAP_LIB_BPF_RULES_H
#define KTAP_LIB_BPF_RULES_H

#include <stdint.h>

#include "lib/module-rules.h"

/* What a session attaches programs to, besides tracepoints. */
enum bpf_need {
	BPF_NEEDS_EVENTS = 1,  /* kprobes and perf events */
	BPF_NEEDS_UPROBES = 2, /* places in programs */
};

/* Returns why the kernel runs no BPF program of ktap, or of a process in this user namespace, or NULL. Reads files below ROOT, "" in real life. */
const char *bpf_rules_kernel(const struct module_rules *rules, const char *root);

/* Returns the capabilities that NEEDS (enum bpf_need) takes and a process with the capabilities EFFECTIVE lacks, in words, or NULL. */
const char *bpf_rules_lacking(uint64_t effective, unsigned needs, const char *root);

#endif
