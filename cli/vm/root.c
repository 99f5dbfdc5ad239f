/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks whether a directory has the two programs of ktap that run in the guest. */
#include "cli/vm/root.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "translator/module/build.h"
#include "translator/machine/machine.h"

const char *vm_root_named(const char *given)
{
	const char *root = given ? given : getenv("KTAP_VM_ROOT");

	return root && *root ? root : NULL;
}

const char *vm_root_file(const char *root, const char *path)
{
	return arena_printf(&program_arena, "%s%s", root, path);
}

const char *vm_root_init(void)
{
	return libexec_path("vm-init");
}

/* A link may lead elsewhere in the guest than here: what is no program of another machine counts as one. */
static bool check_program(const char *root, const char *path)
{
	const struct machine *m = machine_target();
	const char *file = vm_root_file(root, path);
	unsigned elf = cross_elf_machine(file);

	if (elf == m->elf)
		return true;
	error(nowhere, DIAG_VM, elf ? "%s is not for %s" : "there is no program %s for %s", file, m->script);
	note(nowhere, "build ktap for %s and install it there: ./configure --host=%s, make install DESTDIR=%s", m->script, m->triplet,
	     root);
	return false;
}

bool vm_root_check(const char *root, const char *release)
{
	const struct machine *m = machine_target();

	if (root && (*root != '/' || strpbrk(root, ",:\\") || access(root, R_OK | X_OK))) {
		error(nowhere, DIAG_VM, "--vm-root: '%s' is no directory that can be used", root);
		note(nowhere, "give the absolute path of a readable directory, without commas, colons and backslashes");
		return false;
	}
	if (!root && m == machine_host())
		return true;
	if (!root) {
		error(nowhere, DIAG_VM, "kernel %s is for %s: a virtual machine needs programs of that architecture", release, m->script);
		note(nowhere, "--vm-root=DIR names a directory with a system of %s, in which ktap is installed: see ktap(1)", m->script);
		return false;
	}
	return check_program(root, vm_root_init()) && check_program(root, own_file("ktaprun", KTAP_SBINDIR));
}
