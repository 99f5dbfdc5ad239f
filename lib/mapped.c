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

static struct mapped *list; /* changed and read by the thread that reads the files */
static const char *first_cut;

/* Runs in the middle of a read. Where the signal is about something else it comes again, and ends the process. */
static void on_bus(int number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;

	for (struct mapped *m = list; m && info->si_code > 0; m = m->next)
		if (page - m->at < m->size && mmap((void *)page, m->size - (page - m->at), PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED) {
			first_cut = first_cut ? first_cut : m->path;
			m->cut = true;
			return;
		}
	signal(number, SIG_DFL);
	if (info->si_code <= 0) /* it was sent: nothing is read again */
		raise(number);
}

static void install(void)
{
	struct sigaction sa = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };
	static bool installed;

	if (!installed)
		sigaction(SIGBUS, &sa, NULL);
	installed = true;
}

void mapped_begin(const char *path, const void *at, size_t size)
{
	struct mapped *m = xmalloc(sizeof(*m));

	install();
	*m = (struct mapped){ .next = list, .at = (uintptr_t)at, .size = size, .path = xstrdup(path) };
	list = m;
}

bool mapped_end(const void *at)
{
	for (struct mapped **p = &list; *p; p = &(*p)->next) {
		struct mapped *m = *p;
		bool cut = m->cut;

		if (m->at != (uintptr_t)at)
			continue;
		*p = m->next;
		if (m->path != first_cut)
			free((char *)m->path);
		free(m);
		return !cut;
	}
	return true;
}

const char *mapped_cut(void)
{
	return first_cut;
}
