/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DWARF reader on a program compiled here, with DWARF 4 and 5, optimised: the truth is what C says. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "testsuite/lib/dwarf_fixture.h"
#include "testsuite/unit/tap.h"
#include "translator/debuginfo/reader.h"

static const char sources[] = KTAP_SRCDIR "/testsuite/lib/";

/* Compiles the fixture; its path, or NULL. */
static const char *compile(const char *dwarf, const char *dir)
{
	const char *exe = arena_printf(&program_arena, "%s/fixture", dir);
	const char *const argv[] = {
		"cc", "-g", dwarf, "-O2", "-no-pie", "-o", exe, arena_printf(&program_arena, "%sdwarf_fixture_a.c", sources),
		arena_printf(&program_arena, "%sdwarf_fixture_b.c", sources), NULL,
	};
	struct proc p = { .argv = argv };

	return proc_run(&p) ? NULL : exe;
}

static struct place *find(struct target *t, const char *func, const char *file, int *ret_n, int *ret_inlined)
{
	struct function_query q = { .func = func, .file = file, .inlined = true, .outlined = true };
	struct place *first = target_functions(t, &q);

	*ret_n = *ret_inlined = 0;
	for (struct place *p = first; p; p = p->next) {
		++*ret_n;
		*ret_inlined += p->inlined;
	}
	return first;
}

static void check_places(struct target *t)
{
	int n, inlined;
	struct place *p = find(t, "fixture_eight", NULL, &n, &inlined);

	is_int(n, 1, "a function is one place");
	is_int((long long)p->address, (long long)target_symbol(t, "fixture_eight"), "its address is its symbol's");
	is_str(p->symbol, "fixture_eight", "its symbol");
	is_int(p->line, 10, "the line of its declaration");
	p = find(t, "fixture_inlined", NULL, &n, &inlined);
	is_int(n, 3, "an always inlined function has three places");
	is_int(inlined, 3, "all of them inlined");
	is_str(p->container, "fixture_first", "the first is inlined into");
	is_int(p->call_line, 34, "at line");
	find(t, "fixture_same", NULL, &n, &inlined);
	is_int(n, 2, "two static functions of one name");
	p = find(t, "fixture_same", "dwarf_fixture_b.c", &n, &inlined);
	is_int(n, 1, "a file chooses one of them");
	ok(target_variable(t, p, "in_b") && !target_variable(t, p, "in_a"), "with its own parameter");
	p = find(t, "fixture_sa*", "*_a.c", &n, &inlined);
	is_int(n, 1, "globs in both");
	find(t, "fixture_*", NULL, &n, &inlined);
	is_int(n, 10, "a glob finds copies and instances");
	ok(!find(t, "fixture_eigh", NULL, &n, &inlined), "a prefix is not a name");
}

static void check_parameters(struct target *t)
{
	static const struct {
		const char *name, *type;
		int reg; /* -1: in memory */
	} want[] = {
		{ "a", "char", 5 }, { "b", "short int", 4 }, { "c", "int", 1 }, { "d", "long int", 2 },
		{ "e", "char const*", 8 }, { "f", "struct fixture*", 9 }, { "g", "unsigned char", -1 },
		{ "h", "fixture_u64", -1 },
	};
	int n, inlined;
	struct place *p = find(t, "fixture_eight", NULL, &n, &inlined);
	const struct variable *v = target_variables(t, p);

	for (size_t i = 0; i < sizeof(want) / sizeof(*want) && v; i++, v = v->next) {
		const char *why = "?";
		struct text c = {};

		is_str(v->name, want[i].name, "a parameter");
		is_str(v->type->name, want[i].type, "its type");
		if (want[i].reg >= 0)
			ok(v->location.kind == LOC_REGISTER && (int)v->location.reg == want[i].reg, "its register");
		else
			is_int(v->location.kind, LOC_ADDRESS, "on the stack");
		ok(location_emit(&c, &v->location, v->type->size, "0", false, &why), "which C can compute");
		/* At the entry the frame's address is that of the return address plus 8: so 8(%rsp), 16(%rsp). */
		if (want[i].reg < 0)
			ok(strstr(text_str(&c), "kt_register(c, 7)"), "by the stack pointer");
		text_deinit(&c);
	}
	is_str(target_return_type(t, p)->name, "long int", "the type of what it returns");
	v = target_variable(t, p, "fixture_static");
	ok(v && v->location.kind == LOC_ADDRESS && v->location.ops->a == (int64_t)target_symbol(t, "fixture_static"),
	   "a static variable of the file is visible");
	ok(!target_variable(t, p, "nosuch"), "no such variable");
	p = find(t, "fixture_by_value", NULL, &n, &inlined);
	v = target_variable(t, p, "p");
	ok(v && v->location.kind == LOC_REGISTER && v->location.reg == 5, "a structure in a register");
}

static void check_inlined(struct target *t)
{
	int n, inlined;
	struct place *p = find(t, "fixture_inlined", NULL, &n, &inlined);
	int known = 0, constants = 0;

	for (; p; p = p->next) {
		const struct variable *v = target_variable(t, p, "value");

		known += v && v->location.kind != LOC_NONE;
		constants += v && v->location.kind == LOC_VALUE && v->location.n_ops == 1 && v->location.ops->a == 3;
	}
	is_int(known, 3, "each instance knows its parameter");
	is_int(constants, 1, "one of them is the constant 3");
}

/* The offset, or the lowest bit, of a member against C's. */
#define MEMBER(field, type_name)                                                                      \
	do {                                                                                          \
		struct member m_ = {};                                                                 \
		ok(ctype_member(ct, #field, &m_), "member " #field);                                   \
		is_int((long long)m_.offset, (long long)offsetof(struct fixture, field), "its offset"); \
		is_str(m_.type ? m_.type->name : "", type_name, "its type");                            \
		is_int(m_.type ? (long long)m_.type->size : -1,                                         \
		       (long long)sizeof(((struct fixture *)0)->field), "its size");                  \
	} while (0)

/* A bitfield is read as C reads it: all ones in it, zeroes around it. */
#define BITFIELD(field, width)                                                                        \
	do {                                                                                          \
		struct fixture f;                                                                     \
		struct member m_ = {};                                                                 \
		unsigned long long v = 0;                                                             \
		memset(&f, 0, sizeof(f));                                                             \
		f.field = -1;                                                                         \
		ok(ctype_member(ct, #field, &m_), "bitfield " #field);                                 \
		is_int(m_.bit_size, width, "its width");                                               \
		memcpy(&v, (char *)&f + m_.offset, m_.type->size);                                      \
		ok(v == ((1ull << width) - 1) << m_.bit_offset, "its bits and no others");             \
	} while (0)

static void count_name(const char *name, void *data)
{
	++*(int *)data;
}

static void check_types(struct target *t)
{
	const struct ctype *ct = target_type(t, "struct fixture"), *row;
	struct member m;
	int names = 0;

	if (!ok(ct, "struct fixture is found by name"))
		return;
	is_int((long long)ct->size, (long long)sizeof(struct fixture), "its size");
	MEMBER(number, "int");
	MEMBER(as_long, "long int");
	MEMBER(left, "int");
	MEMBER(right, "int");
	MEMBER(inner, "struct fixture_inner");
	MEMBER(many, "struct fixture_inner[4]");
	MEMBER(next, "struct fixture*");
	MEMBER(table, "struct fixture**");
	MEMBER(grid, "int[3][5]");
	MEMBER(name, "char const volatile*");
	MEMBER(callback, "fixture_callback*");
	MEMBER(color, "enum fixture_color");
	MEMBER(flag, "_Bool");
	MEMBER(real, "double");
	BITFIELD(low, 3);
	BITFIELD(middle, 7);
	BITFIELD(high, 22);
	BITFIELD(negative, 5);
	BITFIELD(wide, 40);
	BITFIELD(rest, 24);
	ok(!ctype_member(ct, "nosuch", &m), "no such member");
	ctype_member_names(ct, count_name, &names);
	is_int(names, 22, "names of members, those of anonymous ones included");
	ok(ctype_member(ct, "grid", &m), "an array of arrays");
	row = ctype_pointee(m.type);
	is_str(row->name, "int[5]", "has rows");
	is_int((long long)row->size, 5 * sizeof(int), "of this size");
	is_str(ctype_pointee(row)->name, "int", "of elements");
	ok(ctype_member(ct, "sign", &m) && m.type->is_signed, "an enumeration with negative values is signed");
	ok(ctype_member(ct, "color", &m) && !m.type->is_signed, "one without is not");
	ok(ctype_member(ct, "tail", &m) && m.type->kind == CT_ARRAY && !m.type->count, "an array without a size");
	ok(target_type(t, "fixture_u64") && !target_type(t, "struct nosuch"), "typedefs by name");
}

static void check(const char *dwarf)
{
	char dir[] = "/tmp/ktap-dwarf-XXXXXX";
	const char *exe = mkdtemp(dir) ? compile(dwarf, dir) : NULL;
	struct elf_file *e = exe ? elf_open(exe) : NULL;
	struct target *t;

	if (!ok(e, "the fixture is compiled with %s", dwarf))
		return;
	setenv("KTAP_CACHE_DIR", dir, 1);
	/* First building the index, then with the one kept. */
	for (int i = 0; i < 2; i++) {
		t = dwarf_open(e);
		if (!ok(t, "and opened"))
			return;
		check_places(t);
		check_parameters(t);
		check_inlined(t);
		check_types(t);
		target_close(t);
		e = elf_open(exe);
	}
	elf_close(e);
	proc_run(&(struct proc){ .argv = (const char *const[]){ "rm", "-r", dir, NULL } });
}

/* A program of another user, who writes to it after it was opened. */
static void check_foreign(void)
{
	enum { NOBODY = 65534 };
	char path[] = "/tmp/ktap-dwarf-XXXXXX";
	int fd = mkstemp(path);
	_cleanup_close_ int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	static char bytes[1 << 16];
	struct elf_file *e;
	const char *before;
	ssize_t n;

	while ((n = read(self, bytes, sizeof(bytes))) > 0)
		if (write(fd, bytes, (size_t)n) != n)
			exit(99);
	if (fchown(fd, NOBODY, NOBODY)) {
		ok(1, "a program of another user # SKIP not root");
	} else {
		e = elf_open(path);
		before = e ? e->build_id : NULL;
		memset(bytes, 0xff, sizeof(bytes));
		for (off_t at = 0; at < 1 << 20; at += n)
			if ((n = pwrite(fd, bytes, sizeof(bytes), at)) <= 0)
				exit(99);
		ok(e && before && elf_symbol(e, "main") && elf_has_section(e, ".symtab"), "a program of another user stays as it was opened");
		elf_close(e);
		if (ftruncate(fd, 0) || pwrite(fd, "\177ELF", 4, 1l << 32) != 4)
			exit(99);
		ok(!elf_open(path) && errno == ENOEXEC, "its holes take no memory");
		if (ftruncate(fd, 1l << 40))
			exit(99);
		ok(!elf_open(path) && errno == EFBIG, "and it has a size that is walked in time");
	}
	unlink(path);
	close(fd);
}

int main(void)
{
	check_foreign();
	check("-gdwarf-5");
	check("-gdwarf-4");
	arena_deinit(&program_arena);
	return tap_done();
}
