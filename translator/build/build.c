/* Pass 4: a script's C becomes a module, from the cache if the same C was built for the same kit before. */
#include "translator/build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/interrupt.h"
#include "translator/options.h"

static const struct loc nowhere;

/* Copies the module OLD_NAME as NAME, and moves it into place, so that TO never is half of one. 0 or -errno. */
static int copy_module(const char *from, const char *to, const char *old_name, const char *name)
{
	_cleanup_free_ char *tmp = xasprintf("%s.tmp-%d", to, (int)getpid());
	_cleanup_close_ int in = open(from, O_RDONLY | O_CLOEXEC);
	_cleanup_close_ int out = -1;
	struct stat st;
	ssize_t n = 1;
	int rc = 0;

	if (in < 0 || fstat(in, &st) < 0)
		return -errno;
	out = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (out < 0)
		return -errno;
	interrupt_guard(tmp);
	for (off_t left = st.st_size; left > 0 && n > 0; left -= n)
		n = sendfile(out, in, NULL, (size_t)left);
	if (n <= 0)
		rc = n < 0 ? -errno : -EIO;
	if (!rc)
		rc = module_set_name(tmp, old_name, name);
	if (!rc && rename(tmp, to) < 0)
		rc = -errno;
	if (rc)
		unlink(tmp);
	interrupt_unguard();
	return rc;
}

/* What the compiler said, indented below the error. */
static void show_output(const struct text *out)
{
	const char *p = text_str(out);

	while (*p) {
		size_t len = strcspn(p, "\n");

		fprintf(stderr, "    %.*s\n", (int)len, p);
		p += len + (p[len] == '\n');
	}
}

static bool compile_error(const struct text *out, const char *work)
{
	error(nowhere, DIAG_BUILD, "the C compiler refused the generated script.c");
	show_output(out);
	note(nowhere, "the C is in %s/script.c and is what -p3 prints; if the script has no embedded C this is a fault of "
		      "ktap", work);
	return false;
}

/* KTAP_BUILD_WARNINGS: tests set it, what the compiler says is then looked at, also of what was built before. */
static bool wants_warnings(const struct options *opt)
{
	return opt->verbose || getenv("KTAP_BUILD_WARNINGS");
}

/* Makes WORK/KIT_NAME.ko by the quick road, else by the plain one. False: reported; WORK stays for a look. */
static bool make_module(const struct options *opt, const struct kit *kit, const char *work, const char *c)
{
	struct text out = { 0 };
	enum replay_result result = REPLAY_FAILED;
	bool ok = true;

	/* Embedded C wants the kernel's headers and, for the kernel's symbols, modpost. */
	if (!opt->kbuild && !opt->make && !strstr(c, "\n#define KT_EMBEDDED")) {
		result = replay_run(kit, work, c, &out);
		if (result == REPLAY_FAILED && opt->verbose) {
			note(nowhere, "replaying Kbuild's commands failed, running Kbuild itself");
			show_output(&out);
		}
	}
	if (result == REPLAY_COMPILE_ERROR)
		ok = compile_error(&out, work);
	if (result == REPLAY_FAILED) {
		text_clear(&out);
		ok = kbuild_run(kit, work, c, opt->make, &out);
		if (!ok) {
			error(nowhere, DIAG_BUILD, "Kbuild failed for kernel %s", kit->kernel->release);
			show_output(&out);
			note(nowhere, "the tree is kept in %s; run make -C %s M=%s KT_NAME=%s there", work,
			     kit->kernel->build_dir, work, KIT_NAME);
		}
	}
	/* Kbuild says what it does even when all is well. */
	if (ok && wants_warnings(opt) && (result == REPLAY_DONE ? out.len > 0 : !!strstr(text_str(&out), "warning:"))) {
		warning(nowhere, DIAG_BUILD, "the compiler or objtool says of the script's C:");
		show_output(&out);
	}
	text_deinit(&out);
	return ok;
}

/* Makes the module NAME in WORK and moves it to PATH. False: reported. */
static bool make_named(const struct options *opt, const struct kit *kit, const char *work, const char *c, const char *name,
		       const char *path)
{
	_cleanup_free_ char *made = xasprintf("%s/%s.ko", work, KIT_NAME);
	int rc;

	if (!make_module(opt, kit, work, c))
		return false;
	rc = module_set_name(made, KIT_NAME, name);
	if (rc)
		return error(nowhere, DIAG_BUILD, "cannot name the module '%s' in '%s': %s", name, made, strerror(-rc));
	if (rename(made, path) < 0)
		return error(nowhere, DIAG_CACHE, "cannot move '%s' to '%s': %s", made, path, strerror(errno));
	return true;
}

/* The module NAME at PATH in the cache: it is there, or it is made now. False: reported. */
static bool obtain(const struct options *opt, const struct kit *kit, const char *c, const char *name, const char *path)
{
	const char *work;
	bool ok;

	if (!opt->no_cache && !opt->keep && !getenv("KTAP_BUILD_WARNINGS") && !utimensat(AT_FDCWD, path, NULL, 0)) {
		if (opt->verbose)
			fprintf(stderr, "%s is from the cache\n", name);
		return true;
	}
	work = cache_work_dir();
	if (!work)
		return false;
	interrupt_guard(work);
	ok = make_named(opt, kit, work, c, name, path);
	if (ok && !opt->keep)
		remove_tree(work);
	interrupt_unguard();
	if (ok && opt->keep)
		fprintf(stderr, "kept %s\n", work);
	if (ok)
		cache_trim();
	return ok;
}

bool build_module(struct program *p, const struct text *c, char **ret_ko)
{
	const struct options *opt = p->options;
	const struct kernel *k = kernel_find(opt->release);
	const char *name;
	char *path, *own;
	struct kit kit;
	struct hash h;
	int rc;

	if (!k || !kit_open(k, opt->verbose, &kit))
		return false;
	hash_init(&h);
	hash_add_str(&h, kit.key);
	hash_add_str(&h, text_str(c));
	for (const char **m = opt->make; m && *m; m++)
		hash_add_str(&h, *m);
	name = arena_printf(&program_arena, "ktap_%.16s", hash_hex(&h));
	path = arena_printf(&program_arena, "%s/module/%s.ko", cache_dir(), name);
	if (!obtain(opt, &kit, text_str(c), name, path))
		return false;
	*ret_ko = path;
	if (!opt->module_name)
		return true;
	own = arena_printf(&program_arena, "%s.ko", opt->module_name);
	rc = copy_module(path, own, name, opt->module_name);
	if (rc)
		return error(nowhere, DIAG_IO, "cannot write the module '%s': %s", own, strerror(-rc));
	*ret_ko = own;
	return true;
}
