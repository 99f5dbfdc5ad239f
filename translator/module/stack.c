/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much stack a script's handlers need: the compiler's figure for each function, added up along the calls in the objects.
 *
 * -fstack-usage leaves OBJECT.su, a line per function with the size of its frame, with the return address (gcc) or without it
 * (clang). Calls are read from the objects, after inlining, cloning and merging: a relocation within a function that points to
 * the start of another one, or a branch that the assembler resolved. Taking a function's address counts as a call. gcc's
 * -fcallgraph-info is no proof: it lacks functions whose address is taken, calls in assembly and the frame behind an alias. clang has no such
 * option.
 *
 * A cycle of calls in the script is its recursion, whose depth generated code bounds (MAXNESTING); the kit must have none. The
 * kernel's functions are not counted: KT_STACK_KERNEL in the kit is for them.
 */
#include "lib/map.h"
#include "lib/vec.h"
#include "translator/machine/instruction.h"
#include "translator/module/build.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"

enum {
	WORD = 8,             /* of a call: the return address */
	FRAME_UNKNOWN = -1,   /* the compiler says nothing of the function */
	FRAME_UNBOUNDED = -2, /* its frame grows as it runs */
	INDIRECT_LEVELS = 2,  /* the kit's calls through pointers nest: a list's printer calls its elements' */
	GLOBAL = -1,          /* for an object's number: a global symbol */
	SCRIPT = 0,           /* number of the script's object */
};

/* How bytes of code refer to symbols. */
enum relocated { RELOCATED_NOT, RELOCATED_KERNEL, RELOCATED_OURS };

struct stack_function {
	const char *name;
	int object;          /* number of a local symbol's object, or GLOBAL */
	int frame;           /* bytes, or FRAME_UNKNOWN, FRAME_UNBOUNDED */
	bool defined, script;
	bool indirect;       /* calls through a pointer */
	bool referred;       /* the script's tables point to it */
	int *call, n;        /* functions it calls */
	/* Of the search. */
	int order, low;      /* Tarjan's numbers; 0: not visited */
	bool open;           /* on the path of the search */
	int cycle;           /* number of its strongly connected component */
	bool recursive;
	long long need;      /* bytes, those of all it calls included */
	int worst;           /* the callee outside of its cycle that needs most; -1: none */
	int largest;         /* the function of its cycle with the largest frame */
};

struct stack_graph {
	struct stack_function *f;
	int n;
	struct map names;    /* the names and objects of f[] */
	int nesting;         /* frames that a cycle may have open at once */
	long long indirect;  /* bytes that a call through a pointer may need */
	/* Of the search. */
	int *path, n_path, visited, cycles;
};

/* One object while it is read. */
struct object {
	struct stack_graph *g;
	int number;
	Elf *elf;
	const struct machine *machine; /* NULL: not known */
	Elf_Data *symbols;
	size_t n_symbols, names, section_names;
	struct code { size_t section; uint64_t start, size; int function; } *code;
	int n_code;
};

/* ---- functions by name ---- */
/* Returns the function NAME of OBJECT, or -1. */
static int find_function(const struct stack_graph *g, const char *name, int object)
{
	const struct map_row *r = map_find(&g->names, name, (unsigned)object);

	return r ? (int)(r - g->names.row) : -1;
}

/* Returns that function, made when it is new. */
static int function_at(struct stack_graph *g, const char *name, int object)
{
	struct map_row *r = map_add(&g->names, name, (unsigned)object);

	if ((int)g->names.n > g->n) {
		r->name = arena_strdup(&program_arena, name);
		*vec_add(g->f, g->n) = (struct stack_function){ .name = r->name, .object = object, .frame = FRAME_UNKNOWN };
	}
	return (int)(r - g->names.row);
}

static void add_call(struct stack_graph *g, int from, int to)
{
	struct stack_function *f = &g->f[from];

	for (int i = 0; i < f->n; i++)
		if (f->call[i] == to)
			return;
	*vec_add(f->call, f->n) = to;
}

static void graph_deinit(struct stack_graph *g)
{
	for (int i = 0; i < g->n; i++)
		free(g->f[i].call);
	free(g->f);
	free(g->path);
}

/* ---- reading an object ---- */
static int by_place(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* The function that OFFSET of SECTION is in; NULL: none. */
static const struct code *code_at(const struct object *o, size_t section, uint64_t offset)
{
	int low = 0, high = o->n_code;

	while (low < high) {
		int middle = (low + high) / 2;
		const struct code *c = &o->code[middle];

		if (c->section < section || (c->section == section && c->start + c->size <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low < o->n_code && o->code[low].section == section && o->code[low].start <= offset ? &o->code[low] : NULL;
}

/* The function that symbol INDEX plus ADDEND is the start of; -1: none. */
static int function_of_symbol(const struct object *o, size_t index, int64_t addend)
{
	const struct code *code;
	const char *name;
	GElf_Sym sym;

	if (!gelf_getsym(o->symbols, (int)index, &sym))
		return -1;
	name = elf_strptr(o->elf, o->names, sym.st_name);
	if (sym.st_shndx == SHN_UNDEF)
		return name && *name ? function_at(o->g, name, GLOBAL) : -1;
	code = code_at(o, sym.st_shndx, sym.st_value + (uint64_t)addend);
	return code && code->start == sym.st_value + (uint64_t)addend ? code->function : -1;
}

/* Sorts the functions. Of several names of one place the first has the code, and the others call it. */
static void unite_aliases(struct object *o)
{
	int n = 0;

	qsort(o->code, (size_t)o->n_code, sizeof(*o->code), by_place);
	for (int i = 0; i < o->n_code; i++) {
		if (!n || by_place(&o->code[n - 1], &o->code[i])) {
			o->code[n++] = o->code[i];
			continue;
		}
		add_call(o->g, o->code[i].function, o->code[n - 1].function);
		o->g->f[o->code[i].function].frame = 0;
	}
	o->n_code = n;
}

static bool read_symbols(struct object *o)
{
	GElf_Shdr sh;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));)
		if (gelf_getshdr(s, &sh) && sh.sh_type == SHT_SYMTAB && sh.sh_entsize) {
			o->symbols = elf_getdata(s, NULL);
			o->n_symbols = sh.sh_size / sh.sh_entsize;
			o->names = sh.sh_link;
		}
	if (!o->symbols)
		return false;
	o->code = xmalloc((o->n_symbols + 1) * sizeof(*o->code));
	for (size_t i = 1; i < o->n_symbols; i++) {
		const char *name;
		GElf_Sym sym;
		int f;

		if (!gelf_getsym(o->symbols, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF || !sym.st_size || !(name = elf_strptr(o->elf, o->names, sym.st_name)))
			continue;
		f = function_at(o->g, name, GELF_ST_BIND(sym.st_info) == STB_LOCAL ? o->number : GLOBAL);
		o->g->f[f].defined = true;
		o->g->f[f].script = o->number == SCRIPT;
		/* A part of a function that was moved away works on the function's frame. */
		if (strstr(name, ".cold"))
			o->g->f[f].frame = 0;
		o->code[o->n_code++] = (struct code){ sym.st_shndx, sym.st_value, sym.st_size, f };
	}
	unite_aliases(o);
	return true;
}

static bool is_branch(const struct machine *m, unsigned type)
{
	for (int i = 0; i < BRANCH_RELOCATIONS_MAX && m->branch_relocations[i]; i++)
		if (m->branch_relocations[i] == type)
			return true;
	return false;
}

/* Reads relocation R of SECTION, code or data, and records the call that it is. */
static enum relocated read_relocation(const struct object *o, size_t section, bool executable, const GElf_Rela *r)
{
	const struct code *from = executable ? code_at(o, section, r->r_offset) : NULL;
	/* Relative to the end of a field of 4 bytes, where branches and most addresses are. */
	bool relative = executable && o->machine && is_branch(o->machine, (unsigned)GELF_R_TYPE(r->r_info));
	int to = function_of_symbol(o, GELF_R_SYM(r->r_info), r->r_addend + (relative ? 4 : 0));

	if (to < 0)
		return RELOCATED_OURS;
	if (o->machine && o->machine->indirect_thunk && !strncmp(o->g->f[to].name, o->machine->indirect_thunk, strlen(o->machine->indirect_thunk))) {
		if (from)
			o->g->f[from->function].indirect = true;
	} else if (from) {
		add_call(o->g, from->function, to);
	} else if (!executable) {
		o->g->f[to].referred |= o->number == SCRIPT;
	}
	return o->g->f[to].defined || !strncmp(o->g->f[to].name, "kt_", 3) ? RELOCATED_OURS : RELOCATED_KERNEL;
}

/* Returns what the first relocation in LENGTH bytes of code points to. */
static enum relocated relocated_to(const char *relocated, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (relocated[i])
			return (enum relocated)relocated[i];
	return RELOCATED_NOT;
}

/* Reads the function C, whose section has DATA: calls and jumps through pointers of ours, and branches that need no relocation. Where
 * RELOCATED has one the displacement is not there yet. Bytes that are no instruction are passed over one by one. */
static void read_function(const struct object *o, const struct code *c, const Elf_Data *data, const char *relocated)
{
	const unsigned char *bytes = data->d_buf;
	uint64_t end = c->start + c->size;
	struct instruction in;

	for (uint64_t at = c->start; at < end; at += in.length) {
		const struct code *to;
		enum relocated relocation;

		if (!instruction_decode(o->machine, bytes + at, end - at, at, &in))
			in = (struct instruction){ .length = 1 };
		if (in.flow != FLOW_CALL && in.flow != FLOW_JUMP && in.flow != FLOW_BRANCH)
			continue;
		relocation = relocated_to(relocated + at, in.length);
		o->g->f[c->function].indirect |= !in.direct && relocation != RELOCATED_KERNEL;
		if (!in.direct || relocation != RELOCATED_NOT)
			continue;
		/* A jump to the own start is a loop. */
		to = in.flow == FLOW_CALL || in.to != c->start ? code_at(o, c->section, in.to) : NULL;
		if (to && to->start == in.to)
			add_call(o->g, c->function, to->function);
	}
}

static void read_branches(const struct object *o, size_t section, const Elf_Data *data, const char *relocated)
{
	for (int i = 0; i < o->n_code; i++)
		if (o->code[i].section == section && o->code[i].start + o->code[i].size <= data->d_size)
			read_function(o, &o->code[i], data, relocated);
}

/* The relocations of SECTION; NULL: none. */
static Elf_Data *relocations_of(const struct object *o, size_t section, size_t *ret_n)
{
	GElf_Shdr sh;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));)
		if (gelf_getshdr(s, &sh) && sh.sh_type == SHT_RELA && sh.sh_info == section && sh.sh_entsize) {
			*ret_n = sh.sh_size / sh.sh_entsize;
			return elf_getdata(s, NULL);
		}
	*ret_n = 0;
	return NULL;
}

static void read_section(const struct object *o, size_t section, bool executable, Elf_Data *data)
{
	char *relocated = xmalloc(data->d_size + 4);
	size_t n;
	Elf_Data *relocations = relocations_of(o, section, &n);

	memset(relocated, 0, data->d_size + 4);
	for (size_t i = 0; i < n; i++) {
		GElf_Rela r;

		if (!relocations || !gelf_getrela(relocations, (int)i, &r) || r.r_offset >= data->d_size)
			continue;
		relocated[r.r_offset] = (char)read_relocation(o, section, executable, &r);
	}
	if (executable && data->d_buf)
		read_branches(o, section, data, relocated);
	free(relocated);
}

static void read_code(const struct object *o)
{
	GElf_Shdr sh;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
		Elf_Data *data = gelf_getshdr(s, &sh) ? elf_getdata(s, NULL) : NULL;
		const char *name = data ? elf_strptr(o->elf, o->section_names, sh.sh_name) : NULL;
		bool executable = sh.sh_flags & SHF_EXECINSTR;

		/* Other data that is loaded are tables about code: of the unwinder, of exceptions, of return thunks. */
		if (name && sh.sh_type == SHT_PROGBITS && sh.sh_flags & SHF_ALLOC &&
		    (executable || !strncmp(name, ".rodata", 7) || !strncmp(name, ".data", 5)))
			read_section(o, elf_ndxscn(s), executable, data);
	}
}

/* Returns NAME without the numbers of clones: the symbol "f.constprop.0.isra.0" is "f.constprop.isra" among gcc's figures. */
static const char *usage_name(const char *name)
{
	char *ret = arena_strdup(&program_arena, name), *to = ret;

	for (const char *from = name; *from;) {
		size_t part = 1 + strcspn(from + 1, ".");

		if (*from != '.' || strspn(from + 1, "0123456789") != part - 1) {
			memmove(to, from, part);
			to += part;
		}
		from += part;
	}
	*to = 0;
	return ret;
}

/* Frames, from lines "FILE:LINE:COLUMN:FUNCTION<tab>BYTES<tab>KIND". Clones that share a name get the largest. */
static bool read_usage(const struct object *o, const char *path)
{
	int figures = GLOBAL - 1 - o->number; /* the number of an object that has no symbols, for function_at() */
	struct text t = { 0 };
	char *save = NULL;

	if (!text_read_file(&t, path))
		return false;
	for (char *line = t.len ? strtok_r(t.buf, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		char *tab = strchr(line, '\t'), *kind = tab ? strchr(tab + 1, '\t') : NULL, *name;
		int f, frame;

		if (!kind)
			continue;
		*tab = 0;
		name = strrchr(line, ':');
		f = function_at(o->g, usage_name(name ? name + 1 : line), figures);
		frame = strcmp(kind + 1, "dynamic") ? atoi(tab + 1) : FRAME_UNBOUNDED;
		if (o->g->f[f].frame != FRAME_UNBOUNDED && (frame == FRAME_UNBOUNDED || frame > o->g->f[f].frame))
			o->g->f[f].frame = frame;
	}
	for (int i = 0; i < o->n_code; i++) {
		struct stack_function *f = &o->g->f[o->code[i].function];
		int figure = find_function(o->g, usage_name(f->name), figures);

		if (figure >= 0)
			f->frame = o->g->f[figure].frame;
	}
	text_deinit(&t);
	return true;
}

/* Adds what the object PATH (NAME.o) has. NULL or what is wrong. */
static const char *read_object(struct stack_graph *g, const char *path, int number)
{
	_cleanup_free_ char *usage = xasprintf("%.*s.su", (int)strlen(path) - 2, path);
	struct object o = { .g = g, .number = number };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *wrong = NULL;
	GElf_Ehdr eh = { 0 };

	elf_version(EV_CURRENT);
	o.elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!o.elf || !gelf_getehdr(o.elf, &eh) || elf_getshdrstrndx(o.elf, &o.section_names) || !read_symbols(&o))
		wrong = arena_printf(&program_arena, "%s cannot be read", path);
	else if (!read_usage(&o, usage) && o.n_code) /* clang leaves no file where there are no functions */
		wrong = arena_printf(&program_arena, "the compiler left no %s; gcc does, and clang from version 13", usage);
	o.machine = machine_of_elf(eh.e_machine);
	if (!wrong)
		read_code(&o);
	free(o.code);
	if (o.elf)
		elf_end(o.elf);
	if (fd >= 0)
		close(fd);
	return wrong;
}

/* ---- what the kit's objects have, in a file ---- */
/* A line for each function: its frame, whether it is defined, whether it calls through a pointer, its object, its name, and the
 * numbers of the lines of the functions that it calls. The first line has the number of lines. */
static bool write_graph(const struct stack_graph *g, const char *path)
{
	_cleanup_free_ int *line = xmalloc(((size_t)g->n + 1) * sizeof(*line));
	struct text t = { 0 };
	int n = 0, rc;

	for (int i = 0; i < g->n; i++) /* figures of the compiler have been used */
		line[i] = g->f[i].object >= GLOBAL ? n++ : -1;
	text_printf(&t, "%d\n", n);
	for (int i = 0; i < g->n; i++) {
		const struct stack_function *f = &g->f[i];

		if (line[i] < 0)
			continue;
		text_printf(&t, "%d %d %d %d %s", f->frame, f->defined, f->indirect, f->object, f->name);
		for (int c = 0; c < f->n; c++)
			text_printf(&t, " %d", line[f->call[c]]);
		text_puts(&t, "\n");
	}
	rc = text_write_file(&t, path);
	text_deinit(&t);
	return !rc;
}

/* Reads the number at *P and the space or newline after it. */
static int read_number(char **p)
{
	int n = (int)strtol(*p, p, 10);

	*p += **p != 0;
	return n;
}

/* Adds the function of the line at *P, which is moved to the function's calls. Returns the number of the function in G. */
static int read_line(struct stack_graph *g, char **p)
{
	int frame = read_number(p), defined = read_number(p), indirect = read_number(p), object = read_number(p);
	char *name = *p, after;
	int ret;

	*p += strcspn(*p, " \n");
	after = **p;
	**p = 0;
	ret = function_at(g, name, object);
	**p = after;
	if (defined)
		g->f[ret].frame = frame;
	g->f[ret].defined |= defined;
	g->f[ret].indirect |= indirect;
	return ret;
}

/* Adds what write_graph() wrote to PATH. False: there is no such file, and G is as it was. */
static bool read_graph(struct stack_graph *g, const char *path)
{
	_cleanup_free_ int *at = NULL;
	struct text t = { 0 };
	char **calls, *p;
	int n, lines = 0;

	if (!text_read_file(&t, path) || !t.len)
		return false;
	for (p = t.buf; (p = strchr(p, '\n')); p++)
		lines++;
	p = t.buf;
	n = read_number(&p);
	if (n < 0 || n + 1 != lines) {
		text_deinit(&t);
		return false;
	}
	at = xmalloc(((size_t)n + 1) * sizeof(*at));
	calls = xmalloc(((size_t)n + 1) * sizeof(*calls));
	for (int i = 0; i < n; i++) {
		at[i] = read_line(g, &p);
		calls[i] = p;
		p = strchr(p, '\n') + 1;
	}
	for (int i = 0; i < n; i++)
		while (*calls[i] == ' ') {
			int to = (int)strtol(calls[i], &calls[i], 10);

			if (to >= 0 && to < n)
				add_call(g, at[i], at[to]);
		}
	free(calls);
	text_deinit(&t);
	return true;
}

/* ---- the search ---- */
/* The functions on the path from FIRST on call each other in a cycle, or are one alone: sets what they and all below them
 * need. */
static void close_cycle(struct stack_graph *g, int first)
{
	bool recursive = g->n_path - first > 1;
	int worst = -1, largest = g->path[first];
	long long frame, below = 0;

	g->cycles++;
	for (int k = first; k < g->n_path; k++)
		g->f[g->path[k]].cycle = g->cycles;
	for (int k = first; k < g->n_path; k++) {
		const struct stack_function *f = &g->f[g->path[k]];

		largest = f->frame > g->f[largest].frame ? g->path[k] : largest;
		if (f->indirect && g->indirect > below)
			below = g->indirect;
		for (int c = 0; c < f->n; c++) {
			const struct stack_function *to = &g->f[f->call[c]];

			if (to->cycle == g->cycles) {
				recursive = true;
			} else if (to->need > below) {
				below = to->need;
				worst = f->call[c];
			}
		}
	}
	frame = g->f[largest].frame > 0 ? g->f[largest].frame + WORD : WORD;
	while (g->n_path > first) {
		struct stack_function *f = &g->f[g->path[--g->n_path]];

		f->largest = largest;
		f->recursive = recursive;
		f->need = frame * (recursive ? g->nesting : 1) + below;
		f->worst = worst;
		f->open = false;
	}
}

/* Tarjan's search for cycles, which closes callees before their callers. */
static void search(struct stack_graph *g, int i)
{
	int first = g->n_path;

	g->f[i].order = g->f[i].low = ++g->visited;
	g->f[i].open = true;
	g->path[g->n_path++] = i;
	for (int c = 0; c < g->f[i].n; c++) {
		int to = g->f[i].call[c];

		if (!g->f[to].order)
			search(g, to);
		if (g->f[to].open && g->f[to].low < g->f[i].low)
			g->f[i].low = g->f[to].low;
	}
	if (g->f[i].low == g->f[i].order)
		close_cycle(g, first);
}

static void search_all(struct stack_graph *g)
{
	g->path = g->path ? g->path : xmalloc((size_t)g->n * sizeof(*g->path));
	g->visited = g->cycles = 0;
	for (int i = 0; i < g->n; i++)
		g->f[i].order = 0;
	for (int i = 0; i < g->n; i++)
		if (!g->f[i].order)
			search(g, i);
}

/* Stack that a call through a pointer of the kit may need: as much as any of its functions, as often as such calls nest. */
static void bound_indirect(struct stack_graph *g)
{
	long long most = 0;

	search_all(g);
	for (int i = 0; i < g->n; i++)
		if (!g->f[i].script && g->f[i].need > most)
			most = g->f[i].need;
	g->indirect = INDIRECT_LEVELS * most;
	search_all(g);
}

/* ---- the script ---- */
/* A handler or a condition, p_N and c_N in the script's C. */
static bool is_handler(const struct stack_function *f)
{
	return f->script && f->defined && f->referred && (f->name[0] == 'p' || f->name[0] == 'c') && f->name[1] == '_';
}

/* Returns the fault of the functions that F's calls lead to, including F, or NULL. LENIENT: the script contains C, of
 * which only what is known counts. */
static const char *check_below(struct stack_graph *g, int i, bool lenient)
{
	struct stack_function *f = &g->f[i];
	const char *wrong = NULL;

	if (f->open)
		return NULL;
	f->open = true;
	if (f->defined && f->frame < 0 && !(lenient && f->script))
		return arena_printf(&program_arena, f->frame == FRAME_UNBOUNDED ?
				    "the frame of %s has no bound" : "the compiler gives no figure for %s", f->name);
	if (f->recursive && !f->script && f->defined)
		return arena_printf(&program_arena, "%s of the runtime calls itself", f->name);
	for (int c = 0; c < f->n && !wrong; c++)
		wrong = check_below(g, f->call[c], lenient);
	return wrong;
}

/* Of the functions that make up what F needs, the one whose frames take most. */
static void find_largest(const struct stack_graph *g, int i, struct stack_need *ret)
{
	long long most = 0;

	for (; i >= 0; i = g->f[i].worst) {
		const struct stack_function *f = &g->f[g->f[i].largest];
		long long takes = (long long)f->frame * (f->recursive ? g->nesting : 1);

		if (takes <= most)
			continue;
		most = takes;
		ret->function = f->name;
		ret->frame = f->frame;
		ret->times = f->recursive ? g->nesting : 1;
	}
}

static const char *sum_up(struct stack_graph *g, bool lenient, struct stack_need *ret)
{
	int timed = find_function(g, "kt_timed", GLOBAL), worst = -1;
	long long failed = 0;
	const char *wrong = NULL;

	for (int i = 0; i < g->n && !wrong; i++) {
		if (!strcmp(g->f[i].name, "handler_failed") && g->f[i].defined)
			failed = g->f[i].need;
		if (!is_handler(&g->f[i]))
			continue;
		wrong = check_below(g, i, lenient);
		if (worst < 0 || g->f[i].need > g->f[worst].need)
			worst = i;
	}
	if (wrong || worst < 0)
		return wrong;
	ret->bytes = g->f[worst].need;
	if (timed >= 0 && g->f[timed].referred)
		ret->bytes += g->f[timed].need;
	if (failed > ret->bytes)
		ret->bytes = failed;
	find_largest(g, worst, ret);
	return NULL;
}

/* Adds OBJECTS to G, which begin with number FIRST. NULL or what is wrong. */
static const char *read_objects(struct stack_graph *g, const char *const *objects, int first)
{
	const char *wrong = NULL;

	for (int i = 0; objects[i] && !wrong; i++)
		wrong = read_object(g, objects[i], first + i);
	return wrong;
}

bool stack_save(const char *const *objects, const char *path)
{
	struct stack_graph g = { 0 };
	bool ok = !read_objects(&g, objects, SCRIPT + 1) && write_graph(&g, path);

	graph_deinit(&g);
	return ok;
}

const char *stack_measure(const char *script, const char *const *objects, const char *saved, int nesting, bool lenient,
			  struct stack_need *ret)
{
	struct stack_graph g = { .nesting = nesting };
	const char *wrong;

	*ret = (struct stack_need){ .bytes = WORD };
	wrong = read_object(&g, script, SCRIPT);
	if (!wrong && !(saved && read_graph(&g, saved)))
		wrong = read_objects(&g, objects, SCRIPT + 1);
	if (!wrong) {
		bound_indirect(&g);
		wrong = sum_up(&g, lenient, ret);
	}
	graph_deinit(&g);
	return wrong;
}
