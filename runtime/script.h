/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one header of generated C. It includes no kernel and no C library header, so a script compiles in
 * milliseconds on any kernel; what it declares is implemented by the kit (runtime/kit), by the user runtime
 * (runtime/user), and by runtime/core for both.
 *
 * Conventions of generated C:
 *   - a handler is `static void p_N(struct kt_ctx *c)`, a function `static kt_s64 f_NAME(struct kt_ctx *c, ...)`;
 *     a function that returns a string takes `char *ret` after c and has space for kt_script.string_max bytes;
 *   - errors: KT_FAIL() sets the message and jumps to the innermost label kt_fail; `try` declares its own with
 *     __label__; after each call that may fail comes KT_CHECK();
 *   - locals live in a struct named l; long locals are members, strings are pointers into the context's frame.
 */
#ifndef KT_SCRIPT_H
#define KT_SCRIPT_H

#include "abi.h"

#define kt_likely(x) __builtin_expect(!!(x), 1)
#define kt_unlikely(x) __builtin_expect(!!(x), 0)

enum { KT_MESSAGE_MAX = 512 };

/* One running handler. Owned by the CPU and level it runs on; interrupts are off while it runs. */
struct kt_ctx {
	union {
		const char *error;      /* message of the error that is being raised, or NULL */
		const char *last_error; /* as embedded C calls it */
	};
	kt_u32 error_place;     /* index into kt_script.places */
	kt_s32 actions;         /* statements left until the next look at the clock: set by handlers that count them, as is frame */
	kt_s64 more_actions;    /* those after it */
	kt_u64 busy_since;      /* when the handler first looked at the clock; 0: not yet */
	kt_s64 visits;          /* elements left for work on whole arrays; set by handlers that do such work */
	kt_u32 nesting;         /* function calls below the handler */
	kt_u32 flags;           /* enum kt_ctx_flag */
	const void *regs;       /* struct pt_regs at the probe, NULL: none */
	struct pt_regs *kregs, *uregs; /* as embedded C calls them, which sets them: of the kernel or of a program, the other is NULL */
	void *cpu;              /* this CPU's part of the script's per-CPU globals */
	kt_u64 level;           /* enum kt_level_id: which of this CPU's levels the handler runs at */
	char *frame;            /* next free byte of the string frame */
	char *frame_base;       /* its first byte: kt_script.frame_size bytes */
	const struct kt_probe *probe;
	void *instance;         /* the family's own: a kretprobe instance, ... */
	const void *task;       /* struct task_struct the probe is about; NULL: the current one */
	kt_u64 user_bias;       /* probes in programs: run-time minus linked address of the file that the probe is in */
	/* Set at the start of handlers whose script calls tokenize(): space for one string, empty. Else NULL. */
	char *token_text;       /* copy of what tokenize() was given */
	kt_u32 token_at;        /* the rest starts here */
	/* Likewise where matched() is called: the subject of the last =~ and where its groups are. */
	kt_s32 match_groups;    /* groups of that regex; -1: it did not match, or none was tried */
	char *match_text;
	kt_u32 loss;            /* enum kt_loss of `error` */
	kt_u32 n_callers;       /* valid while error_place is set: where the functions were called that it came through */
	kt_u32 callers[KT_ERROR_CALLS_MAX]; /* as error_place, the innermost first */
	kt_u16 *match_at;       /* start and end of the whole match, then of each group; start KT_NO_PLACE: not taken */
	union { /* composed error messages live here */
		char message[KT_MESSAGE_MAX];
		char error_buffer[KT_MESSAGE_MAX]; /* as embedded C calls it */
	};
};

enum kt_ctx_flag {
	KT_CTX_USER_REGS = 1, /* regs are those of a user program */
	KT_CTX_RETURN = 2,    /* a return probe */
	KT_CTX_SKIP = 4,      /* the handler gave up on a lock: count, not an error */
	KT_CTX_ABORT = 8,     /* abort(): an error that is neither caught nor reported */
	KT_CTX_DECLINED = 16, /* STAP_NEXT: the caller goes on to the next overload */
	KT_CTX_HOLDS = 32,    /* what kt_probe.condition says */
	KT_CTX_OWN = 64,      /* in a task of ours: work on whole arrays lets interrupts in */
	KT_CTX_CLOCK = 128,   /* in the interrupt of a timer or counter: what a handler does cannot bring it for ever */
	KT_CTX_SYSCALL = 256, /* a probe on a system call: regs are the program's, instance is the hit */
	KT_CTX_BREAKPOINT = 1024, /* may come by an exception that counts as an NMI and is not one */
	KT_CTX_FTRACE = 512,  /* a function's entry by ftrace: the registers say where its call goes on */
	KT_CTX_SPENT = 4096,  /* the handler used up its statements */
	KT_CTX_EVENT = 2048,  /* a system call of a process probe: instance is kt_argument()'s words and the saved values */
	KT_CTX_ENTRY = 8192,  /* a kprobe at a function's first instruction */
	KT_CTX_TASK = 16384,  /* in a task on its way back to its program: the caller is kt_mmap_release() */
	KT_CTX_LATE = 32768,  /* beside KT_CTX_SPENT: it was its time that the handler used up */
};

/* Bytes of stack that the script's handlers need at most, those of the functions they call included. The translator writes
 * the figure into the built module, where it finds it by its section (translator/module/stack.c); 0: nobody did. */
extern const kt_u32 kt_script_stack;
#define KT_SCRIPT_STACK const kt_u32 kt_script_stack __attribute__((section(KT_STACK_SECTION))) = 0

/* ---- errors ---- */
#define KT_FAIL(msg, place)                 \
	do {                                \
		c->error = (msg);           \
		c->error_place = (place);   \
		c->n_callers = 0;           \
		c->loss = KT_LOSS_ERROR;    \
		goto kt_fail;               \
	} while (0)
/* After a call that may have failed and does not know the place. */
#define KT_CHECK(place)                                      \
	do {                                                 \
		if (kt_unlikely(c->error)) {                 \
			if (c->error_place == KT_NO_PLACE)   \
				kt_set_place(c, place);      \
			goto kt_fail;                        \
		}                                            \
	} while (0)
/* After a call of a function of the script. */
#define KT_CHECK_CALL(place)                                 \
	do {                                                 \
		if (kt_unlikely(c->error)) {                 \
			kt_add_caller(c, place);             \
			goto kt_fail;                        \
		}                                            \
	} while (0)
static inline void kt_set_place(struct kt_ctx *c, kt_u32 place)
{
	c->error_place = place;
	c->n_callers = 0;
}

static inline void kt_add_caller(struct kt_ctx *c, kt_u32 place)
{
	if (c->error_place == KT_NO_PLACE)
		kt_set_place(c, place);
	else if (c->n_callers < KT_ERROR_CALLS_MAX)
		c->callers[c->n_callers++] = place;
}

/* Raises an error from a runtime function: the message is a literal, or composed in c->message. */
static inline void kt_error(struct kt_ctx *c, const char *message)
{
	c->error = message;
	c->error_place = KT_NO_PLACE;
	c->loss = KT_LOSS_ERROR;
}

/* ---- the budget of a handler: statements and time (core/budget.c) ---- */
/* What statements cost is not known, as strings may be long: the clock decides, which is looked at after so many. */
enum { KT_ACTIONS_AT_ONCE = 64 };

/* The handler may run N statements. */
static inline void kt_actions_start(struct kt_ctx *c, kt_s32 n)
{
	c->actions = n < KT_ACTIONS_AT_ONCE ? n : KT_ACTIONS_AT_ONCE;
	c->more_actions = n - c->actions;
	c->busy_since = 0;
}

/* Looks at the clock: has the handler used up its time? In a task of ours interrupts may be let in. */
int kt_time_is_up(struct kt_ctx *c);
/* The same, and interrupts stay off. */
int kt_is_late(struct kt_ctx *c);
/* c->actions is below 0. Gives the handler more of them, and returns 1; or raises an error, and returns 0. */
int kt_actions_more(struct kt_ctx *c);
/* N statements are about to run. */
#define KT_ACTIONS(n, place)                                                     \
	do {                                                                     \
		c->actions -= (n);                                               \
		if (kt_unlikely(c->actions < 0) && !kt_actions_more(c)) {        \
			kt_set_place(c, place);                                  \
			goto kt_fail;                                            \
		}                                                                \
	} while (0)

/* Has the clock looked at before the next statement. */
static inline void kt_actions_pause(struct kt_ctx *c)
{
	if (c->actions > 0 && c->actions <= KT_ACTIONS_AT_ONCE) {
		c->more_actions += c->actions;
		c->actions = 0;
	}
}

/* Looks at the clock after long work. Returns 0, with an error raised, if the handler has used up its time, else 1. The handler must have
 * called kt_actions_start(). Generated code does so in handlers that match groups, and in handlers that call functions of the runtime
 * while MAXSTRINGLEN is above KT_LONG_STRING. */
int kt_took_long(struct kt_ctx *c);
enum { KT_LONG_STRING = 2048 }; /* bytes of a string: to search it takes microseconds */

/* ---- errors of the runtime ---- */
/* Composes c->message with %s %d %x (all longs are kt_s64) and raises it. */
void kt_errorf(struct kt_ctx *c, const char *fmt, ...);
/* The same for accesses that failed. */
#define kt_faultf(c, ...) (kt_errorf(c, __VA_ARGS__), (void)((c)->loss = KT_LOSS_FAULT))

/* Writes the statement at this index of kt_script.places to the kernel's log, in a process to standard error. Context: any. */
void kt_trace_statement(kt_u32 place);

/* In `catch`: may this error be caught? Running out of statements or time, or failing to get a lock, cannot. */
static inline int kt_catchable(const struct kt_ctx *c)
{
	return !(c->flags & (KT_CTX_SKIP | KT_CTX_ABORT | KT_CTX_SPENT));
}

/* The kind of the error that ends the handler. */
static inline enum kt_error_kind kt_error_kind(const struct kt_ctx *c)
{
	if (c->flags & KT_CTX_SPENT)
		return c->flags & KT_CTX_LATE ? KT_ERROR_TIME : KT_ERROR_ACTIONS;
	return c->loss == KT_LOSS_FAULT ? KT_ERROR_FAULT : c->loss == KT_LOSS_FULL ? KT_ERROR_FULL : KT_ERROR_OTHER;
}

/* A C truth value as a long; the compiler has opinions on arithmetic with those. */
static inline kt_s64 kt_bool(int truth) { return truth; }

/* ---- arithmetic: 64 bits, wrapping (compiled with -fno-strict-overflow) ---- */
static inline kt_s64 kt_shl(kt_s64 a, kt_s64 b) { return (kt_s64)((kt_u64)a << (b & 63)); }
static inline kt_s64 kt_shr(kt_s64 a, kt_s64 b) { return a >> (b & 63); }
static inline kt_s64 kt_ushr(kt_s64 a, kt_s64 b) { return (kt_s64)((kt_u64)a >> (b & 63)); }
static inline kt_s64 kt_div_nonzero(kt_s64 a, kt_s64 b) { return b == -1 ? (kt_s64)-(kt_u64)a : a / b; }
static inline kt_s64 kt_mod_nonzero(kt_s64 a, kt_s64 b) { return b == -1 || b == 1 ? 0 : a % b; }
#define kt_div(a, b, place)                                       \
	({                                                        \
		kt_s64 a_ = (a), b_ = (b);                        \
		if (kt_unlikely(!b_))                             \
			KT_FAIL("division by 0", place);          \
		kt_div_nonzero(a_, b_);                           \
	})
#define kt_mod(a, b, place)                                       \
	({                                                        \
		kt_s64 a_ = (a), b_ = (b);                        \
		if (kt_unlikely(!b_))                             \
			KT_FAIL("division by 0", place);          \
		kt_mod_nonzero(a_, b_);                           \
	})

/* ---- strings (core/str.c): NUL-terminated, at most `size` bytes with the NUL ---- */
kt_u32 kt_strlen(const char *s);
/* A string that does not fit is cut, and counted. May overlap itself exactly. */
void kt_strcpy(char *to, const char *from, kt_u32 size);
void kt_strcat(char *to, const char *from, kt_u32 size);
/* Copies the first bytes of FROM: the caller does not want the others. */
void kt_strpart(char *to, const char *from, kt_u32 size);
/* Counts a string that was cut. Context: a handler's, or none. */
void kt_string_cut(void);
int kt_strcmp(const char *a, const char *b);
/* How a byte is written inside a C string: itself, an escape such as \n, or three octal digits. Length 1, 2 or 4. */
kt_u32 kt_escape(char *to, unsigned char byte);
/* The character at S escaped: TO has space for 10 bytes, and is given as many as are returned. Characters of several
 * bytes become \uXXXX or \UXXXXXXXX. USED: bytes of S. */
kt_u32 kt_escape_character(char *to, const char *s, kt_u32 *used);
/* Room for one string in the frame; the frame size was computed by the translator. */
static inline char *kt_frame(struct kt_ctx *c, kt_u32 size)
{
	char *s = c->frame;

	c->frame += size;
	s[0] = 0;
	return s;
}

/* The same for a handler, with which the frame begins. */
static inline char *kt_first_frame(struct kt_ctx *c, kt_u32 size)
{
	c->frame = c->frame_base;
	return kt_frame(c, size);
}

/* ---- keys of arrays ---- */
/* A string, its length and its hash. It need not end with a NUL. Two registers hold it. */
struct kt_hashed {
	const char *at;
	kt_u32 len;
	kt_u32 hash; /* the upper half of what core/map.c computes */
};
struct kt_hashed kt_hashed(const char *s);
/* The same of LEN bytes. */
struct kt_hashed kt_hashed_bytes(const char *s, kt_u32 len);

/* ---- printing: a record with raw arguments; the loader formats ---- */
enum { KT_STRING_HEADER = 4 };
static inline kt_u32 kt_string_room(kt_u32 len) { return (KT_STRING_HEADER + len + 7) & ~7u; }
/* Room for a record of `payload` bytes of arguments, its header filled in; NULL: no space, counted. */
void *kt_reserve(struct kt_ctx *c, kt_u32 kind, kt_u32 number, kt_u32 payload);
void kt_commit(struct kt_ctx *c);
static inline void *kt_put_long(void *at, kt_s64 v)
{
	*(kt_s64 *)at = v;
	return (kt_s64 *)at + 1;
}
void *kt_put_string(void *at, const char *s, kt_u32 len);
/* The same of a whole string. */
void *kt_put_text(void *at, const char *s);
/* A name of KIND (enum kt_name_kind) of what is at ADDRESS, as an argument that is printed. Writes to TO, which has SIZE bytes, what
 * kt_put_name() takes, and returns its length, of which the highest bits are the kind when it is the address alone, or, with
 * KT_NAME_LINES, a pointer to the text. */
kt_u32 kt_name(struct kt_ctx *c, char *to, kt_u32 size, kt_s64 address, kt_u32 kind);
static inline kt_u32 kt_name_length(kt_u32 len) { return len & ((1u << KT_NAME_SHIFT) - 1); }
static inline kt_u32 kt_name_room(kt_u32 len) { return kt_string_room(kt_name_length(len)); }
void *kt_put_name(void *at, const char *s, kt_u32 len);

/* Argument of a format that is applied at run time: sprintf. For %m and %M, in records too, it is a string: the bytes
 * that were read from memory, `len` of them. */
struct kt_arg {
	kt_s64 number;
	const char *string; /* NULL: a number */
	kt_u32 len;         /* of string; 0: it ends with a NUL */
	kt_u32 name;        /* of a record: the string is this name (enum kt_name_kind) of what is at the address NUMBER */
};
/* Functions of the library that handlers call for an array of char. */
void kt_fn_kernel_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
void kt_fn_kernel_string_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n);
void kt_fn_user_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
void kt_fn_user_string_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n);

/* core/format.c: the printf family's formatter, the same in the loader. The length it wanted; at most SIZE bytes are
 * written, the last of them a NUL. An argument that is missing or of the wrong type prints as 0 or "". */
kt_u32 kt_format(char *to, kt_u32 size, const char *format, const struct kt_arg *args, kt_u32 n);
/* sprintf: a string that does not fit is cut, and counted. */
void kt_sprintf(char *to, kt_u32 size, const char *format, const struct kt_arg *args, kt_u32 n);

/* ---- globals ---- */
/* A wait for something that another CPU holds. It begins with zeroes. */
struct kt_wait {
	kt_u64 since; /* nanoseconds; 0: not yet begun */
	kt_u64 most;  /* nanoseconds it may take; 0: as long as a handler waits for a lock */
};
/* Pauses for a moment. False: the time is over. Context: a handler's. */
int kt_wait_more(struct kt_ctx *c, struct kt_wait *w);
/* Counts how long W took in the ledger, if it has begun. */
void kt_wait_end(struct kt_ctx *c, const struct kt_wait *w);

/* A lock with two modes, tried for a bounded time only: see lock.c of the kit. */
struct kt_lock {
	kt_u32 word;
};
/* True when taken. False: the caller leaves the handler with KT_CTX_SKIP. */
int kt_lock_read(struct kt_ctx *c, struct kt_lock *l);
int kt_lock_write(struct kt_ctx *c, struct kt_lock *l);
void kt_unlock_read(struct kt_lock *l);
void kt_unlock_write(struct kt_lock *l);

/* Locks that a handler holds on globals that others change: all or none, in the order of declaration. */
struct kt_lock_use {
	struct kt_lock *lock;
	kt_u32 write;
};
static inline void kt_unlock_all(const struct kt_lock_use *use, kt_u32 n)
{
	while (n-- > 0) {
		if (use[n].write)
			kt_unlock_write(use[n].lock);
		else
			kt_unlock_read(use[n].lock);
	}
}
static inline int kt_lock_all(struct kt_ctx *c, const struct kt_lock_use *use, kt_u32 n)
{
	for (kt_u32 i = 0; i < n; i++) {
		if (use[i].write ? kt_lock_write(c, use[i].lock) : kt_lock_read(c, use[i].lock))
			continue;
		kt_unlock_all(use, i);
		c->flags |= KT_CTX_SKIP;
		return 0;
	}
	return 1;
}

/* This CPU's copy of the long at `offset` in the per-CPU globals. */
#define kt_cpu_long(c, offset) (*(kt_s64 *)((char *)(c)->cpu + (offset)))
/* Adds BY to that long, in one instruction: a hit of another probe that comes between is not lost. */
static inline void kt_cpu_add(struct kt_ctx *c, kt_u32 offset, kt_s64 by)
{
#ifdef __x86_64__
	__asm__ volatile("addq %1, %0" : "+m"(kt_cpu_long(c, offset)) : "er"(by) : "cc");
#else
	__atomic_fetch_add(&kt_cpu_long(c, offset), by, __ATOMIC_RELAXED);
#endif
}
/* Sum over CPUs of the long at `offset` in the per-CPU globals: for plan `counter`. */
kt_s64 kt_percpu_sum(kt_u32 offset);
/* CPU numbers are below this. */
kt_u32 kt_n_cpus(void);
/* The per-CPU globals of one CPU (what c->cpu is there), NULL: no such CPU. Allocated and zeroed before
 * kt_script.init() is called. Context: any. */
void *kt_cpu_area(kt_u32 cpu);
/* Zeroes `size` bytes at `offset` in the per-CPU globals of every CPU. Only while no hot handler runs. */
static inline void kt_percpu_clear(kt_u32 offset, kt_u32 size)
{
	for (kt_u32 cpu = 0; cpu < kt_n_cpus(); cpu++) {
		char *area = (char *)kt_cpu_area(cpu);

		if (area)
			__builtin_memset(area + offset, 0, size);
	}
}
/* Returns the context of the handler that runs here: for functions of embedded C, which are not given it. */
struct kt_ctx *kt_embedded_context(void);

/* Arrays and aggregates: core/map.h and core/stat.h, included below. */

/* Not 0: a global that a probe's condition reads was changed. The session evaluates the conditions again, a little later
 * and in process context, to arm and disarm the places; until then the handlers' own test of the condition decides. */
extern kt_u32 kt_conditions_dirty;
static inline void kt_conditions_changed(void)
{
	volatile kt_u32 *dirty = &kt_conditions_dirty;

	/* Read first: the line is shared by all CPUs. */
	if (!*dirty)
		*dirty = 1;
}

/* ---- the probed machine ---- */
/* Reads SIZE (1, 2, 4, 8) bytes of kernel memory; a fault raises "read fault". Context: any. */
kt_u64 kt_deref(struct kt_ctx *c, kt_u64 address, kt_u32 size);
kt_u64 kt_deref_user(struct kt_ctx *c, kt_u64 address, kt_u32 size);
/* Bytes for %m and %M: reads N of them (at least 0, at most SIZE) into TO; how many it read. A fault raises. */
static inline kt_s64 kt_capture(struct kt_ctx *c, char *to, kt_u32 size, kt_s64 address, kt_s64 n, int user)
{
	kt_s64 i;

	for (i = 0; i < n && i < (kt_s64)size && !c->error; i++)
		to[i] = (char)(user ? kt_deref_user(c, (kt_u64)(address + i), 1) :
				      kt_deref(c, (kt_u64)(address + i), 1));
	if (i < n && !c->error)
		kt_string_cut();
	return i;
}
/* Writes the low SIZE bytes of VALUE; a fault raises "write fault". Only scripts that run with -g have such. Context: any. */
void kt_store(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size);
void kt_store_user(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size);
/* What the probed code finds in the register, or its caller in that of the result, when the handler is through. */
void kt_set_register(struct kt_ctx *c, kt_u32 dwarf_number, kt_u64 value);
void kt_set_return_value(struct kt_ctx *c, kt_u64 value);
/* The register with this DWARF number at the probe; faults when there are no registers. */
kt_u64 kt_register(struct kt_ctx *c, kt_u32 dwarf_number);
/* The same of the program: in a probe of the kernel, what the register was when the task last entered the kernel. */
kt_u64 kt_user_register(struct kt_ctx *c, kt_u32 dwarf_number);
/* Run-time address of a kernel address as linked. */
kt_u64 kt_relocate(kt_u64 address);
/* Value in the return register: in return probes only. Of a program of 32 bits: 32 bits. */
kt_u64 kt_return_value(struct kt_ctx *c);
/* A 64-bit return value of a 32-bit program (two registers). */
kt_u64 kt_return_wide(struct kt_ctx *c);
void kt_set_return_wide(struct kt_ctx *c, kt_u64 value);
/* Word N of the arguments of a tracepoint; what a narrow argument leaves of its word is undefined. */
static inline kt_u64 kt_argument(const struct kt_ctx *c, kt_u32 n) { return ((const kt_u64 *)c->instance)[n]; }
/* What the current thread has counted of the counter with that number in struct kt_perf_row; raises an error where it
 * counts nothing. Context: probes of programs and of their system calls. */
kt_s64 kt_perf_counter(struct kt_ctx *c, kt_u32 counter);
/* The copy that this CPU has of the kernel's per-CPU variable at ADDRESS as linked. */
kt_u64 kt_this_cpu(kt_u64 address);
/* The address in the copy of CPU of what is at ADDRESS in the copy that this CPU has; an error is raised when there is no such CPU. */
kt_u64 kt_cpu_copy(struct kt_ctx *c, kt_u64 address, kt_s64 cpu);
/* The same of an address in the file of a program that the probe is in. */
static inline kt_u64 kt_relocate_user(const struct kt_ctx *c, kt_u64 address) { return address + c->user_bias; }
/* An address in a module: so far beyond a symbol of it. Where the symbol is, is found at first use and kept until modules
 * come or go. */
struct kt_module_symbol {
	const char *module, *symbol;
	kt_u64 offset;
	kt_u64 address;     /* the runtime's */
	kt_u32 generation;
};

/* 0, and an error raised, when the module is not loaded. Context: any. */
kt_u64 kt_module_address(struct kt_ctx *c, struct kt_module_symbol *s);

/* Where the current task has its thread-local data in user mode; 0 in a kernel thread. Context: any. */
kt_u64 kt_thread_pointer(void);
/* A file of a program or library, and the start of its first segment: where in the file, and at what address as linked. */
struct kt_user_object {
	const char *path;   /* as in kt_script.objects */
	kt_u64 offset, start;
};

/* Where the current process has ADDRESS of the file; 0, and an error raised, where it does not have the file mapped.
 * Context: any. */
kt_u64 kt_object_address(struct kt_ctx *c, const struct kt_user_object *o, kt_u64 address);

/* ---- -t ---- */
/* The handler of every probe then: runs the one in kt_script.timed, and counts. */
void kt_timed(struct kt_ctx *c);

/* ---- tapset functions that the runtime implements: kt_fn_NAME, declared by the translator in generated C ----
 * long: kt_s64 kt_fn_NAME(struct kt_ctx *c, ARGS); string: void kt_fn_NAME(struct kt_ctx *c, char *ret, kt_u32 size, ARGS);
 * nothing: void kt_fn_NAME(struct kt_ctx *c, ARGS). ARGS: kt_s64 and const char *. */

#include "core/map.h"
#include "core/regex.h"
#include "core/stat.h"

#endif
