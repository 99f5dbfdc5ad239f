/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel code that kprobes refuse: sections whose start and end are symbols of the linker script, and functions marked with
 * NOKPROBE_SYMBOL, whose addresses are in a table of the image.
 */
#include "translator/debuginfo/denied.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"

const struct denied_section denied_sections[DENIED_SECTIONS] = {
	{ "__kprobes_text_start", "__kprobes_text_end", "kprobes themselves run it" },
	{ "__noinstr_text_start", "__noinstr_text_end", "it is code that may not be instrumented (noinstr)" },
	{ "__entry_text_start", "__entry_text_end", "it enters the kernel from user space or an interrupt" },
	{ "__init_begin", "__init_end", "it is freed after boot" },
};

/* Ranges of sections, then of single functions. */
struct denied {
	uint64_t start[DENIED_SECTIONS], end[DENIED_SECTIONS];
	uint64_t *functions;        /* start and end in turn, sorted */
	size_t n_functions;
};

/* The table from START to STOP holds entries; elf_find_functions() finds where each ends. */
static void read_functions(struct denied *d, struct elf_file *e, uint64_t start, uint64_t stop)
{
	const uint64_t *table = NULL;
	struct elf_lookup *l;
	size_t n;

	if (start && stop > start)
		table = elf_bytes(e, start, stop - start);
	if (!table)
		return;
	n = (stop - start) / sizeof(*table);
	l = xmalloc((n + 1) * sizeof(*l));
	for (size_t i = 0; i < n; i++) {
		l[i] = (struct elf_lookup){};
		memcpy(&l[i].address, &table[i], sizeof(*table));
	}
	sort_rows(l, n, by_number);
	elf_find_functions(e, l, n);
	d->functions = xmalloc((2 * n + 1) * sizeof(*d->functions));
	for (size_t i = 0; i < n; i++) {
		if (!l[i].symbol)
			continue;
		d->functions[2 * d->n_functions] = l[i].symbol_address;
		d->functions[2 * d->n_functions + 1] = l[i].symbol_end;
		d->n_functions++;
	}
	free(l);
}

const char *denied_in_module(const char *section)
{
	if (!strcmp(section, ".static_call.text"))
		return "the kernel rewrites it (static call)";
	return !strcmp(section, ".noinstr.text") || !strcmp(section, ".kprobes.text")
		       ? "it is code that may not be instrumented (noinstr)" : NULL;
}

struct denied *denied_create(struct elf_file *e)
{
	enum { TABLE_START = 2 * DENIED_SECTIONS, TABLE_STOP, N };
	const char *names[N] = { [TABLE_START] = "__start_kprobe_blacklist", [TABLE_STOP] = "__stop_kprobe_blacklist" };
	uint64_t values[N];
	struct denied *d = xmalloc(sizeof(*d));

	for (int i = 0; i < DENIED_SECTIONS; i++) {
		names[2 * i] = denied_sections[i].start;
		names[2 * i + 1] = denied_sections[i].end;
	}
	elf_linker_symbols(e, names, N, values);
	*d = (struct denied){};
	for (int i = 0; i < DENIED_SECTIONS; i++) {
		d->start[i] = values[2 * i];
		d->end[i] = values[2 * i + 1];
	}
	read_functions(d, e, values[TABLE_START], values[TABLE_STOP]);
	return d;
}

void denied_destroy(struct denied *d)
{
	if (!d)
		return;
	free(d->functions);
	free(d);
}

const char *denied_why(const struct denied *d, uint64_t address)
{
	size_t lo = rows_up_to(address, d->functions, d->n_functions, 2 * sizeof(*d->functions));

	for (int i = 0; i < DENIED_SECTIONS; i++)
		if (d->start[i] && address >= d->start[i] && address < d->end[i])
			return denied_sections[i].why;
	return lo && address < d->functions[2 * (lo - 1) + 1] ? "the kernel's authors denied it (NOKPROBE_SYMBOL)" : NULL;
}
