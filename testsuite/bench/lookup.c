/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks functions up in a kernel's debugging information and prints places, variables and the CPU time of each step.
 * Usage: lookup RELEASE FUNCTION[@FILE[:LINE]]...
 * To measure the index's building, remove it first. BTF=1 asks BTF, QUIET=1 prints counts only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/arena.h"
#include "translator/debuginfo/opened.h"
#include "translator/debuginfo/target.h"

static double cpu(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void print_location(const struct location *l)
{
	static const char *const kinds[] = { "none", "address", "register", "value", "pieces" };

	printf(" %s", kinds[l->kind]);
	if (l->kind == LOC_NONE)
		printf(" (%s)", l->why);
	if (l->kind == LOC_REGISTER)
		printf(" %u", l->reg);
	for (int i = 0; i < l->n_ops; i++)
		printf(" %02x(%lld,%lld)", l->ops[i].atom, (long long)l->ops[i].a, (long long)l->ops[i].b);
}

static void print_place(struct target *t, const struct place *p)
{
	printf("%#llx %s@%s:%d %s in %s+%llu %s", (unsigned long long)p->address, p->func, p->file, p->line,
	       p->inlined ? "inlined" : "function", p->symbol,
	       (unsigned long long)(p->address - p->symbol_address), p->section);
	if (p->inlined)
		printf(" called from %s at %s:%d", p->container, p->call_file, p->call_line);
	printf("\n");
	for (const struct variable *v = target_variables(t, p); v; v = v->next) {
		printf("    %s %s: %s", v->parameter ? "param" : "local", v->name, v->type ? v->type->name : "void");
		print_location(&v->location);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct opened opened = { 0 };
	const struct kernel *k = kernel_find(NULL, argc > 1 ? argv[1] : NULL);
	double start = cpu();
	struct target *t = k ? target_open_kernel(&opened, k, getenv("BTF") ? DEBUGINFO_BTF : DEBUGINFO_AUTO, NULL) : NULL;

	if (!t)
		return EXIT_FAILURE;
	printf("open: %.3f s, build-id %s\n", cpu() - start, target_build_id(t));
	for (int i = 2; i < argc; i++) {
		char *func = argv[i], *file = strchr(func, '@'), *line = file ? strrchr(file, ':') : NULL;
		struct function_query q = { .func = func, .inlined = true, .outlined = true };
		int n = 0, inlined = 0;

		if (line) {
			*line++ = 0;
			q.line = atoi(line);
		}
		if (file) {
			*file++ = 0;
			q.file = file;
		}
		start = cpu();
		struct place *places = target_functions(t, &q);
		double found = cpu() - start;

		for (struct place *p = places; p; p = p->next) {
			n++;
			inlined += p->inlined;
			if (!getenv("QUIET"))
				print_place(t, p);
		}
		printf("%s: %d places, %d inlined; lookup %.3f s, with variables %.3f s\n", func, n, inlined, found,
		       cpu() - start);
	}
	target_close(t);
	arena_deinit(&program_arena);
	return EXIT_SUCCESS;
}
