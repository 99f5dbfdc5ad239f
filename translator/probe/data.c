/* Family data: watchpoints on the kernel's memory, by the processor's debug registers.
 *
 *	kernel.data(ADDRESS)[.length(N)].write    handlers run when something was written there
 *	kernel.data(ADDRESS)[.length(N)].rw       or read
 *	kernel.data("SYMBOL")[.length(N)]...      a variable of the kernel by name
 *
 * An address is one of the running kernel. A symbol comes from the kernel's System.map, which must therefore belong to
 * the running kernel; without a length all of it is watched, as far as one register reaches.
 */
#include <string.h>

#include "translator/options.h"
#include "translator/probe/context.h"
#include "translator/probe/probe.h"

enum variant {
	DATA_WRITE,
	DATA_RW,
};

/* Debug registers of a processor of the architectures that we know, and the bytes that one watches. */
enum {
	DATA_REGISTERS = 4,
	DATA_BYTES_MAX = 8,
};

/* What probe->data points at. */
struct data_probe {
	const char *symbol;   /* NULL: an address of the running kernel */
	uint64_t address;
	unsigned length;
	bool reads;
};

#define DATA_PATTERNS(argument) \
	{ "kernel.data(" argument ").write", DATA_WRITE }, { "kernel.data(" argument ").rw", DATA_RW }, \
	{ "kernel.data(" argument ").length(number).write", DATA_WRITE }, \
	{ "kernel.data(" argument ").length(number).rw", DATA_RW }

static const struct probe_pattern patterns[] = {
	DATA_PATTERNS("number"),
	DATA_PATTERNS("string"),
	{ NULL, 0 },
};

/* ---- the place ---- */
static bool is_length(uint64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/* The most bytes from ADDRESS on, SIZE at most, that one register can watch. */
static unsigned longest(uint64_t address, uint64_t size)
{
	unsigned length = DATA_BYTES_MAX;

	while (length > 1 && (length > size || address % length))
		length /= 2;
	return length;
}

/* Finds the symbol; false: reported, or there is none and the caller says so. */
static bool find_symbol(const struct resolve *r, const struct node *arg, struct kernel_variable *ret)
{
	const struct kernel *k = kernel_find(r->program->options->release);
	struct nearest near = { .word = arg->text };

	if (!k)
		return false;
	if (!k->system_map) {
		error(arg->loc, DIAG_NO_DEBUGINFO, "variables of kernel %s cannot be found: its System.map is not installed",
		      k->release);
		note(arg->loc, "apt-get install linux-image-%s-dbg, or give the address that /proc/kallsyms shows",
		     k->release);
		return false;
	}
	if (kernel_variable(k, arg->text, ret, &near))
		return context_kernel(r->program) != NULL;
	if (ret->per_cpu) {
		error(arg->loc, DIAG_PROBE_ARG, "'%s' is a per-CPU variable, which has an address on each CPU", arg->text);
		note(arg->loc, "give the address of one CPU's copy");
		return false;
	}
	if (r->point->optional)
		return false;
	error(arg->loc, DIAG_NO_MATCH, "'%s' is no variable of the kernel", arg->text);
	if (nearest_get(&near))
		note(arg->loc, "did you mean '%s'?", nearest_get(&near));
	return false;
}

/* Registers that the script's points have taken so far. */
static int n_taken(const struct resolve *r)
{
	int n = 0;

	for (const struct probe *pr = r->program->probes; pr; pr = pr->next)
		n += pr->family == &probe_family_data;
	return n;
}

static bool check_place(const struct resolve *r, const struct data_probe *d, const struct node *length)
{
	const struct node *arg = probe_arg(r->point, 1);

	if (d->address >> 63 == 0) {
		error(arg->loc, DIAG_PROBE_ARG, "%#llx is no address of the kernel", (unsigned long long)d->address);
		note(arg->loc, "the kernel's half begins at 0x8000000000000000");
		return false;
	}
	if (d->address % d->length) {
		error((length ? length : arg)->loc, DIAG_PROBE_ARG, "%#llx is not a multiple of the length %u",
		      (unsigned long long)d->address, d->length);
		note(arg->loc, "one debug register watches %u byte%s here; use several probes for more",
		     longest(d->address, DATA_BYTES_MAX), longest(d->address, DATA_BYTES_MAX) == 1 ? "" : "s");
		return false;
	}
	if (n_taken(r) >= DATA_REGISTERS) {
		error(r->point->loc, DIAG_PROBE_POINT, "this is watchpoint %d of the script, and a processor has %d",
		      n_taken(r) + 1, DATA_REGISTERS);
		note(r->point->loc, "watch fewer places, or adjacent ones by one probe with a larger .length()");
		return false;
	}
	return true;
}

static bool resolve(struct resolve *r)
{
	const struct node *arg = probe_arg(r->point, 1), *length = probe_arg(r->point, 2);
	struct data_probe *d = arena_new(&program_arena, struct data_probe);

	d->reads = r->pattern->id == DATA_RW;
	if (length && !is_length((uint64_t)length->num)) {
		error(length->loc, DIAG_PROBE_ARG, "the length is %lld, expected 1, 2, 4 or 8", length->num);
		return false;
	}
	if (arg->kind == ND_NUM) {
		d->address = (uint64_t)arg->num;
		d->length = 1;
	} else {
		struct kernel_variable v;

		if (!find_symbol(r, arg, &v))
			return r->point->optional;
		d->symbol = arg->text;
		d->address = v.address;
		d->length = longest(v.address, v.size);
	}
	if (length)
		d->length = (unsigned)length->num;
	if (!check_place(r, d, length))
		return false;
	probe_add(r, &probe_family_data, probe_point_text(r->point), d);
	return true;
}

/* ---- output ---- */
static void emit_row(struct text *t, const struct probe *pr)
{
	const struct data_probe *d = pr->data;

	text_printf(t, "{ .probe = %d, .reads = %d, .address = %#llxULL, .length = %u, .linked = %d },", pr->index, d->reads,
		    (unsigned long long)d->address, d->length, d->symbol != NULL);
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct data_probe *d = pr->data;

	text_printf(t, "%#llx ", (unsigned long long)d->address);
	if (d->symbol)
		text_printf(t, "%s ", d->symbol);
	text_printf(t, "%s of %u byte%s, debug register", d->reads ? "reads and writes" : "writes", d->length,
		    d->length == 1 ? "" : "s");
}

static const char *mechanism(const struct probe *pr)
{
	(void)pr;
	return "watchpoint";
}

const struct probe_family probe_family_data = {
	.name = "data",
	.id = KT_FAMILY_DATA,
	.patterns = patterns,
	.resolve = resolve,
	.emit_row = emit_row,
	.describe = describe,
	.mechanism = mechanism,
};
