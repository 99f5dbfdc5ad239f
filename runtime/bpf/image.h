/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that a script becomes for the second vehicle: programs, maps and tables.
 *
 * A header, a table of sections, and the sections: arrays of the structures below. Texts are offsets in the section of texts. All of it is
 * in the byte order of the machine that it is for.
 *
 * Handlers at hits are BPF programs, which the kernel runs. Cold handlers (begin, end, error, timers) are the same instructions, which the
 * interpreter of ktaprun runs; they may call natives, functions of ktaprun. Both see the same maps.
 */
#ifndef KT_BPF_IMAGE_H
#define KT_BPF_IMAGE_H

#include "runtime/bpf/insn.h"
#include "runtime/core/map.h"

enum { IMAGE_ABI = 2 };
#define IMAGE_MAGIC "ktapbpf"

enum image_section {
	IMAGE_SETTINGS,    /* one struct image_settings */
	IMAGE_CODE,        /* struct bpf_instruction */
	IMAGE_LINES,       /* struct image_line, by program and instruction */
	IMAGE_PROGRAMS,    /* struct image_program */
	IMAGE_MAPS,        /* struct image_map */
	IMAGE_STATE,       /* bytes of the map MAP_STATE, without the part of each CPU */
	IMAGE_CONSTANTS,   /* bytes of the map MAP_CONSTANTS */
	IMAGE_PROBES,      /* struct image_probe */
	IMAGE_ROWS,        /* struct image_row, those of a family in its order */
	IMAGE_GLOBALS,     /* struct image_global: what -G may set */
	IMAGE_ARRAYS,      /* struct image_array */
	IMAGE_STATS,       /* struct image_stat */
	IMAGE_NATIVES,     /* kt_u32, texts: names of functions that cold handlers call */
	IMAGE_FORMATS,     /* kt_u32, texts */
	IMAGE_PLACES,      /* kt_u32, texts: "operator '/' at x.stp:1:2" */
	IMAGE_SOURCE,      /* kt_u32, texts, by place: its line of the script */
	IMAGE_IDENTITY,    /* kt_u32, texts, by enum kt_identity: none without -f json */
	IMAGE_TEXTS,       /* bytes; begins with a NUL */
	IMAGE_SECTIONS
};

struct image_part {
	kt_u32 at, n;      /* offset in the file, and elements */
};

struct image_header {
	char magic[8];
	kt_u32 abi, size;  /* bytes of the file */
	kt_u64 sum;        /* image_sum() of what follows */
	struct image_part parts[IMAGE_SECTIONS];
};

/* A sum (FNV-1a) that tells damage. */
static inline kt_u64 image_sum(const char *bytes, kt_u64 n)
{
	kt_u64 sum = 0xcbf29ce484222325ull;

	for (kt_u64 i = 0; i < n; i++)
		sum = (sum ^ (kt_u8)bytes[i]) * 0x100000001b3ull;
	return sum;
}

struct image_settings {
	kt_u32 string_max;
	kt_u32 max_errors;
	kt_u32 max_skipped;
	kt_u32 ring_size;      /* bytes, a power of two; 0: what suits the machine */
	kt_u32 state_size;     /* bytes of MAP_STATE before the part of the first CPU */
	kt_u32 cpu_size;       /* bytes of the part of a CPU: a kt_u64 for each probe, its handled hits, then the globals' copies */
	kt_u32 half_size;      /* bytes of one of the two halves of aggregates in it */
	kt_u32 losses;         /* in MAP_STATE: a struct image_losses for each probe */
	kt_u32 cold_frame_size; /* bytes of the frame of a handler in ktaprun */
	kt_u32 targets;        /* map with a bit for each process of -c or -x; 0: no program looks */
	kt_u32 frame_size;     /* bytes of the frame of a handler at a hit */
	kt_u32 anchor;         /* text: a kernel symbol; "": no address is one of the kernel's */
	kt_u64 anchor_address; /* as linked */
	kt_u32 build_id;       /* text: of the kernel that addresses belong to; "": none */
	kt_u32 name;           /* text: of the session */
};

/* The first maps. Those of arrays follow. */
enum { MAP_STATE, MAP_CONSTANTS, MAP_FRAMES, MAP_RING, MAP_ARRAYS };

/* Begins MAP_STATE. Handlers add to the counts in one instruction each. */
struct image_state {
	kt_u32 state;         /* enum kt_state */
	kt_u32 half;          /* 0 or 1: which copy of aggregates handlers at hits add to */
	kt_u64 errors;        /* handlers that an error ended */
	kt_s64 exit_code;     /* of exit(n) */
};

/* Numbers that a process may have: the map of targets has a bit for each. */
enum { IMAGE_PROCESSES = 1 << 22 };

/* Frames that a CPU has: handlers of different tasks may be left and entered while others run. */
enum { FRAMES_OF_CPU = 4, FRAMES_HEAD = 64 };

/* Begins a frame. */
struct image_frame {
	kt_u64 time;          /* CLOCK_MONOTONIC, ns, of the first record; 0: none yet */
	kt_s64 actions;       /* statements left */
	kt_u32 error;         /* enum image_error; 0: none */
	kt_u32 place;         /* where it was raised */
	kt_s64 detail;        /* of the error */
	kt_u64 leaving;       /* of a loop: why it ended */
	kt_u64 n_callers;     /* calls that the error came through */
	kt_u32 callers[KT_ERROR_CALLS_MAX]; /* their places, the innermost first */
};

/* Of IMAGE_ERROR_FULL: the array, its size, the array again. */
#define ARRAY_FULL_MESSAGE "Array overflow: '%s' is full with %lld elements; declare it larger, as in %s[N], or raise -DMAXMAPENTRIES"

enum image_error {
	IMAGE_NO_ERROR,
#define IMAGE_ERROR(name, kind, message) IMAGE_ERROR_##name,
#include "runtime/bpf/errors.def"
#undef IMAGE_ERROR
	IMAGE_ERRORS
};

/* Losses of a probe. Those at the entry of a function, for a return probe, are those of the return probe. */
struct image_losses {
	kt_u64 lost_records;  /* that found no space in the ring */
	kt_u64 busy;          /* hits that found no frame */
	kt_u64 skipped;       /* handlers that gave up on a lock, and values that found an aggregate in use */
	kt_u64 cut;           /* strings that did not fit */
	kt_u64 calls;         /* of which nothing could be kept until they return */
	kt_u64 errors[IMAGE_ERRORS]; /* handlers that such an error ended */
};

/* What a program sends for an error. ktaprun makes a KT_REC_ERROR of it, as a module has. */
struct image_error_record {
	struct kt_record head;
	kt_u64 probe;
	kt_u64 error;         /* enum image_error */
	kt_s64 detail;
	kt_u64 n_callers;
	kt_u32 callers[KT_ERROR_CALLS_MAX];
	/* The message of IMAGE_ERROR_TEXT follows. */
};

/* Numbers that the loader puts in place of BPF_KNOWN. */
enum image_value {
	IMAGE_CPUS,           /* CPUs that there may be */
	IMAGE_TARGET,         /* -x or -c */
	IMAGE_FRAME_SIZE,     /* bytes of a frame */
	IMAGE_FRAMES_STRIDE,  /* bytes of the frames of a CPU: FRAMES_HEAD, whose first word has a bit for each that is taken, and the frames */
	IMAGE_WALL,           /* ns from CLOCK_MONOTONIC to CLOCK_REALTIME */
};

enum image_kind { IMAGE_COLD, IMAGE_KPROBE, IMAGE_FENTRY, IMAGE_FEXIT, IMAGE_RAW_TP, IMAGE_UPROBE, IMAGE_PERF };

struct image_program {
	kt_u32 kind;
	kt_u32 name;          /* text */
	kt_u32 code, n;       /* instructions */
	kt_u32 lines, n_lines;
	kt_u32 sleepable;
	kt_u32 btf_id;        /* IMAGE_FENTRY, IMAGE_FEXIT: of the function */
};

/* From this instruction on the code is of that place. */
struct image_line {
	kt_u32 at, place;
};

/* IMAGE_NO_MAP: the array is in ktaprun alone. */
enum image_map_kind { IMAGE_VALUE, IMAGE_HASH, IMAGE_CPU_HASH, IMAGE_RING, IMAGE_NO_MAP };

struct image_map {
	kt_u32 kind;
	kt_u32 key_size, value_size, entries;
	kt_u32 name;          /* text */
};

/* How the keys of an array lie in the key of its map. */
struct image_array {
	kt_u32 map, name;
	kt_u32 n_keys;
	kt_u32 string_keys;   /* bit I: key I is a string */
	kt_u32 key_at[9];     /* offsets; strings are filled up with zeroes to a multiple of 8 */
	kt_u32 value;         /* enum kt_value_kind of core/map.h */
	kt_u32 value_size;
	kt_u32 counter;       /* 1: handlers at hits add to the maps MAP and MAP + 1 in turn, which ktaprun empties */
	kt_u32 wrap;          /* 1: a new element takes the place of the oldest one when the array is full */
};

/* An aggregate: words as in core/stat.h. Handlers at hits that only add do so to copies of their CPU, of which there are two: the half
 * that image_state says, and the one that ktaprun merges into its own, once no handler that began before is running. In the copies the least
 * and the largest value are numbers that only grow, so that 0 is none: see image_copy_of().
 */
struct image_stat {
	struct kt_stat_type type;
	kt_u32 array;         /* in IMAGE_ARRAYS; IMAGE_SCALAR: it is none */
	kt_u32 at;            /* of a scalar: in MAP_STATE */
	kt_u32 copies;        /* of a scalar: in MAP_STATE, the first half of the first CPU; 0: all add at AT */
	kt_u32 pad;
};
enum { IMAGE_SCALAR = 0x7fffffff };

/* The least value (MIN) or the largest one in a copy, from the value; and the other way round. */
static inline kt_s64 image_copy_of(kt_s64 v, int min)
{
	return v ^ (min ? 0x7fffffffffffffffll : (kt_s64)(1ull << 63));
}

struct image_probe {
	kt_u32 program;
	kt_u32 pp, alias, origin, mechanism; /* texts */
	kt_u32 flags;         /* enum kt_probe_flag */
};

struct image_row {
	kt_u32 family, probe;
	kt_u32 kind;          /* of the family: enum kt_life, enum kt_kprobe_kind ..., a perf event's type */
	kt_u32 symbol;        /* text: function, tracepoint or path */
	kt_u64 address;       /* as linked, or offset in a file, or a perf event's configuration */
	kt_u64 interval, random; /* timers, ns; of a perf event, how many of them */
	kt_s64 priority;
	kt_u64 semaphore;
	kt_s32 pid;
	kt_u32 offset;        /* from the symbol */
	kt_u64 linked;        /* of a place in a file: its address as linked */
	kt_u64 code;          /* what the file must hold there, the first byte lowest */
	kt_u32 code_size;     /* bytes of it */
	kt_u32 rate;          /* of a perf event: how often a second, and no interval */
};

struct image_global {
	kt_u32 name, at, is_string, size;
	kt_u32 copies;        /* in MAP_STATE: of a counter, what the first CPU added to it; 0: there are no copies */
};

enum { IMAGE_GROUPS_MAX = 100 };

/* A regular expression in the constants: the tables of core/regex.h, as offsets from here. */
struct image_regex {
	kt_u32 n_classes, start, n_groups;
	kt_u32 n_insts;       /* 0: the script does not ask for groups */
	kt_u32 next, accept, program, sets;
	kt_u8 class_of[256];
};

/* Natives that are no functions of the library have these numbers, above those of IMAGE_NATIVES. A cold handler calls them as helpers. */
enum image_native {
	NATIVE_BASE = 1 << 16,   /* plus the number in IMAGE_NATIVES: NAME(n, arguments of 8 bytes, where a string result goes) */
	NATIVE_GET = 1 << 20,    /* (array, key, value): copies the value; 0: there is none, and the value is zeroes */
	NATIVE_HAS,              /* (array, key, any): whether there is one. ANY: keys that are wildcards, a bit each, here and below */
	NATIVE_PUT,              /* (array, key, value): -errno */
	NATIVE_DELETE,           /* (array, key, any): key 0: all */
	NATIVE_WALK,             /* (array, sort, limit, enum kt_stat_op | any << 8, key): begins a foreach; its number, or -errno */
	NATIVE_STEP,             /* (number, key, value): 1, or 0 after the last, which ends it; of an aggregate the value is its count */
	NATIVE_LEAVE,            /* (number) */
	NATIVE_FORMAT,           /* (to, size, format, struct kt_arg *, n): the length */
	NATIVE_MESSAGE,          /* (to, size): the message of the frame's error */
	NATIVE_MATCH,            /* (struct image_regex *, string): whether it matches; it may raise an error */
	NATIVE_COMPARE,          /* (string, string): below 0, 0 or above, as strcmp() */
	/* Of the aggregate STAT in IMAGE_STATS; KEY is 0 for a scalar. They may raise an error. */
	NATIVE_STAT_ADD,         /* (stat, key, value) */
	NATIVE_STAT_CLEAR,       /* (stat): a scalar */
	NATIVE_STAT,             /* (stat, key, enum kt_stat_op, parameter): the number */
	NATIVE_BUCKET,           /* (stat, key, bucket): its count */
	NATIVE_HAS_BUCKET,       /* (stat, key, bucket) */
	NATIVE_HIST,             /* (stat, key, to, size): the text of the histogram */
	NATIVE_HIST_PRINT,       /* (stat, key, format): prints it */
};

#endif
