/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the two files of the BTF reader: btf.c opens it and answers for functions, btf-types.c for types. */
#ifndef KTAP_DEBUGINFO_BTF_READER_H
#define KTAP_DEBUGINFO_BTF_READER_H

#include <bpf/btf.h>

#include "translator/debuginfo/reader.h"

struct btf_renamed;

struct btf_target {
	struct target base;
	struct btf *btf;
	unsigned first;            /* number of the first type that it defines: a module's build on the kernel's */
	const struct machine *machine;
	struct btf_renamed *renamed; /* NULL: not read yet */
	struct elf_file *ko;         /* the module's file; NULL: the kernel's own BTF, or that of a module whose file is not here */
	struct function_table functions; /* of ko; read when there is a first question */
};

/* Opens SIZE bytes of BTF, which stay the caller's; NULL: damaged, not reported. K says the machine. */
struct target *btf_open_bytes(const struct kernel *k, const char *name, const void *p, size_t size, const char *build_id);

/* Replaces the base of BTF by KERNEL, whose types of the same names it has. False: it cannot, not reported. */
bool btf_relocate(struct btf *btf, const struct btf *kernel);

/* The type ID as it is written; NULL: void. */
const struct ctype *btf_make_type(const struct btf_target *t, unsigned id);
const struct ctype *btf_pointee(const struct ctype *ct);
bool btf_find_member(const struct ctype *ct, const char *name, struct member *ret);
void btf_members_of(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data);
void btf_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data);
const struct ctype *btf_type_by_name(struct target *t, const char *name);
unsigned btf_types_named(struct target *t, const char *name);
bool btf_enumerator(struct target *t, const struct place *p, const char *name, int64_t *ret);
void btf_type_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
void btf_enumerators(struct target *t, void (*fn)(const char *name, void *data), void *data);
const char *btf_enumerator_of(const struct ctype *ct, int index, int64_t *ret);

#endif
