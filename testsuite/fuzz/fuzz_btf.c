/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the reader of BTF, on a small BTF made here whose bytes the input changes. The first two bytes say how much
 * is cut off its end, each further three are one change: where, and the new byte.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "testsuite/fuzz/visit.h"
#include "translator/debuginfo/btf-reader.h"
#include "translator/debuginfo/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES_MAX = 16 };

static struct btf *made; /* its bytes are these */
static const void *bytes;
static uint32_t n_bytes;

static void add_function(struct btf *b, const char *name, int ret, int first, int second)
{
	int proto = btf__add_func_proto(b, ret);

	btf__add_func_param(b, "first", first);
	btf__add_func_param(b, "second", second);
	btf__add_func(b, name, BTF_FUNC_GLOBAL, proto);
}

/* One of each kind that a kernel's BTF has, and two functions of one name. */
static void make(void)
{
	struct btf *b = made = btf__new_empty();
	int i = btf__add_int(b, "int", 4, BTF_INT_SIGNED), l = btf__add_int(b, "unsigned long", 8, 0);
	int s = btf__add_struct(b, "fixture", 40), p = btf__add_ptr(b, s), u, a, e, t;

	btf__add_field(b, "count", i, 0, 0);
	btf__add_field(b, "low", i, 32, 3);
	btf__add_field(b, "high", i, 35, 5);
	btf__add_field(b, "next", p, 64, 0);
	btf__add_field(b, NULL, s + 2, 128, 0);
	btf__add_field(b, "list", s + 3, 192, 0);
	u = btf__add_union(b, NULL, 8);
	btf__add_field(b, "whole", l, 0, 0);
	btf__add_field(b, "part", i, 0, 0);
	a = btf__add_array(b, i, i, 4);
	e = btf__add_enum(b, "colour", 4);
	btf__add_enum_value(b, "RED", 1);
	btf__add_enum_value(b, "BLUE", 2);
	btf__add_enum64(b, "wide", 8, false);
	btf__add_enum64_value(b, "HUGE", 1ull << 40);
	t = btf__add_typedef(b, "fixture_t", btf__add_const(b, btf__add_volatile(b, s)));
	btf__add_float(b, "double", 8);
	btf__add_fwd(b, "elsewhere", BTF_FWD_STRUCT);
	add_function(b, "one", i, p, t);
	add_function(b, "one", l, p, e);
	add_function(b, "two", t, u, a);
	bytes = btf__raw_data(b, &n_bytes);
	if (!bytes)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kernel_kept kept;
	static const struct kernel kernel = { .machine = &machine_x86_64, .kept = &kept };
	struct function_query q = { .func = "*", .outlined = true };
	struct target *t;
	uint32_t n;
	char *copy;

	n_visited = 0;
	if (!bytes)
		make();
	n = n_bytes;
	if (size >= 2 && data[0] == 1)
		n -= data[1] % n_bytes;
	copy = memcpy(xmalloc(n), bytes, n);
	for (size_t i = 2; i + 3 <= size && i < 2 + CHANGES_MAX * 3; i += 3)
		copy[(data[i] + 256u * data[i + 1]) % n] = (char)data[i + 2];
	t = btf_open_bytes(&kernel, "fuzzed", copy, n, NULL);
	if (t) {
		for (struct place *p = target_functions(t, &q); p; p = p->next)
			visit_place(t, p);
		q.func = "one";
		target_functions(t, &q);
		visit_type(target_type(t, "struct fixture"), 0);
		visit_type(target_type(t, "fixture_t"), 0);
		target_close(t);
	}
	free(copy);
	diag_forget(NULL);
	arena_deinit(&program_arena);
	return 0;
}
