/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types that a header declares: a file that includes it and nothing else is compiled with -g, by Kbuild with the kernel's
 * flags or by the machine's gcc for programs, and its DWARF is read.
 *
 * That of the kernel's own headers is kept in the cache directory, by release and build tree; that of programs takes gcc no time.
 */
#include "translator/debuginfo/header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "lib/trust.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/object.h"
#include "translator/debuginfo/opened.h"
#include "translator/debuginfo/reader.h"
#include "translator/debuginfo/store.h"
#include "translator/machine/machine.h"

struct header_memo {
	const struct kernel *kernel; /* NULL: of programs */
	const char *header;
	struct target *target;       /* NULL: it was reported */
	struct header_memo *next;
};

/* Returns the compiler of the script's machine for programs. */
static const char *user_compiler(const struct machine *m)
{
	return arena_printf(&program_arena, "%sgcc", machine_compiler(m));
}

/* Another machine's headers are in the directory of --vm-root. */
static int compile_user(const struct opened *o, const char *dir, struct text *out)
{
	const char *root = o->machine != machine_host() ? o->guest_root : NULL;
	const char *argv[] = { user_compiler(o->machine), "-g", "-fno-eliminate-unused-debug-types", "-w", "-shared", "-fPIC", "-nostdlib",
			       "-D_GNU_SOURCE", "-o", OBJECT_FILE, OBJECT_SOURCE,
			       root ? arena_printf(&program_arena, "--sysroot=%s", root) : NULL, NULL };

	return proc_run(&(struct proc){ .argv = argv, .cwd = dir, .out = out, .limits = &proc_limits_header,
		.env = (const char *const[]){ "LC_ALL=C", NULL } });
}

static void report(const struct machine *m, const struct kernel *k, const char *header, int rc, const struct text *out, struct loc loc)
{
	const char *why = strstr(text_str(out), "error: ");

	error(loc, DIAG_NO_DEBUGINFO, "the header <%s> cannot be compiled for %s", header, k ? k->release : "programs");
	if (rc == -ETIME)
		note(loc, "compiling it took more than %u seconds", proc_limits_header.seconds);
	else if (rc == -ENOENT || rc == 127)
		note(loc, "%s is not installed", k ? "make" : user_compiler(m));
	else if (why)
		note(loc, "the compiler says: %.*s", (int)strcspn(why, "\n"), why);
	else if (out->len)
		note(loc, "%.*s", (int)strcspn(text_str(out), "\n"), text_str(out));
}

static const char *includes(const char *header)
{
	const char *text = "", *end;

	for (; (end = strstr(header, "><")); header = end + 2)
		text = arena_printf(&program_arena, "%s#include <%.*s>\n", text, (int)(end - header), header);
	return arena_printf(&program_arena, "%s#include <%s>\n", text, header);
}

/* Compiles in a new directory DIR and moves the result to PATH. */
static bool compile(const struct opened *o, const struct kernel *k, const char *header, const char *dir, const char *path, struct loc loc)
{
	_cleanup_free_ char *object = xasprintf("%s/" OBJECT_FILE, dir);
	_cleanup_text_ struct text out = { 0 };
	bool ok = object_write(dir, OBJECT_SOURCE, includes(header));
	int rc = !ok ? -EIO : k ? object_compile(k, dir, "-g -fno-eliminate-unused-debug-types", &out) : compile_user(o, dir, &out);

	ok = !rc && !rename(object, path);
	if (!ok)
		report(o->machine, k, header, rc, &out, loc);
	return ok;
}

/* Is one of the headers outside of the kernel's tree? It may change, or what it includes, while the tree stays. */
static bool is_own(const char *header)
{
	return *header == '/' || strstr(header, "></");
}

/* Where the types of HEADER are kept. The characters in place of others are in no name of a header. */
static char *kept_path(const struct kernel *k, const char *header)
{
	char *name = arena_strdup(&program_arena, header);
	_cleanup_free_ char *tree = xasprintf("%s/Module.symvers", k ? k->build_dir : "");
	struct stat st = { 0 };

	for (char *c = name; (c = strpbrk(c, "/<>"));)
		*c = *c == '/' ? ',' : '=';
	if (!k)
		return store_path(arena_printf(&program_arena, "header-%s.so", name));
	if (stat(tree, &st))
		st.st_mtime = 0;
	return store_path(arena_printf(&program_arena, "header-%s-%llx-%s.o", k->release,
				       (unsigned long long)st.st_mtime, name));
}

static struct target *open_object(struct opened *o, const struct kernel *k, const char *path, struct loc loc)
{
	struct elf_file *e;
	struct target *t = NULL;

	if (!k)
		return target_open_program(o, path, loc);
	e = elf_open(path);
	if (e) {
		elf_lay_out(e);
		t = elf_relocate_debug(e) ? dwarf_open(e) : NULL;
		if (!t)
			elf_close(e);
	}
	if (t)
		t->kernel = k;
	else
		error(loc, DIAG_NO_DEBUGINFO, "the DWARF of %s cannot be read", path);
	return t;
}

/* Several are joined as "a.h><b.h". */
static bool is_clean(const char *header, struct loc loc)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

	for (const char *s = header;; s += 2) {
		size_t n = strspn(s, allowed);

		s += n;
		if (n && !*s)
			return true;
		if (!n || strncmp(s, "><", 2))
			break;
	}
	error(loc, DIAG_TARGET_TYPE, "'%s' is no name of a header", header);
	return false;
}

/* Is PATH there, and no regular file? The compiler would wait for a FIFO and read a device for ever. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* Reports one of the headers that is no regular file, by its path or in a directory where the compiler looks. */
static bool are_regular(const struct kernel *k, const char *header, struct loc loc)
{
	const char *const dirs[] = { "/usr/include", "/usr/local/include", NULL }, *tree = k && k->build_dir ? k->build_dir : "";
	const char *const kernel_dirs[] = { tree, arena_printf(&program_arena, "%s/include", tree), NULL };

	while (*header) {
		const char *end = strstr(header, "><"), *name = arena_strndup(&program_arena, header, end ? (size_t)(end - header) : strlen(header));
		bool special = *name == '/' && is_special(name);

		for (const char *const *d = k ? kernel_dirs : dirs; *name != '/' && *d; d++)
			special |= is_special(arena_printf(&program_arena, "%s/%s", *d, name));
		if (special)
			return error(loc, DIAG_NO_DEBUGINFO, "the header <%s> is not a regular file", name);
		header += strlen(name) + (end ? 2 : 0);
	}
	return true;
}

static struct target *open_header(struct opened *o, const struct kernel *k, const char *header, struct loc loc)
{
	_cleanup_free_ char *path = kept_path(k, header), *dir = store_path("header-XXXXXX");
	struct target *t = NULL;
	const char *why;
	int kept;

	if (!path || !dir || (k && !k->build_dir)) {
		error(loc, DIAG_NO_KERNEL, k && !k->build_dir ? "the headers of kernel %s are not here"
							      : "there is no cache directory to compile <%s> in",
		      k && !k->build_dir ? k->release : header);
		if (k && !k->build_dir)
			package_note(diag_reports(loc), PACKAGE_HEADERS, k->release, "the headers of that kernel");
		return NULL;
	}
	if (k && !is_own(header) && (kept = trust_open(path, &why)) >= 0) {
		close(kept);
		return open_object(o, k, path, loc);
	}
	if (!are_regular(k, header, loc))
		return NULL;
	if (!mkdtemp(dir)) {
		error(loc, DIAG_IO, "cannot make a directory %s: %s", dir, strerror(errno));
		return NULL;
	}
	interrupt_guard(dir);
	if (compile(o, k, header, dir, path, loc))
		t = open_object(o, k, path, loc);
	remove_tree(dir);
	interrupt_unguard();
	return t;
}

struct target *target_open_header(struct opened *o, const struct kernel *k, const char *header, struct loc loc)
{
	struct header_memo *m = o->headers;

	if (!is_clean(header, loc))
		return NULL;
	while (m && (m->kernel != k || strcmp(m->header, header)))
		m = m->next;
	if (m)
		return m->target;
	m = arena_new(&program_arena, struct header_memo);
	*m = (struct header_memo){ .kernel = k, .header = arena_strdup(&program_arena, header), .next = o->headers };
	o->headers = m;
	m->target = open_header(o, k, header, loc);
	return m->target;
}
