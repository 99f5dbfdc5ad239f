/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Embedded C (-g): at the very end of the file, after everything that was generated, because only there the kernel's
 * headers and their macros can do no harm to it.
 *
 * Every piece becomes a function: of the script's name, or x_N for statements and expressions, which is given what it
 * names of the variables around it and of the result of the function that it stands in. The STAP_ macros are defined anew
 * for each, and #line makes the compiler speak of the script's lines. A file with embedded C is marked KT_EMBEDDED: it
 * wants the kernel's headers and modpost, so the build takes the plain Kbuild road.
 */
#include "translator/gen/parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "translator/probe/probe.h"
#include "translator/sema/embedded.h"

/* Where TEXT, cut out of a source, stands. */
static void write_line(struct text *out, struct loc loc, const char *text)
{
	const char *at = loc.src ? strstr(loc.src->text, text) : NULL;
	int line = loc.line;

	if (at) {
		line = 1;
		for (const char *s = loc.src->text; s < at; s++)
			line += *s == '\n';
	}
	text_printf(out, "#line %d ", line);
	text_quote(out, loc.src ? loc.src->name : "ktap", strlen(loc.src ? loc.src->name : "ktap"));
	text_puts(out, "\n");
}

/* The text has been given its lines: what follows is ours again. */
static void write_own_line(struct text *out)
{
	text_puts(out, "\n#line 1 \"generated\"\n");
}

/* Returns where the token that begins at S ends: a comment, a literal, a word or one other character. */
static const char *token_end(const char *s)
{
	const char *end;

	if (!strncmp(s, "//", 2))
		return s + strcspn(s, "\n");
	if (!strncmp(s, "/*", 2))
		return (end = strstr(s + 2, "*/")) ? end + 2 : s + strlen(s);
	if (*s == '"' || *s == '\'') {
		for (end = s + 1; *end && *end != *s; end++)
			end += *end == '\\' && end[1];
		return end + !!*end;
	}
	for (end = s; isalnum((unsigned char)*end) || *end == '_'; end++)
		;
	return end > s ? end : s + 1;
}

/* Puts TEXT, with KT_OUT for the word of each `return;`: that ends SystemTap's functions, which have their result elsewhere. The macro
 * is as long as the word, so that messages name the right columns. */
static void put_text(struct text *out, const char *text)
{
	static const char word[] = "return";

	for (const char *s = text, *end; *s; s = end) {
		end = token_end(s);
		if (end - s == sizeof(word) - 1 && !memcmp(s, word, sizeof(word) - 1) && end[strspn(end, " \t\n")] == ';')
			text_puts(out, "KT_OUT");
		else
			text_append(out, s, (size_t)(end - s));
	}
}

/* Slots of the frame that a piece with TEXT takes as kt_got: where STAP_GLOBAL_GET_x leaves the string of an array, one for
 * each such global, as the text may use it in its own macros. */
static int got_slots(const struct gen *g, const char *text)
{
	int n = 0;

	if (!strstr(text, "STAP_GLOBAL_GET_"))
		return 0;
	for (int i = 0; i < g->plan.n_globals; i++)
		n += g->plan.globals[i]->array && g->plan.globals[i]->type == TY_STRING;
	return n;
}

int embed_frame_slots(const struct gen *g, const struct function *f)
{
	return func_is_embedded(f) ? got_slots(g, f->c_body) : 0;
}

/* STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x, for the globals that are named so somewhere. */
static void write_global_macros(struct gen *g, struct text *out)
{
	int n_got = 0;

	for (int i = 0; i < g->plan.n_globals; i++) {
		const struct symbol *s = g->plan.globals[i];
		const char *name = g->global_name[i], *keys = "", *init = "";

		if (s->type == TY_STAT)
			continue;
		for (int k = 0; k < s->arity; k++) {
			keys = arena_printf(&program_arena, "%s%sk%d", keys, k ? ", " : "", k);
			init = arena_printf(&program_arena, "%s{ .%s = (k%d) }, ", init,
					    s->key_type[k] == TY_STRING ? "string" : "number", k);
		}
		if (!s->array && s->type == TY_STRING) {
			text_printf(out, "#define STAP_GLOBAL_GET_%s() (g%s)\n", s->name, name);
			text_printf(out, "#define STAP_GLOBAL_SET_%s(v) kt_strcpy(g%s, (v), KT_STR)\n", s->name, name);
		} else if (!s->array) {
			text_printf(out, "#define STAP_GLOBAL_GET_%s() %s\n", s->name, gen_global(g, s));
			text_printf(out, "#define STAP_GLOBAL_SET_%s(v) (g%s = (v)%s%s)\n", s->name, name,
				    s->plan == PLAN_COUNTER ? " - n" : "", s->plan == PLAN_COUNTER ? name : "");
		} else if (s->type == TY_STRING) {
			text_printf(out, "#define STAP_GLOBAL_SET_%s(%s, v) kt_map_set_string(c, %s, "
					 "(const union kt_key[]){ %s}, (v))\n", s->name, keys, gen_map(g, s), init);
			text_printf(out, "#define STAP_GLOBAL_GET_%s(%s) (kt_map_get_string(%s, "
					 "(const union kt_key[]){ %s}, kt_got[%d], KT_STR), kt_got[%d])\n", s->name, keys,
				    gen_map(g, s), init, n_got, n_got);
			n_got++;
		} else {
			text_printf(out, "#define STAP_GLOBAL_GET_%s(%s) kt_map_get(%s, (const union kt_key[]){ %s})\n",
				    s->name, keys, gen_map(g, s), init);
			text_printf(out, "#define STAP_GLOBAL_SET_%s(%s, v) do { kt_s64 *e_ = kt_map_ref(c, %s, "
					 "(const union kt_key[]){ %s}); if (e_) *e_ = (v); } while (0)\n",
				    s->name, keys, gen_map(g, s), init);
		}
	}
}

/* Is WORD in TEXT, or in C of the top level? */
static bool anywhere(const struct gen *g, const char *text, const char *word)
{
	if (strstr(text, word))
		return true;
	for (const struct embedded_c *e = g->p->embedded; e; e = e->next)
		if (strstr(e->text, word))
			return true;
	return false;
}

/* { TEXT } as the body of a function that returns TYPE. HEAD and TAIL: C of ours before and after it. */
static void write_body(struct gen *g, struct text *out, struct loc loc, const char *text, enum type type,
		       const char *head, const char *tail)
{
	int slots = got_slots(g, text);

	text_puts(out, "{\n");
	if (slots)
		text_printf(out, "\tchar (*kt_got)[KT_STR] = (void *)kt_frame(c, %d * KT_STR);\n", slots);
	if (type != TY_STRING)
		text_puts(out, "\tkt_s64 r_ __attribute__((unused)) = 0;\n");
	text_printf(out, "%s\n", head);
	if (type == TY_STRING)
		text_puts(out, "\tret_[0] = 0;\n");
	if (strstr(text, "last_error")) /* a bare message has no place */
		text_puts(out, "\tc->error_place = KT_NO_PLACE;\n");
	if (anywhere(g, text, "kregs") || anywhere(g, text, "uregs"))
		text_puts(out, "\tkt_embedded_registers(c);\n");
	text_puts(out, "\t{\n");
	if (strstr(text, "error_buffer"))
		text_puts(out, "\t_Static_assert((int)KT_STR <= (int)KT_MESSAGE_MAX, "
			       "\"MAXSTRINGLEN is too large for CONTEXT->error_buffer: use STAP_ERROR()\");\n");
	write_line(out, loc, text);
	put_text(out, text);
	write_own_line(out);
	text_puts(out, "\t}\n\tgoto out;\n");
	/* Where a read that faults goes, when the script does not say. */
	if (!strstr(text, "CATCH_DEREF_FAULT") && !strstr(text, "deref_fault:"))
		text_puts(out, "deref_fault: __attribute__((unused));\n");
	text_puts(out, "out:\n");
	if (slots)
		text_puts(out, "\tc->frame = (char *)kt_got;\n");
	text_puts(out, tail);
	text_puts(out, type == TY_LONG ? "\treturn r_;\n}\n\n" : "\treturn;\n}\n\n");
}

/* SystemTap 1.8 made THIS->NAME a matter of `unmangled` functions. */
static bool this_is_known(const struct gen *g, const struct function *f)
{
	return strstr(f->c_body, "/* unmangled */") || strverscmp(language_version(&g->p->language), "1.8") < 0;
}

/* THIS->NAME is an argument, THIS->__retvalue the result. */
static const char *this_struct(const struct function *f)
{
	struct text t = { 0 };

	text_puts(&t, "\tstruct { ");
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(&t, "%s%s; ", s->type == TY_STRING ? "char *" : "kt_s64 ", s->name);
	text_printf(&t, "%s__retvalue; } this_ = { ", f->type == TY_STRING ? "char *" : "kt_s64 ");
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(&t, s->type == TY_STRING ? "(char *)a_%s, " : "a_%s, ", s->name);
	text_puts(&t, f->type == TY_STRING ? "ret_ };\n" : "0 };\n");
	return text_keep(&t);
}

/* STAP_RETURN: stores in RESULT unless TYPE is unknown, does ALSO and ends the piece. */
static void write_return_macro(struct text *out, enum type type, const char *result, const char *also)
{
	text_puts(out, "#undef STAP_RETURN\n");
	if (type == TY_UNKNOWN)
		text_printf(out, "#define STAP_RETURN(...) do { %sgoto out; } while (0)\n", also);
	else if (type == TY_STRING)
		text_printf(out, "#define STAP_RETURN(v) do { kt_strcpy(%s, (v), KT_STR); %sgoto out; } while (0)\n",
			    result, also);
	else
		text_printf(out, "#define STAP_RETURN(v) do { %s = (kt_s64)(v); %sgoto out; } while (0)\n",
			    result, also);
}

static void write_function(struct gen *g, struct text *out, const struct function *f)
{
	bool has_this = this_is_known(g, f);
	const char *result = f->type == TY_STRING ? "ret_" : has_this ? "this_.__retvalue" : "r_";

	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(out, "#define STAP_ARG_%s a_%s\n", s->name, s->name);
	text_printf(out, "#undef STAP_RETVALUE\n#define STAP_RETVALUE %s\n", result);
	if (has_this)
		text_puts(out, "#undef THIS\n#define THIS (&this_)\n");
	write_return_macro(out, f->type, result, "");
	text_printf(out, "static %s\n", func_signature(g, f, strstr(f->c_body, "STAP_NEXT") ? "e" : ""));
	write_body(g, out, f->loc, f->c_body, f->type, has_this ? this_struct(f) : "",
		   has_this && f->type == TY_LONG ? "\tr_ = this_.__retvalue;\n" : "");
	for (const struct symbol *s = f->params; s; s = s->next)
		text_printf(out, "#undef STAP_ARG_%s\n", s->name);
}

static bool any(const struct gen *g)
{
	for (int i = 0; i < g->plan.n_functions; i++)
		if (func_is_embedded(g->plan.functions[i]))
			return true;
	return g->p->embedded || g->pieces.len;
}

/* Scripts ask with #if which names there are: in numbers, as in LANGUAGE. */
static void write_version(struct text *out, const char *language)
{
	char *end;
	long major = strtol(language, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;

	text_printf(out, "#define STAP_COMPAT_VERSION STAP_VERSION(%ld, %ld)\n", major, minor);
}

static const char network_headers[] = "linux/if_ether.h linux/in.h linux/in6.h linux/ip.h linux/ipv6.h linux/netdevice.h "
	"linux/netfilter.h linux/skbuff.h linux/tcp.h linux/udp.h net/inet_sock.h net/ip.h net/sock.h net/tcp.h";

/* Headers that C may count on where the script uses a function of the library: with SystemTap they come with the function's file, here
 * with its directory, or with the file where a directory has several subjects. */
static const struct {
	const char *path, *headers; /* words */
} library_headers[] = {
	{ "files/", "linux/dcache.h linux/mount.h linux/namei.h linux/path.h linux/pagemap.h" },
	{ "kernel/", "linux/interrupt.h linux/kallsyms.h linux/kprobes.h linux/tty.h" },
	{ "memory/", "linux/highmem.h linux/mmzone.h linux/pagemap.h" },
	{ "language/numbers.stp", network_headers }, /* ip_ntop(), htons() */
	{ "network/", network_headers },
	{ "nfs/", "linux/nfs_fs.h linux/sunrpc/clnt.h linux/sunrpc/svc.h" },
	{ "process/", "linux/cred.h linux/pid.h linux/pid_namespace.h linux/ptrace.h linux/sched/mm.h linux/sched/task.h "
		     "linux/user_namespace.h" },
	{ "storage/", "linux/bio.h linux/blkdev.h scsi/scsi_cmnd.h scsi/scsi_device.h scsi/scsi_host.h" },
	{ "time/", "linux/delay.h linux/hrtimer.h linux/jiffies.h linux/ktime.h linux/timekeeping.h" },
};

static bool uses_library(const struct program *p, const char *path)
{
	const char *part = arena_printf(&program_arena, "/%s", path);

	for (const struct function *f = p->functions; f; f = f->next)
		if (f->used && f->loc.src && f->loc.src->tapset && strstr(f->loc.src->name, part))
			return true;
	return false;
}

static void write_headers(const struct program *p, struct text *out)
{
	for (size_t i = 0; i < sizeof(library_headers) / sizeof(library_headers[0]); i++) {
		const char *s = library_headers[i].headers;

		if (!uses_library(p, library_headers[i].path))
			continue;
		for (size_t len; *s; s += len + (s[len] == ' ')) {
			len = strcspn(s, " ");
			text_printf(out, "#if __has_include(<%.*s>)\n#include <%.*s>\n#endif\n", (int)len, s, (int)len, s);
		}
	}
}

static void write_context(struct text *out, const char *context)
{
	text_printf(out, "#undef KT_CONTEXT\n#define KT_CONTEXT %s\n", context);
}

void gen_embedded(struct gen *g, struct text *out)
{
	if (!any(g))
		return;
	text_printf(out, "#define KT_EMBEDDED 1\nenum { KT_EMBEDDED_FORMAT = %d };\n", g->text_format);
	text_printf(out, "#include \"runtime/%s/embedded.h\"\n",
		    g->p->platform.runtime == RUNTIME_USER ? "user" : "kit");
	if (g->p->platform.runtime != RUNTIME_USER)
		write_headers(g->p, out);
	write_version(out, language_version(&g->p->language));
	write_global_macros(g, out);
	write_context(out, "kt_embedded_context()");
	for (const struct embedded_c *e = g->p->embedded; e; e = e->next) {
		write_line(out, e->loc, e->text);
		text_puts(out, e->text);
		write_own_line(out);
	}
	write_context(out, "c");
	for (int i = 0; i < g->plan.n_functions; i++)
		if (func_is_embedded(g->plan.functions[i]))
			write_function(g, out, g->plan.functions[i]);
	text_append(out, text_str(&g->pieces), g->pieces.len);
}

/* ---- statements and expressions ---- */

/* A piece of embedded C: its node, and the function around it. */
struct piece {
	const struct node *n;
	const struct function *f; /* that it stands in, NULL: a handler */
	enum type type;           /* of its value, TY_UNKNOWN: a statement */
	const struct symbol *vars[2]; /* parameters, locals: those that it names */
	bool result;              /* it names the function's result */
	bool leaves;              /* it may end the function or the handler */
};

static struct piece piece_of(const struct gen *g, const struct node *n, enum type type)
{
	const struct unit *u = g->u;

	return (struct piece){
		.n = n,
		.f = u->func,
		.type = type,
		.vars = { u->func ? u->func->params : NULL,
			  u->func ? u->func->locals : u->probe && !u->condition ? u->probe->locals : NULL },
		.result = u->func && u->func->type != TY_UNKNOWN && embedded_names(g->p, n, "STAP_RET"),
		.leaves = embedded_names(g->p, n, "STAP_RETURN"),
	};
}

static bool names_variable(const struct gen *g, const struct piece *piece, const struct symbol *s)
{
	return embedded_names_variable(g->p, piece->n, s->name);
}

/* `static kt_s64 x_3(struct kt_ctx *c, kt_s64 *a_mode, char *kt_result)` */
static const char *piece_signature(const struct gen *g, const struct piece *piece, int number)
{
	struct text t = { 0 };

	text_printf(&t, "static %s x_%d(struct kt_ctx *c", piece->type == TY_LONG ? "kt_s64" : "void", number);
	if (piece->type == TY_STRING)
		text_puts(&t, ", char *ret_");
	for (int i = 0; i < 2; i++)
		for (const struct symbol *s = piece->vars[i]; s; s = s->next)
			if (names_variable(g, piece, s))
				text_printf(&t, ", %s*a_%s", s->type == TY_STRING ? "char " : "kt_s64 ", s->name);
	if (piece->result)
		text_printf(&t, ", %s*kt_result", piece->f->type == TY_STRING ? "char " : "kt_s64 ");
	if (piece->leaves)
		text_puts(&t, ", kt_s64 *kt_leaves");
	text_puts(&t, ")");
	return text_keep(&t);
}

/* The same as the arguments of the call, LEAVES being the temporary for that. */
static const char *piece_arguments(const struct gen *g, const struct piece *piece, const char *leaves)
{
	struct text t = { 0 };

	for (int i = 0; i < 2; i++)
		for (const struct symbol *s = piece->vars[i]; s; s = s->next)
			if (names_variable(g, piece, s))
				text_printf(&t, ", %sl->%s", s->type == TY_STRING ? "" : "&",
					    gen_local_name(s->name));
	if (piece->result)
		text_puts(&t, piece->f->type == TY_STRING ? ", ret_" : ", &r_");
	if (leaves)
		text_printf(&t, ", &%s", leaves);
	return text_keep(&t);
}

/* Its prototype goes with those of functions, its body to the end. The piece's number. */
static int add_piece(struct gen *g, const struct piece *piece, const char *text)
{
	struct text *out = &g->pieces;
	int number = g->n_pieces++;
	const char *head = piece_signature(g, piece, number);
	const char *result = piece->f && piece->f->type == TY_STRING ? "kt_result" : "(*kt_result)";

	emit_line(&g->piece_protos, "%s;", head);
	for (int i = 0; i < 2; i++)
		for (const struct symbol *s = piece->vars[i]; s; s = s->next)
			if (names_variable(g, piece, s))
				text_printf(out, "#define STAP_ARG_%s %s\n", s->name,
					    arena_printf(&program_arena, s->type == TY_STRING ? "a_%s" : "(*a_%s)",
							 s->name));
	text_puts(out, "#undef STAP_RETVALUE\n");
	if (piece->result)
		text_printf(out, "#define STAP_RETVALUE %s\n", result);
	write_return_macro(out, piece->result ? piece->f->type : TY_UNKNOWN, result,
			   piece->leaves ? "*kt_leaves = 1; " : "");
	text_printf(out, "%s\n", head);
	write_body(g, out, piece->n->loc, text, piece->type, "", "");
	for (int i = 0; i < 2; i++)
		for (const struct symbol *s = piece->vars[i]; s; s = s->next)
			if (names_variable(g, piece, s))
				text_printf(out, "#undef STAP_ARG_%s\n", s->name);
	if (got_slots(g, text) > g->piece_slots)
		g->piece_slots = got_slots(g, text);
	return number;
}

/* The call of the piece with TEXT, its value into RET when it has one; then where it wants to go. */
static void call_piece(struct gen *g, const struct piece *piece, const char *text, const char *ret)
{
	const char *leaves = piece->leaves ? gen_temp(g) : NULL, *args = piece_arguments(g, piece, leaves);
	int number = add_piece(g, piece, text);

	if (leaves)
		gen_line(g, "%s = 0;", leaves);
	if (piece->type == TY_LONG)
		gen_line(g, "%s = x_%d(c%s);", ret, number, args);
	else if (piece->type == TY_STRING)
		gen_line(g, "x_%d(c, %s%s);", number, ret, args);
	else
		gen_line(g, "x_%d(c%s);", number, args);
	gen_check(g, piece->n);
	if (leaves) {
		gen_line(g, "if (%s)", leaves);
		gen_line(g, "\tgoto kt_leave;");
	}
	if (!embedded_names(g->p, piece->n, "STAP_NEXT"))
		return;
	gen_open(g, "if (c->flags & KT_CTX_DECLINED) {");
	gen_line(g, "c->flags &= ~(kt_u32)KT_CTX_DECLINED;");
	gen_next(g);
	gen_close(g, "}");
}

void gen_embedded_stmt(struct gen *g, const struct node *n)
{
	struct piece piece = piece_of(g, n, TY_UNKNOWN);

	call_piece(g, &piece, n->text, NULL);
}

static struct value piece_value(struct gen *g, const struct node *n)
{
	bool string = n->type == TY_STRING;
	const char *text = arena_printf(&program_arena, string ? "kt_strcpy(ret_, (%s), KT_STR);" : "r_ = (kt_s64)(%s);",
					n->text);
	struct piece piece = piece_of(g, n, string ? TY_STRING : TY_LONG);
	struct value v = { .text = string ? gen_slot(g) : gen_temp(g), .slot = string };

	call_piece(g, &piece, text, v.text);
	return v;
}

/* @const of numbers and operators alone needs no headers, so it does not send the script down the Kbuild road. */
static bool is_literal(const struct node *n)
{
	return n->kind == ND_CONST && !n->text[strspn(n->text, "0123456789+-*/%()<>&|^~ ")];
}

struct value gen_embedded_expr(struct gen *g, const struct node *n)
{
	if (is_literal(n))
		return value_of("((kt_s64)(%s))", n->text);
	return piece_value(g, n);
}
