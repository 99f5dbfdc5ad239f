/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BTF reader on structures that contain themselves: a walk over members ends, and finds what is behind them. */
#include <bpf/btf.h>

#include "lib/arena.h"
#include "testsuite/unit/tap.h"
#include "translator/debuginfo/btf-reader.h"
#include "translator/debuginfo/kernel.h"

/* Struct outer: one of knot without a name, and last. Struct knot: eight of itself without names. */
static struct btf *make(void)
{
	struct btf *b = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED), knot = btf__add_struct(b, "knot", 8);

	for (int k = 0; k < 8; k++)
		btf__add_field(b, NULL, knot, 0, 0);
	btf__add_struct(b, "outer", 8);
	btf__add_field(b, NULL, knot, 0, 0);
	btf__add_field(b, "last", i, 32, 0);
	return b;
}

static void count(const char *name, void *data)
{
	(void)name;
	++*(int *)data;
}

int main(void)
{
	struct btf *made = make();
	struct kernel_kept kept = { 0 };
	const struct kernel k = { .machine = &machine_x86_64, .kept = &kept };
	uint32_t n;
	const void *bytes = btf__raw_data(made, &n);
	struct target *t = btf_open_bytes(&k, "made", bytes, n, NULL);
	const struct ctype *outer = target_type(t, "struct outer");
	struct member m;
	int names = 0;

	ok(ctype_member(outer, "last", &m), "a member behind a structure within itself is found");
	is_int((long long)m.offset, 4, "its offset");
	ok(!ctype_member(outer, "none", &m), "one that is not there is not");
	ctype_member_names(outer, count, &names);
	is_int(names, 1, "its members");
	target_close(t);
	btf__free(made);
	arena_deinit(&program_arena);
	return tap_done();
}
