/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One bound on the load of a CPU for all sessions together. A session's guard knows its own load only, and its module no other.
 *
 * Each module publishes the load of its handlers in the file ktap_load among its parameters in /sys: root's, gone with the module, and
 * empty when its session does not run. ktaprun of each session that has a load adds them up once a second; that of a quiet one, whose
 * probes may be on the calls that this needs, does nothing. The newest session that has a part in an excess ends; the others see less a
 * second later. All versions of ktap read and write the form of the file, which is at kt_guard_show() in runtime/kit/guard.c.
 */
#include "runtime/loader/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"

enum {
	LOAD_MAX = 500,  /* thousandths of a CPU: as much as one session may take without -D STP_OVERLOAD_THRESHOLD */
	LOOK_SECONDS = 1,
	LOOKS_OVER = 3,  /* of samples, which vary */
	CPUS_MAX = 8192,
	SESSIONS_MAX = 256,
	NAMED_MAX = 8,
};

struct peer {
	char name[64];
	unsigned long long since; /* nanoseconds after boot, when it began */
	char *load;               /* "CPU=SHARE ..." */
};

struct peers {
	int n;
	struct peer peer[SESSIONS_MAX];
};

static void read_peer(const struct loader_sys *sys, const char *name, struct peers *p)
{
	_cleanup_free_ char *path = xasprintf("/sys/module/%s/parameters/ktap_load", name);
	_cleanup_free_ char *real = sys_path(sys, path);
	_cleanup_free_ char *line = access(real, F_OK) ? NULL : sys_read_line(sys, path); /* most modules are not ours */
	struct peer *new = &p->peer[p->n];
	int end = 0;

	if (!line || sscanf(line, "%llu %n", &new->since, &end) < 1)
		return;
	snprintf(new->name, sizeof(new->name), "%s", name);
	new->load = xstrdup(line + end);
	p->n++;
}

static struct peers *read_peers(const struct loader_sys *sys)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/modules");
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	struct peers *p = xmalloc(sizeof(*p));
	char line[1024], name[64];

	p->n = 0;
	while (f && p->n < SESSIONS_MAX && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s", name) == 1)
			read_peer(sys, name, p);
	return p;
}

static void free_peers(struct peers *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->peer[i].load);
	free(p);
}

/* Returns the next CPU of the list at *AT, with its load; -1: the list ends. */
static int next_cpu(const char **at, int *ret_load)
{
	int cpu, end;

	if (sscanf(*at, " %d=%d%n", &cpu, ret_load, &end) != 2 || cpu < 0 || cpu >= CPUS_MAX || *ret_load < 0 || *ret_load > 1000)
		return -1;
	*at += end;
	return cpu;
}

static int load_on(const struct peer *p, int cpu)
{
	const char *at = p->load;
	int found, load;

	while ((found = next_cpu(&at, &load)) >= 0)
		if (found == cpu)
			return load;
	return 0;
}

/* Returns whether A began after B. */
static bool is_newer(const struct peer *a, const struct peer *b)
{
	return a->since != b->since ? a->since > b->since : strcmp(a->name, b->name) > 0;
}

/* Returns whether PEER is the newest of several that take more of CPU than they may together. */
static bool ends_for(const struct peers *all, const struct peer *me, int cpu, struct text *reason)
{
	_cleanup_text_ struct text others = { 0 };
	int sum = 0, n = 0;
	bool newest = true;

	for (int i = 0; i < all->n; i++) {
		const struct peer *p = &all->peer[i];
		int load = load_on(p, cpu);

		sum += load;
		n += load > 0;
		if (p == me || !load)
			continue;
		newest &= is_newer(me, p);
		if (n <= NAMED_MAX)
			text_printf(&others, "%s'%s' %d.%d %%", others.len ? ", " : "", p->name, load / 10, load % 10);
	}
	if (newest && n > 1 && sum > LOAD_MAX)
		text_printf(reason, "overload: handlers of %d sessions take %d.%d %% of CPU %d together, at most %d %% are allowed; this one, '%s', is "
			    "the newest and ends; the others: %s", n, sum / 10, sum % 10, cpu, LOAD_MAX / 10, me->name, text_str(&others));
	return reason->len;
}

static bool is_over(const struct peers *all, const char *name, struct text *reason)
{
	for (int i = 0; i < all->n; i++) {
		const char *at = all->peer[i].load;
		int cpu, load;

		if (strcmp(all->peer[i].name, name))
			continue;
		while ((cpu = next_cpu(&at, &load)) >= 0)
			if (load && ends_for(all, &all->peer[i], cpu, reason))
				return true;
	}
	return false;
}

bool machine_is_over(struct machine_watch *w, const struct loader_sys *sys, const char *name, kt_u32 load, double now, struct text *reason)
{
	struct peers *all;

	if (now < w->next)
		return false;
	w->next = now + LOOK_SECONDS;
	if (load < KT_LOAD_PART) {
		w->over = 0;
		return false;
	}
	all = read_peers(sys);
	w->over = is_over(all, name, reason) ? w->over + 1 : 0;
	free_peers(all);
	return w->over >= LOOKS_OVER;
}
