/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a session as ktaprun sees it: the state, constants and arrays, in this process or in maps of the kernel. */
#ifndef KT_BPF_STORE_H
#define KT_BPF_STORE_H

#include "runtime/bpf/file.h"

struct element {
	struct element *next;
	struct element *newer, *older;
	kt_u32 hash;
	char bytes[];      /* the key, then the value */
};

struct store_array {
	const struct image_array *of;
	const struct image_map *map;
	const struct kt_stat_type *stat; /* of aggregates, else NULL */
	int fd;            /* of the kernel's map; -1: it is here */
	int copies[2];     /* of the kernel's maps that handlers at hits add to; -1: none */
	struct element **slots;
	struct element *oldest, *newest;
	kt_u32 n_slots, n;
};

/* A foreach that is going on, on a copy. */
struct walk {
	char *pairs;       /* key and value of each */
	kt_u32 *order;     /* numbers of the pairs */
	kt_u32 n, at;
	kt_u32 key_size, value_size;
};

enum { WALKS_MAX = 32 };

/* How far the copies of aggregates are moved here: see stats.c. */
struct store_copies {
	const char *frames;    /* MAP_FRAMES, mapped; NULL: no handler at a hit adds to copies */
	size_t frames_size;
	kt_u8 *running;        /* by CPU, a bit for each frame: handlers that may still add to the half that was left */
	char *values;          /* of one key, by CPU */
	bool left;             /* one half is still to be moved */
	bool moved;            /* by the handler that runs now */
};

struct store {
	const struct image_file *image;
	int *fds;          /* by map, -1: none */
	char *state, *constants, *frame;
	size_t state_size;
	kt_u32 n_cpus;
	struct store_array *arrays;
	struct walk walks[WALKS_MAX];
	char *value;       /* as large as the largest of arrays and aggregates */
	struct store_copies copies;
};

/* Makes all that is to be in this process; the maps of the kernel in FDS, by number, or -1 each. False: no memory. */
bool store_init(struct store *s, const struct image_file *im, int *fds, kt_u32 n_cpus);
void store_free(struct store *s);

/* Copies the value of the element; zeroes and false: there is none. */
bool store_get(struct store *s, kt_u32 array, const void *key, void *value);
/* Is there an element with KEY, of which the keys in ANY, a bit each, may be all? */
bool store_has(struct store *s, kt_u32 array, const void *key, kt_u32 any);
/* 0 or -errno. */
int store_put(struct store *s, kt_u32 array, const void *key, const void *value);
/* KEY NULL: all elements. */
void store_delete(struct store *s, kt_u32 array, const void *key, kt_u32 any);

/* The value of the element, which is here, made of zeroes if need be, however many there are. NULL: no memory. */
void *store_ref(struct store_array *a, const void *key);

/* What a foreach goes over, and how it is sorted: see NATIVE_WALK. */
struct store_loop {
	kt_u32 array;
	kt_s64 sort, limit;
	enum kt_stat_op op;
	kt_u32 any;
	const char *key;   /* of a slice, which has ANY */
};

/* Begins a foreach. Returns its number, or -errno. */
int store_walk(struct store *s, const struct store_loop *loop);
bool store_step(struct store *s, kt_u64 walk, void *key, void *value);
void store_leave(struct store *s, kt_u64 walk);
/* Ends those that a handler left open. */
void store_leave_all(struct store *s);

#endif
