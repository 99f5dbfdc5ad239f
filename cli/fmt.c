/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap fmt`: formats scripts. A file that does not parse stays as it is, and one that is formatted already is not written. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/edit/format.h"
#include "cli/edit/parsed.h"
#include "lib/rewrite.h"
#include "translator/sema/tapset.h"

enum { STATUS_DIFFERS = 1, STATUS_FAILED = 2 }; /* as cmp(1) and diff(1) have them */

static int differs(const struct source *src)
{
	puts(src->name);
	return STATUS_DIFFERS;
}

static int replace(const struct rewrite *r, const char *path, const struct text *t)
{
	int rc = rewrite_text(r, t);

	if (!rc)
		return 0;
	error(nowhere, DIAG_IO, "cannot write '%s': %s", path,
	      rc == -ESTALE ? "another file took its place while it was read" : strerror(-rc));
	return STATUS_FAILED;
}

static int print_formatted(const struct text *t)
{
	fwrite(text_str(t), 1, t->len, stdout);
	return command_written() ? STATUS_FAILED : 0;
}

/* The formatted text must mean the same: the pass that prints scripts compares. */
static void check_meaning(const char *canonical, struct program *p, const struct source *src, const struct text *made)
{
	struct source *again = source_from_text(p, src->name, text_str(made));
	const char *now = parsed_canonical(p, again);

	if (!now || strcmp(now, canonical))
		bug("the formatter changed the meaning of '%s'", src->name);
}

/* Formats the script SRC. R: its file, where it is replaced; NULL: the text is printed, or with CHECK compared. */
static int format(struct program *p, struct source *src, const struct rewrite *r, bool check)
{
	const char *canonical = src ? parsed_canonical(p, src) : NULL;
	_cleanup_text_ struct text t = { 0 };
	bool same;

	if (!canonical)
		return STATUS_FAILED;
	format_source(src, &t);
	check_meaning(canonical, p, src, &t);
	same = t.len == src->len && !memcmp(text_str(&t), src->text, t.len);
	if (check)
		return same ? 0 : differs(src);
	if (!r)
		return print_formatted(&t);
	return same ? 0 : replace(r, src->name, &t);
}

static int format_one(struct program *p, const char *path, bool check)
{
	struct rewrite r;
	int status, rc;

	if (check || !strcmp(path, "-"))
		return format(p, source_from_file(p, path), NULL, check);
	rc = rewrite_open(&r, path);
	if (rc) {
		error(nowhere, DIAG_IO, "cannot open '%s': %s", path, strerror(-rc));
		return STATUS_FAILED;
	}
	status = format(p, source_from_stream(p, path, path, r.file), &r, false);
	rewrite_close(&r);
	return status;
}

int fmt_run(int argc, char **argv)
{
	bool check = argc && !strcmp(argv[0], "--check");
	struct reports reports = { .no_warnings = true };
	struct program p = { .reports = &reports };
	int worst = 0;

	argc -= check;
	argv += check;
	for (int i = 0; i < argc; i++)
		if (argv[i][0] == '-' && argv[i][1])
			return command_misused("fmt takes --check and files, not '%s'", argv[i]) ? STATUS_FAILED : 0;
	if (!parsed_begin(&p))
		return STATUS_FAILED;
	for (int i = 0; i < (argc ? argc : 1); i++) {
		int status = format_one(&p, argc ? argv[i] : "-", check);

		worst = status > worst ? status : worst;
	}
	if (check && command_written())
		return STATUS_FAILED;
	return worst;
}
