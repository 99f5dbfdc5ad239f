/* The interface of target.h: picks a reader, then passes every question on to it. */
#include "translator/target/abi.h"
#include "translator/target/target.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/packages.h"
#include "translator/target/fetch.h"
#include "translator/target/kernel.h"
#include "translator/target/program.h"
#include "translator/target/reader.h"

bool has_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

bool file_matches(const char *file, const char *wanted)
{
	if (!wanted)
		return true;
	if (!file)
		return false;
	/* At each component from the end: "open.c", "fs/open.c", ... */
	for (const char *p = file + strlen(file); p >= file; p--) {
		if (p > file && p[-1] != '/')
			continue;
		if (has_glob(wanted) ? !fnmatch(wanted, p, 0) : !strcmp(wanted, p))
			return true;
	}
	return false;
}

/* The next step of everything that DWARF would have answered. */
static void note_dbg_package(const struct kernel *k)
{
	package_note(PACKAGE_DEBUGINFO, k->release, "the kernel's debugging information");
}

/* Does the debugging information E belong to another build than the kernel K? */
static bool is_stale(const struct kernel *k, const struct elf_file *e)
{
	const char *banner = kernel_banner(k), *version = banner ? strchr(banner, '#') : NULL;
	const void *data;
	size_t size;

	if (k->build_id && e->build_id && strcmp(k->build_id, e->build_id)) {
		error((struct loc){}, DIAG_STALE_DEBUGINFO, "%s has build-id %s, kernel %s has %s", e->path,
		      e->build_id, k->release, k->build_id);
		return true;
	}
	if (k->build_id || !version || !elf_section(e, ".rodata", &data, &size))
		return false;
	/* "#1 SMP ... Debian 6.1.192-2 (2026-11-16)" is in linux_banner of the same build. */
	version = strstr(version, " SMP") ? version : NULL;
	if (!version || memmem(data, size, version, strlen(version)))
		return false;
	error((struct loc){}, DIAG_STALE_DEBUGINFO, "%s (build-id %s) is of another build than %s: that is '%s'",
	      e->path, e->build_id ? e->build_id : "unknown", k->vmlinuz, version);
	return true;
}

static bool no_debuginfo(const struct kernel *k, const char *what)
{
	error((struct loc){}, DIAG_NO_DEBUGINFO, "kernel %s has no %s here", k->release, what);
	note_dbg_package(k);
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
static struct target *open_dwarf(const struct kernel *k, const char *path)
{
	struct elf_file *e = elf_open(path);
	struct target *t = NULL;

	if (!e) {
		error((struct loc){}, DIAG_NO_DEBUGINFO, "%s: %s", path,
		      errno == ENOEXEC ? "not an ELF file" : strerror(errno));
		note_dbg_package(k);
		return NULL;
	}
	if (is_stale(k, e)) {
		note_dbg_package(k);
	} else {
		t = dwarf_open(e);
		if (!t)
			no_debuginfo(k, "DWARF");
	}
	if (!t)
		elf_close(e);
	else
		t->kernel = k;
	return t ? target_whole(t, (struct loc){}) : NULL;
}

/* The vmlinux with DWARF, from a server where it is not installed; NULL: none. */
static const char *find_vmlinux(const struct kernel *k)
{
	const char *id = k->build_id;
	struct target *t;

	if (k->vmlinux || !fetch_possible())
		return k->vmlinux;
	/* The boot image has it, beside BTF. */
	t = id ? NULL : btf_open(k);
	if (t && t->build_id)
		id = arena_strdup(&program_arena, t->build_id);
	if (t)
		target_close(t);
	return fetch_debuginfo(id);
}

struct target *target_open_kernel(const struct kernel *k, enum debuginfo how)
{
	const char *vmlinux = how == DEBUGINFO_BTF ? NULL : find_vmlinux(k);
	struct target *t;

	switch (how) {
	case DEBUGINFO_AUTO:
		if (vmlinux)
			return open_dwarf(k, vmlinux);
		t = btf_open(k);
		return t || no_debuginfo(k, "debugging information and no BTF") ? t : NULL;
	case DEBUGINFO_DWARF:
		return vmlinux || no_debuginfo(k, "DWARF") ? open_dwarf(k, vmlinux) : NULL;
	case DEBUGINFO_BTF:
		t = btf_open(k);
		return t || no_debuginfo(k, "BTF") ? t : NULL;
	}
	bug("debuginfo %d", (int)how);
}

struct location target_result(const struct target *t, const struct ctype *type)
{
	return abi_result(target_arch(t), type);
}

const char *target_arch(const struct target *t)
{
	return t->kernel ? t->kernel->arch : t->is_32bit ? "i386" : "x86_64";
}

bool target_has_lines(const struct target *t)
{
	return t->is_dwarf;
}

const char *target_module(const struct target *t)
{
	return t->module;
}

const char *target_point(const struct target *t)
{
	if (t->program)
		return arena_printf(&program_arena, "process(\"%s\")", target_path(t));
	return t->module ? arena_printf(&program_arena, "module(\"%s\")", t->written) : "kernel";
}

uint64_t target_text(struct target *t)
{
	return t->ops->text ? t->ops->text(t) : 0;
}

bool target_anchor(struct target *t, uint64_t address, const char **ret_symbol, uint64_t *ret_offset)
{
	if (!t->module || !t->ops->anchor || !t->ops->anchor(t, address, ret_symbol, ret_offset))
		return false;
	*ret_symbol = arena_printf(&program_arena, "%s:%s", t->module, *ret_symbol);
	return true;
}

void target_note_install(const struct target *t, struct loc loc)
{
	if (t->program) {
		program_note_install(t, loc);
		return;
	}
	if (t->module && strchr(t->written, '/')) {
		note(loc, "BTF tells functions and parameters only; for the rest: build %s with -g", t->written);
		return;
	}
	note(loc, "BTF describes functions and parameters only; source lines and local variables need DWARF");
	package_note(PACKAGE_DEBUGINFO, t->kernel->release, "the kernel's debugging information");
}

void target_close(struct target *t)
{
	if (t)
		t->ops->close(t);
}

struct place *target_functions(struct target *t, const struct function_query *q)
{
	return t->ops->functions(t, q);
}

struct place *target_lines(struct target *t, const struct line_query *q)
{
	return t->ops->lines ? t->ops->lines(t, q) : NULL;
}

struct place *target_callees(struct target *t, const struct function_query *callers, const struct callee_query *q)
{
	return t->ops->callees ? t->ops->callees(t, callers, q) : NULL;
}

struct place *target_labels(struct target *t, const struct function_query *q, const char *name)
{
	return t->ops->labels ? t->ops->labels(t, q, name) : NULL;
}

struct place *target_place_at(struct target *t, uint64_t address)
{
	return t->ops->place_at ? t->ops->place_at(t, address) : NULL;
}

void target_function_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	t->ops->function_names(t, fn, data);
}

const struct variable *target_variable(struct target *t, const struct place *p, const char *name)
{
	return p->scope ? t->ops->variable(t, p, name) : NULL;
}

const struct variable *target_variables(struct target *t, const struct place *p)
{
	return p->scope ? t->ops->variables(t, p) : NULL;
}

bool target_frame(struct target *t, const struct place *p, uint64_t *ret_entry, struct location *ret_frame)
{
	return t->ops->frame && p->scope && t->ops->frame(t, p, ret_entry, ret_frame);
}

const struct ctype *target_return_type(struct target *t, const struct place *p)
{
	return p->scope ? t->ops->return_type(t, p) : NULL;
}

const struct ctype *ctype_pointee(const struct ctype *ct)
{
	return ct->target->ops->pointee(ct);
}

bool ctype_member(const struct ctype *ct, const char *name, struct member *ret)
{
	return ct->target->ops->member(ct, name, ret);
}

void ctype_members(const struct ctype *ct, void (*fn)(const char *name, const struct ctype *unnamed, void *data), void *data)
{
	ct->target->ops->members(ct, fn, data);
}

void ctype_member_names(const struct ctype *ct, void (*fn)(const char *name, void *data), void *data)
{
	ct->target->ops->member_names(ct, fn, data);
}

const struct ctype *target_type(struct target *t, const char *name)
{
	return t->ops->type(t, name);
}

void target_type_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	if (t->ops->type_names)
		t->ops->type_names(t, fn, data);
}

const struct variable *target_global(struct target *t, const char *name, const char *file)
{
	return t->ops->global ? t->ops->global(t, name, file) : NULL;
}

bool target_has_globals(const struct target *t)
{
	return t->ops->global != NULL;
}

void target_global_names(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	if (t->ops->global_names)
		t->ops->global_names(t, fn, data);
}

bool target_enumerator(struct target *t, const struct place *p, const char *name, int64_t *ret)
{
	return t->ops->enumerator && t->ops->enumerator(t, p, name, ret);
}

void target_enumerators(struct target *t, void (*fn)(const char *name, void *data), void *data)
{
	if (t->ops->enumerators)
		t->ops->enumerators(t, fn, data);
}

const char *ctype_enumerator(const struct ctype *ct, int index, int64_t *ret)
{
	return ct->kind == CT_ENUM && ct->target->ops->enumerator_of ? ct->target->ops->enumerator_of(ct, index, ret) : NULL;
}

uint64_t target_symbol(struct target *t, const char *name)
{
	return t->ops->symbol(t, name);
}

bool target_is_global(struct target *t, const struct place *p)
{
	return t->ops->is_global && t->ops->is_global(t, p->symbol ? p->symbol : p->func);
}

const char *target_denied(struct target *t, uint64_t address)
{
	return t->ops->denied && !t->program && address ? t->ops->denied(t, address) : NULL;
}

const char *target_qualified_name(struct target *t, const struct place *p)
{
	return t->ops->qualified_name && p->scope ? t->ops->qualified_name(t, p) : NULL;
}

const char *target_build_id(const struct target *t)
{
	return t->build_id;
}

bool enumerator_is(const char *name, int64_t value, void *data)
{
	const struct enumerator_search *s = data;

	if (strcmp(name, s->name))
		return false;
	*s->ret = value;
	return true;
}
