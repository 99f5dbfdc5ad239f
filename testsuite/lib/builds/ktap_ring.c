// SPDX-License-Identifier: GPL-2.0-or-later
/* A module of two builds: with -DRING_NEW its structure has a member more in front. Writing a number to the parameter `go` calls ring_put() and
 * prints to the kernel's log the number that a probe should see. */
#include <linux/module.h>

struct ring {
#ifdef RING_NEW
	u64 version;
#endif
	u32 head, magic;
};

static struct ring ring = { .magic = 0xfeedface };
static u32 ring_puts;

/* The line of the brace: the code after the call of ftrace. */
enum { RING_PUT_LINE = __LINE__ + 2 };
static __attribute__((noipa)) int ring_put(struct ring *r, u32 value)
{
	r->head += value;
	ring_puts++;
	return (int)r->head;
}

static int go_set(const char *text, const struct kernel_param *kp)
{
	u32 value;
	int err = kstrtou32(text, 0, &value);

	if (!err)
		pr_info("ring: put %d magic %u puts %u line %d\n", ring_put(&ring, value), ring.magic, ring_puts, RING_PUT_LINE);
	return err;
}

static const struct kernel_param_ops go_ops = { .set = go_set };
module_param_cb(go, &go_ops, NULL, 0200);

static __attribute__((noipa)) int __init ring_first(int value)
{
	return value - 7;
}

static int __init ring_init(void)
{
	return ring_first(7);
}

static void __exit ring_exit(void)
{
}

module_init(ring_init);
module_exit(ring_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a module of two builds for ktap's tests");
