/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where members of a kernel's structures are after gcc's plugin of CONFIG_RANDSTRUCT changed their order.
 *
 * gcc describes a structure before the plugin changes it (gcc bug 84052): the offsets in DWARF are those of the source's order. The
 * plugin and its seed are in the build tree. So a file with the header of the structure is compiled as modules are, and its offsets of
 * all members are read. They are kept in the cache directory, by release, build tree and structure.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "lib/trust.h"
#include "lib/vec.h"
#include "translator/debuginfo/dwarf-reader.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/object.h"
#include "translator/debuginfo/store.h"

#define OFFSETS_SECTION ".ktap_offsets"

struct placed {
	const char *name;
	uint64_t in_source, offset;
	bool is_bits; /* the compiler gives no offset of it */
};

/* A structure whose members were asked for. */
struct layout {
	const void *die;     /* address of the structure's */
	struct placed *members;
	size_t n;
	bool moved;          /* some are not where DWARF has them */
	const char *unknown; /* why the offsets are not known; NULL: they are */
	struct layout *next;
};

/* What an #include has for the file in which DIE is declared; NULL: no header of the kernel. */
static const char *header_of(struct dwarf_target *t, Dwarf_Die *die)
{
	const char *file = dwarf_file(t, die, dwarf_number(die, DW_AT_decl_file, ~0u)), *at = file, *next;
	size_t len = file ? strlen(file) : 0;

	if (len < 2 || strcmp(file + len - 2, ".h"))
		return NULL;
	while ((next = strstr(at, "include/")))
		at = next + strlen("include/");
	if (at != file)
		return !strncmp(at, "uapi/", 5) ? at + 5 : at;
	return arena_printf(&program_arena, "%s/%s", t->base.kernel->build_dir, !strncmp(file, "./", 2) ? file + 2 : file);
}

struct collector {
	const struct ctype *ct;
	struct layout *l;
};

static void collect(const char *name, void *data)
{
	struct collector *c = data;
	struct member m;
	Dwarf_Die die;

	if (dwarf_member_as_said(c->ct, name, &die, &m))
		*vec_add(c->l->members, c->l->n) = (struct placed){ .name = arena_strdup(&program_arena, name), .in_source = m.offset,
								     .offset = m.offset, .is_bits = m.bit_size };
}

/* The C whose object has the offsets of L, the structure NAME. A macro may have the name of a member. */
static const char *question(const struct layout *l, const char *name, const char *header)
{
	struct text c = { 0 };

	text_printf(&c, "#include %s%s%s\n", *header == '/' ? "\"" : "<", header, *header == '/' ? "\"" : ">");
	for (size_t i = 0; i < l->n; i++)
		text_printf(&c, "#undef %s\n", l->members[i].name);
	text_puts(&c, "const unsigned long ktap_offsets[] __attribute__((used, section(\"" OFFSETS_SECTION "\"))) = {\n");
	for (size_t i = 0; i < l->n; i++)
		if (!l->members[i].is_bits)
			text_printf(&c, "\t__builtin_offsetof(struct %s, %s),\n", name, l->members[i].name);
	text_puts(&c, "\t~0ul };\n");
	return text_keep(&c);
}

/* Reads the offsets from the object PATH, which the question for L made. */
static bool read_offsets(struct layout *l, const char *path)
{
	struct elf_file *e = elf_open(path);
	const uint64_t *at = NULL;
	const void *bytes;
	size_t size, wanted = 1;

	for (size_t i = 0; i < l->n; i++)
		wanted += !l->members[i].is_bits;
	if (e && elf_section(e, OFFSETS_SECTION, &bytes, &size) && size == wanted * sizeof(*at))
		at = bytes;
	for (size_t i = 0; at && i < l->n; i++) {
		struct placed *m = &l->members[i];

		if (m->is_bits)
			continue;
		memcpy(&m->offset, at++, sizeof(*at));
		l->moved |= m->offset != m->in_source;
	}
	if (e)
		elf_close(e);
	return at;
}

/* Where the offsets of the structure NAME of HEADER are kept, to be freed; NULL: nowhere. */
static char *kept_path(const struct kernel *k, const char *name, const char *header)
{
	_cleanup_free_ char *tree = xasprintf("%s/Module.symvers", k->build_dir);
	char *file = arena_strdup(&program_arena, header);
	struct stat st = { 0 };

	for (char *c = file; (c = strchr(c, '/'));)
		*c = '-';
	stat(tree, &st);
	return store_path(arena_printf(&program_arena, "offsets-%s-%llx-%s-%s.o", k->release, (unsigned long long)st.st_mtime, file, name));
}

static const char *find_offsets(struct layout *l, const struct kernel *k, const char *name, const char *header)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_text_ struct text out = { 0 };
	const char *why, *ret = NULL;
	int kept;

	if (!k->build_dir)
		return "the build tree of the kernel is not here";
	if (!header)
		return "it is declared in no header";
	path = kept_path(k, name, header);
	if (!path)
		return "there is no cache directory to compile in";
	kept = trust_open(path, &why);
	if (kept >= 0)
		close(kept);
	if (kept >= 0 && read_offsets(l, path))
		return NULL;
	if (!object_make(k, question(l, name, header), path, &out) || !read_offsets(l, path)) {
		const char *error = strcasestr(text_str(&out), "error: ");

		ret = arena_printf(&program_arena, "its header %s does not compile%s%.*s", header, error ? ": " : "",
				   error ? (int)strcspn(error + 7, "\n") : 0, error ? error + 7 : "");
	}
	return ret;
}

static const struct layout *layout_of(const struct ctype *ct, Dwarf_Die *die)
{
	struct dwarf_target *t = (struct dwarf_target *)ct->target;
	struct layout *l;

	for (l = t->layouts; l; l = l->next)
		if (l->die == die->addr)
			return l;
	l = arena_new(&program_arena, struct layout);
	*l = (struct layout){ .die = die->addr, .next = t->layouts };
	t->layouts = l;
	dwarf_member_names(ct, collect, &(struct collector){ ct, l });
	l->unknown = find_offsets(l, t->base.kernel, dwarf_diename(die), header_of(t, die));
	return l;
}

/* May the kernel have the members of the structure DIE of CT in another order than DWARF? */
static bool is_suspect(const struct ctype *ct, Dwarf_Die *die)
{
	const struct kernel *k = ct->target->kernel;

	return k && dwarf_tag(die) == DW_TAG_structure_type && dwarf_diename(die) && kernel_config(k, "GCC_PLUGIN_RANDSTRUCT");
}

bool dwarf_member(const struct ctype *ct, const char *name, struct member *ret)
{
	const struct layout *l;
	Dwarf_Die die;

	if (!dwarf_member_as_said(ct, name, &die, ret))
		return false;
	if (!is_suspect(ct, &die))
		return true;
	l = layout_of(ct, &die);
	ret->unplaced = l->unknown;
	if (!l->unknown && l->moved && ret->bit_size)
		ret->unplaced = "it is a bitfield, of which the compiler gives no offset";
	for (size_t i = 0; i < l->n && !ret->unplaced && !ret->bit_size; i++)
		if (!strcmp(l->members[i].name, name))
			ret->offset = l->members[i].offset;
	return !ret->unplaced;
}
