/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for the actions of grammar.y: they build the tree, and report errors that the grammar does not see.
 * Nothing here fails: after an error it returns something well formed.
 */
#ifndef KTAP_SYNTAX_ACTIONS_H
#define KTAP_SYNTAX_ACTIONS_H

#include "lib/text.h"
#include "translator/syntax/tokens.h"

struct node_list {
	struct node *first, *last;
	int n;
	int height; /* of the highest member */
};

struct symbol_list {
	struct symbol *first, *last;
	int n;
};

/* Probe points that are being parsed. Their components are in reverse order, and alternatives share the first ones. */
struct point_list {
	struct probe_point *first, *last;
	int n;
};

/* `+`, `-`, `@sum -` in the head of a foreach */
struct sort {
	enum sort_dir dir;
	enum op op;
	struct loc loc;
};

/* ---- parse.c: the token stream ---- */
const struct token *parse_next(struct unit *u);
void parse_recover(struct unit *u); /* skips to the next top-level keyword */
void parse_unexpected(struct unit *u, struct loc loc, const char *expected, bool needs_name, bool at_top);
void parse_too_deep(struct unit *u, struct loc loc);

/* ---- declare.c: what stands at top level ---- */
void probe_def_add(struct unit *u, struct loc loc, const struct point_list *points, struct node *body);
void alias_add(struct unit *u, const struct token *op, const struct point_list *name,
	       const struct point_list *points, struct node **bodies);
void embedded_add(struct unit *u, const struct token *t);

struct symbol_list make_global(struct unit *u, const struct token *name, bool wrap, const struct node *size,
			       struct node *init);
struct symbol_list make_param(struct unit *u, const struct token *name, enum type type, struct loc type_loc);
struct symbol_list symbols_join(const struct symbol_list *a, const struct symbol_list *b);
void globals_add(struct unit *u, const struct symbol_list *list, bool is_private);
struct function *make_function(struct unit *u, const struct token *name, enum type type, struct loc type_loc,
			       const struct symbol_list *params);
struct function *function_body(struct unit *u, struct function *f, const struct token *priority,
			       struct node *body, const struct token *c_body);
void function_add(struct unit *u, struct function *f, bool is_private);

/* ---- points.c: probe points ---- */
struct point_list points_component(struct unit *u, const struct token *name, struct node *arg);
struct point_list points_join(struct unit *u, const struct point_list *a, const struct point_list *b);
/* `a.b` for each a and b */
struct point_list points_product(struct unit *u, const struct point_list *a, const struct point_list *b,
				 struct loc dot);
struct point_list points_suffix(struct unit *u, const struct point_list *list, const struct token *mark);
struct point_list points_condition(struct unit *u, const struct point_list *list, const struct token *t,
				   struct node *condition);
/* Puts the components in order: the list is then as program->probe_defs has it. */
struct probe_point *points_finish(const struct point_list *list);

/* ---- actions.c: statements and expressions ---- */
struct node_list list_add(const struct node_list *list, struct node *n);
struct node_list statements_add(const struct node_list *list, struct node *n);

struct node *make(struct unit *u, enum node_kind kind, struct loc loc, struct node *k0, struct node *k1,
		  struct node *k2, struct node *k3);
struct node *make_list(struct unit *u, enum node_kind kind, struct loc loc, const struct node_list *list);
struct node *make_number(struct unit *u, const struct token *t, bool negative);
struct node *make_string(struct unit *u, const struct token *t);
struct node *make_name(struct unit *u, const struct token *t);
struct node *make_target(struct unit *u, const struct token *t);
struct node *make_embedded(struct unit *u, const struct token *t);
struct node *make_paren(struct node *n);
struct node *make_call(struct unit *u, const struct token *name, const struct node_list *args);
struct node *make_print(struct unit *u, const struct token *name, const struct node_list *args);
struct node *make_index(struct unit *u, struct node *base, const struct node_list *keys, struct loc bracket);
struct node *make_arrow(struct unit *u, struct node *base, const struct token *member);
struct node *make_pretty(struct unit *u, struct node *base, const struct token *t);
struct node *make_address(struct unit *u, struct loc loc, struct node *n);
struct node *make_step(struct unit *u, const struct token *op, struct node *n, bool prefix);
struct node *make_unary(struct unit *u, enum op op, struct loc loc, struct node *n);
struct node *make_binary(struct unit *u, const struct token *op, struct node *a, struct node *b);
struct node *make_assign(struct unit *u, const struct token *op, struct node *a, struct node *b);
/* `one in array`, `[keys] in array`; WHERE may be a histogram */
struct node *make_in(struct unit *u, const struct token *in, const struct node_list *keys, struct node *one,
		     struct node *where);

struct node *make_stat(struct unit *u, enum node_kind kind, const struct token *op, struct node *n,
		       const struct node_list *params);
struct node *make_typed(struct unit *u, enum node_kind kind, const struct token *op, struct node *n,
			const struct token *text, const struct token *module);
struct node *make_register(struct unit *u, const struct token *op, const struct token *number);
struct node *make_deref(struct unit *u, const struct token *op, const struct token *size, struct node *n);
struct node *make_probewrite(struct unit *u, const struct token *op, const struct token *name);

struct node *make_delete(struct unit *u, struct loc loc, struct node *n);
struct node *make_expr_statement(struct unit *u, struct node *n);
struct foreach *foreach_key(struct unit *u, struct foreach *f, const struct token *name, struct sort dir);
struct foreach *foreach_value(struct unit *u, struct foreach *f, const struct token *name, struct sort dir);
struct sort foreach_order(struct unit *u, const struct token *op, struct sort dir);
struct node *make_foreach(struct unit *u, struct loc loc, struct foreach *f, struct node *source,
			  struct sort sort, struct node *limit, struct node *body);

/* check.c: what a body must not hold, once it is complete. */
void check_body(struct unit *u, struct node *body, bool in_function);
void check_print_format(struct unit *u, const struct node *print);

#endif
