/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap symbolize`: what is at addresses of a kernel, a module, or a program: the symbol, the function and the line. An address is that of the
 * file, as nm prints it, or SYMBOL+OFFSET, as stacks have it: that form is right also where the kernel was loaded at another address.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "runtime/output/json.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/opened.h"
#include "translator/debuginfo/target.h"
#include "translator/platform/kernels.h"
#include "translator/machine/machine.h"

enum { STATUS_UNKNOWN = 1, STATUS_FAILED = 2 };

struct symbol_row {
	uint64_t address;
	const char *name;
};

struct symbolizer {
	const char *release, *module, *program;
	bool json;
	struct opened opened;
	struct target *target;   /* NULL: only symbols are known */
	struct symbol_row *rows; /* of the kernel or module, by address */
	int n_rows;
	bool any_unknown;
};

/* ---- symbols ---- */

static void add_symbol(const struct kernel_function *f, void *data)
{
	struct symbolizer *s = data;

	*vec_add(s->rows, s->n_rows) = (struct symbol_row){ f->address, arena_strdup(&program_arena, f->name) };
}

/* The last row at or before ADDRESS, or NULL. */
static const struct symbol_row *row_at(const struct symbolizer *s, uint64_t address)
{
	size_t low = rows_up_to(address, s->rows, (size_t)s->n_rows, sizeof(*s->rows));

	return low ? &s->rows[low - 1] : NULL;
}

static bool symbol_at(const struct symbolizer *s, uint64_t address, struct symbol_row *ret)
{
	const struct symbol_row *row = row_at(s, address);
	struct elf_lookup l = { .address = address };

	if (!s->program) {
		if (row)
			*ret = *row;
		return row;
	}
	elf_find_functions(target_elf(s->target), &l, 1);
	*ret = (struct symbol_row){ l.symbol_address, l.symbol };
	return l.symbol;
}

static uint64_t address_of(const struct symbolizer *s, const char *name)
{
	if (s->program)
		return elf_symbol(target_elf(s->target), name);
	for (int i = 0; i < s->n_rows; i++)
		if (!strcmp(s->rows[i].name, name))
			return s->rows[i].address;
	return 0;
}

/* ---- opening ---- */

static bool no_symbols(const struct kernel *k)
{
	error(nowhere, DIAG_NO_KERNEL, "no symbols of kernel %s can be read here", k->release);
	kernel_note_unreadable(k, NULL);
	note(nowhere, "they come with its debugging information; 'ktap doctor' says how to install that");
	return false;
}

static bool open_kernel(struct symbolizer *s)
{
	const struct kernel *k = kernel_find(NULL, s->release ? kernel_completed(s->release, kernel_builds) : NULL);
	struct trial trial;

	if (!k)
		return false;
	machine_set_target(k->machine);
	if (s->module && kernel_module_symbols(k, s->module, add_symbol, s) != MODULE_INSTALLED)
		return error(nowhere, DIAG_NO_MATCH, "kernel %s has no file of a module '%s'", k->release, s->module);
	if (!s->module && !kernel_symbols(k, add_symbol, s))
		return no_symbols(k);
	sort_rows(s->rows, s->n_rows, by_number);
	/* Without debugging information there are symbols. */
	trial_begin(NULL, &trial, TRIAL_DROPS);
	s->target = s->module ? target_open_module(&s->opened, k, s->module, DEBUGINFO_AUTO, nowhere) :
				target_open_kernel(&s->opened, k, DEBUGINFO_AUTO, NULL);
	trial_end(&trial);
	return true;
}

static bool open_program(struct symbolizer *s)
{
	s->target = target_open_program(&s->opened, s->program, nowhere);
	return s->target;
}

/* ---- one address ---- */

/* Parses "0x1234", digits of an address, or "SYMBOL+0x12/0x34". False: it is neither, reported. */
static bool parse(const struct symbolizer *s, const char *word, uint64_t *ret)
{
	const char *plus = strchr(word, '+');
	char *end;

	if (isdigit((unsigned char)*word) || strspn(word, "0123456789abcdefABCDEF") == strlen(word)) {
		*ret = strtoull(word, &end, 16);
		if (!*end && s->module)
			return error(nowhere, DIAG_USAGE, "the kernel chooses the addresses of modules: give SYMBOL+OFFSET, not '%s'", word);
		if (!*end)
			return true;
	}
	*ret = address_of(s, plus ? arena_strndup(&program_arena, word, (size_t)(plus - word)) : word);
	end = (char *)"";
	if (*ret && plus)
		*ret += strtoull(plus + 1, &end, 16);
	if (*ret && (!plus || (end != plus + 1 && (!*end || *end == '/'))))
		return true;
	return error(nowhere, DIAG_USAGE, "'%s' is no address and no symbol of %s", word, s->program ? s->program : s->module ? s->module : "the kernel");
}

static void print_text(const struct symbolizer *s, uint64_t address, const struct symbol_row *symbol, const struct place *p)
{
	if (!s->module)
		printf("0x%" PRIx64 " ", address);
	printf("%s+0x%" PRIx64, symbol->name, address - symbol->address);
	if (s->module)
		printf(" [%s]", s->module);
	if (p && p->file)
		printf(" %s:%d", p->file, p->at_line ? p->at_line : p->line);
	if (p && p->inlined)
		printf(" (%s, inlined into %s)", p->func, p->container);
	putchar('\n');
}

static void print_json(const struct symbolizer *s, uint64_t address, const struct symbol_row *symbol, const struct place *p)
{
	struct json j = { 0 };

	json_puts(&j, "{");
	json_member_string(&j, "type", "symbol");
	if (!s->module)
		json_member_unsigned(&j, "address", address);
	if (symbol) {
		json_member_string(&j, "symbol", symbol->name);
		json_member_unsigned(&j, "offset", address - symbol->address);
	}
	if (s->module)
		json_member_string(&j, "module", s->module);
	if (s->program)
		json_member_string(&j, "file", target_path(s->target));
	if (p && p->func)
		json_member_string(&j, "code.function.name", p->func);
	if (p && p->file) {
		json_member_string(&j, "code.file.path", p->file);
		json_member_number(&j, "code.line.number", p->at_line ? p->at_line : p->line);
	}
	if (p && p->inlined)
		json_member_string(&j, "inlined_into", p->container);
	json_puts(&j, "}\n");
	fwrite(j.buf, 1, j.len, stdout);
	json_deinit(&j);
}

static bool symbolize(struct symbolizer *s, const char *word)
{
	struct symbol_row symbol;
	const struct place *p;
	uint64_t address;
	bool known;

	if (!parse(s, word, &address))
		return false;
	known = symbol_at(s, address, &symbol);
	p = known && s->target ? target_place_at(s->target, address) : NULL;
	s->any_unknown |= !known;
	if (s->json)
		print_json(s, address, known ? &symbol : NULL, p);
	else if (known)
		print_text(s, address, &symbol, p);
	else
		printf("0x%" PRIx64 " ?\n", address);
	return true;
}

/* The first word of each line. */
static bool symbolize_lines(struct symbolizer *s)
{
	_cleanup_free_ char *line = NULL;
	size_t room = 0;
	bool ok = true;

	while (ok && getline(&line, &room, stdin) > 0) {
		char *save, *word = strtok_r(line, " \t\r\n", &save);

		ok = !word || symbolize(s, word);
	}
	return ok;
}

/* ---- the command ---- */

static const char **option_value(struct symbolizer *s, const char *option)
{
	if (!strcmp(option, "-r"))
		return &s->release;
	if (!strcmp(option, "-m"))
		return &s->module;
	return !strcmp(option, "-x") || !strcmp(option, "--exe") ? &s->program : NULL;
}

int symbolize_run(int argc, char **argv)
{
	struct symbolizer s = { .opened.machine = machine_host() };
	bool ok;

	for (; argc && argv[0][0] == '-'; argc--, argv++) {
		const char **value = option_value(&s, argv[0]);

		if (!strcmp(argv[0], "--json")) {
			s.json = true;
			continue;
		}
		if (!value || argc < 2) {
			command_misused("symbolize takes -r RELEASE, -m MODULE, -x PROGRAM, --json and addresses, not '%s'", argv[0]);
			return STATUS_FAILED;
		}
		*value = argv[1];
		argc--;
		argv++;
	}
	if (s.program && (s.module || s.release)) {
		command_misused("symbolize: -x is about a program, -%c about a kernel", s.module ? 'm' : 'r');
		return STATUS_FAILED;
	}
	if (!(s.program ? open_program(&s) : open_kernel(&s)))
		return STATUS_FAILED;
	ok = argc || symbolize_lines(&s);
	for (int i = 0; ok && i < argc; i++)
		ok = symbolize(&s, argv[i]);
	if (command_written() || !ok)
		return STATUS_FAILED;
	return s.any_unknown ? STATUS_UNKNOWN : 0;
}
