/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernels that are installed on this machine: their releases, images and modules. */
#ifndef KTAP_PLATFORM_KERNELS_H
#define KTAP_PLATFORM_KERNELS_H

#include <stdbool.h>

struct machine;

/* Returns the boot image of RELEASE, NULL: there is none that can be read. */
const char *kernel_image(const char *release);

/* Returns the boot image of RELEASE that this user may not read, NULL: there is none, or one that can be read. */
const char *kernel_unreadable_image(const char *release);

/* Returns the directory of RELEASE's modules, NULL: there is none. */
const char *kernel_modules_dir(const char *release);

/* Can RELEASE be booted: are its image and its modules there? */
bool kernel_boots(const char *release);

/* Could RELEASE be booted if this user could read its image? */
bool kernel_boots_for_root(const char *release);

/* Has RELEASE a build tree? */
bool kernel_builds(const char *release);

/* Returns the machine that the installed kernel RELEASE is for, by its list of modules. NULL: unknown. */
const struct machine *kernel_machine(const char *release);

/* Returns the newest installed release that FITS and that WANTED is, or is a prefix of by whole numbers: "6.1" finds
 * 6.1.0-56-amd64 and not 6.12.1. Of another machine than machine_target() only if no other is there. WANTED NULL: any of that
 * machine. NULL: there is none. */
const char *kernel_newest(const char *wanted, bool (*fits)(const char *release));

/* Returns RELEASE, which may be a directory; where none of that name is installed, the newest that FITS and begins with it. */
const char *kernel_completed(const char *release, bool (*fits)(const char *release));

/* Returns the release that a VM boots when none is named: RUNNING where that is installed, else the newest. NULL: none. */
const char *kernel_default(const char *running);

/* Returns all installed releases that FIT, oldest first, as "A, B"; "" without one. */
const char *kernel_releases(bool (*fits)(const char *release));

#endif
