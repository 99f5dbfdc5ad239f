/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel refused a map, a program or a place, and the next step. */
#ifndef KT_BPF_REFUSAL_H
#define KT_BPF_REFUSAL_H

#include "runtime/bpf/file.h"

/* Reports that the kernel refused what FMT says ("create the map 'x'") with ERR, which is below 0. Returns false. */
bool bpf_refused(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that it did not load the program P with ERR; LOG: what the verifier said, "" if nothing. VERBOSE: prints that, too. Returns false. */
bool bpf_load_refused(const struct image_file *im, const struct image_program *p, int err, const char *log, bool verbose);

#endif
