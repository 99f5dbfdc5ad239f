/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of editline.c where ktap is built without libedit: lines are not edited. */
#include "cli/prompt/prompt.h"

struct editor *editline_open(prompt_complete_fn *complete, void *of)
{
	return NULL;
}

enum prompt_result editline_read(struct editor *e, const char *prompt, struct text *ret)
{
	return PROMPT_END;
}

void editline_close(struct editor *e)
{
}
