/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory the arrays of a script take, in all: for `ktap plan`, for the module, which compares it with what the kernel has
 * before it allocates any, and for the loader, which names the largest arrays.
 */
#include "translator/gen/parts.h"

#include <unistd.h>

#include "lib/arena.h"
#include "runtime/core/map-memory.h"
#include "translator/gen/gen.h"

enum { LARGEST = 4 /* arrays that the loader names */ };

static unsigned long long weight(const struct array_memory *a, int cpus)
{
	return a->bytes + a->per_cpu * (unsigned long long)cpus;
}

void memory_note(struct program *p, const struct symbol *s, const struct kt_map_type *t)
{
	struct array_memory *a = arena_alloc(&program_arena, sizeof(*a)), **at = &p->arrays;

	*a = (struct array_memory){ .name = s->name, .entries = t->entries, .bytes = kt_map_bytes(t, t->sort_slots) };
	if (s->plan == PLAN_COUNTER)
		a->per_cpu = kt_map_bytes(t, 0);
	while (*at && weight(*at, 1) >= weight(a, 1))
		at = &(*at)->next;
	a->next = *at;
	*at = a;
}

static struct array_memory sum(const struct program *p, int *ret_n)
{
	struct array_memory all = { 0 };

	*ret_n = 0;
	for (const struct array_memory *a = p->arrays; a; a = a->next) {
		all.bytes += a->bytes;
		all.per_cpu += a->per_cpu;
		(*ret_n)++;
	}
	return all;
}

void memory_write_sum(const struct program *p, struct text *out)
{
	int n;
	struct array_memory all = sum(p, &n);

	if (n)
		emit_line(out, ".memory = %lluu, .memory_per_cpu = %lluu,", all.bytes, all.per_cpu);
}

void memory_write_largest(const struct program *p, struct text *out)
{
	int n, named = 0;
	struct array_memory all = sum(p, &n);

	if (!n)
		return;
	text_printf(out, "static const char memory_of_arrays[] __attribute__((section(\".modinfo\"), used, aligned(1))) =\n"
		    "\t\"ktap_arrays=%d %llu %llu", n, all.bytes, all.per_cpu);
	for (const struct array_memory *a = p->arrays; a && named < LARGEST; a = a->next, named++)
		text_printf(out, " %s %lld %llu %llu", a->name, a->entries, a->bytes, a->per_cpu);
	text_puts(out, "\";\n\n");
}

static void print_size(struct text *t, unsigned long long bytes)
{
	if (bytes < 1 << 20)
		text_printf(t, "%.1f KB", (double)bytes / 1024);
	else
		text_printf(t, "%.1f MB", (double)bytes / (1 << 20));
}

void gen_memory(struct text *t, const struct program *p)
{
	int n, cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	struct array_memory all = sum(p, &n);

	if (!n)
		return;
	text_puts(t, "# memory of arrays: ");
	print_size(t, weight(&all, cpus));
	if (all.per_cpu)
		text_printf(t, " with %d CPU%s", cpus, cpus == 1 ? "" : "s");
	text_puts(t, "\n");
	for (const struct array_memory *a = p->arrays; a; a = a->next) {
		text_printf(t, "%s: ", a->name);
		print_size(t, a->bytes);
		if (a->per_cpu) {
			text_puts(t, ", and ");
			print_size(t, a->per_cpu);
			text_puts(t, " for each CPU");
		}
		text_printf(t, ", for %lld element%s\n", a->entries, a->entries == 1 ? "" : "s");
	}
}
