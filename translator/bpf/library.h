/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the library as instructions. */
#ifndef KTAP_BPF_LIBRARY_H
#define KTAP_BPF_LIBRARY_H

#include <stdbool.h>

#include "translator/bpf/state.h"

/* Writes the call N of a function whose result is a long, into R0, or that has none. False: instructions cannot do it. */
bool library_long(struct bpf *b, const struct node *n);
/* Likewise, a string. */
bool library_string(struct bpf *b, const struct node *n, struct string *ret);

/* probefunc(), the call N, where it is known before the hit; it is a function of the language, of which a part looks into programs. */
bool library_probefunc(struct bpf *b, const struct node *n, struct string *ret);

/* ---- task.c: tasks, by their structures in the kernel ---- */
void library_task_current(struct bpf *b, const struct node *n);
void library_task_member(struct bpf *b, const struct node *n);
void library_task_id(struct bpf *b, const struct node *n);
void library_own_id(struct bpf *b, const struct node *n);
void library_ppid(struct bpf *b, const struct node *n);
void library_group(struct bpf *b, const struct node *n);
void library_task_comm(struct bpf *b, const struct node *n);
void library_task_time(struct bpf *b, const struct node *n);

#endif
