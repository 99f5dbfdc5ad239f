/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build, from C text to module files, with a kernel whose headers are installed: the kit is built twice here, which takes
 * seconds. Nothing is loaded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/interrupt.h"
#include "testsuite/unit/tap.h"
#include "translator/module/build.h"

static const char hello[] = "#include \"runtime/script.h\"\n"
			    "KT_SCRIPT_STACK;\n"
			    "const struct kt_script kt_script = { .abi = KT_ABI, .string_max = 16, .max_errors = %d };\n%s\n";

static struct platform platform;
static struct build_settings settings;

/* Builds the script with EXTRA text in it; NUMBER makes it another script. */
static bool build(int number, const char *extra, char **ret_ko)
{
	struct program p = { .platform = platform, .build = settings };
	struct text c = { 0 };
	bool good;
	int fd = -1;

	*ret_ko = NULL;
	text_printf(&c, hello, number, extra);
	good = build_module(&p, &c, ret_ko, &fd);
	if (fd >= 0)
		close(fd);
	text_deinit(&c);
	return good;
}

/* stderr of the diagnostics that are expected goes away. */
static bool build_fails(int number, const char *extra)
{
	int saved = dup(2), null = open("/dev/null", O_WRONLY), before = diag_errors(NULL);
	char *ko;
	bool good;

	dup2(null, 2);
	good = build(number, extra, &ko);
	dup2(saved, 2);
	close(saved);
	close(null);
	return !good && diag_errors(NULL) > before;
}

/* A release whose headers are installed; NULL: none. */
static const char *some_release(void)
{
	DIR *d = opendir("/lib/modules");
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path = arena_printf(&program_arena, "/lib/modules/%s/build/Makefile", e->d_name);

		if (!access(path, R_OK))
			return e->d_name; /* the folder stays open: the name stays valid */
	}
	return NULL;
}

/* How many entries SUB of the cache has. */
static int entries(const char *cache, const char *sub)
{
	DIR *d = opendir(arena_printf(&program_arena, "%s/%s", cache, sub));
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

/* Two at once, no kit yet: one builds it, the other waits. */
static void test_concurrent(const char *cache)
{
	pid_t pid[2];
	char *ko;

	for (int i = 0; i < 2; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(!build(i, "", &ko));
	}
	for (int i = 0; i < 2; i++) {
		int status = -1;

		waitpid(pid[i], &status, 0);
		is_int(status, 0, "a build beside another one, from an empty cache");
	}
	is_int(entries(cache, "kit"), 1, "they made one kit");
	is_int(entries(cache, "module"), 2, "and two modules");
	is_int(entries(cache, "work"), 0, "and left no work folder");
}

static void test_modules(const char *cache)
{
	const struct kernel *k = kernel_find(NULL, platform.release);
	struct stat a, b;
	char *ko, *again;

	ok(build(2, "", &ko) && !module_check(ko, k), "a module for that kernel");
	ok(!stat(ko, &a) && build(2, "", &again) && !stat(again, &b) && a.st_ino == b.st_ino, "the same C: from the cache");
	settings.module_name = "my_name";
	ok(build(2, "", &ko) && !strcmp(ko, "my_name.ko") && !module_check(ko, k), "-m: in the current folder");
	is_int(module_set_name("my_name.ko", "my_name", "another_name"), 0, "its name is in its two places");
	is_int(module_set_name("my_name.ko", "my_name", "another_name"), -ENOENT, "and was replaced there");
	is_int(module_set_name("my_name.ko", "another_name", "ktap_name_is_written_here_ktap_name_is_written_here_ktap"),
	       -ENAMETOOLONG, "a name that is too long for the kernel");
	settings.module_name = NULL;
	unlink("my_name.ko");
	(void)cache;
}

static void test_roads(void)
{
	char *ko;

	settings.kbuild = true;
	ok(build(3, "", &ko), "--kbuild");
	settings.kbuild = false;
	ok(build(4, "long ktime_get_seconds(void);\nlong f(void);\nlong f(void) { return ktime_get_seconds(); }", &ko),
	   "a kernel symbol the kit does not use: plain Kbuild does it");
	ok(build_fails(5, "int f("), "C that does not compile");
	ok(build_fails(6, "void no_such(void);\nvoid f(void);\nvoid f(void) { no_such(); }"), "a symbol nobody has");
}

/* A builder that was killed leaves a kit without its last file. */
static void test_crashed_builder(const char *cache)
{
	char *ko;
	DIR *d = opendir(arena_printf(&program_arena, "%s/kit", cache));
	struct dirent *e;

	while (d && (e = readdir(d))) {
		unlink(arena_printf(&program_arena, "%s/kit/%s/ready", cache, e->d_name));
		unlink(arena_printf(&program_arena, "%s/kit/%s/kit.o", cache, e->d_name));
	}
	if (d)
		closedir(d);
	ok(build(7, "", &ko), "a half-built kit is built anew");
}

static void test_bad_cache(const char *dir)
{
	/* cache_dir() remembers a good folder: another process asks. */
	char *open_dir = arena_printf(&program_arena, "%s/open", dir), *spaced = arena_printf(&program_arena, "%s/a b", dir);
	const char *bad[] = { open_dir, spaced, "/proc/nowhere" };

	mkdir(open_dir, 0777);
	chmod(open_dir, 0777);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();
		int status = -1;

		if (!pid) {
			setenv("KTAP_CACHE_DIR", bad[i], 1);
			_exit(!build_fails(8, ""));
		}
		waitpid(pid, &status, 0);
		is_int(status, 0, "a cache folder that cannot be trusted or used is refused");
	}
}

int main(void)
{
	char dir[] = "/tmp/ktap-build-test-XXXXXX", *cache;

	platform.release = some_release();
	if (!platform.release) {
		printf("1..0 # SKIP no kernel headers are installed\n");
		return 0;
	}
	if (!mkdtemp(dir))
		return 1;
	cache = arena_printf(&program_arena, "%s/cache", dir);
	test_bad_cache(dir);
	setenv("KTAP_CACHE_DIR", cache, 1);
	test_concurrent(cache);
	test_modules(cache);
	test_roads();
	test_crashed_builder(cache);
	platform.release = "9.9.9-none";
	ok(build_fails(9, ""), "a kernel without headers");
	remove_tree(dir);
	return tap_done();
}
