/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes tables of user objects, and of the lines of the kernel, and hands them to the module. Which file a process has mapped
 * is asked of /proc: by way of
 * map_files it is that very file, in whatever mount namespace, replaced or deleted.
 */
#include "runtime/loader/stacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/diag.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "lib/trust.h"
#include "runtime/loader/kernel.h"
#include "runtime/loader/maps.h"
#include "runtime/loader/object.h"
#include "runtime/loader/program.h"
#include "runtime/loader/reading.h"

/* Objects that stacks meet may take this many seconds, and one part in so many of the session's time. What is passed over is reported again
 * after a second. */
static const double BURST = 2, SHARE = 10;

/* One object may take so many seconds, and all that are read before the start together. */
static const double OBJECT_SECONDS = 20, START_SECONDS = 60;

/* The list of a process's mappings may take so many. */
static const double MAPS_SECONDS = 2;

/* ---- objects without tables ---- */

/* There is space: see stacks_met(). */
static struct met *add_met(struct stacks *s, enum met_end end, const char *name)
{
	if (!s->met)
		s->met = xmalloc(MET_MAX * sizeof(*s->met));
	s->met[s->n_met] = (struct met){ .name = xstrdup(name), .end = end };
	return &s->met[s->n_met++];
}

/* ---- one object ---- */

/* Sends the tables O (consumed) of the object PATH to the module; WRONG: the reason when there are none. Returns NULL, or the reason why the
 * module has none. */
static const char *give_tables(struct stacks *s, struct object *o, struct kt_object request, const char *path, const char *wrong)
{
	int err = 0;

	if (!wrong) {
		request.block = (kt_u64)(unsigned long)o->block;
		request.size = o->size;
		err = control_ask(s->control, KT_IOC_OBJECT, &request) < 0 ? errno : 0;
		wrong = err ? strerror(err) : NULL;
	}
	if (!wrong)
		s->n_objects++;
	if (s->verbose && err != EEXIST) {
		_cleanup_text_ struct text t = { 0 };

		text_printf(&t, "ktaprun: tables of '%s': %s%.0f KB, %zu functions without\n", path, wrong ? wrong : "",
			    wrong ? 0.0 : (double)o->size / 1024, wrong ? (size_t)0 : o->dropped);
		text_clean(&t);
		fputs(text_str(&t), stderr);
	}
	object_deinit(o);
	return err == EEXIST ? NULL : wrong;
}

/* Those of the vdso. */
static void give_vdso(struct stacks *s)
{
	struct object o;
	const char *wrong = object_read_vdso(&o);

	give_tables(s, &o, (struct kt_object){ .fd = KT_OBJECT_VDSO }, "vdso", wrong);
}

/* Those of the file that is opened by PATH and called NAME. *WRONG: why it got none. False: it could not even be opened. */
static bool give(struct stacks *s, const char *path, const char *name, const char **wrong)
{
	const struct reading r = { path, name, s->lines };
	_cleanup_close_ int fd = -1;
	struct object o;

	*wrong = reading_make(&o, &r, &s->libraries, &s->limits, &fd);
	if (o.partial && s->n_met < MET_MAX)
		add_met(s, MET_PARTLY, name);
	*wrong = give_tables(s, &o, (struct kt_object){ .fd = fd }, name, *wrong);
	return fd >= 0;
}

/* Before the start: those of an object that the script, the command or the target names. All together may take START_SECONDS; the rest get
 * theirs when a stack meets them. */
static void give_early(struct stacks *s, const char *path, const char *name)
{
	const char *wrong;
	double began = clock_seconds();

	if (s->early_seconds < START_SECONDS && !(s->limits.over && s->limits.over(s->limits.data)))
		give(s, path, name, &wrong);
	s->early_seconds += clock_seconds() - began;
}

static bool give_path(struct stacks *s, const char *path)
{
	_cleanup_free_ char *full = realpath(path, NULL); /* what the kernel calls it in /proc/PID/maps */

	if (full)
		give_early(s, full, full);
	return full;
}

/* ---- libraries ---- */

/* Returns whether LOADER is the system's dynamic loader: another one is not to be run by us. */
static bool is_system_loader(const char *loader)
{
	return loader && !strstr(loader, "..") && (!strncmp(loader, "/lib", 4) || !strncmp(loader, "/usr/lib", 8));
}

/* Can nobody else choose the code that the dynamic loader runs while it lists the libraries of PATH? A program names libraries that
 * watch its loading (DT_AUDIT), and its segments may lie where the loader itself does. COMMAND, or NULL, is run anyway. */
static bool may_list(const char *path, const char *command)
{
	_cleanup_close_ int fd = -1;
	struct stat st, own;
	const char *why;

	if (command && !stat(path, &st) && !stat(command, &own) && st.st_dev == own.st_dev && st.st_ino == own.st_ino)
		return true;
	fd = trust_open(path, &why);
	if (fd >= 0)
		return true;
	warning(nowhere, DIAG_UNTRUSTED, "--ldd: the libraries of '%s' are not looked for: %s", path, why);
	note(nowhere, "to look for them runs code that the program chooses; name each library with -d instead");
	return false;
}

/* Tables of the libraries that PATH is linked to, as the dynamic loader itself finds them: "name => path (address)". */
static void give_libraries(struct stacks *s, const char *path)
{
	struct program_head program;
	_cleanup_text_ struct text out = { 0 };
	char *save = NULL;

	if (program_head_read(&program, path, &s->limits) || !is_system_loader(program.interpreter) ||
	    proc_run(&(struct proc){ .argv = (const char *const[]){ program.interpreter, "--list", path, NULL }, .out = &out }))
		goto out;
	for (char *line = strtok_r(out.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *file = strchr(line, '/'), *end = file ? strstr(file, " (") : NULL;

		if (!end)
			continue;
		*end = 0;
		/* the loader itself: "/lib64/ld.so (0x...)", or "/lib64/ld.so => /usr/lib/ld.so (0x...)" */
		end = strstr(file, " => ");
		give_path(s, end ? end + 4 : file);
	}
out:
	program_head_close(&program);
}

/* ---- the command, the target ---- */

/* The program that a command line runs, where it is plain to see. To be freed; NULL: it is not. */
static char *find_command(const char *line)
{
	const char *word = line + strspn(line, " \t"), *dirs = getenv("PATH");
	size_t len = strcspn(word, " \t\n;|&<>()$`\\\"'");

	if (!len)
		return NULL;
	if (memchr(word, '/', len))
		return xasprintf("%.*s", (int)len, word);
	for (const char *d = dirs ? dirs : "/usr/bin:/bin"; *d;) {
		size_t n = strcspn(d, ":");
		char *path = xasprintf("%.*s/%.*s", (int)n, d, (int)len, word);

		if (!access(path, X_OK))
			return path;
		free(path);
		d += n + (d[n] == ':');
	}
	return NULL;
}

/* Opens the maps of process PID. Returns NULL, or the reason of a failure. */
static const char *open_maps(struct stacks *s, kt_s64 pid, struct maps *ret)
{
	_cleanup_free_ char *path = sys_path(s->control->sys, "/proc/%lld/maps", pid);
	struct apart_limits limits = s->limits;

	limits.seconds = MAPS_SECONDS;
	return maps_open(ret, path, &s->libraries, &limits);
}

/* The path by which the file of M in process PID can be opened, whatever became of its name. To be freed. */
static char *mapping_link(const struct stacks *s, kt_s64 pid, const struct mapping *m)
{
	return sys_path(s->control->sys, "/proc/%lld/map_files/%lx-%lx", pid, m->start, m->end);
}

static void give_target(struct stacks *s, int pid)
{
	const char *wrong;
	struct mapping m;
	struct maps maps;

	wrong = open_maps(s, pid, &maps);
	if (wrong)
		warning(nowhere, DIAG_RUN, "stacks of process %d may lack names: the list of its mappings is unavailable: %s", pid, wrong);
	while (!wrong && maps_next(&maps, &m)) {
		_cleanup_free_ char *link = mapping_link(s, pid, &m);

		give_early(s, link, m.path);
	}
	maps_close(&maps);
}

/* ---- the kernel ---- */

static bool give_module(struct stacks *s, const char *name)
{
	struct object o;
	const char *wrong = kernel_read_module(&o, s->control, name, &s->libraries, &s->kernel_limits);

	return !give_tables(s, &o, (struct kt_object){ .fd = KT_OBJECT_MODULE }, name, wrong);
}

static void give_each_module(void *data, const char *name)
{
	give_module(data, name);
}

static void give_kernel(struct stacks *s)
{
	struct kt_object request = { .fd = KT_OBJECT_KERNEL };
	struct object o;

	s->no_kernel = kernel_read(&o, s->control->sys, &s->libraries, &s->kernel_limits);
	request.anchor = o.anchor;
	if (give_tables(s, &o, request, "kernel", s->no_kernel) && !s->no_kernel)
		s->no_kernel = "the session did not take them";
	kernel_each_module(s->control->sys, give_each_module, s);
}

/* ---- the session's side ---- */

void stacks_init(struct stacks *s, struct control *c, const char *command, int target, bool verbose, bool (*over)(void *data), void *data)
{
	_cleanup_free_ char *own = command ? find_command(command) : NULL;
	bool libraries = c->info.stacks & KT_STACKS_LIBRARIES;

	*s = (struct stacks){
		.control = c, .verbose = verbose, .lines = c->info.stacks & KT_STACKS_LINES,
		.limits = { over, data, OBJECT_SECONDS }, .kernel_limits = { over, data, 0 },
	};
	if (c->info.stacks & KT_STACKS_KERNEL_LINES)
		give_kernel(s);
	if (!(c->info.stacks & KT_STACKS_USER))
		return;
	give_vdso(s);
	for (kt_u32 i = 0; i < c->info.n_objects; i++) {
		const char *path = control_text(c, KT_TEXT_OBJECT, i);

		if (kernel_is_module_file(path, NULL))
			continue;
		give_path(s, path);
		if (libraries && may_list(path, own))
			give_libraries(s, path);
	}
	if (command) {
		if (own && give_path(s, own))
			give_libraries(s, own);
	} else if (target) {
		give_target(s, target);
	}
}

void stacks_deinit(struct stacks *s)
{
	for (int i = 0; i < s->n_met; i++)
		free(s->met[i].name);
	free(s->met);
}

/* ---- what stacks met ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct met *find_met(const struct stacks *s, enum met_end end, const char *name)
{
	for (int i = 0; i < s->n_met; i++)
		if (s->met[i].end == end && !strcmp(s->met[i].name, name))
			return &s->met[i];
	return NULL;
}

static bool was_met(const struct stacks *s, const struct mapping *m)
{
	for (int i = 0; i < s->n_met; i++)
		if (s->met[i].dev == makedev(m->major, m->minor) && s->met[i].ino == m->inode)
			return true;
	return false;
}

/* An object called NAME was met in a process that has ended. It is reported again when another process comes through it. One of a name that
 * was met before is told of already. */
static void meet_gone(struct stacks *s, const char *name)
{
	for (int i = 0; i < s->n_met; i++)
		if (s->met[i].end != MET_NO_LINES && !strcmp(last_part(s->met[i].name), name))
			return;
	/* The child that became the command: nobody misses its stacks. */
	if (strcmp(name, program_invocation_short_name))
		add_met(s, MET_GONE, name);
}

/* The file mapped at M in process PID had no tables. */
static void meet_file(struct stacks *s, kt_s64 pid, const struct mapping *m)
{
	_cleanup_free_ char *link = mapping_link(s, pid, m);
	const char *wrong;
	struct met *met;

	if (was_met(s, m))
		return;
	if (!give(s, link, m->path, &wrong) && wrong) { /* it ends just now */
		meet_gone(s, last_part(m->path));
		return;
	}
	met = find_met(s, MET_GONE, last_part(m->path));
	if (met) {
		free(met->name);
		met->name = xstrdup(m->path);
	} else {
		met = add_met(s, MET_NONE, m->path);
	}
	met->dev = makedev(m->major, m->minor);
	met->ino = m->inode;
	met->why = wrong;
	met->end = wrong ? MET_NONE : MET_GIVEN;
}

static void meet_module(struct stacks *s, const char *name)
{
	if (!find_met(s, MET_NO_LINES, name) && !give_module(s, name))
		add_met(s, MET_NO_LINES, name);
}

static void meet(struct stacks *s, kt_s64 pid, kt_u64 address, const char *name)
{
	const char *wrong;
	struct mapping m;
	struct maps maps;
	bool found = false;

	if (!pid) {
		meet_module(s, name);
		return;
	}
	wrong = open_maps(s, pid, &maps);
	while (!found && maps_next(&maps, &m))
		found = address >= m.start && address < m.end;
	if (found)
		meet_file(s, pid, &m);
	else if (!wrong)
		meet_gone(s, name);
	else if (!find_met(s, MET_NONE, name))
		add_met(s, MET_NONE, name)->why = wrong;
	maps_close(&maps);
}

void stacks_met(struct stacks *s, kt_s64 pid, kt_u64 address, const char *name)
{
	double began = clock_seconds();

	if (!s->met_since)
		s->met_since = began;
	if (s->met_seconds > BURST + (began - s->met_since) / SHARE || s->n_met == MET_MAX) {
		s->passed_over++;
		return;
	}
	meet(s, pid, address, name);
	s->met_seconds += clock_seconds() - began;
}
