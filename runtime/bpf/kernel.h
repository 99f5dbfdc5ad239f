/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bpf(2), and what attaches programs. All return -errno. */
#ifndef KT_BPF_KERNEL_H
#define KT_BPF_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/bpf/image.h"

/* CPUs that there may be, which is what each value of a map per CPU has parts for. */
kt_u32 kernel_cpus(void);
/* A map of KIND; a descriptor. MAPPED: ktaprun maps its value. */
int kernel_map_create(enum image_map_kind kind, const char *name, kt_u32 key_size, kt_u32 value_size, kt_u32 entries, int mapped, int frozen);
/* Bytes of memory that such a map takes; the kernel has all elements of it from the start. */
kt_u64 kernel_map_bytes(enum image_map_kind kind, kt_u32 key_size, kt_u32 value_size, kt_u32 entries);
/* Bytes of memory that are available. */
kt_u64 kernel_memory(void);
int kernel_map_freeze(int fd);
int kernel_map_lookup(int fd, const void *key, void *value);
int kernel_map_update(int fd, const void *key, const void *value);
int kernel_map_delete(int fd, const void *key);
/* The key after KEY, which may be NULL for the first. */
int kernel_map_next(int fd, const void *key, void *next);

/* Loads the N instructions of a program that is in the image as P; a descriptor. LOG, of SIZE bytes: what the verifier says; 0: nothing. */
int kernel_program_load(const struct image_program *p, const char *name, const struct bpf_instruction *code, kt_u32 n, char *log, kt_u32 size);
/* Hits that the kernel did not run the program for, because it or another one was running on the CPU. */
kt_u64 kernel_program_missed(int program);
/* Hits that the kernel's kprobe of this place missed. False: the kernel does not say. */
bool kernel_place_missed(int place, kt_u64 *ret);
/* Attaches the program to a function of the kernel: SYMBOL + OFFSET, or where SYMBOL is NULL, at ADDRESS. A descriptor, whose close detaches. */
int kernel_attach_kprobe(int program, const char *symbol, kt_u64 offset, int at_return);
int kernel_attach_tracepoint(int program, const char *name);
/* Attaches the program to the place ROW in the file PATH, which must hold there what it held when the script was compiled. */
int kernel_attach_uprobe(int program, const char *path, const struct image_row *row);
/* Attaches the program to the perf event ROW on CPU. */
int kernel_attach_perf(int program, const struct image_row *row, kt_u32 cpu);
/* Loads the N instructions of a program for the event GROUP:NAME, whose record is its context, and attaches it. */
int kernel_attach_event(const char *group, const char *name, const struct bpf_instruction *code, kt_u32 n);
/* Returns the offset of FIELD in the records of the event. */
int kernel_event_field(const char *group, const char *name, const char *field);

#endif
