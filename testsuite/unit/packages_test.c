/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lib/packages.h: the commands that each distribution gets, by an os-release file in a directory that stands for its root.
 * lib/paths.h: the data directory.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "testsuite/unit/tap.h"

static char root[PATH_MAX];

/* What each package is asked with. */
static const char *const asked[PACKAGE_COUNT] = {
	[PACKAGE_HEADERS] = "6.9.1-7-lts", [PACKAGE_DEBUGINFO] = "6.9.1-7-lts", [PACKAGE_LIST] = "6.9+deb12-lts", [PACKAGE_GCC] = "13",
	[PACKAGE_CROSS] = "aarch64-linux-gnu", [PACKAGE_BUILD_ID] = "abcdef",
};

static const struct {
	const char *name, *os_release;
	const char *commands[PACKAGE_COUNT];
} systems[] = {
	{ "debian 12", "ID=debian\nVERSION_ID=\"12\"\n", {
		[PACKAGE_HEADERS] = "apt-get install linux-headers-6.9.1-7-lts",
		[PACKAGE_DEBUGINFO] = "apt-get install linux-image-6.9.1-7-lts-dbg",
		[PACKAGE_KERNEL] = "apt-get install linux-image-cloud-amd64 linux-headers-cloud-amd64",
		[PACKAGE_LIST] = "apt-cache search --names-only '^linux-(image|headers)-6.9.deb12-lts'",
		[PACKAGE_QEMU] = "apt-get install qemu-system-x86",
		[PACKAGE_VIRTIOFSD] = "apt-get install qemu-system-common", [PACKAGE_DEBUGINFOD] = "apt-get install libdebuginfod1",
		[PACKAGE_GCC] = "apt-get install gcc-13", [PACKAGE_MAKE] = "apt-get install make", [PACKAGE_LINKER] = "apt-get install binutils",
		[PACKAGE_CLANG] = "apt-get install clang lld", [PACKAGE_CROSS] = "apt-get install gcc-aarch64-linux-gnu",
		[PACKAGE_QEMU_ARM] = "apt-get install qemu-system-arm", [PACKAGE_JSON_C] = "apt-get install libjson-c-dev",
		[PACKAGE_NCURSES] = "apt-get install libncurses-dev", [PACKAGE_LIBCRYPTO] = "apt-get install libssl-dev",
		[PACKAGE_PYTHON] = "apt-get install python3-dev systemtap-sdt-dev" } },
	{ "debian 13", "ID=debian\nVERSION_ID=\"13\"\n", { [PACKAGE_VIRTIOFSD] = "apt-get install virtiofsd", [PACKAGE_BUILD_ID] = "none" } },
	{ "a system like ubuntu", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", {
		[PACKAGE_DEBUGINFO] = "apt-get install linux-image-6.9.1-7-lts-dbgsym",
		[PACKAGE_KERNEL] = "apt-get install linux-image-virtual linux-headers-virtual",
		[PACKAGE_VIRTIOFSD] = "apt-get install virtiofsd", [PACKAGE_JSON_C] = "apt-get install libjson-c-dev" } },
	{ "fedora", "ID=fedora\n", {
		[PACKAGE_HEADERS] = "dnf install kernel-devel-6.9.1-7-lts",
		[PACKAGE_LIST] = "dnf list --showduplicates 'kernel-core-6.9+deb12-lts*' 'kernel-devel-6.9+deb12-lts*'",
		[PACKAGE_DEBUGINFO] = "dnf debuginfo-install kernel-6.9.1-7-lts", [PACKAGE_KERNEL] = "dnf install kernel-core kernel-devel",
		[PACKAGE_GCC] = "dnf install gcc", [PACKAGE_DEBUGINFOD] = "dnf install elfutils-debuginfod-client",
		[PACKAGE_BUILD_ID] = "dnf --enablerepo='*debug*' install /usr/lib/debug/.build-id/ab/cdef.debug",
		[PACKAGE_NCURSES] = "dnf install ncurses-devel", [PACKAGE_LIBCRYPTO] = "dnf install openssl-devel" } },
	{ "rhel", "ID=\"rhel\"\nID_LIKE=\"fedora\"\n", { [PACKAGE_QEMU] = "dnf install qemu-kvm", [PACKAGE_VIRTIOFSD] = "dnf install virtiofsd" } },
	{ "opensuse", "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", {
		[PACKAGE_HEADERS] = "zypper install kernel-lts-devel",
		[PACKAGE_DEBUGINFO] = "zypper --plus-content debug install kernel-lts-debuginfo", [PACKAGE_GCC] = "zypper install gcc13",
		[PACKAGE_BUILD_ID] = "zypper --plus-content debug install -C 'debuginfo(build-id)=abcdef'",
		[PACKAGE_JSON_C] = "zypper install libjson-c-devel" } },
	{ "arch", "ID=arch\n", {
		[PACKAGE_HEADERS] = "pacman -S linux-lts-headers",
		[PACKAGE_DEBUGINFO] = "export DEBUGINFOD_URLS=https://debuginfod.archlinux.org",
		[PACKAGE_CROSS] = "pacman -S aarch64-linux-gnu-gcc", [PACKAGE_CLANG] = "pacman -S clang lld",
		[PACKAGE_LIBCRYPTO] = "pacman -S openssl" } },
	{ "alpine", "ID=alpine\n", {
		[PACKAGE_HEADERS] = "apk add linux-lts-dev", [PACKAGE_KERNEL] = "apk add linux-virt linux-virt-dev",
		[PACKAGE_QEMU] = "apk add qemu-system-x86_64", [PACKAGE_JSON_C] = "apk add json-c-dev",
		[PACKAGE_DEBUGINFO] = "none" } },
	{ "nixos", "ID=nixos\n", {
		[PACKAGE_QEMU] = "nix-shell -p qemu", [PACKAGE_GCC] = "nix-shell -p gcc13", [PACKAGE_MAKE] = "nix-shell -p gnumake",
		[PACKAGE_CLANG] = "nix-shell -p clang lld", [PACKAGE_HEADERS] = "none", [PACKAGE_DEBUGINFO] = "none" } },
	{ "another system", "ID=archetype\n", { [PACKAGE_MAKE] = "none" } },
	{ "no system", "", { [PACKAGE_MAKE] = "none" } },
};

static void write_os_release(const char *text)
{
	FILE *f = fopen(system_path("/etc/os-release"), "w");

	ok(f && fputs(text, f) >= 0, "os-release is written");
	if (f)
		fclose(f);
}

/* The command without the sudo that users get, or "none". */
static const char *command_of(enum package p)
{
	const char *command = package_command(p, asked[p]);

	return !command ? "none" : !strncmp(command, "sudo ", 5) ? command + 5 : command;
}

/* The program's directories do not depend on the memory that the first question took. */
static void check_data_path(void)
{
	char *first = xstrdup(data_path("tapset"));

	arena_deinit(&program_arena);
	memset(arena_printf(&program_arena, "%4000s", ""), 'x', 4000);
	is_str(data_path("tapset"), first, "the data directory is the same after the arena was freed");
	free(first);
}

int main(void)
{
	check_data_path();
	snprintf(root, sizeof(root), "%s/ktap-packages-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(root))
		return 1;
	setenv("KTAP_DOCTOR_ROOT", root, 1);
	ok(!mkdir(system_path("/etc"), 0700), "etc is made");
	for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		write_os_release(systems[i].os_release);
		for (int p = 0; p < PACKAGE_COUNT; p++)
			if (systems[i].commands[p])
				is_str(command_of((enum package)p), systems[i].commands[p], systems[i].name);
	}
	write_os_release("ID=nixos\n");
	is_str(package_command(PACKAGE_QEMU, NULL), "nix-shell -p qemu", "a user's own shell needs no sudo");
	ok(!unlink(system_path("/etc/os-release")) && !rmdir(system_path("/etc")) && !rmdir(root), "the directory is removed");
	return tap_done();
}
