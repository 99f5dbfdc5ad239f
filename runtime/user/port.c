/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment that script.h needs: memory, per-CPU globals, locks, and a probed machine that is not there. */
#include <stdlib.h>
#include <string.h>

#include "runtime/user/user.h"

static void *zeroed(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		user_die("out of memory: %zu bytes", size);
	return p;
}

void user_cpu_init(struct user_cpu *cpu)
{
	cpu->globals = zeroed(kt_script.percpu_size + 1ul);
	cpu->frame = zeroed(kt_script.frame_size + 1ul);
}

void user_cpu_free(struct user_cpu *cpu)
{
	free(cpu->globals);
	free(cpu->frame);
}

struct kt_ctx *user_enter(struct user_cpu *cpu, const struct kt_probe *probe)
{
	/* Memory that a kernel would leave from earlier handlers is filled with garbage, so that its use is noticed. */
	memset(cpu->frame, 0x5a, kt_script.frame_size);
	cpu->context = (struct kt_ctx){
		.actions = -1,
		.error_place = KT_NO_PLACE,
		.cpu = cpu->globals,
		.frame_base = cpu->frame,
		.probe = probe,
	};
	return &cpu->context;
}

struct kt_ctx *kt_embedded_context(void)
{
	return &user_current.cpu.context;
}

/* ---- memory and CPUs ---- */
void *kt_alloc(kt_u64 size, int cpu)
{
	(void)cpu;
	return calloc(1, size);
}

void kt_free(void *p)
{
	free(p);
}

kt_u32 kt_n_cpus(void)
{
	return 1;
}

void *kt_cpu_area(kt_u32 cpu)
{
	return cpu ? NULL : user_current.cpu.globals;
}

kt_s64 kt_percpu_sum(kt_u32 offset)
{
	return *(kt_s64 *)((char *)user_current.cpu.globals + offset);
}

/* ---- locks: one thread, so a lock that is taken is a mistake of the generated code ---- */
int kt_lock_read(struct kt_ctx *c, struct kt_lock *l)
{
	return kt_lock_write(c, l);
}

int kt_lock_write(struct kt_ctx *c, struct kt_lock *l)
{
	(void)c;
	if (l->word)
		user_die("a lock is taken twice");
	l->word = 1;
	return 1;
}

void kt_unlock_read(struct kt_lock *l)
{
	kt_unlock_write(l);
}

void kt_unlock_write(struct kt_lock *l)
{
	if (!l->word)
		user_die("a lock is given back twice");
	l->word = 0;
}

/* ---- no probed machine ---- */
kt_u64 kt_deref(struct kt_ctx *c, kt_u64 address, kt_u32 size)
{
	(void)size;
	kt_faultf(c, "read fault at 0x%x", (kt_s64)address);
	return 0;
}

kt_u64 kt_deref_user(struct kt_ctx *c, kt_u64 address, kt_u32 size)
{
	return kt_deref(c, address, size);
}

kt_u64 kt_thread_pointer(void)
{
	return 0;
}

kt_u64 kt_object_address(struct kt_ctx *c, const struct kt_user_object *o, kt_u64 address)
{
	kt_faultf(c, "read fault at 0x%x", (kt_s64)address);
	return 0;
}

kt_u64 kt_register(struct kt_ctx *c, kt_u32 dwarf_number)
{
	(void)dwarf_number;
	kt_faultf(c, "register access fault");
	return 0;
}

kt_u64 kt_user_register(struct kt_ctx *c, kt_u32 dwarf_number)
{
	return kt_register(c, dwarf_number);
}

void kt_store(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size)
{
	(void)value;
	(void)size;
	kt_faultf(c, "write fault at 0x%x", (kt_s64)address);
}

void kt_store_user(struct kt_ctx *c, kt_u64 address, kt_u64 value, kt_u32 size)
{
	kt_store(c, address, value, size);
}

void kt_set_register(struct kt_ctx *c, kt_u32 dwarf_number, kt_u64 value)
{
	(void)value;
	kt_register(c, dwarf_number);
}

void kt_set_return_value(struct kt_ctx *c, kt_u64 value)
{
	kt_set_register(c, 0, value);
}

kt_u64 kt_return_value(struct kt_ctx *c)
{
	return kt_register(c, 0);
}

void kt_set_return_wide(struct kt_ctx *c, kt_u64 value)
{
	kt_set_return_value(c, value);
}

kt_u64 kt_return_wide(struct kt_ctx *c)
{
	return kt_return_value(c);
}

kt_u64 kt_relocate(kt_u64 address)
{
	return address;
}

kt_u64 kt_cpu_copy(struct kt_ctx *c, kt_u64 address, kt_s64 cpu)
{
	(void)c;
	(void)cpu;
	return address;
}

kt_u64 kt_this_cpu(kt_u64 address)
{
	return address;
}
