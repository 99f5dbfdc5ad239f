/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What another CPU sees of an aggregate, and what an NMI does to it, after each single instruction of `s <<< v`: the processor's trap flag stops
 * the addition between any two instructions.
 */
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

#include "runtime/core/core.h"
#include "runtime/core/stat.h"
#include "testsuite/unit/port.h"
#include "testsuite/unit/tap.h"

#ifdef __x86_64__
enum {
	FIELDS = KT_STAT_COUNT | KT_STAT_SUM | KT_STAT_MIN | KT_STAT_MAX | KT_STAT_VAR,
	OFFSET = 64,
	TRAP_FLAG = 1 << 8,
};

static const struct kt_stat_type type = { .fields = FIELDS, .words = KT_STAT_WORDS(FIELDS, 0, 0) };
static struct kt_ctx normal, nmi;
static volatile long steps, torn, nested;
static volatile bool nest;

/* The reader: the first value is there as a whole or not at all. */
static void look(void)
{
	kt_s64 s[KT_STAT_WORDS(FIELDS, 0, 0)];

	kt_stat_collect(s, &type, OFFSET);
	torn += s[0] && (s[1] != 1000 * s[0] || s[2] != 1000 || s[3] != 1000);
}

static void step(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	steps++;
	if (!nest) {
		look();
		return;
	}
	nested++;
	kt_stat_add_scalar(&nmi, OFFSET, &type, 1000);
}

static void __attribute__((noinline)) add(void)
{
	/* Below the space that a function may use under its stack pointer. */
	__asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; orq %0, (%%rsp); popfq; leaq 128(%%rsp), %%rsp" : : "i"(TRAP_FLAG) : "memory", "cc");
	kt_stat_add_scalar(&normal, OFFSET, &type, 1000);
	__asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; andq %0, (%%rsp); popfq; leaq 128(%%rsp), %%rsp"
			 : : "i"(~(long)TRAP_FLAG) : "memory", "cc");
}

static void clear(void)
{
	steps = 0;
	kt_percpu_clear(OFFSET, KT_LEVELS * type.words * sizeof(kt_s64));
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = step, .sa_flags = SA_SIGINFO };
	kt_s64 s[KT_STAT_WORDS(FIELDS, 0, 0)];

	normal.cpu = nmi.cpu = kt_cpu_area(0);
	nmi.level = KT_LEVEL_NMI;
	sigaction(SIGTRAP, &action, NULL);
	clear();
	add();
	ok(steps > 10, "the addition was stopped between its instructions");
	is_int(torn, 0, "no reader saw a part of the first value");

	nest = true;
	clear();
	for (int i = 0; i < 3; i++)
		add();
	kt_stat_collect(s, &type, OFFSET);
	is_int(s[0], 3 + nested, "no value is lost that an NMI adds in between, nor one that it interrupts");
	is_int(s[1], 1000 * (3 + nested), "nor its sum");
	ok(s[2] == 1000 && s[3] == 1000, "the least and the greatest are right");
	return tap_done();
}
#else
int main(void)
{
	ok(1, "additions, instruction by instruction # SKIP a trap flag of x86");
	return tap_done();
}
#endif
