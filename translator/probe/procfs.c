/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family procfs: files in /proc/systemtap/MODULE/ whose reads and writes run probes.
 *
 *	procfs[("PATH")][.umask(N)].read[.maxsize(N)]      the handler sets the contents: $value = ..., $value .= ...
 *	procfs[("PATH")][.umask(N)].write                  $value is the written string
 *
 * Two paths are not files: procfs("__stdin").write gets the loader's standard input by characters, and
 * procfs("__stdin_line").write gets it by lines. The aliases input.char and input.line use them.
 */
#include <string.h>

#include "translator/probe/probe.h"

enum variant { READ = 1, UMASK = 2, MAXSIZE = 4, PATH = 8 };

enum {
	UMASK_DEFAULT = 0077,
	UMASK_MAX = 0777,
	MAXSIZE_MAX = 1 << 20,
};

struct procfs {
	const char *path;
	enum kt_procfs_kind kind;
	unsigned mode;
	unsigned size; /* 0: that of a string */
	/* After lay_out(): how the file is made, see struct kt_procfs_row. */
	unsigned file_mode, file_size;
	size_t made;
	bool clashes;
};

static const struct probe_pattern patterns[] = {
	{ "procfs(string).read", PATH | READ },
	{ "procfs(string).read.maxsize(number)", PATH | READ | MAXSIZE },
	{ "procfs(string).umask(number).read", PATH | READ | UMASK },
	{ "procfs(string).umask(number).read.maxsize(number)", PATH | READ | UMASK | MAXSIZE },
	{ "procfs(string).write", PATH },
	{ "procfs(string).umask(number).write", PATH | UMASK },
	{ "procfs.read", READ },
	{ "procfs.read.maxsize(number)", READ | MAXSIZE },
	{ "procfs.umask(number).read", READ | UMASK },
	{ "procfs.umask(number).read.maxsize(number)", READ | UMASK | MAXSIZE },
	{ "procfs.write", 0 },
	{ "procfs.umask(number).write", UMASK },
	{ NULL, 0 },
};

/* Relative, and no way out of the module's directory. */
static bool is_path(const struct node *arg)
{
	const char *s = arg->text;

	if (!*s || strlen(s) != arg->text_len)
		return false;
	for (;;) {
		size_t n = strcspn(s, "/");

		if (n == 0 || n > 255 || (n == 1 && *s == '.') || (n == 2 && !strncmp(s, "..", 2)))
			return false;
		if (!s[n])
			return true;
		s += n + 1;
	}
}

static bool take_number(const struct node *arg, const char *what, long long low, long long high, unsigned *ret)
{
	if (arg->num < low || arg->num > high)
		return error(arg->loc, DIAG_PROBE_ARG, "%s is %lld, expected %lld to %lld", what, arg->num, low, high);
	*ret = (unsigned)arg->num;
	return true;
}

static bool resolve(struct resolve *r)
{
	struct procfs *procfs = arena_new(&program_arena, struct procfs);
	unsigned forms = (unsigned)r->pattern->id, umask = UMASK_DEFAULT;
	const struct node *path = probe_arg(r->point, 0);

	if ((forms & UMASK) && !take_number(probe_arg(r->point, 1), "the umask", 0, UMASK_MAX, &umask))
		return false;
	if ((forms & MAXSIZE) && !take_number(probe_arg(r->point, forms & UMASK ? 3 : 2), "the size", 1, MAXSIZE_MAX,
					      &procfs->size))
		return false;
	if (path && !is_path(path)) {
		error(path->loc, DIAG_PROBE_ARG, "'%s' names no file below /proc/systemtap/MODULE", path->text);
		note(path->loc, "the form is \"NAME\" or \"DIR/NAME\"");
		return false;
	}
	procfs->path = path ? path->text : "command";
	procfs->kind = forms & READ ? KT_PROCFS_READ : KT_PROCFS_WRITE;
	procfs->mode = (forms & READ ? 0444 : 0222) & ~umask;
	if (procfs->kind == KT_PROCFS_WRITE && !strcmp(procfs->path, "__stdin"))
		procfs->kind = KT_PROCFS_STDIN;
	else if (procfs->kind == KT_PROCFS_WRITE && !strcmp(procfs->path, "__stdin_line"))
		procfs->kind = KT_PROCFS_STDIN_LINE;
	probe_add(r, &probe_family_procfs, probe_point_text(r->point), procfs);
	return true;
}

/* ---- $value ---- */
static struct node *call(const char *name, struct loc loc, struct node *arg)
{
	struct node *n = node_own_call(name, loc);

	n->list = arg;
	return n;
}

static bool is_value(const struct node *n)
{
	if (n->kind == ND_TARGET && !strcmp(n->name, "$value"))
		return true;
	error(n->loc, DIAG_TARGET_VAR, "a procfs probe has one variable, the string $value");
	return false;
}

static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	const struct procfs *procfs = pr->data;

	if (!is_value(*np))
		return false;
	if (procfs->kind == KT_PROCFS_READ) {
		error((*np)->loc, DIAG_TARGET_VAR, "$value of a read probe is what the handler makes, and cannot be read");
		note((*np)->loc, "assign to it with '=' or '.=', or make the text in a variable first");
		return false;
	}
	*np = call("__procfs_value", (*np)->loc, NULL);
	return true;
}

static bool assign(struct program *p, struct probe *pr, struct node **np)
{
	const struct procfs *procfs = pr->data;
	struct node *n = *np;

	if (!is_value(n->kid[0]))
		return false;
	if (procfs->kind != KT_PROCFS_READ) {
		error(n->loc, DIAG_TARGET_VAR, "$value of a write probe is what was written, and cannot be changed");
		note(n->loc, "a .read probe of the same file gives what is read back");
		return false;
	}
	if (n->op != OP_ASSIGN && n->op != OP_CAT_ASSIGN)
		return error(n->loc, DIAG_TYPE, "$value is a string: '=' and '.=' assign to it");
	*np = call(n->op == OP_ASSIGN ? "__procfs_set" : "__procfs_append", n->loc, n->kid[1]);
	return true;
}

static void list_variables(const struct probe *pr, void (*fn)(const char *name, const char *type, void *data), void *data)
{
	fn("value", "string", data);
}

/* ---- output ---- */
static const char *const kinds[] = {
	[KT_PROCFS_READ] = "KT_PROCFS_READ",
	[KT_PROCFS_WRITE] = "KT_PROCFS_WRITE",
	[KT_PROCFS_STDIN] = "KT_PROCFS_STDIN",
	[KT_PROCFS_STDIN_LINE] = "KT_PROCFS_STDIN_LINE",
};

static bool is_file(const struct procfs *procfs)
{
	return procfs->kind == KT_PROCFS_READ || procfs->kind == KT_PROCFS_WRITE;
}

/* Returns how many bytes the paths A and B have in common. */
static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* Returns whether one of the paths A and B is a directory of the other. */
static bool clash(const char *a, const char *b)
{
	size_t n = common(a, b);

	return (!a[n] && b[n] == '/') || (!b[n] && a[n] == '/');
}

/* Adds to how the file of ME is made what OTHER, of an EARLIER row or not, means for it. */
static void join(struct procfs *me, const struct procfs *other, bool earlier)
{
	size_t n = common(me->path, other->path);

	if (!me->path[n] && !other->path[n]) {
		me->file_mode |= other->mode;
		me->file_size = other->size > me->file_size ? other->size : me->file_size;
	} else {
		while (n > 0 && me->path[n - 1] != '/')
			n--;
	}
	if (earlier && !other->clashes && n > me->made)
		me->made = n;
}

/* A file is made once, in directories that are made once. */
static void lay_out(const struct probe *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct procfs *me = rows[i]->data;

		me->clashes = false;
		for (size_t k = 0; k < n && is_file(me); k++) {
			const struct procfs *other = rows[k]->data;

			me->clashes |= is_file(other) && clash(me->path, other->path);
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct procfs *me = rows[i]->data;

		me->file_mode = me->file_size = 0;
		me->made = 0;
		for (size_t k = 0; k < n && is_file(me); k++)
			if (is_file(rows[k]->data))
				join(me, rows[k]->data, k < i);
	}
}

static unsigned long long wants(const struct probe *pr)
{
	const struct procfs *procfs = pr->data;

	if (procfs->kind == KT_PROCFS_STDIN)
		return KT_INFO_STDIN | KT_INFO_STDIN_CHARS;
	return procfs->kind == KT_PROCFS_STDIN_LINE ? KT_INFO_STDIN : 0;
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct procfs *procfs = pr->data;

	text_printf(t, "{ .probe = %d, .kind = %s, .mode = 0%o, .size = %u, .made = %zu, .clashes = %d, .path = ", pr->index,
		    kinds[procfs->kind], procfs->file_mode, procfs->file_size, procfs->made, procfs->clashes);
	text_quote(t, procfs->path, strlen(procfs->path));
	text_puts(t, " },");
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct procfs *procfs = pr->data;

	if (procfs->kind >= KT_PROCFS_STDIN)
		text_puts(t, "standard input of ktap");
	else
		text_printf(t, "/proc/systemtap/MODULE/%s, mode %04o", procfs->path, procfs->mode);
}

const struct probe_family probe_family_procfs = {
	.name = "procfs",
	.id = KT_FAMILY_PROCFS,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.assign = assign,
	.lay_out = lay_out,
	.wants = wants,
	.emit_row = emit_row,
	.describe = describe,
	.list_variables = list_variables,
};
