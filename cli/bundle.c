/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --bundle: an archive as ar(1) makes it, so that every tool reads it: manifest.json, RELEASE.ko for each kernel, and the static ktaprun
 * where it was built.
 *
 * Each kernel's module is built in a child, which leaves it and its object of the manifest in two files without names. The bundle
 * gets its name when it is whole. Two bundles of the same modules are the same bytes.
 */
#include "cli/bundle.h"

#include <ar.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/run.h"
#include "config.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/rewrite.h"
#include "lib/sha256.h"
#include "runtime/abi.h"
#include "runtime/output/json.h"
#include "translator/debuginfo/target.h"
#include "translator/machine/machine.h"
#include "translator/syntax/ast.h"

/* A kernel's module. */
struct part {
	const char *wanted; /* what -r says; NULL: this kernel */
	const char *file;   /* its name in the bundle */
	struct text module, facts;
};

enum { PLAIN = 0100644, PROGRAM = 0100755 }; /* modes of members */

/* Reads the whole file FD, whoever wrote it. */
static bool read_whole(struct text *t, int fd)
{
	return !lseek(fd, 0, SEEK_SET) && !text_read_fd(t, fd) && t->len;
}

static void put_sum(struct json *j, const struct text *file)
{
	struct sha256 sum;

	sha256_init(&sum);
	sha256_add(&sum, file->buf, file->len);
	json_member_unsigned(j, "bytes", file->len);
	json_member_string(j, "sha256", sha256_hex(&sum));
}

/* ---- in the child ---- */
int bundle_take(const struct options *opt, const struct program *p, int fd)
{
	const struct kernel *k = kernel_find(NULL, opt->release);
	struct json j = { 0 };
	struct text module = { 0 };

	if (!read_whole(&module, fd)) {
		error(nowhere, DIAG_IO, "cannot read the module: %s", strerror(errno));
		return 1;
	}
	json_puts(&j, "{");
	json_member_string(&j, "file", arena_printf(&program_arena, "%s.ko", k->release));
	json_member_string(&j, "kernel", k->release);
	json_member_string(&j, "machine", k->machine->name);
	put_sum(&j, &module);
	json_member_string(&j, "script_sha256", p->sha256);
	json_puts(&j, "}");
	if (write_all(opt->bundle_module, module.buf, module.len) || write_all(opt->bundle_facts, j.buf, j.len)) {
		error(nowhere, DIAG_IO, "cannot hand over the module: %s", strerror(errno));
		return 1;
	}
	return 0;
}

/* ---- builds ---- */
/* The same of a file that is needed no more. */
static bool take_file(struct text *t, int fd)
{
	bool ok = read_whole(t, fd);

	close(fd);
	return ok;
}

static bool build_part(struct options opt, struct part *part, int (*build)(struct options *opt))
{
	int status = 0;
	pid_t pid;

	opt.release = part->wanted;
	opt.bundle_module = memfd_create("module", MFD_CLOEXEC);
	opt.bundle_facts = memfd_create("facts", MFD_CLOEXEC);
	fflush(NULL);
	pid = opt.bundle_module < 0 || opt.bundle_facts < 0 ? -1 : fork();
	if (pid < 0)
		return error(nowhere, DIAG_RUN, "cannot start the build of %s: %s", part->file, strerror(errno));
	if (!pid)
		exit(build(&opt));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (take_file(&part->module, opt.bundle_module) && take_file(&part->facts, opt.bundle_facts) && !status)
		return true;
	return error(nowhere, DIAG_BUILD, "'%s' was not written: %s could not be built", opt.bundle, part->file);
}

/* Finds the kernels of OPT, before the first module is built. The number of PARTS; -1: reported. */
static int find_kernels(const struct options *opt, struct part *parts)
{
	int n = 0;

	for (int i = 0; i < (opt->n_releases ? opt->n_releases : 1); i++) {
		struct options one = *opt;
		const struct kernel *k;
		const char *file;
		bool again = false;

		one.release = opt->n_releases ? opt->releases[i] : NULL;
		k = run_choose_kernel(&one) ? kernel_find(NULL, one.release) : NULL;
		if (!k)
			return -1;
		file = arena_printf(&program_arena, "%s.ko", k->release);
		for (int j = 0; j < n; j++)
			again |= !strcmp(parts[j].file, file);
		if (!again)
			parts[n++] = (struct part){ .wanted = one.release, .file = file };
	}
	return n;
}

/* ---- the archive ---- */
static void put_member(struct text *t, const char *name, unsigned int mode, const char *data, size_t len)
{
	text_printf(t, "%-16s%-12d%-6d%-6d%-8o%-10zu%s", name, 0, 0, 0, mode, len, ARFMAG);
	text_append(t, data, len);
	if (len % 2)
		text_puts(t, "\n");
}

/* A LOADER that is empty was not built. */
static void put_archive(struct text *t, const struct part *parts, int n, const struct text *loader)
{
	struct json manifest = { 0 };
	_cleanup_text_ struct text names = { 0 };
	size_t at = 0;

	json_puts(&manifest, "{");
	json_member_string(&manifest, "ktap", PACKAGE_VERSION);
	json_member_number(&manifest, "interface", KT_ABI);
	json_key(&manifest, "modules");
	json_puts(&manifest, "[");
	for (int i = 0; i < n; i++) {
		json_comma(&manifest);
		json_raw(&manifest, parts[i].facts.buf, parts[i].facts.len);
		text_printf(&names, "%s/\n", parts[i].file);
	}
	json_puts(&manifest, "]");
	if (loader->len) {
		json_key(&manifest, "ktaprun");
		json_puts(&manifest, "{");
		json_member_string(&manifest, "file", "ktaprun");
		json_member_string(&manifest, "machine", machine_host()->name);
		put_sum(&manifest, loader);
		json_puts(&manifest, "}");
	}
	json_puts(&manifest, "}\n");
	text_puts(t, ARMAG);
	put_member(t, "//", PLAIN, text_str(&names), names.len);
	put_member(t, "manifest.json/", PLAIN, manifest.buf, manifest.len);
	/* Names of more than 15 bytes are in the table: '/' and where there. */
	for (int i = 0; i < n; i++) {
		put_member(t, arena_printf(&program_arena, "/%zu", at), PLAIN, parts[i].module.buf, parts[i].module.len);
		at += strlen(parts[i].file) + 2;
	}
	if (loader->len)
		put_member(t, "ktaprun/", PROGRAM, loader->buf, loader->len);
	json_deinit(&manifest);
}

int bundle_run(const struct options *opt, int (*build)(struct options *opt))
{
	_cleanup_free_ struct part *parts = xmalloc((size_t)(opt->n_releases + 1) * sizeof(*parts));
	_cleanup_text_ struct text archive = { 0 }, loader = { 0 };
	int n = find_kernels(opt, parts), built = 0, err;

	while (built < n && build_part(*opt, &parts[built], build))
		built++;
	if (n > 0 && built == n) {
		if (!text_read_file(&loader, libexec_path("ktaprun-static")))
			text_clear(&loader);
		put_archive(&archive, parts, n, &loader);
		err = rewrite_path(&archive, opt->bundle);
		if (err)
			error(nowhere, DIAG_IO, "cannot write '%s': %s", opt->bundle, strerror(-err));
	}
	for (int i = 0; i < n; i++) {
		text_deinit(&parts[i].module);
		text_deinit(&parts[i].facts);
	}
	return n < 0 || built < n || diag_errors(NULL) != 0;
}
