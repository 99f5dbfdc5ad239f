/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds installed kernels by their modules' directories. */
#include "translator/platform/kernels.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/paths.h"
#include "lib/text.h"
#include "translator/machine/machine.h"

/* Directories that hold one of modules for each release. The second is NixOS'. */
static const char *const module_roots[] = { "/lib/modules", "/run/booted-system/kernel-modules/lib/modules", NULL };

/* Images of release %s, then of its flavour %f, the release's last word (Alpine: vmlinuz-lts), then of any. */
static const char *const image_paths[] = {
	"/boot/vmlinuz-%s", "/lib/modules/%s/vmlinuz", "/usr/lib/modules/%s/vmlinuz", "/lib/modules/%s/Image",
	"/boot/vmlinuz-%f", "/boot/vmlinuz-linux-%f", "/boot/vmlinuz-linux",
	"/run/booted-system/kernel", "/boot/vmlinuz", NULL,
};

/* Offsets in an x86 image: Documentation/arch/x86/boot.rst. */
enum { MAGIC_AT = 0x202, VERSION_AT = 0x20e, VERSION_BASE = 0x200 };

/* Does the x86 boot image PATH say that it is of RELEASE? */
static bool is_image_of(const char *path, const char *release)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char magic[4], version[256] = "";
	uint16_t at = 0;
	size_t len = strlen(release);

	if (fd < 0 || pread(fd, magic, sizeof(magic), MAGIC_AT) != sizeof(magic) || memcmp(magic, "HdrS", sizeof(magic)) ||
	    pread(fd, &at, sizeof(at), VERSION_AT) != sizeof(at) ||
	    pread(fd, version, sizeof(version) - 1, VERSION_BASE + at) < 0)
		return false;
	return !strncmp(version, release, len) && (version[len] == ' ' || !version[len]);
}

/* FORMAT with RELEASE, or its last word, in place of its %s or %f. *NAMED: the path is of this release alone. */
static const char *image_path(const char *format, const char *release, bool *named)
{
	const char *at = strchr(format, '%'), *flavour = strrchr(release, '-');

	*named = at && at[1] == 's';
	if (!at)
		return system_path("%s", format);
	return system_path("%.*s%s%s", (int)(at - format), format,
			    *named ? release : flavour ? flavour + 1 : "", at + 2);
}

const char *kernel_image(const char *release)
{
	for (const char *const *p = image_paths; *p; p++) {
		bool named;
		const char *path = image_path(*p, release, &named);

		if (!access(path, R_OK) && (named || is_image_of(path, release)))
			return path;
	}
	return NULL;
}

const char *kernel_unreadable_image(const char *release)
{
	const char *found = NULL;

	for (const char *const *p = image_paths; *p && !found; p++) {
		bool named;
		const char *path = image_path(*p, release, &named);

		if (named && access(path, R_OK) && errno == EACCES)
			found = path;
	}
	return found && !kernel_image(release) ? found : NULL;
}

const char *kernel_modules_dir(const char *release)
{
	for (const char *const *p = module_roots; *p; p++) {
		const char *dir = system_path("%s/%s", *p, release);
		_cleanup_free_ char *list = xasprintf("%s/modules.dep", dir);

		if (!access(list, R_OK))
			return dir;
	}
	return NULL;
}

const struct machine *kernel_machine(const char *release)
{
	static const char *const lists[] = { "modules.builtin", "modules.dep", NULL };
	static const char below[] = "kernel/arch/";
	const struct machine *found = NULL;

	for (const char *const *list = lists; *list && !found; list++) {
		_cleanup_text_ struct text t = { 0 };
		const char *at;

		if (text_read_file(&t, system_path("/lib/modules/%s/%s", release, *list)) &&
		    (at = strstr(text_str(&t), below)))
			found = machine_of_srcarch(at + strlen(below));
	}
	return found;
}

bool kernel_boots(const char *release)
{
	return kernel_modules_dir(release) && kernel_image(release);
}

bool kernel_boots_for_root(const char *release)
{
	return kernel_modules_dir(release) && kernel_unreadable_image(release);
}

bool kernel_builds(const char *release)
{
	return !access(system_path("/lib/modules/%s/build/Makefile", release), R_OK);
}

/* Calls FN with each installed release that FITS, oldest first. */
static void each_release(bool (*fits)(const char *release), void (*fn)(const char *release, void *arg), void *arg)
{
	for (const char *const *root = module_roots; *root; root++) {
		_cleanup_free_ struct dirent **list = NULL;
		int n = scandir(system_path("%s", *root), &list, NULL, versionsort);

		for (int i = 0; i < n; i++) {
			if (*list[i]->d_name != '.' && fits(list[i]->d_name))
				fn(list[i]->d_name, arg);
			free(list[i]);
		}
	}
}

struct search {
	const char *wanted, *found;
	bool exact;
	bool ours; /* found is of the machine that the script is for */
};

/* A kernel whose machine is unknown counts as one for the target. */
static bool is_for_target(const char *release)
{
	const struct machine *m = kernel_machine(release);

	return !m || m == machine_target();
}

/* Is RELEASE the PREEMPT_RT flavour of the version that FOUND has as well? Whoever wants that one names it. */
static bool is_rt_of(const char *release, const char *found)
{
	const char *rt = strstr(release, "-rt-");

	return rt && found && !strncmp(release, found, (size_t)(rt - release) + 1);
}

static void look_at(const char *release, void *arg)
{
	struct search *s = arg;
	size_t len = s->wanted ? strlen(s->wanted) : 0;
	bool ours;

	if (s->exact || (len && strncmp(release, s->wanted, len)))
		return;
	s->exact = len && !release[len];
	/* "6.1" is not the beginning of 6.12. */
	if (len && isdigit((unsigned char)s->wanted[len - 1]) && isdigit((unsigned char)release[len]))
		return;
	ours = is_for_target(release);
	if (!s->exact && ((!ours && (!len || s->ours)) || (ours == s->ours && is_rt_of(release, s->found))))
		return;
	s->found = intern(release);
	s->ours = ours;
}

const char *kernel_newest(const char *wanted, bool (*fits)(const char *release))
{
	struct search s = { .wanted = wanted };

	each_release(fits, look_at, &s);
	return s.found;
}

const char *kernel_completed(const char *release, bool (*fits)(const char *release))
{
	const char *newest = strchr(release, '/') || kernel_modules_dir(release) ? NULL : kernel_newest(release, fits);

	return newest ? newest : release;
}

const char *kernel_default(const char *running)
{
	return kernel_boots(running) ? intern(running) : kernel_newest(NULL, kernel_boots);
}

static void add_name(const char *release, void *arg)
{
	struct text *t = arg;

	text_printf(t, "%s%s", t->len ? ", " : "", release);
}

const char *kernel_releases(bool (*fits)(const char *release))
{
	struct text t = { 0 };

	each_release(fits, add_name, &t);
	return text_keep(&t);
}
