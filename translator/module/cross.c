/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The compiler and the linker of a kernel: those of gcc or of LLVM, as the kernel was built. For a kernel of another machine, a
 * cross compiler, and the kernel's build programs compiled for this machine. */
#include "translator/module/build.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/paths.h"
#include "translator/machine/machine.h"

const char *cross_program(const struct kernel *k, const char *name)
{
	return arena_printf(&program_arena, "%s%s", machine_compiler(k->machine), name);
}

int cross_config(const struct kernel *k, const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/include/config/auto.conf", k->build_dir ? k->build_dir : "");
	_cleanup_free_ char *key = xasprintf("\nCONFIG_%s=", name);
	_cleanup_text_ struct text t = { 0 };
	const char *at = text_read_file(&t, path) ? strstr(text_str(&t), key) : NULL;
	int value = 0;

	if (at) {
		at += strlen(key);
		value = *at == 'y' ? 1 : atoi(at);
	}
	return value;
}

const char *cross_llvm(const struct kernel *k, const char *name)
{
	const char *exact = arena_printf(&program_arena, "%s-%d", name, cross_config(k, "CLANG_VERSION") / 10000);

	return program_path(exact) ? exact : name;
}

const char *cross_linker(const struct kernel *k)
{
	return cross_config(k, "LD_IS_LLD") ? cross_llvm(k, "ld.lld") : cross_program(k, "ld");
}

int cross_settings(const struct kernel *k, const char **ret)
{
	static const char *const tools[][2] = {
		{ "AR", "llvm-ar" }, { "NM", "llvm-nm" }, { "OBJCOPY", "llvm-objcopy" }, { "OBJDUMP", "llvm-objdump" },
		{ "READELF", "llvm-readelf" }, { "STRIP", "llvm-strip" },
	};
	bool clang = cross_config(k, "CC_IS_CLANG"), lld = cross_config(k, "LD_IS_LLD");
	int n = 0;

	if (k->machine != machine_host()) {
		ret[n++] = arena_printf(&program_arena, "ARCH=%s", kit_srcarch(k));
		ret[n++] = arena_printf(&program_arena, "CROSS_COMPILE=%s", cross_program(k, ""));
	}
	if (clang)
		ret[n++] = arena_printf(&program_arena, "CC=%s", cross_llvm(k, "clang"));
	if (lld)
		ret[n++] = arena_printf(&program_arena, "LD=%s", cross_linker(k));
	if (!clang || !lld)
		return n;
	/* LLVM=1 names all of them, but without a version. */
	ret[n++] = "LLVM=1";
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		ret[n++] = arena_printf(&program_arena, "%s=%s", tools[i][0], cross_llvm(k, tools[i][1]));
	return n;
}

unsigned cross_elf_machine(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr eh;

	if (fd < 0 || pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || eh.e_ident[EI_MAG0] != ELFMAG0)
		return EM_NONE;
	return eh.e_machine;
}

/* Debian's headers link to the programs of another package, linux-kbuild. A container that has the headers of its host may lack
 * them.
 */
static bool check_links(const struct kernel *k)
{
	const char *link = arena_printf(&program_arena, "%s/scripts", k->build_dir);
	char target[PATH_MAX];
	ssize_t n;

	if (!access(link, F_OK))
		return true;
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return true;
	error(nowhere, DIAG_BUILD, "the headers of kernel %s are incomplete: '%s' is a link to '%.*s', which does not exist", k->release,
	      link, (int)n, target);
	note(nowhere, "in a container, mount that directory of the host too");
	package_note(NULL, PACKAGE_HEADERS, k->release, "the headers of that kernel");
	return false;
}

/* Headers of Debian and others come with the programs of their own machine. */
static bool check_build_programs(const struct kernel *k)
{
	const char *fixdep = arena_printf(&program_arena, "%s/scripts/basic/fixdep", k->build_dir);
	unsigned machine = cross_elf_machine(fixdep);

	if (machine == EM_NONE || machine == machine_host()->elf)
		return true;
	error(nowhere, DIAG_BUILD, "the headers of kernel %s have build programs that this machine does not run", k->release);
	note(nowhere, "%s is one; on Debian unpack the package linux-kbuild of %s over them; in a source tree run: make ARCH=%s "
	     "CROSS_COMPILE=%s modules_prepare", fixdep, machine_host()->script, kit_srcarch(k), cross_program(k, ""));
	return false;
}

bool cross_check(const struct kernel *k)
{
	const struct machine *m = k->machine;
	const char *cc = kit_compiler(k), *const needed[] = { cc, cross_linker(k) };

	if (!m->has_kit) {
		error(nowhere, DIAG_BUILD, "kernel %s is for %s, for which ktap builds no modules yet", k->release, m->script);
		note(nowhere, "-p1 and -p2 parse and resolve a script for it");
		return false;
	}
	for (size_t i = 0; cross_config(k, "CC_IS_CLANG") && i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!program_path(needed[i])) {
			error(nowhere, DIAG_BUILD, "kernel %s was built with clang %d, and '%s' is not installed", k->release,
			      cross_config(k, "CLANG_VERSION") / 10000, needed[i]);
			note(nowhere, "a module is built with the compiler and the linker of its kernel");
			package_note(NULL, PACKAGE_CLANG, NULL, "clang and lld");
			return false;
		}
	if (m != machine_host() && !program_path(cc)) {
		error(nowhere, DIAG_BUILD, "kernel %s is for %s, and its compiler '%s' is not installed", k->release, m->script, cc);
		package_note(NULL, PACKAGE_CROSS, m->triplet, cc);
		note(nowhere, "CROSS_COMPILE in the environment names another prefix than %s-", m->triplet);
		return false;
	}
	if (!program_path(cc)) {
		error(nowhere, DIAG_BUILD, "the headers of kernel %s name the compiler '%s', which is not installed", k->release, cc);
		package_note(NULL, PACKAGE_GCC, strchr(cc, '-') ? strchr(cc, '-') + 1 : NULL, cc);
		return false;
	}
	return check_links(k) && check_build_programs(k);
}
