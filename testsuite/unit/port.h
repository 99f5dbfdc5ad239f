/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the core needs from its surroundings, for unit tests: memory, CPUs, records. One thread; "CPUs" are areas. */
#ifndef KTAP_UNIT_PORT_H
#define KTAP_UNIT_PORT_H

#include <stdlib.h>
#include <string.h>
#include "runtime/script.h"

enum { PORT_CPUS = 3, PORT_AREA = 1 << 16 };

static _Alignas(64) char port_area[PORT_CPUS][PORT_AREA];
static _Alignas(8) char port_record[1 << 16]; /* the last record: payload */
static kt_u32 port_record_size;
static long port_allocs, port_fail_at = -1; /* the how-manieth allocation fails */

kt_u32 kt_n_cpus(void)
{
	return PORT_CPUS + 1;
}

void *kt_cpu_area(kt_u32 cpu)
{
	return cpu == 1 ? NULL : port_area[cpu > 1 ? cpu - 1 : cpu]; /* number 1 does not exist */
}

void *kt_alloc(kt_u64 size, int cpu)
{
	if (port_fail_at >= 0 && port_fail_at-- == 0)
		return NULL;
	port_allocs++;
	return calloc(1, size);
}

void kt_free(void *p)
{
	if (p)
		port_allocs--;
	free(p);
}

void *kt_reserve(struct kt_ctx *c, kt_u32 kind, kt_u32 number, kt_u32 payload)
{
	port_record_size = payload;
	memset(port_record, 'x', sizeof(port_record));
	return payload <= sizeof(port_record) ? port_record : NULL;
}

void kt_commit(struct kt_ctx *c)
{
}

#endif
