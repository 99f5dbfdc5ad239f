/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Family syscall: system calls at their entry and return, by name.
 *
 *	kernel.syscall("NAME"), kernel.syscall("NAME").return     NAME: of runtime/kit/syscalls.def; syscall.* are aliases
 *	kernel.syscall, kernel.syscall.return                     all of them, with one handler
 *
 * Names and numbers come from the table that the kit decodes by, so nothing is asked of the kernel and no debugging
 * information is needed. A call that the architecture does not have matches nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/target.h"
#include "translator/probe/entry.h"
#include "translator/probe/probe.h"
#include "translator/probe/syscall-names.h"
#include "translator/syntax/habits.h"

enum variant {
	CALL_ENTRY,
	CALL_RETURN,
	CALL_ANY_ENTRY,
	CALL_ANY_RETURN,
};

static const struct probe_pattern patterns[] = {
	{ "kernel.syscall(string)", CALL_ENTRY },
	{ "kernel.syscall(string).call", CALL_ENTRY },
	{ "kernel.syscall(string).return", CALL_RETURN },
	{ "kernel.syscall(string).return.maxactive(number)", CALL_RETURN },
	{ "kernel.syscall", CALL_ANY_ENTRY },
	{ "kernel.syscall.return", CALL_ANY_RETURN },
	{ NULL, 0 },
};

struct call {
	const char *name, *alias;
	int native[3], narrow;   /* by enum syscall_table, and of 32-bit programs. -1: none; -2: no number of its own, see VIA() */
	const char *arguments;   /* their names, a blank after each */
};

#define KIND(...)
#define VIA(...)
#define A(name, kind) #name " "
#define CALL(name, alias, x86_64, i386, arm64, result, arguments, also) \
	{ #name, #alias, { [SYSCALLS_NONE] = -1, [SYSCALLS_X86_64] = x86_64, [SYSCALLS_GENERIC] = arm64 }, i386, "" arguments },
static const struct call calls[] = {
#include "runtime/kit/syscalls.def"
};
#undef A

/* Calls of 32-bit programs by the number of another one. */
struct via {
	const char *name;
	int number;
};

#define KIND(...)
#define CALL(...)
#define VIA(name, i386, sub, from) { #name, sub == -1 ? -1 : i386 },
static const struct via vias[] = {
#include "runtime/kit/syscalls.def"
};

enum { N_CALLS = sizeof(calls) / sizeof(calls[0]) };

const char *syscall_alias(const char *name)
{
	for (int i = 0; i < N_CALLS; i++)
		if (!strcmp(calls[i].name, name) || !strcmp(calls[i].alias, name))
			return calls[i].alias;
	return NULL;
}

/* probe->data */
struct syscall_probe {
	const struct call *call; /* NULL: all */
	const struct machine *machine;
	bool at_exit;
	bool writes;               /* may write arguments */
	const struct program *program;
	int64_t function[3];       /* after lay_out(): as in struct kt_syscall_row */
	struct entry_values entry; /* return probes */
};

/* The kernel that the script is for, NULL when it is not known. */
static const struct kernel *kernel_of(const struct program *p)
{
	const struct kernel *k;
	struct trial trial;

	trial_begin(p->reports, &trial, TRIAL_DROPS);
	k = kernel_find(p->reports, p->platform.release);
	trial_end(&trial);
	return k;
}

static const struct machine *machine_of(const struct program *p)
{
	const struct kernel *k = kernel_of(p);

	return k ? k->machine : platform_machine(&p->platform);
}

/* The number that programs of the machine's own width call C by; -1: they cannot. */
static int native_number(const struct machine *m, const struct call *c)
{
	return c->native[m->syscalls];
}

static bool has_call(const struct machine *m, const struct call *c)
{
	return native_number(m, c) >= 0 || (m->narrow && c->narrow != -1);
}

static void add_call(struct resolve *r, const struct call *call, const struct machine *machine, bool at_exit)
{
	struct syscall_probe *sp = arena_new(&program_arena, struct syscall_probe);

	sp->call = call;
	sp->program = r->program;
	sp->machine = machine;
	sp->at_exit = at_exit;
	sp->writes = !at_exit && r->program->language.guru;
	probe_add(r, &probe_family_syscall,
		  call ? arena_printf(&program_arena, "kernel.syscall(\"%s\")%s", call->name, at_exit ? ".return" : "") :
		  at_exit ? "kernel.syscall.return" : "kernel.syscall", sp);
}

static bool report_no_match(const struct resolve *r, const struct node *arg)
{
	struct nearest near = { .word = arg->text };

	if (r->point->optional)
		return true;
	for (int i = 0; i < N_CALLS; i++)
		nearest_add(&near, calls[i].name);
	error(arg->loc, DIAG_NO_MATCH, "there is no system call '%s' on this architecture", arg->text);
	if (nearest_get(&near) && strcmp(nearest_get(&near), arg->text))
		note(arg->loc, "did you mean '%s'?", nearest_get(&near));
	else
		note(arg->loc, "ktap -l 'syscall.*' lists them");
	return false;
}

static bool resolve(struct resolve *r)
{
	bool at_exit = r->pattern->id == CALL_RETURN || r->pattern->id == CALL_ANY_RETURN;
	const struct node *arg;
	const struct machine *machine = machine_of(r->program);

	if (r->pattern->id == CALL_ANY_ENTRY || r->pattern->id == CALL_ANY_RETURN) {
		add_call(r, NULL, machine, at_exit);
		return true;
	}
	arg = probe_arg(r->point, 1);
	for (int i = 0; i < N_CALLS; i++) {
		const struct call *c = &calls[i];

		if ((strcmp(c->name, arg->text) && strcmp(c->alias, arg->text)) || !has_call(machine, c))
			continue;
		add_call(r, c, machine, at_exit);
	}
	return r->found ? true : report_no_match(r, arg);
}

/* ---- variables ---- */
/* Argument ARGUMENT from 1. 0: the result, read each time because the script may write it. */
static struct node *number(struct loc loc, int argument)
{
	struct node *n = node_own_call("__syscall_number", loc);

	n->list = node_number(loc, argument);
	return n;
}

/* Position from 1 of the argument NAME ("$fd"), as the table or the kernel calls it; 0: the call has none. */
static int find_argument(const struct program *p, const struct call *call, const char *name)
{
	const char *at = call ? call->arguments : "";
	size_t len = strlen(name + 1);

	for (int i = 1; *at; i++, at = strchr(at, ' ') + 1)
		if (strcspn(at, " ") == len && !strncmp(at, name + 1, len))
			return i;
	return call && name[1] != '$' ? syscall_kernel_argument(kernel_of(p), call->name, name + 1) : 0;
}

static bool report_no_argument(const struct call *call, const struct node *n)
{
	const char *at = call ? call->arguments : "";
	_cleanup_text_ struct text names = { 0 };

	error(n->loc, DIAG_TARGET_VAR, "the system call '%s' has no argument '%s'", call ? call->name : "*", n->name);
	for (; *at; at = strchr(at, ' ') + 1)
		text_printf(&names, "%s$%.*s", names.len ? ", " : "", (int)strcspn(at, " "), at);
	if (names.len)
		note(n->loc, "it has %s", text_str(&names));
	else if (!call)
		note(n->loc, "where the call is named its arguments are, as in probe syscall.openat");
	return false;
}

/* The helper that keeps values of the entry until the return. */
static void make_entry(const struct probe *pr, struct probe *helper)
{
	const struct syscall_probe *sp = pr->data;
	struct syscall_probe *own = arena_new(&program_arena, struct syscall_probe);

	own->call = sp->call;
	own->program = sp->program;
	own->machine = sp->machine;
	helper->data = own;
	helper->pp = sp->call ? arena_printf(&program_arena, "kernel.syscall(\"%s\")", sp->call->name) : "kernel.syscall";
}

/* $ARGUMENT at both ends of the call, $return, $$parms; and @entry(). */
static bool variable(struct program *p, struct probe *pr, struct node **np, bool asked)
{
	struct syscall_probe *sp = pr->data;
	const struct context_place cp = { .at_return = sp->at_exit };
	struct node *n = *np;
	int argument;

	if (n->kind == ND_ENTRY)
		return asked ? sp->at_exit : entry_variable(p, pr, &sp->entry, &cp, make_entry, np, false);
	if (n->kind != ND_TARGET)
		return error(n->loc, DIAG_TARGET_VAR, "the arguments of system calls are numbers");
	argument = find_argument(p, sp->call, n->name);
	if (!strcmp(n->name, "$return") && sp->at_exit)
		*np = p->language.guru ? number(n->loc, 0) : node_own_call("__syscall_result", n->loc);
	else if (!strcmp(n->name, "$$parms") || !strcmp(n->name, "$$vars"))
		*np = node_own_call("__syscall_arguments", n->loc);
	else if (argument)
		*np = number(n->loc, argument);
	else
		return report_no_argument(sp->call, n);
	return true;
}

/* ---- writing ---- */
/* The operator of an assignment that also reads, OP_ASSIGN: it only writes. */
static enum op operator_of(enum op assignment)
{
	static const struct {
		enum op assignment, op;
	} all[] = {
		{ OP_ADD_ASSIGN, OP_ADD }, { OP_SUB_ASSIGN, OP_SUB }, { OP_MUL_ASSIGN, OP_MUL }, { OP_DIV_ASSIGN, OP_DIV },
		{ OP_MOD_ASSIGN, OP_MOD }, { OP_SHL_ASSIGN, OP_SHL }, { OP_SHR_ASSIGN, OP_SHR }, { OP_USHR_ASSIGN, OP_USHR },
		{ OP_AND_ASSIGN, OP_AND }, { OP_XOR_ASSIGN, OP_XOR }, { OP_OR_ASSIGN, OP_OR },
		{ OP_PREINC, OP_ADD }, { OP_POSTINC, OP_ADD }, { OP_PREDEC, OP_SUB }, { OP_POSTDEC, OP_SUB },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].assignment == assignment)
			return all[i].op;
	return OP_ASSIGN;
}

static struct node *binary(enum op op, struct node *left, struct node *right)
{
	struct node *n = node_new(ND_BINARY, left->loc);

	n->op = op;
	n->kid[0] = left;
	n->kid[1] = right;
	return n;
}

static void refuse_left(const struct node *left)
{
	error(left->loc, DIAG_LVALUE, "of a system call only $argument and $return can be written");
	habit_note(HABIT_LOCAL, node_start(left));
}

/* Which value N writes: an argument from 1, 0 the result; below 0: none that can be, reported. */
static int find_written(struct program *p, const struct syscall_probe *sp, const struct node *n)
{
	const struct node *left = n->kid[0];
	int argument = left->kind == ND_TARGET ? find_argument(p, sp->call, left->name) : 0;
	bool is_result = left->kind == ND_TARGET && !strcmp(left->name, "$return");

	if (left->kind != ND_TARGET || (!argument && !is_result)) {
		if (left->kind == ND_TARGET && strncmp(left->name, "$$", 2))
			report_no_argument(sp->call, left);
		else
			refuse_left(left);
		return -1;
	}
	if (sp->at_exit != is_result) {
		error(left->loc, DIAG_LVALUE, "'%s' cannot be written at the %s of a system call", left->name,
		      sp->at_exit ? "return" : "entry");
		note(left->loc, "in probe syscall.%s%s it can", sp->call ? sp->call->alias : "NAME", is_result ? ".return" : "");
		return -1;
	}
	if (!p->language.guru) {
		error(left->loc, DIAG_GURU, "writing to the probed program needs -g");
		note(left->loc, "it changes what the program does: run ktap with -g if you vouch for it");
		return -1;
	}
	return argument;
}

static bool assign(struct program *p, struct probe *pr, struct node **np)
{
	struct node *n = *np, *set, *value = n->kid[1];
	struct loc loc = n->loc;
	enum op op = operator_of(n->op);
	int argument = find_written(p, pr->data, n);

	if (argument < 0)
		return false;
	if (op != OP_ASSIGN)
		value = binary(op, number(loc, argument), value ?: node_number(loc, 1));
	set = node_own_call("__syscall_set", loc);
	set->list = node_number(loc, argument);
	set->list->next = value;
	*np = set;
	/* $x++ is what was there before. */
	if (n->op == OP_POSTINC || n->op == OP_POSTDEC)
		*np = binary(op == OP_ADD ? OP_SUB : OP_ADD, set, node_number(loc, 1));
	return true;
}

/* ---- output ---- */
/* The number by which 32-bit programs make CALL among others; -1: there is none. */
static int carrier_of(const struct call *call)
{
	for (size_t i = 0; i < sizeof(vias) / sizeof(vias[0]); i++)
		if (vias[i].number >= 0 && !strcmp(vias[i].name, call->name))
			return vias[i].number;
	return -1;
}

/* The call that 32-bit programs make by NUMBER. */
static const struct call *call_of(int number)
{
	for (int i = 0; i < N_CALLS; i++)
		if (calls[i].narrow == number)
			return &calls[i];
	return NULL;
}

/* Reading the System.map takes a moment: whether a function of the library needs it. */
static bool wants_functions(const struct program *p)
{
	static const char *const names[] = { "addr", "ppfunc", "__stack_depth", "backtrace" };

	for (const struct function *fn = p->functions; fn; fn = fn->next)
		for (size_t i = 0; fn->used && fn->kit_name && i < sizeof(names) / sizeof(names[0]); i++)
			if (!strcmp(fn->kit_name, names[i]))
				return true;
	return false;
}

static void lay_out(const struct probe *const *rows, size_t n)
{
	const struct program *p = ((const struct syscall_probe *)rows[0]->data)->program;
	const struct call_functions *functions;

	if (!wants_functions(p))
		return;
	functions = syscall_functions(kernel_of(p), machine_of(p));
	for (size_t i = 0; i < n; i++) {
		struct syscall_probe *sp = rows[i]->data;
		const struct call *c = sp->call;
		int carrier = c && sp->machine->narrow ? carrier_of(c) : -1;

		if (!c)
			continue;
		sp->function[0] = syscall_function(functions, c->name, native_number(sp->machine, c));
		if (sp->machine->narrow)
			sp->function[1] = syscall_compat_function(functions, c->name, c->narrow);
		if (carrier >= 0)
			sp->function[2] = syscall_compat_function(functions, call_of(carrier)->name, carrier);
	}
}

static void emit_row(struct text *t, const struct probe *pr)
{
	const struct syscall_probe *sp = pr->data;

	text_printf(t, "{ .probe = %d, .call = %d, .at_exit = %d", pr->index, sp->call ? (int)(sp->call - calls) : 0xffff,
		    sp->at_exit);
	if (sp->entry.helper)
		text_printf(t, ", .entry_probe = %d, .entry_slots = %d", sp->entry.helper->index, sp->entry.room);
	if (sp->writes)
		text_puts(t, ", .writes = 1");
	if (sp->function[0] || sp->function[1] || sp->function[2])
		text_printf(t, ", .function = { %" PRId64 ", %" PRId64 ", %" PRId64 " }", sp->function[0], sp->function[1], sp->function[2]);
	text_puts(t, " },");
}

static void describe(struct text *t, const struct probe *pr)
{
	const struct syscall_probe *sp = pr->data;
	const struct call *c = sp->call;
	int number, carrier;

	text_printf(t, "tracepoint sys_%s", sp->at_exit ? "exit" : "enter");
	if (!c) {
		text_puts(t, ", all numbers");
		return;
	}
	number = native_number(sp->machine, c);
	carrier = sp->machine->narrow ? carrier_of(c) : -1;
	if (number >= 0)
		text_printf(t, ", number %d", number);
	if (sp->machine->narrow && c->narrow >= 0)
		text_printf(t, "%s %d of 32-bit programs", number < 0 ? ", number" : " and", c->narrow);
	if (carrier >= 0)
		text_printf(t, ", %d of 32-bit programs: %s()", carrier, call_of(carrier)->name);
}

const struct probe_family probe_family_syscall = {
	.name = "syscall",
	.id = KT_FAMILY_SYSCALL,
	.patterns = patterns,
	.resolve = resolve,
	.variable = variable,
	.assign = assign,
	.lay_out = lay_out,
	.emit_row = emit_row,
	.describe = describe,
	.attached = "tracepoint",
};
