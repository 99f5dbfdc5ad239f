/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line, decoded. */
#ifndef KTAP_CLI_OPTIONS_H
#define KTAP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/live/live.h"
#include "runtime/abi.h"
#include "translator/platform/settings.h"

struct remote_host;

struct options {
	int last_pass;             /* -p N: 1..5 */
	int verbose;               /* -v */
	bool quiet;                /* -q */
	const char *script_file;   /* FILE or "-" */
	const char *script_text;   /* -e, or what -l makes of its point */
	const char **extra_texts;  /* each -E, NULL-terminated: beside the file or the text */
	const char *const *args;   /* script arguments */
	int n_args;
	bool guru;                 /* -g */
	bool no_optimise;          /* -u */
	bool skip_badvars;         /* --skip-badvars */
	bool strict;               /* --strict */
	bool force_taint;          /* --force-taint */
	bool endless;              /* --suppress-time-limits */
	enum kt_on_overload on_overload;
	bool keep;                 /* -k: keep the build directory, say where */
	bool kbuild;               /* --kbuild: never replay */
	bool no_cache;             /* --disable-cache */
	bool no_autoprint;         /* --no-global-var-display */
	const char **include_dirs; /* -I, NULL-terminated */
	const char *release;       /* -r */
	const char **releases;     /* each -r, for --bundle: n_releases of them */
	int n_releases;
	const char *bundle;        /* --bundle */
	int bundle_module, bundle_facts; /* while a module of it is built: where to leave both */
	const struct machine *machine; /* -a, or NULL */
	const char *module_name;   /* -m */
	const char *output;        /* -o */
	const char *command;       /* -c */
	int target;                /* -x */
	const char *seconds;       /* -T */
	const char **defines;      /* -D NAME[=VALUE], NULL-terminated */
	const char **globals;      /* -G NAME=VALUE, NULL-terminated */
	const char **objects;      /* -d, user programs and libraries: absolute paths, NULL-terminated */
	bool libraries;            /* --ldd: theirs too */
	bool folded;               /* --folded */
	bool histograms;           /* --hist */
	bool json;                 /* -f json */
	int snapshot_ms;           /* --snapshots, milliseconds; 0: at the end only */
	struct live_options live;  /* --prometheus and other views of the running session */
	const char *timestamps;    /* --timestamps, or NULL */
	bool on_terminal;          /* what the session prints is shown on a terminal */
	bool control;              /* --control */
	bool timing;               /* -t */
	bool flight;               /* -F: with -o, in the background */
	const char *rotation;      /* -S MB[,N] */
	bool bulk;                 /* -b */
	const char *transport;     /* --transport, NULL: the default */
	const char **modinfo;      /* --modinfo, NULL-terminated */
	const char **make;         /* -B, NULL-terminated */
	const char *sign_key, *sign_cert; /* --sign-module=KEY,CERT; both NULL: not signed */
	bool language_server;      /* --language-server: no script */
	bool interactive;          /* -i */
	char **words;              /* with -i, the options as they were given: n_words of them */
	int n_words;
	char *called_as;           /* the command line's first word */
	bool clean_cache;          /* --clean-cache: nothing else */
	bool prepare;              /* --prepare: nothing else */
	int buffer_mb;             /* -s, 0: default */
	enum runtime runtime;
	enum debuginfo debuginfo;
	bool vm;                   /* --vm */
	const char *vm_release;    /* --vm=RELEASE */
	int vm_memory;             /* --vm-memory, megabytes; 0: default */
	int vm_cpus;               /* --vm-cpus; 0: default */
	bool vm_network;           /* --vm-network */
	const char *vm_root;       /* --vm-root */
	const char *vm_exec;       /* --vm-exec COMMAND: no script */
	struct remote_host *remotes; /* --remote, --hosts: n_remotes of them */
	int n_remotes;
	bool merge;                /* --merge: globals of all machines are one, and sessions write json */
	bool merge_text;           /* --merge without -f json: what they write is shown as text */
	const char *compatible;    /* --compatible=V */
	const char *list;          /* -l or -L: the probe point to list, no run */
	const char *list_word;     /* -l with a name instead of a probe point, or NULL */
	bool list_variables;       /* -L */
	bool resolve;              /* the word `resolve`: list places with what is known of each */
	bool plan;                 /* the word `plan`: say what would be probed, and how */
	enum dump dump;
};

struct program;

/* Fills OPT; false: reported, or --help/--version was printed (then *ret_exit is 0). */
bool options_parse(int argc, char **argv, struct options *opt, int *ret_exit);
/* Copies OPT into the settings of P. */
void options_apply(const struct options *opt, struct program *p);
/* Is the NAME of LEN bytes one that -D takes? */
bool define_is_known(const char *name, size_t len);
/* Reports each -D whose name nothing knows. After the script is parsed. */
bool defines_check(const struct program *p);
/* Reports each of GLOBALS, -G NAME=VALUE, whose name is no number or string of the script. After pass 2. */
bool globals_check(const struct program *p, const char **globals);
/* Is the session watched while it runs? */
bool option_live(const struct options *opt);

/* Returns the letter of the given option for which ktaprun writes files on this machine; 0 if none was given. */
char option_keeps_files(const struct options *opt);

#endif
