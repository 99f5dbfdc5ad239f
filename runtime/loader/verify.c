/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktaprun --verify: the checks before a module is loaded, and what the kernel is known to refuse, on a module that stays a file. */
#include "runtime/loader/verify.h"

#include <stdio.h>

#include "runtime/loader/image.h"
#include "runtime/loader/load.h"
#include "runtime/loader/refusal.h"

static void print_facts(const struct image *m)
{
	printf("module %s\ninterface %d\nkernel %s\n", m->name, m->abi, m->release[0] ? m->release : "unknown");
	if (m->signature)
		printf("signature %zu bytes\n", m->signature);
	else
		puts("signature none");
	if (m->python)
		puts("python yes");
}

bool verify_module(const struct loader_sys *sys, const char *path)
{
	struct image m;
	bool ok;

	if (!image_open(sys, &m, path, true))
		return false;
	print_facts(&m);
	fflush(stdout);
	ok = load_check_kernel(sys, &m) && refusal_unlikely(sys, &m);
	image_close(&m);
	return ok;
}
