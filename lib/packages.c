/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of packages by distribution, which os-release(5) names.
 *
 * In a name %r is the release, version or build-id asked for, %b the file with the DWARF of that build-id, %f the flavor that ends the
 * release ("6.4.0-9-default": default), %g that with a hyphen, or nothing where the last word is a number ("6.9.1-arch1-1"), %l a regular
 * expression for the release.
 */
#include "lib/packages.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/text.h"

/* The first row that fits the system counts. */
static const struct distribution {
	const char *id;      /* ID of os-release, or a word of ID_LIKE */
	const char *version; /* VERSION_ID; NULL: any */
	const char *install;              /* with $ in front: by any user */
	const char *debug_archive;        /* has debugging information, and is not configured by default */
	const char *names[PACKAGE_COUNT]; /* with a blank in front: another command; with $, another one by any user */
} distributions[] = {
#define DEBIAN [PACKAGE_HEADERS] = "linux-headers-%r", [PACKAGE_DEBUGINFO] = "linux-image-%r-dbg", \
	[PACKAGE_KERNEL] = "linux-image-cloud-amd64 linux-headers-cloud-amd64", DEBIAN_TOOLS
#define DEBIAN_TOOLS [PACKAGE_LIST] = "$apt-cache search --names-only '^linux-(image|headers)-%l'", [PACKAGE_QEMU] = "qemu-system-x86", \
	[PACKAGE_DEBUGINFOD] = "libdebuginfod1", [PACKAGE_GCC] = "gcc-%r", [PACKAGE_MAKE] = "make", [PACKAGE_LINKER] = "binutils", \
	[PACKAGE_CLANG] = "clang lld", [PACKAGE_CROSS] = "gcc-%r", [PACKAGE_QEMU_ARM] = "qemu-system-arm", \
	[PACKAGE_JSON_C] = "libjson-c-dev", [PACKAGE_NCURSES] = "libncurses-dev", [PACKAGE_LIBCRYPTO] = "libssl-dev", \
	[PACKAGE_PYTHON] = "python3-dev systemtap-sdt-dev"
	{ "debian", "12", "apt-get install", NULL, { DEBIAN, [PACKAGE_VIRTIOFSD] = "qemu-system-common" } },
	{ "ubuntu", NULL, "apt-get install", "http://ddebs.ubuntu.com", { [PACKAGE_HEADERS] = "linux-headers-%r",
		[PACKAGE_DEBUGINFO] = "linux-image-%r-dbgsym", [PACKAGE_KERNEL] = "linux-image-virtual linux-headers-virtual",
		DEBIAN_TOOLS, [PACKAGE_VIRTIOFSD] = "virtiofsd" } },
	{ "debian", NULL, "apt-get install", NULL, { DEBIAN, [PACKAGE_VIRTIOFSD] = "virtiofsd" } },
#undef DEBIAN_TOOLS
#undef DEBIAN
	{ "fedora", NULL, "dnf install", NULL, { [PACKAGE_HEADERS] = "kernel-devel-%r",
		[PACKAGE_DEBUGINFO] = " dnf debuginfo-install kernel-%r", [PACKAGE_KERNEL] = "kernel-core kernel-devel",
		[PACKAGE_LIST] = "$dnf list --showduplicates 'kernel-core-%r*' 'kernel-devel-%r*'", [PACKAGE_QEMU] = "qemu-kvm", [PACKAGE_VIRTIOFSD] = "virtiofsd",
		[PACKAGE_DEBUGINFOD] = "elfutils-debuginfod-client", [PACKAGE_GCC] = "gcc", [PACKAGE_MAKE] = "make",
		[PACKAGE_LINKER] = "binutils", [PACKAGE_CLANG] = "clang lld", [PACKAGE_CROSS] = "gcc-%r",
		[PACKAGE_QEMU_ARM] = "qemu-system-aarch64", [PACKAGE_BUILD_ID] = " dnf --enablerepo='*debug*' install %b",
		[PACKAGE_JSON_C] = "json-c-devel", [PACKAGE_NCURSES] = "ncurses-devel", [PACKAGE_LIBCRYPTO] = "openssl-devel",
		[PACKAGE_PYTHON] = "python3-devel systemtap-sdt-devel" } },
	{ "suse", NULL, "zypper install", NULL, { [PACKAGE_HEADERS] = "kernel-%f-devel",
		[PACKAGE_DEBUGINFO] = " zypper --plus-content debug install kernel-%f-debuginfo",
		[PACKAGE_KERNEL] = "kernel-default kernel-default-devel", [PACKAGE_QEMU] = "qemu-x86", [PACKAGE_VIRTIOFSD] = "virtiofsd",
		[PACKAGE_DEBUGINFOD] = "libdebuginfod1", [PACKAGE_GCC] = "gcc%r", [PACKAGE_MAKE] = "make",
		[PACKAGE_LINKER] = "binutils", [PACKAGE_CLANG] = "clang lld", [PACKAGE_QEMU_ARM] = "qemu-arm",
		[PACKAGE_BUILD_ID] = " zypper --plus-content debug install -C 'debuginfo(build-id)=%r'",
		[PACKAGE_JSON_C] = "libjson-c-devel", [PACKAGE_NCURSES] = "ncurses-devel", [PACKAGE_LIBCRYPTO] = "libopenssl-devel",
		[PACKAGE_PYTHON] = "python3-devel systemtap-sdt-devel" } },
	{ "arch", NULL, "pacman -S", NULL, { [PACKAGE_HEADERS] = "linux%g-headers", [PACKAGE_KERNEL] = "linux linux-headers",
		[PACKAGE_DEBUGINFO] = "$export DEBUGINFOD_URLS=https://debuginfod.archlinux.org",
		[PACKAGE_BUILD_ID] = "$export DEBUGINFOD_URLS=https://debuginfod.archlinux.org",
		[PACKAGE_QEMU] = "qemu-base", [PACKAGE_VIRTIOFSD] = "virtiofsd", [PACKAGE_DEBUGINFOD] = "debuginfod",
		[PACKAGE_GCC] = "gcc", [PACKAGE_MAKE] = "make", [PACKAGE_LINKER] = "binutils", [PACKAGE_CLANG] = "clang lld",
		[PACKAGE_CROSS] = "%r-gcc", [PACKAGE_QEMU_ARM] = "qemu-system-aarch64", [PACKAGE_JSON_C] = "json-c",
		[PACKAGE_NCURSES] = "ncurses", [PACKAGE_LIBCRYPTO] = "openssl", [PACKAGE_PYTHON] = "python systemtap" } },
	{ "alpine", NULL, "apk add", NULL, { [PACKAGE_HEADERS] = "linux%g-dev", [PACKAGE_KERNEL] = "linux-virt linux-virt-dev",
		[PACKAGE_QEMU] = "qemu-system-x86_64", [PACKAGE_VIRTIOFSD] = "virtiofsd", [PACKAGE_DEBUGINFOD] = "libdebuginfod",
		[PACKAGE_GCC] = "gcc", [PACKAGE_MAKE] = "make", [PACKAGE_LINKER] = "binutils", [PACKAGE_CLANG] = "clang lld",
		[PACKAGE_QEMU_ARM] = "qemu-system-aarch64", [PACKAGE_JSON_C] = "json-c-dev", [PACKAGE_NCURSES] = "ncurses-dev",
		[PACKAGE_LIBCRYPTO] = "openssl-dev" } },
	/* A shell that has the package. Kernels and their build trees are chosen in the configuration of the system. */
	{ "nixos", NULL, "$nix-shell -p", NULL, { [PACKAGE_QEMU] = "qemu", [PACKAGE_VIRTIOFSD] = "virtiofsd", [PACKAGE_GCC] = "gcc%r",
		[PACKAGE_MAKE] = "gnumake", [PACKAGE_LINKER] = "binutils", [PACKAGE_CLANG] = "clang lld", [PACKAGE_QEMU_ARM] = "qemu",
		[PACKAGE_JSON_C] = "json_c", [PACKAGE_NCURSES] = "ncurses", [PACKAGE_LIBCRYPTO] = "openssl", [PACKAGE_PYTHON] = "python3 libsystemtap" } },
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
	_cleanup_text_ struct text t = { 0 };
	const char *ids, *version;

	for (const char *const *p = places; *p && !t.len; p++) {
		_cleanup_text_ struct text body = { 0 };

		text_read_file(&body, system_path("%s", *p));
		if (body.len)
			text_printf(&t, "\n%s", text_str(&body));
	}
	ids = arena_printf(&program_arena, "%s %s", value_of(text_str(&t), "ID"), value_of(text_str(&t), "ID_LIKE"));
	version = value_of(text_str(&t), "VERSION_ID");
	for (size_t i = 0; i < sizeof(distributions) / sizeof(distributions[0]); i++) {
		const struct distribution *d = &distributions[i];

		if (has_word(ids, d->id) && (!d->version || !strcmp(d->version, version)))
			return d;
	}
	return NULL;
}

/* Appends a regular expression for the release WHAT: "6.12.117.deb12" for 6.12.117+deb12. */
static void put_pattern(struct text *t, const char *what)
{
	for (; *what; what++)
		text_append(t, isalnum((unsigned char)*what) || *what == '-' || *what == '_' ? what : ".", 1);
}

/* NAME with WHAT in it. */
static const char *fill(const char *name, const char *what)
{
	const char *last = strrchr(what, '-'), *flavor = last && isalpha((unsigned char)last[1]) ? last + 1 : "";
	struct text t = { 0 };

	for (const char *at; (at = strchr(name, '%')); name = at + 2) {
		text_append(&t, name, (size_t)(at - name));
		if (at[1] == 'b')
			text_printf(&t, "/usr/lib/debug/.build-id/%.2s/%s.debug", what, strlen(what) > 2 ? what + 2 : "");
		else if (at[1] == 'l')
			put_pattern(&t, what);
		else
			text_printf(&t, "%s%s", at[1] == 'g' && *flavor ? "-" : "", at[1] == 'r' ? what : flavor);
	}
	text_puts(&t, name);
	return text_keep(&t);
}

const char *root_command(const char *command)
{
	return geteuid() && program_path("sudo") ? arena_printf(&program_arena, "sudo %s", command) : command;
}

const char *permission_command(const char *path)
{
	const char *slash = strrchr(path, '/'), *dir = slash ? arena_strndup(&program_arena, path, (size_t)(slash - path)) : "";

	return root_command(*dir && access(dir, X_OK) ? arena_printf(&program_arena, "chmod +x %s", dir) :
							arena_printf(&program_arena, "chmod +r %s", path));
}

void permission_note(struct reports *r, const char *path)
{
	note(diag_nowhere(r), "%s: %s; let this user read it: %s", path, strerror(EACCES), permission_command(path));
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
	if (*name != ' ' && *name != '$')
		name = arena_printf(&program_arena, "%s %s", d->install, name);
	return *name == '$' ? name + 1 : root_command(*name == ' ' ? name + 1 : name);
}

bool package_is_own_kernel(const char *release)
{
	static const char *const packages[] = { "linux-image", "linux-image-unsigned" };

	if (access(system_path("/lib/modules/%s/modules.dep", release), R_OK) || access(system_path("/var/lib/dpkg/info"), F_OK))
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

void package_note(struct reports *r, enum package p, const char *what, const char *name)
{
	const char *command = package_command(p, what), *own = own_kernel_advice(p, what);
	const struct distribution *d = distribution();
	struct loc place = diag_nowhere(r);

	if (own)
		note(place, "no package installed kernel %s: %s", what, own);
	else if (command)
		note(place, "%s it with: %s", !strncmp(command, "export ", 7) ? "download" : "install", command);
	else
		note(place, "install the package of your distribution that has %s", name);
	if (command && !own && p == PACKAGE_DEBUGINFO && d->debug_archive)
		note(place, "that package is in the archive %s, which must be configured first", d->debug_archive);
}

void package_list_note(struct reports *r, const char *release)
{
	const char *command = package_command(PACKAGE_LIST, release);

	if (command)
		note(diag_nowhere(r), "packages of such kernels are listed by: %s", command);
	else
		note(diag_nowhere(r), "install the packages of your distribution that have that kernel and its headers");
}

static const char *library_name(enum package p)
{
	return p == PACKAGE_NCURSES ? "ncurses" : p == PACKAGE_LIBCRYPTO ? "libcrypto" : p == PACKAGE_PYTHON ? "Python 3 and sys/sdt.h" : "json-c";
}

void package_rebuild_note(struct reports *r, enum package p)
{
	const char *command = package_command(p, NULL);
	struct loc place = diag_nowhere(r);

	if (command)
		note(place, "%s, then configure ktap again and build it", command);
	else
		note(place, "install %s with what compiling needs, configure ktap again and build it", library_name(p));
}

bool package_missing(const char *name, enum package p)
{
	error((struct loc){ 0 }, DIAG_USAGE, "%s: this ktap was built without %s", name, library_name(p));
	package_rebuild_note(NULL, p);
	return false;
}
