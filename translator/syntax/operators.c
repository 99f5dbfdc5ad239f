/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The @-operators of the language: which token of the grammar each is. */
#include <string.h>

#include "translator/syntax/tokens.h"
#include "translator/syntax/grammar.h"

/* NUM is what the action of the token's rule needs: the node kind, whether user memory is meant, the percentile. */
static const struct {
	const char *name;
	int kind;
	enum op op;
	long long num;
} operators[] = {
	{ "@cast", AT_CAST, OP_NONE, 0 },
	{ "@var", AT_VAR, OP_NONE, 0 },
	{ "@percpu", AT_PERCPU, OP_NONE, 0 },
	{ "@defined", AT_EXPR, OP_NONE, ND_DEFINED },
	{ "@entry", AT_EXPR, OP_NONE, ND_ENTRY },
	{ "@perf", AT_TEXT, OP_NONE, ND_PERF },
	{ "@const", AT_TEXT, OP_NONE, ND_CONST },
	{ "@enum", AT_ENUM, OP_NONE, 0 },
	{ "@enumname", AT_ENUMNAME, OP_NONE, 0 },
	{ "@kregister", AT_REGISTER, OP_NONE, 0 },
	{ "@uregister", AT_REGISTER, OP_NONE, 1 },
	{ "@kderef", AT_DEREF, OP_NONE, 0 },
	{ "@uderef", AT_DEREF, OP_NONE, 1 },
	{ "@probewrite", AT_PROBEWRITE, OP_NONE, 0 },
	{ "@count", AT_STAT, OP_COUNT, 0 },
	{ "@sum", AT_STAT, OP_SUM, 0 },
	{ "@min", AT_STAT, OP_MIN, 0 },
	{ "@max", AT_STAT, OP_MAX, 0 },
	{ "@avg", AT_STAT, OP_AVG, 0 },
	{ "@variance", AT_STAT, OP_VARIANCE, 0 },
	{ "@p", AT_STAT, OP_PCT, -1 },
	{ "@p50", AT_STAT, OP_PCT, 50 },
	{ "@p90", AT_STAT, OP_PCT, 90 },
	{ "@p99", AT_STAT, OP_PCT, 99 },
	{ "@hist_log", AT_HIST, OP_HIST_LOG, 0 },
	{ "@hist_linear", AT_HIST, OP_HIST_LINEAR, 0 },
};

enum { N_OPERATORS = sizeof(operators) / sizeof(operators[0]) };

bool at_operator(struct token *t)
{
	for (int i = 0; i < N_OPERATORS; i++) {
		if (strcmp(operators[i].name, t->text))
			continue;
		t->kind = operators[i].kind;
		t->op = operators[i].op;
		t->num = operators[i].num;
		return true;
	}
	return false;
}

void at_operator_names(void (*fn)(const char *name, void *data), void *data)
{
	for (int i = 0; i < N_OPERATORS; i++)
		fn(operators[i].name, data);
}
