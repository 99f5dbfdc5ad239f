/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that install what is missing, for the distribution that runs here. */
#ifndef KTAP_LIB_PACKAGES_H
#define KTAP_LIB_PACKAGES_H

#include <stdbool.h>

struct reports;

enum package {
	PACKAGE_HEADERS,    /* build tree of a kernel release */
	PACKAGE_DEBUGINFO,  /* DWARF of a kernel release */
	PACKAGE_KERNEL,     /* any kernel that boots in a VM, with its build tree */
	PACKAGE_LIST,       /* kernels whose release begins with these words, "6.1": a command that lists their packages */
	PACKAGE_QEMU,       /* of this machine */
	PACKAGE_VIRTIOFSD,
	PACKAGE_DEBUGINFOD, /* libdebuginfod.so.1 */
	PACKAGE_GCC,        /* gcc of a major version, or of any */
	PACKAGE_MAKE,
	PACKAGE_LINKER,
	PACKAGE_CLANG,      /* and lld */
	PACKAGE_CROSS,      /* gcc for another machine, "aarch64-linux-gnu" */
	PACKAGE_QEMU_ARM,
	PACKAGE_BUILD_ID,   /* DWARF of a program, by build-id */
	PACKAGE_JSON_C,     /* these with what compiling needs */
	PACKAGE_NCURSES,
	PACKAGE_LIBCRYPTO,
	PACKAGE_PYTHON,     /* and sys/sdt.h */
	PACKAGE_COUNT
};

/* Returns COMMAND for a user to type: with sudo in front if ktap does not run as root and sudo is installed. */
const char *root_command(const char *command);

/* Returns the command after which this user can read PATH, which it may not read now. */
const char *permission_command(const char *path);

/* Adds a note to R that PATH cannot be read, with that command. */
void permission_note(struct reports *r, const char *path);

/* Returns the command that installs P, as "apt-get install make". WHAT: the release, major version or build-id of P, or NULL.
 * NULL: the distribution is unknown or has no such package. */
const char *package_command(enum package p, const char *what);

/* Was the kernel RELEASE installed here, and by no package? */
bool package_is_own_kernel(const char *release);

/* Adds a note with that command to the last error of R, or one that NAME must be installed. */
void package_note(struct reports *r, enum package p, const char *what, const char *name);

/* Adds a note to R that lists or describes the packages of a kernel RELEASE that is not installed and may be a part of a name. */
void package_list_note(struct reports *r, const char *release);

/* Adds notes to R that the library P must be installed and ktap built again. */
void package_rebuild_note(struct reports *r, enum package p);

/* Reports that NAME, an option or a command, needs the library P, and that ktap was built without it. Returns false. */
bool package_missing(const char *name, enum package p);

#endif
