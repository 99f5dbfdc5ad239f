/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/unwind.c, loader/cfi.c and loader/object.c: tables of hand-made call frame information, and of this very program,
 * whose stack is walked through a callback of the C library and out of a signal handler; the truth is backtrace(3), which
 * uses the unwinder of the compiler's library.
 */
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/loader/object.h"
#include "runtime/loader/reading.h"
#include "testsuite/unit/tap.h"

static const struct kt_unwind_machine x86_64 = { .sp = 7, .fp = 6, .ip = 16, .ra = 16, .word = 8 };

/* ---- made by hand ---- */

/* One CIE (CFA = rsp + 8, return address at CFA - 8) and one function of 0x40 bytes at 0x1000 with the program CODE. */
static size_t one_function(unsigned char *to, const char *code, size_t n)
{
	static const unsigned char cie[] = {
		0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x00, 0x0c, 7, 8, 0x90, 1, 0, 0,
	};
	unsigned char fde[] = {
		0, 0, 0, 0, 0x1c, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0,
	};

	fde[0] = (unsigned char)(sizeof(fde) - 4 + n);
	memcpy(to, cie, sizeof(cie));
	memcpy(to + sizeof(cie), fde, sizeof(fde));
	memcpy(to + sizeof(cie) + sizeof(fde), code, n);
	return sizeof(cie) + sizeof(fde) + n;
}

struct made {
	struct cfi cfi;
	struct kt_unwind_table t;
};

static void make(struct made *m, const char *code, size_t n)
{
	unsigned char bytes[256];
	struct cfi_section s = { .data = bytes, .size = one_function(bytes, code, n), .address = 0x9000 };

	*m = (struct made){ 0 };
	cfi_add(&m->cfi, &s, 0);
	cfi_finish(&m->cfi);
	m->t.rows = m->cfi.rows;
	m->t.n_rows = (kt_u32)m->cfi.n_rows;
	m->t.words = m->cfi.words;
	m->t.n_words = (kt_u32)m->cfi.n_words;
}

/* A stack of 64 words at address 0x10000. */
static kt_u64 stack[64];

static int read_stack(void *data, kt_u64 address, kt_u32 size, kt_u64 *ret)
{
	if (address < 0x10000 || address >= 0x10000 + sizeof(stack) || address % 8)
		return -1;
	*ret = stack[(address - 0x10000) / 8];
	return 0;
}

static struct kt_unwind_state state_at(kt_u64 pc)
{
	struct kt_unwind_state s = { .known = 0x1ffff, .first = 1, .exact = 1 };

	s.reg[7] = 0x10020;
	s.reg[6] = 0x10080;
	s.reg[16] = pc;
	return s;
}

#define MAKE(m, code) make(m, code, sizeof(code) - 1)
#define STEP(m, pc, s) kt_unwind_step(&(m)->t, (kt_u32)(pc), &x86_64, s, read_stack, NULL)

static void rules(void)
{
	struct kt_unwind_state s;
	struct made m;

	for (int i = 0; i < 64; i++)
		stack[i] = 0x4000 + (kt_u64)i;
	/* push %rbp at +1; a pop and a second way out at +0x20 */
	MAKE(&m, "\x41\x0e\x10\x86\x02\x02\x1f\x0a\x0e\x08\xc6\x41\x0b");
	is_int((long long)m.cfi.dropped, 0, "a plain function is understood");
	s = state_at(0x1000);
	is_int(STEP(&m, 0x1000, &s), KT_STEP_OK, "step at the entry");
	ok(s.reg[16] == 0x4004 && s.reg[7] == 0x10028 && s.ra_at == 0x10020, "return address on top, sp behind it");
	s = state_at(0x1001);
	STEP(&m, 0x1001, &s);
	ok(s.reg[16] == 0x4005 && s.reg[6] == 0x4004 && s.reg[7] == 0x10030, "behind the push, rbp is restored");
	s = state_at(0x1020);
	STEP(&m, 0x1020, &s);
	ok(s.reg[16] == 0x4004 && s.reg[6] == 0x10080, "behind the pop, rbp is as it is");
	s = state_at(0x1021);
	STEP(&m, 0x1021, &s);
	is_int((long long)s.reg[16], 0x4005, "the remembered rules hold again");
	s = state_at(0x1040);
	is_int(STEP(&m, 0x1040, &s), KT_STEP_NONE, "no rule behind the function");
	is_int(STEP(&m, 0xfff, &s), KT_STEP_NONE, "no rule before the first");
	cfi_deinit(&m.cfi);
}

static void expressions(void)
{
	struct kt_unwind_state s;
	struct made m;

	MAKE(&m, "\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22");
	s = state_at(0x100b);
	STEP(&m, 0x100b, &s);
	is_int((long long)s.reg[7], 0x10030, "PLT behind its push");
	s = state_at(0x100a);
	STEP(&m, 0x100a, &s);
	is_int((long long)s.reg[7], 0x10028, "PLT before its push");
	cfi_deinit(&m.cfi);
	stack[15] = 0x10100;
	MAKE(&m, "\x0f\x03\x76\x78\x06\x10\x06\x02\x76\x00");
	s = state_at(0x1000);
	is_int(STEP(&m, 0x1000, &s), KT_STEP_OK, "a stack that was aligned");
	ok(s.reg[7] == 0x10100 && s.reg[16] == stack[31] && s.reg[6] == stack[16], "CFA and rbp come by way of rbp");
	cfi_deinit(&m.cfi);
	MAKE(&m, "\x0f\x03\x77\x08\x9f");
	is_int(STEP(&m, 0x1000, &s), KT_STEP_NONE, "an expression of another kind is no rule");
	is_int((long long)m.cfi.dropped, 0, "and does not make the function senseless");
	cfi_deinit(&m.cfi);
	MAKE(&m, "\x07\x10");
	s = state_at(0x1000);
	is_int(STEP(&m, 0x1000, &s), KT_STEP_END, "a lost return address ends the stack");
	cfi_deinit(&m.cfi);
}

static void nonsense(void)
{
	static const struct {
		const char *code;
		size_t n;
		const char *what;
	} bad[] = {
		{ "\x0b", 1, "restore without remember" },
		{ "\x02\x41", 2, "a place behind the end" },
		{ "\x0c\x07", 2, "a cut instruction" },
		{ "\x0c\x7f\x08", 3, "a CFA of no register" },
		{ "\x3f", 1, "an unknown instruction" },
		{ "\x0f\x7f\x77", 3, "an expression longer than the entry" },
		{ "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a", 17, "remember without end" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct made m;

		make(&m, bad[i].code, bad[i].n);
		ok(m.cfi.dropped == 1 && m.cfi.n_rows == 0, "dropped: %s", bad[i].what);
		cfi_deinit(&m.cfi);
	}
}

static void lies(void)
{
	struct kt_unwind_state s, before;
	struct made m;

	MAKE(&m, "\x0e\x10");
	s = state_at(0x1000);
	s.reg[7] = 0x20000;
	before = s;
	is_int(STEP(&m, 0x1000, &s), KT_STEP_FAULT, "a stack that is not there");
	ok(!memcmp(&s, &before, sizeof(s)), "a failed step changes nothing");
	s = state_at(0x1000);
	s.known = 1 << 16;
	is_int(STEP(&m, 0x1000, &s), KT_STEP_BAD, "sp is not known");
	cfi_deinit(&m.cfi);
	MAKE(&m, "\x0e\x00");
	s = state_at(0x1000);
	is_int(STEP(&m, 0x1000, &s), KT_STEP_OK, "sp may stay in the innermost frame");
	s = state_at(0x1000);
	s.first = 0;
	is_int(STEP(&m, 0x1000, &s), KT_STEP_BAD, "but nowhere else");
	cfi_deinit(&m.cfi);
	s = state_at(0x1000);
	stack[16] = 0x100f0;
	is_int(kt_unwind_step_fp(&x86_64, &s, read_stack, NULL), KT_STEP_OK, "by frame pointer");
	ok(s.reg[16] == stack[17] && s.reg[7] == 0x10090 && s.reg[6] == 0x100f0, "its caller");
	s.reg[6] = 0x10088;
	is_int(kt_unwind_step_fp(&x86_64, &s, read_stack, NULL), KT_STEP_BAD, "a frame pointer below the stack pointer");
}

/* ---- this program ---- */
enum { OBJECTS_MAX = 32, FRAMES_MAX = 64 };

static struct map {
	kt_u64 start, end, offset;
	char path[256];
	struct object object;
	struct kt_unwind_table table;
} maps[OBJECTS_MAX];
static int n_maps;

static const char *read_object(struct object *o, const char *path)
{
	const struct apart_limits limits = { .seconds = 600 };
	struct libraries l = { 0 };
	int fd;
	const char *wrong = reading_make(o, &(struct reading){ path, path, true }, &l, &limits, &fd);

	if (fd >= 0)
		close(fd);
	return wrong;
}

static void read_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512], flags[8];

	while (f && n_maps < OBJECTS_MAX && fgets(line, sizeof(line), f)) {
		struct map *m = &maps[n_maps];
		unsigned long start, end, offset;

		m->path[0] = 0;
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %255s", &start, &end, flags, &offset, m->path) < 4 ||
		    flags[2] != 'x')
			continue;
		m->start = start;
		m->end = end;
		m->offset = offset;
		if (!strcmp(m->path, "[vdso]") ? object_read_vdso(&m->object) : read_object(&m->object, m->path))
			continue;
		if (!ok(!kt_unwind_open(&m->table, m->object.block, m->object.size), "tables of %s are good", m->path))
			continue;
		n_maps++;
	}
	if (f)
		fclose(f);
}

/* The offset in file PATH of what is mapped at ADDRESS; all ones: it is not of that file. */
static kt_u64 file_offset(const char *path, kt_u64 address)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512], mapped[256];
	unsigned long start, end, offset;
	kt_u64 ret = ~0ull;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %255s", &start, &end, &offset, mapped) == 4 &&
		    !strcmp(mapped, path) && address >= start && address < end)
			ret = address - start + offset;
	if (f)
		fclose(f);
	return ret;
}

static const struct map *map_of(kt_u64 pc)
{
	for (int i = 0; i < n_maps; i++)
		if (pc >= maps[i].start && pc < maps[i].end)
			return &maps[i];
	return NULL;
}

static int read_self(void *data, kt_u64 address, kt_u32 size, kt_u64 *ret)
{
	memcpy(ret, (void *)address, sizeof(*ret));
	return 0;
}

/* Calls out of S, the innermost first. */
static int walk(struct kt_unwind_state *s, void **ret)
{
	int n = 0;

	while (n < FRAMES_MAX) {
		kt_u64 pc = kt_unwind_pc(&x86_64, s);
		const struct map *m = map_of(pc);

		ret[n++] = (void *)s->reg[16];
		if (!m || kt_unwind_step(&m->table, kt_unwind_place(&m->table, pc - m->start + m->offset), &x86_64, s,
					 read_self, NULL) != KT_STEP_OK)
			break;
	}
	return n;
}

static void state_of(struct kt_unwind_state *s, const ucontext_t *u)
{
	static const int order[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
				     REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };

	*s = (struct kt_unwind_state){ .known = 0x1ffff, .first = 1, .exact = 1 };
	for (int i = 0; i < 17; i++)
		s->reg[i] = (kt_u64)u->uc_mcontext.gregs[order[i]];
}

static void *ours[FRAMES_MAX], *theirs[FRAMES_MAX];
static int n_ours, n_theirs;

static const kt_u32 take_both_line = __LINE__ + 1;
static __attribute__((noinline)) void take_both(void)
{
	struct kt_unwind_state s;
	ucontext_t u;

	getcontext(&u);
	state_of(&s, &u);
	n_ours = walk(&s, ours);
	n_theirs = backtrace(theirs, FRAMES_MAX);
}

static void compare(const char *what, int least)
{
	int more = n_theirs - n_ours; /* the sanitizer's wrapper of backtrace() */
	int same = more == 0 || more == 1;

	/* the innermost one is where each of them was called */
	for (int i = 1; same && i < n_ours; i++)
		same = ours[i] == theirs[i + more];
	if (!ok(same && n_ours >= least, "%s: %d calls as backtrace() has them", what, n_ours))
		for (int i = 0; i < n_ours || i < n_theirs; i++)
			printf("# %p %p\n", i < n_ours ? ours[i] : NULL, i < n_theirs ? theirs[i] : NULL);
}

static int by_value(const void *a, const void *b)
{
	take_both();
	return *(const int *)a - *(const int *)b;
}

static void on_signal(int number)
{
	take_both();
}

/* Of the C++ library: the sanitizers link it. */
static void readable_names(const struct kt_unwind_table *t)
{
	kt_u32 mangled = 0, found = 0;

	for (kt_u32 i = 0; i < t->n_symbols; i++) {
		const char *name = t->names + t->symbols[i].name;

		mangled += !strncmp(name, "_Z", 2);
		found += !strcmp(name, "std::exception::what() const");
	}
	ok(found == 1 && mangled < t->n_symbols / 5, "names of C++ can be read: %u of %u can't", mangled, t->n_symbols);
}

/* The linker's: where the code ends. */
extern const char etext[];
static const int numbers_of_ours[4] = { 1, 2, 3, 4 };

/* The name of what is at P in file M. */
static const char *name_at(const struct map *m, const void *p)
{
	const struct kt_unwind_symbol *s = NULL;

	if (m)
		s = kt_unwind_symbol(&m->table, kt_unwind_place(&m->table, file_offset(m->path, (kt_u64)(uintptr_t)p)));
	return s ? m->table.names + s->name : "none";
}

/* Where a symbol is to be found: its own name, at its own address. */
static void symbols(void)
{
	const struct map *m = map_of((kt_u64)(uintptr_t)take_both);

	is_str(name_at(m, take_both), "take_both", "the symbol of a static function");
	is_str(name_at(m, &numbers_of_ours[3]), "numbers_of_ours", "the symbol of a constant");
	is_str(name_at(m, etext), "none", "behind the code there is no function");
	if (m && m->table.n_lines) { /* else it was compiled without -g */
		kt_u32 place = kt_unwind_place(&m->table, (kt_u64)(uintptr_t)take_both - m->start + m->offset);
		const char *file = "";
		kt_u32 line = kt_unwind_line(&m->table, place, &file);
		size_t len = strlen(file);

		ok(line >= take_both_line && line <= take_both_line + 1, "the line of its name or brace");
		is_str(len > 13 ? file + len - 13 : file, "unwind_test.c", "and its file");
	}
	m = map_of((kt_u64)(uintptr_t)getenv);
	is_str(name_at(m, getenv), "getenv", "a symbol of the C library");
	for (int i = 0; i < n_maps; i++)
		if (strstr(maps[i].path, "libstdc++"))
			readable_names(&maps[i].table);
}

static void self(void)
{
	int numbers[] = { 2, 1 };

	read_maps();
	ok(n_maps >= 3, "this program, the C library, the vdso");
	take_both();
	compare("a call", 5);
	qsort(numbers, 2, sizeof(numbers[0]), by_value);
	compare("a callback", 7);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	compare("a signal handler", 8);
	symbols();
}

/* ---- blocks that are not as they should be ---- */
static void blocks(void)
{
	struct kt_unwind_table t;
	struct object o;
	char *copy;
	int refused = 0, n = 0;

	ok(!read_object(&o, "/proc/self/exe"), "tables of this program");
	copy = malloc(o.size);
	for (size_t size = 0; size < o.size; size += size < 64 ? 1 : o.size / 97) {
		memcpy(copy, o.block, o.size);
		refused += kt_unwind_open(&t, copy, size) != 0;
		n++;
	}
	is_int(refused, n, "every cut block is refused");
	memcpy(copy, o.block, o.size);
	kt_unwind_open(&t, copy, o.size);
	((struct kt_unwind_row *)(uintptr_t)t.rows)[1].place = 0;
	ok(kt_unwind_open(&t, copy, o.size) < 0, "rows out of order are refused");
	memcpy(copy, o.block, o.size);
	((struct kt_unwind_row *)(uintptr_t)t.rows)[1].rule = t.n_words - 1;
	ok(kt_unwind_open(&t, copy, o.size) < 0, "a rule that is cut is refused");
	memcpy(copy, o.block, o.size);
	((kt_u32 *)(uintptr_t)t.words)[t.rows[0].rule] = KT_CFA_KINDS;
	ok(kt_unwind_open(&t, copy, o.size) < 0, "an unknown kind is refused");
	free(copy);
	object_deinit(&o);
	is_str(read_object(&o, "/etc/passwd"), "it is not an ELF file", "a text file");
	is_str(read_object(&o, "/dev/null"), "it is not a regular file", "a device");
}

int main(void)
{
	rules();
	expressions();
	nonsense();
	lies();
	self();
	blocks();
	for (int i = 0; i < n_maps; i++)
		object_deinit(&maps[i].object);
	return tap_done();
}
