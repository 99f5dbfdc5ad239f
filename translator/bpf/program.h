/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KTAP_BPF_PROGRAM_H
#define KTAP_BPF_PROGRAM_H

#include "translator/bpf/state.h"

/* The program of PR's handler, to be freed by bpf_deinit(). COLD: ktaprun runs it. A failure sets b->failed. */
void bpf_program(struct bpf *b, const struct probe *pr, bool cold, struct bpf_code *ret);

#endif
