/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap resolve: the places that a point means, and what is known of each, as text or with -f json an object a line. */
#include <string.h>

#include "lib/text.h"
#include "runtime/output/json.h"
#include "translator/probe/context.h"
#include "translator/sema/pass.h"

/* ---- text ---- */

static void put_text(struct text *t, const struct probe *pr)
{
	text_printf(t, "%s\n  at ", pr->pp);
	if (pr->family->describe)
		pr->family->describe(t, pr);
	else
		text_puts(t, probe_mechanism(pr));
	text_puts(t, "\n");
}

/* ---- JSON ---- */

static void put_variable(const char *name, const char *type, void *data)
{
	struct json *j = data;

	json_comma(j);
	json_puts(j, "{");
	json_member_string(j, "name", arena_printf(&program_arena, "$%s", name));
	json_member_string(j, "type", type);
	json_puts(j, "}");
}

static void put_variables(struct json *j, const struct probe *pr)
{
	json_key(j, "variables");
	json_puts(j, "[");
	context_list_probe(pr, put_variable, j);
	json_puts(j, "]");
}

/* The function and the line, and for inlined code the function that it is part of. */
static void put_code(struct json *j, const struct place *p)
{
	if (p->func)
		json_member_string(j, "code.function.name", p->func);
	if (p->file) {
		json_member_string(j, "code.file.path", p->file);
		json_member_number(j, "code.line.number", p->at_line ? p->at_line : p->line);
	}
	if (p->inlined && p->container)
		json_member_string(j, "inlined_into", p->container);
}

/* An address is that of the file: where the kernel, a module or a program lies is known when it runs. */
static void put_position(struct json *j, const struct context_place *cp)
{
	const struct place *p = cp->place;
	const char *module = target_module(cp->target);

	if (p->address)
		json_member_unsigned(j, "address", p->address);
	if (p->symbol && p->symbol_address && p->address >= p->symbol_address) {
		json_member_string(j, "symbol", p->symbol);
		json_member_unsigned(j, "offset", p->address - p->symbol_address);
	}
	if (module)
		json_member_string(j, "module", module);
	put_code(j, p);
}

static void put_json(struct text *t, const struct probe *pr)
{
	const struct context_place *cp = context_of(pr);
	const char *path = cp && cp->target && target_is_user(cp->target) ? target_path(cp->target) : NULL;
	struct json j = { 0 };

	json_puts(&j, "{");
	json_member_string(&j, "type", "place");
	json_member_string(&j, "point", pr->pp);
	json_member_string(&j, "mechanism", probe_mechanism(pr));
	if (path)
		json_member_string(&j, "file", path);
	if (cp && cp->target && cp->place && !cp->is_tracepoint)
		put_position(&j, cp);
	put_variables(&j, pr);
	json_puts(&j, "}\n");
	text_append(t, j.buf, j.len);
	json_deinit(&j);
}

void list_place(struct text *t, const struct program *p, const struct probe *pr)
{
	if (p->output.json)
		put_json(t, pr);
	else
		put_text(t, pr);
}
