/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the DWARF reader. Outside of dwarf*.c nobody sees a libdw type.
 *
 *   dwarf.c           opening, and the table of what the reader answers
 *   dwarf-die.c       attributes, entries and names of single DIEs
 *   dwarf-functions.c the index of functions, and their places
 *   dwarf-units.c     units, split ones too, and their files
 *   dwarf-package.c   packages of .dwo files
 *   dwarf-lines.c     statements
 *   dwarf-callees.c   what functions call
 *   dwarf-parents.c   the DIE that a DIE is in
 *   dwarf-inlined.c   which inlined instances are calls
 *   dwarf-entries.c   where control enters them
 *   dwarf-flow.c      and where by the code around them
 *   dwarf-merged.c    calls that have no instance, as code of several was merged
 *   dwarf-variables.c names visible at a place
 *   dwarf-scopes.c    namespaces and classes around a place
 *   dwarf-location.c  location expressions -> struct location
 *   dwarf-entry.c     what they do not tell of a function's first instruction
 *   dwarf-types.c     types and members
 *   dwarf-randomized.c where the kernel put members in another order
 *   dwarf-names.c     types of all units, by name
 *   dwarf-globals.c   variables and enumerators of all units, by name
 */
#ifndef KTAP_DEBUGINFO_DWARF_READER_H
#define KTAP_DEBUGINFO_DWARF_READER_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "translator/debuginfo/linefiles.h"
#include "translator/debuginfo/reader.h"

struct index;
struct dwarf_names;
struct dwarf_parents;
struct dwarf_merged;
struct layout;

struct dwarf_files {
	const void *unit;        /* address of its DIE */
	struct line_files names;
};

/* A unit of -gsplit-dwarf. */
struct dwarf_split {
	Dwarf_Die skeleton;
	Dwarf_Die die;           /* the unit's in the .dwo file; addr NULL: it is nowhere */
};

struct dwarf_target {
	struct target base;
	struct elf_file *elf;
	Dwarf *dw;
	struct index *index;
	struct denied *denied;   /* read on first use */
	struct dwarf_names *names;   /* the same */
	struct layout *layouts;      /* of structures that CONFIG_RANDSTRUCT may have changed */
	struct line_sections lines;
	struct dwarf_files files[2]; /* of the units asked last: numbers of DIEs, and of rows where they are others */
	struct dwarf_split *split;   /* the skeletons */
	size_t n_split, last_split;
	struct unit_range *ranges;   /* of units, by address; read on first use */
	size_t n_ranges;
	bool ranges_read;
	struct dwarf_parents *parents; /* of the units that were asked for */
	size_t n_parents;
	struct dwarf_merged *merged; /* of the units that were asked for */
	size_t n_merged;
	Dwarf *shared;               /* common DIEs, which dwz(1) moved to another file; NULL: there are none */
	Dwarf *empty;                /* in its place where that file is not found; NULL: it is, or is not needed */
	struct elf_file *beside;     /* that file, where libdw did not find it */
	const char *package_note;    /* what is wrong with the package of .dwo files; NULL: nothing, or there is none */
	/* .eh_frame of the file with the code: libdw leaves it to us. */
	Dwarf_CFI *eh_frame;
	bool eh_frame_read;
};

/* struct place.scope: the subprogram or inlined instance, and the address its variables are wanted at. */
struct dwarf_scope {
	Dwarf_Die die;
	uint64_t pc;
	bool at_entry;    /* pc is the first instruction of the out-of-line function */
};

/* ---- dwarf-die.c ---- */
/* Number attribute AT of DIE or its abstract origin, OTHERWISE if it has none. */
uint64_t dwarf_number(Dwarf_Die *die, unsigned at, uint64_t otherwise);
/* Attribute AT of DIE, a location or frame base. False: it has none. libdw reads no blocks as locations in DWARF 4 and newer, where
 * Go's compiler writes them: their form becomes DW_FORM_exprloc. */
bool dwarf_place(Dwarf_Die *die, unsigned at, Dwarf_Attribute *ret);
/* Entry of a subprogram or inlined instance; 0: it has no code. */
uint64_t dwarf_entry(Dwarf_Die *die);
/* The DIE that has the name of DIE: follows abstract origins. */
bool dwarf_root(Dwarf_Die *die, Dwarf_Die *ret);
/* May other files refer to the variable or function DIE? */
bool dwarf_is_external(Dwarf_Die *die);
/* Is the unit CU in C? */
bool dwarf_is_c(Dwarf_Die *cu);
/* Runs what follows for each DIE in PARENT; CHILD points to it. */
#define dwarf_each_child(parent, child) \
	for (int dwarf_end = dwarf_child((parent), (child)); !dwarf_end; dwarf_end = dwarf_siblingof((child), (child)))
/* Is DIE a namespace or a class? */
bool dwarf_is_scope(Dwarf_Die *die);
/* The out-of-line function at PC in the unit of DIE; false: none. */
bool dwarf_function_at(Dwarf_Die *die, uint64_t pc, Dwarf_Die *ret);
/* The bytes of section NAME; .p NULL: there is none. Once libdw has opened the file, compressed ones are unpacked. */
struct bytes dwarf_section(const struct elf_file *e, const char *name);
enum type_tag { TAG_STRUCT = 1, TAG_UNION = 2, TAG_ENUM = 4, TAG_TYPEDEF = 8, TAG_BASE = 16 };
/* Returns the kind of the type DIE, an enum type_tag; 0: it has no name of its own. */
unsigned dwarf_type_tag(Dwarf_Die *die);

/* Index of the first of the N rows at or after PC. */
size_t dwarf_row_from(Dwarf_Lines *rows, size_t n, uint64_t pc);

/* ---- dwarf-parents.c ---- */
/* The DIE that DIE, which is not in a type of C, is in. False: DIE is a unit. */
bool dwarf_parent(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Die *ret);
void dwarf_parents_free(struct dwarf_target *t);

/* ---- dwarf-inlined.c ---- */
enum inlined {
	INLINED_CALL,   /* a call of the function */
	INLINED_REST,   /* the rest of the call that AROUND is */
	INLINED_SHARED, /* code that AROUND, which does not call the function, shares with it */
};
/* Returns what the inlined INSTANCE is, where AROUND is the function or instance that it was inlined into. */
enum inlined dwarf_inlined(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Die *around);
/* The inlined instance in AROUND, a function or an instance, that holds PC, the innermost or the outermost; false: none does. */
bool dwarf_inlined_at(struct dwarf_target *t, Dwarf_Die *around, uint64_t pc, bool innermost, Dwarf_Die *ret);

/* ---- dwarf-entries.c ---- */
struct dwarf_entries {
	const uint64_t *address; /* in order */
	size_t n;                /* at least one */
	bool marked;             /* the compiler said where calls begin */
	int statement;           /* line of the first statement, if code of the instance has its effect; 0: it has not, or none is known */
	bool unsure;             /* the first statement has effects, and it is not known which of them are of one call */
	uint64_t store;          /* that effect, as instruction_store() returns it; 0: it is a call, or unknown */
};
/* Returns where control enters the inlined INSTANCE, which has code. */
struct dwarf_entries dwarf_entries(struct dwarf_target *t, Dwarf_Die *instance);
/* Returns whether the function of INSTANCE, of a program, begins with a statement on LINE, where no other begins, by the ROWS of its unit, which
 * are N. */
bool dwarf_begins_at(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n, int line);

/* ---- dwarf-flow.c ---- */
/* Adds the addresses where control enters the inlined INSTANCE of a program, by the instructions around it, to *ADDRESS, of which *N are in
 * use; ROWS: of its unit. Sets `statement`, `unsure` and `store` of RET. False: that is not known. */
bool dwarf_flow_entries(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n_rows, uint64_t **address, size_t *n,
			struct dwarf_entries *ret);

/* Replaces the N marks at *ADDRESS, where the calls of the INSTANCE of a program begin, if they are not all, or are not calls alone. False: they
 * are not, and the calls are not known. */
bool dwarf_flow_marks(struct dwarf_target *t, Dwarf_Die *instance, Dwarf_Lines *rows, size_t n_rows, uint64_t **address, size_t *n);

/* Returns the store of the first statement of the out-of-line FUNCTION of a program, as instruction_store() does; ROWS: of its unit. 0: the
 * statement has none, or the unit has no merged code with it. */
uint64_t dwarf_flow_store(struct dwarf_target *t, Dwarf_Die *function, Dwarf_Lines *rows, size_t n_rows);

/* ---- dwarf-merged.c ---- */
/* Returns whether the unit of DIE, of a program, has merged code with STORE. */
bool dwarf_merged_has(struct dwarf_target *t, Dwarf_Die *die, uint64_t store);
/* Returns the name of a function with merged code that has STORE, in the unit of DIE. DIE, of a program, is a copy or an instance of another
 * function. NULL: no function has such code. */
const char *dwarf_merged_in(struct dwarf_target *t, Dwarf_Die *die, uint64_t store);
void dwarf_merged_free(struct dwarf_target *t);

/* ---- dwarf-functions.c ---- */
struct place *dwarf_functions(struct target *t, const struct function_query *q);
void dwarf_function_names(struct target *base, void (*fn)(const char *name, void *data), void *data);

/* ---- dwarf-units.c ---- */
/* A walk over all units: begins as {}. */
struct dwarf_walk {
	Dwarf_CU *cu;
	size_t skeletons; /* so far */
	size_t split;     /* number of the unit's skeleton, 0: it has none */
	Dwarf *shared;    /* the target's */
	bool in_shared;   /* the unit is of that */
};

/* The next unit that is there; false: there is no more. */
bool dwarf_unit_next(struct dwarf_target *t, struct dwarf_walk *w, Dwarf_Die *ret);
/* Returns the number that stands for DIE, which is in the unit that the walk is at. */
uint64_t dwarf_die_number(const struct dwarf_walk *w, Dwarf_Die *die);
/* The DIE of NUMBER; false: there is none. */
bool dwarf_die_at(struct dwarf_target *t, uint64_t number, Dwarf_Die *ret);
/* The unit that has code at ADDRESS; false: none. */
bool dwarf_unit_at(struct dwarf_target *t, uint64_t address, Dwarf_Die *ret);
/* Finds the skeletons and opens their .dwo files: once, after T is open. */
void dwarf_find_split(struct dwarf_target *t);
/* Finds the file that dwz(1) moved common DIEs to: once, before libdw looks for it. */
void dwarf_find_shared(struct dwarf_target *t);
/* Name of file NUMBER as an attribute of DIE, or a row of its unit's line table, has it. NULL: none. */
const char *dwarf_file(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Word number);
const char *dwarf_row_file(struct dwarf_target *t, Dwarf_Die *die, Dwarf_Word number);

/* ---- dwarf-package.c ---- */
struct dwarf_package;
/* NULL: PATH is no DWARF package. */
struct dwarf_package *dwarf_package_open(const char *path);
void dwarf_package_close(struct dwarf_package *g);
/* Links the unit of SKELETON, which nobody asked libdw for yet, to what G has of it. False: nothing, or damaged. */
bool dwarf_package_unit(struct dwarf_package *g, struct dwarf_target *t, Dwarf_Die *skeleton, Dwarf_Die *ret);

/* Links it to the unit of SKELETON in the .dwo file FD, which libdw opens through /proc instead of by the name in the skeleton. */
bool dwarf_link_split(struct dwarf_target *t, Dwarf_Die *skeleton, int fd, Dwarf_Die *ret);

/* ---- dwarf-lines.c ---- */
struct place *dwarf_lines(struct target *t, const struct line_query *q);
struct place *dwarf_labels(struct target *t, const struct function_query *q, const char *name);
struct place *dwarf_place_at(struct target *t, uint64_t address);

/* ---- dwarf-callees.c ---- */
struct place *dwarf_callees(struct target *t, const struct function_query *callers, const struct callee_query *q);

/* ---- dwarf-variables.c ---- */
const struct variable *dwarf_variable(struct target *t, const struct place *p, const char *name);
const struct variable *dwarf_variables(struct target *t, const struct place *p);

/* ---- dwarf-scopes.c ---- */
enum { VISIBLE_ELSEWHERE = -1 };
/* The DIE that stands in its scope: of a method or a namespace's variable, the declaration there. */
bool dwarf_declaration(Dwarf_Die *die, Dwarf_Die *ret);
typedef bool dwarf_scope_fn(Dwarf_Die *die, const char *path, void *data);
/* Calls FN with each DIE outside of functions in UNIT, and with the path of the scope that it stands in, "ns::Class::". In C only
 * the top level counts. FN returns true to stop; so does this then. */
bool dwarf_walk_unit(Dwarf_Die *unit, dwarf_scope_fn *fn, void *data);
/* The namespaces and classes around DIE, "ns::Class::", without those that have no name. */
const char *dwarf_scope_path(struct dwarf_target *t, Dwarf_Die *die);
/* The same for people: with "(anonymous namespace)::", and for a lambda with the function that it is in, "f::{lambda(int)}::". */
const char *dwarf_scope_names(struct dwarf_target *t, Dwarf_Die *die);
/* Calls FN with the DIEs of TAG outside of functions in the unit of CODE that are called NAME (NULL: any) or have no name. RANK
 * is higher in scopes nearer to CODE, and VISIBLE_ELSEWHERE in scopes that are not around it. */
void dwarf_visible(struct dwarf_target *t, Dwarf_Die *code, int tag, const char *name, void (*fn)(Dwarf_Die *die, int rank, void *data),
		   void *data);

/* ---- dwarf-location.c ---- */
/* Where the variable of DIE lives in SCOPE. */
struct location dwarf_location(struct dwarf_target *t, const struct dwarf_scope *scope, Dwarf_Die *die);
/* The same of a variable outside of functions whose DIE says nothing of its place: by its symbol. */
struct location dwarf_symbol_location(struct dwarf_target *t, Dwarf_Die *die);

bool dwarf_frame(struct target *t, const struct place *p, uint64_t *ret_entry, struct location *ret_frame);

/* ---- dwarf-entry.c ---- */
/* The same at a function's first instruction, of a variable that lives in the frame, which is not there yet. False: it is not
 * such a variable. */
bool dwarf_entry_location(struct dwarf_target *t, const struct dwarf_scope *scope, Dwarf_Die *die, struct location *ret);

/* ---- dwarf-types.c ---- */
/* struct ctype.type: a DIE without typedefs and qualifiers. An array DIE with several dimensions is several types. */
struct dwarf_type {
	Dwarf_Die die;
	int dimension; /* of an array: the first that is left */
};

/* The type at attribute DW_AT_type of DIE (or its abstract origin), NULL: void. */
const struct ctype *dwarf_type_of(struct dwarf_target *t, Dwarf_Die *die);
const struct ctype *dwarf_return_type(struct target *t, const struct place *p);
const struct ctype *dwarf_pointee(const struct ctype *ct);
/* The member NAME of CT, whose definition is RET_STRUCTURE, with the offset that DWARF has. */
bool dwarf_member_as_said(const struct ctype *ct, const char *name, Dwarf_Die *ret_structure, struct member *ret);
void dwarf_members(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data);
void dwarf_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data);
const struct ctype *dwarf_type_by_name(struct target *t, const char *name);
const struct ctype *dwarf_type_at(struct target *t, const struct place *p, const char *name);
/* Calls FN for each enumerator of the enumeration DIE in turn, until it returns true. */
bool dwarf_each_enumerator(Dwarf_Die *die, bool (*fn)(const char *name, int64_t value, void *data), void *data);
const char *dwarf_enumerator_of(const struct ctype *ct, int index, int64_t *ret);
const char *dwarf_variant(const struct ctype *ct, int index, bool *ret_other, int64_t *ret);

/* ---- dwarf-randomized.c ---- */
/* The same with the offset that the kernel has. */
bool dwarf_member(const struct ctype *ct, const char *name, struct member *ret);

/* ---- dwarf-names.c ---- */
/* The first definition of a type of that name, of one of the kinds TAGS. */
bool dwarf_name_find(struct dwarf_target *t, const char *name, unsigned tags, Dwarf_Die *ret);
/* The same in the unit of DIE. */
bool dwarf_name_find_in_unit(struct dwarf_target *t, Dwarf_Die *die, const char *name, unsigned tags, Dwarf_Die *ret);
/* Calls FN with the names read so far. */
void dwarf_type_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
void dwarf_names_free(struct dwarf_names *ns);

/* ---- dwarf-globals.c ---- */
const struct variable *dwarf_global(struct target *t, const char *name, const char *file);
bool dwarf_unit_defines(struct target *t, uint64_t pc, uint64_t address, bool thread);
void dwarf_global_names(struct target *t, void (*fn)(const char *name, void *data), void *data);
bool dwarf_enumerator(struct target *t, const struct place *p, const char *name, int64_t *ret);
void dwarf_enumerators(struct target *t, void (*fn)(const char *name, void *data), void *data);

/* ---- dwarf-passing.c ---- */
enum passing dwarf_passing(const struct ctype *ct);

#endif
