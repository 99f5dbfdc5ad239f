/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that -D and -G take. In a script with embedded C any other name of -D may be meant for that code. */
#include <string.h>

#include "cli/complete.h"
#include "cli/options.h"
#include "lib/diag.h"
#include "translator/syntax/ast.h"

static const char *const known[] = {
	/* limits of this program */
	"HIST_ELISION",
	"MAXACTION",
	"MAXACTION_INTERRUPTIBLE",
	"MAXERRORS",
	"MAXMAPENTRIES",
	"MAXMEMORY",
	"MAXNAMES",
	"MAXNESTING",
	"MAXPOINTS",
	"MAXSKIPPED",
	"MAXSTRINGLEN",
	"MAXTIME",
	"MAXTRYLOCK",
	"MAXVISITS",
	"MAPSTRINGLEN",
	"STP_EXECTRACE",
	"STP_NO_OVERLOAD",
	"STP_OVERLOAD_INTERVAL",
	"STP_OVERLOAD_THRESHOLD",
	"TRYLOCKDELAY",
	/* SystemTap's, which have no meaning here: taken */
	"DEBUG_MEM",
	"HIST_WIDTH",
	"INTERRUPTIBLE",
	"KRETACTIVE",
	"MAPHASHBIAS",
	"MAXBACKTRACE",
	"MAXUPROBES",
	"MINSTACKSPACE",
	"STP_ALIBI",
	"STP_BUFFER_SIZE",
	"STP_CTL_BUFFER_SIZE",
	"STP_FORCE_STDOUT_TTY",
	"STP_LEGACY_PRINT",
	"STP_MAXMEMORY",
	"STP_MAX_BUCKETS",
	"STP_NO_BUILDID_CHECK",
	"STP_NO_VERREL_CHECK",
	"STP_ON_THE_FLY_INTERVAL",
	"STP_PROCFS_BUFSIZE",
	"STP_TIMING",
	"STP_TIMING_NSECS",
};

enum { N_KNOWN = sizeof(known) / sizeof(known[0]) };

void define_words(word_fn *fn, void *data)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		fn(known[i], NULL, data);
}

bool define_is_known(const char *name, size_t len)
{
	for (size_t i = 0; i < N_KNOWN; i++)
		if (strlen(known[i]) == len && !strncmp(known[i], name, len))
			return true;
	/* The switches of SystemTap's developers. */
	return !strncmp(name, "DEBUG_", 6) || !strncmp(name, "TASK_FINDER_", 12);
}

static bool has_embedded_c(const struct program *p)
{
	for (const struct source *s = p->sources; s; s = s->next)
		if (!s->tapset && strstr(s->text, "%{"))
			return true;
	return false;
}

bool defines_check(const struct program *p)
{
	bool ok = true;

	for (const char **d = p->language.defines; d && *d && !has_embedded_c(p); d++) {
		size_t len = strcspn(*d, "=");
		const char *name = arena_strndup(&program_arena, *d, len);
		struct nearest near = { .word = name };

		if (define_is_known(name, len))
			continue;
		ok = error(diag_nowhere(p->reports), DIAG_USAGE, "-D %s: there is no limit of that name", name);
		for (size_t i = 0; i < N_KNOWN; i++)
			nearest_add(&near, known[i]);
		if (nearest_get(&near))
			note(diag_nowhere(p->reports), "did you mean '%s'?", nearest_get(&near));
		else
			note(diag_nowhere(p->reports), "ktap(1) lists them under LIMITS");
	}
	return ok;
}

static bool check_global(const struct program *p, const char *name)
{
	struct nearest near = { .word = name };

	for (const struct symbol *g = p->globals; g; g = g->next) {
		if (strcmp(g->name, name)) {
			if (g->loc.src && !g->loc.src->tapset)
				nearest_add(&near, g->name);
			continue;
		}
		if (!g->array && g->type != TY_STAT)
			return true;
		error(diag_nowhere(p->reports), DIAG_USAGE, "-G %s: that is %s, and only numbers and strings can be set", name,
		      g->array ? "an array" : "an aggregate");
		note(g->loc, "'%s' is declared here", name);
		return false;
	}
	error(diag_nowhere(p->reports), DIAG_USAGE, "-G %s: the script has no global of that name", name);
	if (nearest_get(&near))
		note(diag_nowhere(p->reports), "did you mean '%s'?", nearest_get(&near));
	else
		note(diag_nowhere(p->reports), "declare it before the probes: global %s = 0", name);
	return false;
}

bool globals_check(const struct program *p, const char **globals)
{
	bool ok = true;

	for (const char **g = globals; g && *g; g++)
		ok &= check_global(p, arena_strndup(&program_arena, *g, strcspn(*g, "=")));
	return ok;
}
