/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KTAP_BPF_PROGRAM_H
#define KTAP_BPF_PROGRAM_H

#include "translator/bpf/state.h"

/* The program of PR's handler, which is attached as AT says, to be freed by bpf_deinit(). Returns whether it sleeps. A failure sets b->failed. */
bool bpf_program(struct bpf *b, const struct probe *pr, const struct probe_attach *at, struct bpf_code *ret);

#endif
