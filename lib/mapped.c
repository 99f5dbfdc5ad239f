/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A handler of SIGBUS puts zeros in the place of what the file has no more. Readers of files that others can write take anything; the file
 * is reported afterwards.
 */
#include "lib/mapped.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/arena.h"

struct mapped {
	struct mapped *next;
	uintptr_t at;
	size_t size;
	const char *path;
	bool cut;
};

struct mappings {
	struct mapped *list; /* changed and read by the thread that reads the files */
	const char *first_cut;
	bool installed;      /* the handler */
};

static struct mappings mappings; /* of this process: a handler of signals is not given them */

/* Puts zeros in the place of the mapped bytes from PAGE on. Returns false if PAGE is not registered. */
static bool fill(struct mappings *all, uintptr_t page)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;

	for (struct mapped *m = all->list; m; m = m->next)
		if (page - m->at < m->size && mmap((void *)page, m->size - (page - m->at), PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED) {
			all->first_cut = all->first_cut ? all->first_cut : m->path;
			return m->cut = true;
		}
	return false;
}

/* Runs in the middle of a read. Where the signal is about something else it comes again, and ends the process. */
static void on_bus(int number, siginfo_t *info, void *context)
{
	if (info->si_code > 0 && fill(&mappings, (uintptr_t)info->si_addr & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1)))
		return;
	signal(number, SIG_DFL);
	if (info->si_code <= 0) /* it was sent: nothing is read again */
		raise(number);
}

static void install(struct mappings *all)
{
	struct sigaction sa = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };

	if (!all->installed)
		sigaction(SIGBUS, &sa, NULL);
	all->installed = true;
}

void mapped_begin(const char *path, const void *at, size_t size)
{
	struct mapped *m = xmalloc(sizeof(*m));

	install(&mappings);
	*m = (struct mapped){ .next = mappings.list, .at = (uintptr_t)at, .size = size, .path = xstrdup(path) };
	mappings.list = m;
}

bool mapped_end(const void *at)
{
	for (struct mapped **p = &mappings.list; *p; p = &(*p)->next) {
		struct mapped *m = *p;
		bool cut = m->cut;

		if (m->at != (uintptr_t)at)
			continue;
		*p = m->next;
		if (m->path != mappings.first_cut)
			free((char *)m->path);
		free(m);
		return !cut;
	}
	return true;
}

const char *mapped_cut(void)
{
	return mappings.first_cut;
}
