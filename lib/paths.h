/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the program's own files are, and where its output goes. */
#ifndef KTAP_LIB_PATHS_H
#define KTAP_LIB_PATHS_H

#include <stdbool.h>

/* The directory NAME ("runtime", "tapset") of the installed data, or of the source tree when the program runs from a build
 * directory; the environment variable $KTAP_NAME in capitals overrides both. */
const char *data_path(const char *name);

/* The directory NAME of what is made when the program is built, while it runs from its build directory; NULL: data_path() has
 * everything. */
const char *built_path(const char *name);

/* The cache directory, created: $KTAP_CACHE_DIR, else the first of $XDG_CACHE_HOME/ktap, .cache/ktap in $HOME, and .cache/ktap in
 * the home of the user database that trust_dir() takes: sudo -E leaves root the $HOME of another user. The path has no symbolic
 * links, and nobody but root and this user can change any part of it. NULL: there is none, for the reason *ret_why. */
const char *cache_path(const char **ret_why);

/* The directory that has kits for all users, created if MAKE: $KTAP_SHARED_CACHE_DIR, else /var/cache/ktap. It must be as the cache
 * directory, and is not used where $KTAP_CACHE_DIR is set and $KTAP_SHARED_CACHE_DIR is not. NULL: there is none, for the reason
 * *ret_why, or NULL if that is as it should be. */
const char *shared_cache_path(bool make, const char **ret_why);

/* The directory for what a user's sessions leave for the next one, created: ktap below $XDG_STATE_HOME or ~/.local/state, under the
 * conditions of cache_path(). NULL: there is none. */
const char *state_path(void);

/* The directory NAME of what is installed for programs to use, "python", as built. */
const char *libexec_path(const char *name);

/* Compilers make files in $TMPDIR, else /tmp, that become part of a module, and ccache takes such files from a directory of the user's.
 * Where another user can exchange them, this warns and makes $TMPDIR the cache directory, and switches ccache off. $TMP and $TEMP, which
 * gcc would look at, too, are unset. */
void check_compiler_files(void);

/* Makes $TMPDIR the directory DIR. If another user can change DIR, reports that and returns false. */
bool set_temporary(const char *dir);

/* Where a file is looked for that distributions put at PATH: number I of its places, from 0 on; NULL: there are no more. What is
 * below /usr/lib/debug may also be below the directories of $KTAP_DEBUGINFO_PATH or $SYSTEMTAP_DEBUGINFO_PATH, which come first. */
const char *debug_place(const char *path, unsigned i);

/* The path of ktap's program or library NAME: beside the running program, as in a build directory, else in DIR. */
const char *own_file(const char *name, const char *dir);

/* The file to read for PATH as the guest names it, and the guest's name of a FILE. ROOT is the directory of --vm-root, where programs of the
 * guest are looked for first, or NULL. */
const char *guest_file(const char *root, const char *path);
const char *guest_name(const char *root, const char *file);

/* Stands before the paths of kernels, /proc, /sys, /dev and /etc that system_path() makes: $KTAP_DOCTOR_ROOT, which tests of doctor.c set,
 * else "". Every command obeys it. */
const char *system_root(void);
/* system_root() and the path that FMT makes, in program_arena. */
const char *system_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The executable file NAME in the directories of $PATH; NULL when none has it. */
const char *program_path(const char *name);

/* Where distributions put the vmlinux of release %s; ended by NULL. The first that exists wins. */
extern const char *const vmlinux_paths[];

/* The name of the file that PATTERN of -o means now, to be freed. NULL: reported. */
char *expand_output(const char *pattern);

/* Creates or empties the file PATH, which the user named. Returns a descriptor, or -errno. */
int open_output(const char *path);

/* The directory of files to whose names ktap adds a number. Its path is resolved once: its owner could exchange it later for a symbolic
 * link to another directory. */
struct output_dir {
	char *name; /* as the path has it; NULL: none is open */
	int fd;
};

/* Opens the directory of the file PATH as D, unless D has that name. Returns 0 or -errno. */
int output_dir_open(struct output_dir *d, const char *path);
void output_dir_close(struct output_dir *d);

/* Creates or empties the file PATH, to whose name ktap added a number, in D. Returns a descriptor, or -errno. Such a file is new, or a
 * regular file of this user with one name: other users may be able to write to the directory, and what they put there is refused. */
int open_numbered(struct output_dir *d, const char *path);
/* The reason why open_numbered() returned ERR. */
const char *output_failure(int err);
/* Removes the file PATH from D. */
void remove_numbered(const struct output_dir *d, const char *path);

/* Creates the file that PATTERN of -o, a strftime format, names now; in NUMBERED, if not NULL, by open_numbered(). Returns a descriptor;
 * -1: reported. RET_PATH, if not NULL, gets the name, which the caller frees. */
int create_output(const char *pattern, struct output_dir *numbered, char **ret_path);

#endif
