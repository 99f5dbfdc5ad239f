/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: passes 1 to 3 on a damaged program (damage.h) as the target of probes. The first byte of the input chooses a script.
 * Checked: whatever the program's debugging information, symbols and marks say, no pass crashes, and what is not translated is
 * refused with an error. On the program as it was compiled, without a change, every script is translated.
 */
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/front.h"
#include "translator/gen/gen.h"
#include "translator/sema/sema.h"
#include "translator/sema/tapset.h"
/* Its symbol_ops shows which programs are open without debugging information. */
#include "translator/debuginfo/program-open.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* @ is the point of the program: this file itself is there under its path. */
#define PROGRAM "/proc/self/exe"
static const char *const scripts[] = {
	"probe @.function(\"*\") { println($$parms, $$locals) }",
	"probe @.function(\"*\").call { print($$vars) }",
	"probe @.function(\"fixture_eight\") { println($f->number + $f->low + $f->inner->first + $f->grid[1][2] + $f->next->left, $e$) }",
	"probe @.function(\"fixture_eight\") { println($f$$, $h, $g, user_string($e)) }",
	"probe @.function(\"fixture_by_value\").return { println($return, $p->left, $n) }",
	"probe @.function(\"*\").return { println($$return) }",
	"probe @.function(\"fixture_inlined\").inline { println($value) }",
	"probe @.function(\"fixture_first\").callees(2) { println(ppfunc()) }",
	"probe @.function(\"main\").callee(\"*\") { println($$parms) }",
	"probe @.statement(\"*@*.c:*\") { println(pp()) }",
	"probe @.statement(\"main@*.c+1\").nearest { println($$vars) }",
	"probe @.function(\"*\").label(\"again\") { println(pp()) }",
	"probe @.mark(\"*\") { println($$vars, $arg1, $arg2 + $arg3) }",
	"probe @.plt { println(pp()) } probe @.plt.return { println(1) }",
	"probe @.begin { println(@var(\"fixture_static@*_a.c\", \"" PROGRAM "\"), @var(\"fixture_sink\", \"" PROGRAM "\")) }",
	"probe begin { println(@cast(1, \"fixture\", \"" PROGRAM "\")$$, @cast(1, \"struct fixture\", \"" PROGRAM "\")->table[1]->many[2]->text) }",
	"probe begin { println(@enumname(7, \"fixture_color\", \"" PROGRAM "\")) }",
	"probe @.function(\"fixture_second\") { @probewrite($x); if (@defined($nothing->x)) println($x) }",
};

/* Functions of the library that generated code calls. */
static const char library[] = "function pp:string() { return \"\" } function ppfunc:string() { return \"\" } "
			      "function user_string:string(a:long) { return \"\" } function user_string:string(a:long, e:string) { return e } "
			      "function __entry_value:long(slot:long) { return slot } function user_string_n:string(a:long, n:long) { return \"\" } "
			      "function __entry_text:string(slot:long, n:long) { return \"\" } function __entry_save(slot:long, v:long) { } "
			      "function kernel_string:string(a:long, e:string) { return e } "
			      "function user_string_quoted:string(a:long) { return \"\" } "
			      "function kernel_or_user_string_quoted:string(a:long) { return \"\" } "
			      "function __array_text:string(a:long, n:long, how:long) { return \"\" } ";

/* Compiled with the fixture: a mark, a label, a call of a library. */
static const char more[] =
	"#include <stdio.h>\n"
	"volatile int left;\n"
	"asm(\".section .note.stapsdt,\\\"\\\",\\\"note\\\"; .balign 4; .4byte 992f-991f, 994f-993f, 3; 991: .asciz \\\"stapsdt\\\";"
	"992: .balign 4; 993: .8byte main, 0, 0; .asciz \\\"prov\\\"; .asciz \\\"name\\\";"
	".asciz \\\"-4@%eax 8@16(%rsp,%rcx,4) %dil\\\"; 994: .balign 4; .previous\");\n"
	"__attribute__((noinline)) void more(void) { again: puts(\"\"); if (left--) goto again; }\n";

static char *copy; /* of the damaged program */

struct elf_file *__wrap_elf_open(const char *path);

struct elf_file *__wrap_elf_open(const char *path)
{
	errno = ENOENT;
	return copy ? elf_in_memory(path, copy, compiled.len) : NULL;
}

/* TEXT with the program's point for each @ that a dot follows. */
static char *script(const char *text)
{
	struct text t = { 0 };

	text_puts(&t, library);
	for (const char *p = text; *p; p++) {
		if (p[0] == '@' && p[1] == '.')
			text_puts(&t, "process(\"" PROGRAM "\")");
		else
			text_append(&t, p, 1);
	}
	return t.buf;
}

static void close_programs(const struct opened *o)
{
	for (struct program_file *f = o ? o->programs : NULL; f; f = f->next) {
		struct elf_file *debug = NULL;

		if (f->target->ops == &symbol_ops)
			target_close(f->target);
		else
			debug = dwarf_forget(f->target);
		if (debug != f->code)
			elf_close(debug);
		elf_close(f->code);
	}
}

static void translate(const char *text, bool must)
{
	struct conditions c = fuzz_conditions("kernel");
	struct parse_options po = { .conditions = &c, .guru = true };
	struct program p = { .session.last_pass = 3, .language.guru = true, .parse = &po };
	struct source *src = source_from_text(&p, "fuzz", text);
	struct text out = { 0 };

	if (!(parse_source(&p, src, &po) && sema_run(&p) && gen_program(&p, &out)) && !diag_errors(NULL))
		abort();
	if (must && diag_errors(NULL))
		abort();
	text_deinit(&out);
	close_programs(p.opened);
}

static void compile_more(void)
{
	char name[] = "/tmp/ktap-more-XXXXXX.c";
	int fd = mkstemps(name, 2);

	if (fd < 0 || write(fd, more, sizeof(more) - 1) != sizeof(more) - 1)
		abort();
	close(fd);
	compile(name);
	unlink(name);
}

/* Translates the script of NUMBER with the program as it is at COPY. */
static void resolve(unsigned number, bool must)
{
	char *text = script(scripts[number % (sizeof(scripts) / sizeof(*scripts))]);

	translate(text, must);
	diag_forget(NULL);
	free(text);
	free(copy);
	copy = NULL;
	arena_deinit(&program_arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!compiled.len) {
		compile_more();
		for (unsigned i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
			copy = damaged(NULL, 0);
			resolve(i, true);
		}
	}
	if (!size)
		return 0;
	copy = damaged(data + 1, size - 1);
	resolve(data[0], false);
	return 0;
}
