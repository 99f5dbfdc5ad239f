/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugging information of a kernel, a module or a program, behind one interface.
 *
 * dwarf.c is the only file with libdw types, btf.c the only one with libbpf's; both fill the structs below.
 * Everything returned lives in program_arena. Lookups are lazy: opening a target reads nothing but headers.
 */
#ifndef KTAP_DEBUGINFO_TARGET_H
#define KTAP_DEBUGINFO_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/diag.h"
#include "lib/text.h"
#include "translator/machine/location.h"
#include "translator/machine/machine.h"
#include "translator/platform/settings.h"

struct target;
struct ctype;
struct kernel_kept;
struct opened;
struct elf_file;

/* ---- kernels: which one, and its files ---- */
struct kernel {
	const char *release;      /* 6.1.0-56-cloud-amd64 */
	const char *build_dir;    /* /lib/modules/R/build, or NULL */
	const char *vmlinux;      /* with DWARF, or NULL */
	const char *vmlinuz;      /* boot image or NULL */
	const char *system_map;   /* or NULL */
	const char *build_id;     /* hex or NULL */
	const struct machine *machine;
	struct kernel_kept *kept; /* kernel.h */
};

/* Finds the kernel of -r RELEASE|DIR, $KTAP_RELEASE or the running one. NULL: reported to R (NO_KERNEL) with what to install. */
const struct kernel *kernel_find(struct reports *r, const char *release_or_dir);
/* Returns the System.map of K that this user may not read, NULL: there is none, or one that can be read. */
const char *kernel_unreadable_map(const struct kernel *k);
/* Adds a note to R for each file of K that this user may not read: its image and its System.map. */
void kernel_note_unreadable(const struct kernel *k, struct reports *r);
/* Value of CONFIG_NAME in the kernel's configuration, NULL: not set. */
const char *kernel_config(const struct kernel *k, const char *name);
/* Ticks a second; 0: its configuration does not tell. */
long kernel_hz(const struct kernel *k);
struct kernel_variable {
	uint64_t address; /* as linked */
	uint64_t size;
	unsigned number;  /* of variables of the name; a global one hides the rest */
	bool per_cpu;
};

/* A function of the kernel or of a module. Functions of several files may have one name. */
struct kernel_function {
	const char *name;
	uint64_t address;      /* as in the same table */
	const char *denied;    /* why no probe can be set there, or NULL */
	struct elf_file *file; /* the module's, while it is open; NULL: the function is the kernel's */
};
/* Calls FN with each function of the kernel's System.map, or of the table that the kernel has for itself. False: there is neither. */
bool kernel_symbols(const struct kernel *k, void (*fn)(const struct kernel_function *f, void *data), void *data);
/* Functions by name. */
struct function_table {
	struct kernel_function *v;
	size_t n;
};
/* Callback of kernel_symbols(): adds F to DATA, a table, which is then sorted. */
void functions_add(const struct kernel_function *f, void *data);
void functions_sort(struct function_table *t);
/* Returns how many functions of T are called NAME; *RET: them, in order of address. */
size_t functions_named(const struct function_table *t, const char *name, const struct kernel_function **ret);
/* Returns how many functions of the kernel are called NAME, as far as it is known; *RET: them, in order of address. */
size_t kernel_functions_named(const struct kernel *k, const char *name, const struct kernel_function **ret);
/* The variable NAME of the kernel's System.map. SIZE: up to the next one, so it may be more than the variable's. False:
 * there is none of that name (NEAR, when given, gets candidates), or it is per CPU (PER_CPU is set). */
bool kernel_variable(const struct kernel *k, const char *name, struct kernel_variable *ret, struct nearest *near);

/* ---- places ---- */
/* A pattern of a user: func[@file[:line]]. func and file may hold globs. */
struct function_query {
	const char *func;
	const char *file;      /* NULL: any */
	int line;              /* 0: none; a line of the function's declaration */
	bool inlined;          /* inlined instances wanted */
	bool outlined;         /* out-of-line copies wanted */
	bool parts;            /* also NAME.part.0: code of the function, but not a call of it */
	bool entries;          /* each entry of an inlined instance; else one place for each instance */
	bool names_only;       /* for a listing: one place of each function is enough, without symbol and scope */
};

/* The calls that must have led to a place: where one of the sites returns to, and further out the next. */
struct place_calls {
	const uint64_t *address; /* as linked */
	unsigned n;
	const struct place_calls *next;
};

/* An address to probe, and the scope there. */
struct place {
	uint64_t address;      /* as linked */
	const char *func;      /* the function asked for */
	const char *file;      /* of its declaration, as DWARF names it without the build directory: fs/open.c */
	int line;
	bool inlined;
	const char *symbol;    /* the ELF function it lies in */
	uint64_t symbol_address;
	const char *section;   /* of the linked file: ".text", ".init.text", ".noinstr.text", ... */
	const char *container; /* inlined: the function it is inlined into */
	const char *call_file; /* inlined: where */
	int call_line;
	bool merged;           /* inlined: not each hit may be a call, nor each call a hit, as code of several calls was merged */
	const char *lost;      /* inlined calls of the function may be missed, as merged code of this one has its effect; NULL: none is known */
	int statement;         /* the reader's own */
	bool unsure;           /* the same */
	int at_line;           /* statements: the line that address begins; 0: the place is a function */
	bool chosen;           /* func is an IFUNC, and this a function that may be chosen for it */
	const char *label;     /* the place is this label of the function; NULL: not a label */
	const struct place *caller;      /* the place is a callee of that copy or instance of a function */
	const struct place_calls *calls; /* callees: the calls on the way, the innermost first; NULL: all of it was inlined */
	const char *denied;    /* why no probe can be set there, where the address is not known; NULL: see target_denied() */
	const void *scope;     /* the reader's own: the DIE whose variables are visible; NULL: only the symbol table has the place */
	struct place *next;
};

/* ---- types ---- */
enum ctype_kind {
	CT_VOID, CT_INT, CT_BOOL, CT_CHAR, CT_ENUM, CT_FLOAT,
	CT_POINTER, CT_ARRAY, CT_STRUCT, CT_UNION, CT_FUNCTION,
};

struct ctype {
	enum ctype_kind kind;    /* typedefs and qualifiers removed */
	const char *name;        /* as C writes it: "struct file", "unsigned int", "loff_t" (typedef name kept) */
	uint64_t size;           /* bytes; 0 unknown */
	bool is_signed;
	uint64_t count;          /* array: elements; 0 unknown */
	const struct target *target;
	const void *type;        /* the reader's own */
};

/* How a function gets and returns a structure. */
enum passing {
	PASSED_BY_VALUE,
	PASSED_BY_ADDRESS, /* of a copy that the caller made: a class of C++ whose copies run code */
	PASSED_UNKNOWN,    /* its language, or clang of a packed one, does not say */
};

struct member {
	const struct ctype *type;
	uint64_t offset;         /* bytes, through anonymous members */
	unsigned bit_offset;     /* bitfield: lowest bit counted from the byte at offset, little endian */
	unsigned bit_size;       /* 0: not a bitfield */
	bool variant;            /* its value selects the variant of an enum with data: ctype_variant() of its type */
	const char *unplaced;    /* why its offset is not known; NULL: it is, or there is no such member */
};

struct variable {
	const char *name;
	const struct ctype *type;
	struct location location;
	bool parameter;
	struct variable *next;
};

/* ---- the interface ---- */

/* Opens the kernel's information. NULL: reported with the command that installs it. O: opened.h. */
struct target *target_open_kernel(struct opened *o, const struct kernel *k, enum debuginfo how, struct reports *r);
void target_close(struct target *t);
/* Opens what describes a module, named as the kernel names it ("snd_hda_intel", "snd-hda-intel") or by the path of its
 * file. Once for each: it stays open. NULL: reported, once. */
struct target *target_open_module(struct opened *o, const struct kernel *k, const char *module, enum debuginfo how, struct loc loc);
/* Closes one that nothing points into any more; the next who asks for it opens it again. T may be NULL. */
void target_close_module(struct target *t);
/* Calls FN with the name of each of the kernel's modules that GLOB matches, as the kernel writes it. */
void kernel_modules(const struct kernel *k, const char *glob, void (*fn)(const char *name, void *data), void *data);
/* NAME, or the last part of a path up to its dot, as the kernel has it: with _ for -. */
const char *kernel_module_name(const char *name);
/* Returns true if NAME, which a file of the kernel gives, has a quote, a backslash or a control character. No function in C has
 * such a name. A function that has one is left out, because its name could change the C that ktap generates. */
bool kernel_name_is_odd(const char *name);
/* Calls FN with each function in the symbol table of the module. Elsewhere: there is no file of it to ask, or it is a part of the kernel
 * itself. */
enum module_found { MODULE_INSTALLED, MODULE_BUILT_IN, MODULE_ELSEWHERE };
enum module_found kernel_module_symbols(const struct kernel *k, const char *module,
					void (*fn)(const struct kernel_function *f, void *data), void *data);
/* Sets what a loaded module knows F by, a function of its file; see elf_anchor(). */
void kernel_function_anchor(const struct kernel_function *f, const char **ret_symbol, uint64_t *ret_offset);
/* Returns whether the installed module NAME has tracepoints. */
bool kernel_module_traces(const struct kernel *k, const char *name);
/* The name that the kernel has for the module, NULL: not a module. */
const char *target_module(const struct target *t);
/* The path of the module's file, NULL: the script names an installed module, or it is not a module. */
const char *target_module_file(const struct target *t);
/* What the first component of a point for this target is: kernel, module("ext4"). */
const char *target_point(const struct target *t);
/* Where .text begins, as the addresses of places count. */
uint64_t target_text(struct target *t);
/* In a module, how the running kernel finds ADDRESS: "ext4:ext4_file_open" and an offset. False: no symbol is near. */
bool target_anchor(struct target *t, uint64_t address, const char **ret_symbol, uint64_t *ret_offset);
/* Are files, lines, locals and inlined instances known (DWARF), or functions and parameters only (BTF)? */
bool target_has_lines(const struct target *t);
/* After an error about what BTF cannot tell: the note with the command that installs what can. */
void target_note_install(const struct target *t, struct loc loc);

/* ---- programs and libraries ---- */
/* Opens the file at PATH, with its debugging information where that is installed. NULL: reported at LOC. One that
 * is in O is given again. */
struct target *target_open_program(struct opened *o, const char *path, struct loc loc);
bool target_is_user(const struct target *t);
/* A program of 32 bits on a machine of 64. */
bool target_is_32bit(const struct target *t);
/* The path it was opened by. */
const char *target_path(const struct target *t);
/* The functions of the symbol table alone; places have the scope of debugging information where there is some. */
struct place *target_symbol_functions(struct target *t, const struct function_query *q);
/* Is NAME an IFUNC there? */
bool target_is_ifunc(const struct target *t, const char *name);
/* Calls FN with their names. */
void target_symbol_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
/* L, an address in the file of T, as a probe of something else finds it in the current process. */
struct location target_in_process(struct target *t, const struct location *l);
/* Offset in the file of the linked ADDRESS; false: the file does not hold it. */
bool target_file_offset(const struct target *t, uint64_t address, uint64_t *ret);
/* Up to SIZE bytes of code at ADDRESS, the first lowest; *ret_size: how many there are. */
uint64_t target_code(const struct target *t, uint64_t address, unsigned size, unsigned *ret_size);
/* Does an instruction of the program begin at ADDRESS? INSIDE: it is a part of the one at *ret_start. */
enum instruction_at { INSTRUCTION_STARTS, INSTRUCTION_INSIDE, INSTRUCTION_UNKNOWN };
enum instruction_at target_instruction(const struct target *t, uint64_t address, uint64_t *ret_start);
enum function_end_kind {
	END_RETURNS,  /* a return instruction of the function */
	END_FOLLOWED, /* one of a function that this one jumps to at its end */
	END_JUMPS,    /* a jump from one of these functions to the start of one */
	END_STARTS,   /* the start of a function that is jumped to: without a jump before it, the call has ended otherwise */
};
struct function_end {
	uint64_t address;
	unsigned pops;      /* bytes that a return takes off the stack beside the return address */
	unsigned condition; /* of a jump: as in struct instruction */
	enum function_end_kind kind;
};
struct function_ends {
	const struct function_end *end;
	size_t n;            /* without a row of END_RETURNS or END_FOLLOWED, the function never returns */
	bool returns;        /* there is one */
	bool followed;       /* there are rows of END_FOLLOWED */
	const char *unknown; /* why they are not all known: "it ends in a jump to 'f'"; NULL: they are */
};
/* Returns the ends of the function at ADDRESS. FOLLOW: including those of functions that it jumps to. */
const struct function_ends *target_function_ends(struct target *t, uint64_t address, bool follow);
/* Returns what shows that return addresses of the program are read or moved while it runs: "it has handlers of exceptions". NULL: nothing
 * does. */
const char *target_unwinds(const struct target *t);
/* Returns why the kernel sets no breakpoint at ADDRESS. NULL: it sets one, as far as is known. */
const char *target_refuses_breakpoint(const struct target *t, uint64_t address);
struct elf_file *target_elf(const struct target *t);
/* Did Go's linker make it? Its stacks move while it runs. */
bool target_is_go(const struct target *t);
/* The stubs through which the program calls functions of libraries: func is the function's name. */
struct place *target_plt(struct target *t);
/* The function's name with the namespaces and classes around it: "ns::Class::f"; NULL: only the name is known. */
const char *target_qualified_name(struct target *t, const struct place *p);

/* All places of a query in order of address; NULL: none. */
struct place *target_functions(struct target *t, const struct function_query *q);

/* Statements: lines FIRST to LAST of the file, or counted from the function's declaration. */
struct line_query {
	const char *func;
	const char *file;      /* NULL: any */
	int first, last;
	bool relative;         /* to the function's line */
	struct line_query *more; /* another range of the same, after this one; each is asked for alone */
};
/* The places where a line begins, one for each line and copy or instance of a function; NULL: none, or only BTF. */
struct place *target_lines(struct target *t, const struct line_query *q);
/* Where labels of the functions of Q stand that are called like the glob NAME; NULL: none, or only BTF. */
struct place *target_labels(struct target *t, const struct function_query *q, const char *name);
enum { CALLEES_MAX = 20000 };
struct callee_query {
	struct function_query callee; /* func, file and line count */
	unsigned depth;        /* 1: what the functions call; 2: and what that calls */
	bool inlined, outlined;
	struct reports *reports; /* for a warning that there are too many */
};
/* Returns the functions that CALLERS call, as far as compilers know them, CALLEES_MAX at most; NULL: none, or
 * only BTF. Once for each way that leads there. */
struct place *target_callees(struct target *t, const struct function_query *callers, const struct callee_query *q);
/* Returns the function at the linked ADDRESS; NULL: no function, or only BTF. */
struct place *target_place_at(struct target *t, uint64_t address);
/* Calls FN with the name of every function (for suggestions). */
void target_function_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
/* The variable NAME visible at P; NULL: no such name. Its location may be LOC_NONE. */
const struct variable *target_variable(struct target *t, const struct place *p, const char *name);
/* All variables visible at P, parameters first; of one name, that of the innermost block. */
const struct variable *target_variables(struct target *t, const struct place *p);
/* Type of the value the function at P returns; NULL: void. */
const struct ctype *target_return_type(struct target *t, const struct place *p);
/* Returns the type that a pointer points at, or an array's elements. */
const struct ctype *ctype_pointee(const struct ctype *ct);
/* Is CT a byte that C programs make strings of: char of any sign, and not a number as u8 and uint8_t? */
bool ctype_is_text(const struct ctype *ct);
/* The member NAME of a struct or union, also inside anonymous ones; false: none. */
bool ctype_member(const struct ctype *ct, const char *name, struct member *ret); /* false: it has none, or RET says why it is of no use */
/* Calls FN with each member in turn: its name, or the structure or union that has none. */
void ctype_members(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data);
/* Calls FN with the name of each, those inside of unnamed ones too. */
void ctype_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data);
/* "struct file", "file" or a typedef by name; NULL: none. */
const struct ctype *target_type(struct target *t, const char *name);
/* The same in the unit of the code at P; NULL: it has none, or units are not known. */
const struct ctype *target_type_at(struct target *t, const struct place *p, const char *name);
/* How many types of a kernel, of different contents, have the name; 0: that is not known. */
unsigned kernel_types_named(struct target *t, const char *name);
/* The entry of the function that the code of P is in, and where its frame is as P sees it. False: that is not known. */
bool target_frame(struct target *t, const struct place *p, uint64_t *ret_entry, struct location *ret_frame);
/* Calls FN with the names of types, without "struct" and the like: of all when target_type() found none. */
void target_type_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
/* The global or static variable NAME of a unit whose file matches FILE (a glob, NULL: any); one that is defined comes
 * before one that is only declared. NULL: none, or only BTF. */
const struct variable *target_global(struct target *t, const char *name, const char *file);
/* Are variables known at all? BTF has none but those of the CPUs. */
bool target_has_globals(const struct target *t);
void target_global_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
/* Value of the enumerator NAME ("one::RED") of any enumeration: the one that is visible at P, which may be NULL, before others.
 * False: none. */
bool target_enumerator(struct target *t, const struct place *p, const char *name, int64_t *ret);
void target_enumerators(struct target *t, void (*fn)(const char *name, void *data), void *data);
/* Enumerator number INDEX (from 0) of an enumeration, in the order of its declaration; NULL: there are no more. */
const char *ctype_enumerator(const struct ctype *ct, int index, int64_t *ret);
/* Variant number INDEX (from 0) of an enum with data, as Rust has them, and its value of the discriminant CT. OTHER: any value that
 * no variant has. NULL: there are no more. */
const char *ctype_variant(const struct ctype *ct, int index, bool *ret_other, int64_t *ret);
/* Linked address of a function symbol; 0: none. */
uint64_t target_symbol(struct target *t, const char *name);
/* Can other files refer to the function of P: is its symbol global or weak? False for BTF, which does not tell. */
bool target_is_global(struct target *t, const struct place *p);
/* Why no probe can be set at ADDRESS of a kernel ("it is freed after boot"), NULL: it can, or nobody knows. */
const char *target_denied(struct target *t, uint64_t address);
const char *target_build_id(const struct target *t);
enum passing ctype_passing(const struct ctype *ct);
/* Where a structure of TYPE is that a function of T returned. */
struct location target_result(const struct target *t, const struct ctype *type);

/* The machine the code is for. */
const struct machine *target_machine(const struct target *t);

/* ---- computing values: location.c ---- */
/* C text of the address or value that a location describes, in terms of script.h (kt_register, kt_deref, kt_relocate). With
 * USER the memory and the addresses are those of the program that the probe is in. Every operation that can fault or divide by
 * zero is guarded; PLACE is the error place. False: cannot be computed, WHY set. */
bool location_emit(struct text *t, const struct location *l, uint64_t size, const char *place, bool user,
		   const char **why);
/* A location that is the sum of at most one register and a number, as those of most parameters are. */
struct location_sum {
	int reg;        /* DWARF number, -1: none */
	bool relocated; /* the number is an address as linked; then there is no register */
	int64_t number;
};
bool location_sum(const struct location *l, struct location_sum *ret);
/* The register whose value at the entry of the function L needs; the C has it in the variable kt_entry. */
enum { LOC_ENTRY_NONE = -1, LOC_ENTRY_SEVERAL = -2 };
int location_entry_register(const struct location *l);
/* Registers that computing it reads: bit N for DWARF register N; all bits when one is above 31. */
uint32_t location_registers(const struct location *l);
/* Appends what a person would say of L: "in rdi", "in memory at [rsp+8]", "not here: optimized out". */
void location_describe(struct text *t, const struct location *l, const struct machine *m);
/* SIZE bytes at OFFSET of what L holds: a member of a structure in registers, in pieces or in memory. */
struct location location_part(const struct location *l, uint64_t offset, uint64_t size);

#endif
