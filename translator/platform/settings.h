/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line, as the passes need it. struct program has one of each; options.c fills them. All zeros are the defaults
 * that a test wants: this kernel, the whole language, nothing listed.
 *
 * To add an option: its row in cli/options.def. What passes read of it is copied here by options_apply().
 */
#ifndef KTAP_PLATFORM_SETTINGS_H
#define KTAP_PLATFORM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/abi.h"

struct machine;

enum runtime { RUNTIME_KERNEL, RUNTIME_USER, RUNTIME_BPF, RUNTIME_AUTO }; /* RUNTIME_AUTO: of the command line alone */
enum debuginfo { DEBUGINFO_AUTO, DEBUGINFO_DWARF, DEBUGINFO_BTF };
/* --dump-...: what exists is listed, nothing runs. */
enum dump { DUMP_NONE, DUMP_PROBE_TYPES, DUMP_PROBE_ALIASES, DUMP_FUNCTIONS };

/* The target of the compilation. */
struct platform {
	const struct machine *machine; /* NULL: this one; see platform_machine() */
	const char *release;       /* -r; NULL: the running kernel */
	enum debuginfo debuginfo;
	enum runtime runtime;
	const char *guest_root;    /* the directory of --vm-root; NULL: programs are in / */
};

/* The language and its limits. */
struct language {
	bool guru;                 /* -g */
	bool no_optimise;          /* -u */
	bool skip_badvars;         /* --skip-badvars */
	bool endless;              /* --suppress-time-limits */
	const char *compatible;    /* --compatible=V */
	const char **defines;      /* -D NAME[=VALUE], NULL-terminated */
	const char **include_dirs; /* -I, NULL-terminated */
};

/* The translator's output, and the form of the script's. */
struct output {
	int verbose;               /* -v */
	const char *list;          /* -l or -L: the probe point to list */
	bool list_variables;       /* -L */
	bool plan;                 /* the word `plan`: say what would be probed, and how */
	enum dump dump;
	bool no_autoprint;         /* --no-global-var-display */
	bool resolve;              /* the word `resolve`: list the places for programs */
	bool folded;               /* --folded */
	bool histograms;           /* --hist */
	bool json;                 /* -f json */
	int snapshot_ms;           /* --snapshots, milliseconds; 0: at the end only */
	bool timing;               /* -t */
	bool control;              /* --control: globals can be reset */
	bool on_terminal;          /* what the session prints is shown on a terminal */
};

/* The session that the module is for. */
struct session {
	const char *script_file;   /* FILE or "-"; NULL: -e */
	const char *command;       /* -c */
	int target;                /* -x */
	int last_pass;             /* -p; 5: it runs */
	int buffer_mb;             /* -s, 0: default */
	const char **objects;      /* -d, user programs and libraries: absolute paths, NULL-terminated */
	bool libraries;            /* --ldd: theirs too */
	enum kt_on_overload on_overload;
};

enum { MAKE_SETTINGS_MAX = 12 }; /* -B */

/* How the module is built. */
struct build_settings {
	bool keep;                 /* -k: keep the build directory, say where */
	bool kbuild;               /* --kbuild: never replay */
	bool no_cache;             /* --disable-cache */
	const char *module_name;   /* -m */
	bool bundled;              /* --bundle: the module of -m is not left in the current directory */
	const char **modinfo;      /* --modinfo, NULL-terminated */
	const char **make;         /* -B, NULL-terminated */
	const char *sign_key, *sign_cert; /* --sign-module=KEY,CERT; both NULL: not signed */
};

/* Returns the machine that the script is for. */
const struct machine *platform_machine(const struct platform *p);
/* Returns -D NAME=VALUE, or OTHERWISE. */
int64_t language_limit(const struct language *l, const char *name, int64_t otherwise);
/* Returns the SystemTap release whose language the script is in: what systemtap_v answers. */
const char *language_version(const struct language *l);

#endif
