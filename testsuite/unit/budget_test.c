/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/budget.c: statements are counted exactly, and the clock is looked at on the way. */
#include "runtime/script.h"
#include "testsuite/unit/tap.h"

static struct kt_ctx ctx;
static struct kt_ctx *const c = &ctx;
static long looks, up_at;

int kt_time_is_up(struct kt_ctx *unused)
{
	(void)unused;
	return ++looks == up_at;
}

/* How many times a handler with a budget of N runs COST statements at once. */
static long runs(kt_s32 n, int cost)
{
	long ret = 0;

	ctx = (struct kt_ctx){ 0 };
	looks = 0;
	kt_actions_start(c, n);
	for (;; ret++)
		KT_ACTIONS(cost, 7);
kt_fail:
	return ret;
}

static void statements(void)
{
	static const kt_s32 budgets[] = { 1, 63, 64, 65, 128, 10000 };

	for (unsigned i = 0; i < sizeof(budgets) / sizeof(*budgets); i++)
		is_int(runs(budgets[i], 1), budgets[i], "statements one by one");
	is_int(runs(10000, 3), 3333, "three at once");
	is_int(runs(10000, 1000), 10, "more at once than there are before a look at the clock");
	is_int(runs(0x7fffffff, 0x10000000), 7, "the largest budget");
	is_int(kt_error_kind(c), KT_ERROR_ACTIONS, "kind of the error");
	is_int(c->error_place, 7, "place of the error");
	ok(!kt_catchable(c), "not caught");
}

/* The statement before which the handler looks is not one of the next KT_ACTIONS_AT_ONCE. */
static void time_is_up(void)
{
	runs(10000, 1);
	is_int(looks, 10000 / (KT_ACTIONS_AT_ONCE + 1), "looks at the clock");
	up_at = 3;
	is_int(runs(10000, 1), 3 * (KT_ACTIONS_AT_ONCE + 1) - 1, "the time is up at the third look");
	is_int(kt_error_kind(c), KT_ERROR_TIME, "kind of that error");
	ok(!kt_catchable(c), "not caught either");
	up_at = 0;
}

static void pauses(void)
{
	long n = 0;

	ctx = (struct kt_ctx){ 0 };
	looks = 0;
	kt_actions_start(c, 1000);
	for (;; n++) {
		KT_ACTIONS(1, 0);
		kt_actions_pause(c);
	}
kt_fail:
	is_int(n, 1000, "a pause costs no statement");
	is_int(looks, 999, "after it the clock is looked at");
}

int main(void)
{
	statements();
	time_is_up();
	pauses();
	return tap_done();
}
