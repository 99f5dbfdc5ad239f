/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a script's begin, end and error probes without ktap's code generator and runtime, and prints what they print:
 *	oracle [-u] [MAXSTRINGLEN] SCRIPT
 * -u: as the script is written; otherwise as the optimiser leaves it.
 * Exit status: 0; 1 when the session ended by an error, which is on stderr; 2 when pass 2 refuses the script; 3 when
 * the script takes too long. Aggregates are not printed at the end: scripts read all their globals.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/script.h"
#include "testsuite/oracle/oracle.h"
#include "translator/probe/probe.h"
#include "translator/sema/sema.h"

/* Probes whose point is NAME, in the order of the script: generated scripts use no priorities. */
static bool run_probes(const struct program *p, const char *name)
{
	bool begin = !strcmp(name, "begin");
	const char *message;

	for (struct probe *pr = p->probes; pr && !(begin && exiting); pr = pr->next) {
		if (strcmp(pr->point->parts->name, name))
			continue;
		if (!run_handler(pr->body, pr->locals, &message)) {
			fprintf(stderr, "ERROR: %s\n", message);
			return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	struct options opt = { .no_autoprint = true, .runtime = RUNTIME_USER, .last_pass = 2 };
	struct program p = { 0 };
	bool ok;

	opt.no_optimise = argc > 1 && !strcmp(argv[1], "-u");
	argv += opt.no_optimise;
	argc -= opt.no_optimise;
	if (argc == 3)
		string_max = strtoul(argv[1], NULL, 10);
	if (argc < 2 || argc > 3 || string_max < 2) {
		fputs("usage: oracle [-u] [MAXSTRINGLEN] SCRIPT\n", stderr);
		return 2;
	}
	opt.script_file = argv[argc - 1];
	options_apply(&opt, &p);
	diag_process()->no_warnings = true;
	if (!script_parse(&p, &opt) || !sema_run(&p))
		return 2;
	globals_init(p.globals);
	ok = run_probes(&p, "begin");
	run_probes(&p, ok ? "end" : "error");
	fwrite(text_str(&printed), 1, printed.len, stdout);
	return ok ? 0 : 1;
}
