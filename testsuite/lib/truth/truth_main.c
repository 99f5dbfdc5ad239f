/* See truth.h. Writing to the parameter `go` calls everything once; the number written is the depth of the recursion. */
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>

#include "truth.h"

/* A kernel with DECLARE_TRACE_EVENT() appends _tp to the name that DECLARE_TRACE() takes. */
#ifdef DECLARE_TRACE_EVENT
#define DECLARE_PLAIN_TRACE DECLARE_TRACE_EVENT
#else
#define DECLARE_PLAIN_TRACE DECLARE_TRACE
#endif
DECLARE_PLAIN_TRACE(truth_event, TP_PROTO(int number, const char *text, const struct truth_point *p, bool yes),
		    TP_ARGS(number, text, p, yes));
DEFINE_TRACE(truth_event, TP_PROTO(int number, const char *text, const struct truth_point *p, bool yes),
	     TP_ARGS(number, text, p, yes));

static int truth_private = 1001;
static int truth_twin twin_data = 111;
static int truth_numbers[12];

struct truth_count {
	long packets;
	int errors;
};

DEFINE_PER_CPU(int, truth_hits);
static DEFINE_PER_CPU(struct truth_count, truth_counts);

/* The result is used and the arguments live on, so that nothing is optimized out at the entry. */
opaque int truth_ints(signed char c, unsigned char uc, short s, unsigned short us, int i, unsigned int u)
{
	return c + uc + s + us + i + (int)u;
}

opaque long truth_longs(long l, unsigned long ul, long long ll, bool yes, char ch, enum truth_color color)
{
	return l + (long)ul + (long)ll + yes + ch + color;
}

opaque int truth_eight(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8;
}

opaque int truth_struct(const struct truth_node *n)
{
	return n->p.x;
}

opaque int truth_bits(const struct truth_bits *b)
{
	return b->b;
}

opaque long truth_values(struct truth_point p, struct truth_pair pair)
{
	return p.x + p.y + p.z + pair.first + pair.second;
}

opaque struct truth_pair truth_returns(long x)
{
	return (struct truth_pair){ x + 1, x + 2 };
}

opaque struct truth_fields truth_fields(struct truth_fields f, int n)
{
	f.c++;
	f.d += n;
	return f;
}

opaque struct truth_big truth_returns_big(long x)
{
	return (struct truth_big){ x, x + 1, { (int)x + 2, (int)x + 3 } };
}

/* The rest of the register keeps what was in X. */
opaque signed char truth_char(long x)
{
	return (signed char)x;
}

opaque unsigned short truth_short(long x)
{
	return (unsigned short)x;
}

opaque bool truth_bool(long x)
{
	bool yes;

	asm volatile("" : "=r"(yes) : "0"(x));
	return yes;
}

static __always_inline int truth_inlined(int x)
{
	int doubled = x * 2;

	return doubled + truth_other(doubled);
}

opaque int truth_caller_one(int x)
{
	return truth_inlined(x + 1) + 1;
}

opaque int truth_caller_two(int x)
{
	return truth_inlined(x + 2) + 2;
}

/* The same name is in the other file. */
static opaque int truth_same(int here)
{
	return here + truth_private;
}

opaque int truth_target(int x)
{
	return x * 3;
}

opaque int truth_tail(int x)
{
	return truth_target(x + 1);
}

opaque int truth_early(int x)
{
	int y;

	if (x < 0)
		return truth_target(x) - 7;
	y = truth_other(x);
	return y + 1;
}

opaque int truth_line(int x)
{
	int a = truth_other(x), b = truth_other(x + 1); a += b; b = truth_other(a);
	return a + b;
}

opaque int truth_label(int x)
{
	if (truth_other(x) < 10)
		goto small;
	return truth_other(x + 100);
small:
	return truth_other(x + 1);
}

/* The empty instruction keeps the compiler from making a loop of it. */
opaque int truth_recurse(int n)
{
	int below = n ? truth_recurse(n - 1) + 1 : 0;

	asm volatile("" : "+r"(below));
	return below;
}

opaque int truth_negative(int x)
{
	return -x;
}

opaque unsigned int truth_unsigned(int x)
{
	return (unsigned int)-x;
}

static opaque twin_code int truth_twin_code(int here)
{
	return here + truth_twin;
}

opaque int truth_letter(const char *text)
{
	return text[0];
}

/* TEXT is an address that has no symbol. */
static __always_inline int truth_literal(const char *text, int x)
{
	return truth_other(x) + truth_letter(text);
}

opaque int truth_literals(int x)
{
	return truth_literal("a literal of the module", x) + truth_literal("another", x + 1);
}

/* Global and static variables change between the entry and the return. */
opaque int truth_percpu(enum truth_color color, const struct truth_node *n)
{
	truth_numbers[3] = color;
	truth_twin += 4;
	return color + n->behind + truth_numbers[n->inside & 3];
}

static void truth_fill(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(truth_hits, cpu) = 100 + cpu;
		per_cpu(truth_counts, cpu) = (struct truth_count){ 7000000000 + cpu, -1 - cpu };
	}
}

static struct truth_node truth_second = {
	.p = { -3, -2, 'z' }, .name = "second", .color = BLUE,
};

static const struct truth_point truth_point_two = { 22, 23, 24 };
static const struct truth_point *const truth_table[] = { NULL, &truth_point_two };

static struct truth_node truth_first = {
	.next = &truth_second, .p = { 100000, -20000, 200 }, .grid = { { 1, 2 }, { 3, 4 }, { 5, -6 } }, .name = "first",
	.whole = 0x1122334455667788, .inside = 77, .color = GREEN, .behind = 4242, .table = truth_table,
};

static struct truth_bits truth_field = { .a = 5, .b = -9, .c = 0xabc, .d = 0x123456789a };

/* 100 threads that recurse at once. */
static int truth_thread(void *data)
{
	for (int i = 0; i < 20; i++)
		truth_recurse(9);
	complete(data);
	return 0;
}

static void truth_threads(void)
{
	struct completion done;
	int started = 0;

	init_completion(&done);
	for (int i = 0; i < 100; i++)
		started += !IS_ERR(kthread_run(truth_thread, &done, "truth/%d", i));
	while (started--)
		wait_for_completion(&done);
}

static int go_set(const char *text, const struct kernel_param *kp)
{
	long sum = 0;
	int depth, err = kstrtoint(text, 0, &depth);

	if (err)
		return err;
	if (depth == 100) {
		truth_threads();
		return 0;
	}
	sum += truth_ints(-5, 250, -300, 60000, -70000, 4000000000u);
	sum += truth_longs(-5000000000, 0xfedcba9876543210, 1LL << 40, true, 'k', GREEN);
	sum += truth_eight(11, 12, 13, 14, 15, 16, -17, 18);
	sum += truth_struct(&truth_first) + truth_bits(&truth_field);
	sum += truth_values((struct truth_point){ 7, -8, 9 }, (struct truth_pair){ -10, 11 });
	sum += truth_returns(40).second;
	sum += truth_fields((struct truth_fields){ 5, 21, -300, -77 }, 9).c + truth_returns_big(70).b;
	sum += truth_char(0x1234567f80) + truth_short(0x123456fffe) + truth_bool(0x12345600);
	sum += truth_caller_one(10) + truth_caller_two(20);
	sum += truth_same(31) + truth_other_statics();
	sum += truth_tail(50) + truth_early(-1) + truth_early(6);
	sum += truth_line(60) + truth_label(2) + truth_label(30) + truth_recurse(depth);
	truth_fill();
	sum += truth_negative(2) + truth_unsigned(2) + truth_twin_code(1) + truth_other_twin(2) + truth_literals(5);
	sum += truth_percpu(BLUE, &truth_first);
	trace_truth_event(-12, "thirteen", &truth_point_two, true);
	truth_private++;
	pr_debug("truth: %ld\n", sum);
	return 0;
}

static const struct kernel_param_ops go_ops = { .set = go_set };
module_param_cb(go, &go_ops, NULL, 0200);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("known values for ktap's tests");
