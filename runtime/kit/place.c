/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of places: see place.h. */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/kit/place.h"
#include "runtime/kit/services.h"

/* ---- one place; under the lock of its places ---- */
bool kt_place_is_found(const struct kt_place *p)
{
	return p->state == KT_PLACE_FOUND || p->state == KT_PLACE_OFF || p->state == KT_PLACE_ON;
}

static const char *module_of(const struct kt_places *all, const struct kt_place *p)
{
	return all->ops->module ? all->ops->module(p) : NULL;
}

void kt_places_found(int n)
{
	WRITE_ONCE(kt_run.found, kt_run.found + n);
}

void kt_place_taken(struct kt_place *p)
{
	p->state = KT_PLACE_TAKEN;
	kt_places_found(1);
	atomic_inc(&kt_run.armed);
}

void kt_place_refused(struct kt_place *p, int error)
{
	p->state = KT_PLACE_REFUSED;
	kt_run.probes[p->probe->index].error = error;
	atomic_inc(&kt_run.refused);
}

/* Finds P, or counts it as refused. */
static void place_find(const struct kt_places *all, struct kt_place *p, const struct module *mod)
{
	const char *module = module_of(all, p);
	int err = module && kt_module_is_foreign(module) ? -ESTALE : all->ops->find ? all->ops->find(p, mod) : 0;

	if (err == KT_PLACE_LATER)
		return;
	if (!err) {
		p->state = KT_PLACE_FOUND;
	} else if (err == -ENOENT && module) {
		kt_place_refused(p, kt_module_is_live(module) ? -ENODATA : -EAGAIN);
		p->state = KT_PLACE_WAITS;
	} else {
		kt_place_refused(p, err);
	}
}

/* Takes P back from where it is attached or found. */
static void place_lose(const struct kt_places *all, struct kt_place *p)
{
	if (p->state == KT_PLACE_ON && all->ops->detach)
		all->ops->detach(p);
	if (all->ops->lose)
		all->ops->lose(p);
	p->state = KT_PLACE_GONE;
}

/* Attaches P, which is off, if its condition holds; 0 or -errno. */
static int place_attach(const struct kt_places *all, struct kt_place *p)
{
	int err = 0;

	if (kt_probe_off(p->probe->index))
		return 0;
	if (all->ops->attach)
		err = all->ops->attach(p);
	if (!err)
		p->state = KT_PLACE_ON;
	return err;
}

/* Attaches P for the first time, if it was found: an error refuses it. */
static void place_start(const struct kt_places *all, struct kt_place *p)
{
	int err;

	if (p->state != KT_PLACE_FOUND)
		return;
	p->state = KT_PLACE_OFF;
	err = place_attach(all, p);
	if (!err) {
		atomic_inc(&kt_run.armed);
	} else {
		place_lose(all, p);
		kt_place_refused(p, err);
	}
}

/* ---- modules ---- */
/* Rows never change, so this needs no lock. */
bool kt_place_is_in(const struct kt_places *all, const struct kt_place *p, const char *module)
{
	const char *name = module_of(all, p);

	return name && !strcmp(name, module);
}

static bool any_place_is_in(const struct kt_places *all, const struct module *mod)
{
	for (u32 i = 0; i < all->n; i++)
		if (kt_place_is_in(all, kt_place_at(all, i), mod->name))
			return true;
	return false;
}

static void place_comes(const struct kt_places *all, struct kt_place *p, const struct module *mod)
{
	if (p->state == KT_PLACE_WAITS || p->state == KT_PLACE_REFUSED) {
		kt_run.probes[p->probe->index].error = 0;
		atomic_dec(&kt_run.refused);
	}
	p->state = KT_PLACE_NEW;
	place_find(all, p, mod);
}

/* All places in MOD are found before the first one is attached. The end of the session waits for this, so it stops then. */
static void module_comes(const struct kt_places *all, const struct module *mod)
{
	for (u32 i = 0; i < all->n && kt_run_state() <= KT_RUNNING; i++) {
		struct kt_place *p = kt_place_at(all, i);

		if (!kt_place_is_in(all, p, mod->name) || kt_place_is_found(p))
			continue;
		place_comes(all, p, mod);
		cond_resched();
	}
	for (u32 i = 0; i < all->n && kt_run_state() <= KT_RUNNING; i++) {
		if (!kt_place_is_in(all, kt_place_at(all, i), mod->name))
			continue;
		place_start(all, kt_place_at(all, i));
		cond_resched();
	}
}

static void module_goes(const struct kt_places *all, const struct module *mod)
{
	if (all->ops->lose_many)
		all->ops->lose_many(all, mod->name);
	for (u32 i = 0; i < all->n; i++) {
		struct kt_place *p = kt_place_at(all, i);

		if (!kt_place_is_in(all, p, mod->name) || !kt_place_is_found(p))
			continue;
		atomic_sub(p->state != KT_PLACE_FOUND, &kt_run.armed);
		if (all->ops->lose_many)
			p->state = KT_PLACE_GONE;
		else
			place_lose(all, p);
	}
}

/* A module that has no place does not wait for the lock, which arming holds for minutes. */
static int module_event(struct kt_places *all, unsigned long event, const struct module *mod)
{
	if ((event != MODULE_STATE_COMING && event != MODULE_STATE_GOING) || !any_place_is_in(all, mod))
		return NOTIFY_DONE;
	mutex_lock(&all->lock);
	if (event == MODULE_STATE_COMING)
		module_comes(all, mod);
	else
		module_goes(all, mod);
	mutex_unlock(&all->lock);
	return NOTIFY_OK;
}

/* Symbols of a module are there, and its text can be patched, from COMING on: before its init function runs. */
static int text_event(struct notifier_block *nb, unsigned long event, void *data)
{
	return module_event(container_of(nb, struct kt_places, watch), event, data);
}

/* The kernel also sends COMING of all modules that are loaded when this is registered. */
static int tracepoint_event(struct notifier_block *nb, unsigned long event, void *data)
{
	return module_event(container_of(nb, struct kt_places, watch), event, ((const struct tp_module *)data)->mod);
}

/* Modules that come or go from now on are heard of. Not under the lock, which the callback takes. */
static void watch_modules(struct kt_places *all)
{
	bool any = false;
	int err;

	for (u32 i = 0; i < all->n && !any; i++)
		any = module_of(all, kt_place_at(all, i));
	if (!any)
		return;
	all->watch.notifier_call = all->ops->tracepoints ? tracepoint_event : text_event;
	err = all->ops->tracepoints ? register_tracepoint_module_notifier(&all->watch) : register_module_notifier(&all->watch);
	if (err)
		all->watch.notifier_call = NULL;
}

static void unwatch_modules(struct kt_places *all)
{
	if (!all->watch.notifier_call)
		return;
	if (all->ops->tracepoints)
		unregister_tracepoint_module_notifier(&all->watch);
	else
		unregister_module_notifier(&all->watch);
	all->watch.notifier_call = NULL;
}

/* ---- all places ---- */
void kt_places_stay(void)
{
	if (kt_run.stays)
		return;
	WRITE_ONCE(kt_run.stays, true);
	__module_get(THIS_MODULE);
	kt_warn("the kernel does not let go of all places, see dmesg: the module stays loaded until the next boot");
}

static void places_free(struct kt_places *all)
{
	all->n = 0;
	if (!kt_run.stays)
		kvfree(all->array);
	all->array = NULL;
}

static int places_alloc(struct kt_places *all, const struct kt_family_rows *rows)
{
	all->array = kvcalloc(rows->n, all->ops->size, GFP_KERNEL);
	if (!all->array)
		return -ENOMEM;
	all->n = rows->n;
	for (u32 i = 0; i < all->n; i++) {
		struct kt_place *p = kt_place_at(all, i);

		p->row = (const char *)rows->rows + (size_t)i * all->ops->row_size;
		p->probe = &kt_script.probes[*(const u32 *)p->row];
	}
	return all->ops->prepare ? all->ops->prepare(all) : 0;
}

/* Finds the places that were not tried yet. */
static void places_find(struct kt_places *all)
{
	for (u32 i = 0; i < all->n && kt_run_starts(); i++) {
		struct kt_place *p = kt_place_at(all, i);

		if (p->state != KT_PLACE_NEW)
			continue;
		place_find(all, p, NULL);
		kt_places_found(p->state != KT_PLACE_NEW);
		cond_resched();
	}
}

int kt_places_arm(struct kt_places *all, const struct kt_family_rows *rows)
{
	int err = all->ops->size ? places_alloc(all, rows) : 0;

	if (!err)
		watch_modules(all);
	mutex_lock(&all->lock);
	if (!err)
		places_find(all);
	if (!err && all->ops->attach_many && kt_run_starts()) {
		err = all->ops->attach_many(all);
		places_find(all);
	}
	for (u32 i = 0; i < all->n && !err && kt_run_starts(); i++) {
		place_start(all, kt_place_at(all, i));
		cond_resched();
	}
	mutex_unlock(&all->lock);
	return err;
}

/* Attaches P or detaches it, as its probe is off or not; 0 or -errno. A place that cannot be switched keeps its state: the next change tries
 * again. */
static int place_update(const struct kt_places *all, struct kt_place *p)
{
	int err = 0;

	if (p->state == KT_PLACE_OFF)
		return place_attach(all, p);
	if (p->state != KT_PLACE_ON || !kt_probe_off(p->probe->index) || !all->ops->detach)
		return 0;
	err = all->ops->detach(p);
	if (!err)
		p->state = KT_PLACE_OFF;
	return err;
}

u32 kt_places_update(struct kt_places *all)
{
	u32 refused = 0;

	if (all->ops->update_many)
		all->ops->update_many();
	mutex_lock(&all->lock);
	for (u32 i = 0; i < all->n && kt_run_state() == KT_RUNNING; i++) {
		refused += place_update(all, kt_place_at(all, i)) != 0;
		cond_resched();
	}
	mutex_unlock(&all->lock);
	return refused;
}

/* Sets kt_run.probes[].lost to what the kernel has counted. */
static void places_count(const struct kt_places *all)
{
	for (u32 i = 0; all->ops->count && i < all->n; i++)
		memset(kt_run.probes[kt_place_at(all, i)->probe->index].lost, 0, sizeof(kt_run.probes->lost));
	for (u32 i = 0; all->ops->count && i < all->n; i++)
		all->ops->count(kt_place_at(all, i), kt_run.probes[kt_place_at(all, i)->probe->index].lost);
}

/* While a module comes or goes the last counts stay. */
void kt_places_count(struct kt_places *all)
{
	if (!mutex_trylock(&all->lock))
		return;
	places_count(all);
	mutex_unlock(&all->lock);
}

void kt_places_disarm(struct kt_places *all)
{
	if (!all->n)
		return;
	unwatch_modules(all);
	if (all->ops->detach_many)
		all->ops->detach_many(all);
	for (u32 i = 0; i < all->n && !all->ops->detach_many; i++) {
		struct kt_place *p = kt_place_at(all, i);

		if (kt_place_is_found(p))
			place_lose(all, p);
		cond_resched();
	}
	if (all->ops->finish)
		all->ops->finish(all);
	places_count(all);
	places_free(all);
}

