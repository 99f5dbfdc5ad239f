/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stack.c says of small objects is at least what a walk down their calls takes, and not much more: each snippet is compiled
 * here as a script's object, by gcc and, where it is installed, by clang.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/interrupt.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "testsuite/unit/tap.h"
#include "translator/module/build.h"

/* A table of handlers as scripts have it, after TEXT. BIG(n) is a frame of n bytes and a few more. */
#define SCRIPT(text)                                                                                                  \
	"#define BIG(n) char big[n]; __asm__ volatile(\"\" : : \"r\"(big) : \"memory\")\n"                             \
	"#define FAR __attribute__((noinline))\n"                                                                     \
	"void kt_outside(long);\n" text                                                                               \
	"\ntypedef void (*fn)(long); static const fn table[] = { p_0 }; const fn *kt_table(void) { return table; }\n"

/* What is below the stack pointer belongs to nobody in the kernel. */
#ifdef __x86_64__
#define KERNEL_FLAG "-mno-red-zone"
#else
#define KERNEL_FLAG "-O2"
#endif

static const char *dir;

/* Compiles TEXT as NAME.o; false: that failed. */
static bool compile(const char *cc, const char *name, const char *text, bool figures)
{
	const char *source = arena_printf(&program_arena, "%s/%s.c", dir, name);
	const char *object = arena_printf(&program_arena, "%s/%s.o", dir, name);
	const char *argv[] = { cc, "-O2", "-w", "-fno-pie", KERNEL_FLAG, "-c", "-o", object, source,
			       figures ? "-fstack-usage" : "-O2", NULL };
	struct text t = { 0 }, out = { 0 };
	int rc;

	unlink(arena_printf(&program_arena, "%s/%s.su", dir, name));
	text_puts(&t, text);
	rc = text_write_file(&t, source);
	if (!rc)
		rc = proc_run(&(struct proc){ .argv = argv, .cwd = dir, .out = &out });
	if (rc)
		printf("# %s: %s\n", cc, text_str(&out));
	text_deinit(&t);
	text_deinit(&out);
	return !rc;
}

/* Measures the script with N - 1 objects of a kit, and the same with what was saved of these. */
static const char *measure(int n, int nesting, bool lenient, struct stack_need *ret)
{
	const char *script = arena_printf(&program_arena, "%s/script.o", dir), *kit = arena_printf(&program_arena, "%s/kit.o", dir);
	const char *const objects[] = { n > 1 ? kit : NULL, NULL };
	const char *saved = arena_printf(&program_arena, "%s/saved", dir), *wrong, *again;
	struct stack_need other;

	wrong = stack_measure(script, objects, NULL, nesting, lenient, ret);
	unlink(saved);
	if (!stack_save(objects, saved))
		return wrong;
	again = stack_measure(script, (const char *const[]){ "/nosuch.o", NULL }, saved, nesting, lenient, &other);
	if (strcmp(wrong ?: "", again ?: "") || (!wrong && (other.bytes != ret->bytes || other.frame != ret->frame ||
	    other.times != ret->times || strcmp(other.function ?: "", ret->function ?: ""))))
		return "what was saved of the kit gives another figure";
	return wrong;
}

/* Scripts without a kit: what they need is LEAST bytes and up to MORE above that. */
static const struct {
	const char *what, *text;
	int nesting, least, more;
	const char *function; /* of the largest frames */
} scripts[] = {
	{ "a handler alone", SCRIPT("static void p_0(long x) { BIG(1000); }"), 1, 1000, 100, "p_0" },
	{ "the deepest of two chains",
	  SCRIPT("static FAR long f_c(long x) { BIG(400); return x; }\n"
		 "static FAR long f_a(long x) { BIG(300); return f_c(x) + 1; }\n"
		 "static FAR long f_b(long x) { BIG(500); return x; }\n"
		 "static void p_0(long x) { BIG(100); f_a(x); f_b(x); }"), 1, 800, 250, "f_c" },
	{ "one after the other takes as much as the larger",
	  SCRIPT("static FAR long f_a(long x) { BIG(800); return x; }\n"
		 "static FAR long f_b(long x) { BIG(900); return x; }\n"
		 "static void p_0(long x) { f_a(x); f_b(x); }"), 1, 900, 150, "f_b" },
	{ "recursion counts as often as it may nest",
	  SCRIPT("static FAR long f_a(long x) { BIG(200); return x > 0 ? f_a(x - 1) + big[x & 1] : 0; }\n"
		 "static void p_0(long x) { f_a(x); }"), 11, 2200, 11 * 80 + 100, "f_a" },
	{ "recursion of two, as often as the larger may nest",
	  SCRIPT("static FAR long f_b(long x);\n"
		 "static FAR long f_a(long x) { BIG(200); return x > 0 ? f_b(x - 1) + big[x & 1] : 0; }\n"
		 "static FAR long f_b(long x) { BIG(300); return x > 0 ? f_a(x - 1) + big[x & 1] : 0; }\n"
		 "static void p_0(long x) { f_a(x); }"), 11, 11 * 250, 11 * 130 + 100, "f_b" },
	{ "a call at the end of a function",
	  SCRIPT("static FAR void f_a(long x) { BIG(700); }\n"
		 "static void p_0(long x) { kt_outside(x); f_a(x + 1); }"), 1, 700, 150, "f_a" },
	{ "a function whose address is taken",
	  SCRIPT("static FAR long f_a(long x) { BIG(600); return x; }\n"
		 "void kt_with(long (*f)(long));\n"
		 "static void p_0(long x) { kt_with(f_a); }"), 1, 600, 150, "f_a" },
	{ "what no handler calls does not count",
	  SCRIPT("static void p_0(long x) { BIG(100); }\nvoid other(long x) { BIG(5000); }"), 1, 100, 100, "p_0" },
};

static void test_scripts(const char *cc)
{
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		struct stack_need need;
		const char *wrong;

		if (!ok(compile(cc, "script", scripts[i].text, true), "%s compiles: %s", cc, scripts[i].what))
			continue;
		wrong = measure(1, scripts[i].nesting, false, &need);
		is_str(wrong ? wrong : "", "", "there is a figure");
		ok(need.bytes >= scripts[i].least && need.bytes <= scripts[i].least + scripts[i].more, "%s: %s: %lld bytes",
		   cc, scripts[i].what, need.bytes);
		ok(need.function && !strncmp(need.function, scripts[i].function, strlen(scripts[i].function)),
		   "%s takes most of them: %s", scripts[i].function, need.function ? need.function : "(none)");
	}
}

/* The kit's own functions: those that a handler calls count, one of them calls any through a pointer. */
static void test_kit(const char *cc)
{
	static const char kit[] = "__attribute__((noinline)) static long deep(long x) { volatile char a[1200]; a[x] = 1; return a[0]; }\n"
				  "long kt_with(long x) { return deep(x) + 1; }\n"
				  "long kt_any(long (*f)(long), long x) { return f(x) + 1; }\n";
	struct stack_need with, any;

	ok(compile(cc, "kit", kit, true), "%s: a kit", cc);
	compile(cc, "script", SCRIPT("long kt_with(long);\nstatic void p_0(long x) { kt_with(x); }"), true);
	is_str(measure(2, 1, false, &with) ?: "", "", "there is a figure");
	ok(with.bytes > 1200 && with.bytes < 1400, "%s: a function of the kit: %lld bytes", cc, with.bytes);
	compile(cc, "script", SCRIPT("long kt_any(void *, long);\nstatic void p_0(long x) { kt_any(0, x); }"), true);
	is_str(measure(2, 1, false, &any) ?: "", "", "there is a figure");
	ok(any.bytes > 2400, "%s: calls through pointers, two deep: %lld bytes", cc, any.bytes);
	compile(cc, "kit", "int no_functions;", false);
	compile(cc, "script", SCRIPT("static void p_0(long x) { BIG(100); }"), true);
	is_str(measure(2, 1, false, &with) ?: "", "", "an object without functions needs no figures");
}

static void test_refusals(const char *cc)
{
	static const char looping[] = "long kt_with(long x) { volatile char a[100]; a[0] = 1; return x > 0 ? kt_with(x - 1) + a[0] : 0; }\n";
	struct stack_need need;
	const char *wrong;

	compile(cc, "kit", looping, true);
	compile(cc, "script", SCRIPT("long kt_with(long);\nstatic void p_0(long x) { kt_with(x); }"), true);
	wrong = measure(2, 1, false, &need);
	is_str(wrong ? wrong : "", "kt_with of the runtime calls itself", "a kit that recurses");
	compile(cc, "script", SCRIPT("static void p_0(long x) { volatile char big[x]; big[0] = 1; kt_outside(big[0]); }"), true);
	wrong = measure(1, 1, false, &need);
	is_str(wrong ? wrong : "", "the frame of p_0 has no bound", "a frame that grows");
	ok(!measure(1, 1, true, &need), "which C of the script's own may have");
	compile(cc, "script", SCRIPT("static void p_0(long x) { BIG(100); }"), false);
	wrong = measure(1, 1, false, &need);
	ok(wrong && strstr(wrong, "the compiler left no "), "no figures: %s", wrong ? wrong : "accepted");
}

int main(void)
{
	const char *const compilers[] = { "gcc", "clang" };
	char path[] = "/tmp/ktap-stack-XXXXXX";

	dir = mkdtemp(path);
	for (int i = 0; i < 2; i++) {
		struct text out = { 0 };
		bool installed = !proc_run(&(struct proc){ .argv = (const char *const[]){ compilers[i], "--version", NULL },
							   .out = &out });

		text_deinit(&out);
		if (!installed)
			continue;
		test_scripts(compilers[i]);
		test_kit(compilers[i]);
		test_refusals(compilers[i]);
	}
	remove_tree(dir);
	return tap_done();
}
