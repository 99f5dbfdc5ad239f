/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the debugging information of a kernel: DWARF of this build, or BTF. Notes say what to install where it is missing. */
#include <errno.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/packages.h"
#include "lib/regular.h"
#include "translator/debuginfo/opened.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/program.h"
#include "translator/debuginfo/reader.h"
#include "translator/platform/kernels.h"

/* The next step of everything that DWARF would have answered. */
static void note_dbg_package(const struct kernel *k, struct reports *r)
{
	package_note(r, PACKAGE_DEBUGINFO, k->release, "the kernel's debugging information");
}

/* Does the debugging information E belong to another build than the kernel K? */
static bool is_stale(const struct kernel *k, const struct elf_file *e, struct reports *r)
{
	const char *banner = kernel_banner(k), *version = banner ? strchr(banner, '#') : NULL;
	const void *data;
	size_t size;

	if (k->build_id && e->build_id && strcmp(k->build_id, e->build_id)) {
		error(diag_nowhere(r), DIAG_STALE_DEBUGINFO, "%s has build-id %s, kernel %s has %s", e->path,
		      e->build_id, k->release, k->build_id);
		return true;
	}
	if (k->build_id || !version || !elf_section(e, ".rodata", &data, &size))
		return false;
	/* "#1 SMP ... Debian 6.1.192-2 (2026-11-16)" is in linux_banner of the same build. */
	version = strstr(version, " SMP") ? version : NULL;
	if (!version || memmem(data, size, version, strlen(version)))
		return false;
	error(diag_nowhere(r), DIAG_STALE_DEBUGINFO, "%s (build-id %s) is of another build than %s: that is '%s'",
	      e->path, e->build_id ? e->build_id : "unknown", k->vmlinuz, version);
	return true;
}

/* UNREADABLE: why its boot image cannot be unpacked, or NULL. */
static bool no_debuginfo(const struct kernel *k, const char *what, const char *unreadable, struct reports *r)
{
	const char *image = k->vmlinuz || !strstr(what, "BTF") ? NULL : kernel_unreadable_image(k->release);

	error(diag_nowhere(r), DIAG_NO_DEBUGINFO, "kernel %s has no %s here", k->release, what);
	if (unreadable)
		note(diag_nowhere(r), "BTF of %s cannot be read: %s", k->vmlinuz, unreadable);
	if (image) {
		note(diag_nowhere(r), "its image may have BTF, but this user may not read it");
		permission_note(r, image);
	}
	note_dbg_package(k, r);
	return false;
}

struct target *target_whole(struct target *t, struct loc loc)
{
	if (!dwarf_split_lost(t, loc, true))
		return t;
	note(loc, "they are where it was compiled (-gsplit-dwarf, CONFIG_DEBUG_INFO_SPLIT); --debuginfo=btf does without DWARF");
	target_close(t);
	return NULL;
}

/* Errors here are final: wrong debugging information is not a reason to try BTF behind the user's back. */
static struct target *open_dwarf(const struct kernel *k, const char *path, struct reports *r)
{
	struct elf_file *e = elf_open(path);
	struct target *t = NULL;

	if (!e && errno == ENOMEM) {
		error(diag_nowhere(r), DIAG_NO_DEBUGINFO, "%s: %s", path, strerror(ENOMEM));
		note(diag_nowhere(r), "ulimit -v, or a system where vm.overcommit_memory is 2, leaves less than the size of the file; "
				     "--debuginfo=btf does without it");
		return NULL;
	}
	if (!e) {
		error(diag_nowhere(r), DIAG_NO_DEBUGINFO, "%s: %s", path,
		      errno == ENOEXEC ? "not an ELF file" : regular_failure(-errno));
		note_dbg_package(k, r);
		return NULL;
	}
	if (is_stale(k, e, r)) {
		note_dbg_package(k, r);
	} else {
		t = dwarf_open(e);
		if (!t)
			no_debuginfo(k, "DWARF", NULL, r);
	}
	if (!t)
		elf_close(e);
	else
		t->kernel = k;
	return t ? target_whole(t, diag_nowhere(r)) : NULL;
}

/* The vmlinux with DWARF, from a server where it is not installed; NULL: none. *RET_WHY: as of btf_open(). */
static const char *find_vmlinux(struct fetch *fetch, const struct kernel *k, struct reports *r, const char **ret_why)
{
	const char *id = k->build_id;
	struct target *t;

	if (k->vmlinux || !fetch_possible(fetch, r))
		return k->vmlinux;
	/* The boot image has it, beside BTF. */
	t = id ? NULL : btf_open(k, ret_why);
	if (t && t->build_id)
		id = arena_strdup(&program_arena, t->build_id);
	if (t)
		target_close(t);
	return fetch_debuginfo(fetch, r, id, k->release);
}

struct target *target_open_kernel(struct opened *o, const struct kernel *k, enum debuginfo how, struct reports *r)
{
	const char *unreadable = NULL, *vmlinux = how == DEBUGINFO_BTF ? NULL : find_vmlinux(&o->fetch, k, r, &unreadable);
	struct target *t;

	switch (how) {
	case DEBUGINFO_AUTO:
		if (vmlinux)
			return open_dwarf(k, vmlinux, r);
		t = btf_open(k, &unreadable);
		return t || no_debuginfo(k, "debugging information and no BTF", unreadable, r) ? t : NULL;
	case DEBUGINFO_DWARF:
		return vmlinux || no_debuginfo(k, "DWARF", unreadable, r) ? open_dwarf(k, vmlinux, r) : NULL;
	case DEBUGINFO_BTF:
		t = btf_open(k, &unreadable);
		return t || no_debuginfo(k, "BTF", unreadable, r) ? t : NULL;
	}
	bug("debuginfo %d", (int)how);
}

/* A scan of BTF takes half a millisecond, and each place of a probe may ask. */
unsigned kernel_types_named(struct target *t, const char *name)
{
	struct target *counts = t;
	struct map_row *row;

	if (t->program || t->module)
		return 0;
	row = map_add(&t->counted, name, 0);
	if (!row->value) {
		if (!t->ops->types_named)
			counts = t->btf = t->btf ? t->btf : btf_open_file(t->kernel, t->name);
		row->value = (void *)(uintptr_t)(1 + (counts ? counts->ops->types_named(counts, name) : 0));
	}
	return (unsigned)(uintptr_t)row->value - 1;
}

const char *target_point(const struct target *t)
{
	if (t->program)
		return arena_printf(&program_arena, "process(\"%s\")", target_path(t));
	return t->module ? arena_printf(&program_arena, "module(\"%s\")", t->written) : "kernel";
}

void target_note_install(const struct target *t, struct loc loc)
{
	if (t->program) {
		program_note_install(t, loc);
		return;
	}
	if (t->module && strchr(t->written, '/')) {
		note(loc, "BTF describes functions and parameters only; for the rest, build %s with -g", t->written);
		return;
	}
	note(loc, "BTF describes functions and parameters only; source lines and local variables need DWARF");
	package_note(diag_reports(loc), PACKAGE_DEBUGINFO, t->kernel->release, "the kernel's debugging information");
}
