/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call that was hit, and how its arguments are written as text.
 *
 * syscall.c finds the call, fn-syscall.c answers the script's questions on it, syscall-show.c writes each kind of argument,
 * syscall-names.c has the names of numbers. The table of all calls is syscalls.def.
 */
#ifndef KT_KIT_SYSCALL_H
#define KT_KIT_SYSCALL_H

#include "runtime/kit/services.h"

enum { KT_CALL_ARGUMENTS = 6 };

/* Name of a number; a table ends with a NULL name. */
struct kt_name {
	u32 value;
	const char *name;
};

/* The words of syscalls.def; most classes are of interest to tapset/syscalls.pl only. */
enum kt_kind_class { KT_CLASS_number, KT_CLASS_symbol, KT_CLASS_string, KT_CLASS_memory, KT_CLASS_pointer, KT_CLASS_hidden };
enum kt_kind_width { KT_WIDTH_i, KT_WIDTH_u, KT_WIDTH_l, KT_WIDTH_s, KT_WIDTH_w, KT_WIDTH_h, KT_WIDTH_m, KT_WIDTH_o };
enum kt_call_result { KT_RESULT_d, KT_RESULT_x, KT_RESULT_o };

struct kt_show;

/* A kind of argument: KIND() of syscalls.def. */
struct kt_kind {
	u8 class;
	u8 width;
	/* Writes the value of argument N. */
	void (*show)(struct kt_show *s, u64 value, u32 n);
	const struct kt_name *names;
};

/* CALL() of syscalls.def; rows of the script have its position there. */
struct kt_call {
	const char *name;
	u8 result; /* enum kt_call_result */
	s16 native, compat; /* its numbers here; -1: none */
	const struct kt_kind *kinds[KT_CALL_ARGUMENTS]; /* NULL: no more */
};
extern const struct kt_call kt_calls[];
extern const u32 kt_n_calls;

/* VIA() of syscalls.def. */
struct kt_via {
	const char *name;
	const char *from;
	s16 number; /* of 32-bit programs */
	s32 sub;
};
#define KIND(...)
#define CALL(...)
#define VIA(...) +1
enum {
	KT_VIAS = 0
#include "runtime/kit/syscalls.def"
};
extern const struct kt_via kt_vias[];
extern const u32 kt_n_vias; /* 0 where 32-bit programs have no numbers of their own */

/* How a program made a call: as kt_syscall_row.function. */
enum kt_call_way { KT_WAY_NATIVE, KT_WAY_COMPAT, KT_WAY_CARRIED /* as one of many by the number */ };

/* A hit: what kt_ctx.instance points at in handlers of the family. */
struct kt_hit {
	const struct kt_call *call; /* NULL: the table has no call of this number */
	long number;
	u8 way;       /* enum kt_call_way */
	bool compat;  /* made through the 32-bit ABI: longs and pointers in memory have 32 bits */
	bool at_exit;
	long result;  /* at exit */
	s64 function; /* as in struct kt_syscall_row */
	struct kt_saved *saved; /* values of the entry, of probes that have some */
	struct kt_saved *changed; /* what was in the registers of arguments that were written; NULL: nowhere to keep it */
	unsigned long args[KT_CALL_ARGUMENTS]; /* the registers */
	const char *from;   /* where arguments are that are in no register, or in another one: as in VIA(); NULL: all are */
	bool in_memory;     /* words were not read yet */
	bool unread;        /* words could not be read */
	u32 words[KT_CALL_ARGUMENTS];
};

/* The hit that a handler is for, NULL: this is no probe of the family. Context: a handler's. */
const struct kt_hit *kt_hit(struct kt_ctx *c);
/* Whether the kernel looks at argument N: some depend on what stands before them. */
bool kt_hit_passes(const struct kt_hit *hit, u32 n);
/* The same of arguments of prctl and keyctl; true for others. */
bool kt_form_passes(const struct kt_hit *hit, u32 n);
/* Argument N from 0, as wide as its kind says. */
u64 kt_hit_argument(const struct kt_hit *hit, u32 n);

/* Positions count the words that a program passes, from 0: two for 64 bits of a 32-bit program. Argument N is at this one. */
u32 kt_hit_position(const struct kt_hit *hit, u32 n);
unsigned long kt_hit_word(const struct kt_hit *hit, u32 position);
/* The register of a word; below 0, for one in memory: the complement of its place in hit->words. */
int kt_hit_register(const struct kt_hit *hit, u32 position);

/* How CALL is made by its native number; NULL: with its arguments in registers, in order. */
const struct kt_via *kt_call_way(const struct kt_call *call);
/* The way in which a 32-bit program made HIT; NULL: the ordinary one. */
const struct kt_via *kt_via_of(const struct kt_hit *hit);
/* Whether HIT is a call by the number of another one, which has probes of its own. */
bool kt_hit_carries(const struct kt_hit *hit);
/* HIT is by way of VIA. */
void kt_hit_arrange(struct kt_hit *hit, const struct kt_via *via);
/* The address of the words that HIT has in memory. */
u64 kt_hit_block(const struct kt_hit *hit);

/* At the entry: the call gets VALUE as argument N (the word at a position), and the program its register back at the return. At
 * the return: the call returns VALUE. Context: a handler of the family. */
void kt_hit_set_argument(struct kt_ctx *c, u32 n, u64 value);
void kt_hit_set_word(struct kt_ctx *c, u32 position, u64 value);
void kt_hit_set_result(struct kt_ctx *c, long value);

/* ---- text being written ---- */
struct kt_show {
	char *to;
	u32 size, len; /* space with the NUL; bytes so far */
	bool cut;      /* it did not all fit */
	bool trial;    /* if not, it is written once more */
	u32 share;     /* of one string, data or list: characters after which it is cut */
	u64 bytes_left; /* of the buffers that are being written */
	struct kt_ctx *c;
	const struct kt_hit *hit;
};

void kt_show_text(struct kt_show *s, const char *text);
/* NULL is "NULL". */
void kt_show_address(struct kt_show *s, u64 address);
void kt_show_octal(struct kt_show *s, u64 value, u32 n);
/* The argument as its kind has it. */
void kt_show_argument(struct kt_show *s, u32 n);

/* Building blocks of the kinds: names and flags of a table (more after what is shown already, if ANY), bytes at an
 * address, a mode with its type. */
void kt_show_name_in(struct kt_show *s, const struct kt_name *names, u64 value);
void kt_show_flags_in(struct kt_show *s, const struct kt_name *names, u64 value, bool any);
void kt_show_open_flags_in(struct kt_show *s, const struct kt_name *names, u64 value);
void kt_show_data_at(struct kt_show *s, u64 address, u64 len);
/* Escaped and in quotes; false: cut at its share. */
bool kt_show_bytes(struct kt_show *s, const char *bytes, u32 n);
void kt_show_mode(struct kt_show *s, u32 mode);
/* The call has filled what it was given the address of. */
bool kt_show_filled(const struct kt_show *s, u64 address);

/* Address of a socket in a script's terms, of which argument N is one: kt_fn___syscall_sockaddr. */
enum kt_sockaddr_part { KT_ADDR_FAMILY, KT_ADDR_IP, KT_ADDR_PORT, KT_ADDR_FLOWINFO, KT_ADDR_SCOPE };
/* Reads at most SIZE bytes of the address in argument N; how many. */
u32 kt_hit_sockaddr(struct kt_ctx *c, const struct kt_hit *hit, u32 n, void *to, u32 size);
/* Address and port of an internet address, or the path of a local one. */
void kt_show_sockaddr_ip(struct kt_show *s, u64 value, u32 n);

#define KIND(name, class, width, show, table, text)                    \
	void kt_show_##show(struct kt_show *s, u64 value, u32 n);      \
	extern const struct kt_name kt_names_##table[];
#define CALL(...)
#define VIA(...)
#include "runtime/kit/syscalls.def"

#endif
