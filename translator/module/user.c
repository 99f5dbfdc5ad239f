/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --runtime=user: the script's C becomes a program, linked with the user runtime, in a private temporary directory.
 *
 * When it is to be run at once, the program removes itself and the directory as it starts ($KTAP_USER_REMOVE), so that
 * nothing is left behind however it ends; up to there the directory is guarded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/diag.h"
#include "lib/interrupt.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/trust.h"
#include "translator/module/build.h"
#include "translator/module/starved.h"
#include "translator/sema/pass.h"

/* libktapuser.a: beside our own program when it runs from the build directory, else where it was installed. */
static const char *find_library(void)
{
	const char *path = own_file("libktapuser.a", KTAP_LIBDIR);

	if (!access(path, R_OK))
		return path;
	error(nowhere, DIAG_BUILD, "the user runtime, %s, is not installed", path);
	note(nowhere, "'make install' puts it there");
	return NULL;
}

/* The directory for temporary files; NULL: reported. Another user who can exchange it would choose the program that runs. */
static const char *find_temporary(void)
{
	const char *tmp = getenv("TMPDIR"), *real, *why;

	if (!trust_dir(tmp && *tmp ? tmp : "/tmp", TRUST_STICKY, &real, &why))
		return real;
	error(nowhere, DIAG_UNTRUSTED, "no directory for temporary files: %s", why);
	note(nowhere, "set TMPDIR to a directory of your own, or unset it");
	return NULL;
}

static bool write_source(const char *dir, const struct text *c, const char **ret_path)
{
	int rc;

	*ret_path = arena_printf(&program_arena, "%s/script.c", dir);
	rc = text_write_file(c, *ret_path);
	if (rc)
		return error(nowhere, DIAG_IO, "cannot write %s: %s", *ret_path, strerror(-rc));
	return true;
}

/* Flags that the kernel's compilation has in common, so that warnings appear here too; the sanitizers of this build. */
static int compile(const char *source, const char *library, const char *exe, struct text *out)
{
	const char *include = arena_printf(&program_arena, "-I%s/..", data_path("runtime"));
	const char *argv[32] = {
		"gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wdeclaration-after-statement", "-Werror=overflow",
		"-Wno-restrict", "-fno-strict-overflow", "-fno-strict-aliasing", include, source, library, "-o", exe,
	};
	char sanitizers[] = KTAP_SANITIZERS, *save = NULL;
	struct proc p = { .argv = argv, .out = out, .limits = &proc_limits_compiler };
	int n = 16;

	for (char *flag = strtok_r(sanitizers, " ", &save); flag && n < 30; flag = strtok_r(NULL, " ", &save))
		argv[n++] = flag;
	return proc_run(&p);
}

/* ---- functions that only the kernel has ---- */
enum { SEARCH_DEPTH = 5 }; /* of calls, from the script's own: the library's are not nested deeper */

struct call_search {
	const char *kit_name;
	const struct node *call; /* the first of the script that leads to it */
	int depth;               /* of calls, below that one */
};

/* Context of the search: every call, the script's and those of the functions it calls. */
static bool find_call(struct node *n, void *data)
{
	struct call_search *s = data;
	const struct node *own = n->kind == ND_CALL && n->loc.src && !n->loc.src->tapset ? n : NULL;

	for (struct function *f = n->kind == ND_CALL && !s->call ? n->func : NULL; f; f = f->overload) {
		struct call_search below = { .kit_name = s->kit_name, .depth = s->depth + 1 };

		if (f->kit && f->kit_name && !strcmp(f->kit_name, s->kit_name))
			s->call = n;
		else if (f->body && s->depth < SEARCH_DEPTH)
			node_visit(f->body, find_call, &below);
		if (below.call)
			s->call = below.call->loc.src && !below.call->loc.src->tapset ? below.call : own ? own : below.call;
	}
	return !s->call;
}

/* Reports the function that the linker lacks, at the call that needs it. */
static void report_kernel_only(const struct program *p, const char *kit_name)
{
	struct call_search s = { .kit_name = kit_name };

	for (const struct probe *pr = p->probes; pr; pr = pr->next)
		node_visit(pr->body, find_call, &s);
	error(s.call ? s.call->loc : nowhere, DIAG_UNSUPPORTED, "'%s()' works in the kernel only", s.call ? s.call->name : kit_name);
	note(s.call ? s.call->loc : nowhere, "run the script without --runtime=user");
}

/* Does OUT, of the linker, complain of functions of the kit? */
static bool needs_kernel(const struct program *p, const struct text *out)
{
	static const char undefined[] = "undefined reference to `kt_fn_";
	const char *last = NULL;

	for (const char *s = text_str(out); (s = strstr(s, undefined)); ) {
		const char *name;

		s += sizeof(undefined) - 1;
		name = intern_n(s, strcspn(s, "'"));
		if (name != last)
			report_kernel_only(p, name);
		last = name;
	}
	return last != NULL;
}

/* The first lines are what helps; the source is kept for whoever reports it. */
static bool compile_failed(const char *source, const struct text *out, int rc)
{
	if (rc == -ENOENT || rc == 127)
		return error(nowhere, DIAG_BUILD, "gcc is not installed");
	if (rc < 0)
		return error(nowhere, DIAG_BUILD, "cannot run gcc: %s; the script's C is kept as %s", strerror(-rc), source);
	error(nowhere, DIAG_BUILD, "the script's C does not compile; it is kept as %s", source);
	note(nowhere, "%.*s", (int)strnlen(text_str(out), 2000), text_str(out));
	return false;
}

bool build_user(struct program *p, const struct text *c, char **ret_exe)
{
	const char *library = find_library(), *tmp = library ? find_temporary() : NULL, *source;
	_cleanup_text_ struct text out = { 0 };
	bool ok = false;
	char *dir;
	int rc;

	if (!tmp)
		return false;
	dir = arena_printf(&program_arena, "%s/ktap-user-XXXXXX", tmp);
	if (!mkdtemp(dir))
		return error(nowhere, DIAG_IO, "cannot make a directory %s: %s", dir, strerror(errno));
	interrupt_guard(dir);
	if (!write_source(dir, c, &source)) {
		remove_tree(dir);
		interrupt_unguard();
		return false;
	}
	*ret_exe = arena_printf(&program_arena, "%s/script", dir);
	rc = compile(source, library, *ret_exe, &out);
	if (rc && (needs_kernel(p, &out) || embedded_errors(p, &out))) {
		unlink(source);
		rmdir(dir);
	} else if (rc && !starved_report(&out, "the script's program", dir)) {
		compile_failed(source, &out, rc);
	} else if (!rc) {
		ok = true;
		/* A warning is a defect of ours: the tests see it. */
		if (out.len)
			warning(nowhere, DIAG_BUILD, "the compiler says of the script's C: %s", text_str(&out));
		if (!p->build.keep)
			unlink(source);
	}
	if (ok && p->session.last_pass == 5 && !p->build.keep)
		setenv("KTAP_USER_REMOVE", *ret_exe, 1);
	else
		interrupt_unguard();
	return ok;
}
