/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF through libbpf: functions with typed parameters where their ABI puts them at entry, return types, structures.
 *
 * BTF knows no addresses, lines, locals or inlined instances: a place is a symbol, its address 0. Of several functions of one name each
 * is a place with an address, from the kernel's table of symbols.
 */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/btf-reader.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/store.h"
#include "translator/debuginfo/vmlinuz.h"

/* ---- symbols ---- */
/* A function that ThinLTO calls from other files has a symbol that BTF does not know: "f.llvm.123" for the static function f. */
struct renamed {
	const char *name, *symbol; /* symbol: name, where another function has that symbol too, or several were renamed */
};

struct btf_renamed {
	struct renamed *v;
	size_t n;
};

static struct renamed *find_renamed(const struct btf_renamed *r, const char *name)
{
	return r->n ? bsearch(&name, r->v, r->n, sizeof(*r->v), by_string) : NULL;
}

static void add_renamed(const struct kernel_function *f, void *data)
{
	const char *symbol = f->name, *suffix = strstr(symbol, ".llvm.");
	struct btf_renamed *r = data;

	if (suffix)
		*vec_add(r->v, r->n) = (struct renamed){ arena_strndup(&program_arena, symbol, (size_t)(suffix - symbol)),
							 arena_strdup(&program_arena, symbol) };
}

static void keep_name(const struct kernel_function *f, void *data)
{
	struct renamed *found = find_renamed(data, f->name);

	if (found)
		found->symbol = found->name;
}

static void each_symbol(const struct btf_target *t, void (*fn)(const struct kernel_function *f, void *data), void *data)
{
	if (t->ko)
		module_functions(t->ko, fn, data);
	else if (!t->base.module)
		kernel_symbols(t->base.kernel, fn, data);
}

static void read_renamed(struct btf_target *t)
{
	struct btf_renamed *r = t->renamed = arena_new(&program_arena, struct btf_renamed);

	if (!kernel_config(t->base.kernel, "LTO_CLANG_THIN"))
		return;
	each_symbol(t, add_renamed, r);
	if (!r->n)
		return;
	sort_rows(r->v, r->n, by_string);
	for (size_t i = 1; i < r->n; i++)
		if (!strcmp(r->v[i - 1].name, r->v[i].name))
			r->v[i - 1].symbol = r->v[i].symbol = r->v[i].name;
	each_symbol(t, keep_name, r);
}

static const char *symbol_of(struct btf_target *t, const char *name)
{
	const struct renamed *found;

	if (!t->renamed)
		read_renamed(t);
	found = find_renamed(t->renamed, name);
	return found ? found->symbol : name;
}

/* ---- functions ---- */
/* The scope of a place: its BTF_KIND_FUNC, and what holds whichever function of this name the symbol is. Statics of one
 * name in several files have a FUNC each when their prototypes differ, and BTF does not tell which is where. */
struct btf_scope {
	const struct btf_type *func;
	int n_common;          /* parameters, from the first, in which all functions of this name agree */
	bool return_differs;
	const char *why;       /* nothing is known of parameters after these */
};

static const struct btf_type *prototype(const struct btf_target *t, const struct place *p)
{
	const struct btf_scope *scope = p->scope;

	return btf__type_by_id(t->btf, scope->func->type);
}

static struct place *new_place(struct btf_target *t, const char *name, const struct btf_type *func)
{
	struct place *p = arena_new(&program_arena, struct place);
	struct btf_scope *scope = arena_new(&program_arena, struct btf_scope);

	scope->func = func;
	scope->n_common = INT_MAX;
	scope->why = "BTF has several functions of this name and does not tell which is where";
	p->func = arena_strdup(&program_arena, name);
	p->symbol = symbol_of(t, p->func);
	p->scope = scope;
	return p;
}

/* FUNC has the name of place P too. Equal types have equal numbers: BTF is deduplicated. */
static void add_prototype(const struct btf_target *t, struct place *p, const struct btf_type *func)
{
	struct btf_scope *scope = (struct btf_scope *)p->scope;
	const struct btf_type *a = prototype(t, p), *b = btf__type_by_id(t->btf, func->type);
	int i, n;

	if (!a || !b || !btf_is_func_proto(a) || !btf_is_func_proto(b)) {
		scope->n_common = 0;
		return;
	}
	n = btf_vlen(a) < btf_vlen(b) ? btf_vlen(a) : btf_vlen(b);
	for (i = 0; i < n; i++)
		if (btf_params(a)[i].type != btf_params(b)[i].type || btf_params(a)[i].name_off != btf_params(b)[i].name_off)
			break;
	if (i < scope->n_common && (i < n || btf_vlen(a) != btf_vlen(b)))
		scope->n_common = i;
	scope->return_differs |= a->type != b->type;
}

/* Places by the offset of their name: equal names have equal offsets. As large as twice the types, so never full. */
struct seen {
	struct place **slots;
	size_t size;           /* a power of two */
};

static struct place **seen_slot(const struct seen *s, uint32_t name_off)
{
	size_t i = name_off * 0x9e3779b1u & (s->size - 1);

	while (s->slots[i] && ((const struct btf_scope *)s->slots[i]->scope)->func->name_off != name_off)
		i = (i + 1) & (s->size - 1);
	return &s->slots[i];
}

static struct seen seen_create(size_t n)
{
	struct seen s = { .size = 64 };

	while (s.size < 2 * n)
		s.size *= 2;
	s.slots = memset(xmalloc(s.size * sizeof(struct place *)), 0, s.size * sizeof(struct place *));
	return s;
}

enum { LISTED_MAX = 12 };

/* "3 functions have this name (0xffffffff81012340, ...) and BTF describes one of them". */
static const char *describes_one(const struct kernel_function *f, size_t n)
{
	struct text t = {};

	text_printf(&t, "%zu functions have this name (at ", n);
	for (size_t i = 0; i < n && i < LISTED_MAX; i++)
		text_printf(&t, "%s%#llx", i ? ", " : "", (unsigned long long)f[i].address);
	text_printf(&t, "%s), and BTF describes one of them", n > LISTED_MAX ? " ..." : "");
	return text_keep(&t);
}

/* The functions that have the symbol NAME; see functions_named(). */
static size_t functions_of(struct btf_target *t, const char *name, const struct kernel_function **ret)
{
	if (!t->base.module)
		return kernel_functions_named(t->base.kernel, name, ret);
	if (t->ko && !t->functions.n) {
		module_functions(t->ko, functions_add, &t->functions);
		functions_sort(&t->functions);
	}
	return functions_named(&t->functions, name, ret);
}

/* Puts a place for each function that P, the last of its list, may be. pahole 1.24 describes one of several that have a name, whichever it
 * met first, so nothing is said of their parameters. Returns where the list goes on. */
static struct place **add_functions(struct btf_target *t, struct place *p)
{
	const struct kernel_function *f;
	size_t n = functions_of(t, p->symbol, &f);
	struct btf_scope *scope = (struct btf_scope *)p->scope;

	if (n == 1)
		p->denied = f->denied;
	if (n < 2)
		return &p->next;
	scope->n_common = 0;
	scope->return_differs = true;
	scope->why = describes_one(f, n);
	for (size_t i = 0; i < n; i++) {
		if (i) {
			p->next = arena_new(&program_arena, struct place);
			*p->next = *p;
			p = p->next;
			p->next = NULL;
		}
		p->address = p->symbol_address = f[i].address;
		p->denied = f[i].denied;
	}
	return &p->next;
}

static struct place *btf_functions(struct target *base, const struct function_query *q)
{
	struct btf_target *t = (struct btf_target *)base;
	struct place *first = NULL, **end = &first, **slot;
	unsigned n = btf__type_cnt(t->btf);
	bool glob = has_glob(q->func);
	struct seen seen;

	/* Files, lines and instances are what BTF does not know. */
	if (q->file || q->line || !q->outlined)
		return NULL;
	seen = seen_create(glob ? n - t->first : 1);
	for (unsigned id = t->first; id < n; id++) {
		const struct btf_type *ty = btf__type_by_id(t->btf, id);
		const char *name;

		if (!btf_is_func(ty))
			continue;
		name = btf__name_by_offset(t->btf, ty->name_off);
		if (!name || (glob ? fnmatch(q->func, name, 0) : strcmp(q->func, name)) || kernel_name_is_odd(name))
			continue;
		slot = seen_slot(&seen, ty->name_off);
		if (*slot) {
			add_prototype(t, *slot, ty);
			continue;
		}
		*slot = *end = new_place(t, name, ty);
		end = add_functions(t, *end);
	}
	free(seen.slots);
	return first;
}

static void btf_function_names(struct target *base, void (*fn)(const char *name, void *data), void *data)
{
	const struct btf_target *t = (const struct btf_target *)base;
	unsigned n = btf__type_cnt(t->btf);

	for (unsigned id = t->first; id < n; id++) {
		const struct btf_type *ty = btf__type_by_id(t->btf, id);
		const char *name = btf_is_func(ty) ? btf__name_by_offset(t->btf, ty->name_off) : NULL;

		if (name && !kernel_name_is_odd(name))
			fn(name, data);
	}
}

/* ---- parameters ---- */
static const struct variable *btf_variables(struct target *base, const struct place *p)
{
	const struct btf_target *t = (const struct btf_target *)base;
	const struct btf_type *proto = prototype(t, p);
	const struct btf_scope *scope = p->scope;
	struct variable *first = NULL, **end = &first;
	struct abi_layout l = abi_layout(t->machine);

	if (!proto || !btf_is_func_proto(proto))
		return NULL;
	for (int i = 0; i < btf_vlen(proto); i++) {
		const struct btf_param *param = &btf_params(proto)[i];
		const char *name = btf__name_by_offset(t->btf, param->name_off);
		struct variable *v;

		/* The dots of a variadic function. */
		if (!param->type)
			continue;
		v = arena_new(&program_arena, struct variable);
		v->name = name && *name ? intern(name) : intern(arena_printf(&program_arena, "arg%d", i + 1));
		v->type = btf_make_type(t, param->type);
		v->parameter = true;
		v->location = i < scope->n_common ? abi_next(&l, v->type) :
			      (struct location){ .kind = LOC_NONE, .why = scope->why };
		*end = v;
		end = &v->next;
	}
	return first;
}

static const struct variable *btf_variable(struct target *base, const struct place *p, const char *name)
{
	for (const struct variable *v = btf_variables(base, p); v; v = v->next)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

static const struct ctype *btf_return_type(struct target *base, const struct place *p)
{
	const struct btf_target *t = (const struct btf_target *)base;
	const struct btf_type *proto = prototype(t, p);

	return proto && !((const struct btf_scope *)p->scope)->return_differs ? btf_make_type(t, proto->type) : NULL;
}

/* BTF has no addresses. */
static uint64_t btf_symbol(struct target *base, const char *name)
{
	const struct kernel_function *f;

	return !base->module && kernel_functions_named(base->kernel, name, &f) == 1 ? f->address : 0;
}

static void btf_close(struct target *base)
{
	struct btf_target *t = (struct btf_target *)base;

	btf__free(t->btf);
	if (t->renamed)
		free(t->renamed->v);
	free(t->functions.v);
	elf_close(t->ko);
	free(t);
}

/* Places in a module have an address where several functions have the name. */
static bool btf_anchor(struct target *base, uint64_t address, const char **ret_symbol, uint64_t *ret_offset)
{
	struct btf_target *t = (struct btf_target *)base;

	return t->ko && address && elf_anchor(t->ko, address, ret_symbol, ret_offset);
}

static const struct target_ops btf_ops = {
	.close = btf_close,
	.functions = btf_functions,
	.anchor = btf_anchor,
	.function_names = btf_function_names,
	.variable = btf_variable,
	.variables = btf_variables,
	.return_type = btf_return_type,
	.pointee = btf_pointee,
	.member = btf_find_member,
	.members = btf_members_of,
	.member_names = btf_member_names,
	.type = btf_type_by_name,
	.types_named = btf_types_named,
	.symbol = btf_symbol,
	.enumerator = btf_enumerator,
	.type_names = btf_type_names,
	.enumerators = btf_enumerators,
	.enumerator_of = btf_enumerator_of,
};

/* ---- opening ---- */
static int quiet(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	return 0;
}

struct target *btf_open_bytes(const struct kernel *k, const char *name, const void *p, size_t size, const char *build_id)
{
	struct btf_target *t;
	struct btf *btf;

	libbpf_set_print(quiet);
	btf = btf__new(p, (uint32_t)size);
	if (!btf)
		return NULL;
	t = xmalloc(sizeof(*t));
	*t = (struct btf_target){
		.base = { .ops = &btf_ops, .name = name, .build_id = build_id, .kernel = k },
		.btf = btf, .first = 1, .machine = k->machine,
	};
	return &t->base;
}

/* E stays the caller's: libbpf copies what it keeps. */
static struct target *open_elf(const struct kernel *k, struct elf_file *e, const char *name)
{
	struct target *t = NULL;
	const void *p;
	size_t size;

	if (e && elf_section(e, ".BTF", &p, &size))
		t = btf_open_bytes(k, name, p, size, e->build_id ? e->build_id : k->build_id);
	return t;
}

/* The running kernel's own. */
static struct target *open_running(const struct kernel *k)
{
	const char *path = "/sys/kernel/btf/vmlinux", *running = kernel_running_build_id();
	_cleanup_text_ struct text t = {};

	if (!k->build_id || !running || strcmp(k->build_id, running) || !text_read_file(&t, path))
		return NULL;
	return btf_open_bytes(k, path, text_str(&t), t.len, running);
}

/* The cached part of an unpacked boot image. */
struct kept {
	char magic[8];
	char build_id[72];
	/* BTF follows */
};

static const char kept_magic[8] = "ktapbtf";

static struct target *open_kept(const struct kernel *k, const char *name)
{
	size_t size;
	struct kept *kept = store_map(name, &size);
	struct target *t = NULL;

	if (!kept)
		return NULL;
	if (size > sizeof(*kept) && !memcmp(kept->magic, kept_magic, sizeof(kept_magic))) {
		size_t n = strnlen(kept->build_id, sizeof(kept->build_id));

		t = btf_open_bytes(k, k->vmlinuz, kept + 1, size - sizeof(*kept),
			       n ? arena_strndup(&program_arena, kept->build_id, n) : NULL);
	}
	store_unmap(kept, size);
	return t;
}

/* Unpacking takes a second: the result is kept under the image's name, size and time. */
static struct target *open_image(const struct kernel *k, const char **ret_why)
{
	_cleanup_text_ struct text image = {}, keep = {};
	_cleanup_free_ char *name = NULL;
	struct elf_file *e = NULL;
	struct target *t = NULL;
	struct kept head = {};
	struct stat st;
	const void *p;
	size_t size;

	if (!k->vmlinuz || stat(k->vmlinuz, &st))
		return NULL;
	name = xasprintf("image-%s-%llx-%llx.btf", k->release, (unsigned long long)st.st_size,
			 (unsigned long long)st.st_mtime);
	t = open_kept(k, name);
	if (t)
		return t;
	if (vmlinuz_unpack(k->vmlinuz, &image, ret_why))
		e = elf_in_memory(k->vmlinuz, image.buf, image.len);
	if (e)
		*ret_why = NULL;
	t = open_elf(k, e, k->vmlinuz);
	if (t && elf_section(e, ".BTF", &p, &size)) {
		memcpy(head.magic, kept_magic, sizeof(head.magic));
		snprintf(head.build_id, sizeof(head.build_id), "%s", e->build_id ? e->build_id : "");
		text_append(&keep, (char *)&head, sizeof(head));
		text_append(&keep, p, size);
		store_write(name, keep.buf, keep.len);
	}
	elf_close(e);
	return t;
}

struct target *btf_open_file(const struct kernel *k, const char *path)
{
	struct elf_file *e = path ? elf_open(path) : NULL;
	struct target *t = open_elf(k, e, path);

	elf_close(e);
	return t;
}

struct target *btf_open(const struct kernel *k, const char **ret_why)
{
	struct target *t = open_running(k);

	*ret_why = NULL;
	if (!t)
		t = btf_open_file(k, k->vmlinux);
	if (!t && k->build_dir)
		t = btf_open_file(k, arena_printf(&program_arena, "%s/vmlinux", k->build_dir));
	return t ? t : open_image(k, ret_why);
}

/* Returns the base BTF of K's modules, opened once, for as long as ktap runs; or NULL. */
static const struct btf_target *base_of(const struct kernel *k)
{
	const char *why;

	if (!k->kept->base_read) {
		k->kept->base_read = true;
		k->kept->base = btf_open(k, &why);
	}
	return (const struct btf_target *)k->kept->base;
}

/* libbpf takes bytes that build on others from files only. */
static struct btf *read_split(const void *p, size_t size, struct btf *base)
{
	_cleanup_close_ int fd = memory_file("btf", p, size);
	char path[32];

	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return btf__parse_raw_split(path, base);
}

/* Returns the BTF of the module KO, with the numbers that types have in KERNEL; NULL: it has none. Since pahole 1.28, a module that was
 * built outside of the kernel's tree has a small base in .BTF.base, whose types are found in the kernel by name. */
static struct btf *read_module(const struct elf_file *ko, struct btf *kernel)
{
	const void *p, *base_bytes;
	size_t size, base_size;
	struct btf *btf, *base;

	if (!elf_section(ko, ".BTF", &p, &size))
		return NULL;
	if (!elf_section(ko, ".BTF.base", &base_bytes, &base_size))
		return read_split(p, size, kernel);
	base = btf__new(base_bytes, (uint32_t)base_size);
	btf = base ? read_split(p, size, base) : NULL;
	if (btf && !btf_relocate(btf, kernel)) {
		btf__free(btf);
		btf = NULL;
	}
	btf__free(base);
	return btf;
}

struct target *btf_open_module(const struct kernel *k, struct elf_file *ko, const char *name)
{
	_cleanup_free_ char *running = xasprintf("/sys/kernel/btf/%s", name);
	const struct btf_target *kernel;
	struct btf *btf = NULL;
	const void *p;
	struct btf_target *t;
	size_t size;
	bool in_file = ko && elf_section(ko, ".BTF", &p, &size);

	if (!in_file && (!k->build_id || access(running, R_OK)))
		return NULL;
	kernel = base_of(k);
	if (kernel)
		btf = in_file ? read_module(ko, kernel->btf) : btf__parse_raw_split(running, kernel->btf);
	if (!btf)
		return NULL;
	t = xmalloc(sizeof(*t));
	*t = (struct btf_target){
		.base = { .ops = &btf_ops, .name = name, .build_id = in_file ? ko->build_id : NULL, .kernel = k },
		.btf = btf, .first = btf__type_cnt(kernel->btf), .machine = k->machine, .ko = ko,
	};
	return &t->base;
}
