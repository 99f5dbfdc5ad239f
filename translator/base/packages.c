/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of packages by distribution, which os-release(5) names.
 *
 * In a name %r is the release or version asked for, %f the flavor that ends the release ("6.4.0-9-default": default), %g that
 * with a hyphen, or nothing where the last word is a number ("6.9.1-arch1-1").
 */
#include "translator/base/packages.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"
#include "translator/base/kernels.h"
#include "translator/base/paths.h"
#include "translator/base/text.h"

/* The first row that fits the system counts. */
static const struct distribution {
	const char *id;      /* ID of os-release, or a word of ID_LIKE */
	const char *version; /* VERSION_ID; NULL: any */
	const char *install;
	const char *names[PACKAGE_COUNT]; /* with a blank in front: another command */
} distributions[] = {
#define DEBIAN "linux-headers-%r", "linux-image-%r-dbg", "linux-image-cloud-amd64 linux-headers-cloud-amd64", \
	"linux-image-%r", "qemu-system-x86"
#define DEBIAN_TOOLS "libdebuginfod1", "gcc-%r", "make", "binutils", "gcc-%r", "qemu-system-arm"
	{ "debian", "12", "apt-get install", { DEBIAN, "qemu-system-common", DEBIAN_TOOLS } },
	{ "ubuntu", NULL, "apt-get install", { "linux-headers-%r", "linux-image-%r-dbgsym", "linux-image-virtual linux-headers-virtual",
		"linux-image-%r", "qemu-system-x86", "virtiofsd", DEBIAN_TOOLS } },
	{ "debian", NULL, "apt-get install", { DEBIAN, "virtiofsd", DEBIAN_TOOLS } },
#undef DEBIAN_TOOLS
#undef DEBIAN
	{ "fedora", NULL, "dnf install", { "kernel-devel-%r", " dnf debuginfo-install kernel-%r", "kernel-core kernel-devel",
		"kernel-core-%r", "qemu-kvm", "virtiofsd", "elfutils-debuginfod-client", "gcc", "make", "binutils", "gcc-%r", "qemu-system-aarch64" } },
	{ "suse", NULL, "zypper install", { "kernel-%f-devel", "kernel-%f-debuginfo", "kernel-default kernel-default-devel",
		NULL, "qemu-x86", "virtiofsd", "libdebuginfod1", "gcc%r", "make", "binutils", NULL, "qemu-arm" } },
	{ "arch", NULL, "pacman -S", { "linux%g-headers", NULL, "linux linux-headers", NULL, "qemu-base", "virtiofsd", "debuginfod",
		"gcc", "make", "binutils", "%r-gcc", "qemu-system-aarch64" } },
	{ "alpine", NULL, "apk add", { "linux%g-dev", NULL, "linux-virt linux-virt-dev", NULL, "qemu-system-x86_64", "virtiofsd",
		"libdebuginfod", "gcc", "make", "binutils", NULL, "qemu-system-aarch64" } },
};

/* The value of KEY in the os-release TEXT, without quotes, or "". */
static const char *value_of(const char *text, const char *key)
{
	const char *at = strstr(text, arena_printf(&program_arena, "\n%s=", key));

	if (!at)
		return "";
	at += strlen(key) + 2;
	at += *at == '"' || *at == '\'';
	return arena_strndup(&program_arena, at, strcspn(at, "\"'\n"));
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += len)
		if ((at == list || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

static const struct distribution *distribution(void)
{
	static const char *const places[] = { "/etc/os-release", "/usr/lib/os-release", NULL };
	struct text t = { 0 };
	const char *ids, *version;

	for (const char *const *p = places; *p && !t.len; p++) {
		struct text body = { 0 };

		text_read_file(&body, system_path("%s", *p));
		if (body.len)
			text_printf(&t, "\n%s", text_str(&body));
		text_deinit(&body);
	}
	ids = arena_printf(&program_arena, "%s %s", value_of(text_str(&t), "ID"), value_of(text_str(&t), "ID_LIKE"));
	version = value_of(text_str(&t), "VERSION_ID");
	text_deinit(&t);
	for (size_t i = 0; i < sizeof(distributions) / sizeof(distributions[0]); i++) {
		const struct distribution *d = &distributions[i];

		if (has_word(ids, d->id) && (!d->version || !strcmp(d->version, version)))
			return d;
	}
	return NULL;
}

/* NAME with WHAT in it. */
static const char *fill(const char *name, const char *what)
{
	const char *last = strrchr(what, '-'), *flavor = last && isalpha((unsigned char)last[1]) ? last + 1 : "";
	struct text t = { 0 };
	const char *ret;

	for (const char *at; (at = strchr(name, '%')); name = at + 2) {
		text_append(&t, name, (size_t)(at - name));
		text_printf(&t, "%s%s", at[1] == 'g' && *flavor ? "-" : "", at[1] == 'r' ? what : flavor);
	}
	text_puts(&t, name);
	ret = arena_strdup(&program_arena, text_str(&t));
	text_deinit(&t);
	return ret;
}

const char *root_command(const char *command)
{
	return geteuid() && program_path("sudo") ? arena_printf(&program_arena, "sudo %s", command) : command;
}

const char *package_command(enum package p, const char *what)
{
	const struct distribution *d = distribution();
	const char *name = d ? d->names[p] : NULL;

	if (!name)
		return NULL;
	if (!what && strstr(name, "%r")) /* gcc of any version */
		name = "gcc";
	name = fill(name, what ? what : "");
	return root_command(*name == ' ' ? name + 1 : arena_printf(&program_arena, "%s %s", d->install, name));
}

bool package_is_own_kernel(const char *release)
{
	static const char *const packages[] = { "linux-image", "linux-image-unsigned" };

	if (!kernel_modules_dir(release) || access(system_path("/var/lib/dpkg/info"), F_OK))
		return false;
	for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++)
		if (!access(system_path("/var/lib/dpkg/info/%s-%s.list", packages[i], release), F_OK))
			return false;
	return true;
}

/* Returns how to get P for a kernel that no package installed; NULL: by packages. */
static const char *own_kernel_advice(enum package p, const char *release)
{
	if (!release || (p != PACKAGE_HEADERS && p != PACKAGE_DEBUGINFO) || !package_is_own_kernel(release))
		return NULL;
	return p == PACKAGE_HEADERS ? "run make modules_prepare in its source tree, then: ktap -r TREE SCRIPT" :
				      "build it with CONFIG_DEBUG_INFO_DWARF5=y, then: ktap -r TREE SCRIPT";
}

void package_note(enum package p, const char *what, const char *name)
{
	const char *command = package_command(p, what), *own = own_kernel_advice(p, what);

	if (own)
		note((struct loc){ 0 }, "no package installed kernel %s: %s", what, own);
	else if (command)
		note((struct loc){ 0 }, "install it with: %s", command);
	else
		note((struct loc){ 0 }, "install the package of your distribution that has %s", name);
}
