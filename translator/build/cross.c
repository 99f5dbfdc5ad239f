/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a build for a kernel of another machine needs beyond its headers: a cross compiler, and the kernel's build programs
 * compiled for this machine. */
#include "translator/build/build.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/machine.h"
#include "translator/base/packages.h"
#include "translator/base/paths.h"

static const struct loc nowhere;

const struct machine *cross_machine(const struct kernel *k)
{
	const struct machine *m = machine_find(k->arch);

	return m ? m : machine_host();
}

const char *cross_program(const struct kernel *k, const char *name)
{
	return arena_printf(&program_arena, "%s%s", machine_compiler(cross_machine(k)), name);
}

unsigned cross_elf_machine(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr eh;

	if (fd < 0 || pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || eh.e_ident[EI_MAG0] != ELFMAG0)
		return EM_NONE;
	return eh.e_machine;
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
	const struct machine *m = cross_machine(k);
	const char *cc = kit_compiler(k);

	if (m != machine_host() && !program_path(cc)) {
		error(nowhere, DIAG_BUILD, "kernel %s is for %s, and its compiler '%s' is not installed", k->release, m->script, cc);
		package_note(PACKAGE_CROSS, m->triplet, cc);
		note(nowhere, "CROSS_COMPILE in the environment names another prefix than %s-", m->triplet);
		return false;
	}
	return check_build_programs(k);
}
