/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places: where the rows of the script are attached to the kernel.
 *
 * place.c keeps the places of a family: their states, errors and counts. It follows their conditions and the modules that they are
 * in, and ends early when arming is cancelled. The family says in a struct kt_family_ops how one place is found, attached and
 * detached; its callback of the kernel calls kt_handle().
 */
#ifndef KT_KIT_PLACE_H
#define KT_KIT_PLACE_H

#include <linux/mutex.h>
#include <linux/notifier.h>

#include "runtime/kit/state.h"

enum kt_place_state {
	KT_PLACE_NEW,     /* not tried yet */
	KT_PLACE_WAITS,   /* for its module; counted as refused */
	KT_PLACE_REFUSED, /* counted */
	KT_PLACE_GONE,    /* with its module; not counted */
	KT_PLACE_FOUND,   /* not counted yet */
	KT_PLACE_OFF,     /* its condition does not hold; counted as armed */
	KT_PLACE_ON,      /* attached; counted as armed */
	KT_PLACE_TAKEN,   /* attached by attach_many(); counted as armed */
};

/* The member `place` of a family's own struct, its first one. */
struct kt_place {
	const struct kt_probe *probe;
	const void *row;
	u32 state;        /* enum kt_place_state */
};
/* The family's TYPE that P is in. */
#define KT_PLACE_AS(type, p) container_of((p), type, place)

struct kt_places;
struct module;

/* A family of probes. All of these run in process context and may sleep. A hook that is NULL does nothing. Those of one place
 * run under the lock of
 * the family's places. */
struct kt_family_ops {
	u32 size;     /* of the family's struct; 0: it has no places, the session runs its handlers */
	u32 row_size; /* a row begins with the number of its probe */
	/* The name of the module that the place is in; NULL: it is in none. A hook that is NULL: no place is in any. */
	const char *(*module)(const struct kt_place *p);
	bool tracepoints; /* the module matters for its tracepoints, not for its text */

	/* Before any place is found: what all of them need. After a failure, too, comes finish(). */
	int (*prepare)(struct kt_places *all);
	/* Finds the place, and takes what attach() needs. MOD: its module, which is being loaded; NULL: the module is loaded or not.
	 * -ENOENT for a place in a module: it waits for the module. KT_PLACE_LATER: attach_many() may take it. */
	int (*find)(struct kt_place *p, const struct module *mod);
	/* The reverse. The place is detached, or its module is going. */
	void (*lose)(struct kt_place *p);
	/* Detaches and loses the found places in MODULE, which is going. NULL: one by one. */
	void (*lose_many)(const struct kt_places *all, const char *module);
	/* Handlers may run from here on. */
	int (*attach)(struct kt_place *p);
	/* An error: it stays attached. The handlers test the condition themselves. */
	int (*detach)(struct kt_place *p);
	/* Attaches places together, after all others are found, and calls kt_place_taken() for them. The rest is found once more. */
	int (*attach_many)(struct kt_places *all);
	/* Makes the taken places follow kt_probe_off(). */
	void (*update_many)(void);
	/* The end: detaches and loses all places, the taken ones too. NULL: one by one. */
	void (*detach_many)(struct kt_places *all);
	/* After the last place was detached: waits for handlers that still run, and undoes prepare(). */
	void (*finish)(struct kt_places *all);
	/* Adds to LOST, by enum kt_loss, what the kernel has counted at the place. */
	void (*count)(const struct kt_place *p, u64 *lost);
};

/* Each family's file defines its own; load.c has them all. */
#define FAMILY(id, name, flags, points) extern const struct kt_family_ops kt_##name##_family;
#include "runtime/families.def"
#undef FAMILY

enum { KT_PLACE_LATER = 1 };

struct kt_places {
	const struct kt_family_ops *ops;
	void *array;
	u32 n;
	struct mutex lock;           /* modules come and go while places are armed */
	struct notifier_block watch; /* of modules; its callback is NULL while nobody watches */
};
#define KT_PLACES(name, family) { .ops = &(family), .lock = __MUTEX_INITIALIZER((name).lock) }

/* Place I of ALL. */
static inline struct kt_place *kt_place_at(const struct kt_places *all, u32 i)
{
	return (struct kt_place *)((char *)all->array + (size_t)i * all->ops->size);
}

/* Returns whether there is something of P that lose() is to undo. */
bool kt_place_is_found(const struct kt_place *p);
/* Reports progress: N places more are found, or -N fewer, which are counted again. Context: the lock of the places, or prepare(). */
void kt_places_found(int n);
/* For attach_many(): P, which is in no module, is attached as kt_probe_off() says. */
void kt_place_taken(struct kt_place *p);
/* Is P in the module of that name? */
bool kt_place_is_in(const struct kt_places *all, const struct kt_place *p, const char *module);
/* For attach_many(): P cannot be attached. */
void kt_place_refused(struct kt_place *p, int error);

/* Keeps the module loaded, and the places of all families allocated: the kernel refused to let go of one and may still call its handler,
 * which does nothing after the session. ftrace refuses everything after it has shut itself down. Context: process, outside of handlers. */
void kt_places_stay(void);

/* Arms a place for each row. On failure kt_places_disarm() undoes its part. Context: START. */
int kt_places_arm(struct kt_places *all, const struct kt_family_rows *rows);
/* Detaches all. After it no handler of the family runs. */
void kt_places_disarm(struct kt_places *all);
/* Attaches and detaches as kt_probe_off() says, until the session stops. Returns how many places refused. */
u32 kt_places_update(struct kt_places *all);
void kt_places_count(struct kt_places *all);

#endif
