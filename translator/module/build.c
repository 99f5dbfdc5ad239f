/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 4: a script's C becomes a module, from the cache if the same C was built for the same kit before. */
#include "translator/module/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"
#include "lib/status.h"
#include "translator/module/starved.h"
#include "translator/probe/probe.h"

/* Copies the module OLD_NAME, open as IN, as NAME, and moves the copy into place, so that TO never is half of one. Others may be
 * able to write the directory of TO, so the copy is known by its descriptor only, which is returned; -errno: it failed. */
static int copy_module(int in, const char *to, const char *old_name, const char *name)
{
	_cleanup_free_ char *tmp = xasprintf("%s.tmp-XXXXXX", to), *opened = NULL;
	mode_t mask = umask(0);
	struct stat st;
	ssize_t n = 1;
	int rc = 0, out;

	umask(mask);
	if (fstat(in, &st) < 0)
		return -errno;
	out = mkostemp(tmp, O_CLOEXEC);
	if (out < 0)
		return -errno;
	opened = xasprintf("/proc/self/fd/%d", out);
	interrupt_guard(tmp);
	for (off_t left = st.st_size; left > 0 && n > 0; left -= n)
		n = sendfile(out, in, NULL, (size_t)left);
	if (n <= 0)
		rc = n < 0 ? -errno : -EIO;
	if (!rc)
		rc = module_set_name(opened, old_name, name);
	if (!rc && (fchmod(out, 0644 & ~mask) < 0 || rename(tmp, to) < 0))
		rc = -errno;
	if (rc) {
		unlink(tmp);
		close(out);
	}
	interrupt_unguard();
	return rc ? rc : out;
}

void build_show_output(const struct text *out)
{
	const char *p = text_str(out);

	while (*p) {
		size_t len = strcspn(p, "\n");

		fprintf(stderr, "    %.*s\n", (int)len, p);
		p += len + (p[len] == '\n');
	}
}

static bool compile_error(const struct program *p, const struct text *out, const char *work)
{
	if (starved_report(out, "the module", work) || embedded_errors(p, out))
		return false;
	error(nowhere, DIAG_BUILD, "the C compiler refused the generated script.c");
	build_show_output(out);
	note(nowhere, "the C is in %s/script.c and is what -p3 prints; if the script has no embedded C this is a fault of "
		      "ktap", work);
	return false;
}

/* Is NAME what comes before AT in OUT? */
static bool ends_at(const char *out, const char *at, const char *name)
{
	size_t len = strlen(name);

	return (size_t)(at - out) >= len && !memcmp(at - len, name, len);
}

/* Whether the compiler or objtool warned about the script, and not about the kernel's headers, which are named from its tree. Objtool
 * before v5.12 does not follow the kit, hit.o and rest.o, to a handler's stack. */
static bool warns_of_script(const char *out)
{
	for (const char *at = out; (at = strstr(at, "warning:")); at++) {
		const char *line = at;

		while (line > out && line[-1] != '\n')
			line--;
		if (strncmp(line, "./", 2) && !ends_at(out, at, "/hit.o: ") && !ends_at(out, at, "/rest.o: "))
			return true;
	}
	return false;
}

/* KTAP_BUILD_WARNINGS: tests set it, what the compiler says is then looked at, also of what was built before. */
static bool wants_warnings(const struct program *p)
{
	return p->output.verbose || getenv("KTAP_BUILD_WARNINGS");
}

/* Returns whether the script's C makes modpost write more than symbol versions into the module. */
static bool needs_modpost(const char *c)
{
	return strstr(c, "EXPORT_SYMBOL") || strstr(c, "MODULE_");
}

/* Makes WORK/KIT_NAME.ko by the quick road, else by the plain one. False: reported; WORK stays for a look. */
static bool make_module(const struct program *p, const struct kit *kit, const char *work, const char *c)
{
	bool embedded = strstr(c, "\n#define KT_EMBEDDED"), ok = true;
	_cleanup_text_ struct text out = { 0 };
	enum replay_result result = REPLAY_FAILED;

	if (!p->build.kbuild && !p->build.make && !(embedded && needs_modpost(c))) {
		result = replay_run(kit, work, c, embedded, &out);
		if (result == REPLAY_FAILED && p->output.verbose) {
			note(nowhere, "replaying Kbuild's commands failed, running Kbuild itself");
			build_show_output(&out);
		}
	}
	if (result == REPLAY_COMPILE_ERROR)
		ok = compile_error(p, &out, work);
	ok &= result != REPLAY_REFUSED;
	if (result == REPLAY_FAILED) {
		text_clear(&out);
		ok = kbuild_run(kit, work, c, p->build.make, &out);
		if (!ok && !starved_report(&out, "the module", work) && !embedded_errors(p, &out)) {
			error(nowhere, DIAG_BUILD, "Kbuild failed for kernel %s", kit->kernel->release);
			build_show_output(&out);
			note(nowhere, "the tree is kept in %s; run make -C %s M=%s KT_NAME=%s there", work,
			     kit->kernel->build_dir, work, KIT_NAME);
		}
	}
	/* Kbuild says what it does even when all is well, and the kernel's headers may warn. */
	if (ok && wants_warnings(p) && (result == REPLAY_DONE && !embedded ? out.len > 0 : warns_of_script(text_str(&out)))) {
		warning(nowhere, DIAG_BUILD, "the compiler or objtool says of the script's C:");
		build_show_output(&out);
	}
	return ok;
}

/* A module that gets another name afterwards is signed after that. */
static bool is_signed_in_cache(const struct build_settings *b)
{
	return b->sign_key && !b->module_name;
}

/* ---- stack ---- */
/* Returns the script's name and location of the C function NAME. */
static const char *script_name(const struct program *p, const char *name, struct loc *ret)
{
	size_t len = strcspn(name, "."); /* a clone has more after it */

	*ret = nowhere;
	for (const struct function *f = p->functions; f; f = f->next)
		if (f->c_name && strlen(f->c_name) == len && !strncmp(f->c_name, name, len)) {
			*ret = f->loc;
			return arena_printf(&program_arena, "function '%s'", f->name);
		}
	for (const struct probe *pr = p->probes; pr && !strncmp(name, "p_", 2); pr = pr->next)
		if (pr->handler == atoi(name + 2)) {
			*ret = pr->def->loc;
			return "this probe's handler";
		}
	return arena_printf(&program_arena, "'%.*s'", (int)len, name);
}

static bool stack_exceeded(const struct program *p, const struct stack_need *need, long long limit)
{
	/* A nested call takes its frame and a return address. */
	long long each_call = need->frame + 8, fewer = need->times - 1 - (need->bytes - limit + each_call - 1) / each_call;
	const char *most, *each = "";
	struct loc loc;

	most = script_name(p, need->function, &loc);
	if (need->times > 1)
		each = arena_printf(&program_arena, " in each of up to %d nested calls", need->times);
	error(loc, DIAG_STACK, "handlers need %lld bytes of stack, and may have %lld: %s takes %d%s", need->bytes, limit, most,
	      need->frame, each);
	if (need->times > 1 && fewer > 0)
		note(nowhere, "-DMAXNESTING=%lld makes it fit, or fewer local variables in it", fewer);
	else
		note(nowhere, "give it fewer local variables: globals take no stack");
	return false;
}

/* Returns the file in the kit's directory with what stack_save() found of OBJECTS, made by the first script, in WORK. The file gets
 * another name when the format changes. */
static const char *saved_stack(const struct kit *kit, const char *work, const char *const *objects)
{
	const char *saved = arena_printf(&program_arena, "%s/stack", kit->dir);
	const char *made = arena_printf(&program_arena, "%s/stack", work);

	if (access(saved, R_OK) && stack_save(objects, made) && rename(made, saved))
		return made;
	return saved;
}

bool prepare_kit(const struct kernel *k, int verbose)
{
	const char **objects, *work;
	struct kit kit;

	if (!cache_share() || !kit_open(k, verbose, &kit))
		return false;
	work = cache_work_dir();
	if (!work)
		return false;
	objects = kit_objects(kit.dir);
	if (objects)
		saved_stack(&kit, work, objects);
	remove_tree(work);
	cache_keep_kit(k->release, kit.dir);
	puts(kit.dir);
	return true;
}

/* Proves how much stack the handlers of the module MADE in WORK need, and writes it there. False: reported. */
static bool prove_stack(const struct program *p, const struct kit *kit, const char *work, const char *made)
{
	_cleanup_free_ char *script = xasprintf("%s/script.o", work);
	const char **objects = kit_objects(work); /* by Kbuild itself, the kit's objects are there too */
	long long limit = kit->kernel->machine->stack_limit;
	struct stack_need need;
	const char *wrong, *saved = NULL;
	int rc;

	if (!objects) {
		objects = kit_objects(kit->dir);
		saved = objects ? saved_stack(kit, work, objects) : NULL;
	}
	wrong = objects && *objects ? stack_measure(script, objects, saved, p->max_nesting + 1, p->language.guru, &need) :
				      "there is no list of objects";
	if (wrong) {
		error(nowhere, DIAG_STACK, "how much stack the handlers need is not known: %s", wrong);
		note(nowhere, "nothing is run whose stack may overflow; the objects are in %s", work);
		return false;
	}
	if (need.bytes > limit)
		return stack_exceeded(p, &need, limit);
	if (p->output.verbose)
		fprintf(stderr, "handlers need at most %lld bytes of stack\n", need.bytes);
	rc = module_set_stack(made, (uint32_t)need.bytes);
	if (rc)
		return error(nowhere, DIAG_BUILD, "cannot write to the module '%s': %s", made, strerror(-rc));
	return true;
}

/* Makes the module NAME in WORK and moves it to PATH. False: reported. */
static bool make_named(const struct program *p, const struct kit *kit, const char *work, const char *c, const char *name,
		       const char *path)
{
	_cleanup_free_ char *made = xasprintf("%s/%s.ko", work, KIT_NAME);
	int rc;

	if (!make_module(p, kit, work, c) || !prove_stack(p, kit, work, made))
		return false;
	rc = module_set_name(made, KIT_NAME, name);
	if (rc)
		return error(nowhere, DIAG_BUILD, "cannot name the module '%s' in '%s': %s", name, made, strerror(-rc));
	if (is_signed_in_cache(&p->build) && !sign_module(&p->build, kit->kernel, made))
		return false;
	if (rename(made, path) < 0)
		return error(nowhere, DIAG_CACHE, "cannot move '%s' to '%s': %s", made, path, strerror(errno));
	return true;
}

/* The module NAME at PATH in the cache: it is there, or it is made now. A descriptor; -1: reported. */
static int obtain(const struct program *p, const struct kit *kit, const char *c, const char *name, const char *path)
{
	bool use = !p->build.no_cache && !p->build.keep && !getenv("KTAP_BUILD_WARNINGS"), ok;
	int fd = use ? cache_open(path) : -1;
	const char *work;

	if (fd >= 0) {
		if (p->output.verbose)
			fprintf(stderr, "%s is from the cache\n", name);
		return fd;
	}
	work = cache_work_dir();
	if (!work)
		return -1;
	status_begin("compiling the script");
	interrupt_guard(work);
	ok = make_named(p, kit, work, c, name, path);
	if (ok && !p->build.keep)
		remove_tree(work);
	interrupt_unguard();
	status_end();
	if (!ok)
		return -1;
	if (p->build.keep)
		fprintf(stderr, "kept %s\n", work);
	fd = cache_open(path);
	if (fd < 0)
		error(nowhere, DIAG_CACHE, "the module '%s' cannot be read, or others can write it", path);
	cache_trim();
	return fd;
}

/* Replaces the module OLD_NAME, open as IN, by a copy that has the name of -m and the signature that is asked for: a descriptor, or
 * -1: reported. It is signed in the cache, for others may be able to write the current directory and would have their own module
 * signed. */
static int name_in_cache(const struct build_settings *b, const struct kernel *k, int in, const char *old_name)
{
	const char *work = cache_work_dir();
	const char *path;
	int copy, fd = -1;

	if (!work) {
		close(in);
		return -1;
	}
	interrupt_guard(work);
	path = arena_printf(&program_arena, "%s/%s.ko", work, b->module_name);
	copy = copy_module(in, path, old_name, b->module_name);
	close(in);
	if (copy < 0) {
		error(nowhere, DIAG_CACHE, "cannot write the module '%s': %s", path, strerror(-copy));
	} else {
		close(copy);
		if ((!b->sign_key || sign_module(b, k, path)) && (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
			error(nowhere, DIAG_CACHE, "cannot read the module '%s': %s", path, strerror(errno));
	}
	remove_tree(work);
	interrupt_unguard();
	return fd;
}

bool build_module(struct program *p, const struct text *c, char **ret_ko, int *ret_fd)
{
	const struct kernel *k = kernel_find(p->reports, p->platform.release);
	const char *name;
	char *path, *own;
	struct kit kit;
	struct hash h, unsigned_h;
	int fd;

	if (!k || !kit_open(k, p->output.verbose, &kit) || !lacks_check(p, &kit))
		return false;
	hash_init(&h);
	hash_add_str(&h, kit.key);
	hash_add_str(&h, text_str(c));
	for (const char **m = p->build.make; m && *m; m++)
		hash_add_str(&h, *m);
	unsigned_h = h;
	if (p->build.sign_key && !sign_check(&p->build, k, &h))
		return false;
	if (!is_signed_in_cache(&p->build))
		h = unsigned_h;
	name = arena_printf(&program_arena, "ktap_%.16s", hash_hex(&h));
	path = arena_printf(&program_arena, "%s/module/%s.ko", cache_dir(), name);
	fd = *ret_fd = obtain(p, &kit, text_str(c), name, path);
	*ret_ko = path;
	if (fd < 0 || !p->build.module_name)
		return fd >= 0;
	own = arena_printf(&program_arena, "%s.ko", p->build.module_name);
	*ret_ko = own;
	if (p->build.sign_key || p->build.bundled) {
		fd = *ret_fd = name_in_cache(&p->build, k, fd, name);
		if (fd < 0 || p->build.bundled)
			return fd >= 0;
		name = p->build.module_name;
	}
	*ret_fd = copy_module(fd, own, name, p->build.module_name);
	close(fd);
	if (*ret_fd < 0)
		return error(nowhere, DIAG_IO, "cannot write the module '%s': %s", own, strerror(-*ret_fd));
	return true;
}
