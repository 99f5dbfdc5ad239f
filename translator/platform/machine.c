/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of machines. */
#include "translator/platform/machine.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/arena.h"

static const struct machine machines[] = {
	{ "x86_64", "x86_64", "x86", "x86_64-linux-gnu", EM_X86_64 },
	{ "aarch64", "arm64", "arm64", "aarch64-linux-gnu", EM_AARCH64 },
};

static const struct machine *target;

const struct machine *machine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(name, machines[i].name) || !strcmp(name, machines[i].script))
			return &machines[i];
	return NULL;
}

const struct machine *machine_of_srcarch(const char *path)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		size_t len = strlen(machines[i].srcarch);

		if (!strncmp(path, machines[i].srcarch, len) && path[len] == '/')
			return &machines[i];
	}
	return NULL;
}

/* A machine that is not in the table has one name for all, and no cross compiler. */
const struct machine *machine_host(void)
{
	static struct utsname u;
	static struct machine other = { u.machine, u.machine, u.machine, "", EM_NONE };
	const struct machine *m;

	if (!*u.machine)
		uname(&u);
	m = machine_find(u.machine);
	return m ? m : &other;
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
