/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line, decoded. */
#ifndef KTAP_CLI_OPTIONS_H
#define KTAP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/live/live.h"
#include "cli/vm/host.h"
#include "runtime/abi.h"
#include "translator/platform/settings.h"

struct limits;
struct obstacle;
struct remote_host;

/* The fields of rows are explained by the help in options.def. */
struct options {
#define SECTION(title)
#define OPTION(letter, name, argument, help, action, given) action
#define REFUSED(name, argument, instead)
#define FLAG(field) bool field;
#define COUNT(field) int field;
#define TEXT(field) const char *field;
#define CHECKED(field, is, expected) const char *field;
#define LIST(field) const char **field; /* NULL-terminated */
#define SETTING(field) const char **field; /* NULL-terminated */
#define NUMBER(field, min, max, expected) int field;
#define WORD(type, field) type field;
#define ONE_OF(field) const char *field; /* NULL: not given */
#define LIMIT(resource)
#define CALL(function)
#define MOOT
#define PARSED
#define FLAG_IN(field)
#define TEXT_IN(field)
#define VALUE_IN(field, value)
#include "cli/options.def"
#undef SECTION
#undef OPTION
#undef REFUSED
#undef FLAG
#undef COUNT
#undef TEXT
#undef CHECKED
#undef LIST
#undef SETTING
#undef NUMBER
#undef WORD
#undef ONE_OF
#undef LIMIT
#undef CALL
#undef MOOT
#undef PARSED
#undef FLAG_IN
#undef TEXT_IN
#undef VALUE_IN
	const char *script_file;   /* FILE or "-" */
	const char *script_text;   /* -e, or what -l makes of its point */
	const char *const *args;   /* script arguments */
	int n_args;
	bool endless;              /* --suppress-time-limits */
	const char *release;       /* -r */
	const char **releases;     /* each -r, for --bundle: n_releases of them */
	int n_releases;
	int bundle_module, bundle_facts; /* while a module of --bundle is built: where to leave both */
	const struct machine *machine; /* -a, or NULL */
	const char **defines;      /* -D NAME[=VALUE], NULL-terminated */
	const char **objects;      /* -d, user programs and libraries: absolute paths, NULL-terminated */
	int snapshot_ms;           /* --snapshots, milliseconds; 0: at the end only */
	struct live_options live;  /* --prometheus and other views of the running session */
	bool on_terminal;          /* what the session prints is shown on a terminal */
	const char **make;         /* -B, NULL-terminated */
	const char *sign_key, *sign_cert; /* --sign-module=KEY,CERT; both NULL: not signed */
	char **words;              /* with -i, the options as they were given: n_words of them */
	int n_words;
	char *called_as;           /* the command line's first word */
	bool prepare;              /* --prepare: nothing else */
	const struct obstacle *no_module; /* why --runtime=auto found that no module can be built or loaded; NULL: one can, or it was not asked */
	bool no_build;             /* with it: it cannot be built */
	bool loads;                /* --runtime=auto found that this kernel loads a module */
	bool vm;                   /* --vm */
	const char *vm_release;    /* --vm=RELEASE */
	struct vm_host vm_host;    /* the programs of the virtual machine, once a run needs it */
	const char *vm_exec;       /* --vm-exec COMMAND: no script */
	struct remote_host *remotes; /* --remote, --hosts: n_remotes of them */
	int n_remotes;
	bool merge_text;           /* --merge without -f json: what sessions write is shown as text */
	const char *list;          /* -l or -L: the probe point to list, no run */
	const char *list_word;     /* -l with a name instead of a probe point, or NULL */
	bool list_variables;       /* -L */
	bool resolve;              /* the word `resolve`: list places with what is known of each */
	bool plan;                 /* the word `plan`: say what would be probed, and how */
	enum dump dump;
	int target_process;        /* -x: what process_open() returned */
	const char *guest_root;    /* the directory of --vm-root or $KTAP_VM_ROOT; NULL: programs are in / */
	struct limits *limits;     /* of this process, as it was started */
};

struct program;

/* Fills OPT, which keeps LIMITS, those of this process; false: reported, or --help/--version was printed (then *ret_exit is 0). */
bool options_parse(int argc, char **argv, struct limits *limits, struct options *opt, int *ret_exit);
/* Calls FN with the words that hand the options of OPT on to a session: to ktaprun, or to a program of --runtime=user. */
void options_given(const struct options *opt, void (*fn)(const char *word, void *data), void *data);
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
