/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 3 for the second vehicle: from the checked program to the image (runtime/bpf/image.h) that ktaprun loads. */
#ifndef KTAP_BPF_BPF_H
#define KTAP_BPF_BPF_H

#include "lib/text.h"
#include "translator/syntax/ast.h"

/* Writes the image into OUT. False: an error was reported. */
bool bpf_generate(struct program *p, struct text *out);
/* -p3: the instructions of IMAGE with the lines of the script that they are of. */
void bpf_dump(struct text *t, const struct text *image);

#endif
