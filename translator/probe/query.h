/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forms and arguments of .function() and .statement(), the same for kernels and programs. */
#ifndef KTAP_PROBE_QUERY_H
#define KTAP_PROBE_QUERY_H

#include "translator/debuginfo/target.h"
#include "translator/probe/probe.h"

enum { LINE_MAX_NUMBER = 10000000 };

/* Ids of the patterns. */
enum code_variant {
	FN_ANY,
	FN_CALL,
	FN_INLINE,
	FN_EXPORTED,
	FN_RETURN,
	FN_LABEL,
	FN_CALLEE,
	FN_CALLEE_CALL,
	FN_CALLEE_RETURN,
	FN_CALLEES,
	ST_LINES,
	ST_NEAREST,
	ST_ADDRESS,
	ST_ADDRESS_RETURN,
	CODE_VARIANTS,
};

/* The patterns of functions in what BASE names. */
#define FUNCTION_FORMS(base)                                                        \
	{ base ".function(string)", FN_ANY },                                              \
	{ base ".function(string).call", FN_CALL },                                        \
	{ base ".function(string).inline", FN_INLINE },                                    \
	{ base ".function(string).exported", FN_EXPORTED },                                \
	{ base ".function(string).return", FN_RETURN },                                    \
	{ base ".function(string).return.maxactive(number)", FN_RETURN },                  \
	{ base ".function(number)", FN_CALL },                                             \
	{ base ".function(number).call", FN_CALL },                                        \
	{ base ".function(number).exported", FN_EXPORTED },                                \
	{ base ".function(number).return", FN_RETURN },                                    \
	{ base ".function(string).label(string)", FN_LABEL },                              \
	{ base ".function(string).callee(string)", FN_CALLEE },                            \
	{ base ".function(string).callee(string).call", FN_CALLEE_CALL },                  \
	{ base ".function(string).callee(string).return", FN_CALLEE_RETURN },              \
	{ base ".function(string).callees", FN_CALLEES },                                  \
	{ base ".function(string).callees(number)", FN_CALLEES }

/* function.c: splits FUNC[@FILE[:LINE]]. False: reported. */
bool function_query_parse(const struct node *arg, struct function_query *q);
/* Q as readers compare it: a line inside of a function of T stands for the one where it is declared. */
struct function_query function_query_settle(struct target *t, struct function_query q);
/* The out-of-line function of T that the code at the linked ADDRESS is part of; NULL: none is known. */
struct place *function_at(struct target *t, uint64_t address);

/* statement.c: splits FUNC[@FILE[:LINES]]; *ret_lines says whether lines are named. False: reported. */
bool statement_query_parse(const struct node *arg, struct line_query *q, bool *ret_lines);
/* The places of a line or range; with NEAREST, of the line with code that is nearest to it. */
struct place *statement_find(struct target *t, const struct line_query *q, bool nearest);
/* Reports that no code begins at the lines, and the nearest code. True: that was reported. */
bool statement_report_neighbours(struct target *t, const struct line_query *q, const struct node *arg);
/* "func@file:line" of a statement's place. */
const char *statement_place_text(const struct place *p);

#endif
