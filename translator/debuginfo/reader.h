/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of a reader of debugging information (dwarf.c, btf.c): the functions of target.h, as a table.
 *
 * To add a reader: a file with a table of these, its open function here, a call of it in kernel-open.c or program-open.c.
 */
#ifndef KTAP_DEBUGINFO_READER_H
#define KTAP_DEBUGINFO_READER_H

#include "lib/map.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/target.h"

struct target_ops {
	void (*close)(struct target *t);
	struct place *(*functions)(struct target *t, const struct function_query *q);
	struct place *(*lines)(struct target *t, const struct line_query *q);      /* NULL: there are none */
	struct place *(*labels)(struct target *t, const struct function_query *q, const char *name); /* likewise */
	/* Likewise. */
	struct place *(*callees)(struct target *t, const struct function_query *callers, const struct callee_query *q);
	struct place *(*place_at)(struct target *t, uint64_t address);             /* likewise */
	void (*function_names)(struct target *t, void (*fn)(const char *name, void *data), void *data);
	/* Without types a reader has none of these up to `type`, and none of its places has a scope. */
	const struct variable *(*variable)(struct target *t, const struct place *p, const char *name);
	const struct variable *(*variables)(struct target *t, const struct place *p);
	bool (*frame)(struct target *t, const struct place *p, uint64_t *ret_entry, struct location *ret_frame); /* NULL: unknown */
	const struct ctype *(*return_type)(struct target *t, const struct place *p);
	const struct ctype *(*pointee)(const struct ctype *ct);
	bool (*member)(const struct ctype *ct, const char *name, struct member *ret);
	void (*members)(const struct ctype *ct,
			void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data);
	void (*member_names)(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data);
	const struct ctype *(*type)(struct target *t, const char *name);
	const struct ctype *(*type_at)(struct target *t, const struct place *p, const char *name); /* NULL: units are not known */
	unsigned (*types_named)(struct target *t, const char *name); /* how many have the name; NULL: nobody counted */
	uint64_t (*symbol)(struct target *t, const char *name);
	bool (*is_global)(struct target *t, const struct place *p); /* NULL: nobody knows */
	uint64_t (*text)(struct target *t);                        /* NULL: there are no addresses */
	const char *(*qualified_name)(struct target *t, const struct place *p); /* NULL: scopes are not known */
	const struct variable *(*global)(struct target *t, const char *name, const char *file); /* NULL: none is known */
	void (*global_names)(struct target *t, void (*fn)(const char *name, void *data), void *data); /* likewise */
	/* Does the unit of the code at PC define a variable at ADDRESS, with THREAD at that offset in thread-local data? NULL: units are
	 * not known. */
	bool (*unit_defines)(struct target *t, uint64_t pc, uint64_t address, bool thread);
	/* The next four: NULL: no types are known. */
	bool (*enumerator)(struct target *t, const struct place *p, const char *name, int64_t *ret);
	void (*type_names)(struct target *t, void (*fn)(const char *name, void *data), void *data);
	void (*enumerators)(struct target *t, void (*fn)(const char *name, void *data), void *data);
	const char *(*enumerator_of)(const struct ctype *ct, int index, int64_t *ret);
	const char *(*variant)(const struct ctype *ct, int index, bool *ret_other, int64_t *ret);
	enum passing (*passing)(const struct ctype *ct); /* NULL: all structures are passed by value */
	const char *(*denied)(struct target *t, uint64_t address); /* NULL: nothing is known to be */
	/* A symbol of one name only and the distance to ADDRESS; NULL: there are no addresses. */
	bool (*anchor)(struct target *t, uint64_t address, const char **ret_symbol, uint64_t *ret_offset);
};

/* Whom a walk tells names, where its callback gets more than a name. */
struct name_call {
	void (*fn)(const char *name, void *data);
	void *data;
};

/* The head of every reader's own struct. */
struct target {
	const struct target_ops *ops;
	const char *name;      /* for messages: "/usr/lib/debug/boot/vmlinux-..." */
	const char *build_id;
	const struct kernel *kernel;
	const char *module;    /* name of the module, NULL: the kernel itself */
	const char *written;   /* what the script calls it */
	const struct machine *machine; /* of a program; NULL: see target_machine() */
	bool is_32bit;         /* a program of 32 bits on a machine of 64 */
	bool is_dwarf;         /* lines, locals and inlined instances are known */
	bool is_deep;          /* it was said that structures are nested too deep */
	struct elf_file *code; /* what is executed, where debugging information is a separate file; else the same or NULL */
	struct program_file *program; /* NULL: a kernel */
	struct target *btf;    /* of the same kernel, read on first use to count types; NULL also where a kernel has no BTF */
	struct map counted;    /* types that were, by name; the value is the number */
};

/* In damaged files types contain themselves. */
enum {
	TYPE_DEPTH_MAX = 64, /* typedefs, qualifiers and pointers in one type */
	TYPE_NAMES_MAX = 1000, /* types in the name of one */
};

/* Opens the DWARF of E, which it then owns. NULL: there is none, not reported. */
struct target *dwarf_open(struct elf_file *e);

/* Closes T but not its file, which is returned. */
struct elf_file *dwarf_forget(struct target *t);

/* Reports missing .dwo files: an error if that is all of them and fatal, else a warning. True: it is all of them. */
bool dwarf_split_lost(struct target *t, struct loc loc, bool is_fatal);
/* T itself; NULL when all of its .dwo files are missing: reported, and T is closed. */
struct target *target_whole(struct target *t, struct loc loc);

/* Opens the BTF in the file of a kernel at PATH, which may be NULL. NULL: it has no BTF, not reported. */
struct target *btf_open_file(const struct kernel *k, const char *path);
/* Opens the kernel's BTF: of the running kernel, of a vmlinux, or inside the boot image. NULL: none, not reported. *RET_WHY: why
 * the boot image cannot be unpacked; NULL: it can, or nobody tried. */
struct target *btf_open(const struct kernel *k, const char **ret_why);

/* Opens the BTF of a module: of the running kernel, or in its file KO, which may be NULL. It takes KO over. NULL: none, not
 * reported, and KO stays the caller's. */
struct target *btf_open_module(const struct kernel *k, struct elf_file *ko, const char *name);
/* Calls FN with the functions of E, a module. */
void module_functions(struct elf_file *e, void (*fn)(const struct kernel_function *f, void *data), void *data);

/* Looks for an enumerator: a callback of the readers' walks, with a struct enumerator_search as DATA. */
struct enumerator_search {
	const char *name;
	int64_t *ret;
};
bool enumerator_is(const char *name, int64_t value, void *data);

/* Does FILE, as debugging information names it, match what the user wrote: the whole path or its last components, globs
 * allowed? WANTED NULL matches all. */
bool file_matches(const char *file, const char *wanted);
bool has_glob(const char *s);
/* Compares pointers to places for qsort(): by address, then by name. */
int place_order(const void *va, const void *vb);

/* Sets the bitfield M, of SIZE bits, which begins at bit FROM of M->offset: in aligned storage of its type if it fits there. */
void member_bits(struct member *m, uint64_t from, unsigned size);

#endif
