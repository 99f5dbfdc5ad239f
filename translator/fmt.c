/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap fmt`: formats scripts. A file that does not parse stays as it is, and one that is formatted already is not written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/commands.h"
#include "translator/edit/format.h"
#include "translator/edit/parsed.h"
#include "translator/sema/tapset.h"

enum { STATUS_DIFFERS = 1, STATUS_FAILED = 2 }; /* as cmp(1) and diff(1) have them */

static const struct loc nowhere;

static int differs(const struct source *src)
{
	puts(src->name);
	return STATUS_DIFFERS;
}

/* Replaces the file that PATH leads to. It keeps its mode and, if we may, its owner. */
static int replace(const char *path, const struct text *t)
{
	_cleanup_free_ char *file = realpath(path, NULL);
	struct stat st;
	int rc = file && !stat(file, &st) ? 0 : -errno;

	if (!rc && access(file, W_OK))
		rc = -errno;
	if (!rc)
		rc = text_replace_file(t, file, &st);
	if (!rc)
		return 0;
	error(nowhere, DIAG_IO, "cannot write '%s': %s", path, strerror(-rc));
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

static int format_one(struct program *p, const char *path, bool check)
{
	struct source *src = source_from_file(p, path);
	const char *canonical = src ? parsed_canonical(p, src) : NULL;
	struct text t = { 0 };
	bool same;
	int status = 0;

	if (!canonical)
		return STATUS_FAILED;
	format_source(src, &t);
	check_meaning(canonical, p, src, &t);
	same = t.len == src->len && !memcmp(text_str(&t), src->text, t.len);
	if (check)
		status = same ? 0 : differs(src);
	else if (!src->path)
		status = print_formatted(&t);
	else if (!same)
		status = replace(path, &t);
	text_deinit(&t);
	return status;
}

int fmt_run(int argc, char **argv)
{
	bool check = argc && !strcmp(argv[0], "--check");
	struct program p = { 0 };
	int worst = 0;

	argc -= check;
	argv += check;
	for (int i = 0; i < argc; i++)
		if (argv[i][0] == '-' && argv[i][1])
			return command_misused("fmt takes --check and files, not '%s'", argv[i]) ? STATUS_FAILED : 0;
	diag_no_warnings = true;
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
