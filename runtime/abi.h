/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract between a compiled script, the kit that carries it, and the loader that reads it.
 *
 * Included by generated C (through script.h), by the kit and the user runtime, by the loader and the translator:
 * so it includes no header and uses its own integer names. Raise KT_ABI with every change of meaning.
 */
#ifndef KT_ABI_H
#define KT_ABI_H

typedef signed char kt_s8;
typedef unsigned char kt_u8;
typedef short kt_s16;
typedef unsigned short kt_u16;
typedef int kt_s32;
typedef unsigned int kt_u32;
typedef long long kt_s64;
typedef unsigned long long kt_u64;

#define KT_ABI 38
#define KT_TEXT_OF_VALUE(number) KT_TEXT_OF(number)
#define KT_TEXT_OF(number) #number
#define KT_ABI_TEXT KT_TEXT_OF_VALUE(KT_ABI) /* for the information in the module's file */

/* The name of the process that reads a session's records, in whatever file it was started. */
#define KT_READER_NAME "ktaprun"

/* The section of the module that has kt_script_stack (script.h), and nothing else. */
#define KT_STACK_SECTION ".ktap_stack"

/* ---- Session states, as KT_IOC_STATUS reports them ---- */
enum kt_state {
	KT_LOADED,   /* module in, nothing armed */
	KT_STARTING, /* begin probes run */
	KT_RUNNING,
	KT_STOPPING, /* exit() or the loader asked: no new handlers, end probes run */
	KT_STOPPED,  /* all probes unregistered, buffers may still hold records */
};

/* ---- Records: what handlers write, what the loader formats ---- */
enum kt_record_kind {
	KT_REC_PAD,   /* fills the end of the ring, skip */
	KT_REC_PRINT, /* arguments of format `number` */
	KT_REC_WARN,  /* number: index of the place or KT_NO_PLACE; one string: the message */
	KT_REC_ERROR, /* a long: enum kt_error_kind; then as WARN, and two strings: the probe point, and the places of the calls that
		       * led there, a kt_u32 each */
	KT_REC_SYSTEM, /* one string: a command for system() */
	KT_REC_LOG,   /* one string: printed as it is, then a newline */
	KT_REC_SWITCH, /* one string, empty: switch_file() */
	KT_REC_OBJECT, /* an object without tables was met. Two longs: process, an address in the object; a string: the
			* last part of its path. Process 0: a module of the kernel */
};

enum { KT_NO_PLACE = 0xffff };

/* Calls of functions that an error names. */
enum { KT_ERROR_CALLS_MAX = 8 };

/* Errors that end handlers, by tag; errors.h has the tags. */
enum kt_error_kind {
	KT_ERROR_OTHER,   /* error(), division by 0, ... */
	KT_ERROR_FAULT,   /* memory could not be accessed */
	KT_ERROR_FULL,    /* an array is full */
	KT_ERROR_ACTIONS, /* too many statements; `try` does not catch it */
	KT_ERROR_LOCK,    /* too many hits gave up on a lock; not the error of a statement */
	KT_ERROR_TIME,    /* too much time; likewise */
	KT_ERROR_KINDS
};

/* Handlers of different levels may interrupt each other on one CPU. */
enum kt_level_id {
	KT_LEVEL_NORMAL, /* task, softirq and interrupt: one handler at a time, interrupts are off */
	KT_LEVEL_NMI,    /* NMI, and int3 where the kernel treats it as one */
	KT_LEVEL_OWN,    /* a task of ours: its handler lets interrupts in, which have handlers themselves */
	KT_LEVELS,
};

/* A record starts on a multiple of 8 and `size` (all of it) is one. Arguments follow: a long takes 8 bytes; a
 * string is a kt_u32 length, its bytes, and zero bytes up to the next multiple of 8. */
struct kt_record {
	kt_u32 size;
	kt_u8 kind;
	kt_u8 level;  /* enum kt_level_id */
	kt_u16 number;
	kt_u64 time; /* CLOCK_MONOTONIC, ns: of the handler's first record, so that all it writes stays together */
};

/* read() on the control file returns chunks: this, then `size` bytes of whole records of one CPU, those of each level oldest
 * first. One chunk per CPU and call, also when it is empty. The buffer
 * holds kt_info.n_cpus headers and KT_READ_MIN bytes at least, else EINVAL; EMSGSIZE: the next record needs a larger one, of
 * at most the headers and kt_info.buffer_size bytes. A read waits up to 20 ms for a first record
 * unless the file is O_NONBLOCK, and returns at once when the state becomes KT_STOPPING. poll() reports POLLPRI when a buffer is
 * half full or the state became KT_STOPPING. A poll() for POLLIN also returns when there is a record, and then POLLPRI is set, too.
 *
 * The files /proc/ktap_NAME.cpu/N of KT_OUTPUT_FILES do the same for one CPU each: a read() returns one chunk, whose size may be 0. */
enum { KT_READ_MIN = 65536 };
struct kt_chunk {
	kt_u32 size;
	kt_u32 cpu;
	kt_u64 horizon;      /* every record of this CPU that comes later has a time >= this */
	kt_u64 lost_records; /* since the start, records that found no space */
	kt_u64 lost_bytes;
};

/* The module's parameter ktap_output: where records wait for the reader, and who reads them. */
enum kt_output {
	KT_OUTPUT_RELAY = 1, /* in a relay channel; else in rings of the kit's */
	KT_OUTPUT_FILES = 2, /* each CPU has a file */
};

/* write() on the control file: standard input for the script's input probes, if kt_info.flags say that it has such. */
enum kt_info_flag {
	KT_INFO_STDIN = 1,
	KT_INFO_STDIN_CHARS = 2, /* it wants each character as soon as it is typed */
	KT_INFO_TIMED = 4, /* -t: struct kt_probe_status has hits and cycles */
	KT_INFO_LINES = 8, /* kt_script.lines is not NULL */
	KT_INFO_JSON = 16, /* -f json: kt_script.identity and kt_script.mechanisms are not NULL */
};

/* ---- Control file /proc/ktap_NAME, NAME the module's: ioctls ----
 * One opener at a time. Its release ends the session without end probes. START runs the begin probes, then arms, and
 * returns when the session is KT_RUNNING (or KT_STOPPING, if a begin probe ended it): a second thread reads meanwhile.
 * After exit() or a fatal error the state is KT_STOPPING and the loader asks for STOP, which disarms, runs the end (or
 * error) probes and returns in KT_STOPPED. What is in the rings then can still be read. The state is also the text of
 * /sys/module/NAME/parameters/ktap_state: loaded, starting, running, stopping, stopped, or "stays" after a session whose
 * module cannot be removed. */
struct kt_info {
	kt_u32 abi;
	kt_u32 n_probes;
	kt_u32 n_formats;
	kt_u32 n_places;    /* script places for messages */
	kt_u32 n_globals;   /* settable by -G */
	kt_u32 buffer_size; /* bytes per CPU */
	kt_u32 string_max;
	kt_u32 n_cpus;
	kt_u32 flags;       /* enum kt_info_flag */
	kt_u32 n_objects;
	kt_u32 stacks;      /* of enum kt_stacks */
	kt_u32 n_rows;      /* places that START arms */
	kt_u64 signals;     /* bit N: KT_IOC_SIGNAL wants signal N */
	kt_u32 n_programs;  /* texts KT_TEXT_PROGRAM */
	kt_u32 n_modules;   /* texts KT_TEXT_MODULE and KT_TEXT_MODULE_BUILD */
};

enum kt_text_kind {
	KT_TEXT_FORMAT,
	KT_TEXT_PLACE,
	KT_TEXT_PROBE,
	KT_TEXT_GLOBAL,
	KT_TEXT_BUILD_ID, /* index 0: kt_script.build_id; ENOENT when it is NULL */
	KT_TEXT_OBJECT, /* ENOENT after the last one */
	KT_TEXT_ORIGIN, /* kt_script.origins; ENOENT without -t and -f json */
	KT_TEXT_LINE,   /* kt_script.lines; ENOENT when it is NULL */
	KT_TEXT_IDENTITY, /* kt_script.identity; ENOENT when it is NULL */
	KT_TEXT_MECHANISM, /* kt_script.mechanisms; ENOENT when it is NULL */
	KT_TEXT_MODULE, /* kt_module_build.name; ENOENT after the last one */
	KT_TEXT_MODULE_BUILD, /* kt_module_build.build_id, likewise */
	KT_TEXT_PROGRAM, /* kt_perf_row.path, by row; ENOENT of a row without one */
	KT_TEXT_KINDS
};

struct kt_text_request {
	kt_u32 kind;   /* enum kt_text_kind */
	kt_u32 index;
	kt_u64 buffer; /* user address */
	kt_u32 size;   /* in: space, out: length with NUL; ENOSPC when it does not fit */
	kt_u32 pad;
};

enum kt_count {
	KT_COUNT_NONE,
	KT_COUNT_ALL,   /* costs some instructions a hit */
	KT_COUNT_FIRST, /* of each probe one or a few: whether there were any */
};

/* Where the processes of the program KT_TEXT_PROGRAM number `index` start: offset of the first instruction in a file. */
struct kt_program_start {
	kt_u32 index;
	kt_s32 fd;         /* the file of the dynamic loader, or of the program itself, open */
	kt_u64 offset;
};

struct kt_start {
	kt_s32 target;     /* -x PID or the process of -c, 0 none */
	kt_u32 count;      /* enum kt_count: which handled hits are counted too */
	kt_s32 tz_west;    /* local time: seconds that it is behind UTC */
	char tz_name[16];  /* and its name, with NUL */
};

struct kt_set_global {
	kt_u32 index;      /* KT_TEXT_GLOBAL has its name */
	kt_u32 is_number;  /* 0: the string is not a number, and a long is refused with EDOM */
	kt_s64 number;     /* for a long */
	kt_u64 string;     /* address, for a string; one that does not fit is refused with E2BIG */
	kt_u64 len;        /* its bytes, without a NUL */
};

/* The ledger: why hits were missed, and what handled hits lost. A hit is handled or missed for exactly one of the causes before
 * KT_LOSS_MISSED. It is missed when its handler did not run, or did not run to its end. */
enum kt_loss {
	KT_LOSS_ERROR,     /* the handler raised an error of no other cause */
	KT_LOSS_FAULT,     /* the handler could not access memory or a register */
	KT_LOSS_FULL,      /* the handler found an array full */
	KT_LOSS_LOCK,      /* the handler gave up on a lock */
	KT_LOSS_BEGUN,     /* the causes before this one end a handler that runs */
	KT_LOSS_RECURSION = KT_LOSS_BEGUN, /* a handler was already running on this CPU */
	KT_LOSS_OVERLOAD,  /* the overload guard had stopped the probe */
	KT_LOSS_KPROBE,    /* the kernel's own count: kprobe within kprobe; it may lack some, as CPUs increment it without a lock */
	KT_LOSS_RETURN,    /* no free return instance */
	KT_LOSS_HOOK,      /* the return could not be hooked: the function was jumped to, or the machine is being suspended */
	KT_LOSS_TICK,      /* a timer ticked while its handler ran and another tick waited */
	KT_LOSS_CALL,      /* in a program: no memory for a call, or its stack could not be read */
	KT_LOSS_MISSED,
	/* Not hits: */
	KT_LOSS_RECORD = KT_LOSS_MISSED, /* records that found no space in the buffer */
	KT_LOSS_STRING,    /* strings that were cut at kt_script.string_max */
	KT_LOSS_THROTTLE,  /* the kernel stopped a perf event until its next tick; nobody knows how many hits that cost */
	KT_LOSS_WAIT,      /* microseconds that handlers waited for locks */
	KT_LOSS_COUNT
};

/* Counts since the start. */
struct kt_status {
	kt_u32 state;            /* enum kt_state */
	kt_u32 failed;           /* 1: the session ended in the error state */
	kt_u64 errors;           /* handlers ended by an error */
	kt_u64 lost[KT_LOSS_COUNT]; /* of all probes */
	kt_u32 probes_found;     /* places that were looked for, before any is armed */
	kt_u32 probes_armed;
	kt_u32 probes_failed;    /* places that did not register */
	kt_s32 exit_code;        /* of exit(n) */
	kt_u32 stack_size;       /* bytes of the stack that handlers run on */
	kt_u32 stack_used;       /* bytes of it that were used at most; 0 before KT_STOPPED */
	kt_u32 probes_overload;  /* probes that the overload guard stopped */
	kt_u32 load;             /* of handlers, on the CPU of which they take most, in thousandths; 0: not measured, or no session runs */
};

/* A session whose handlers take less of a CPU, in thousandths, has no part in what all sessions take of it. */
enum { KT_LOAD_PART = 10 };

/* Why a probe whose places were found does not fire. */
enum kt_off {
	KT_OFF_SWITCHED = 1, /* by KT_IOC_SWITCH */
	KT_OFF_OVERLOAD = 2, /* by the overload guard, for good */
};

/* The status of one probe. Its hits are `handled` and the sum of `lost` before KT_LOSS_MISSED. Losses at the entry of a function,
 * for the values that a return probe keeps, are those of the return probe. */
struct kt_probe_status {
	kt_u32 index;   /* in */
	kt_s32 error;   /* 0, or the errno of a failed registration */
	kt_u32 flags;   /* enum kt_probe_flag */
	kt_u32 off;     /* bits of enum kt_off */
	kt_u64 handled; /* hits whose handler ran to its end; 0 without kt_start.count */
	kt_u64 lost[KT_LOSS_COUNT];
	kt_u64 hits;    /* of its handler; this and what follows is 0 without -t */
	kt_u64 total, min, max; /* cycles that the handler took, with what interrupted it */
	kt_u64 variance;
	/* When the overload guard stopped the probe: what its handlers took of that CPU, in thousandths of a whole interval; else 0. */
	kt_u32 overload_share;
	kt_u32 overload_cpu;
	kt_u64 overload_hits, overload_cycles; /* in that interval */
};

/* KT_IOC_SWITCH: disarms or arms N probes. No handler of a disarmed probe starts after the call, and its hits are not counted; its places
 * are detached where the family can do that. EBUSY: the session does not run. */
struct kt_switch {
	kt_u64 probes;     /* user address of their numbers, kt_u32 each */
	kt_u32 n;
	kt_u32 off;        /* 1: disarm, 0: arm */
	kt_u32 refused;    /* out: places of the session that could not be attached or detached */
	kt_u32 pad;
};

/* An object whose code stacks may pass through: tables as in core/unwind.h. kt_info.stacks says which of them the script needs
 * and, of user objects, in the texts KT_TEXT_OBJECT: paths, of which the loader makes tables before START. It adds more while the session
 * runs, when KT_REC_OBJECT says what a stack met. EEXIST: the object has tables; EINVAL: they are not good. */
struct kt_object {
	kt_s32 fd;         /* the object's file, open; or an enum kt_object_fd */
	kt_u32 pad;
	kt_u64 block;      /* user address */
	kt_u64 size;
	kt_u64 anchor;     /* of the kernel: the linked address of "_printk" */
};

/* Tables of the kernel and its modules are lines alone. The offsets of their segments are addresses: as linked, those of a
 * module as it lies in memory; its name is that of the tables. ESTALE: it lies there no more. */
enum kt_object_fd {
	KT_OBJECT_VDSO = -1,
	KT_OBJECT_KERNEL = -2,
	KT_OBJECT_MODULE = -3,
};

enum { KT_OBJECTS_MAX = 1024 };

enum kt_stacks {
	KT_STACKS_USER = 1,      /* the script looks at stacks or symbols of user programs */
	KT_STACKS_LIBRARIES = 2, /* the objects' shared libraries are meant too */
	KT_STACKS_LINES = 4,     /* it asks for source lines */
	KT_STACKS_KERNEL_LINES = 8, /* it asks for those of the kernel */
};

/* -f json: texts that identify the script. */
enum kt_identity {
	KT_IDENTITY_NAME,   /* of its file, or "<input>" */
	KT_IDENTITY_SHA256, /* of its text, in hexadecimal */
	KT_IDENTITY_TEXT,   /* of the script, then of each -E */
	KT_IDENTITIES
};

/* -f json: globals that are printed at the end. The format of such a KT_REC_PRINT is KT_TEMPLATE, a character of enum kt_template, and
 * a piece of JSON. In the piece %d becomes a number, %s a string, %#s a stack: an array of its frames, and %i the bounds of a
 * bucket of @hist_log. runtime/output/events.c puts the pieces together. */
#define KT_TEMPLATE "\001ktap"
enum kt_template {
	KT_TEMPLATE_LINE = 'L',    /* an object: its type, a comma, its members and the bracket that ends it */
	KT_TEMPLATE_BEGIN = '[',   /* the beginning of one that further pieces continue */
	KT_TEMPLATE_ENTRY = ',',   /* the next entry of a map: what comes before it is whole */
	KT_TEMPLATE_ITEM = ';',    /* the next item of an array within an entry */
	KT_TEMPLATE_MORE = '+',    /* continues what is open */
	KT_TEMPLATE_FRAMES = '<',  /* what is printed up to the next piece is a stack */
	KT_TEMPLATE_MAP_END = ']', /* the end of a map, of as many entries as its argument says */
	KT_TEMPLATE_END = '}',     /* the end of any other object */
	KT_TEMPLATE_LEDGERS = '#', /* prints nothing itself: the ledger of each probe follows */
};

/* How __array_text() prints the bytes of an array. */
enum kt_array {
	KT_ARRAY_USER = 1,   /* in user memory */
	KT_ARRAY_SIGNED = 2, /* as numbers they have a sign */
	KT_ARRAY_TEXT = 4,   /* after the end of a string may be more text */
	KT_ARRAY_BUFFER = 8, /* after the end of a string may be anything */
};

enum { KT_ARRAY_ITEMS = 32 }; /* elements that a value prints at most */

/* Names of what is at an address of the kernel. */
enum kt_name_kind {
	KT_NAME_NONE,
	KT_NAME_SYMBOL,  /* symname() */
	KT_NAME_DATA,    /* symdata() */
	KT_NAME_LINES,   /* in no record: lines of a user stack, which the kit has as text */
};

/* In a record, a string that is such a name may be the address alone, since only printing needs the text: the two highest bits of
 * its length tell the kind, and its bytes are the address. The loader asks for the name. */
enum { KT_NAME_SHIFT = 30 };
struct kt_name_request {
	kt_u64 address;
	kt_u32 kind;
	kt_u32 pad;
	char text[256]; /* out */
};

#define KT_IOC(dir, nr, size) ((kt_u32)(dir) << 30 | (kt_u32)(size) << 16 | 'k' << 8 | (nr))
#define KT_IOC_INFO KT_IOC(2, 0, sizeof(struct kt_info))
#define KT_IOC_TEXT KT_IOC(3, 1, sizeof(struct kt_text_request))
#define KT_IOC_SET KT_IOC(1, 2, sizeof(struct kt_set_global))
#define KT_IOC_START KT_IOC(1, 3, sizeof(struct kt_start))
#define KT_IOC_STOP KT_IOC(0, 4, 0)
#define KT_IOC_STATUS KT_IOC(2, 5, sizeof(struct kt_status))
#define KT_IOC_PROBE KT_IOC(3, 6, sizeof(struct kt_probe_status))
#define KT_IOC_CANCEL KT_IOC(0, 7, 0) /* START, which takes minutes for some scripts, is to return soon */
#define KT_IOC_SIGNAL KT_IOC(1, 8, sizeof(kt_u32)) /* the loader got this signal; handlers run later */
#define KT_IOC_NAME KT_IOC(3, 9, sizeof(struct kt_name_request))
#define KT_IOC_SWITCH KT_IOC(3, 10, sizeof(struct kt_switch))
#define KT_IOC_PROGRAM KT_IOC(1, 11, sizeof(struct kt_program_start)) /* before START */
#define KT_IOC_OBJECT KT_IOC(1, 16, sizeof(struct kt_object))

/* ---- The script's tables ---- */
struct kt_ctx; /* script.h */

/* The code of a probe: it runs when the probe fires. */
struct kt_handler {
	void (*run)(struct kt_ctx *c);
	/* The same, if it does no more than add a constant to a long of the per-CPU globals, or nothing. NULL: it does other things. */
	void (*light)(struct kt_ctx *c);
	kt_u64 at;           /* offset in the per-CPU globals */
	kt_s64 add;
};

/* A probe place as the script has it: with numbers in place of addresses, each of which is a relocation of 24 bytes in a module. */
struct kt_probe_row {
	kt_u32 handler;      /* in kt_script.handlers */
	kt_u32 pp, alias;    /* where these begin in kt_script.texts */
	kt_u32 flags;
	kt_u32 condition;    /* in kt_script.conditions */
	kt_u32 words;
};

/* A probe place: what runs when it is hit, and its name. */
struct kt_probe {
	void (*handler)(struct kt_ctx *c);
	/* While the handler is this one, a hit may add `add` to the long at `at` instead of calling it. NULL: it may not. */
	void (*light)(struct kt_ctx *c);
	kt_u64 at;           /* as in kt_handler; in a loaded module a __percpu address */
	kt_s64 add;
	const char *pp;      /* pp() */
	kt_u32 index;        /* its own position in kt_script.probes */
	kt_u32 flags;        /* enum kt_probe_flag */
	void (*condition)(struct kt_ctx *c); /* sets KT_CTX_HOLDS when the probe may run; NULL: always */
	const char *alias;   /* pn(): the alias that the script named; NULL: none, pn() is pp() */
	kt_u32 words;        /* where what its handler does not have in common with others begins, in a table of the script's */
};

/* Describes in one word how a value is computed. The sum of a register and a number is the value. If a size is given, the sum is an
 * address, and the value is that many bytes there. The value is then shifted left and right, which cuts out a bitfield or extends a sign.
 *
 *	bits    field
 *	0-7     DWARF number of the register, or KT_WORD_NO_REGISTER
 *	8-15    size: 1, 2, 4, 8; 0: the sum is the value
 *	16-19   flags
 *	20-25   shift to the left
 *	26-31   shift to the right
 *	32-63   number, signed */
enum kt_word {
	KT_WORD_NO_REGISTER = 0xff,
	KT_WORD_SIZE_SHIFT = 8,
	KT_WORD_USER = 1 << 16,      /* the address is the program's, not the kernel's */
	KT_WORD_SIGNED = 1 << 17,    /* the shift to the right keeps the sign */
	KT_WORD_RELOCATED = 1 << 18, /* the number is a kernel address as linked */
	KT_WORD_FUNCTION = 1 << 19,  /* the number is the index of a function of the script that returns the value */
	KT_WORD_LEFT_SHIFT = 20,
	KT_WORD_RIGHT_SHIFT = 26,
	KT_WORD_NUMBER_SHIFT = 32,
};
enum { KT_WORD_MAX_SHIFT = 63 };

enum kt_probe_flag {
	KT_PROBE_DURING_BEGIN = 1, /* begin, end, error: runs in other states than RUNNING */
	KT_PROBE_ENTRY = 2, /* runs at the entry, for the return probe that is before it in the table */
	KT_PROBE_VISITS = 4, /* works on whole arrays */
	KT_PROBE_OURS = 8, /* ktap added it: it prints globals or resets them */
	/* For returnval(). Bits 4 to 6: bytes of the number that the function returns; 0: 8, or unknown. */
	KT_PROBE_RETURNS_SHIFT = 4,
	KT_PROBE_RETURNS_MASK = 7,
	KT_PROBE_RETURNS_SIGNED = 128,
};

/* The list of families, families.def. A row struct of each follows. */
enum kt_family {
#define FAMILY(id, name, flags, points) KT_FAMILY_##id,
#include "runtime/families.def"
#undef FAMILY
	KT_FAMILY_COUNT
};

enum kt_family_flag {
	KT_FAMILY_ALONE = 1, /* nothing else runs meanwhile: its handlers may do anything with a global */
	KT_FAMILY_COLD = 2, /* its handlers run rarely: they may take all copies of a per-CPU global */
};

/* The rows of one family; the kit's file of the family knows their type. */
struct kt_family_rows {
	kt_u32 family;
	kt_u32 n;
	const void *rows;
	kt_u64 wants; /* what the loader does for them: of procfs KT_INFO_STDIN and KT_INFO_STDIN_CHARS, of signals bit N for signal N */
};

enum kt_life { KT_LIFE_BEGIN, KT_LIFE_END, KT_LIFE_ERROR };

struct kt_life_row {
	kt_u32 probe;     /* index in kt_script.probes */
	kt_u32 when;      /* enum kt_life */
	kt_s64 priority;  /* rows are sorted: ascending */
};

struct kt_timer_row {
	kt_u32 probe;
	kt_u32 pad;
	kt_u64 interval;  /* ns */
	kt_u64 random;    /* ns: each interval is uniform in interval +- random */
};

enum kt_kprobe_kind {
	KT_KPROBE_AT,     /* at an address */
	KT_KPROBE_RETURN, /* when the function that starts there returns */
};

enum { KT_ENTRY_SLOTS_MAX = 128 }; /* a multiple of 64 */

struct kt_module_symbol;

/* Where a call returns to. */
struct kt_kprobe_call {
	kt_u64 address;     /* as linked */
	struct kt_module_symbol *symbol; /* instead of it, in a module */
};

enum { KT_CALLERS_MAX = 8 }; /* calls that a place may ask for */

struct kt_kprobe_row {
	kt_u32 probe;
	kt_u8 kind;         /* enum kt_kprobe_kind */
	kt_u8 absolute;     /* address is that of the running kernel, not as linked */
	kt_u16 entry_slots; /* longs kept from the entry to the return of each call, and space for texts in longs */
	kt_u64 address;     /* as linked; 0: by symbol alone */
	/* Where these begin in kt_script.texts. */
	kt_u32 symbol;      /* enclosing function, for messages and for address == 0: NAME or MODULE:NAME */
	kt_u32 module;      /* 0: the kernel itself */
	kt_u32 offset;      /* from symbol */
	kt_u32 maxactive;   /* return probes; 0: default */
	kt_u32 entry_probe; /* return probes with entry_slots: this probe's handler runs at the entry and fills them */
	kt_u32 registers;   /* bit N: the handler that runs at the entry reads the register with DWARF number N; all bits: unknown */
	/* NULL: any. Else the calls that must have led there, the innermost first: for each the places that it may return
	 * to, ended by an empty one; and an empty one after the last. */
	const struct kt_kprobe_call *calls;
};

enum { KT_TRACE_WORDS_MAX = 12 };

struct kt_trace_row {
	kt_u32 probe;
	kt_u32 words;     /* of its arguments, KT_TRACE_WORDS_MAX at most */
	const char *name; /* "sched_switch" */
	const char *module; /* NULL: the kernel itself */
};

struct kt_perf_row {
	kt_u32 probe;
	kt_u32 type;      /* as perf_event_open(2) numbers them */
	kt_u64 config;
	kt_u64 sample;    /* events between two hits; 0: as many nanoseconds as the kernel's tick lasts */
	kt_u32 is_rate;   /* sample is a number of times a second */
	kt_u32 counter;   /* not 0: no handler, kt_perf_counter() reads it by this number; rows with a path may share one */
	const char *path; /* each thread of the processes that execute this file; NULL: each CPU */
	kt_s32 pid;       /* with a path: this process only; 0: any */
	kt_u32 length;    /* not 0: a watchpoint of so many bytes at: */
	kt_u64 watch;     /* an address of the process; with code: as linked */
	kt_u64 code;      /* where the program's code begins, as linked */
	kt_u32 reads;     /* 1: reads too, not writes alone */
	kt_u32 pad;
};

struct kt_data_row {
	kt_u32 probe;
	kt_u32 reads;     /* 1: reads too, not writes alone */
	kt_u64 address;   /* a multiple of length */
	kt_u32 length;    /* 1, 2, 4 or 8 */
	kt_u32 linked;    /* address is as linked, not that of the running kernel */
};

/* kt_stat_type.margin: without -D HIST_ELISION, and the largest. */
enum { KT_HIST_MARGIN = 2, KT_HIST_MARGIN_MAX = 1000 };

enum kt_procfs_kind {
	KT_PROCFS_READ,
	KT_PROCFS_WRITE,
	KT_PROCFS_STDIN,      /* no file: each character of standard input */
	KT_PROCFS_STDIN_LINE, /* each line */
};

struct kt_procfs_row {
	kt_u32 probe;
	kt_u32 kind;      /* enum kt_procfs_kind */
	kt_u32 mode;      /* of the file, for all its rows */
	kt_u32 size;      /* longest text of all its rows; 0: that of a string */
	const char *path; /* below /proc/systemtap/MODULE */
	kt_u32 made;      /* bytes of the path that earlier rows make: directories, each with its slash, or all: the file too */
	kt_u32 clashes;   /* 1: it is a directory in another row, or a file of another row is a directory in this one */
};

/* Words of kt_argument() in netfilter probes. */
enum kt_netfilter_word {
	KT_NETFILTER_HOOKNUM,
	KT_NETFILTER_SKB,
	KT_NETFILTER_IN,
	KT_NETFILTER_OUT,
	KT_NETFILTER_OKFN,
	KT_NETFILTER_VERDICT,
	KT_NETFILTER_WORDS
};

struct kt_netfilter_row {
	kt_u32 probe;
	kt_s32 pf, hook, priority;
};

enum kt_uprobe_kind {
	KT_UPROBE_AT,     /* at an instruction */
	KT_UPROBE_RETURN, /* when the function that starts there returns: the kernel replaces its return address */
	KT_UPROBE_ENTRY,  /* at the entry of a function, for the rows of the same probe that are KT_UPROBE_END: keeps the call */
	KT_UPROBE_END,    /* at an instruction by which a function returns */
	KT_UPROBE_JUMP,   /* at a jump to the start of the function, or of one that it may end in: the call that is kept goes on there */
	KT_UPROBE_REACHED, /* at the start of such another function: without a jump before it, the call that is kept has ended unseen */
};

/* What a row of KT_UPROBE_END has to do with the calls that are kept. */
enum kt_uprobe_call {
	KT_UPROBE_CALL_NONE,   /* none is kept */
	KT_UPROBE_CALL_ENDS,   /* the call that returns is no longer kept */
	KT_UPROBE_CALL_NEEDED, /* and the probe is not hit when none was kept */
};

struct kt_uprobe_row {
	kt_u32 probe;
	kt_u32 kind;        /* enum kt_uprobe_kind */
	const char *path;   /* of the file; equal paths are equal pointers or equal texts */
	kt_u64 offset;      /* in the file */
	kt_u64 address;     /* as linked */
	kt_u64 semaphore;   /* offset in the file of the counter of those who listen to a mark; 0: none */
	kt_u64 code;        /* the bytes at offset when the script was compiled, first one lowest; another build of the
			     * file has others, and is not probed */
	kt_u32 code_size;   /* how many of them: up to 8 */
	kt_s32 pid;         /* this process only; 0: any */
	kt_u32 entry_probe; /* return probes with entry_slots: as in struct kt_kprobe_row */
	kt_u32 entry_slots;
	kt_u32 at_entry;    /* with calls: the place is the entry of a function */
	kt_u32 call;        /* KT_UPROBE_END: enum kt_uprobe_call */
	kt_u32 pops;        /* KT_UPROBE_END: bytes that the instruction takes off the stack beside the return address */
	kt_u32 condition;   /* KT_UPROBE_JUMP: for kt_arch_user_jumps() */
	kt_u32 stack_moves; /* the program is one of Go */
	const struct kt_kprobe_call *calls; /* as in struct kt_kprobe_row, in the same file */
};

enum kt_process_event {
	KT_PROCESS_BEGIN,        /* it exists: at the start of the session, by fork, by exec */
	KT_PROCESS_END,
	KT_PROCESS_THREAD_BEGIN, /* a thread other than the first */
	KT_PROCESS_THREAD_END,
	KT_PROCESS_SYSCALL,      /* kt_argument(): 0 number, 1 to 6 arguments */
	KT_PROCESS_SYSCALL_RETURN, /* the same, 7 result */
};

struct kt_process_row {
	kt_u32 probe;
	kt_u32 event;       /* enum kt_process_event */
	const char *path;   /* what it executes; NULL: any, and then the processes of -c and -x alone where they are given */
	kt_s32 pid;         /* 0: any */
	kt_u32 entry_probe; /* KT_PROCESS_SYSCALL_RETURN with entry_slots: as in struct kt_kprobe_row */
	kt_u32 entry_slots;
	kt_u32 pad;
};

struct kt_syscall_row {
	kt_u32 probe;
	kt_u32 call;      /* position in syscalls.def; more: all calls */
	kt_u32 at_exit;
	kt_u32 entry_probe; /* return probes with entry_slots: as in struct kt_kprobe_row */
	kt_u32 entry_slots;
	kt_u32 writes;    /* may write arguments: at entry, scripts of -g */
	kt_s64 function[3]; /* distance of the kernel's function from KT_ANCHOR_NAME, by enum kt_call_way; 0: unknown */
};

enum { KT_SIGNALS_MAX = 64, KT_SIGNAL_RESET = 0 /* no signal: the command `reset` of --control */ };

struct kt_signal_row {
	kt_u32 probe;
	kt_u32 number;    /* of the signal, below KT_SIGNALS_MAX */
};

/* A global that -G may set before the start. */
struct kt_global_row {
	const char *name;
	void *value;      /* kt_s64, or char[string_max] */
	kt_u32 is_string;
	kt_u32 pad;
};

/* A module whose debugging information the script was compiled with. Another build of it may have other variables and types. */
struct kt_module_build {
	const char *name;
	const char *build_id; /* hex */
	kt_u32 cast;          /* 1: the script reads memory with its types outside of its own probes */
};

enum kt_on_overload { KT_OVERLOAD_DISARM, KT_OVERLOAD_STOP, KT_OVERLOAD_IGNORE };

/* The one symbol that the script's object exports. */
struct kt_script {
	kt_u32 abi;
	kt_u32 string_max;    /* bytes of a string variable, with its NUL */
	kt_u32 max_errors;
	kt_u32 max_skipped;
	kt_u32 percpu_size;   /* bytes of per-CPU globals; zeroed at the start */
	kt_u32 frame_size;    /* bytes of string frames one handler may use in all */
	kt_u64 memory, memory_per_cpu; /* bytes of its arrays: once, and for each possible CPU */
	kt_u32 buffer_size;   /* bytes of ring per CPU, a power of two; 0: what suits the machine */
	kt_u32 n_probes, n_families, n_formats, n_places, n_globals;
	struct kt_probe *probes; /* empty until kt_probes_fill(); the kit exchanges handlers */
	const struct kt_probe_row *rows; /* of each probe */
	const struct kt_handler *handlers;
	void (*const *conditions)(struct kt_ctx *c); /* the first is NULL */
	const char *texts;   /* begins with a NUL, so that a text at 0 is empty */
	const struct kt_family_rows *families;
	const char *const *formats;
	const char *const *places; /* "operator '/' at x.stp:1:2" */
	const char *const *lines;  /* by place: its line of the script; "": of the library. NULL: errors are printed without */
	const struct kt_global_row *globals;
	int (*init)(void);    /* allocates maps; 0 or -errno; NULL: nothing to do */
	void (*exit)(void);   /* frees them; also after a failed init */
	const char *anchor_symbol; /* the exported function that the kit compares, "_printk"; its linked address is: */
	kt_u64 anchor_address;     /* run-time minus this = relocation of the kernel; 0: no row has an address */
	const char *build_id; /* hex, of the kernel that addresses belong to; NULL: none */
	const struct kt_module_build *modules;
	kt_u32 n_modules;
	const char *const *objects; /* paths of user objects that stacks may pass through */
	kt_u32 n_objects;
	kt_u32 stacks;        /* of enum kt_stacks */
	/* -t: kt_timed() is the handler of every probe, and the one that it runs stands here. NULL: hits are not timed. */
	void (*const *timed)(struct kt_ctx *c);
	/* The overload guard: cycles of handlers in an interval, also in cycles, above which probes are stopped. */
	kt_u64 overload_interval, overload_threshold;
	kt_u64 max_time;      /* nanoseconds that a handler may take; 0: as many as it needs */
	kt_u64 lock_wait;     /* nanoseconds that a handler waits for a lock before it gives up */
	kt_u32 on_overload;   /* enum kt_on_overload */
	const char *const *origins; /* -t and -f json, by probe: FILE:LINE:COLUMN, a newline, then " from: POINT" for each step */
	const char *const *identity; /* -f json: texts by enum kt_identity; NULL without it */
	const char *const *mechanisms; /* -f json, by probe: "ftrace"; NULL without it */
};
extern const struct kt_script kt_script;

#endif
