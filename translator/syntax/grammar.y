/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of the language; see ktap-language(5).
 *
 * `;` between statements is optional, so an expression is greedy: what can continue it does. That is one rule here:
 * END_OF_STATEMENT is the weakest precedence, every token that may begin or continue an expression binds stronger.
 * Operators are tokens by precedence level; the token says which operator it is. Actions are calls of actions.c.
 */
%code requires {
#include "translator/syntax/actions.h"
}
%code {
#include <string.h>

static int yylex(YYSTYPE *value, YYLTYPE *loc, struct unit *u);
static void yyerror(const YYLTYPE *loc, struct unit *u, const char *message);
#define YYMAXDEPTH 20000
#define YYLLOC_DEFAULT(Cur, Rhs, N) ((Cur) = (N) ? YYRHSLOC(Rhs, 1) : YYRHSLOC(Rhs, 0))
#pragma GCC diagnostic ignored "-Wunused-but-set-variable" /* bison counts errors in yynerrs and never reads it */
}

%expect 0
%define api.pure full
%define api.location.type {struct loc}
%define parse.error custom
%define parse.lac full
%locations
%param {struct unit *u}

%union {
	const struct token *tok;
	struct node *node;
	struct node_list list;
	struct point_list points;
	struct symbol_list symbols;
	struct function *function;
	struct foreach *foreach;
	struct sort sort;
	struct node *pair[2];
	enum type type;
	bool flag;
}

/* Words and literals */
%token <tok> IDENT "name" TARGET "$variable" NUMBER "number" STRING "string literal"
%token <tok> EMBED "%{ %}" PRETTY "$"
%token <tok> PROBE "probe" GLOBAL "global" PRIVATE "private" FUNCTION "function"
%token <tok> IF "if" ELSE "else" FOR "for" FOREACH "foreach" IN "in" LIMIT "limit"
%token <tok> RETURN "return" DELETE "delete" WHILE "while" BREAK "break" CONTINUE "continue"
%token <tok> NEXT "next" STRING_TYPE "string" LONG_TYPE "long" TRY "try" CATCH "catch"
/* The print family where it is called; braces that group probe points */
%token <tok> PRINT "print" GROUP_OPEN "{" GROUP_CLOSE "}"
/* @-operators, by what stands between their parentheses */
%token <tok> AT_CAST "@cast" AT_VAR "@var" AT_PERCPU "@percpu" AT_EXPR "@defined" AT_TEXT "@perf" AT_ENUM "@enum"
%token <tok> AT_ENUMNAME "@enumname" AT_REGISTER "@kregister" AT_DEREF "@kderef"
%token <tok> AT_PROBEWRITE "@probewrite" AT_STAT "@count" AT_HIST "@hist_log"
/* Operators; those of one level are one token */
%token <tok> ADD_ASSIGN "+=" ASSIGN "assignment operator" LOR "||" LAND "&&" COMPARE "comparison"
%token <tok> MATCH "=~" SHIFT "shift operator" STEP "++" ARROW "->"
%token <tok> ';' '!' '~' '=' '?' ':' '|' '^' '&' '.' '+' '-' '*' '/' '%' '(' ')' '[' ']' '{' '}' ','
/* Gone after preprocessing */
%token <tok> SCRIPT_ARG AT_NAME PP_IF PP_THEN PP_ELSE PP_END

%precedence END_OF_STATEMENT
%precedence ';' ELSE
/* Tokens that may begin an expression but not continue one: operands that `return` takes */
%precedence IDENT TARGET NUMBER STRING EMBED PRINT '!' '~'
%precedence AT_CAST AT_VAR AT_PERCPU AT_EXPR AT_TEXT AT_ENUM AT_ENUMNAME AT_REGISTER AT_DEREF AT_PROBEWRITE
%precedence AT_STAT AT_HIST
%right '=' ADD_ASSIGN ASSIGN
%right '?' ':'
%left LOR
%left LAND
%left '|'
%left '^'
%left '&'
%precedence IN
%left COMPARE MATCH
%left SHIFT
%left '.'
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY
%precedence STEP
%precedence ADDRESS
%precedence '[' '(' ARROW PRETTY

%type <points> points point parts part
%type <node> arg literal number size init block statement expr expr_opt value step hist key limit source
%type <list> statements args args_opt keys numbers
%type <foreach> loop_keys loop_names loop_vars
%type <sort> direction sort
%type <symbols> globals global params params_opt param
%type <function> function prototype
%type <pair> bodies
%type <type> type
%type <flag> wrap
%type <tok> priority type_name

%%

script: items ;

items:
    %empty
  | items item
  | items error { parse_recover(u); yyclearin; yyerrok; }
;

/* ---- top level ---- */

item:
    PROBE points block { probe_def_add(u, @1, &$2, $3); }
  | PROBE points '=' points bodies { alias_add(u, $3, &$2, &$4, $5); }
  | PROBE points ADD_ASSIGN points bodies { alias_add(u, $3, &$2, &$4, $5); }
  | GLOBAL globals end { globals_add(u, &$2, false); }
  | PRIVATE GLOBAL globals end { globals_add(u, &$3, true); }
  | PRIVATE globals end { globals_add(u, &$2, true); }
  | FUNCTION function { function_add(u, $2, false); }
  | PRIVATE FUNCTION function { function_add(u, $3, true); }
  | EMBED { embedded_add(u, $1); }
;

end:
    %empty %prec END_OF_STATEMENT
  | ';'
;

bodies:
    block { $$[0] = $1; $$[1] = NULL; }
  | block ',' block { $$[0] = $1; $$[1] = $3; }
;

points:
    point
  | points ',' point { $$ = points_join(u, &$1, &$3); }
;

point:
    parts
  | point '?' { $$ = points_suffix(u, &$1, $2); }
  | point '!' { $$ = points_suffix(u, &$1, $2); }
  | point IF '(' expr ')' { $$ = points_condition(u, &$1, $2, $4); }
;

parts:
    part
  | parts '.' part { $$ = points_product(u, &$1, &$3, $2->loc); }
;

part:
    IDENT arg { $$ = points_component(u, $1, $2); }
  | GROUP_OPEN points GROUP_CLOSE { $$ = $2; }
;

arg:
    %empty { $$ = NULL; }
  | '(' literal ')' { $$ = $2; }
;

literal:
    NUMBER { $$ = make_number(u, $1, false); }
  | '-' NUMBER { $$ = make_number(u, $2, true); }
  | STRING { $$ = make_string(u, $1); }
;

globals:
    global
  | globals ',' global { $$ = symbols_join(&$1, &$3); }
;

global:
    IDENT wrap size init { $$ = make_global(u, $1, $2, $3, $4); }
;

wrap:
    %empty { $$ = false; }
  | '%' { $$ = true; }
;

size:
    %empty { $$ = NULL; }
  | '[' literal ']' { $$ = $2; }
;

init:
    %empty { $$ = NULL; }
  | '=' literal { $$ = $2; }
;

function:
    prototype priority block { $$ = function_body(u, $1, $2, $3, NULL); }
  | prototype priority EMBED { $$ = function_body(u, $1, $2, NULL, $3); }
;

prototype:
    IDENT type '(' params_opt ')' { $$ = make_function(u, $1, $2, @2, &$4); }
;

type:
    %empty { $$ = TY_UNKNOWN; }
  | ':' type_name { $$ = $2->kind == LONG_TYPE ? TY_LONG : TY_STRING; }
;

type_name: STRING_TYPE | LONG_TYPE ;

params_opt:
    %empty { $$ = (struct symbol_list){ 0 }; }
  | params
;

params:
    param
  | params ',' param { $$ = symbols_join(&$1, &$3); }
;

param:
    IDENT type { $$ = make_param(u, $1, $2, @2); }
;

priority:
    %empty { $$ = NULL; }
  | ':' NUMBER { $$ = $2; }
;

/* ---- statements ---- */

block:
    '{' statements '}' { $$ = make_list(u, ND_BLOCK, @1, &$2); }
;

statements:
    %empty { $$ = (struct node_list){ 0 }; }
  | statements statement { $$ = statements_add(&$1, $2); }
;

statement:
    ';' { $$ = make(u, ND_NULL_STMT, @1, NULL, NULL, NULL, NULL); }
  | block
  | IF '(' expr ')' statement %prec END_OF_STATEMENT { $$ = make(u, ND_IF, @1, $3, $5, NULL, NULL); }
  | IF '(' expr ')' statement ELSE statement { $$ = make(u, ND_IF, @1, $3, $5, $7, NULL); }
  | WHILE '(' expr ')' statement { $$ = make(u, ND_WHILE, @1, $3, $5, NULL, NULL); }
  | FOR '(' expr_opt ';' expr_opt ';' expr_opt ')' statement { $$ = make(u, ND_FOR, @1, $3, $5, $7, $9); }
  | FOREACH '(' loop_vars IN source sort limit ')' statement { $$ = make_foreach(u, @1, $3, $5, $6, $7, $9); }
  | TRY block CATCH block { $$ = make(u, ND_TRY, @1, $2, $4, NULL, NULL); }
  | TRY block CATCH '(' IDENT ')' block { $$ = make(u, ND_TRY, @1, $2, $7, make_name(u, $5), NULL); }
  | BREAK end { $$ = make(u, ND_BREAK, @1, NULL, NULL, NULL, NULL); }
  | CONTINUE end { $$ = make(u, ND_CONTINUE, @1, NULL, NULL, NULL, NULL); }
  | NEXT end { $$ = make(u, ND_NEXT, @1, NULL, NULL, NULL, NULL); }
  | RETURN end { $$ = make(u, ND_RETURN, @1, NULL, NULL, NULL, NULL); }
  | RETURN expr end { $$ = make(u, ND_RETURN, @1, $2, NULL, NULL, NULL); }
  | DELETE expr end { $$ = make_delete(u, @1, $2); }
  | expr end { $$ = make_expr_statement(u, $1); }
;

expr_opt:
    %empty { $$ = NULL; }
  | expr
;

loop_vars:
    loop_keys
  | IDENT direction '=' loop_keys { $$ = foreach_value(u, $4, $1, $2); }
;

loop_keys:
    IDENT direction { $$ = foreach_key(u, NULL, $1, $2); }
  | '[' loop_names ']' { $$ = $2; }
;

loop_names:
    IDENT direction { $$ = foreach_key(u, NULL, $1, $2); }
  | loop_names ',' IDENT direction { $$ = foreach_key(u, $1, $3, $4); }
;

direction:
    %empty { $$ = (struct sort){ 0 }; }
  | '+' { $$ = (struct sort){ SORT_UP, OP_NONE, $1->loc }; }
  | '-' { $$ = (struct sort){ SORT_DOWN, OP_NONE, $1->loc }; }
;

/* The operand of foreach: an array, a slice of one (an INDEX node), the buckets of a histogram */
source:
    IDENT { $$ = make_name(u, $1); }
  | IDENT '[' keys ']' { $$ = make_index(u, make_name(u, $1), &$3, $2->loc); }
  | hist
;

sort:
    direction
  | AT_STAT direction { $$ = foreach_order(u, $1, $2); }
;

limit:
    %empty { $$ = NULL; }
  | LIMIT expr { $$ = $2; }
;

/* ---- expressions ---- */

args_opt:
    %empty { $$ = (struct node_list){ 0 }; }
  | args
;

args:
    expr { $$ = list_add(NULL, $1); }
  | args ',' expr { $$ = list_add(&$1, $3); }
;

keys:
    key { $$ = list_add(NULL, $1); }
  | keys ',' key { $$ = list_add(&$1, $3); }
;

key:
    expr
  | '*' { $$ = make(u, ND_STAR, @1, NULL, NULL, NULL, NULL); }
;

expr:
    step
  | '-' expr %prec UNARY { $$ = make_unary(u, OP_NEG, @1, $2); }
  | '+' expr %prec UNARY { $$ = make_unary(u, OP_PLUS, @1, $2); }
  | '!' expr %prec UNARY { $$ = make_unary(u, OP_NOT, @1, $2); }
  | '~' expr %prec UNARY { $$ = make_unary(u, OP_COMPL, @1, $2); }
  | expr '*' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '/' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '%' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '+' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '-' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '.' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr SHIFT expr { $$ = make_binary(u, $2, $1, $3); }
  | expr COMPARE expr { $$ = make_binary(u, $2, $1, $3); }
  | expr MATCH STRING { $$ = make_binary(u, $2, $1, make_string(u, $3)); }
  | expr IN IDENT { $$ = make_in(u, $2, NULL, $1, make_name(u, $3)); }
  | '[' keys ']' IN IDENT { $$ = make_in(u, $4, &$2, NULL, make_name(u, $5)); }
  | expr IN hist { $$ = make_in(u, $2, NULL, $1, $3); }
  | '[' keys ']' IN hist { $$ = make_in(u, $4, &$2, NULL, $5); }
  | expr '&' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '^' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '|' expr { $$ = make_binary(u, $2, $1, $3); }
  | expr LAND expr { $$ = make_binary(u, $2, $1, $3); }
  | expr LOR expr { $$ = make_binary(u, $2, $1, $3); }
  | expr '?' expr ':' expr { $$ = make(u, ND_COND, @2, $1, $3, $5, NULL); }
  | expr '=' expr { $$ = make_assign(u, $2, $1, $3); }
  | expr ADD_ASSIGN expr { $$ = make_assign(u, $2, $1, $3); }
  | expr ASSIGN expr { $$ = make_assign(u, $2, $1, $3); }
;

/* A separate level: `++a ++b` and `a++ ++b` are two statements each */
step:
    value %prec END_OF_STATEMENT
  | STEP value { $$ = make_step(u, $1, $2, true); }
  | value STEP { $$ = make_step(u, $2, $1, false); }
;

value:
    NUMBER { $$ = make_number(u, $1, false); }
  | STRING { $$ = make_string(u, $1); }
  | IDENT { $$ = make_name(u, $1); }
  | TARGET { $$ = make_target(u, $1); }
  | EMBED { $$ = make_embedded(u, $1); }
  | '(' expr ')' { $$ = make_paren($2); }
  | IDENT '(' args_opt ')' { $$ = make_call(u, $1, &$3); }
  | PRINT '(' args_opt ')' { $$ = make_print(u, $1, &$3); }
  | value '[' keys ']' { $$ = make_index(u, $1, &$3, $2->loc); }
  | value ARROW IDENT { $$ = make_arrow(u, $1, $3); }
  | value PRETTY { $$ = make_pretty(u, $1, $2); }
  | '&' value %prec ADDRESS { $$ = make_address(u, @1, $2); }
  | hist
  | AT_STAT '(' expr numbers ')' { $$ = make_stat(u, ND_STAT, $1, $3, &$4); }
  | AT_CAST '(' expr ',' STRING ')' { $$ = make_typed(u, ND_CAST, $1, $3, $5, NULL); }
  | AT_CAST '(' expr ',' STRING ',' STRING ')' { $$ = make_typed(u, ND_CAST, $1, $3, $5, $7); }
  | AT_VAR '(' STRING ')' { $$ = make_typed(u, ND_VAR, $1, NULL, $3, NULL); }
  | AT_VAR '(' STRING ',' STRING ')' { $$ = make_typed(u, ND_VAR, $1, NULL, $3, $5); }
  | AT_PERCPU '(' STRING ',' expr ')' { $$ = make_typed(u, ND_VAR, $1, $5, $3, NULL); }
  | AT_PERCPU '(' STRING ',' expr ',' STRING ')' { $$ = make_typed(u, ND_VAR, $1, $5, $3, $7); }
  | AT_ENUMNAME '(' expr ')' { $$ = make_typed(u, ND_ENUMNAME, $1, $3, NULL, NULL); }
  | AT_ENUMNAME '(' expr ',' STRING ')' { $$ = make_typed(u, ND_ENUMNAME, $1, $3, $5, NULL); }
  | AT_ENUMNAME '(' expr ',' STRING ',' STRING ')' { $$ = make_typed(u, ND_ENUMNAME, $1, $3, $5, $7); }
  | AT_EXPR '(' expr ')' { $$ = make(u, (enum node_kind)$1->num, @1, $3, NULL, NULL, NULL); }
  | AT_TEXT '(' STRING ')' { $$ = make_typed(u, (enum node_kind)$1->num, $1, NULL, $3, NULL); }
  | AT_ENUM '(' STRING ')' { $$ = make_typed(u, ND_ENUM, $1, NULL, $3, NULL); }
  | AT_ENUM '(' STRING ',' STRING ')' { $$ = make_typed(u, ND_ENUM, $1, NULL, $3, $5); }
  | AT_REGISTER '(' NUMBER ')' { $$ = make_register(u, $1, $3); }
  | AT_DEREF '(' NUMBER ',' expr ')' { $$ = make_deref(u, $1, $3, $5); }
  | AT_PROBEWRITE '(' IDENT ')' { $$ = make_probewrite(u, $1, $3); }
  | AT_PROBEWRITE '(' TARGET ')' { $$ = make_probewrite(u, $1, $3); }
;

hist:
    AT_HIST '(' expr numbers ')' { $$ = make_stat(u, ND_HIST, $1, $3, &$4); }
;

numbers:
    %empty { $$ = (struct node_list){ 0 }; }
  | numbers ',' number { $$ = list_add(&$1, $3); }
;

number:
    NUMBER { $$ = make_number(u, $1, false); }
  | '-' NUMBER { $$ = make_number(u, $2, true); }
;

%%

/* ---- tokens for the parser ---- */

static int yylex(YYSTYPE *value, YYLTYPE *loc, struct unit *u)
{
	const struct token *t = parse_next(u);

	value->tok = t;
	*loc = t->loc;
	return t->kind;
}

/* Only "memory exhausted" comes here: the parser's own stack is full. */
static void yyerror(const YYLTYPE *loc, struct unit *u, const char *message)
{
	parse_too_deep(u, *loc);
}

/* ---- messages ---- */

/* What a token is part of, so that a message says "an expression" for the forty that may begin one. */
enum token_class { C_SELF, C_EXPRESSION, C_STATEMENT, C_OPERATOR, C_TOP, C_COUNT };

static enum token_class class_of(yysymbol_kind_t s)
{
	switch (s) {
	case YYSYMBOL_IDENT: case YYSYMBOL_TARGET: case YYSYMBOL_NUMBER: case YYSYMBOL_STRING:
	case YYSYMBOL_EMBED: case YYSYMBOL_PRINT: case YYSYMBOL_AT_CAST: case YYSYMBOL_AT_VAR: case YYSYMBOL_AT_PERCPU:
	case YYSYMBOL_AT_EXPR: case YYSYMBOL_AT_TEXT: case YYSYMBOL_AT_ENUM: case YYSYMBOL_AT_ENUMNAME:
	case YYSYMBOL_AT_REGISTER: case YYSYMBOL_AT_DEREF: case YYSYMBOL_AT_PROBEWRITE:
	case YYSYMBOL_AT_STAT: case YYSYMBOL_AT_HIST:
		return C_EXPRESSION;
	case YYSYMBOL_IF: case YYSYMBOL_FOR: case YYSYMBOL_FOREACH: case YYSYMBOL_RETURN:
	case YYSYMBOL_DELETE: case YYSYMBOL_WHILE: case YYSYMBOL_BREAK: case YYSYMBOL_CONTINUE:
	case YYSYMBOL_NEXT: case YYSYMBOL_TRY:
		return C_STATEMENT;
	case YYSYMBOL_ASSIGN: case YYSYMBOL_LOR: case YYSYMBOL_LAND: case YYSYMBOL_COMPARE:
	case YYSYMBOL_MATCH: case YYSYMBOL_SHIFT: case YYSYMBOL_ARROW: case YYSYMBOL_PRETTY:
		return C_OPERATOR;
	case YYSYMBOL_PROBE: case YYSYMBOL_GLOBAL: case YYSYMBOL_PRIVATE: case YYSYMBOL_FUNCTION:
		return C_TOP;
	default:
		return C_SELF;
	}
}

/* Tokens that more than one class claims: left out when the class is named. */
static bool implied_by(yysymbol_kind_t s, const bool *named)
{
	const char *name = yysymbol_name(s);
	bool sign = name[0] == '\'' && strchr("!~-+&([", name[1]);

	if ((sign || s == YYSYMBOL_STEP) && named[C_EXPRESSION])
		return true;
	if (named[C_OPERATOR] && name[0] == '\'' && strchr("=?|^&.+-*/%[(", name[1]))
		return true;
	if (named[C_OPERATOR] && (s == YYSYMBOL_ADD_ASSIGN || s == YYSYMBOL_STEP || s == YYSYMBOL_IN))
		return true;
	return named[C_STATEMENT] && name[0] == '\'' && strchr(";{", name[1]);
}

static const char *describe(yysymbol_kind_t s)
{
	const char *name = yysymbol_name(s);

	switch (s) {
	case YYSYMBOL_YYEOF:
		return "the end of the script";
	case YYSYMBOL_IDENT:
		return "a name";
	case YYSYMBOL_NUMBER:
		return "a number";
	case YYSYMBOL_STRING:
		return "a string literal";
	default:
		return name[0] == '\'' ? name : arena_printf(&program_arena, "'%s'", name);
	}
}

/* "a name, '(' or an operator"; empty when everything or too much would be listed. */
static void describe_expected(const yypcontext_t *at, struct text *t)
{
	static const char *const class_names[C_COUNT] = {
		[C_EXPRESSION] = "an expression", [C_STATEMENT] = "a statement", [C_OPERATOR] = "an operator",
		[C_TOP] = "'probe', 'global', 'private' or 'function'",
	};
	yysymbol_kind_t tokens[YYNTOKENS];
	const char *words[YYNTOKENS + C_COUNT];
	int n = yypcontext_expected_tokens(at, tokens, YYNTOKENS), n_words = 0;
	int count[C_COUNT] = { 0 };
	bool named[C_COUNT] = { false };

	for (int i = 0; i < n; i++)
		count[class_of(tokens[i])]++;
	for (int c = C_EXPRESSION; c < C_COUNT; c++)
		named[c] = count[c] > 3;
	if (named[C_STATEMENT])
		named[C_EXPRESSION] = true;
	for (int c = C_EXPRESSION; c < C_COUNT; c++) {
		if (named[c] && !(c == C_EXPRESSION && named[C_STATEMENT]))
			words[n_words++] = class_names[c];
	}
	for (int i = 0; i < n; i++) {
		enum token_class c = class_of(tokens[i]);
		bool at_top = named[C_TOP] && (tokens[i] == YYSYMBOL_EMBED || tokens[i] == YYSYMBOL_YYEOF);

		if (!named[c] && !at_top && !implied_by(tokens[i], named))
			words[n_words++] = describe(tokens[i]);
	}
	for (int i = 0; i < n_words && n_words <= 5; i++)
		text_printf(t, "%s%s", !i ? "" : i == n_words - 1 ? " or " : ", ", words[i]);
}

static bool expects_definition(const yypcontext_t *at)
{
	yysymbol_kind_t tokens[YYNTOKENS];
	int n = yypcontext_expected_tokens(at, tokens, YYNTOKENS);

	for (int i = 0; i < n; i++)
		if (tokens[i] == YYSYMBOL_PRIVATE)
			return true;
	return false;
}

static int yyreport_syntax_error(const yypcontext_t *at, struct unit *u)
{
	struct text expected = { 0 };
	yysymbol_kind_t one[2];
	bool needs_name = yypcontext_expected_tokens(at, one, 2) == 1 && one[0] == YYSYMBOL_IDENT;

	describe_expected(at, &expected);
	parse_unexpected(u, *yypcontext_location(at), text_str(&expected), needs_name, expects_definition(at));
	text_deinit(&expected);
	return 0;
}
