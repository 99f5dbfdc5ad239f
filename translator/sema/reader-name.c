/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts leave out the process that reads their output by its name: execname() == "stapio". Here that process is ktaprun, so
 * SystemTap's names for it mean ktaprun in comparisons, in regular expressions and as keys.
 */
#include <ctype.h>
#include <string.h>

#include "runtime/abi.h"
#include "translator/sema/pass.h"

static const char *const systemtaps[] = { "stapio", "staprun" };

/* The length of the name that TEXT begins with, 0: none. */
static size_t name_length(const char *text)
{
	for (size_t i = 0; i < sizeof(systemtaps) / sizeof(systemtaps[0]); i++)
		if (!strncmp(text, systemtaps[i], strlen(systemtaps[i])))
			return strlen(systemtaps[i]);
	return 0;
}

/* Every whole word of the pattern N that is one of the names. */
static void replace_words(struct node *n)
{
	struct text t = { 0 };

	for (const char *at = n->text, *end = at + n->text_len; at < end;) {
		size_t length = at > n->text && isalnum((unsigned char)at[-1]) ? 0 : name_length(at);

		if (length && !isalnum((unsigned char)at[length])) {
			text_puts(&t, KT_READER_NAME);
			at += length;
		} else {
			text_append(&t, at++, 1);
		}
	}
	n->text_len = t.len;
	n->text = text_keep(&t);
}

static void replace(struct node *n)
{
	if (n->kind != ND_STR || !n->text_len || n->text_len != name_length(n->text))
		return;
	n->text = KT_READER_NAME;
	n->text_len = strlen(KT_READER_NAME);
}

void reader_name(struct node *n)
{
	if (n->kind == ND_INDEX || n->kind == ND_IN) {
		for (struct node *key = n->list; key; key = key->next)
			replace(key);
	} else if (n->kind == ND_BINARY && (n->op == OP_EQ || n->op == OP_NE)) {
		replace(n->kid[0]);
		replace(n->kid[1]);
	} else if (n->kind == ND_BINARY && (n->op == OP_MATCH || n->op == OP_NMATCH)) {
		replace_words(n->kid[1]);
	}
}
