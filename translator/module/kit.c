/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kits: the compiled runtime for one kernel, in the cache, built once by Kbuild.
 *
 * A kit's directory is a tree for Kbuild: runtime/ as in the sources, Kbuild, script.c with an empty script. Kbuild writes kconf.h
 * first, which has the answers about this kernel. The tree is built where it stays, because the commands that Kbuild records name it; the file
 * "ready", written last, makes it valid. kit.o in it is the kit without the script, linked.
 */
#include "lib/vec.h"
#include "translator/module/build.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "lib/arena.h"
#include "lib/interrupt.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/rows.h"
#include "lib/status.h"
#include "lib/trust.h"
#include "runtime/abi.h"
#include "translator/module/starved.h"
#include "translator/machine/machine.h"

/* Directories of the runtime that the kernel side is built from, and single files. */
static const char *const source_folders[] = { "core", "kit", "kit/kconf", "arch", NULL };
static const char *const source_files[] = { "abi.h", "families.def", "embedded.h", "fn.h", "locate.h", "script.h", NULL };

/* Links with any kit; its module loads and does nothing. */
static const char empty_script[] = "#include \"runtime/locate.h\"\n"
				   "KT_SCRIPT_STACK;\n"
				   "const struct kt_script kt_script = { .abi = KT_ABI, .string_max = 16 };\n";

const char *kit_sources(void)
{
	return data_path("runtime");
}

/* Returns the path of the source file NAME, to be freed. TOP: kit_sources(). What the build makes is not among the sources before it is
 * installed with them: it is below the program's own directory. */
static char *source_path(const char *top, const char *name)
{
	char *path = xasprintf("%s/%s", top, name);

	if (!access(path, R_OK))
		return path;
	free(path);
	return xstrdup(own_file(arena_printf(&program_arena, "runtime/%s", name), top));
}

const char *kit_srcarch(const struct kernel *k)
{
	return k->machine->srcarch;
}

/* ---- source files ---- */
static bool is_source(const char *name)
{
	size_t len = strlen(name);

	return !strcmp(name, "Kbuild") || (len > 4 && (!strcmp(name + len - 4, ".def") || !strcmp(name + len - 4, ".awk"))) ||
	       (len > 2 && name[len - 2] == '.' && strchr("ch", name[len - 1]));
}

/* All source files below TOP, the runtime's directory, as relative paths, sorted. NULL-terminated; NULL: none. */
static const char **list_sources(const char *top)
{
	const char **list = NULL;
	size_t n = 0;

	for (int i = 0; source_folders[i]; i++) {
		_cleanup_free_ char *dir = xasprintf("%s/%s", top, source_folders[i]);
		DIR *d = opendir(dir);
		struct dirent *e;

		if (!d)
			return NULL;
		while ((e = readdir(d))) {
			if (!is_source(e->d_name))
				continue;
			*vec_add(list, n) = arena_printf(&program_arena, "%s/%s", source_folders[i], e->d_name);
		}
		closedir(d);
	}
	for (int i = 0; source_files[i]; i++)
		*vec_add(list, n) = source_files[i];
	sort_rows(list, n, by_string);
	*vec_add(list, n) = NULL;
	return list;
}

static int write_text(const char *dir, const char *name, const char *s)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", dir, name);
	_cleanup_text_ struct text t = { 0 };

	text_puts(&t, s);
	return text_write_file(&t, path);
}

static int copy_text(const char *from, const char *to)
{
	_cleanup_text_ struct text t = { 0 };

	return text_read_file(&t, from) ? text_write_file(&t, to) : -errno;
}

static int copy_sources(const char *dir)
{
	static const char *const made[] = { "runtime", "runtime/core", "runtime/kit", "runtime/kit/kconf",
					    "runtime/arch", NULL };
	const char *top = kit_sources(), **list = list_sources(top);
	int rc = list ? 0 : -ENOENT;

	for (int i = 0; made[i] && !rc; i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", dir, made[i]);

		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			rc = -errno;
	}
	for (const char **s = list; s && *s && !rc; s++) {
		_cleanup_free_ char *from = source_path(top, *s);
		_cleanup_free_ char *to = xasprintf("%s/runtime/%s", dir, *s);

		rc = copy_text(from, to);
	}
	free(list);
	return rc;
}

int kit_tree(const char *dir, const char *answers, const char *missing, const char *c)
{
	_cleanup_free_ char *from = xasprintf("%s/kit/Kbuild", kit_sources());
	_cleanup_free_ char *to = xasprintf("%s/Kbuild", dir);
	int rc = copy_sources(dir);

	if (!rc)
		rc = copy_text(from, to);
	if (!rc && answers)
		rc = write_text(dir, "kconf.h", answers);
	if (!rc)
		rc = write_text(dir, LACKS_FILE, missing);
	if (!rc)
		rc = write_text(dir, "script.c", c);
	return rc;
}

/* ---- Kbuild ---- */
int kit_make(const struct kernel *k, const char *dir, const char *const *extra, struct text *out)
{
	const char *argv[26 + CROSS_SETTINGS] = { "make", "-C", k->build_dir, NULL };
	int n = 3;

	argv[n++] = arena_printf(&program_arena, "M=%s", dir);
	argv[n++] = arena_printf(&program_arena, "-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
	argv[n++] = arena_printf(&program_arena, "KT_NAME=%s", KIT_NAME);
	argv[n++] = "CFLAGS_MODULE=-g0";           /* nobody debugs it, and it triples the time */
	argv[n++] = "CONFIG_DEBUG_INFO_BTF_MODULES="; /* pahole wants the -g that is gone */
	argv[n++] = "LC_ALL=C";
	n += cross_settings(k, argv + n);
	for (; *extra && n < 25 + CROSS_SETTINGS; extra++)
		argv[n++] = *extra;
	return proc_run(&(struct proc){ .argv = argv, .out = out, .env = proc_make_env, .limits = &proc_limits_compiler });
}

int kit_make_module(const struct kernel *k, const char *dir, const char *const *settings, struct text *out)
{
	const char *argv[MAKE_SETTINGS_MAX + 3] = { "modules" };
	int n = 1, rc;

	while (settings && *settings && n <= MAKE_SETTINGS_MAX)
		argv[n++] = *settings++;
	rc = kit_make(k, dir, argv, out);
	if (rc <= 0 || !strstr(text_str(out), "rest.o] Error"))
		return rc;
	text_clear(out);
	argv[n] = "KT_PLAIN=1";
	return kit_make(k, dir, argv, out);
}

/* ---- questions ---- */
/* A question to the kernel: runtime/kit/kconf/NAME.c. */
struct question {
	const char *name;
	bool no;
};

/* All questions; the last has no name. */
static struct question *list_questions(void)
{
	static const char prefix[] = "kit/kconf/";
	const char **list = list_sources(kit_sources());
	struct question *all = NULL;
	size_t n = 0;

	for (const char **s = list; s && *s; s++) {
		size_t len = strlen(*s);

		if (!strncmp(*s, prefix, sizeof(prefix) - 1) && !strcmp(*s + len - 2, ".c"))
			*vec_add(all, n) = (struct question){
				.name = arena_strndup(&program_arena, *s + sizeof(prefix) - 1, len - sizeof(prefix) - 1),
			};
	}
	*vec_add(all, n) = (struct question){ 0 };
	free(list);
	return all;
}

/* Answers the questions by the objects that could be made of them. */
static void read_objects(const char *dir, struct question *all)
{
	for (struct question *q = all; q->name; q++) {
		_cleanup_free_ char *path = xasprintf("%s/runtime/kit/kconf/%s.o", dir, q->name);

		q->no = access(path, F_OK) < 0;
	}
}

/* A failed question is an answer, so the exit status of make means nothing. These two have one answer everywhere. */
static bool controls_hold(const struct question *all)
{
	int right = 0;

	for (const struct question *q = all; q->name; q++)
		right += q->no ? !strcmp(q->name, "control_no") : !strcmp(q->name, "control_yes");
	return right == 2;
}

static int write_answers(const char *dir, const struct question *all)
{
	_cleanup_text_ struct text answers = { 0 };

	for (const struct question *q = all; q->name; q++) {
		text_puts(&answers, "#define KCONF_");
		for (const char *s = q->name; *s; s++)
			text_printf(&answers, "%c", toupper((unsigned char)*s));
		text_printf(&answers, " %d\n", !q->no);
	}
	return write_text(dir, "kconf.h", text_str(&answers));
}

/* Did the build in DIR, whose output is OUT, lack room or memory? Reported then. */
static bool is_starved(const struct kernel *k, const char *dir, const struct text *out)
{
	return starved_report(out, arena_printf(&program_arena, "the kit for kernel %s", k->release), dir);
}

/* Asks each question alone in DIR and writes kconf.h. False: reported. */
static bool ask(const struct kernel *k, const char *dir)
{
	_cleanup_free_ struct question *all = list_questions();
	_cleanup_free_ char *folder = xasprintf("%s/runtime/kit/kconf", dir);
	_cleanup_text_ struct text out = { 0 };
	int rc = kit_make(k, folder, (const char *const[]){ "-k", "-s", NULL }, &out);
	bool ok;

	/* A question that was not compiled for want of memory has no answer. */
	if (is_starved(k, dir, &out)) {
		return false;
	}
	read_objects(dir, all);
	ok = rc >= 0 && controls_hold(all);
	if (!ok) {
		error((struct loc){ 0 }, DIAG_BUILD, rc < 0 ? "cannot run make: %s" : "Kbuild does not work for kernel %s",
		      rc < 0 ? strerror(-rc) : k->release);
		if (rc >= 0 && out.len)
			fprintf(stderr, "%s", text_str(&out));
		note((struct loc){ 0 }, "the build tree is %s; 'ktap doctor' names what it lacks", k->build_dir);
	}
	return ok && !write_answers(dir, all);
}

/* ---- building ---- */
const char **kit_objects(const char *dir)
{
	_cleanup_free_ char *path = xasprintf("%s/%s.mod", dir, KIT_NAME);
	_cleanup_text_ struct text list = { 0 };
	const char **ret;
	char *save = NULL;
	int n = 0;

	if (!text_read_file(&list, path) || !list.len)
		return NULL;
	ret = arena_array(&program_arena, const char *, list.len / 2 + 2);
	for (char *o = strtok_r(list.buf, " \n", &save); o; o = strtok_r(NULL, " \n", &save)) {
		const char *base = strrchr(o, '/');

		if (strcmp(base ? base + 1 : o, "script.o")) /* since 13b25489b6f8 in v6.13 names are relative to DIR */
			ret[n++] = *o == '/' ? arena_strdup(&program_arena, o) : arena_printf(&program_arena, "%s/%s", dir, o);
	}
	return ret;
}

/* The objects of the kit without the script's, linked to kit.o with Kbuild's linker. */
static int prelink(const struct kernel *k, const char *dir, struct text *out)
{
	const char *argv[256] = { cross_linker(k), "-r", "-o", arena_printf(&program_arena, "%s/kit.o", dir) };
	const char **objects = kit_objects(dir);

	if (!objects)
		return -errno;
	for (int n = 4; *objects && n < 255; n++)
		argv[n] = *objects++;
	return proc_run(&(struct proc){ .argv = argv, .out = out, .limits = &proc_limits_compiler });
}

/* Does OUT, the output of a failed build, blame sources or symbols? */
static bool will_fail_again(const struct text *out)
{
	return strstr(text_str(out), "error:") || strstr(text_str(out), "undefined!");
}

/* The kit in DIR failed to build before, from the same sources, headers and compiler: its name says so. */
static bool failed_before(const struct kernel *k, const char *dir)
{
	_cleanup_free_ char *log = xasprintf("%s/failed", dir);
	const char *real, *why;

	if (access(log, R_OK) || trust_dir(dir, 0, &real, &why))
		return false;
	error((struct loc){ 0 }, DIAG_BUILD, "the kit for kernel %s does not build, as before", k->release);
	note((struct loc){ 0 }, "what the compiler said is in %s; after a change of ktap, the compiler or the kernel's headers it "
	     "is built again, or when that directory is removed", log);
	return true;
}

/* Builds the kit in DIR, under its lock. False: reported. */
static bool build(const struct kernel *k, const char *dir, const char *key)
{
	struct text out = { 0 };
	_cleanup_free_ char *answers = xasprintf("%s/kconf.h", dir);
	int rc;

	remove_tree(dir); /* of a builder that did not get to the end */
	rc = mkdir(dir, 0755) < 0 ? -errno : kit_tree(dir, NULL, "", empty_script);
	if (rc) {
		remove_tree(dir);
		return error((struct loc){ 0 }, DIAG_BUILD, "cannot prepare the kit in '%s' from '%s': %s", dir,
			     kit_sources(), strerror(-rc));
	}
	rc = kit_make_module(k, dir, NULL, &out);
	if (rc > 0 && is_starved(k, dir, &out)) {
		text_deinit(&out);
		return false;
	}
	if (rc && access(answers, F_OK)) {
		text_deinit(&out);
		if (!ask(k, dir))
			return false;
		rc = kit_make_module(k, dir, NULL, &out);
	}
	if (rc > 0 && lacks_supply(k, dir)) {
		text_clear(&out);
		rc = kit_make_module(k, dir, NULL, &out);
	}
	if (!rc)
		rc = prelink(k, dir, &out);
	if (!rc)
		rc = write_text(dir, "ready", key);
	if (rc && !is_starved(k, dir, &out)) {
		error((struct loc){ 0 }, DIAG_BUILD, "the kit for kernel %s does not build", k->release);
		fprintf(stderr, "%s", text_str(&out));
		if (will_fail_again(&out))
			write_text(dir, "failed", text_str(&out));
		if (!lacks_explain(k, dir))
			note((struct loc){ 0 }, "the tree stays in %s; this is a fault of ktap %s or of the kernel's headers%s", dir,
			     PACKAGE_VERSION, *KTAP_BUG_URL ? "; report it to " KTAP_BUG_URL : "");
	}
	text_deinit(&out);
	return !rc;
}

/* ---- opening ---- */
/* Reads .kernelvariables of Debian, which is empty elsewhere, and returns the compiler that it names, or that of LLVM. */
static const char *read_compiler(const struct kernel *k, struct text *variables)
{
	_cleanup_free_ char *path = xasprintf("%s/.kernelvariables", k->build_dir);
	const char *cc = text_read_file(variables, path) ? strstr(text_str(variables), "gcc-") : NULL;

	if (cross_config(k, "CC_IS_CLANG"))
		return cross_llvm(k, "clang");
	return cross_program(k, cc ? arena_strndup(&program_arena, cc, strcspn(cc, " \t\n)")) : "gcc");
}

const char *kit_compiler(const struct kernel *k)
{
	_cleanup_text_ struct text variables = { 0 };

	return read_compiler(k, &variables);
}

/* A compiler's file stands for its version: asking it would cost as much as compiling a script. */
static void hash_compiler(struct hash *h, const struct kernel *k)
{
	_cleanup_text_ struct text variables = { 0 };
	const char *names[] = { read_compiler(k, &variables), cross_linker(k) };

	if (variables.len)
		hash_add(h, text_str(&variables), variables.len);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *file = program_path(names[i]);

		if (file)
			hash_add_stat(h, file);
	}
}

/* Hashes everything the kit depends on but its path. False: the sources are not there. */
static bool hash_kit(struct hash *ret, const struct kernel *k)
{
	static const char *const tree_files[] = { "Module.symvers", "include/generated/autoconf.h",
						  "include/generated/utsrelease.h", "Makefile", NULL };
	const char *top = kit_sources(), **list = list_sources(top);
	struct hash h;

	if (!list)
		return false;
	hash_init(&h);
	/* Commits of one release differ in their sources, which are hashed below. */
	hash_add_str(&h, arena_printf(&program_arena, "%.*s", (int)strcspn(PACKAGE_VERSION, "-"), PACKAGE_VERSION));
	hash_add_str(&h, k->release);
	hash_add_str(&h, k->machine->name);
	hash_add_str(&h, k->build_dir);
	for (int i = 0; tree_files[i]; i++) {
		_cleanup_free_ char *path = xasprintf("%s/%s", k->build_dir, tree_files[i]);

		hash_add_stat(&h, path);
	}
	hash_compiler(&h, k);
	for (const char **s = list; *s; s++) {
		_cleanup_free_ char *path = source_path(top, *s);
		_cleanup_text_ struct text t = { 0 };

		hash_add_str(&h, *s);
		if (text_read_file(&t, path))
			hash_add(&h, text_str(&t), t.len);
	}
	free(list);
	*ret = h;
	return true;
}

/* Sets the kit's key and directory in CACHE. The path is part of the key, because files of Kbuild in the kit name the directory: a
 * cache that was copied or renamed gets new kits. */
static void place_kit(struct kit *ret, struct hash h, const char *cache)
{
	_cleanup_free_ char *real = realpath(cache, NULL);

	hash_add_str(&h, real ? real : cache);
	ret->key = hash_hex(&h);
	ret->dir = arena_printf(&program_arena, "%s/kit/%s-%.*s", cache, ret->kernel->release, KIT_KEY_LENGTH, ret->key);
}

/* True if the kit in DIR is complete and nobody else can change it; it counts as used now. */
static bool is_ready(const char *dir)
{
	_cleanup_free_ char *ready = xasprintf("%s/ready", dir);
	const char *real, *why;
	_cleanup_close_ int fd = cache_open(ready);

	return fd >= 0 && !trust_dir(dir, 0, &real, &why);
}

bool kit_open(const struct kernel *k, int verbose, struct kit *ret)
{
	_cleanup_free_ char *makefile = xasprintf("%s/Makefile", k->build_dir ? k->build_dir : "");
	_cleanup_close_ int lock = -1;
	const char *shared, *why;
	struct hash h;
	bool ok;

	if (!k->build_dir || access(makefile, R_OK) < 0) {
		error((struct loc){ 0 }, DIAG_NO_KERNEL, "the headers of kernel %s are not installed", k->release);
		package_note(NULL, PACKAGE_HEADERS, k->release, "the headers of that kernel");
		return false;
	}
	if (!cache_dir())
		return false;
	ret->kernel = k;
	if (!hash_kit(&h, k))
		return error((struct loc){ 0 }, DIAG_BUILD, "the runtime's sources are not in '%s': %s; set KTAP_RUNTIME",
			     kit_sources(), strerror(errno));
	shared = shared_cache_path(false, &why);
	if (shared) {
		place_kit(ret, h, shared);
		if (is_ready(ret->dir))
			return true;
	}
	place_kit(ret, h, cache_dir());
	if (is_ready(ret->dir))
		return true;
	if (!cross_check(k) || failed_before(k, ret->dir))
		return false;
	lock = cache_lock(ret->key);
	if (lock < 0)
		return error((struct loc){ 0 }, DIAG_CACHE, "cannot lock '%s': %s", ret->dir, strerror(-lock));
	if (is_ready(ret->dir)) /* another process built it while we waited */
		return true;
	if (verbose)
		fprintf(stderr, "building the kit for kernel %s in %s\n", k->release, ret->dir);
	status_begin("building the kit for %s (once, 3 to 30 s)", k->release);
	interrupt_guard(ret->dir);
	ok = build(k, ret->dir, ret->key);
	interrupt_unguard();
	status_end();
	return ok;
}
