/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzz targets of whole passes share: messages go nowhere, no kernel is read, and the conditions of a script. */
#ifndef KTAP_FUZZ_FRONT_H
#define KTAP_FUZZ_FRONT_H

#include <stdio.h>

#include "lib/diag.h"
#include "translator/debuginfo/kernel.h"
#include "translator/syntax/parse.h"

/* Thousands of messages a second help nobody. The sanitizers write to the file descriptor all the same. */
__attribute__((constructor)) static void be_quiet(void)
{
	stderr = fopen("/dev/null", "w");
}

/* Finds no kernel: what is read of one is kept, while the memory of an input is freed. */
const struct kernel *__wrap_kernel_find(struct reports *r, const char *what);

const struct kernel *__wrap_kernel_find(struct reports *r, const char *what)
{
	error(diag_nowhere(r), DIAG_NO_KERNEL, "no kernel");
	return NULL;
}

static const char *no_config(void *data, const char *name)
{
	return NULL;
}

static struct conditions fuzz_conditions(const char *runtime)
{
	return (struct conditions){
		.kernel_v = "6.1.0", .kernel_vr = "6.1.0-56-amd64", .arch = "x86_64", .runtime = runtime,
		.systemtap_v = "5.6", .privilege = "stapdev", .guru = true, .config = no_config,
	};
}

#endif
