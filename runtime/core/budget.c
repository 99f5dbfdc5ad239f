/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The budget of a handler: statements, and the time that they take together. Context: any. */
#include "core.h"

/* In a process nobody waits for a handler. */
__attribute__((weak)) int kt_time_is_up(struct kt_ctx *c)
{
	return 0;
}

__attribute__((weak)) int kt_is_late(struct kt_ctx *c)
{
	return 0;
}

/* Nor does anything run beside it. */
__attribute__((weak)) int kt_wait_more(struct kt_ctx *c, struct kt_wait *w)
{
	return 0;
}

__attribute__((weak)) void kt_wait_end(struct kt_ctx *c, const struct kt_wait *w)
{
}

static void spend(struct kt_ctx *c, kt_u32 flags, const char *message)
{
	c->flags |= KT_CTX_SPENT | flags;
	kt_error(c, message);
}

static int time_spent(struct kt_ctx *c)
{
	spend(c, KT_CTX_LATE, "MAXTIME exceeded; raise -DMAXTIME");
	return 0;
}

int kt_took_long(struct kt_ctx *c)
{
	kt_actions_pause(c);
	return !kt_is_late(c) || time_spent(c);
}

int kt_actions_more(struct kt_ctx *c)
{
	kt_s64 left = c->more_actions + c->actions;

	if (left < 0) {
		spend(c, 0, "MAXACTION exceeded; raise -DMAXACTION");
		return 0;
	}
	if (kt_time_is_up(c))
		return time_spent(c);
	c->actions = left < KT_ACTIONS_AT_ONCE ? (kt_s32)left : KT_ACTIONS_AT_ONCE;
	c->more_actions = left - c->actions;
	return 1;
}
