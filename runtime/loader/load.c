/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads and removes modules. One that a killed session left behind is known by two things: it has the parameter
 * ktap_state, and nobody holds it (a reader's open file does). A module that was just loaded looks the same until its
 * loader has opened the control file, and so does one whose loader has closed it and is about to remove it: loading, removing
 * and sweeping exclude each other by a lock on a file.
 */
#include "runtime/loader/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/text.h"
#include "runtime/abi.h"
#include "runtime/loader/refusal.h"

enum {
	REMOVE_TRIES = 100,
	REMOVE_WAIT_US = 20000,
	ENDING_TRIES = 1500, /* 30 s; tens of thousands of return probes take their time on a busy machine */
	ENDING_SAY = 100,    /* 2 s */
	LOCK_TRIES = 1500,   /* 30 s, too: all sessions of a machine may end at once */
	SAME_NAME_MAX = 99,  /* sessions */
};

/* A file that is there, and that root alone can open. To make one, in /run, is to wait for everybody who reads the directory. */
static int open_lock(const struct loader_sys *sys)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/vmallocinfo");

	return open(path, O_RDONLY | O_CLOEXEC);
}

int load_lock(const struct loader_sys *sys)
{
	int fd = open_lock(sys);

	if (fd >= 0 && flock(fd, LOCK_EX) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int load_lock_soon(const struct loader_sys *sys)
{
	int fd = open_lock(sys);

	for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return fd;
		usleep(REMOVE_WAIT_US);
	}
	load_unlock(fd);
	return -1;
}

void load_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* ---- checks ---- */

/* The build-id in the notes at PATH. False: there is none. */
static bool read_build_id(const char *path, char ret[BUILD_ID_SIZE])
{
	_cleanup_text_ struct text t = { 0 };

	text_read_file(&t, path);
	return elf_build_id((struct span){ (const unsigned char *)t.buf, t.len }, ret);
}

bool load_running_build_id(const struct loader_sys *sys, char ret[BUILD_ID_SIZE])
{
	_cleanup_free_ char *path = sys_path(sys, "/sys/kernel/notes");

	return read_build_id(path, ret);
}

bool load_check_kernel(const struct loader_sys *sys, const struct image *m)
{
	_cleanup_free_ char *release = sys_read_line(sys, "/proc/sys/kernel/osrelease");

	if (m->abi != KT_ABI) {
		error(nowhere, DIAG_RUN, "module '%s' was built by another version of ktap: its interface is %d, expected %d",
		      m->name, m->abi, KT_ABI);
		note(nowhere, "build it again with this ktap");
		return false;
	}
	if (release && m->release[0] && strcmp(release, m->release)) {
		error(nowhere, DIAG_RUN, "module '%s' was built for kernel %s, but %s is running", m->name, m->release,
		      release);
		note(nowhere, "build it for this one with: ktap -r %s", release);
		note(nowhere, "or try it on that one with: ktap --vm=%s", m->release);
		return false;
	}
	return true;
}

bool load_check(const struct loader_sys *sys, const struct image *m)
{
	if (!load_check_kernel(sys, m))
		return false;
	if (!sys->may_load()) {
		error(nowhere, DIAG_RUN, "loading a module needs root (the capability CAP_SYS_MODULE)");
		note(nowhere, "run it with sudo, or try the script in a virtual machine with: ktap --vm");
		return false;
	}
	return true;
}

/* Distributions give one release name to many builds, whose addresses differ. */
bool load_check_build(const struct loader_sys *sys, const char *name, const char *build_id)
{
	char running[BUILD_ID_SIZE] = "";

	if (!build_id[0] || !load_running_build_id(sys, running) || !strcmp(running, build_id))
		return true;
	error(nowhere, DIAG_RUN, "the addresses in module '%s' are those of another build of this kernel", name);
	note(nowhere, "build-id in the module %s, of the running kernel %s", build_id, running);
	note(nowhere, "bring kernel, headers and debuginfo to the same version, reboot if need be, and build it again");
	return false;
}

/* A module always has notes, so a directory of notes without the build-id's is that of a module without one. */
bool load_check_module(const struct loader_sys *sys, const char *module, const char *build_id)
{
	_cleanup_free_ char *notes = sys_path(sys, "/sys/module/%s/notes", module);
	_cleanup_free_ char *path = sys_path(sys, "/sys/module/%s/notes/.note.gnu.build-id", module);
	char loaded[BUILD_ID_SIZE] = "none";

	if (access(notes, F_OK) || (!read_build_id(path, loaded) && access(path, F_OK) == 0) || !strcmp(loaded, build_id))
		return true;
	error(nowhere, DIAG_RUN, "the module '%s' that is loaded is another build than the script was compiled for", module);
	note(nowhere, "build-id of the loaded module %s, of the file that the script was compiled with %s", loaded, build_id);
	note(nowhere, "load the file that was built last (rmmod %s, insmod), or compile the script with the file that is loaded", module);
	return false;
}

/* ---- in ---- */

static bool is_ours(const struct loader_sys *sys, const char *name)
{
	_cleanup_free_ char *path = sys_path(sys, "/sys/module/%s/parameters/ktap_state", name);

	return access(path, F_OK) == 0;
}

static void say_removed(const char *name)
{
	if (!diag_process()->no_warnings)
		fprintf(stderr, "ktaprun: removed module '%s', which a killed session had left\n", name);
}

/* Does module NAME have the session state STATE? */
static bool is_state(const struct loader_sys *sys, const char *name, const char *state)
{
	_cleanup_free_ char *path = xasprintf("/sys/module/%s/parameters/ktap_state", name);
	_cleanup_free_ char *found = sys_read_line(sys, path);

	return found && !strcmp(found, state);
}

static bool is_ending(const struct loader_sys *sys, const char *name)
{
	return is_state(sys, name, "stopping") || is_state(sys, name, "stopped");
}

/* Reports that the kernel could not let go of the probes of module NAME, so that it stays loaded, if that is so. */
static bool report_stays(const struct loader_sys *sys, const char *name)
{
	if (!is_state(sys, name, "stays"))
		return false;
	error(nowhere, DIAG_RUN, "cannot remove module '%s': it stays loaded until the next boot, because the kernel does not let go of "
	      "its probes", name);
	note(nowhere, "dmesg says what is wrong in the kernel; other sessions may be refused too");
	return true;
}

/* Lets others have the lock for a moment: a session ends under it. */
static void wait_unlocked(int lock)
{
	if (lock >= 0)
		flock(lock, LOCK_UN);
	usleep(REMOVE_WAIT_US);
	if (lock >= 0)
		flock(lock, LOCK_EX);
}

/* Waits until the session that has the name of M is over, and removes what it left when its reader was killed. */
static void wait_for_ending(const struct loader_sys *sys, const char *name, int lock)
{
	for (int i = 0; i < ENDING_TRIES && is_ending(sys, name); i++) {
		if (sys->delete_module(name, O_NONBLOCK) == 0) {
			say_removed(name);
			return;
		}
		if (i == ENDING_SAY)
			fprintf(stderr, "ktaprun: waiting for an earlier session of module '%s' to end\n", name);
		wait_unlocked(lock);
	}
}

/* Loads M under the first free name that begins like its own. 0 or an errno. */
static int load_renamed(const struct loader_sys *sys, struct image *m, const char *params, bool verbose)
{
	int err = EEXIST;

	for (int i = 2; (err == EEXIST || err == EBUSY) && i <= SAME_NAME_MAX; i++) {
		_cleanup_free_ char *name = xasprintf("%.*s_%d", (int)sizeof(m->name) - 12, m->name, i);
		_cleanup_free_ char *copy = NULL;
		size_t len;

		/* The kernel reads a whole module before it refuses its name. */
		if (is_ours(sys, name))
			continue;
		copy = image_renamed(m, name, &len);
		if (!copy)
			break;
		if (sys->init_module(copy, len, params) < 0) {
			err = errno;
			continue;
		}
		if (verbose)
			fprintf(stderr, "ktaprun: the name '%s' is taken, this session is module '%s'\n", m->name, name);
		snprintf(m->name, sizeof(m->name), "%s", name);
		return 0;
	}
	return err;
}

/* Is a module of this name loaded, a session's or another, and not on its way in or out? */
static bool is_live(const struct loader_sys *sys, const char *name)
{
	_cleanup_free_ char *path = xasprintf("/sys/module/%s/initstate", name);
	_cleanup_free_ char *state = sys_read_line(sys, path);

	return state && !strcmp(state, "live");
}

/* Loads M under its own name. While the kernel removes a module of that name it says EBUSY, or EEXIST with no live module to be seen. 0
 * or an errno. */
static int load_own(const struct loader_sys *sys, const struct image *m, const char *params)
{
	int err, tries = REMOVE_TRIES;

	for (;;) {
		err = sys->finit_module(m->fd, params, 0) < 0 ? errno : 0;
		if ((err != EBUSY && (err != EEXIST || is_live(sys, m->name))) || !--tries)
			return err;
		usleep(REMOVE_WAIT_US);
	}
}

bool load_module(const struct loader_sys *sys, struct image *m, const char *params, int lock, bool verbose)
{
	int err = load_own(sys, m, params);

	/* The other session may end at any moment: whether it is still there would prove nothing. */
	if (err == EEXIST) {
		wait_for_ending(sys, m->name, lock);
		err = load_own(sys, m, params);
	}
	if (err == EEXIST) {
		err = load_renamed(sys, m, params, verbose);
		if (err && err != EEXIST && m->signature) {
			error(nowhere, DIAG_RUN, "cannot load module '%s': a session of this name is running, and without its "
			      "signature, which a new name would break, the kernel refuses it: %s", m->name, strerror(err));
			note(nowhere, "build it under another name with: ktap -m NAME --sign-module=KEY,CERT");
			return false;
		}
	}
	if (!err)
		return true;
	error(nowhere, DIAG_RUN, "cannot load module '%s': %s", m->name, strerror(err));
	refusal_explain(sys, m, err);
	return false;
}

/* ---- out ---- */

/* Users of a module, from its line in /proc/modules: -1 when it is not loaded. */
static int users_of(const struct loader_sys *sys, const char *name)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/modules");
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	char line[1024], found[64];
	int users;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %*u %d", found, &users) == 2 && !strcmp(found, name))
			return users;
	return -1;
}

bool load_remove(const struct loader_sys *sys, const char *name)
{
	for (int i = 0; sys->delete_module(name, O_NONBLOCK) < 0; i++) {
		int err = errno;
		bool busy = err == EAGAIN || err == EBUSY;

		if (err == ENOENT)
			return true;
		if (err == ENOSYS) {
			warning(nowhere, DIAG_NO_FEATURE, "module '%s' stays loaded until the next boot: this kernel was built "
				"without CONFIG_MODULE_UNLOAD", name);
			return true;
		}
		if (busy && report_stays(sys, name))
			return false;
		if (!busy || i == REMOVE_TRIES) {
			error(nowhere, DIAG_RUN, "cannot remove module '%s': %s", name, strerror(err));
			note(nowhere, "try again later with: ktaprun -d %s", name);
			return false;
		}
		usleep(REMOVE_WAIT_US);
	}
	return true;
}

/* Modules of ours that nobody holds, as a list of names separated by blanks. */
static void find_stale(const struct loader_sys *sys, struct text *ret)
{
	_cleanup_free_ char *path = sys_path(sys, "/proc/modules");
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	char line[1024], name[64];
	int users;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %*u %d", name, &users) == 2 && users == 0 && is_ours(sys, name))
			text_printf(ret, "%s ", name);
}

int load_sweep(const struct loader_sys *sys)
{
	struct text stale = { 0 };
	char *save = NULL;
	int n = 0;

	find_stale(sys, &stale);
	for (char *name = stale.buf ? strtok_r(stale.buf, " ", &save) : NULL; name; name = strtok_r(NULL, " ", &save)) {
		if (sys->delete_module(name, O_NONBLOCK) < 0)
			continue;
		n++;
		say_removed(name);
	}
	text_deinit(&stale);
	return n;
}

bool load_delete(const struct loader_sys *sys, const char *name)
{
	bool all = !strcmp(name, "*"), ok = true;
	int lock, users;

	if (!sys->may_load())
		return error(nowhere, DIAG_RUN, "removing a module needs root (the capability CAP_SYS_MODULE)");
	lock = load_lock(sys);
	users = all ? 0 : users_of(sys, name);
	if (all) {
		load_sweep(sys);
	} else if (users < 0) {
		ok = error(nowhere, DIAG_RUN, "no module '%s' is loaded", name);
	} else if (!is_ours(sys, name)) {
		ok = error(nowhere, DIAG_RUN, "module '%s' is not one of ktap's", name);
	} else if (report_stays(sys, name)) {
		ok = false;
	} else if (users > 0) {
		ok = error(nowhere, DIAG_RUN, "module '%s' is in use: its session is still running", name);
		note(nowhere, "end that session with Ctrl-C or a signal to its ktaprun");
	} else {
		ok = load_remove(sys, name);
	}
	load_unlock(lock);
	return ok;
}
