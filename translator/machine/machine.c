/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of machines. */
#include "translator/machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "runtime/host.h"

static const struct machine *const machines[] = { &machine_arm64, &machine_riscv64, &machine_x86_64 };
enum { N_MACHINES = sizeof(machines) / sizeof(machines[0]) };

static const struct machine *target;

const struct machine *machine_at(unsigned i)
{
	return i < N_MACHINES ? machines[i] : NULL;
}

const struct machine *machine_find(const char *name)
{
	for (unsigned i = 0; i < N_MACHINES; i++)
		if (!strcmp(name, machines[i]->name) || !strcmp(name, machines[i]->script))
			return machines[i];
	return NULL;
}

const struct machine *machine_of_srcarch(const char *path)
{
	for (unsigned i = 0; i < N_MACHINES; i++) {
		size_t len = strlen(machines[i]->srcarch);

		if (!strncmp(path, machines[i]->srcarch, len) && path[len] == '/')
			return machines[i];
	}
	return NULL;
}

const struct machine *machine_of_elf(unsigned elf)
{
	for (unsigned i = 0; i < N_MACHINES; i++) {
		if (machines[i]->elf == elf)
			return machines[i];
		if (machines[i]->narrow && machines[i]->narrow->elf == elf)
			return machines[i]->narrow;
	}
	return NULL;
}

const char *machine_list(void)
{
	const char *list = machines[0]->script;

	for (unsigned i = 1; i < N_MACHINES; i++)
		list = arena_printf(&program_arena, "%s%s%s", list, i + 1 < N_MACHINES ? ", " : " or ", machines[i]->script);
	return list;
}

const struct machine *machine_host(void)
{
	return machine_of_elf(KT_HOST_ELF);
}

const struct machine *machine_target(void)
{
	return target ? target : machine_host();
}

void machine_set_target(const struct machine *m)
{
	target = m;
}

const char *machine_compiler(const struct machine *m)
{
	const char *own = getenv("CROSS_COMPILE");

	if (m == machine_host())
		return "";
	return own && *own ? own : arena_printf(&program_arena, "%s-", m->triplet);
}

const char *machine_register(const struct machine *m, unsigned number)
{
	if (m && number < m->n_registers && m->registers[number])
		return m->registers[number];
	return arena_printf(&program_arena, "register %u", number);
}
