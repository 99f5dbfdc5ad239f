/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debugging information from debuginfod servers: see fetch.h.
 *
 * elfutils' client does it all, its cache included. It is loaded when DEBUGINFOD_URLS names a server and debugging information
 * is missing here, and only then: it brings an HTTP library along that takes 20 ms to start, and ktap works without.
 */
#include "translator/debuginfo/fetch.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/interrupt.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/status.h"
#include "lib/trust.h"

/* Seconds in which a server has to send something, unless the user says otherwise. elfutils' own default of 90 looks like a
 * hang. */
#define TIMEOUT "20"

static bool load(struct fetch *f, struct reports *r)
{
	struct debuginfod *library = &f->library;
	void *handle;

	if (f->loaded)
		return library->end;
	f->loaded = true;
	handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		warning(diag_nowhere(r), DIAG_NO_DEBUGINFO, "DEBUGINFOD_URLS is set, but there is no libdebuginfod.so.1");
		package_note(r, PACKAGE_DEBUGINFOD, NULL, "libdebuginfod.so.1");
		return false;
	}
	/* dlsym() returns functions as data, which C has no cast for. */
	*(void **)&library->begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library->find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library->end = dlsym(handle, "debuginfod_end");
	*(void **)&library->set_progress = dlsym(handle, "debuginfod_set_progressfn");
	if (!library->begin || !library->find || !library->set_progress)
		library->end = NULL;
	return library->end;
}

bool fetch_possible(struct fetch *f, struct reports *r)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return !f->failed && urls && urls[strspn(urls, " \t\n")] && load(f, r);
}

/* The library calls this several times a second; it gives up when this does not return 0. */
static int progress(struct debuginfod_client *client, long done, long all)
{
	enum { MB = 1 << 20 };

	if (done > 0 && all > 0)
		status_tick_at(", %ld of %ld MB", done / MB, (all + MB - 1) / MB);
	else
		status_tick();
	return interrupt_came();
}

/* The library's cache, by the rules of debuginfod_find_debuginfo(3); NULL: unknown. */
static const char *default_cache(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *old;

	old = home ? arena_printf(&program_arena, "%s/.debuginfod_client_cache", home) : NULL;
	if (old && !access(old, F_OK))
		return old;
	if (xdg)
		return arena_printf(&program_arena, "%s/debuginfod_client", xdg);
	return home ? arena_printf(&program_arena, "%s/.cache/debuginfod_client", home) : NULL;
}

/* Returns the cache that the library is to use. One that another user can change, such as that of the $HOME that sudo -E leaves,
 * is replaced by a directory of ktap's cache: the library checks neither owners nor links. Without a cache it reports that and returns
 * NULL. */
static const char *find_cache(struct reports *r)
{
	const char *variable = getenv("DEBUGINFOD_CACHE_PATH"), *given = variable && *variable ? variable : NULL;
	const char *wanted = given ? given : default_cache(), *found = NULL, *why, *own;

	if (wanted && !trust_dir(wanted, TRUST_MAKE, &found, &why))
		return found;
	if (given)
		warning(diag_nowhere(r), DIAG_UNTRUSTED, "DEBUGINFOD_CACHE_PATH is not used: %s", why);
	own = cache_path(&why);
	if (own && !trust_dir(arena_printf(&program_arena, "%s/debuginfod", own), TRUST_MAKE, &found, &why))
		return found;
	warning(diag_nowhere(r), DIAG_NO_DEBUGINFO, "no debugging information from debuginfod, there is no cache for it: %s", why);
	return NULL;
}

/* Tells the library which cache to use. Returns false without a cache; only the first call reports that. */
static bool choose_cache(struct fetch *f, struct reports *r)
{
	const char *cache = f->chosen ? NULL : find_cache(r);

	if (cache)
		f->chosen = !setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	f->failed = !f->chosen;
	return f->chosen;
}

/* The library takes a download that was given up for a file that no server has, and notes this as an empty file. */
static void forget_miss(const char *build_id)
{
	const char *path = arena_printf(&program_arena, "%s/%s/debuginfo", getenv("DEBUGINFOD_CACHE_PATH"), build_id);
	struct stat st;

	if (!stat(path, &st) && !st.st_size)
		unlink(path);
}

/* A signal ends the download, so that no part of a file stays in the library's cache. */
static int find(const struct debuginfod *library, struct debuginfod_client *client, const char *build_id, const char *of, char **ret_path)
{
	const char *slash = strrchr(of, '/');
	int fd;

	library->set_progress(client, progress);
	status_begin("downloading debuginfo of %s", slash ? slash + 1 : of);
	interrupt_guard(NULL);
	/* A length of 0: the id is hex text. */
	fd = library->find(client, (const unsigned char *)build_id, 0, ret_path);
	if (interrupt_came())
		forget_miss(build_id);
	interrupt_unguard();
	status_end();
	return fd;
}

const char *fetch_debuginfo(struct fetch *f, struct reports *r, const char *build_id, const char *of)
{
	const char *kept = NULL;
	char *path = NULL;
	struct debuginfod_client *client;
	int fd;

	if (!build_id || !*build_id || !fetch_possible(f, r))
		return NULL;
	if (!choose_cache(f, r))
		return NULL;
	setenv("DEBUGINFOD_TIMEOUT", TIMEOUT, 0);
	client = f->library.begin();
	if (!client)
		return NULL;
	fd = find(&f->library, client, build_id, of, &path);
	f->library.end(client);
	if (fd >= 0) {
		close(fd);
		kept = arena_strdup(&program_arena, path);
		free(path);
	} else if (fd != -ENOENT) {
		f->failed = true;
		warning(diag_nowhere(r), DIAG_NO_DEBUGINFO, "no debugging information from debuginfod for build-id %s: %s", build_id, strerror(-fd));
		note(diag_nowhere(r), "DEBUGINFOD_URLS is '%s'; DEBUGINFOD_TIMEOUT is %s seconds", getenv("DEBUGINFOD_URLS"),
		     getenv("DEBUGINFOD_TIMEOUT"));
	}
	return kept;
}
