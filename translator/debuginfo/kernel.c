/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel is meant, and where its files are: build tree, DWARF, boot image, configuration.
 *
 * Nothing is opened that is not asked for: finding a kernel costs some access() calls.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/text.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/target.h"
#include "translator/platform/kernels.h"
#include "translator/machine/machine.h"

/* Where distributions put a file of release %s; the first that exists wins. Those of vmlinux: paths.c. */
static const char *const system_map_paths[] = {
	"/usr/lib/debug/boot/System.map-%s", "/usr/lib/debug/lib/modules/%s/System.map", "/boot/System.map-%s",
	"/lib/modules/%s/System.map", "/lib/modules/%s/build/System.map", NULL,
};
static const char *const build_paths[] = {
	"/lib/modules/%s/build", "/usr/lib/modules/%s/build", "/usr/src/linux-headers-%s",
	"/usr/src/kernels/%s", NULL,
};
static const char *const config_paths[] = {
	"/boot/config-%s", "/lib/modules/%s/config", "/lib/modules/%s/build/.config",
	"/usr/src/linux-headers-%s/.config", NULL,
};

/* Debian ships a one-line System.map in place of the real one. */
enum { SYSTEM_MAP_MIN = 4096 };

/* FMT with its one %s replaced. Not printf: the formats come from the tables above. */
static const char *path_of(const char *fmt, const char *release)
{
	const char *at = strstr(fmt, "%s");

	return system_path("%.*s%s%s", (int)(at - fmt), fmt, release, at + 2);
}

/* The first of PATHS that can be read, NULL: none. */
static const char *first_existing(const char *const *paths, const char *release)
{
	for (; *paths; paths++) {
		const char *path = path_of(*paths, release);

		if (!access(path, R_OK))
			return path;
	}
	return NULL;
}

/* Headers packages may carry a vmlinux that holds BTF alone. One that there is no memory for is taken, and reported when it is opened. */
static bool has_dwarf(const char *path)
{
	struct elf_file *e = elf_open(path);
	const void *p;
	size_t size;
	bool yes = e ? elf_section(e, ".debug_info", &p, &size) : errno == ENOMEM;

	elf_close(e);
	return yes;
}

static const char *in_dir(const char *dir, const char *name)
{
	const char *path = arena_printf(&program_arena, "%s/%s", dir, name);

	return access(path, R_OK) ? NULL : path;
}

/* The one-line file PATH without its newline, NULL: unreadable. */
static const char *read_line(const char *path)
{
	_cleanup_text_ struct text t = {};
	const char *s = NULL;

	if (text_read_file(&t, path) && t.len) {
		size_t n = strcspn(text_str(&t), "\n");

		s = n && n < NAME_MAX ? arena_strndup(&program_arena, text_str(&t), n) : NULL;
	}
	return s;
}

/* `#define UTS_RELEASE "..."`: headers packages have this file, not always include/config/kernel.release. */
static const char *release_of_header(const char *dir)
{
	const char *line = read_line(arena_printf(&program_arena, "%s/include/generated/utsrelease.h", dir));
	const char *quote = line ? strchr(line, '"') : NULL;

	return quote ? arena_strndup(&program_arena, quote + 1, strcspn(quote + 1, "\"")) : NULL;
}

/* Modules get the header's. Debian 12's kernel.release is another, "6.1.192". */
static const char *release_of_dir(const char *dir)
{
	const char *r = release_of_header(dir);

	return r ? r : read_line(arena_printf(&program_arena, "%s/include/config/kernel.release", dir));
}

/* The build-id of the kernel that runs now. */
const char *kernel_running_build_id(void)
{
	_cleanup_text_ struct text t = {};
	const char *id = NULL;

	if (text_read_file(&t, "/sys/kernel/notes"))
		id = elf_build_id_of_notes(text_str(&t), t.len);
	return id;
}

const char *kernel_banner(const struct kernel *k)
{
	enum { SETUP_MAGIC = 0x202, VERSION_POINTER = 0x20e, SETUP_SIZE = 0x200, HEAD = 0x8000 };
	_cleanup_fclose_ FILE *f = k->vmlinuz ? fopen(k->vmlinuz, "re") : NULL;
	_cleanup_free_ unsigned char *head = NULL;
	size_t n, at;

	if (!f)
		return NULL;
	head = xmalloc(HEAD + 1);
	n = fread(head, 1, HEAD, f);
	head[n] = 0;
	if (n < SETUP_SIZE + 0x20 || memcmp(head + SETUP_MAGIC, "HdrS", 4))
		return NULL;
	at = head[VERSION_POINTER] + 256u * head[VERSION_POINTER + 1] + SETUP_SIZE;
	return at < n ? arena_strdup(&program_arena, (char *)head + at) : NULL;
}

/* NAME without ".debug", which SUSE appends to the release. */
static const char *release_of_debug(const char *name)
{
	size_t len = strlen(name), end = strlen(".debug");

	return arena_strndup(&program_arena, name, len > end && !strcmp(name + len - end, ".debug") ? len - end : len);
}

/* Releases that have a build tree, a debugging kernel or a boot image here. */
static void note_installed(struct reports *r, const char *wanted)
{
	static const char *const globs[] = { "/lib/modules/*", "/usr/lib/debug/boot/vmlinux-*" };
	struct nearest near = { .word = wanted };
	_cleanup_text_ struct text t = {};
	glob_t g = {};

	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++) {
		if (glob(globs[i], 0, NULL, &g))
			continue;
		for (size_t k = 0; k < g.gl_pathc; k++) {
			const char *name = strrchr(g.gl_pathv[k], '/') + 1;

			if (!strncmp(name, "vmlinux-", 8))
				name = release_of_debug(name + 8);
			if (t.len && strstr(text_str(&t), name))
				continue;
			text_printf(&t, "%s%s", t.len ? ", " : "", name);
			nearest_add(&near, arena_strdup(&program_arena, name));
		}
		globfree(&g);
	}
	if (nearest_get(&near))
		note(diag_nowhere(r), "did you mean -r %s?", nearest_get(&near));
	if (t.len)
		note(diag_nowhere(r), "installed here: %s; choose with -r RELEASE or KTAP_RELEASE",
		     text_str(&t));
}

/* A build tree's own files come before the installed ones of its release. */
static void find_files(struct kernel *k)
{
	const char *r = k->release, *dir = k->build_dir;

	k->vmlinux = dir ? in_dir(dir, "vmlinux") : NULL;
	if (k->vmlinux && !has_dwarf(k->vmlinux))
		k->vmlinux = NULL;
	for (const char *const *p = vmlinux_paths; *p && !k->vmlinux; p++) {
		const char *path;

		for (unsigned i = 0; !k->vmlinux && (path = debug_place(path_of(*p, r), i)); i++)
			if (!access(path, R_OK) && has_dwarf(path))
				k->vmlinux = path;
	}
	if (dir && k->machine->image)
		k->vmlinuz = in_dir(dir, k->machine->image);
	if (!k->vmlinuz)
		k->vmlinuz = kernel_image(r);
	k->system_map = dir ? in_dir(dir, "System.map") : NULL;
	for (const char *const *p = system_map_paths; *p && !k->system_map; p++) {
		const char *path;
		struct stat st;

		for (unsigned i = 0; !k->system_map && (path = debug_place(path_of(*p, r), i)); i++)
			if (!stat(path, &st) && st.st_size > SYSTEM_MAP_MIN && !access(path, R_OK))
				k->system_map = path;
	}
}

const char *kernel_unreadable_map(const struct kernel *k)
{
	for (const char *const *p = system_map_paths; *p && !k->system_map; p++) {
		const char *path = path_of(*p, k->release);
		struct stat st;

		if (!stat(path, &st) && st.st_size > SYSTEM_MAP_MIN && access(path, R_OK) && errno == EACCES)
			return path;
	}
	return NULL;
}

void kernel_note_unreadable(const struct kernel *k, struct reports *r)
{
	const char *image = k->vmlinuz ? NULL : kernel_unreadable_image(k->release), *map = kernel_unreadable_map(k);

	if (image)
		permission_note(r, image);
	if (map)
		permission_note(r, map);
}

/* /usr/lib/debug/.build-id/xx/yyyy.debug */
static const char *vmlinux_of_build_id(const char *id)
{
	const char *path, *place;

	if (!id || strlen(id) < 3)
		return NULL;
	path = arena_printf(&program_arena, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	for (unsigned i = 0; (place = debug_place(path, i)); i++)
		if (!access(place, R_OK))
			return place;
	return NULL;
}

/* A kernel of which neither configuration nor modules are here counts as one of this machine. */
static const struct machine *machine_of(const struct kernel *k)
{
	const struct machine *m;

	for (unsigned i = 0; (m = machine_at(i)); i++)
		if (kernel_config(k, m->config))
			return m;
	m = kernel_machine(k->release);
	return m ? m : machine_host();
}

/* WHAT is a release, or a build tree when it holds a slash. */
static const struct kernel *find(struct reports *r, const char *what, const struct utsname *uts, bool running)
{
	struct kernel *k = arena_new(&program_arena, struct kernel);

	k->kept = arena_new(&program_arena, struct kernel_kept);
	if (strchr(what, '/')) {
		_cleanup_free_ char *dir = realpath(what, NULL);

		if (!dir) {
			error(diag_nowhere(r), DIAG_NO_KERNEL, "build tree '%s': %s", what, strerror(errno));
			return NULL;
		}
		k->build_dir = arena_strdup(&program_arena, dir);
		k->release = release_of_dir(k->build_dir);
		if (!k->release) {
			error(diag_nowhere(r), DIAG_NO_KERNEL, "'%s' is no configured kernel build tree", what);
			note(diag_nowhere(r), "include/config/kernel.release is missing; run `make modules_prepare` there");
			return NULL;
		}
	} else {
		k->release = arena_strdup(&program_arena, what);
		k->build_dir = first_existing(build_paths, what);
	}
	k->machine = machine_of(k);
	find_files(k);
	if (!strcmp(k->release, uts->release))
		k->build_id = kernel_running_build_id();
	if (!k->vmlinux)
		k->vmlinux = vmlinux_of_build_id(k->build_id);
	if (k->build_dir || k->vmlinux || k->vmlinuz)
		return k;
	error(diag_nowhere(r), DIAG_NO_KERNEL, "%s kernel '%s' has no headers, debugging information or %simage here",
	      running ? "the running" : "the", k->release, kernel_unreadable_image(k->release) ? "readable " : "");
	kernel_note_unreadable(k, r);
	if (running || kernel_modules_dir(k->release))
		package_note(r, PACKAGE_HEADERS, k->release, "the headers of that kernel");
	else
		package_list_note(r, k->release);
	note_installed(r, k->release);
	return NULL;
}

/* Many ask, in one run for one kernel: the answer, and the report of a failure, are given once. */
const struct kernel *kernel_find(struct reports *r, const char *what)
{
	static struct memo {
		const char *what;
		const struct kernel *kernel;
		struct memo *next;
	} *memos;
	const struct reports *reports = diag_reports(diag_nowhere(r));
	const int reported = reports->reported;
	struct utsname uts;
	bool running;

	if (!what || !*what)
		what = getenv("KTAP_RELEASE");
	if (uname(&uts)) {
		error(diag_nowhere(r), DIAG_NO_KERNEL, "uname: %s", strerror(errno));
		return NULL;
	}
	running = !what || !*what;
	if (running)
		what = uts.release;
	for (struct memo *m = memos; m; m = m->next)
		if (!strcmp(m->what, what))
			return m->kernel;
	memos = memcpy(arena_new(&program_arena, struct memo),
		       &(struct memo){ arena_strdup(&program_arena, what), NULL, memos }, sizeof(*memos));
	memos->kernel = find(r, what, &uts, running);
	if (memos->kernel || reports->reported > reported)
		return memos->kernel;
	/* A failure that nobody has read about is found again. */
	memos = memos->next;
	return NULL;
}

/* ---- configuration ---- */
/* The configuration of K, read once; empty: there is none. */
static const struct text *config_text(const struct kernel *k)
{
	struct text *t = &k->kept->config;
	const char *path;

	if (k->kept->config_read)
		return t;
	k->kept->config_read = true;
	/* A newline in front, so that every name follows one. */
	path = k->build_dir ? in_dir(k->build_dir, ".config") : NULL;
	if (!path)
		path = first_existing(config_paths, k->release);
	if (path) {
		_cleanup_text_ struct text body = {};

		text_puts(t, "\n");
		if (text_read_file(&body, path))
			text_append(t, text_str(&body), body.len);
	}
	return t;
}

const char *kernel_config(const struct kernel *k, const char *name)
{
	const struct text *t = config_text(k);
	_cleanup_free_ char *key = xasprintf("\n%s%s=", strncmp(name, "CONFIG_", 7) ? "CONFIG_" : "", name);
	const char *s = strstr(text_str(t), key);
	size_t n;

	if (!s)
		return NULL;
	s += strlen(key);
	n = strcspn(s, "\n");
	if (n >= 2 && s[0] == '"' && s[n - 1] == '"') {
		s++;
		n -= 2;
	}
	return arena_strndup(&program_arena, s, n);
}

long kernel_hz(const struct kernel *k)
{
	const char *text = kernel_config(k, "CONFIG_HZ");
	long hz = text ? strtol(text, NULL, 10) : 0;

	return hz > 0 ? hz : 0;
}
